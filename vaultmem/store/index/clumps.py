"""The cover of a window as clumps: what stands below a node that a border cuts is summed in SQL, and not listed.

A cover of a million leaves holds up to twenty thousand nodes, of which a question shows twenty: to make a row of each
costs more than to find them. So the forest is gone through a level at a time, and of each only the nodes that a border
cuts are named.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import apsw

from vaultmem.forest import Asked, Clump
from vaultmem.store.index.conditions import conditions, values

# Indexes are named, or SQLite reads all leaves of a source for the few that no node lists.
_TOPS = """
SELECT tree_scope, count(*), sum(tokens), max(last_us), max(tokens) FROM spans
WHERE parent = '' AND {held} GROUP BY tree_scope
UNION ALL
SELECT tree_scope, count(*), sum(tokens), max(start_us), max(tokens) FROM chunks INDEXED BY chunks_loose
WHERE listed = 0 AND {leaf} GROUP BY tree_scope
"""
_CUT_TOPS = "SELECT node_id, tree_scope FROM spans WHERE parent = '' AND level > 0 AND {touched} AND NOT ({held})"
# LIMIT -1 keeps the inner question whole: a row is judged once, and not by each sum. Of a node below which no span
# stands nothing is told.
_BELOW = """
SELECT '[' || coalesce(group_concat((
    SELECT json_array(
        w.key, json_group_array(node_id) FILTER (WHERE level > 0 AND NOT held), count(*) FILTER (WHERE held),
        sum(tokens) FILTER (WHERE held), max(last_us) FILTER (WHERE held), max(tokens) FILTER (WHERE held)
    ) FROM (
        SELECT node_id, level, last_us, tokens, {held} AS held FROM spans WHERE spans.parent = w.value AND {touched}
        LIMIT -1
    ) HAVING count(*)
)), '') || ']' FROM json_each(:ids) w
"""
_LEAVES_BELOW = """
SELECT w.key, count(*), sum(tokens), max(start_us), max(tokens)
FROM json_each(:ids) w CROSS JOIN chunks c INDEXED BY chunks_below
WHERE c.parent = w.value AND c.parent <> '' AND {leaf} GROUP BY w.key
"""
_LISTED = """
SELECT {span} FROM spans WHERE parent = '' AND tree_scope IN (SELECT value FROM json_each(:scopes)) AND {held}
UNION ALL
SELECT {chunk} FROM chunks c INDEXED BY chunks_open
WHERE listed = 0 AND tree_scope IN (SELECT value FROM json_each(:scopes)) AND {leaf}
UNION ALL
SELECT {span} FROM json_each(:ids) w CROSS JOIN spans s WHERE s.parent = w.value AND {held}
UNION ALL
SELECT {chunk} FROM json_each(:ids) w CROSS JOIN chunks c INDEXED BY chunks_below
WHERE c.parent = w.value AND c.parent <> '' AND {leaf}
"""


class Clumps:
    """The cover of one question. `span`, `chunk`: the columns that make a row of each a Branch."""

    def __init__(self, db: apsw.Connection, asked: Asked, *, span: str, chunk: str) -> None:
        self._db = db
        self._asked = values(asked)
        self._words = {"span": span, "chunk": chunk, **conditions(asked)}

    def found(self) -> Iterator[Clump]:
        """All of them: what has no parent by tree, the rest by the node above."""
        for scope, *sums in self._rows(_TOPS):
            yield Clump("", scope, *sums)
        cut = list(self._rows(_CUT_TOPS))
        while cut:
            ids = json.dumps([node_id for node_id, _ in cut])
            for at, *sums in self._rows(_LEAVES_BELOW, ids=ids):
                yield Clump(*cut[at], *sums)
            below = []
            for at, cut_here, size, *sums in json.loads(self._rows(_BELOW, ids=ids).get):
                parent, scope = cut[at]
                below += [(node_id, scope) for node_id in cut_here]
                if size:
                    yield Clump(parent, scope, size, *sums)
            cut = below

    def listed(self, clumps: Iterable[Clump]) -> Iterable[tuple[Any, ...]]:
        """The nodes of these as rows, and perhaps others of the same trees."""
        chosen = list(clumps)
        ids = sorted({clump.parent for clump in chosen if clump.parent})
        scopes = sorted({clump.scope for clump in chosen if not clump.parent})
        return self._rows(_LISTED, ids=json.dumps(ids), scopes=json.dumps(scopes))

    def _rows(self, query: str, **more: str | int) -> apsw.Cursor:
        return self._db.execute(query.format(**self._words), self._asked | more)
