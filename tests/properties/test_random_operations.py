"""Thousands of random things happen to a vault; after a pass its index is the one that is made from nothing."""

from __future__ import annotations

import difflib
import os
import shutil
import signal
import time
import unicodedata
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from tests.acceptance.doors import at_rest
from tests.crash.killing import run_killed
from tests.properties.hands import Hands
from tests.vaults import Box
from vaultmem.app import watch
from vaultmem.app.reconcile import drift, node_drift
from vaultmem.app.registry import read_registry
from vaultmem.core.grow import schedule
from vaultmem.memory import Memory, open_vault
from vaultmem.store.index.read import _digest_lines
from vaultmem.store.watch import Watch

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

CONFIG = 'notes: ["**/*.md"]\nchat_gap_hours: 1\nme: [Ann]\nchunk_tokens: 200\n'
QUESTIONS = ("what does the boat cost", "Heron", "who paid the lease on pier 3", "anchor sail budget", "grey bird")


def answers(memory: Memory, words: list[str]) -> object:
    return [
        [(hit.note_path, hit.content, hit.lines, hit.before, hit.after) for hit in memory.recall(text, k=8).hits]
        for text in (*QUESTIONS, *words)
    ]


def check(hands: Hands) -> None:
    """The index against one that is made from nothing elsewhere, and against what stands on the disk."""
    box, fresh = hands.box, hands.box.data.with_name("fresh")
    expected = hands.expected()
    words = hands.chance.sample(sorted(expected), min(4, len(expected)))
    gone = [word for n in range(4) if (word := f"w{hands.chance.randint(1, hands.words + 1)}q") not in expected]
    with (
        box.open() as memory,
        open_vault(box.root, environ={**box.environ, "VAULTMEM_DATA": str(fresh)}) as other,
    ):
        other.rebuild()
        here, there = (list(_digest_lines(each._index._db)) for each in (memory, other))
        assert set(here) ^ set(there) == set(), "another index"
        assert here == there
        assert not (drift := memory.verify().drift), drift
        mine = answers(memory, words)
        assert answers(other, words) == mine
        for word in (*words, *gone):
            hits = memory.recall(word, k=50).hits
            # a line on top of what were properties, with `---` below it, makes a heading of them all
            paths = {hit.note_path for hit in hits if word in f"{hit.heading}\n{hit.content}"}
            own = sorted(
                unicodedata.normalize("NFC", path) for path in paths if not path.startswith(("wiki/", "Shelf/"))
            )
            assert own == expected.get(word, []), word
    shutil.rmtree(fresh)


def settle(hands: Hands) -> None:
    """A pass, and one more, which does nothing."""
    with hands.box.open() as memory:
        report = memory.sync()
        if report.reconciled.held_back or report.entity_problems.get("entities/"):
            memory.sync(accept_deletions=True)
        before = hands.box.notes()
        report = memory.sync()
        done = report.reconciled
        assert (done.added, done.changed, done.forgotten, report.files) == (0, 0, 0, ()), report
    after = hands.box.notes()
    differ = [path for path in sorted(before | after) if before.get(path) != after.get(path)]
    assert not differ, "\n".join(
        line for path in differ
        for line in difflib.unified_diff(
            *(notes.get(path, b"").decode().splitlines() for notes in (before, after)), path, lineterm=""
        )
    )  # fmt: skip


def told(hands: Hands, work: Callable[[], None]) -> None:
    """Run it; what was done before it failed is said."""
    try:
        work()
    except BaseException:
        print("\n".join(hands.log[-60:]))
        raise


@pytest.mark.parametrize(
    ("count", "seed"), [(130, 1), *(pytest.param(1000, seed, marks=pytest.mark.nightly) for seed in range(2, 7))]
)
@pytest.mark.timeout(3600)
def test_by_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, seed: int) -> None:
    hands = Hands(Box(tmp_path, config=CONFIG), seed)
    batch = 0
    while len(hands.log) < count:
        for _ in range(hands.chance.randint(1, 60)):
            told(hands, hands.move)
        if hands.chance.random() < 0.5:
            at = hands.chance.randint(1, 120)
            run_killed(hands.box.sync, at, monkeypatch)
            hands.log.append(f"{len(hands.log)} killed at step {at}")
        told(hands, lambda: settle(hands))
        batch += 1
        hands.log.append(f"{len(hands.log)} pass {batch}")
        if batch % 5 == 0 or len(hands.log) >= count:
            told(hands, lambda: check(hands))


#: Seconds for all that a batch of operations leads to, and in a vault that holds a thousand notes.
PATIENCE, LONGER = 60, 300


class Watcher:
    """`watch` in a process of its own, with less patience than for a person."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self.start()

    def start(self) -> None:
        import_module("vaultmem.sources.identify")  # else each child loads it anew, at its first dropped file
        self._child = os.fork()
        if self._child:
            return
        try:
            watch._SAVE_SECONDS, watch._QUIET_SECONDS, watch.BEAT_SECONDS = 0.3, 0.5, 0.5
            schedule.TODAY_EVERY_MS = 500
            Watch.__init__.__kwdefaults__.update(debounce=0.1, poll_seconds=0.2)
            with self._box.open() as memory:
                memory.watch(lambda _: None)
        finally:
            os._exit(1)

    def kill(self) -> None:
        os.kill(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)


@pytest.mark.parametrize("mode", ["events", "poll"])
@pytest.mark.parametrize("count", [185, pytest.param(5000, marks=pytest.mark.nightly)])
@pytest.mark.timeout(7200)
def test_under_watch(tmp_path: Path, mode: str, count: int) -> None:
    """Nobody asks for a pass: `watch` hears or sees it all, is killed now and then, and comes to rest."""
    hands = Hands(Box(tmp_path, config=f"{CONFIG}watcher: {mode}\nreconcile_seconds: 3600\n"), 11)
    hands.box.sync()
    watcher = Watcher(hands.box)
    batch = 0
    try:
        while len(hands.log) < count:
            for _ in range(hands.chance.randint(60, 150)):
                clock = hands.now
                told(hands, hands.move)
                time.sleep(hands.chance.choice((0, 0, 0, 0.02)))
                if hands.chance.random() < 0.02 or hands.now != clock:
                    watcher.kill()
                    watcher.start()
            batch += 1
            told(hands, lambda: rested(hands, watcher, LONGER if count > 1000 else PATIENCE))
            if batch % 2 == 0 or len(hands.log) >= count:
                told(hands, lambda: check(hands))
    finally:
        watcher.kill()


def rested(hands: Hands, watcher: Watcher, seconds: float) -> None:
    """Wait until `watch` has seen it all; what waits for a person's yes gets it, for which `watch` makes room.

    A look costs as much as much of what is waited for: the more there is to look at, the rarer it is.
    """
    begun = asked = time.monotonic()
    while True:
        look = time.monotonic()
        is_done = at_rest(hands.box)
        if is_done or look > asked + 2:
            if held_back(hands.box):
                watcher.kill()
                with hands.box.open() as memory:
                    memory.sync(accept_deletions=True)
                watcher.start()
            elif is_done:
                return
            asked = time.monotonic()
        assert look < begun + seconds, f"it does not come to rest: {why_not(hands.box)}"
        time.sleep(max(0.1, 2 * (time.monotonic() - look)))


def held_back(box: Box) -> str:
    with box.open() as memory:
        engine = memory._engine
        entities = read_registry(engine).problems.get("entities/", "")
        return drift(engine).held_back or node_drift(engine).held_back or entities


def why_not(box: Box) -> object:
    with box.open() as memory:
        state = memory.status()
    return (
        state.stale, state.inbox, state.unfinished, state.problems, state.jobs, state.background, state.writer,
        held_back(box),
    )  # fmt: skip
