"""Counts kept beside the rows: each change adds its own, in its transaction, so that no question counts rows."""

from __future__ import annotations

import json
from collections.abc import Collection

import apsw

from vaultmem.store.index.rows import COVER, ORDINAL_BITS
from vaultmem.store.index.views import ONE_MEANING

_OF_CHUNKS = (
    "json_each(?1) n CROSS JOIN chunks c ON c.id = n.value"
    f" CROSS JOIN {{table}} ON {{column}} BETWEEN c.id << {ORDINAL_BITS} AND (c.id << {ORDINAL_BITS}) + {COVER}"
)
_MENTIONS = f"FROM {_OF_CHUNKS.format(table='mentions m', column='m.passage')} WHERE c.status <> 'dropped'"
_ADD = " DO UPDATE SET passages = passages + excluded.passages"
_NAMES = f"""
INSERT INTO name_counts SELECT m.surface, m.kind, ?2 * count(DISTINCT m.passage) {_MENTIONS}
GROUP BY m.surface, m.kind ON CONFLICT{_ADD}
"""
_TEXTS = f"""
INSERT INTO name_texts SELECT m.surface, m.kind, m.text, ?2 * count(DISTINCT m.passage) {_MENTIONS}
GROUP BY m.surface, m.kind, m.text ON CONFLICT{_ADD}
"""
_ENTITIES = f"""
INSERT INTO entity_counts SELECT entity_id, ?2 * count(DISTINCT passage) FROM (
    SELECT m.passage, (
        SELECT CASE count(DISTINCT a.entity_id) WHEN 1 THEN min(a.entity_id) END FROM aliases a
        WHERE a.surface = m.surface
    ) AS entity_id {_MENTIONS}
) WHERE entity_id IS NOT NULL GROUP BY entity_id ON CONFLICT{_ADD}
"""  # noqa: S608 - made of constants
_VECTORS = f"""
INSERT INTO embedded SELECT v.signature, 0, ?2 * count(*) FROM {_OF_CHUNKS.format(table="passages p", column="p.id")}
CROSS JOIN vectors v ON v.text_hash = p.text_hash GROUP BY v.signature ON CONFLICT{_ADD}
"""  # noqa: S608 - made of constants
_LEFT = f"surface IN (SELECT m.surface {_MENTIONS})"
_RECOUNT = f"""
INSERT INTO entity_counts SELECT a.entity_id, count(DISTINCT m.passage)
FROM ({ONE_MEANING}) a CROSS JOIN mentions m ON m.surface = a.surface
WHERE a.entity_id IN (SELECT value FROM json_each(?))
    AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.id = m.passage >> {ORDINAL_BITS} AND c.status = 'dropped')
GROUP BY a.entity_id
"""  # noqa: S608 - made of constants


def add(db: apsw.Connection, name: str, number: int) -> None:
    """So many rows more, or fewer."""
    if number:
        db.execute(
            "INSERT INTO totals VALUES (?, ?) ON CONFLICT DO UPDATE SET number = number + excluded.number",
            (name, number),
        )


def total(db: apsw.Connection, name: str) -> int:
    """How many rows there are."""
    return int(db.execute("SELECT number FROM totals WHERE name = ?", (name,)).get or 0)


def count_in(db: apsw.Connection, numbers: Collection[int]) -> None:
    """These chunks came; all their rows are there."""
    _count(db, json.dumps(sorted(numbers)), 1)


def count_out(db: apsw.Connection, numbers: Collection[int]) -> None:
    """These chunks are about to go; all their rows are still there. No name is left that stands nowhere."""
    told = json.dumps(sorted(numbers))
    _count(db, told, -1)
    for table in ("name_counts", "name_texts"):
        db.execute(f"DELETE FROM {table} WHERE passages <= 0 AND {_LEFT}", (told,))  # noqa: S608 - the names above


def _count(db: apsw.Connection, numbers: str, sign: int) -> None:
    for statement in (_NAMES, _TEXTS, _ENTITIES, _VECTORS):
        db.execute(statement, (numbers, sign))


def meanings(db: apsw.Connection) -> dict[str, str]:
    """Every surface that means one entity, and which."""
    return dict(db.execute(ONE_MEANING))


def recount_entities(db: apsw.Connection, before: dict[str, str]) -> None:
    """The registry changed: of the entities that gained or lost a name since `before` the passages are counted anew."""
    changed = set(before.items()) ^ set(meanings(db).items())
    told = json.dumps(sorted({entity_id for _, entity_id in changed}))
    db.execute("DELETE FROM entity_counts WHERE entity_id IN (SELECT value FROM json_each(?))", (told,))
    db.execute(_RECOUNT, (told,))
