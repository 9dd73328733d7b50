"""Recall end to end over notes in memory: verbatim hits, their lines as they are now, hostile questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vaultmem.answers import Filters, QueryResponse
from vaultmem.app.recall import cited, evidence
from vaultmem.core.ingest.entities import build_registry
from vaultmem.core.notes.chunknote import render_chunk_note
from vaultmem.core.notes.codec import render_body
from vaultmem.core.notes.entry import read_entry
from vaultmem.core.notes.ids import body_sha256, chunk_id
from vaultmem.errors import BadQuery
from vaultmem.model import Chunk, FileStat, Message
from vaultmem.ports import Embedders, Vault
from vaultmem.store.index import SqliteIndex, open_index

NOW = datetime(2026, 4, 22, 9, tzinfo=UTC)
START = datetime(2026, 4, 21, 10, tzinfo=UTC)


@dataclass
class Notes:
    """A vault of two dictionaries."""

    files: dict[str, bytes] = field(default_factory=dict)

    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise FileNotFoundError(path)
        return self.files[path]


@dataclass
class Memory:
    index: SqliteIndex
    notes: Notes

    def add(self, path: str, chunk: Chunk) -> None:
        text = render_chunk_note(chunk)
        self.notes.files[path] = text.encode()
        stat = FileStat(path=path, size=len(text.encode()), mtime_ns=1)
        self.index.commit([read_entry(text, build_registry([]), stat)])

    def ask(self, text: str, k: int = 10, **filters: Any) -> QueryResponse:
        asked = Filters(**filters)
        found = evidence(
            self.index, text, k=k, filters=asked, now=NOW, zone=UTC, embedders=Embedders(cause="none")
        )  # fmt: skip
        return cited(self.index, cast(Vault, self.notes), found, k=k, filters=asked)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    index = open_index(tmp_path / "vault.db")
    found = Memory(index=index, notes=Notes())
    chat = [
        ("Alice", "Where do we stay?"), ("Bob", "The cabin in Oslo\nwith two rooms"), ("Alice", "Perfect, booked it."),
        ("Bob", "And dinner?"), ("Alice", "Sushi at eight"),
    ]  # fmt: skip
    messages = [
        Message(key=f"{n:012x}", sent_at=START + timedelta(minutes=n), author=author, text=text)
        for n, (author, text) in enumerate(chat)
    ]
    found.add("wiki/raw/chat/trip.md", made("chat", "slack:trip", render_body("chat", messages)))
    document = (
        "# Lease\n\nThe rent is 900 euros.\n\n## Notice\n\nThree months of notice are needed.\n\nKeys go to Ms Vogel.\n"
    )
    found.add("wiki/raw/document/lease.md", made("document", "doc:lease", document))
    yield found
    index.close()


def made(kind: Any, source: str, body: str, **changes: Any) -> Chunk:
    chunk = Chunk(
        chunk_id=chunk_id(kind, source, 0, body), source_kind=kind, source_id=source, tree_scope=source, owner="",
        time_start=START, time_end=START + timedelta(hours=1), seq=0, position="a", token_count=50, body=body,
        source_ref="file # 1", original="private", title="Title", status="admitted", score=0.8,
        signals={"token_count": 1.0}, body_sha256=body_sha256(body), aliases=("Title",), tags=("source/x",),
    )  # fmt: skip
    return replace(chunk, **changes)


def lines_of(memory: Memory, hit: Any) -> str:
    lines = memory.notes.files[hit.note_path].decode().split("\n")
    return "\n".join(lines[hit.lines[0] - 1 : hit.lines[1]])


def test_a_message_is_the_hit_with_its_neighbours_and_lines(memory: Memory) -> None:
    found = memory.ask("which cabin?")
    hit = found.hits[0]
    assert hit.content == "The cabin in Oslo\nwith two rooms"
    assert (hit.before, hit.after) == ("Where do we stay?", "Perfect, booked it.")
    assert hit.content in lines_of(memory, hit)
    assert (hit.block, hit.trust, hit.node_kind, hit.source_ref) == ("m-000000000001", "imported", "leaf", "file # 1")
    assert hit.time_range_start == hit.time_range_end == "2026-04-21T10:01:00Z"
    assert "person:bob" in hit.entities
    assert hit.score == pytest.approx(sum(hit.score_parts.values()), abs=1e-5)
    assert "words only" in found.degraded
    assert found.total >= len(found.hits)


def test_a_paragraph_of_a_document(memory: Memory) -> None:
    hit = memory.ask("how long is the notice?").hits[0]
    assert hit.content == "Three months of notice are needed."
    assert "Notice" in hit.heading
    assert lines_of(memory, hit) == hit.content
    assert memory.ask("notice", kind="chat").hits == ()


def test_what_nothing_answers_is_told(memory: Memory) -> None:
    found = memory.ask("which dentist took Ursula's wisdom teeth, and what about dinner")
    assert found.hits
    assert found.no_good_answer
    assert found.to_dict()["no_good_answer"] is True
    known = memory.ask("how much notice is needed")
    assert not known.no_good_answer
    assert "no_good_answer" not in known.to_dict()
    assert memory.ask("zzzz").no_good_answer


def test_the_cut_is_told(memory: Memory) -> None:
    whole, cut = memory.ask("cabin dinner rent"), memory.ask("cabin dinner rent", k=1)
    assert not whole.truncated
    assert cut.truncated
    assert cut.total == whole.total == len(whole.hits)
    assert cut.hits == whole.hits[:1]


def test_notes_speak_as_they_are_now(memory: Memory) -> None:
    path = "wiki/raw/chat/trip.md"
    before = memory.ask("cabin").hits[0]
    text = memory.notes.files[path].decode()
    memory.notes.files[path] = text.replace("---\n", "---\nmine: added\n", 1).replace("in Oslo", "in Bergen").encode()
    after = memory.ask("cabin").hits[0]
    assert after.content == "The cabin in Bergen\nwith two rooms"
    assert after.lines == (before.lines[0] + 1, before.lines[1] + 1)
    assert after.content in lines_of(memory, after)


@pytest.mark.parametrize("change", ["gone", "another", "dropped"])
def test_what_is_no_longer_there_is_no_hit(memory: Memory, change: str) -> None:
    path = "wiki/raw/chat/trip.md"
    text = memory.notes.files[path].decode()
    if change == "gone":
        del memory.notes.files[path]
    elif change == "another":
        memory.notes.files[path] = memory.notes.files["wiki/raw/document/lease.md"]
    else:
        memory.notes.files[path] = text.replace("memory_status: admitted", "memory_status: dropped").encode()
    found = memory.ask("cabin")
    assert (found.hits, found.total) == ((), 0)


def test_an_unreadable_note_is_named(memory: Memory) -> None:
    memory.notes.files["wiki/raw/chat/trip.md"] = b"---\nchunk_id: [\n---\n"
    found = memory.ask("cabin")
    assert found.hits == ()
    assert "unreadable: wiki/raw/chat/trip.md" in found.degraded


def test_a_time_without_words(memory: Memory) -> None:
    assert len(memory.ask("yesterday", kind="chat").hits) == 5
    assert memory.ask("what was it that we did yesterday?").hits


@pytest.mark.parametrize(
    ("text", "k", "filters"),
    [
        ("", 5, {}), (" \n", 5, {}), ("x", 0, {}), ("x", 5000, {}), ("x", 5, {"kind": "song"}),
        ("x", 5, {"since": NOW, "until": START}),
    ],
)  # fmt: skip
def test_bad_questions_are_named(memory: Memory, text: str, k: int, filters: Mapping[str, Any]) -> None:
    with pytest.raises(BadQuery):
        memory.ask(text, k, **filters)


@pytest.mark.parametrize(
    "text",
    [
        '"', "AND OR NOT", "NEAR(a b)", "col:val*", "x\0y", "\ud800", "🎉", "?!", "a-b c++ user@x.com",
        "word " * 20_000,
        "x" * 100_000,
    ],
)  # fmt: skip
def test_hostile_questions(memory: Memory, text: str) -> None:
    memory.ask(text)
    memory.ask("cabin", source=text[:99], tag=text[:99], entity=text[:99])


@given(text=st.text(min_size=1).filter(str.strip))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_a_question(memory: Memory, text: str) -> None:
    memory.ask(text, entity=text)
