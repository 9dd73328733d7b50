"""The words of many notes come first: others find them while the pass that brought them goes on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.app.test_inplace import ALL, note, paths
from tests.vaults import Box
from vaultmem.app import inplace
from vaultmem.app import sync as passes
from vaultmem.app.passed import Reconciled
from vaultmem.app.reconcile import reconcile
from vaultmem.model import FileStat

MANY = 60


def test_words_answer_while_the_first_pass_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = Box(tmp_path, config=ALL)
    for number in range(MANY):
        note(box, f"Ships/{number}.md", f"---\ntags: [a]\n---\n# N\n\nThe zeppelin word{number}x is late.\n")
    found: list[list[str]] = []
    took: list[float] = []

    def watched(*arguments: object) -> Reconciled:
        began = time.monotonic()
        found.append([path for number in range(0, MANY, 20) for path in paths(box, f"word{number}x")])
        with box.open() as memory:
            assert "still being built" in memory.recall("zeppelin").degraded
        took.append(time.monotonic() - began)
        return reconcile(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(passes, "reconcile", watched)
    box.sync()
    assert found == [[f"Ships/{number}.md" for number in range(0, MANY, 20)]]
    assert took[0] < 30, "nobody waits for the pass to end"
    assert paths(box, "word7x") == ["Ships/7.md"]
    box.digest()


def test_vectors_come_before_trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = Box(tmp_path, config=ALL, embedder="builtin")
    note(box, "Ships/a.md", "The zeppelin is late.\n\nThe balloon is early.\n")
    left: list[int] = []
    real = passes.drain

    def drained(*arguments: object, **named: object) -> object:
        with box.open() as memory:
            vectors = memory.status().vectors
            left.append(vectors.passages - vectors.embedded)
        return real(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(passes, "drain", drained)
    box.sync()
    assert left == [0]


def test_batches_are_bounded_by_notes_and_by_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inplace, "_WORDS_BATCH", 3)
    monkeypatch.setattr(inplace, "_WORDS_BYTES", 100)
    stats = [FileStat(path=str(n), size=size, mtime_ns=0) for n, size in enumerate([1, 1, 1, 1, 99, 1, 500, 40, 40])]
    found = [[stat.size for stat in batch] for batch in inplace._batches(stats)]
    assert found == [[1, 1, 1], [1, 99], [1], [500], [40, 40]]
