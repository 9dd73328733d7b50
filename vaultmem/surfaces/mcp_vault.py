"""The vault behind the door: opened by the first call, filled in the background.

Readers never wait for writers, so a question is answered while a second thread, with a connection of its own, builds a
cold index or files what an agent dropped. Both are ordinary passes: a session that ends in the middle loses nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from typing import TYPE_CHECKING, TypeVar

from vaultmem.errors import IndexTrouble, VaultBusy, VaultmemError
from vaultmem.memory import Memory, find_vault, open_vault

if TYPE_CHECKING:
    from vaultmem.memory import SyncReport

T = TypeVar("T")

#: Seconds a call waits for background work that is usually short, before it answers without.
_PATIENCE = 5.0
_NAME = "mcp"


class VaultDoor:
    """One vault for one session. Used from one thread."""

    def __init__(self, named: str | None, sources: tuple[str, ...] = ()) -> None:
        """`sources`: the only ones it may answer from; none: all. Raises NoVault."""
        self._root = find_vault(named)
        self._sources = sources
        self._memory: Memory | None = None
        self._behind = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pass")
        self._building: Future[str] | None = None
        self._filing: Future[SyncReport] | None = None

    def ask(self, question: Callable[[Memory], T]) -> T:
        """Ask an open vault; an index that broke is opened anew by the next question."""
        memory = self._open()
        try:
            return question(memory)
        except IndexTrouble:
            memory.close()
            self._memory = None
            raise

    def _open(self) -> Memory:
        """Raises NoVault, BadConfig. A cold index is built behind; small ones are waited for."""
        if self._memory is None:
            self._memory = open_vault(self._root, command=_NAME, waits=False, sources=self._sources, warning=_say)
            self._building = self._behind.submit(self._build)
            _within(self._building, _PATIENCE)
        return self._memory

    def _build(self) -> str:
        with open_vault(self._root, command=_NAME, warning=_say) as memory:
            return memory.catch_up()

    def drop(self, path: str, *, within: bool) -> tuple[str, ...]:
        """Copy a file or folder into the inbox; its names there. `within`: it must lie in the vault."""
        return self._open().drop([path], within=within)

    def drop_text(self, text: str, title: str) -> tuple[str, ...]:
        """Put a text into the inbox; its name there."""
        return (self._open().drop_text(text, title),)

    def take(self, names: Sequence[str]) -> tuple[str, dict[str, object]]:
        """File what was dropped: a running `watch` does it, else a pass of our own; a long one goes on behind."""
        told = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        found: dict[str, object] = {"inbox": list(names), "filed_by": "watch", "files": []}
        if self._open().watched:
            return f"In the inbox as {told}. The running 'vaultmem watch' files it.", found
        self._filing = self._behind.submit(self._file, tuple(names))
        report = _within(self._filing, _PATIENCE)
        if report is None:
            text = f"In the inbox as {told}. It is being filed in the background; memory_status shows what still waits."
            return text, {**found, "filed_by": "background"}
        rows = [row.to_dict() for row in report.files]
        lines = [f"{row['outcome']}: {row['file']} {row.get('reason', '')}".rstrip() for row in rows]
        return "\n".join(lines), {**found, "filed_by": "this call", "files": rows}

    def sync(self, *, rebuild: bool) -> tuple[str, dict[str, object]]:
        """One pass over the whole vault, by whoever may write: a running `watch`, else ourselves."""
        if self._open().watched:
            if rebuild:
                raise VaultBusy("a running 'vaultmem watch'", 0.0)
            return "The running 'vaultmem watch' takes changes over.", {"done_by": "watch", "files": []}
        self._filing = self._behind.submit(self._pass, rebuild=rebuild)
        report = _within(self._filing, _PATIENCE)
        if report is None:
            return "Going on in the background; memory_status shows what waits.", {"done_by": "background", "files": []}
        rows = [row.to_dict() for row in report.files]
        lines = [f"{row['outcome']}: {row['file']} {row.get('reason', '')}".rstrip() for row in rows]
        return "\n".join(["Memory is up to date.", *lines]), {"done_by": "this call", "files": rows}

    def _pass(self, *, rebuild: bool) -> SyncReport:
        def work(memory: Memory) -> SyncReport:
            if rebuild:
                memory.rebuild()
            return memory.sync()

        return self._written(work)

    def _file(self, names: Sequence[str]) -> SyncReport:
        return self._written(lambda memory: memory.take(names))

    def _written(self, work: Callable[[Memory], SyncReport]) -> SyncReport:
        """With a connection of its own; nobody may be waiting for the answer any more, so trouble is told at once."""
        try:
            with open_vault(self._root, command=_NAME, warning=_say) as memory:
                return work(memory)
        except (VaultmemError, OSError) as problem:
            # What waits stays in the inbox: whoever runs the next pass takes it.
            _say(str(problem))
            raise

    def finish(self, seconds: float) -> None:
        """Give background work so many seconds to end."""
        until = time.monotonic() + seconds
        for work in (self._building, self._filing):
            if work is not None and not work.done():
                _wait(work, until - time.monotonic())


def _within(work: Future[T], seconds: float) -> T | None:
    """The result when it is there in time; its error is the caller's."""
    try:
        return work.result(timeout=seconds)
    except NotYet:
        return None


def _wait(work: Future[str] | Future[SyncReport], seconds: float) -> None:
    try:
        work.exception(timeout=max(0.0, seconds))
    except NotYet:
        return


def _say(text: str) -> None:
    sys.stderr.write(f"vaultmem: {text}\n")
