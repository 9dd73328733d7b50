"""Plain text stays what it says and does nothing."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.config import Settings
from vaultmem.core.ingest.redact import redact
from vaultmem.core.ingest.scrub import scrub_document
from vaultmem.core.notes.markdown import blocks, inert, tags, wikilinks
from vaultmem.model import Document, RawFile, Warn
from vaultmem.sources import read
from vaultmem.sources.document.plain import as_markdown, read_text


def document_of(data: bytes, name: str = "notes/Plain note.txt") -> Document:
    raw = RawFile(name=name, data=data, modified_at=datetime(2025, 6, 1, tzinfo=UTC))
    item = next(iter(read_text(raw, Settings()).items))
    assert isinstance(item, Document)
    return item


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See you at 10, it costs $5 (or 6 €) & more. A_b * c", "See you at 10, it costs $5 (or 6 €) & more. A_b * c"),
        ("# no heading\n## no\n#no", "\\# no heading\n\\## no\n\\#no"),
        ("- # no\n> # no\n1. # no", "- \\# no\n> \\# no\n1. \\# no"),
        ("Title\n=====\nSub\n---\n***\n_ _ _", "Title\n\\=====\nSub\n\\---\n\\***\n\\_ _ _"),
        ("a #tag b#no # x", "a \\#tag b#no # x"),
        ("[[a]] ![[b]] [c](d) [e]: f", "\\[\\[a]] !\\[\\[b]] [c]\\(d) [e]: f"),
        ("[e]: http://f", "\\[e]: http://f"),
        ("<b>x</b> a < b <!-- c --> <http://d>", "\\<b>x\\</b> a < b \\<!-- c --> \\<http://d>"),
        ("&amp; a & b &#35;x", "\\&amp; a & b \\&#35;x"),
        ("```\ncode\n```", "\\`\\`\\`\ncode\n\\`\\`\\`"),
        ("~~~\nx", "\\~~~\nx"),
        ("%% x %% 5% 10%", "\\%\\% x \\%\\% 5% 10%"),
        ("$x$ $$y$$ $5 and $10", "\\$x\\$ \\$\\$y\\$\\$ $5 and $10"),
        ("C:\\temp\\_x \\", "C:\\temp\\\\_x \\"),
        ("    deep\n\tTab\n  two", "\u00a0\u00a0\u00a0\u00a0deep\n\u00a0\u00a0\u00a0\u00a0Tab\n  two"),
        ("end ^id\nx^2", "end \\^id\nx^2"),
        ("<%* run %>", "<\\%* run %>"),
    ],
)
def test_marks(text: str, expected: str) -> None:
    assert as_markdown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Password**: `Tr4bn88HxjSI`", "**Password**: \\`[redacted:keyword-assignment]\\`"),
        ("password:\n    Tr4bn88HxjSI", "password:\n\u00a0\u00a0\u00a0\u00a0[redacted:keyword-assignment]"),
        ("| password | `Tr4bn88HxjSI` |", "| password | \\`[redacted:keyword-assignment]\\` |"),
    ],
)
def test_secrets_go_whatever_is_escaped_around_them(text: str, expected: str) -> None:
    clean, removed = scrub_document(document_of(text.encode()))
    assert clean.body == f"# Plain note\n\n{expected}\n"
    assert removed == {"keyword-assignment": 1}
    if "\n" not in text:
        assert redact(as_markdown(text)).removed == {"keyword-assignment": 1}


def test_a_chat_that_is_not_understood_is_said() -> None:
    for name, warned in (("WhatsApp Chat with Ann.txt", 1), ("x/_chat.txt", 1), ("chat.txt", 0)):
        raw = RawFile(name=name, data=b"nothing that is a message\n", modified_at=datetime(2025, 6, 1, tzinfo=UTC))
        items = list(read(raw, Settings()).items)
        assert [type(item) for item in items] == [Warn] * warned + [Document]


def test_stray_nuls_are_said() -> None:
    raw = RawFile(name="a.txt", data=b"one line of a note\0\n", modified_at=datetime(2025, 6, 1, tzinfo=UTC))
    warning, document = read(raw, Settings()).items
    assert isinstance(warning, Warn)
    assert "NUL" in warning.text
    assert isinstance(document, Document)
    assert document.body == "# a\n\none line of a note\n"


marks = st.sampled_from(
    [
        *(
            "#a",
            "# ",
            "[[",
            "]]",
            "](x)",
            "`",
            "```",
            "~~~",
            "$",
            "$$",
            "%%",
            "<!--",
            "-->",
            "\n",
            "\n\n",
            "- ",
            "> ",
            "1. ",
            "\t",
        ),
        *(
            "|",
            "|-|",
            "\\",
            "<img src=http://a>",
            "<%",
            "===",
            "---",
            "text ",
            "&amp;",
            "[a]: b",
            "^id",
            "    ",
            "* * *",
            "é",
        ),
    ]
)


@given(st.lists(marks | st.text(max_size=4), max_size=30).map("".join))
def test_nothing_acts(text: str) -> None:
    body = as_markdown(text)
    assert tags(body) == ()
    assert wikilinks(body) == ()
    assert inert(body) == body
    assert {block.kind for block in blocks(body)} <= {"paragraph", "list", "quote", "table"}
    assert not re.search(r"\]\(", body)


@given(st.lists(marks | st.text(max_size=4), max_size=30).map("".join))
def test_the_words_come_back(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    shown = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", as_markdown(text))
    assert shown.split() == plain.split()


def test_encodings_title_and_paragraphs() -> None:
    document = document_of("Präsentation: 5 €\r\n\r\nZweiter Absatz.\r\n".encode("cp1252"))
    assert document.body == "# Plain note\n\nPräsentation: 5 €\n\nZweiter Absatz.\n"
    assert (document.title, document.tree_scope, document.time_from) == ("Plain note", "doc:notes", "file")
    assert document_of("Grüße\n".encode("utf-16")).body == "# Plain note\n\nGrüße\n"
    assert document_of(b"x", "2024-03-05 log.txt").time_from == "name"


def test_a_huge_line_is_read_fast() -> None:
    for part in ("word ", "#", "[", "$a", "`", "%", "<", "\\", "- ", "&", "> ", "$$", "$\n"):
        assert as_markdown(part * (120_000 // len(part)))
