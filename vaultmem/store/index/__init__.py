"""The rebuildable index: SQLite through apsw. All SQL of the project is in this folder.

open_index(data / "index" / "vault.db") -> SqliteIndex; `.state` tells whether a rebuild has to fill it
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vaultmem.store.index.sqlite_index import SqliteIndex


def open_index(path: Path, told: Callable[[str], None] = lambda _: None) -> SqliteIndex:
    """The index at `path`, made when missing, replaced when damaged or of another version; `told` of that, at once or
    when it is met later. Raises IndexTrouble.
    """
    return SqliteIndex(path, told)


__all__ = ["SqliteIndex", "open_index"]
