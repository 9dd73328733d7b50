"""Web pages as documents: the samples, readable cases beside their Markdown, hostile pages, and mutations."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import expected
from vaultmem.config import Settings
from vaultmem.core.notes.markdown import inert, wikilinks
from vaultmem.errors import SkippedSource, UnreadableSource, VaultmemError
from vaultmem.model import Document, RawFile, SourceItem, Warn
from vaultmem.sources import read
from vaultmem.sources.document.html import read_html
from vaultmem.sources.document.html_tree import parse

CASES = sorted((Path(__file__).parents[1] / "cases/html").glob("*.html"))
FOLDERS = ("doc/html", "bugs/23-numbered-code-as-table")
PARTS = (
    "<p>", "</p>", "<b>", "</div>", "<div class='x'>", "<table>", "<tr>", "<td>", "<th>", "</table>", "<ul><li>",
    "<pre>", "<code>", "<a href='x'>", "<a href='#n' id=r>1</a>", "<p id=n><a href='#r'>1</a> note", "</a>", "<script>",
    "<!--", "-->", "<![CDATA[", "<img src=x alt='a]b'>", "<sup>", "<math>", "<h1>", "text",
    "[[x]]", "![i](http://e/i)", "%%",
    "```dataview\n", "<title>", "&lt;script&gt;", "&#xD800;", "\ufdd0", "&#xFDD0;", "\0", "$$", "|", "\n\n", "    ",
    "# h",
    "^id",
    "<", "&", "\\", "<pre class='language-dataviewjs'>", "&lt;img src=http://e/i&gt;",
    "<svg>", "<base href='http://[x'>",
)  # fmt: skip


def items_of(text: str | bytes, name: str = "page.html", zone: str = "UTC") -> list[SourceItem]:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    raw = RawFile(name=name, data=data, modified_at=datetime(2025, 6, 1, tzinfo=UTC))
    return list(read_html(raw, Settings(timezone=zone)).items)


def document_of(text: str | bytes, name: str = "page.html") -> Document:
    found = items_of(text, name)[0]
    assert isinstance(found, Document)
    return found


def test_samples() -> None:
    for folder in FOLDERS:
        for entry in expected.entries(folder):
            data = (expected.SAMPLES / folder / entry["file"]).read_bytes()
            raw = RawFile(name=entry["file"], data=data, modified_at=datetime(2025, 6, 1, tzinfo=UTC))
            reading = read(raw, Settings())
            found: list[Any] = list(reading.items)
            facts = {key: value for key, value in entry.items() if key != "authors"}
            assert reading.format == "html"
            assert expected.problems(found, facts) == [], entry["file"]
            assert found[0].title == entry.get("title", found[0].title)
            assert found[0].author == "".join(entry.get("authors", found[0].author))


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.name)
def test_case(path: Path, update: bool) -> None:
    document, *rest = items_of(path.read_bytes(), path.name)
    assert isinstance(document, Document)
    facts = [f"{key}: {value}" for key, value in document.properties.items()]
    facts += [f"time: {document.created_at:%Y-%m-%dT%H:%M:%SZ} ({document.time_from})", f"own id: {document.own_id}"]
    facts += [f"tags: {', '.join(document.tags)}", f"links: {', '.join(document.links)}"]
    found = "\n".join([*facts, *(f"! {w.text}" for w in rest if isinstance(w, Warn)), "", document.body])
    beside = path.with_name(f"{path.name}.expected")
    if update:
        beside.write_text(found, encoding="utf-8")
    assert beside.read_text(encoding="utf-8") == found


@pytest.mark.parametrize(
    ("page", "error"),
    [
        ("<html><body><script>draw()</script></body></html>", UnreadableSource),
        ("<html><head><title>x</title></head><body><p> </p></body></html>", SkippedSource),
    ],
)
def test_pages_without_text_say_why(page: str, error: type[VaultmemError]) -> None:
    with pytest.raises(error):
        items_of(page)


def test_a_page_inside_chrome_is_kept() -> None:
    assert "All of it" in document_of("<html><body><aside><p>All of it stands here.</p></aside></body></html>").body


def test_a_front_door_is_no_identity() -> None:
    head = "<link rel=canonical href='https://e.example/{}'><p>x</p>"
    assert document_of(f"<html>{head.format('')}").own_id == ""
    assert document_of(f"<html>{head.format('a')}").own_id == "https://e.example/a"


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 20_000 + "words",
        "<b>" * 5_000 + "words",
        "<ul><li>x" * 1_000 + "words",
        "<table><tr><td>" * 1_000 + "words",
        "<p>words" + "<!--" * 50_000,
        "<p>words" + "<a b=\"" * 50_000 + ">",
        "<p>words" + "<a " * 50_000,
        "<p>words" + "<title>" * 5_000,
        "<p>words" + "<![CDATA[" * 50_000 + ">",
        "<p>words " + "a <b>x</b> " * 10_000,
    ],
)  # fmt: skip
def test_hostile_pages_keep_their_words(page: str) -> None:
    started = time.process_time()
    assert "words" in document_of(page).body
    assert time.process_time() - started < 10


@given(st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=5)), max_size=40).map("".join))
def test_any_soup_is_read_or_refused_and_does_nothing(soup: str) -> None:
    try:
        body = document_of(f"<html><body>{soup}").body
    except VaultmemError:
        return
    assert inert(body) == body
    assert not wikilinks(body)
    assert "\ufdd0" not in body


@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    try:
        items_of(b"<html><p>" + data)
    except VaultmemError:
        return


@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
def test_no_text_is_lost_by_the_tree(soup: str) -> None:
    assert parse(f"<p>first</p>{soup}").root.text().startswith("first")
