"""Saved while `watch` is at work on what came before: found at once, long before that work is done."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.app import sync
from vaultmem.app.grow import Grower
from vaultmem.jobs import Job, JobKind, Outcome

_Handlers = Mapping[JobKind, Callable[[Job], Outcome]]


def slowly(growing: Callable[[Grower], _Handlers]) -> Callable[[Grower], _Handlers]:
    """The same handlers, of which each look at a chunk takes half a second."""

    def made(grower: Grower) -> _Handlers:
        handlers = growing(grower)

        def handler(job: Job) -> Outcome:
            time.sleep(0.5)
            return handlers["extract_chunk"](job)

        return {**handlers, "extract_chunk": handler}

    return made


@pytest.mark.parametrize("late", ["Diary/late.md", "inbox/late.txt"])
def test_it_is_found_before_the_work_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: str) -> None:
    box = Box(tmp_path, config='notes: ["Diary/**/*.md"]\nsettle_seconds: 0.2\n')
    for number in range(90):
        (box.root / "Diary").mkdir(exist_ok=True)
        (box.root / f"Diary/{number}.md").write_text(f"# Day {number}\n\nThe tide of day {number} was high.\n")
    monkeypatch.setattr(sync, "growing", slowly(sync.growing))
    left: list[int] = []

    def person() -> None:
        def waiting() -> int:
            with box.open() as memory:
                return int(memory.status().jobs["ready"])

        while waiting() < 60:
            time.sleep(0.1)
        (box.root / late).parent.mkdir(exist_ok=True)
        (box.root / late).write_text("The pontoon of Varanger is closed.\n")
        while not left:
            with box.open() as memory:
                if memory.recall("pontoon Varanger").hits:
                    left.append(waiting())
            time.sleep(0.1)

    saving = threading.Thread(target=person)
    saving.start()
    began = time.monotonic()
    with box.open() as memory:
        memory.watch(lambda _: None, until=lambda: bool(left) or time.monotonic() - began > 60)
    saving.join(5)
    assert left
    assert left[0] > 20, "found while most of the work was still to be done"
