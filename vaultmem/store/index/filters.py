"""Filters as conditions on chunks, and names as the surfaces that stand for them."""

from __future__ import annotations

import json
from collections.abc import Collection

import apsw

from vaultmem.answers import Filters
from vaultmem.core.ingest.headers import normal_email
from vaultmem.core.notes.ids import fold
from vaultmem.store.index.rows import storable


def chunk_condition(filters: Filters) -> tuple[str, list[str]]:
    """The part of the filters that whole chunks meet or not: SQL on `chunks c`, and its values."""
    parts: list[tuple[str, list[str]]] = []
    if not filters.dropped:
        parts.append(("c.status <> 'dropped'", []))
    if filters.source:
        parts.append(_source(filters.source))
    if filters.within:
        allowed = [_source(source) for source in filters.within]
        parts.append((" OR ".join(sql for sql, _ in allowed), [value for _, values in allowed for value in values]))
    if filters.kind:
        parts.append(("c.source_kind = ?", [filters.kind]))
    if filters.tag:
        tag = fold(filters.tag.lstrip("#"))
        parts.append((_TAGGED, [tag, f"{tag}/", f"{tag}/"]))
    condition = " AND ".join(f"({sql})" for sql, _ in parts) or "1"
    return condition, [storable(value) for _, values in parts for value in values]


# a tag holds the tags nested below it
_TAGGED = "EXISTS (SELECT 1 FROM tags t WHERE t.chunk = c.id AND (t.tag = ? OR substr(t.tag, 1, length(?)) = ?))"


def _source(source: str) -> tuple[str, list[str]]:
    """Exact, or everything that starts with it when it ends in ':' or '*'."""
    if source.endswith((":", "*")):
        prefix = source.removesuffix("*")
        return "substr(c.source_id, 1, length(?)) = ?", [prefix, prefix]
    return "c.source_id = ?", [source]


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
