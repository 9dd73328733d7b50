"""Summary nodes and the leaves below them. A node's row holds its note's text: the note is what a node is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

import apsw

from vaultmem.core.notes.summarynote import parse_summary_note
from vaultmem.grown import Leaf, NodeEntry, SummaryNode
from vaultmem.model import FileStat
from vaultmem.store.index.rows import from_us, storable

#: What the digest covers of a node: never its clock.
DIGESTED = (
    "SELECT node_id, tree_kind, tree_scope, level, body_sha256, (SELECT json_group_array(child_id) FROM"
    " (SELECT child_id FROM node_children c WHERE c.node_id = n.node_id ORDER BY place)) FROM nodes n ORDER BY node_id"
)


def put_nodes(db: apsw.Connection, entries: Sequence[NodeEntry], removed: Collection[str]) -> None:
    """Replace the rows of these nodes (by id and by path) and drop those of the removed paths."""
    for path in removed:
        _delete(db, "path = ?", path)
    for entry in entries:
        node = entry.node
        _delete(db, "node_id = ?", node.node_id)
        _delete(db, "path = ?", entry.path)
        db.execute(
            "INSERT INTO nodes (node_id, path, tree_kind, tree_scope, level, body_sha256, text, size, mtime_ns)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                node.node_id, entry.path, node.tree_kind, storable(node.tree_scope), node.tree_level,
                entry.body_sha256, storable(entry.text), entry.size, entry.mtime_ns,
            ),
        )  # fmt: skip
        db.executemany(
            "INSERT OR IGNORE INTO node_children VALUES (?, ?, ?)",
            [(node.node_id, place, child) for place, child in enumerate(node.child_ids)],
        )


def _delete(db: apsw.Connection, where: str, value: str) -> None:
    db.execute(f"DELETE FROM node_children WHERE node_id IN (SELECT node_id FROM nodes WHERE {where})", (value,))  # noqa: S608
    db.execute(f"DELETE FROM nodes WHERE {where}", (value,))  # noqa: S608 - the two conditions above


def node_stats(db: apsw.Connection) -> dict[str, FileStat]:
    """Summary notes the index knows: path -> stat at indexing."""
    rows = db.execute("SELECT path, size, mtime_ns FROM nodes")
    return {path: FileStat(path=path, size=size, mtime_ns=mtime_ns) for path, size, mtime_ns in rows}


def nodes_of(db: apsw.Connection, tree_scope: str) -> Iterator[tuple[str, SummaryNode]]:
    """(path, node) of a source tree, lowest level first, then by id."""
    rows = db.execute(
        "SELECT path, text FROM nodes WHERE tree_kind = 'source' AND tree_scope = ? ORDER BY level, node_id",
        (tree_scope,),
    )
    return ((path, _parsed(text)) for path, text in rows)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> SummaryNode:
    """The node its note says. Every job of a tree looks at all its nodes, and few have changed."""
    return parse_summary_note(text)


def node(db: apsw.Connection, node_id: str) -> tuple[str, SummaryNode] | None:
    """(path, node) or None."""
    row = db.execute("SELECT path, text FROM nodes WHERE node_id = ?", (node_id,)).fetchone()
    return (row[0], _parsed(row[1])) if row else None


def parent_of(db: apsw.Connection, child_id: str) -> str:
    """The node that lists this leaf or node; "" for none."""
    row = db.execute("SELECT min(node_id) FROM node_children WHERE child_id = ?", (child_id,)).get
    return str(row or "")


def leaves(db: apsw.Connection, tree_scope: str) -> tuple[tuple[str, Leaf], ...]:
    """(path, leaf) of every chunk of a source tree, dropped ones too."""
    rows = db.execute(
        "SELECT c.path, c.chunk_id, c.start_us, c.end_us, c.seq, v.value ->> 'token_count', c.status"
        " FROM chunks c JOIN chunk_values v ON v.chunk = c.id WHERE c.tree_scope = ? ORDER BY c.chunk_id",
        (tree_scope,),
    )
    return tuple(
        (
            path,
            Leaf(chunk_id=i, start=from_us(start), end=from_us(end), seq=seq, tokens=int(tokens), status=status),
        )
        for path, i, start, end, seq, tokens, status in rows
    )


def scopes(db: apsw.Connection) -> tuple[tuple[str, str], ...]:
    """(tree_scope, source_kind) of every source tree."""
    return tuple(db.execute("SELECT tree_scope, min(source_kind) FROM chunks GROUP BY tree_scope ORDER BY tree_scope"))
