"""Blocks, links, tags and inert bodies, by Obsidian's rules."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notes import opaque
from vaultmem.core.notes.markdown import blocks, document_passages, inert, tags, wikilinks
from vaultmem.core.notes.opaque import opaque_spans

CASES = Path(__file__).parents[1] / "cases/markdown"

marks = st.sampled_from(
    [
        *(
            "#a",
            "[[",
            "]]",
            "![[",
            "![",
            "](http://x.y)",
            "](pic.png)",
            "`",
            "``",
            "```",
            "```dataview",
            "~~~",
            "$",
            "$$",
        ),
        *(
            "%%",
            "<!--",
            "-->",
            "\n",
            "\n\n",
            "\n- ",
            "\n> ",
            "\n# ",
            "\n\t",
            "|",
            "\\",
            "<img src=http://a>",
            "<script>",
        ),
        *(
            "</script>",
            "<%",
            "%>",
            "<div>",
            "text ",
            "&",
            "[a]: http://b\n",
            "\r",
            "![a]",
            "<iframe",
            "=",
            "^id",
            "é",
            "漢",
        ),
    ]
)
hostile = st.lists(marks | st.text(max_size=5), max_size=40).map("".join)


@given(hostile)
def test_blocks_hold_every_line_that_is_not_blank_once(body: str) -> None:
    lines = body.split("\n")
    held = [n for block in blocks(body) for n in range(block.first_line, block.last_line + 1)]
    assert held == sorted(set(held))
    assert all(n in set(held) for n, line in enumerate(lines) if line.strip(" \t\r\n"))
    assert all(block.text == "\n".join(lines[block.first_line : block.last_line + 1]) for block in blocks(body))


@given(hostile)
def test_passages_are_verbatim_and_in_order(body: str) -> None:
    lines = body.split("\n")
    at = 0
    for ordinal, passage in enumerate(document_passages(body, "A > B")):
        assert passage.ordinal == ordinal
        assert at <= passage.first_line <= passage.last_line < len(lines)
        assert passage.text in "\n".join(lines[passage.first_line : passage.last_line + 1])
        at = passage.first_line


@given(hostile)
def test_inert_is_idempotent_and_leaves_nothing_remote(body: str) -> None:
    once = inert(body)
    assert inert(once) == once
    links = {link.target for link in wikilinks(body)}
    assert {link.target for link in wikilinks(once)} <= links or "<" in body


@given(st.text(max_size=200))
def test_scanners_never_raise(body: str) -> None:
    tags(body)
    wikilinks(body)
    inert(body)


plain = st.lists(
    st.sampled_from([*"ab  \n\n#->*+1.:|=![]()~&\"'\0\f\u2028", "   ", "[[", "%", "~~", "- ", "> ", "1. "])
)


@given(plain.map("".join))
def test_text_without_a_mark_of_code_math_or_comments_has_none(body: str) -> None:
    assert opaque_spans(body) == opaque._spans(body)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#a and #b/c, #D-e_f.", ["a", "b/c", "D-e_f"]),
        ("#123 #1a #2024/05 # #- #_", ["1a", "2024/05"]),
        ("x#no &#35;no \\#no a#b http://x/#no", []),
        ("#тег #標籤，後 #हिन्दी #🔥 #été", ["тег", "標籤", "हिन्दी", "🔥", "été"]),
        ("#One #one #ONE", ["One"]),
        ("`x`#no [[x]]#no \\[#no", []),
        ("`#no` ``a ` #no`` $#no$ %% #no %% <!-- #no --> [[a #no]] [x](y #no)", []),
        ("# Head #yes\n\n> #quoted\n>#tight\n\n- #item", ["yes", "quoted", "tight", "item"]),
        ("| #cell | x |\n|---|---|\n| #row | y |", ["cell", "row"]),
        ("```\n#no\n```\n\n    #no\n\n$$\n#no\n$$\n\n%%\n#no\n\n#no\n%%\n\n#yes", ["yes"]),
        ("it costs $5 #yes and $10", ["yes"]),
        ("%% never closed #yes", ["yes"]),
        ("a `tick #yes\n\nanother ` #also", ["yes", "also"]),
        ("#end/ #a#b (#bracket) **#bold**", ["end", "a"]),
    ],
)  # fmt: skip
def test_tags(text: str, expected: list[str]) -> None:
    assert list(tags(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[A]] ![[b.png|300]]", [("A", "", ""), ("b.png", "", "300")]),
        ("[[C#h|alias]] [[D#^id]]", [("C", "h", "alias"), ("D", "^id", "")]),
        ("`[[no]]` $[[no]]$ %%[[no]]%% \\[[no]] [[]] [[a\nb]]", []),
        ("| [[Doc\\|d]] |\n|---|\n| `a \\| b` [[E]] |", [("Doc", "", "d"), ("E", "", "")]),
        ("[[#Here]]", [("", "Here", "")]),
        ("[ [no] ] [x](y) [[a/b c.md]]", [("a/b c.md", "", "")]),
        ("````md\n```\n[[no]]\n```\n````\n[[yes]]", [("yes", "", "")]),
        ("- a\n  ```\n  [[no]]\n  ```\n- [[yes]]", [("yes", "", "")]),
    ],
)  # fmt: skip
def test_wikilinks(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(link.target, link.heading, link.alias) for link in wikilinks(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```dataview\nLIST\n```", "```text\nLIST\n```"),
        ("~~~~ dataviewjs x\ncode()\n~~~~", "~~~~ text x\ncode()\n~~~~"),
        ("- a\n  ```Templater\n  x\n  ```", "- a\n  ```text\n  x\n  ```"),
        ("> ```tasks\n> not done\n> ```", "> ```text\n> not done\n> ```"),
        ("```python\n![x](http://a)\n<script>\n```", "```python\n![x](http://a)\n<script>\n```"),
        ("`= this.x` and `$= dv.x`", "`= this.x` and `$= dv.x`"),
        ("![x](http://a/b.png) ![y](pic.png) ![[z.png]]", "[x](http://a/b.png) ![y](pic.png) ![[z.png]]"),
        ("![x](<HTTPS://a>) ![x](//a/b) ![x](file:///etc)", "[x](<HTTPS://a>) [x](//a/b) [x](file:///etc)"),
        ("![](http://a/b.png) [![ ](http://i)](http://l)", "[image](http://a/b.png) [ [image](http://i)](http://l)"),
        ("[![a](http://i)](http://l)", "[ [a](http://i)](http://l)"),
        ("![a][r] ![r] ![s]\n\n[r]: http://x", "[a][r] [r] ![s]\n\n[r]: http://x"),
        ('<img src="http://a/b.png" alt="A">', "[A](http://a/b.png)"),
        ('<img src="pic.png" width=30>', '<img src="pic.png" width=30>'),
        ("<img alt='>' src=http://a>", "[>](http://a)"),
        ('<img src=x.png onerror="alert(1)">', '[image](x.png)'),
        ("<script>\n```dataview\nx\n```\n</script>", "&lt;script>\n```text\nx\n```\n&lt;/script>"),
        ('<iframe src="https://a"></iframe>', '&lt;iframe src="https://a">&lt;/iframe>'),
        ('<div style="background:url(http://a)">x</div>', '&lt;div style="background:url(http://a)">x</div>'),
        ("a <%* tR += 1 %>", "a &lt;%* tR += 1 %>"),
        ("<u>kept</u> a < b", "<u>kept</u> a < b"),
    ],
)  # fmt: skip
def test_inert(text: str, expected: str) -> None:
    assert inert(text) == expected
    assert inert(expected) == expected


def test_passages_carry_headings_blocks_and_lines() -> None:
    body = "# T\n\nOne. ^one\n\n## Sub\n\n- a\n- b ^bee\n- c\n\n| x |\n|---|\n| 1 |\n\n^tab\n\n## Empty\n\n---\n"
    found = [(p.text, p.heading, p.block, p.first_line, p.last_line) for p in document_passages(body)]
    assert found == [
        ("One. ^one", "T", "one", 2, 2),
        ("- a", "T > Sub", "", 6, 6),
        ("- b ^bee", "T > Sub", "bee", 7, 7),
        ("- c", "T > Sub", "", 8, 8),
        ("| x |\n|---|\n| 1 |", "T > Sub", "tab", 10, 12),
        ("## Empty", "T", "", 16, 16),
    ]


def test_the_heading_path_above_a_chunk_gives_way_to_its_own_headings() -> None:
    body = "rest of b\n\n## C\n\nin c\n\n### D\n\nin d\n\n# E\n\nin e\n"
    found = {p.text: p.heading for p in document_passages(body, "A > B")}
    assert found == {"rest of b": "A > B", "in c": "A > C", "in d": "A > C > D", "in e": "E"}


@pytest.mark.parametrize(
    "body",
    [
        *("> " * 20_000, ">\n" * 8_000, "- " * 20_000, "$a " * 30_000, "%% a\n" * 8_000, "![" * 50_000),
        *("![a](http://x " * 8_000, '<img "' * 2_000, "[[" * 50_000, "<!--" * 30_000, "|" * 50_000, "](" * 50_000),
        *("- a\n" * 6_000, "\\[" * 40_000, "a" * 200_000, "`" * 60_000, "<" * 60_000, "<a x " * 10_000),
        "[" * 50_000 + "]" * 50_000,
        "".join("`" * (n % 50 + 1) + " " for n in range(3000)),
    ],
    ids=range(20),
)  # fmt: skip
def test_hostile_text_is_read_in_linear_time(body: str) -> None:
    started = time.process_time()
    document_passages(body)
    tags(body)
    wikilinks(body)
    inert(body)
    assert time.process_time() - started < 6


@pytest.mark.parametrize("path", sorted(CASES.glob("*.md")), ids=lambda p: p.stem)
def test_case(path: Path, update: bool) -> None:
    """The file's blocks as `kind lines path`, then what links and tags it has."""
    body = path.read_text(encoding="utf-8")
    shown = [
        f"{b.kind} {b.first_line}-{b.last_line} {' > '.join([*b.path, b.title]).strip(' >')}".rstrip()
        for b in blocks(body)
    ]
    shown += ["", "tags: " + " ".join(tags(body)), "links: " + ", ".join(link.target for link in wikilinks(body))]
    expected = path.with_suffix(".expected.txt")
    if update:
        expected.write_text("\n".join(shown) + "\n", encoding="utf-8")
    assert "\n".join(shown) + "\n" == expected.read_text(encoding="utf-8")
