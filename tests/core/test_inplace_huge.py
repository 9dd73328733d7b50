"""Notes that no person typed, pasted into a vault all the same: each kind costs twice as much at twice the size."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from vaultmem.core.grow.facet import Budget, frequencies, select
from vaultmem.core.grow.units import Unit, units_of
from vaultmem.core.ingest.entities import build_registry
from vaultmem.core.notes.inplace import NoteText, Reading, entries_of_note, without_secrets
from vaultmem.model import FileStat

WORDS = [
    f"{a}{b}{c}" for a in ("ka", "lo", "mi", "su", "te") for b in ("ra", "ne", "po", "du") for c in ("x", "lt", "", "m")
]
KINDS: dict[str, Callable[[int], str]] = {
    "one line of sentences": lambda n: " ".join(f"The {WORDS[i % 80]} {i} is here." for i in range(n // 20)),
    "one paragraph without an end": lambda n: " ".join(f"{WORDS[i % 80]}{i}" for i in range(n // 10)),
    "one run of letters": lambda n: "".join(f"{WORDS[i % 77]}" for i in range(n // 6)),
    "one word again and again": lambda n: "banana " * (n // 7),
    "blank lines": lambda n: f"a\n{chr(10) * n}b\n",
    "a table": lambda n: "| a | b |\n|---|---|\n" + "".join(f"| {WORDS[i % 80]} | {i} |\n" for i in range(n // 15)),
    "a list": lambda n: "".join(f"- {WORDS[i % 80]} {i}\n" for i in range(n // 13)),
    "minified JSON": lambda n: json.dumps([{"id": i, "name": WORDS[i % 80]} for i in range(n // 28)]),
    "headings alone": lambda n: "".join(f"## {WORDS[i % 80]} {i}\n" for i in range(n // 14)),
}  # fmt: skip
AT = datetime(2026, 4, 1, tzinfo=UTC)


def whole_way(text: str) -> list[Unit]:
    """From a note's text to the sentences that its summaries choose from, and the choice."""
    note = NoteText(path="Note.md", text=without_secrets(text), at=AT)
    by = Reading(owner="me", pii=(), limit=3000, count=lambda some: len(some) // 4 + 1)
    entries = entries_of_note(note, by, build_registry([]), FileStat(path="Note.md", size=1, mtime_ns=1))
    units = [unit for entry in entries for unit in units_of(entry.chunk, entry.passages, by.count)]
    select(units, budget=Budget(prose=1000, body=10**6), frequencies=frequencies(units))
    return units


def seconds(text: str) -> float:
    """Of the processor. Without the collector: it would look through all that other tests left behind."""
    gc.disable()
    try:
        started = time.process_time()
        whole_way(text)
        return time.process_time() - started
    finally:
        gc.enable()


@pytest.mark.parametrize("kind", KINDS)
def test_twice_as_long_takes_twice_as_long(kind: str) -> None:
    make, size = KINDS[kind], 20_000
    seconds(make(2000))  # what is loaded once
    assert seconds(make(2 * size)) < 3 * seconds(make(size)) + 0.3


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_it_is_lost(kind: str) -> None:
    text = KINDS[kind](20_000)
    note = NoteText(path="Note.md", text=text, at=AT)
    by = Reading(owner="me", pii=(), limit=3000, count=lambda some: len(some) // 4 + 1)
    entries = entries_of_note(note, by, build_registry([]), FileStat(path="Note.md", size=1, mtime_ns=1))
    said = "".join(passage.text for entry in entries for passage in entry.passages)
    wanted, found = "".join(text.split()), "".join(said.split())
    assert len(found) >= len(wanted) - 3 * text.count("## "), "a heading stands above what it heads"
