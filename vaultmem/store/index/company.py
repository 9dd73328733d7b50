"""Where entities stand and beside whom: each surface with the one entity it means, in chunks that recall shows."""

from __future__ import annotations

from collections.abc import Collection

import apsw

from vaultmem.grown import Named
from vaultmem.store.index.rows import COVER, as_json, from_us
from vaultmem.store.index.views import ONE_MEANING, SHOWN

_APPEARANCES = f"""
SELECT a.entity_id, c.source_id, max(m.origin IN ('author', 'header'))
FROM ({ONE_MEANING}) a JOIN mentions m ON m.surface = a.surface JOIN chunks c ON c.id = m.passage >> 22
WHERE a.entity_id IN (SELECT value FROM json_each(?)) GROUP BY a.entity_id, c.source_id ORDER BY 1, 2
"""  # noqa: S608 - made of constants
# The newest passages that name each; equals go by path and place, never by row number.
_NEWEST = f"""
WITH named AS (
    SELECT DISTINCT a.entity_id, m.passage FROM ({ONE_MEANING}) a JOIN mentions m ON m.surface = a.surface
    WHERE {SHOWN}
), ranked AS (
    SELECT n.entity_id, c.path, c.title, p.block, coalesce(p.sent_us, c.start_us) AS at_us,
           row_number() OVER (
               PARTITION BY n.entity_id ORDER BY coalesce(p.sent_us, c.start_us) DESC, c.path, p.id & {COVER}
           ) AS place
    FROM named n JOIN passages p ON p.id = n.passage JOIN chunks c ON c.id = n.passage >> 22
)
SELECT * FROM ranked WHERE place <= ? ORDER BY entity_id, place
"""  # noqa: S608 - made of constants
_BESIDE = f"""
WITH named AS (
    SELECT DISTINCT a.entity_id, m.passage FROM ({ONE_MEANING}) a JOIN mentions m ON m.surface = a.surface
    WHERE {SHOWN}
), pairs AS (
    SELECT a.entity_id, b.entity_id AS other, count(*) AS passages
    FROM named a JOIN named b ON a.passage = b.passage AND a.entity_id <> b.entity_id GROUP BY 1, 2
), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY entity_id ORDER BY passages DESC, other) AS place FROM pairs
)
SELECT entity_id, other FROM ranked WHERE place <= ? ORDER BY entity_id, place
"""  # noqa: S608 - made of constants


def appearances(db: apsw.Connection, ids: Collection[str]) -> tuple[tuple[str, str, bool], ...]:
    """(entity id, source that names it, whether it speaks, writes or is written to there)."""
    rows = db.execute(_APPEARANCES, (as_json(ids),))
    return tuple((identity, source, bool(is_party)) for identity, source, is_party in rows)


def newest_named(db: apsw.Connection, each: int) -> tuple[tuple[str, Named], ...]:
    """(entity id, passage that names it): the `each` newest of every entity, newest first."""
    return tuple(
        (identity, Named(path=path, title=title, block=block, at=from_us(at_us)))
        for identity, path, title, block, at_us, _ in db.execute(_NEWEST, (each,))
    )


def named_beside(db: apsw.Connection, each: int) -> tuple[tuple[str, str], ...]:
    """(entity id, another that stands in the same passages): the `each` most frequent of every entity."""
    return tuple(db.execute(_BESIDE, (each,)))
