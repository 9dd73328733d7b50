"""Kill a run at its n-th write, with SIGKILL, in a forked child: nothing is flushed, nothing is cleaned up."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from vaultmem.store import atomic
from vaultmem.store.index import SqliteIndex

#: Every step that changes a disk or the index. The process dies before and after each.
STEPS: list[tuple[object, str]] = [
    (atomic, "write_new"),
    (atomic, "replace"),
    (atomic, "link_new"),
    (atomic, "unlink"),
    (atomic, "flush_file"),
    (atomic, "flush_folder"),
    (atomic, "make_folder"),
    (SqliteIndex, "commit"),
    (SqliteIndex, "commit_nodes"),
    (SqliteIndex, "drop_traces"),
    (SqliteIndex, "compact"),
    (SqliteIndex, "replace_registry"),
    (SqliteIndex, "set_meta"),
    (SqliteIndex, "clear"),
]


class Counter:
    """Counts steps over all threads; at `kill_at` the process is gone."""

    def __init__(self, kill_at: int) -> None:
        self.count = 0
        self.kill_at = kill_at

    def step(self) -> None:
        self.count += 1
        if self.count == self.kill_at:
            os.kill(os.getpid(), signal.SIGKILL)


def counted(counter: Counter, real: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        counter.step()
        result = real(*args, **kwargs)
        counter.step()
        return result

    return wrapped


def arm(counter: Counter, monkeypatch: pytest.MonkeyPatch) -> None:
    for owner, name in STEPS:
        monkeypatch.setattr(owner, name, counted(counter, getattr(owner, name)))


def steps_of(work: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> int:
    """How many steps an undisturbed run takes."""
    counter = Counter(0)
    with monkeypatch.context() as patched:
        arm(counter, patched)
        work()
    return counter.count


def run_killed(work: Callable[[], object], kill_at: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Run in a child that dies at that step; True when it died there, False when it came to its end before."""
    child = os.fork()
    if child == 0:
        status = 0
        try:
            arm(Counter(kill_at), monkeypatch)
            work()
        except BaseException:  # noqa: BLE001 - the child must end here, whatever happened
            traceback.print_exc()
            status = 3
        os._exit(status)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)
