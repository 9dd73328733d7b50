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
_UNREGISTERED = """
SELECT name.kind, name.surface,
    (SELECT min(t.text) FROM name_texts t WHERE t.surface = name.surface AND t.kind = name.kind), name.passages
FROM name_counts name WHERE NOT EXISTS (SELECT 1 FROM aliases a WHERE a.surface = name.surface)
ORDER BY name.kind, name.surface
"""


def entity_counts(db: apsw.Connection) -> Mapping[str, int]:
    """Entity id -> passages that name it; a surface that fits two entities counts for neither."""
    return dict(db.execute("SELECT entity_id, passages FROM entity_counts WHERE passages > 0"))


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
    return found, int(db.execute("SELECT coalesce(sum(dropped), 0) FROM sources").get)


def ids_beginning(db: apsw.Connection, beginning: str) -> tuple[str, ...]:
    """The first two ids of chunks or summaries that begin so."""
    found: set[str] = set()
    for table, column in (("chunks", "chunk_id"), ("nodes", "node_id")):
        rows = db.execute(
            f"SELECT {column} FROM {table} WHERE {column} >= ?1 AND substr({column}, 1, length(?1)) = ?1"  # noqa: S608
            f" AND {column} < ?1 || char(0x10FFFF) ORDER BY {column} LIMIT 2",
            (beginning,),
        )
        found.update(row[0] for row in rows)
    return tuple(sorted(found)[:2])
