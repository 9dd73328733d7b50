"""What stands below each summary of a source tree: its live leaves' times, sources and tokens, kept with every change.

A node's row follows from its children's rows alone, and is made anew from them upward: a changed leaf costs as much as
its tree is high. A child belongs to one node: of several of its tree that list it, the first by id.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from heapq import heapify, heappop, heappush

import apsw

#: The columns of core.recall.cover.Branch, in its order; the rest say where the node stands.
BRANCH = (
    "node_id, level, tree_scope, first_us, last_us, end_us, least_source, most_source, least_kind, most_kind, tokens,"
    " leaves, sound"
)
#: A chunk as such a row.
LEAF = (
    "c.chunk_id, 0, c.tree_scope, c.start_us, c.start_us, c.end_us, c.source_id, c.source_id, c.source_kind,"
    " c.source_kind, c.tokens, 1, 1"
)
#: The node of this tree that a child (of a level) belongs to: bind scope.
OWNER = (
    "(SELECT min(o.node_id) FROM node_children o JOIN nodes p ON p.node_id = o.node_id AND p.tree_kind = 'source'"
    " AND p.tree_scope = {scope} AND p.level > {level} WHERE o.child_id = {child})"
)
#: The same of a leaf.
OWNER_OF_LEAF = OWNER.format(scope="chunks.tree_scope", level="-1", child="chunks.chunk_id")
_BELOW = """
SELECT start_us AS first_us, start_us AS last_us, end_us, source_id AS least_source, source_id AS most_source,
    source_kind AS least_kind, source_kind AS most_kind, tokens, 1 AS leaves, 1 AS sound
FROM chunks WHERE parent <> '' AND parent = ?1 AND status <> 'dropped'
UNION ALL
SELECT first_us, last_us, end_us, least_source, most_source, least_kind, most_kind, tokens, leaves, sound
FROM spans WHERE parent = ?1
"""
_SUM = f"""
SELECT coalesce(min(first_us) FILTER (WHERE leaves > 0), 0), coalesce(max(last_us) FILTER (WHERE leaves > 0), 0),
    coalesce(max(end_us) FILTER (WHERE leaves > 0), 0), coalesce(min(least_source) FILTER (WHERE leaves > 0), ''),
    coalesce(max(most_source) FILTER (WHERE leaves > 0), ''), coalesce(min(least_kind) FILTER (WHERE leaves > 0), ''),
    coalesce(max(most_kind) FILTER (WHERE leaves > 0), ''), coalesce(sum(tokens), 0), coalesce(sum(leaves), 0),
    coalesce(min(sound), 0) AND count(*) = (SELECT count(*) FROM node_children WHERE node_id = ?1)
FROM ({_BELOW})
"""  # noqa: S608 - made of constants
_PUT = f"INSERT INTO spans ({BRANCH}, parent) VALUES ({', '.join('?' * 14)})"  # noqa: S608 - made of constants


def parent_of_leaf(db: apsw.Connection, chunk_id: str, scope: str) -> str:
    """The summary of its source tree that a leaf belongs to; "" for none."""
    owner = OWNER.format(scope="?2", level="-1", child="?1")
    return str(db.execute(f"SELECT {owner}", (chunk_id, scope)).get or "")


def put_parents(db: apsw.Connection, ids: str) -> None:
    """Whom the leaves among these (a JSON list) belong to, as the nodes stand now."""
    db.execute(
        f"UPDATE chunks SET parent = coalesce({OWNER_OF_LEAF}, '') WHERE chunk_id IN (SELECT value FROM json_each(?))",  # noqa: S608
        (ids,),
    )
    db.execute("UPDATE chunks SET listed = parent <> '' WHERE chunk_id IN (SELECT value FROM json_each(?))", (ids,))


def refresh(db: apsw.Connection, node_ids: Iterable[str]) -> None:
    """Make the rows of these nodes anew, and of those above that change with them."""
    waiting = set(node_ids)
    lowest = [(_level(db, node_id), node_id) for node_id in waiting]
    heapify(lowest)
    while lowest:
        level, node_id = heappop(lowest)
        waiting.remove(node_id)
        for above, its_level in _listing(db, [node_id]) if _renew(db, node_id) else ():
            # levels only rise, so even a note that lists itself comes to an end
            if its_level > level and above not in waiting:
                waiting.add(above)
                heappush(lowest, (its_level, above))


def refresh_around(db: apsw.Connection, ids: Collection[str]) -> None:
    """These nodes and leaves came, went or changed: their own rows and those of the nodes that list them."""
    if ids:
        own = db.execute(
            "SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM spans s WHERE s.node_id = value)"
            " OR EXISTS (SELECT 1 FROM nodes n WHERE n.node_id = value AND n.tree_kind = 'source')",
            (json.dumps(sorted(ids)),),
        )
        refresh(db, {*(row[0] for row in own), *(node_id for node_id, _ in _listing(db, ids))})


def _listing(db: apsw.Connection, child_ids: Collection[str]) -> list[tuple[str, int]]:
    """(node, level) of the source trees' nodes that list one of these."""
    rows = db.execute(
        "SELECT DISTINCT n.node_id, n.level FROM json_each(?) j CROSS JOIN node_children k ON k.child_id = j.value"
        " CROSS JOIN nodes n ON n.node_id = k.node_id WHERE n.tree_kind = 'source'",
        (json.dumps(sorted(child_ids)),),
    )
    return list(rows)


def _level(db: apsw.Connection, node_id: str) -> int:
    row = db.execute("SELECT level FROM nodes WHERE node_id = ?", (node_id,)).fetchone()
    return int(row[0]) if row else -1


def _renew(db: apsw.Connection, node_id: str) -> bool:
    """Make one node's row anew; whether it changed."""
    row = f"SELECT {BRANCH}, parent FROM spans WHERE node_id = ?"  # noqa: S608 - made of constants
    before = db.execute(row, (node_id,)).fetchone()
    place = db.execute(
        "SELECT node_id, level, tree_scope FROM nodes WHERE node_id = ? AND tree_kind = 'source'", (node_id,)
    ).fetchone()
    after = None
    if place is not None:
        sums = db.execute(_SUM, (node_id,)).fetchone()
        owner = OWNER.format(scope="?1", level="?2", child="?3")
        parent = db.execute(f"SELECT {owner}", (place[2], place[1], node_id)).get
        after = (*place, *(sums or ()), parent or "")
    if before == after:
        return False
    db.execute("DELETE FROM spans WHERE node_id = ?", (node_id,))
    if after is not None:
        db.execute(_PUT, after)
    return True
