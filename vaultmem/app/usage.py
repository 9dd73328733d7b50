"""Remembers which entities questions named, for hotness: in memory first, in the vault once a minute and at the end.

Answering never waits for it and never fails because of it: where the vault cannot be written, nothing is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from threading import Lock

from vaultmem.app.engine import Engine
from vaultmem.core.notes.usage import USAGE, asked_on, merge_usage, parse_usage, render_usage
from vaultmem.errors import VaultmemError
from vaultmem.model import NoteFile
from vaultmem.ports import Vault

#: Seconds between two writes of one process.
_PAUSE = 60.0
#: Nobody edits this file by hand: it is written although it has just changed.
_AT_ONCE = timedelta(hours=1)


@dataclass(slots=True, kw_only=True)
class UsageLog:
    """What was asked since the last write. For several threads."""

    engine: Engine
    _lock: Lock = field(default_factory=Lock)
    _pending: dict[str, dict[date, int]] = field(default_factory=dict)
    #: when the oldest of it was asked, by the disk's clock
    _since: float = 0.0

    def note(self, entities: Sequence[str]) -> None:
        """A question named these entities."""
        if not entities:
            return
        with self._lock:
            today = self._today()
            self._since = self._since if self._pending else self.engine.wall()
            self._pending = merge_usage(self._pending, asked_on(entities, today), today=today)
            if self.engine.wall() - self._since >= _PAUSE:
                self._write()

    def close(self) -> None:
        """Write what is left."""
        with self._lock:
            if self._pending:
                self._write()

    def _write(self) -> None:
        pending, today, self._pending = self._pending, self._today(), {}

        def joined(old: bytes) -> bytes:
            return render_usage(merge_usage(parse_usage(old.decode("utf-8", "replace")), pending, today=today)).encode()

        vault = self.engine.vault
        try:
            if vault.stat(USAGE) is None:
                vault.write([NoteFile(path=USAGE, content=joined(b""))])
            else:
                vault.edit(USAGE, joined, now=datetime.fromtimestamp(self.engine.wall(), UTC) + _AT_ONCE)
        except (VaultmemError, OSError):  # a vault that can only be read answers all the same
            return

    def _today(self) -> date:
        return self.engine.now().astimezone(UTC).date()


def read_usage(vault: Vault) -> dict[str, dict[date, int]]:
    """Entity id -> UTC day -> questions that named it; nothing where there is no file or it cannot be read."""
    try:
        return parse_usage(vault.read(USAGE).decode("utf-8", "replace"))
    except (VaultmemError, OSError):
        return {}
