"""What a question asks of the notes in place: whether they still say what was indexed, and what they say if not."""

from __future__ import annotations

from collections.abc import Callable

from vaultmem.app.inplace import hash_of, note_text, reading, selection, settings_in_force
from vaultmem.config import Settings
from vaultmem.core.notes.inplace import NoteChunk, chunks_of_note, estimate
from vaultmem.errors import SkippedSource
from vaultmem.ports import Vault


def unchanged(vault: Vault) -> Callable[[str, str], bool]:
    """(path, `Entry.note_hash`) -> whether the note is still to be read, and would say what it said with this hash.

    The settings are read once: ask for a new one with each question. Raises UnreadableVault, OSError.
    """
    settings = settings_in_force(vault, Settings())

    def is_as_indexed(path: str, known: str) -> bool:
        return bool(known) and selection(settings).takes(path) and hash_of(vault.read(path), settings) == known

    return is_as_indexed


def chunk_in_place(vault: Vault, path: str, chunk_id: str) -> NoteChunk | None:
    """A chunk as the note has it now; None when it is gone, edited away, or the note is no longer to be read.

    Raises UnreadableSource, UnreadableVault.
    """
    settings = settings_in_force(vault, Settings())
    stat = vault.stat(path)
    if stat is None or not selection(settings).takes(path):
        return None
    try:
        note = note_text(path, vault.read(path), stat.mtime_ns, settings)
    except (SkippedSource, FileNotFoundError):
        return None
    found = chunks_of_note(note, reading(settings, estimate))
    return next((chunk for chunk in found if chunk.chunk.chunk_id == chunk_id), None)
