"""Bodies of chat and mail notes: what is rendered parses back, and nothing in a message acts on the note."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from vaultmem.core.notes.codec import clean_author, clean_line, message_passages, parse_body, render_body
from vaultmem.core.notes.escape import escape, escape_inline, unescape, unescape_inline
from vaultmem.model import Message, SourceKind

CASES = Path(__file__).parent.parent / "cases" / "codec"
KINDS: tuple[SourceKind, ...] = ("chat", "email")
LINES = [
    "## 2026-04-21T10:12:00Z — Alice",
    "## 2026-04-21T10:12:00.5Z",
    "## —",
    "## Plan",
    "# T",
    "##",
    " ## x",
    "### x",
    "^m-0123456789ab",
    "x ^m-0123456789ab",
    "^m-0123456789ab  ",
    "---",
    "----",
    "- - -",
    "===",
    "-",
    "From: a@example.com",
    "From:",
    "Subject: x",
    "text",
    "",
    " ",
    "\t",
    "```",
    "```python",
    "~~~",
    "````",
    "  ```",
    "   ~~~ x",
    "    ```",
    "\t```",
    "- ```",
    "1. ~~~",
    "> ```",
    "```a`b```",
    "``` [[x]] %%",
    "[[x]]",
    "![[x.png]]",
    "[[[",
    "%%",
    "%%%",
    "a %% b",
    "$$",
    "$$$",
    "$$x$$",
    "<!--",
    "<!-- x -->",
    "<details>",
    "<div>",
    "</div>",
    "<script>",
    "- <style>",
    "> <pre>",
    "<b>x",
    "<?php",
    "<![CDATA[",
    "<https://example.com>",
    "- a",
    "  b",
    "> q",
    "1. a",
    "    code",
    "| a | b |",
    "|---|---|",
    "[x]: http://e.com",
    "[^1]: note",
    "\\",
    "\\\\",
    "\\---",
    "\\## 2026-04-21T10:12:00Z — A",
    "\\^m-0123456789ab",
    "\\```",
    "\\\\```",
    "[\\[x",
    "%\\%",
    "$\\$",
    "<\\!--",
    "\\<div>",
    "\r",
    "a\r## x\rb",
    "a\r\n```\r\nb",
    "\x0b",
    "\u2028## x",
    "\x85",
    "\x00",
    "שלום \u202e",
    "👩‍👩‍👧",
    "\ud800",
]
line = st.one_of(
    st.sampled_from(LINES), st.text("\\[%$<!-^m0123456789abcdef`~# ->.)x\r", max_size=24), st.text(max_size=12)
)
texts = st.one_of(st.lists(line, max_size=14).map("\n".join), st.text())
times = st.datetimes(timezones=st.just(UTC))
keys = st.one_of(st.just(""), st.text("0123456789abcdef", min_size=12, max_size=12))
names = st.one_of(st.sampled_from(LINES), st.text())
authors = names.map(clean_author)
values = names.map(clean_line)
chats = st.builds(Message, key=keys, sent_at=times | st.none(), author=authors, text=texts)
mails = st.builds(
    Message, key=keys, sent_at=times | st.none(), author=values, to=values, cc=values, subject=values, text=texts
)


def said(text: str, key: str = "0123456789ab") -> Message:
    return Message(key=key, sent_at=datetime(2026, 4, 21, 10, 12, tzinfo=UTC), author="Alice", text=text)


@given(st.lists(chats, max_size=4))
def test_a_chat_comes_back(messages: list[Message]) -> None:
    assert parse_body("chat", render_body("chat", messages)) == tuple(messages)


@given(st.lists(mails, max_size=4))
def test_a_mailbox_comes_back(messages: list[Message]) -> None:
    assert parse_body("email", render_body("email", messages)) == tuple(messages)


@pytest.mark.parametrize("kind", KINDS)
@given(text=texts)
def test_escaping_is_reversible_and_keeps_the_lines(kind: SourceKind, text: str) -> None:
    assert unescape(kind, escape(kind, text)) == text
    assert escape(kind, text).count("\n") == text.count("\n")
    assert escape(kind, text).replace("\\", "") == text.replace("\\", "")


@given(names)
def test_inline_escaping_is_reversible(text: str) -> None:
    assert unescape_inline(escape_inline(text)) == text


def top_level(body: str) -> tuple[list[str], list[str]]:
    """Texts of the top-level second-level headings, and top-level paragraphs that are one key line."""
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    pairs = list(pairwise(tokens))
    heads = [b.content for a, b in pairs if a.type == "heading_open" and a.tag == "h2" and a.level == 0]
    marks = [b.content for a, b in pairs if a.type == "paragraph_open" and a.level == 0 and b.content.startswith("^m-")]
    return heads, marks


@given(st.lists(texts, min_size=3, max_size=3))
def test_a_message_cannot_swallow_the_next_chat_heading(three: list[str]) -> None:
    messages = [said(text, key * 12) for text, key in zip(three, "abc", strict=True)]
    heads, marks = top_level(render_body("chat", messages))
    assert heads == ["2026-04-21T10:12:00Z — Alice"] * 3
    assert marks == ["^m-" + key * 12 for key in "abc"]


@given(st.lists(texts, min_size=3, max_size=3))
def test_a_mail_cannot_swallow_the_next_mail(three: list[str]) -> None:
    # Markdown counts a lone carriage return as a line, we do not.
    messages = [said(text.replace("\r", "\n"), key * 12) for text, key in zip(three, "abc", strict=True)]
    body = render_body("email", messages)
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    starts = [
        a.map[0]
        for a, b, c in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if a.type == "hr" and a.level == 0 and a.map and c.content.startswith("From: Alice\nDate: ")
    ]
    assert starts == [p.first_line for p in message_passages("email", body)]
    assert top_level(body)[1] == ["^m-" + key * 12 for key in "abc"]


@pytest.mark.parametrize("kind", KINDS)
@given(three=st.lists(texts, min_size=3, max_size=3))
def test_nothing_in_a_message_links_or_comments(kind: SourceKind, three: list[str]) -> None:
    body = render_body(kind, [said(text) for text in three])
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    assert not [t for t in tokens if t.type == "html_block" and t.level == 0]
    for token in tokens:
        if token.type == "inline":
            assert not any(mark in token.content for mark in ("[[", "%%", "$$", "<!--"))


@pytest.mark.parametrize("kind", KINDS)
@given(three=st.lists(texts, min_size=1, max_size=3), key=keys)
def test_passages_stand_on_the_lines_they_name(kind: SourceKind, three: list[str], key: str) -> None:
    messages = [said(text, key) for text in three]
    body = render_body(kind, messages)
    lines = body.split("\n")
    passages = message_passages(kind, body)
    assert [p.text for p in passages] == three
    assert [p.ordinal for p in passages] == list(range(len(three)))
    for passage in passages:
        block = lines[passage.first_line : passage.last_line + 1]
        assert parse_body(kind, "\n".join([*block, ""]))[0].text.rstrip() == passage.text.rstrip()
        assert block[0] == ("## 2026-04-21T10:12:00Z — Alice" if kind == "chat" else "---")
        assert passage.block == (f"m-{key}" if key else "")
        assert not key or block[-1] == f"^m-{key}"


@pytest.mark.parametrize("kind", KINDS)
@given(body=texts)
def test_any_body_is_read_and_no_line_is_lost(kind: SourceKind, body: str) -> None:
    passages = message_passages(kind, body)
    covered = {n for p in passages for n in range(p.first_line, p.last_line + 1)}
    assert {n for n, text in enumerate(body.split("\n")) if text.strip()} <= covered
    assert [p.first_line for p in passages] == sorted({p.first_line for p in passages})


@pytest.mark.parametrize("kind", KINDS)
@given(body=texts)
def test_reading_an_edited_body_is_stable(kind: SourceKind, body: str) -> None:
    once = render_body(kind, parse_body(kind, body))
    assert render_body(kind, parse_body(kind, once)) == once


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "text",
    [
        "See you at 10, it costs $5 (100%) <ann@example.com> <https://example.com/#x> a < b, 3 - 2 = 1.",
        "- one\n- two\n\n1. x\n\n> quoted\n\n**bold** `code` [link](http://e.com) ![](x.png) #tag @bob",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "```python\nif x[[0]] % 2:  # %% cell\n    print('<div>')  # $$\n# Title\n---\n```\ndone",
        "~~~~\n```\nnot closed inside\n~~~~",
        "- a\n  ```\n  [[x]]\n  ```\n- b",
        "Grüße, 你好, שלום 🎉\n\n### Notes\n\na_b_c * 2 \\ back\\slash",
        "```one line``` of code",
        "\n  leading and trailing  \n\n",
    ],
)
def test_plain_text_and_closed_code_stand_byte_for_byte(kind: SourceKind, text: str) -> None:
    assert f"\n{text}\n" in render_body(kind, [said(text)])


@pytest.mark.parametrize(
    "unit",
    ["```x\n", "  ```x\n", "~~~\n  ~~~~\n", "[", "\\", "%\\", "\\^m-", "- ", "1. ", "<!--", "```\n", "##\n", "---\n"],
)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.timeout(20)
def test_escaping_is_linear(kind: SourceKind, unit: str) -> None:
    text = unit * (120_000 // len(unit))
    assert unescape(kind, escape(kind, text)) == text


def test_many_fences_of_falling_length_cost_little() -> None:
    text = "\n".join(f"{' ' * (n % 4)}{'`' * (300 - n)}x" for n in range(290)) + "\nx" * 10_000
    assert unescape("chat", escape("chat", text)) == text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("source", sorted(CASES.glob("*.txt")), ids=lambda path: path.stem)
def test_a_case_stands_in_its_note_as_documented(kind: SourceKind, source: Path, update: bool) -> None:
    text = source.read_bytes().decode()
    body = render_body(kind, [said(text), said("the next one", "ba9876543210")])
    expected = source.with_suffix(f".{kind}.md")
    if update:
        expected.write_text(body, encoding="utf-8", newline="")
    assert expected.read_bytes().decode() == body
    assert [message.text for message in parse_body(kind, body)] == [text, "the next one"]
