"""AT-3: what memory writes, what is copied from it and what others keep in the vault is never taken for news."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

import pytest

from tests.acceptance.doors import held, told, watching
from tests.app.test_inplace import note
from tests.surfaces.test_watch import looked_at
from tests.vaults import Box

NOISE = (".obsidian/workspace.json", ".git/index", ".trash/old.md", ".vaultmem.bak/config.yaml", "Plans/.plan.md.swp")


def grown(folder: Path) -> Box:
    """A vault with summaries of every kind, entities, and backups of all that inside it."""
    box = Box(folder, config='chat_gap_hours: 1\nnotes: ["**"]\nme: [Ann]\n')
    chat = [
        f"{1 + n:02d}/05/2026, 09:{n:02d} - {('Bo Stone', 'Ann')[n % 2]}: On day {n} the boat [[Heron]] got coat {n}."
        for n in range(24)
    ]
    box.write("WhatsApp Chat with Yard.txt", "\n".join(chat))
    box.write("plan.md", "# Plan\n\nThe zeppelin of [[Heron]] leaves in May, says [[Bo Stone]].\n")
    note(box, "Plans/plan.md", "# My plan\n\nThe dirigible is rented.\n")
    box.sync()
    for day in ("2026-05-01", "2026-05-02"):
        for made in ("wiki", "entities"):
            shutil.copytree(box.root / made, box.root / f"Backups/{day}/{made}")
    shutil.copytree(next(box.data.glob("vault-*")) / "index", box.root / "Backups/index")
    return box


def counts(box: Box) -> tuple[object, ...]:
    state = told(box, "status")
    files = sum(path.is_file() for path in box.root.rglob("*"))
    return held(box), state["counts"], state["jobs"], state["stale"], files


def test_backups_of_memory_in_the_vault_are_no_notes(tmp_path: Path) -> None:
    box = grown(tmp_path)
    before = held(box)
    assert {path.split("/")[2] for path in box.notes() if path.startswith("wiki/summaries")} == {
        "global", "source", "topic"
    }  # fmt: skip
    assert any(path.startswith("entities/") for path in box.notes())
    box.sync()
    first = counts(box)
    assert first[0] == before
    for _ in range(2):
        assert told(box, "sync")["notes"] == {"added": 0, "changed": 0, "forgotten": 0}
        assert counts(box) == first


@pytest.mark.parametrize("seconds", [4, pytest.param(60, marks=pytest.mark.nightly)])
def test_a_noisy_vault_is_an_idle_one(tmp_path: Path, seconds: float) -> None:
    box = grown(tmp_path)
    box.sync()
    stop = threading.Event()

    def noise() -> None:
        number = 0
        while not stop.wait(0.1):
            number += 1
            for path in NOISE:
                (box.root / path).parent.mkdir(exist_ok=True)
                (box.root / path).write_text(f"state {number} of [[Heron]] and a zeppelin\n")

    others = threading.Thread(target=noise)
    with watching(box):
        others.start()
        try:
            time.sleep(1)
            first, before = counts(box), looked_at(box.root / "wiki", box.root / "entities", box.data)
            time.sleep(seconds)
            assert looked_at(box.root / "wiki", box.root / "entities", box.data) == before
        finally:
            stop.set()
            others.join()
        assert counts(box) == first
