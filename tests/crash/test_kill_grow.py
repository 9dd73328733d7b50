"""kill -9 at random moments under three workers: no leaf lost, none in two parents, the undisturbed run's digest."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.core.notes.summarynote import parse_summary_note

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

CONFIG = "chat_gap_hours: 1\n"


def export(messages: int) -> str:
    """A message a day up to the end of May, every other one at night; Heron is named often enough to be a topic."""
    start = datetime(2026, 5, 31, 9, 0) - timedelta(days=messages - 1)
    days = [start + timedelta(days=number, hours=14 * (number % 2)) for number in range(messages)]
    return "\n".join(
        f"{day:%d/%m/%Y, %H:%M} - {'Ann' if n % 2 else 'Bo'}: On day {n} the boat number {n * 7} got a new coat"
        f"{', and [[Heron]] too' if n % 3 else ''}. We decided to launch it on Friday."
        for n, day in enumerate(days)
    )


def dropped(folder: Path, messages: int) -> Box:
    box = Box(folder, config=CONFIG)
    box.write("WhatsApp Chat with Yard.txt", export(messages))
    return box


def parents(box: Box) -> dict[tuple[str, str, str], list[str]]:
    """(kind of tree, its scope, child id) -> the nodes that list it, as the notes say."""
    found: dict[tuple[str, str, str], list[str]] = {}
    seen: set[str] = set()
    for path, content in box.notes().items():
        if path.startswith("wiki/summaries"):
            node = parse_summary_note(content.decode())
            assert node.node_id not in seen, f"{path}: a second summary of the same"
            seen.add(node.node_id)
            for child in node.child_ids:
                found.setdefault((node.tree_kind, node.tree_scope, child), []).append(node.node_id)
    return found


def kill_after(box: Box, seconds: float) -> None:
    """Run a sync in a child and kill it after that time, wherever it is."""
    child = os.fork()
    if child == 0:
        try:
            box.sync()
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def check(tmp_path: Path, *, kills: int, messages: int, lose_index: bool = False) -> None:
    calm = dropped(tmp_path / "calm", messages)
    start = time.time()
    calm.sync()
    whole = time.time() - start
    wanted, digest = calm.notes(), calm.digest()
    tree = parents(calm)
    kinds = {kind for kind, _, _ in tree}
    # Of more than 50 notes nothing is a topic that every fifth of them names.
    assert kinds == {"source", "global"} | ({"topic"} if messages <= 50 else set())
    assert sum(path.startswith("wiki/summaries/global/daily") for path in wanted) == messages
    rng = random.Random(20260301)
    for run in range(kills):
        box = dropped(tmp_path / "killed", messages)
        kill_after(box, rng.uniform(0, whole))
        if lose_index:
            for file in box.data.glob("*/index/*"):
                file.unlink()
            # with it goes which living notes are as vaultmem left them: those just saved would wait for a later pass
            for note in box.root.rglob("*.md"):
                os.utime(note, (start - 60, start - 60))
        box.sync()
        assert all(len(nodes) == 1 for nodes in parents(box).values()), f"run {run}"
        assert parents(box) == tree, f"run {run}"
        assert (box.digest(), box.notes()) == (digest, wanted), f"run {run}"
        shutil.rmtree(tmp_path / "killed")


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("kills", "messages"),
    [(4, 20), pytest.param(20, 20, marks=pytest.mark.nightly), pytest.param(200, 111, marks=pytest.mark.nightly)],
)
def test_random_kills(tmp_path: Path, kills: int, messages: int) -> None:
    check(tmp_path, kills=kills, messages=messages)


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.nightly)])
def test_the_index_lost_in_the_middle_of_the_work(tmp_path: Path, kills: int) -> None:
    check(tmp_path, kills=kills, messages=22, lose_index=True)
