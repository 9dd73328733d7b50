"""What the trees of days and of topics ask of the index."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any

import apsw

from vaultmem.grown import DayLeaf, DigestRow, Leaf, LeafFacts, TopicLeaf
from vaultmem.store.index.rows import ORDINAL_BITS, from_us, storable, to_us
from vaultmem.store.index.views import ONE_MEANING

_DAY_US = 86_400_000_000
_EPOCH = date(1970, 1, 1)
_LAST = (1 << ORDINAL_BITS) - 1
# The order is fixed: left to itself, SQLite compares every mention with every chunk.
_SIGHTINGS = f"""
SELECT a.entity_id, c.chunk_id, c.tree_scope, max(coalesce(p.sent_us, c.start_us)), count(DISTINCT m.passage)
FROM ({ONE_MEANING}) a CROSS JOIN mentions m ON m.surface = a.surface
CROSS JOIN chunks c ON c.id = m.passage >> {ORDINAL_BITS} CROSS JOIN passages p ON p.id = m.passage
WHERE c.status = 'admitted' AND c.end_us >= ? AND c.start_us < ? GROUP BY a.entity_id, c.id ORDER BY 1, 2
"""  # noqa: S608 - made of constants
_NO_END = (1 << 63) - 1
_CHUNKS_NAMING = f"""
SELECT a.entity_id, count(DISTINCT c.id) FROM ({ONE_MEANING}) a JOIN mentions m ON m.surface = a.surface
JOIN chunks c ON c.id = m.passage >> {ORDINAL_BITS} WHERE c.status = 'admitted' GROUP BY a.entity_id
"""  # noqa: S608 - made of constants
_NAMED_UNTIL = f"""
SELECT a.entity_id, count(*), count(DISTINCT c.id), sum(c.end_us / 1000000) FROM ({ONE_MEANING}) a
JOIN mentions m ON m.surface = a.surface JOIN chunks c ON c.id = m.passage >> {ORDINAL_BITS}
WHERE c.status = 'admitted' AND c.end_us < ? GROUP BY a.entity_id
"""  # noqa: S608 - made of constants
_NAMING = f"""
SELECT c.path, c.says, EXISTS (
    SELECT 1 FROM node_children k JOIN nodes n ON n.node_id = k.node_id
    WHERE k.child_id = c.chunk_id AND n.tree_kind = 'topic' AND n.tree_scope = ?1
), c.chunk_id, c.start_us, c.end_us, c.seq, c.tokens, c.status
FROM (SELECT DISTINCT passage >> {ORDINAL_BITS} AS id FROM mentions WHERE surface IN (
    SELECT surface FROM ({ONE_MEANING}) WHERE entity_id = ?1
)) m JOIN chunks c ON c.id = m.id
WHERE c.status <> 'dropped' ORDER BY c.start_us, c.seq, c.chunk_id
"""  # noqa: S608 - made of constants
_PASSAGES_NAMING = f"""
SELECT DISTINCT c.chunk_id, m.passage & {_LAST} FROM chunks c
JOIN mentions m ON m.passage BETWEEN c.id << {ORDINAL_BITS} AND (c.id << {ORDINAL_BITS}) + {_LAST}
WHERE c.chunk_id IN (SELECT value FROM json_each(?)) AND m.surface IN (
    SELECT surface FROM ({ONE_MEANING}) WHERE entity_id = ?
)
"""  # noqa: S608 - made of constants


def drop_moments(db: apsw.Connection, number: int) -> None:
    """The chunk goes, or comes again: the UTC days it stood in are to be looked at."""
    db.execute(
        "INSERT OR IGNORE INTO touched_days SELECT DISTINCT at_us / ? - (at_us % ? < 0) FROM moments WHERE chunk = ?",
        (_DAY_US, _DAY_US, number),
    )
    db.execute("DELETE FROM moments WHERE chunk = ?", (number,))


def touched_days(db: apsw.Connection) -> tuple[date, ...]:
    """UTC days from which something went."""
    return tuple(_EPOCH + timedelta(days=row[0]) for row in db.execute("SELECT utc_day FROM touched_days ORDER BY 1"))


def settle_days(db: apsw.Connection, days: Collection[date]) -> None:
    """These UTC days were looked at, or will be."""
    db.executemany("DELETE FROM touched_days WHERE utc_day = ?", [((day - _EPOCH).days,) for day in days])


def leaves_on(db: apsw.Connection, start: datetime, end: datetime) -> tuple[DayLeaf, ...]:
    """Admitted chunks of which something was said in [start, end), in time order."""
    rows = db.execute(
        "SELECT c.chunk_id, c.path, c.says, c.start_us, c.end_us FROM"
        " (SELECT DISTINCT chunk FROM moments WHERE at_us >= ? AND at_us < ?) m"
        " JOIN chunks c ON c.id = m.chunk WHERE c.status = 'admitted'"
        " ORDER BY c.start_us, c.source_id, c.seq, c.chunk_id",
        (to_us(start), to_us(end)),
    )
    return tuple(
        DayLeaf(chunk_id=chunk_id, path=path, body_sha256=sha256, start=from_us(first), end=from_us(last))
        for chunk_id, path, sha256, first, last in rows
    )


def digests(db: apsw.Connection) -> tuple[DigestRow, ...]:
    """Every node of the global tree, in a few words."""
    return tuple(map(_digest, db.execute(f"{_DIGESTS} ORDER BY level, path")))


def digests_named(db: apsw.Connection, names: Mapping[int, tuple[str, str]]) -> Iterator[DigestRow]:
    """Of each level those whose file's name ends in one from the first to the last, which are equally long."""
    query = f"{_DIGESTS} AND level = ? AND substr(path, ?, ?) BETWEEN ? AND ? ORDER BY path"
    for level, (first, last) in names.items():
        yield from map(_digest, db.execute(query, (level, -len(first) - len(".md"), len(first), first, last)))


_DIGESTS = "SELECT node_id, path, level, says, inputs FROM nodes WHERE tree_kind = 'global'"


def _digest(row: tuple[Any, ...]) -> DigestRow:
    node_id, path, level, says, inputs = row
    return DigestRow(node_id=node_id, path=path, level=level, says=says, inputs=inputs)


def leaf_facts(db: apsw.Connection, chunk_ids: Collection[str]) -> dict[str, LeafFacts]:
    """chunk_id -> what is known of it; those that are gone are left out."""
    rows = db.execute(_FACTS, (json.dumps(sorted(chunk_ids)),))
    found: dict[str, LeafFacts] = {}
    for chunk_id, scope, title, tokens, told in rows:
        alias, entities, score, interaction = json.loads(told)
        found[chunk_id] = LeafFacts(
            tree_scope=scope, alias=title if alias is None else alias, tokens=tokens, entities=tuple(entities),
            score=score, interaction=float(interaction or 0.0),
        )  # fmt: skip
    return found


_FACTS = (
    "SELECT c.chunk_id, c.tree_scope, c.title, c.tokens,"
    " json_extract(v.value, '$.aliases[0]', '$.entities', '$.score', '$.signals.interaction')"
    " FROM chunks c JOIN chunk_values v ON v.chunk = c.id WHERE c.chunk_id IN (SELECT value FROM json_each(?))"
)


def leaves_naming(db: apsw.Connection, entity_id: str) -> tuple[TopicLeaf, ...]:
    """The chunks, not dropped, that name an entity, in time order; whether a summary of its topic lists them."""
    rows = db.execute(_NAMING, (storable(entity_id),))
    return tuple(
        TopicLeaf(
            path=path,
            body_sha256=sha256,
            is_listed=bool(listed),
            leaf=Leaf(chunk_id=chunk_id, start=from_us(start), end=from_us(end), seq=seq, tokens=tokens, status=status),
        )
        for path, sha256, listed, chunk_id, start, end, seq, tokens, status in rows
    )


def passages_naming(db: apsw.Connection, entity_id: str, chunk_ids: Collection[str]) -> dict[str, frozenset[int]]:
    """chunk_id -> ordinals of its passages that name an entity."""
    found: dict[str, set[int]] = {}
    rows = db.execute(_PASSAGES_NAMING, (json.dumps(sorted(chunk_ids)), storable(entity_id)))
    for chunk_id, ordinal in rows:
        found.setdefault(chunk_id, set()).add(ordinal)
    return {chunk_id: frozenset(ordinals) for chunk_id, ordinals in found.items()}


def sightings(
    db: apsw.Connection, since: datetime, until: datetime | None
) -> tuple[tuple[str, str, str, datetime, int], ...]:
    """(entity id, chunk_id, tree scope, time of the newest passage that names it, how many do) of admitted chunks that
    reach past `since` and begin before `until`."""
    rows = db.execute(_SIGHTINGS, (to_us(since), to_us(until) if until else _NO_END))
    return tuple((entity, chunk_id, scope, from_us(at), count) for entity, chunk_id, scope, at, count in rows)


def chunks_naming(db: apsw.Connection) -> Mapping[str, int]:
    """Entity id -> admitted chunks that name it."""
    return dict(db.execute(_CHUNKS_NAMING))


def named_until(db: apsw.Connection, end: datetime) -> Mapping[str, tuple[int, int, int]]:
    """Entity id -> mentions, chunks and the sum of their times, of the admitted chunks that end before this."""
    return {
        entity: (mentions, chunks, times) for entity, mentions, chunks, times in db.execute(_NAMED_UNTIL, (to_us(end),))
    }


def admitted_by_day(db: apsw.Connection) -> Mapping[date, int]:
    """UTC day -> admitted chunks that end on it."""
    rows = db.execute(
        "SELECT end_us / ?1 - (end_us % ?1 < 0), count(*) FROM chunks WHERE status = 'admitted' GROUP BY 1", (_DAY_US,)
    )
    return {_EPOCH + timedelta(days=day): count for day, count in rows}
