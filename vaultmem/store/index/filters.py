"""Filters as conditions on chunks, and names as the surfaces that stand for them."""

from __future__ import annotations

import json
from collections.abc import Collection

import apsw

from vaultmem.answers import Filters
from vaultmem.core.ingest.headers import normal_email
from vaultmem.core.notes.ids import fold
from vaultmem.core.recall.sources import is_within
from vaultmem.store.index.rows import storable


def fits_source(filters: Filters, source_id: str, source_kind: str) -> bool:
    """Whether a source, and so every chunk of it, passes the filters."""
    return (
        (not filters.kind or source_kind == filters.kind)
        and (not filters.source or is_within(source_id, [storable(filters.source)]))
        and (not filters.within or is_within(source_id, map(storable, filters.within)))
    )


#: Numbers of the chunks that bear a tag: it holds the tags nested below it. Its values are `tag_range`'s.
TAGGED = "SELECT chunk FROM tags WHERE tag = ? UNION SELECT chunk FROM tags WHERE tag >= ? AND tag < ?"


def tag_range(tag: str) -> tuple[str, str, str]:
    """The tag, and the first and the last of what stands below it."""
    name = storable(fold(tag.lstrip("#")))
    return name, f"{name}/", f"{name}0"


def mentioned_surfaces(db: apsw.Connection, name: str) -> frozenset[str]:
    """The surfaces under which an entity (canonical id, name or alias) stands in notes.

    A surface that fits two entities stands for neither, unless it is itself what was asked for.
    """
    name = storable(name)
    surface = normal_email(name) if "@" in name.lstrip("@") else fold(name.lstrip("@#"))
    identity = name if _is_id(db, name) else surface
    ids = entities_of(db, surface) or frozenset({identity})
    found = set() if _is_id(db, identity) else {surface}
    if len(ids) == 1:
        (only,) = ids
        rows = db.execute("SELECT surface, origin FROM aliases WHERE entity_id = ?", (only,))
        known = [(str(row[0]), row[1]) for row in rows]
        found |= {known_as for known_as, _ in known if len(entities_of(db, known_as)) == 1}
        for each in [only, *(merged for merged, origin in known if origin == "id")]:
            found |= _unregistered(db, each)
    return frozenset(found)


def entities_of(db: apsw.Connection, surface: str) -> frozenset[str]:
    """Entity ids a folded surface means."""
    return frozenset(
        str(r[0]) for r in db.execute("SELECT entity_id FROM aliases WHERE surface = ?", (storable(surface),))
    )


def meanings_of(db: apsw.Connection, surfaces: Collection[str]) -> dict[str, frozenset[str]]:
    """Surface -> entity ids, of those that mean something."""
    asked = {storable(surface): surface for surface in surfaces}
    query = "SELECT surface, entity_id FROM aliases WHERE surface IN (SELECT value FROM json_each(?))"
    found: dict[str, set[str]] = {}
    for surface, entity_id in db.execute(query, (json.dumps(sorted(asked)),)):
        found.setdefault(asked[str(surface)], set()).add(str(entity_id))
    return {surface: frozenset(ids) for surface, ids in found.items()}


def _is_id(db: apsw.Connection, name: str) -> bool:
    return db.execute("SELECT 1 FROM aliases WHERE entity_id = ?", (name,)).fetchone() is not None


def _unregistered(db: apsw.Connection, identity: str) -> set[str]:
    """Surfaces without a note that hits show as `kind:slug`."""
    rows = db.execute("SELECT surface FROM surfaces WHERE identity = ?", (identity,)).fetchall()
    surfaces = [str(row[0]) for row in rows]
    return {surface for surface in surfaces if not entities_of(db, surface)}
