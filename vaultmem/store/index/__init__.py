"""The rebuildable index: SQLite through apsw. All SQL of the project is in this folder.

open_index(data / "index" / "vault.db") -> SqliteIndex; `.state` tells whether a rebuild has to fill it
"""

from __future__ import annotations

from pathlib import Path

from vaultmem.store.index.sqlite_index import SqliteIndex


def open_index(path: Path) -> SqliteIndex:
    """The index at `path`, made when missing, replaced when damaged or of another version. Raises IndexTrouble."""
    return SqliteIndex(path)


__all__ = ["SqliteIndex", "open_index"]
