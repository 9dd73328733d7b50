"""Views of memory: how often entities are named, and what the gate dropped."""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from vaultmem.model import Chunk
from vaultmem.store.index.rows import load_chunk

# Mentions of the chunks that recall shows, each surface with the one entity it means.
SHOWN = "m.passage >> 22 NOT IN (SELECT id FROM chunks WHERE status = 'dropped')"
ONE_MEANING = (
    "SELECT surface, min(entity_id) AS entity_id FROM aliases GROUP BY surface HAVING count(DISTINCT entity_id) = 1"
)
_COUNTS = f"""
SELECT a.entity_id, count(DISTINCT m.passage) FROM ({ONE_MEANING}) a JOIN mentions m ON m.surface = a.surface
WHERE {SHOWN} GROUP BY a.entity_id
"""  # noqa: S608 - made of constants
_UNREGISTERED = f"""
SELECT m.kind, m.surface, min(m.text), count(DISTINCT m.passage) FROM mentions m
WHERE m.surface NOT IN (SELECT surface FROM aliases) AND {SHOWN} GROUP BY m.kind, m.surface ORDER BY m.kind, m.surface
"""  # noqa: S608 - made of constants


def entity_counts(db: apsw.Connection) -> Mapping[str, int]:
    """Entity id -> passages that name it; a surface that fits two entities counts for neither."""
    return dict(db.execute(_COUNTS))


def unregistered(db: apsw.Connection) -> tuple[tuple[str, str, str, int], ...]:
    """(kind, surface, text as written, passages) of every surface that no entity note claims."""
    return tuple(db.execute(_UNREGISTERED))


def dropped(db: apsw.Connection, limit: int) -> tuple[tuple[tuple[str, Chunk], ...], int]:
    """The newest dropped chunks with their paths, and how many there are."""
    rows = db.execute(
        "SELECT c.path, v.value FROM chunks c JOIN chunk_values v ON v.chunk = c.id WHERE c.status = 'dropped'"
        " ORDER BY c.end_us DESC, c.chunk_id LIMIT ?",
        (limit,),
    )
    found = tuple((path, load_chunk(value)) for path, value in rows)
    return found, int(db.execute("SELECT count(*) FROM chunks WHERE status = 'dropped'").get)


def ids_beginning(db: apsw.Connection, beginning: str) -> tuple[str, ...]:
    """The first two ids of chunks or summaries that begin so."""
    rows = db.execute(
        "SELECT id FROM (SELECT chunk_id AS id FROM chunks UNION SELECT node_id FROM nodes)"
        " WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 2",
        (beginning,),
    )
    return tuple(row[0] for row in rows)
