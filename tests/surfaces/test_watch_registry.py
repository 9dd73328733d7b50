"""A person works on the registry while `watch` runs: what they save counts within 5 s."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.app.test_review import BOB, ME, REVIEW, Desk
from tests.vaults import REPO

#: What the contract gives; a process of the command line takes a part of it.
SECONDS = 5.0


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path, config=ME)
    desk.meet("Bob Stone <bob@example.com>", "Robert Stone <robert@example.org>", "Jo Berg <jo@example.com>")
    (desk.root / "Jo Berg.md").write_text("met at the pier\n", encoding="utf-8")
    desk.sync()
    command = [sys.executable, "-m", "vaultmem", "--vault", str(desk.root), "watch"]
    environ = {**desk.environ, "PYTHONPATH": str(REPO)}
    process = subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert "watching" in process.stderr.readline()
    time.sleep(1.0)  # the first pass
    yield desk
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) in (0, 130)


def within(desk: Desk, seconds: float, holds: Callable[[], bool]) -> None:
    start = time.monotonic()
    while not holds():
        assert time.monotonic() - start < seconds
        time.sleep(0.1)


def named(desk: Desk, entity: str) -> int:
    """Hits of a recall that opens the vault anew, as the command line does."""
    with desk.open() as memory:
        found = memory.recall("boiler", k=50, entity=entity).to_dict()
    return len(json.loads(json.dumps(found))["hits"])


def test_alias_tick_and_taking_back_count_at_once(watched: Desk) -> None:
    before, note = watched.counts(), watched.text(BOB)
    watched.hand(BOB, lambda text: text.replace("aliases: []", "aliases: [Bobinho]"), ago=0)
    within(watched, SECONDS, lambda: named(watched, "Bobinho") == 2)

    own = watched.root / "Jo Berg.md"
    own.write_text("---\naliases: [Jojo]\n---\nmet at the pier\n", encoding="utf-8")
    within(watched, SECONDS, lambda: named(watched, "Jojo") == 2)

    watched.hand(BOB, lambda _: note)
    watched.tick(ago=0)
    within(watched, SECONDS, lambda: watched.counts() == {"person:robert-stone": 4})
    assert "robert-stone" in watched.text(BOB)
    watched.hand(BOB, lambda _: note, ago=0)
    within(watched, SECONDS, lambda: watched.counts() == before)


@pytest.mark.nightly
def test_a_ticked_line_is_put_away_when_the_note_has_been_quiet(watched: Desk) -> None:
    watched.tick(ago=0)
    within(watched, 20, lambda: "- merged" in watched.text(REVIEW))
