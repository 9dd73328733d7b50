"""Facts as notes of the vault: `wiki/facts/<namespace>.md`, read anew at each question.

A put holds a lock of its own (the writer lock is `watch`'s for as long as it runs), changes the note as it is at that
moment, and waits while a person is typing in it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from vaultmem.core.notes.factsnote import FACTS, new_note, put_facts, read_facts
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.core.notes.selection import original_of
from vaultmem.errors import CannotWrite, FactsTrouble
from vaultmem.facts import Change, Fact, NewFact
from vaultmem.store.data import DataFolder
from vaultmem.store.vault import DiskVault

_HOME = "notes"
#: What the data folder remembers of the notes as vaultmem left them: path -> SHA-256.
_WRITTEN = "facts"
#: Seconds a note is waited for that a person saved just now; `DiskVault.edit` leaves it alone for 10.
_PATIENCE = 15.0
_LOOK_EVERY = 0.25
#: Seconds another process that puts facts is waited for.
_LOCK_SECONDS = 60.0
#: Longer than a note that vaultmem itself wrote last is left alone.
_NOBODY_TYPES = timedelta(hours=1)


class NoteFacts:
    """`ports.Facts` on the vault's notes. For several processes."""

    def __init__(self, vault: DiskVault, data: DataFolder, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._vault = vault
        self._data = data
        self._sleep = sleep

    @property
    def home(self) -> str:
        """What a person calls it."""
        return _HOME

    def namespaces(self) -> tuple[str, ...]:
        """Those that have a note, sorted."""
        files = self._vault.scan(FACTS).files
        own = (path for path in files if original_of(path) not in files)
        stems = (path.removeprefix(f"{FACTS}/").removesuffix(".md") for path in own)
        return tuple(sorted(stem for stem in stems if "/" not in stem))

    def read(self, namespace: str) -> tuple[Fact, ...]:
        """What the note says now. Raises FactsTrouble for one that is no UTF-8 text."""
        path = _path(namespace)
        try:
            return read_facts(namespace, path, _text(path, self._vault.read(path)))
        except FileNotFoundError:
            return ()

    def put(self, namespace: str, items: Sequence[NewFact], *, now: datetime) -> tuple[Change, ...]:
        """Add or supersede. Raises FactsTrouble (the note is being edited, or is no text), CannotWrite."""
        path = _path(namespace)
        stamp = now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        with self._locked():
            end = time.monotonic() + _PATIENCE
            while True:
                changes = self._try(namespace, path, items, stamp)
                if changes is not None:
                    return changes
                if time.monotonic() >= end:
                    raise FactsTrouble(_HOME, f"{path} is being edited: try again when it has been quiet for 10 s")
                self._sleep(_LOOK_EVERY)

    def forget_shared(self, sources: Collection[str], texts: Collection[str]) -> int:  # noqa: ARG002 - the port's
        """Nothing is held outside the vault: notes are forgotten as notes."""
        return 0

    def _try(self, namespace: str, path: str, items: Sequence[NewFact], stamp: str) -> tuple[Change, ...] | None:
        """One attempt; None when the note must be left alone for a moment."""
        try:
            old = self._vault.read(path)
        except FileNotFoundError:
            return self._make(namespace, path, items, stamp)
        text, changes = put_facts(_text(path, old), items, now=stamp)
        new = text.encode("utf-8", "replace")
        if new == old:
            return changes
        ours = self._written().get(path) == sha256_hex(old)
        now = datetime.now(UTC) + (_NOBODY_TYPES if ours else timedelta())
        try:
            if not self._vault.edit(path, lambda current: new if current == old else None, now=now):
                return None
        except CannotWrite as refusal:
            # A pass of another process that sweeps temporaries may have taken ours: it is written again.
            if not isinstance(refusal.__cause__, FileNotFoundError):
                raise
            return None
        self._remember(path, new)
        return changes

    def _make(self, namespace: str, path: str, items: Sequence[NewFact], stamp: str) -> tuple[Change, ...] | None:
        """A new note, never over one that a person makes at the same time."""
        text, changes = put_facts(new_note(namespace), items, now=stamp)
        content = text.encode("utf-8", "replace")
        placed = self._vault.put(path, content)
        if placed != path:
            self._vault.remove(placed)
            return None
        self._remember(path, content)
        return changes

    @contextmanager
    def _locked(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        try:
            with FileLock(self._data.path / "facts.lock", thread_local=False).acquire(timeout=_LOCK_SECONDS):
                yield
        except Timeout:
            raise FactsTrouble(_HOME, "another vaultmem process has been writing facts for a minute") from None

    def _written(self) -> dict[str, str]:
        try:
            found = json.loads(self._data.remembered(_WRITTEN) or "{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def _remember(self, path: str, content: bytes) -> None:
        self._data.remember(_WRITTEN, json.dumps({**self._written(), path: sha256_hex(content)}))


def _path(namespace: str) -> str:
    return f"{FACTS}/{namespace}.md"


def _text(path: str, content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise FactsTrouble(_HOME, f"{path} is no UTF-8 text: save it as that") from None
