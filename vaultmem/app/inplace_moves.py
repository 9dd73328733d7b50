"""Which of the user's notes are missing, and which only stand elsewhere now: after a folder got another name, say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from vaultmem.app.by_git import put_away
from vaultmem.app.engine import Engine
from vaultmem.core.notes.diff import Drift, compare
from vaultmem.core.notes.draft import UNREAD
from vaultmem.model import FileStat


def compare_in_place(
    engine: Engine, there: Mapping[str, FileStat], known: Mapping[str, FileStat], unreadable: Collection[str]
) -> Drift:
    """The selected notes on disk against what is known of them.

    Notes of which only the words were taken are new ones still, however many they are; missing, they are no loss.
    """
    hashes = _hashes(engine, known)
    drafts = {path for path in hashes if not hashes[path] and _is_unread(known.get(path), there.get(path))}
    gone = put_away(engine, known.keys() - there.keys())
    gone |= frozenset() if unreadable else drafts - there.keys()
    rest = {path: stat for path, stat in known.items() if path not in gone and path not in drafts}
    found = compare(there, rest, unreadable=unreadable, accepted=engine.accepts_deletions)
    if found.held_back and not unreadable:
        moved = _moved(hashes or engine.index.held.hashes_in_place(), there, rest)
        gone |= moved
        rest = {path: stat for path, stat in rest.items() if path not in moved}
        found = compare(there, rest, accepted=engine.accepts_deletions)
    return replace(found, vanished=tuple(sorted((*found.vanished, *gone))))


def _hashes(engine: Engine, known: Mapping[str, FileStat]) -> Mapping[str, str]:
    """What the notes held when they were read; not asked for while all were read in full."""
    return engine.index.held.hashes_in_place() if any(stat.size == UNREAD for stat in known.values()) else {}


def _is_unread(then: FileStat | None, now: FileStat | None) -> bool:
    """What a cloud took away is as it was, and cannot be read now."""
    return then is not None and then.size == UNREAD and now != then


def _moved(hashes: Mapping[str, str], there: Mapping[str, FileStat], known: Mapping[str, FileStat]) -> frozenset[str]:
    """Missing notes whose very content stands elsewhere, in as many notes as there are of them."""
    standing = Counter(hashes.get(path, "") for path, stat in known.items() if there.get(path) == stat)
    moved: set[str] = set()
    for path in sorted(known.keys() - there.keys()):
        said = hashes.get(path, "")
        if said and standing[said]:
            standing[said] -= 1
            moved.add(path)
    return frozenset(moved)
