"""Several notes that say they are one and the same, as sync programs and people leave them: which of them counts.

That follows from the notes as they stand, so that an index made anew says the same. The others are named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from vaultmem.app.engine import Engine
from vaultmem.app.grow import read_node
from vaultmem.app.notes import chunk_id_at, read_entries
from vaultmem.core.ingest.entities import Registry
from vaultmem.core.notes.paths import RAW
from vaultmem.core.notes.selection import by_right
from vaultmem.core.notes.summarynote import SUMMARIES
from vaultmem.errors import VaultmemError
from vaultmem.grown import NodeEntry
from vaultmem.model import Entry, FileStat

_Note = TypeVar("_Note", Entry, NodeEntry)


def one_of_each(engine: Engine, entries: Iterable[Entry], problems: dict[str, str]) -> tuple[Entry, ...]:
    """These chunk notes, of each chunk the one that counts; copies are named in `problems`."""
    ordered = sorted(entries, key=lambda entry: by_right(entry.path, RAW))
    found = ((entry.chunk.chunk_id, entry) for entry in ordered)
    return tuple(_first_of_each(found, partial(_holder, engine), problems))


def copies(engine: Engine, registry: Registry, paths: Sequence[str]) -> dict[str, str]:
    """Those of these unindexed notes that are copies of an indexed one: path -> what to say of it."""
    stats = [stat for path in paths if (stat := engine.vault.stat(path))]
    entries, _ = read_entries(engine, registry, stats)
    held = ((entry.path, _holder(engine, entry)) for entry in entries)
    return {path: _said(other) for path, other in held if other}


def _holder(engine: Engine, entry: Entry) -> str:
    """Path of another note on disk that the index knows under this chunk_id and that counts before this one; ""."""
    known = engine.index.chunk(entry.chunk.chunk_id)
    if known is None or not _comes_before(known[0], entry.path, RAW):
        return ""
    # Two notes that a person swapped are no copies, nor is a note beside itself under its last name: what counts is
    # what stands there now.
    is_there = chunk_id_at(engine, known[0]) == entry.chunk.chunk_id and not engine.vault.is_gone(known[0])
    return known[0] if is_there else ""


def one_node_of_each(engine: Engine, entries: Iterable[NodeEntry], problems: dict[str, str]) -> list[NodeEntry]:
    """The same for summary notes."""
    ordered = sorted(entries, key=lambda entry: by_right(entry.path, SUMMARIES))
    found = ((entry.node.node_id, entry) for entry in ordered)
    return list(_first_of_each(found, partial(_node_holder, engine), problems))


def node_copies(engine: Engine, paths: Sequence[str]) -> dict[str, str]:
    """The same for unindexed summary notes."""
    entries = (entry for path in paths if (entry := _node_at(engine, path)))
    held = ((entry.path, _node_holder(engine, entry)) for entry in entries)
    return {path: _said(other) for path, other in held if other}


def _node_holder(engine: Engine, entry: NodeEntry) -> str:
    known = engine.index.node(entry.node.node_id)
    if known is None or not _comes_before(known[0], entry.path, SUMMARIES):
        return ""
    there = _node_at(engine, known[0])
    is_there = there and there.node.node_id == entry.node.node_id and not engine.vault.is_gone(known[0])
    return known[0] if is_there else ""


def _node_at(engine: Engine, path: str) -> NodeEntry | None:
    try:
        return read_node(engine.vault.read(path).decode(), FileStat(path=path, size=0, mtime_ns=0))
    except (VaultmemError, UnicodeDecodeError, FileNotFoundError):
        return None


def _first_of_each(
    found: Iterable[tuple[str, _Note]], holder: Callable[[_Note], str], problems: dict[str, str]
) -> Iterable[_Note]:
    """(id, note) -> the first note of each id, unless `holder` names another that counts before it."""
    kept: dict[str, _Note] = {}
    for identity, entry in found:
        other = kept[identity].path if identity in kept else holder(entry)
        if other:
            problems[entry.path] = _said(other)
        else:
            kept[identity] = entry
    return kept.values()


def _comes_before(known: str, path: str, home: str) -> bool:
    return known != path and by_right(known, home) < by_right(path, home)


def _said(other: str) -> str:
    return f"a copy of {other}: what it says counts once"
