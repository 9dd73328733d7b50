"""Notes as documents: properties, titles, times, identity, and a body that does nothing."""

from __future__ import annotations

import importlib.util
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.config import Settings
from vaultmem.core.notes.markdown import blocks
from vaultmem.errors import SkippedSource, UnreadableSource, VaultmemError
from vaultmem.model import Document, RawFile, Reading, Warn
from vaultmem.sources import read
from vaultmem.sources.document.markdown import read_markdown

SAMPLES = Path(__file__).parents[2] / "../shared/samples"
FOLDERS = (
    "doc/md", "doc/clip", "doc/txt", "bugs/07-hash-in-fence", "bugs/09-leading-rule-not-yaml", "bugs/11-platform-codec",
    "bugs/17-table-header-lost", "bugs/25-one-bad-file-blocks-all",
)  # fmt: skip
MODIFIED = datetime(2025, 6, 1, 8, 0, tzinfo=UTC)

_spec = importlib.util.spec_from_file_location("expected", Path(__file__).parent / "expected.py")
assert _spec
assert _spec.loader
expected = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(expected)


def entries() -> list[Any]:
    if not SAMPLES.exists():
        return [pytest.param("", {}, id="samples", marks=pytest.mark.skip("the shared samples are not here"))]
    return [pytest.param(f, e, id=f"{f}/{e['file']}") for f in FOLDERS for e in expected.entries(f)]


def raw_of(data: bytes | str, name: str = "Note.md") -> RawFile:
    return RawFile(name=name, data=data if isinstance(data, bytes) else data.encode(), modified_at=MODIFIED)


def reading_of(data: bytes | str, name: str = "Note.md", zone: str = "UTC") -> Reading:
    return read_markdown(raw_of(data, name), Settings(timezone=zone))


def document_of(data: bytes | str, name: str = "Note.md", zone: str = "UTC") -> Document:
    item = next(iter(reading_of(data, name, zone).items))
    assert isinstance(item, Document)
    return item


@pytest.mark.parametrize(("folder", "entry"), entries())
def test_sample(folder: str, entry: dict[str, Any]) -> None:
    raw = raw_of((SAMPLES / folder / entry["file"]).read_bytes(), entry["file"])
    refused = {"skip_empty": SkippedSource, "quarantine": UnreadableSource}.get(entry["outcome"])
    if refused:
        with pytest.raises(refused):
            read(raw, Settings())
        return
    reading = read(raw, Settings())
    document, *rest = list(reading.items)
    assert isinstance(document, Document)
    assert all(isinstance(item, Warn) for item in rest)
    assert expected.problems([document], entry) == []
    assert document.title == entry.get("title", document.title)
    assert {key: document.properties[key] for key in entry.get("frontmatter", ())} == entry.get("frontmatter", {})
    assert sorted(document.tags) == sorted(entry.get("tags", document.tags))
    links = {link for link in document.links if link.rpartition(" ")[0] != "Doc"}
    assert links == {link for link in entry.get("links", links) if link.rpartition(" ")[0] != "Doc"}
    assert set(entry.get("links", ())) <= set(document.links)
    kept = document.body + raw.data[:].decode("utf-8", "replace")
    assert all(text in kept for text in entry.get("raw_must_keep", ()))


@pytest.mark.parametrize(
    ("text", "name", "title", "first"),
    [
        ("---\ntitle: Plan\n---\ntext", "a.md", "Plan", "# Plan"),
        ("---\ntitle: Plan\n---\n# Plan\n\ntext", "a.md", "Plan", "# Plan"),
        ("---\ntitle: Plan\n---\n# Other\n\ntext", "a.md", "Plan", "# Plan"),
        ("---\ntitle: Plan **A**\n---\n# Plan A\n", "a.md", "Plan **A**", "# Plan A"),
        ("---\ntitle: 2024\n---\n", "a.md", "2024", "# 2024"),
        ("---\ntitle:\n---\ntext", "a/b c.v2.md", "b c.v2", "# b c.v2"),
        ("# [[Link|Head]] *one*\n\ntext", "a.md", "Head one", "# [[Link|Head]] *one*"),
        ("Setext\n===\n\ntext", "a.md", "Setext", "Setext"),
        ("text\n\n# Later", "a.md", "a", "# a"),
        ("text", "#x [[y]] <b>.md", "#x [[y]] <b>", "# \\#x \\[\\[y]] \\<b>"),
        ("text", "Cafe\u0301.md", "Café", "# Café"),
    ],
)
def test_title(text: str, name: str, title: str, first: str) -> None:
    document = document_of(text, name)
    assert (document.title, document.body.split("\n")[0]) == (title, first)


@pytest.mark.parametrize(
    ("head", "name", "zone", "at", "source", "known"),
    [
        ("created: 2024-03-05", "a.md", "Europe/Berlin", "2024-03-04T23:00:00", "frontmatter:created", False),
        ("date: 2024-03-05T10:12:00+02:00", "a.md", "UTC", "2024-03-05T08:12:00", "frontmatter:date", True),
        ("Date Created: '2024-03-05 10:12'", "a.md", "UTC", "2024-03-05T10:12:00", "frontmatter:Date Created", False),
        ("date: 2024-01-01\ncreated: 2025-01-15T12:00Z", "a", "EST", "2025-01-15T12:00:00", "frontmatter:created", 1),
        ("date: '[[2024-03-05]]'", "a.md", "UTC", "2024-03-05T00:00:00", "frontmatter:date", False),
        ("date: 2021-11-01T01:00:00[Europe/Paris]", "a.md", "UTC", "2021-11-01T00:00:00", "frontmatter:date", True),
        ("date: March 5, 2024 10:12 PM", "a.md", "UTC", "2024-03-05T22:12:00", "frontmatter:date", False),
        ("created: 1709633520000", "a.md", "UTC", "2024-03-05T10:12:00", "frontmatter:created", True),
        ("created: 20240305", "a.md", "UTC", "2024-03-05T00:00:00", "frontmatter:created", False),
        ("date: 2024-02-30", "x 2024-03-05.md", "UTC", "2024-03-05T00:00:00", "name", False),
        ("date: {{date}}", "202403051012 Idea.md", "UTC", "2024-03-05T10:12:00", "name", False),
        ("date: 99999999999999999999", "12345678.md", "UTC", "2025-06-01T08:00:00", "file", True),
        ("date: 0001-01-01T00:00:00+14:00", "2024-13-45.md", "UTC", "2025-06-01T08:00:00", "file", True),
        ("year: 1973", "a.md", "UTC", "2025-06-01T08:00:00", "file", True),
    ],
)  # fmt: skip
def test_time(head: str, name: str, zone: str, at: str, source: str, known: bool) -> None:
    text = f"---\n{head}\n---\ntext"
    document, reading = document_of(text, name, zone), reading_of(text, name, zone)
    assert document.created_at.replace(tzinfo=None).isoformat() == at
    assert (document.time_from, reading.zone_known) == (source, known)
    assert known or reading.tz == f"none in file, assumed {zone}"


@pytest.mark.parametrize(
    ("head", "own_id"),
    [
        ("id: 7\nurl: https://a.org/x", "https://a.org/x"),
        ("id: 202403051012", "202403051012"),
        ("uid: note-7", "note-7"),
        ("source: A book", ""),
        ("id: true\nurl: [x]", ""),
        ("Source: ' https://a.org '", "https://a.org"),
    ],
)
def test_own_id(head: str, own_id: str) -> None:
    assert document_of(f"---\n{head}\n---\nx").own_id == own_id


@pytest.mark.parametrize(
    ("head", "tags"),
    [
        ("tags: [a, '#b', 'c d']", ("a", "b", "c")),
        ("tags: 'a, #b c'", ("a", "b", "c")),
        ("tag: a/b", ("a/b",)),
        ("Tags:\n  - 2024\n  - y2024", ("y2024",)),
        ("tags:", ()),
    ],
)
def test_property_tags(head: str, tags: tuple[str, ...]) -> None:
    assert document_of(f"---\n{head}\n---\nx #inline").tags == (*tags, "inline")


@pytest.mark.parametrize("text", ["x #priority", "---\npinned: true\n---\nx", "---\npriority: High\n---\nx"])
def test_priority(text: str) -> None:
    assert document_of(text).cues == {"priority_high"}
    assert document_of("x #prio\n\n`#priority`").cues == frozenset()


def test_broken_properties_are_kept_as_code_and_said() -> None:
    items = list(reading_of("---\ntitle: a: b\ntags: [x\n---\n# Real heading\n\nBody").items)
    assert isinstance(items[0], Document)
    assert items[0].properties == {}
    assert items[0].body == "# Note\n\n```yaml\ntitle: a: b\ntags: [x\n```\n\n# Real heading\n\nBody\n"
    assert isinstance(items[1], Warn)
    assert [b.title for b in blocks(items[0].body) if b.kind == "heading"] == ["Note", "Real heading"]


def test_scope_provider_author_and_links() -> None:
    text = "---\nauthor:\n  - '[[people/Ann|Ann B.]]'\n  - Cy\nup: '[[Index#x|i]]'\n---\n[[Index]] ![[p.png]] `[[no]]`"
    document = document_of(text, "work/meetings/m.md")
    assert (document.tree_scope, document.source_id) == ("doc:work/meetings", "doc:work/meetings/m.md")
    assert (document.provider, document.author) == ("meeting_notes", "Ann B., Cy")
    assert document.links == ("people/Ann", "Index", "p.png")
    assert document_of("x").tree_scope == "doc:documents"
    assert document_of("x").provider == "document"


def test_the_body_is_inert_and_otherwise_verbatim() -> None:
    body = "```dataview\nLIST\n```\n\n![a](https://x/y.png) and `= this.x`\n\n```py\n![a](https://x)\n```\n"
    shown = document_of(body).body
    assert shown == "# Note\n\n" + body.replace("```dataview", "```text").replace("![a](https://x/y", "[a](https://x/y")


@given(
    st.binary(max_size=80) | st.text(max_size=80).map(str.encode),
    st.sampled_from(["", "---\n"]),
    st.sampled_from(["a.md", "b.txt"]),
)
def test_any_bytes_are_read_or_refused_by_name(data: bytes, start: str, name: str) -> None:
    try:
        items = list(read(raw_of(start.encode() + data, name), Settings()).items)
    except VaultmemError:
        return
    assert items


def test_a_large_note_is_read_fast() -> None:
    body = "# T\n\n" + "A paragraph with a [[Link]] and #tag and some words more.\n\n" * 4000
    assert len(document_of(body).body) > 200_000


def raw(text: str) -> RawFile:
    return RawFile(name="a.md", data=text.encode(), modified_at=datetime(2025, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    "head",
    [
        '+++\ntitle = "Ferry: Vis"\ndate = 2024-03-05T09:00:00+01:00\ntags = ["sea", "boats"]\n[a]\nb = 1\n+++\n',
        '+++\ntitle = "Ferry: Vis"\ndate = 2024-03-05T09:00:00+01:00\n[taxonomies]\ntags = ["sea", "boats"]\n+++\n',
        '{\n  "title": "Ferry: Vis",\n  "date": "2024-03-05T09:00:00+01:00",\n  "tags": ["sea", "boats"]\n}\n',
    ],
)
def test_heads_of_other_programs(head: str) -> None:
    (found,) = list(read_markdown(raw(f"{head}\nThe ferry leaves at six.\n"), Settings()).items)
    assert isinstance(found, Document)
    assert (found.title, found.tags) == ("Ferry: Vis", ("sea", "boats"))
    assert found.created_at == datetime(2024, 3, 5, 8, tzinfo=UTC)
    assert found.body == "# Ferry: Vis\n\nThe ferry leaves at six.\n"


@pytest.mark.parametrize(
    "text", ["+++\nnot = = toml\n+++\nbody", "+++\na wavy rule\n", '{\n "a": 1\n} and then words', "{\n"]
)
def test_what_only_looks_like_one_stays(text: str) -> None:
    found = next(iter(read_markdown(raw(text), Settings()).items))
    assert isinstance(found, Document)
    assert text.split("\n")[-1] in found.body
