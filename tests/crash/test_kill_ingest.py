"""kill -9 at every write of an ingest, restart, sync: the same notes and the same digest as an undisturbed run."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.crash.killing import run_killed, steps_of
from tests.papers import pdf
from tests.vaults import Box

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

CHAT = "\n".join(
    f"0{1 + n % 3}/03/2024, 09:{n:02d} - {'Ann' if n % 2 else 'Bo'}: message {n} about the boat" for n in range(12)
)
GROWN = CHAT + "\n" + "\n".join(f"04/03/2024, 10:{n:02d} - Ann: later message {n} about the oars" for n in range(5))
NOTE = "---\ndate: 2024-03-01\n---\n# Plan\n\n" + "\n\n".join(
    f"Paragraph {n} of the plan for [[Boat {n}]]." for n in range(6)
)
CHANGED = NOTE.replace("Paragraph 3", "A new thought.\n\nParagraph 3").replace("Paragraph 5 of", "Changed text of")


def first_drop(box: Box) -> None:
    box.write("WhatsApp Chat with Crew.txt", CHAT)
    box.write("Plan.md", NOTE)
    box.write("Lease.pdf", pdf([[("The lease of the boat runs until May.", 30, 400, 12)]]))
    box.write("broken.md", b"\x89PNG\r\n\x1a\n" + bytes(range(256)))


def second_drop(box: Box) -> None:
    box.write("WhatsApp Chat with Crew.txt", GROWN, at=1_700_000_100)
    box.write("Plan.md", CHANGED, at=1_700_000_100)


def state(box: Box) -> tuple[dict[str, bytes], str, list[str]]:
    box.sync()
    left = sorted(p.relative_to(box.root).as_posix() for p in box.root.rglob("*") if p.is_file())
    return box.notes(), box.digest(), left


def check_every_kill(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    before: Callable[[Box], None],
    *,
    points: int = 0,
    lose_index: bool = False,
    work: Callable[[Box], object] = Box.sync,
) -> None:
    """Kill at every step, or at one of each of so many stretches of them, chosen by chance and always the same.

    `work` is done again after a kill that came before it was remembered.
    """
    template = tmp_path / "template"
    before(Box(template, config="chunk_tokens: 120\n"))

    def fresh(name: str) -> Box:
        shutil.copytree(template, tmp_path / name)
        box = Box(tmp_path / name)
        # The data folder is named after the vault's path; take the template's along.
        made = next((tmp_path / name / "data").glob("vault-*"), None)
        if made is not None:
            box.open().close()
            for other in (tmp_path / name / "data").glob("vault-*"):
                if other != made:
                    shutil.rmtree(other)
                    made.rename(other)
        return box

    calm = fresh("calm")
    steps = steps_of(lambda: work(calm), monkeypatch)
    wanted = state(calm)
    assert steps > 20
    borders = [1 + steps * number // points for number in range(points + 1)] if points else [*range(1, steps + 2)]
    chance = random.Random(steps)
    for kill_at in (chance.randrange(*pair) for pair in pairwise(borders)):
        box = fresh(f"killed-{kill_at}")
        run_killed(lambda box=box: work(box), kill_at, monkeypatch)  # type: ignore[misc]
        if lose_index:
            for file in box.data.glob("*/index/*"):
                file.unlink()
            # with it goes which living notes are as vaultmem left them: those just saved would wait for a later pass
            for folder in ("wiki", "entities"):
                for note in (box.root / folder).rglob("*.md"):
                    os.utime(note, (1_700_000_000, 1_700_000_000))
        if work is not Box.sync:
            box.sync()
            work(box)
        assert state(box) == wanted, f"killed at step {kill_at} of {steps}"
        shutil.rmtree(tmp_path / f"killed-{kill_at}")


def test_first_drop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_every_kill(tmp_path, monkeypatch, first_drop, points=3)


def dropped_twice(box: Box) -> None:
    first_drop(box)
    box.sync()
    second_drop(box)


def test_second_drop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_every_kill(tmp_path, monkeypatch, dropped_twice, points=3)


def test_first_drop_and_the_index_is_lost_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_every_kill(tmp_path, monkeypatch, first_drop, points=2, lose_index=True)


@pytest.mark.nightly
def test_first_drop_at_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_every_kill(tmp_path, monkeypatch, first_drop)


@pytest.mark.nightly
def test_second_drop_at_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_every_kill(tmp_path, monkeypatch, dropped_twice)


@pytest.mark.nightly
def test_first_drop_at_every_step_and_the_index_is_lost_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_every_kill(tmp_path, monkeypatch, first_drop, lose_index=True)
