"""What the data folder keeps of agents' sessions between two calls: how far each is, and turns not yet written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from vaultmem.core.notes.ids import sha256_hex
from vaultmem.errors import VaultBusy
from vaultmem.store.data import DataFolder

_LOCK_SECONDS = 30.0


class HeldSessions:
    """One JSON object a session; for several processes."""

    def __init__(self, data: DataFolder) -> None:
        self._data = data

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Nobody else reads and keeps meanwhile. Raises VaultBusy."""
        from filelock import FileLock, Timeout

        try:
            with FileLock(self._data.path / "sessions.lock", thread_local=False).acquire(timeout=_LOCK_SECONDS):
                yield
        except Timeout:
            raise VaultBusy("another agent's session", _LOCK_SECONDS) from None

    def read(self, session: str) -> Mapping[str, object]:
        """What is kept; empty when there is nothing, or nothing that can be read."""
        try:
            found = json.loads(self._data.remembered(_name(session)) or "{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def keep(self, session: str, value: Mapping[str, object]) -> None:
        """In place of what was kept, durable. Raises CannotWrite."""
        self._data.remember(_name(session), json.dumps(value))


def _name(session: str) -> str:
    return f"session-{sha256_hex(session.encode('utf-8', 'surrogatepass'))[:16]}"
