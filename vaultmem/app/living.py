"""Notes that vaultmem writes in and a person too: changed as they are at that moment, and never under his hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from vaultmem.app.engine import Engine
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.model import NoteFile

#: Longer than a note that a person saved is left alone.
_PATIENCE = timedelta(hours=1)


def make_living(engine: Engine, notes: Sequence[NoteFile]) -> None:
    """New notes, durable together, remembered as ours; none over what somebody made there meanwhile."""
    for note in notes:
        engine.index.set_meta(_written(note.path), sha256_hex(note.content))
    engine.vault.renew(notes, {})


def edit_living(engine: Engine, path: str, change: Callable[[bytes], bytes]) -> bool:
    """Change a note; False when it is left for later, because a person saved it in the last seconds.

    One that nobody has touched since vaultmem wrote it, in any process, is changed at once. What will stand there is
    noted before it does, beside what stands there now: a kill in between leaves one of both. Raises
    FileNotFoundError, and whatever `change` does.
    """
    note = engine.vault.read(path)
    wanted = change(note)
    if wanted == note:
        return True
    now = datetime.fromtimestamp(engine.wall(), UTC)
    if not _is_ours(engine, path, note):
        if not engine.vault.edit(path, change, now=now):
            return _stands(engine, path, change)
        engine.index.set_meta(_written(path), sha256_hex(engine.vault.read(path)))
        return True
    engine.index.set_meta(_written(path), f"{sha256_hex(note)} {sha256_hex(wanted)}")
    engine.vault.edit(path, lambda current: wanted if current == note else None, now=now + _PATIENCE)
    return _stands(engine, path, change)


def forget_shown(engine: Engine, key: str) -> None:
    """What a page shows is not known while it is written: a kill in between, and it is written again."""
    if engine.index.get_meta(key):
        engine.index.set_meta(key, "")


def remember_written(engine: Engine, path: str, note: bytes) -> None:
    """The note is as vaultmem left it."""
    engine.index.set_meta(_written(path), sha256_hex(note))


def _is_ours(engine: Engine, path: str, note: bytes) -> bool:
    """Whether nobody types in it: it is as vaultmem wrote it, or as git has just put it there."""
    if sha256_hex(note) in engine.index.get_meta(_written(path)).split():
        return True
    history = engine.history()
    return history is not None and history.holds(path, note)


def _stands(engine: Engine, path: str, change: Callable[[bytes], bytes]) -> bool:
    """Whether nothing is left to be changed."""
    note = engine.vault.read(path)
    return change(note) == note


def _written(path: str) -> str:
    return f"written:{path}"
