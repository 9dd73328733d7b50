"""Summary nodes: their rows, and what a changed row means for those around it. A node's row holds its note's text."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import apsw

import vaultmem.store.index.spans as spans  # noqa: PLR0402 - no edge to the package itself
from vaultmem.core.grow.inputs import says_of
from vaultmem.core.notes.summarynote import parse_summary_note
from vaultmem.grown import Listing, NodeEntry, SummaryNode, TreeKind
from vaultmem.model import FileStat
from vaultmem.store.index.rows import as_json, storable, to_us
from vaultmem.store.index.tallies import add

#: What the digest covers of a node: never its clock.
DIGESTED = (
    "SELECT node_id, tree_kind, tree_scope, level, body_sha256, (SELECT json_group_array(child_id) FROM"
    " (SELECT child_id FROM node_children c WHERE c.node_id = n.node_id ORDER BY place)) FROM nodes n ORDER BY node_id"
)

#: Rows that others' links and parents follow from: kind, scope, level, start, path, title.
_Shape = tuple[object, ...]
_SHAPE = "tree_kind, tree_scope, level, start_us, path, title"


def put_nodes(db: apsw.Connection, entries: Sequence[NodeEntry], removed: Collection[str]) -> None:
    """Replace the rows of these nodes (by id and by path) and drop those of the removed paths."""
    touched: set[str] = set()
    for path in removed:
        for (node_id,) in list(db.execute("SELECT node_id FROM nodes WHERE path = ?", (path,))):
            touched |= _remove(db, node_id)
    for entry in entries:
        other = db.execute(
            "SELECT node_id FROM nodes WHERE path = ? AND node_id <> ?", (entry.path, entry.node.node_id)
        ).fetchone()
        if other:
            touched |= _remove(db, other[0])
        touched |= _put(db, entry)
    spans.refresh_around(db, touched)


def _put(db: apsw.Connection, entry: NodeEntry) -> set[str]:
    """The node's row. What links to it or stands below it is looked at again only if its place in the tree changed.

    Returns the ids of nodes and children whose place changed.
    """
    node = entry.node
    before, old_children = _shape(db, node.node_id), _children(db, node.node_id)
    shape = (
        node.tree_kind, storable(node.tree_scope), node.tree_level, to_us(node.time_start), entry.path,
        storable(node.title),
    )  # fmt: skip
    children = list(dict.fromkeys(node.child_ids))
    changed = before != shape or old_children != children
    if before and changed:
        _touch_neighbours(db, node.node_id, before)
    due = changed or bool(db.execute("SELECT links_due FROM nodes WHERE node_id = ?", (node.node_id,)).get)
    _delete(db, node.node_id)
    listed = db.execute("SELECT EXISTS (SELECT 1 FROM node_children WHERE child_id = ?)", (node.node_id,)).get
    db.execute(
        f"INSERT INTO nodes (node_id, {_SHAPE}, end_us, body_sha256, size, mtime_ns, listed, links_due, says,"  # noqa: S608 - constant names
        f" inputs, text) VALUES ({', '.join('?' * 16)})",
        (
            node.node_id, *shape, to_us(node.time_end), entry.body_sha256, entry.size, entry.mtime_ns,
            listed, due, says_of(node), node.inputs, storable(entry.text),
        ),
    )  # fmt: skip
    add(db, "summaries", 1)
    db.executemany(
        "INSERT INTO node_children VALUES (?, ?, ?)",
        [(node.node_id, place, storable(child)) for place, child in enumerate(children)],
    )
    if changed:
        _touch_neighbours(db, node.node_id, shape)
        _touch_children(db, {*old_children, *children}, owns=_owns(before, shape))
    return {node.node_id, *old_children, *children} if changed and _owns(before, shape) else set()


def _remove(db: apsw.Connection, node_id: str) -> set[str]:
    """Drop a node; what it listed is open again. Returns the ids whose place changed: its own and theirs."""
    shape, children = _shape(db, node_id), _children(db, node_id)
    _delete(db, node_id)
    if shape:
        _touch_neighbours(db, node_id, shape)
    _touch_children(db, children, owns=_owns(shape))
    return {node_id, *children} if _owns(shape) else set()


def _owns(*shapes: _Shape | None) -> bool:
    """Whether leaves belong to such a node and spans are kept of it. A day, or a topic, lists what belongs elsewhere:
    of thousands of leaves that it lists none has another place because of it.
    """
    return any(shape is not None and shape[0] == "source" for shape in shapes)


def _delete(db: apsw.Connection, node_id: str) -> None:
    db.execute("DELETE FROM node_children WHERE node_id = ?", (node_id,))
    db.execute("DELETE FROM nodes WHERE node_id = ?", (node_id,))
    add(db, "summaries", -db.changes())


def _shape(db: apsw.Connection, node_id: str) -> _Shape | None:
    return db.execute(f"SELECT {_SHAPE} FROM nodes WHERE node_id = ?", (node_id,)).fetchone()  # noqa: S608


def _children(db: apsw.Connection, node_id: str) -> list[str]:
    rows = db.execute("SELECT child_id FROM node_children WHERE node_id = ? ORDER BY place", (node_id,))
    return [row[0] for row in rows]


def _touch_neighbours(db: apsw.Connection, node_id: str, shape: _Shape) -> None:
    """The links of the elder and the younger sibling are due, as seen from this place."""
    for sign, order in (("<", "DESC"), (">", "ASC")):
        db.execute(
            f"UPDATE nodes SET links_due = 1 WHERE node_id = (SELECT node_id FROM nodes WHERE tree_kind = ?"  # noqa: S608
            f" AND tree_scope = ? AND level = ? AND (start_us, node_id) {sign} (?, ?)"
            f" ORDER BY start_us {order}, node_id {order} LIMIT 1)",
            (*shape[:4], node_id),
        )


def _touch_children(db: apsw.Connection, children: Collection[str], *, owns: bool) -> None:
    """Whether these are listed, as the rows stand now; the links of nodes among them are due. `owns`: see `_owns`."""
    ids = json.dumps(sorted(children))
    if owns:
        spans.put_parents(db, ids)
    db.execute(
        "UPDATE nodes SET links_due = 1, listed = EXISTS (SELECT 1 FROM node_children k"
        " WHERE k.child_id = nodes.node_id) WHERE node_id IN (SELECT value FROM json_each(?))",
        (ids,),
    )


def node_stats(db: apsw.Connection, paths: Collection[str] | None) -> dict[str, FileStat]:
    """Summary notes the index knows, all or those at these paths: path -> stat at indexing."""
    named = "" if paths is None else " WHERE path IN (SELECT value FROM json_each(?))"
    found = () if paths is None else (as_json(paths),)
    rows = db.execute(f"SELECT path, size, mtime_ns FROM nodes{named}", found)  # noqa: S608 - the text above
    return {path: FileStat(path=path, size=size, mtime_ns=mtime_ns) for path, size, mtime_ns in rows}


def nodes_of(db: apsw.Connection, kind: TreeKind, scope: str) -> Iterator[tuple[str, SummaryNode]]:
    """(path, node) of a tree, lowest level first, then by id."""
    rows = db.execute(
        "SELECT path, text FROM nodes WHERE tree_kind = ? AND tree_scope = ? ORDER BY level, node_id",
        (kind, storable(scope)),
    )
    return ((path, parse_summary_note(text)) for path, text in rows)


def listings(db: apsw.Connection, kind: TreeKind, scope: str) -> Iterator[Listing]:
    """What each node of a tree lists, lowest level first, then by id."""
    rows = db.execute(
        "SELECT n.node_id, n.level, k.child_id FROM nodes n INDEXED BY nodes_of_tree"
        " LEFT JOIN node_children k ON k.node_id = n.node_id WHERE n.tree_kind = ? AND n.tree_scope = ?"
        " ORDER BY n.level, n.node_id, k.place",
        (kind, storable(scope)),
    )
    for (node_id, level), own in groupby(rows, key=itemgetter(0, 1)):
        yield Listing(node_id, level, tuple(child for _, _, child in own if child is not None))


def node(db: apsw.Connection, node_id: str) -> tuple[str, SummaryNode] | None:
    """(path, node) or None."""
    row = db.execute("SELECT path, text FROM nodes WHERE node_id = ?", (node_id,)).fetchone()
    return (row[0], parse_summary_note(row[1])) if row else None


def nodes_named(db: apsw.Connection, node_ids: Collection[str]) -> Mapping[str, tuple[str, SummaryNode]]:
    """node_id -> (path, node), of those of these that there are."""
    rows = db.execute(
        "SELECT n.node_id, n.path, n.text FROM json_each(?) j CROSS JOIN nodes n ON n.node_id = j.value",
        (as_json(node_ids),),
    )
    return {node_id: (path, parse_summary_note(text)) for node_id, path, text in rows}


def node_at(db: apsw.Connection, path: str) -> SummaryNode | None:
    """The node whose note stands there, as it was indexed."""
    row = db.execute("SELECT text FROM nodes WHERE path = ?", (path,)).fetchone()
    return parse_summary_note(row[0]) if row else None


def perhaps_edited(db: apsw.Connection) -> tuple[str, ...]:
    """Paths of the nodes whose notes do not plainly state the hash of their bodies: all that a person edited."""
    stated = """instr(text, 'body_sha256: "' || body_sha256 || '"')"""
    return tuple(row[0] for row in db.execute(f"SELECT path FROM nodes WHERE NOT {stated} ORDER BY path"))  # noqa: S608


def parents_of(db: apsw.Connection, child_ids: Collection[str], kind: TreeKind, scope: str | None) -> Mapping[str, str]:
    """Leaf or node -> the node of such a tree that lists it, of several the first by id; without those none lists."""
    rows: Any = db.execute(
        "SELECT k.child_id, min(k.node_id) FROM json_each(?1) j CROSS JOIN node_children k ON k.child_id = j.value"
        " CROSS JOIN nodes n ON n.node_id = k.node_id"
        " WHERE n.tree_kind = ?2 AND (?3 IS NULL OR n.tree_scope = ?3) GROUP BY k.child_id",
        (as_json(child_ids), kind, None if scope is None else storable(scope)),
    )
    return dict(rows)
