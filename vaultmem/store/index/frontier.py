"""What growing a tree asks of the index, without looking at the whole of it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection, Iterable

import apsw

from vaultmem.grown import Leaf, Link, Neighbours, Node, NodeLine, Position, SourceStand, TreeKind
from vaultmem.store.index.rows import from_us, storable, to_us

_LEAF = "c.chunk_id, c.start_us, c.end_us, c.seq, c.tokens, c.status, c.says"
#: Deeper than any tree: a note that a person broke may list itself.
_DEEPEST = 40


def _leaf(row: tuple[str, int, int, int, int, str, str]) -> Leaf:
    chunk_id, start, end, seq, tokens, status, says = row
    return Leaf(
        chunk_id=chunk_id, start=from_us(start), end=from_us(end), seq=seq, tokens=tokens,
        status=status, says=says,  # type: ignore[arg-type]
    )  # fmt: skip


def source_stand(db: apsw.Connection, tree_scope: str) -> SourceStand | None:
    """What the leaves look like together; None when there is none. Row by row: a mailbox has very many."""
    seen = hashlib.sha256()
    first, last = math.inf, -math.inf
    rows = db.execute(
        "SELECT path, chunk_id, status, listed, says, start_us, end_us FROM chunks"
        " WHERE tree_scope = ? AND status <> 'dropped' ORDER BY chunk_id",
        (storable(tree_scope),),
    )
    for *parts, start, end in rows:
        seen.update(f"{parts}\n".encode("utf-8", "surrogatepass"))
        first, last = min(first, start), max(last, end)
    if first > last:
        return None
    return SourceStand(first=from_us(int(first)), last=from_us(int(last)), fingerprint=seen.hexdigest())


def newest_leaves(db: apsw.Connection, tree_scope: str, limit: int) -> tuple[str, ...]:
    """chunk_ids of a source tree's last leaves, newest first."""
    rows = db.execute(
        "SELECT chunk_id FROM chunks WHERE tree_scope = ? AND status <> 'dropped'"
        " ORDER BY end_us DESC, chunk_id DESC LIMIT ?",
        (storable(tree_scope), limit),
    )
    return tuple(chunk_id for (chunk_id,) in rows)


def waiting_leaves(db: apsw.Connection, tree_scope: str, limit: int) -> tuple[str, ...]:
    """chunk_ids of the last admitted leaves of a source tree that no summary of it lists, in the tree's order."""
    rows = db.execute(
        "SELECT chunk_id FROM chunks WHERE tree_scope = ? AND listed = 0 AND status = 'admitted'"
        " ORDER BY start_us DESC, seq DESC, chunk_id DESC LIMIT ?",
        (storable(tree_scope), limit),
    )
    return tuple(chunk_id for (chunk_id,) in rows)[::-1]


def node_lines(db: apsw.Connection, kind: TreeKind, scope: str) -> tuple[NodeLine, ...]:
    """The summaries of a tree, the newest first."""
    rows = db.execute(
        "SELECT node_id, path, level, title, end_us, body_sha256 FROM nodes WHERE tree_kind = ? AND tree_scope = ?"
        " ORDER BY end_us DESC, node_id DESC",
        (kind, storable(scope)),
    )
    return tuple(
        NodeLine(node_id=node_id, path=path, level=level, title=title, end=from_us(end), body_sha256=sha256)
        for node_id, path, level, title, end, sha256 in rows
    )


def open_leaves(db: apsw.Connection, tree_scope: str, limit: int) -> tuple[tuple[Leaf, ...], bool]:
    """The first leaves of a source tree that no summary lists and that were not dropped; whether there are more."""
    rows = db.execute(
        f"SELECT {_LEAF} FROM chunks c WHERE tree_scope = ? AND listed = 0 AND status <> 'dropped'"  # noqa: S608
        " ORDER BY start_us, seq, chunk_id LIMIT ?",
        (storable(tree_scope), limit + 1),
    )
    found = [_leaf(row) for row in rows]
    return tuple(found[:limit]), len(found) > limit


def open_nodes(db: apsw.Connection, kind: TreeKind, scope: str) -> tuple[Node, ...]:
    """The nodes of a tree that no other lists, each with the place of its first leaf."""
    rows = list(
        db.execute(
            "SELECT node_id, level, start_us, end_us FROM nodes WHERE tree_kind = ? AND tree_scope = ? AND listed = 0"
            " ORDER BY level, node_id",
            (kind, storable(scope)),
        )
    )
    return tuple(
        Node(
            node_id=node_id, level=level, start=from_us(start), end=from_us(end),
            position=_edge(db, node_id, start, first=True),
        )
        for node_id, level, start, end in rows
    )  # fmt: skip


def _edge(db: apsw.Connection, node_id: str, start_us: int, *, first: bool) -> Position:
    """Where the first or last leaf below a node stands; where that is gone, the lowest node above it does."""
    order = "ASC" if first else "DESC"
    here = (from_us(start_us), 0, node_id)
    child = node_id
    for _ in range(_DEEPEST):
        row = db.execute(
            f"SELECT child_id FROM node_children WHERE node_id = ? ORDER BY place {order} LIMIT 1",  # noqa: S608
            (child,),
        ).fetchone()
        child = row[0] if row else ""
        node = db.execute("SELECT start_us FROM nodes WHERE node_id = ?", (child,)).fetchone()
        if node is None:
            leaf = db.execute("SELECT start_us, seq, chunk_id FROM chunks WHERE chunk_id = ?", (child,)).fetchone()
            return (from_us(leaf[0]), leaf[1], leaf[2]) if leaf else here
        here = (from_us(node[0]), 0, child)
    return here


def last_position(db: apsw.Connection, child_ids: Collection[str]) -> Position | None:
    """Where the last leaf stands that is one of these, or the last below one of these; None when all are gone."""
    found: list[Position] = []
    for child in child_ids:
        leaf = db.execute("SELECT start_us, seq, chunk_id FROM chunks WHERE chunk_id = ?", (child,)).fetchone()
        if leaf:
            found.append((from_us(leaf[0]), leaf[1], leaf[2]))
            continue
        node = db.execute("SELECT start_us FROM nodes WHERE node_id = ?", (child,)).fetchone()
        if node:
            found.append(_edge(db, child, node[0], first=False))
    return max(found, default=None)


def leaves_up_to(db: apsw.Connection, tree_scope: str, last: Position, limit: int) -> tuple[str, ...]:
    """chunk_ids of the last admitted leaves of a source tree up to this place, in order."""
    rows = db.execute(
        "SELECT chunk_id FROM chunks WHERE tree_scope = ? AND status = 'admitted' AND (start_us, seq, chunk_id) <="
        " (?, ?, ?) ORDER BY start_us DESC, seq DESC, chunk_id DESC LIMIT ?",
        (storable(tree_scope), to_us(last[0]), last[1], last[2], limit),
    )
    return tuple(row[0] for row in list(rows)[::-1])


def leaf_paths(db: apsw.Connection, ids: Collection[str]) -> dict[str, str]:
    """chunk_id -> path of those of these ids that are leaves, and of all leaves below those that are nodes."""
    rows = db.execute(
        "WITH RECURSIVE below (id) AS (SELECT value FROM json_each(?) UNION"
        " SELECT k.child_id FROM below b JOIN node_children k ON k.node_id = b.id)"
        " SELECT c.chunk_id, c.path FROM below b JOIN chunks c ON c.chunk_id = b.id"
        " ORDER BY c.start_us, c.seq, c.chunk_id",
        (json.dumps(list(ids)),),
    )
    return dict(rows)


def links_due(db: apsw.Connection, kind: TreeKind, scope: str) -> tuple[str, ...]:
    """Nodes whose links may not be those of the tree as it stands."""
    rows = db.execute(
        "SELECT node_id FROM nodes WHERE tree_kind = ? AND tree_scope = ? AND links_due = 1 ORDER BY level, node_id",
        (kind, storable(scope)),
    )
    return tuple(row[0] for row in rows)


def trees_to_link(db: apsw.Connection) -> tuple[tuple[TreeKind, str], ...]:
    """(kind, scope) of the trees with such nodes."""
    rows = db.execute("SELECT DISTINCT tree_kind, tree_scope FROM nodes WHERE links_due = 1 ORDER BY 1, 2")
    return tuple((kind, str(scope)) for kind, scope in rows)


def links_done(db: apsw.Connection, node_ids: Iterable[str]) -> None:
    """These nodes' links are in order."""
    db.execute(
        "UPDATE nodes SET links_due = 0 WHERE node_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(node_ids)),),
    )


def neighbours(db: apsw.Connection, node_id: str) -> Neighbours:
    """The parent and the siblings of a node in its own tree."""
    place = db.execute(
        "SELECT tree_kind, tree_scope, level, start_us, node_id FROM nodes WHERE node_id = ?", (node_id,)
    ).fetchone()
    if place is None:
        return Neighbours()
    parent = db.execute(
        "SELECT n.path, n.title FROM node_children k JOIN nodes n ON n.node_id = k.node_id WHERE k.child_id = ?"
        " AND n.tree_kind = ? AND n.tree_scope = ? ORDER BY n.node_id LIMIT 1",
        (node_id, *place[:2]),
    ).fetchone()
    beside = [
        db.execute(
            "SELECT path, title FROM nodes WHERE tree_kind = ? AND tree_scope = ? AND level = ?"  # noqa: S608
            f" AND (start_us, node_id) {sign} (?, ?) ORDER BY start_us {order}, node_id {order} LIMIT 1",
            place,
        ).fetchone()
        for sign, order in (("<", "DESC"), (">", "ASC"))
    ]
    return Neighbours(up=_link(parent), previous=_link(beside[0]), following=_link(beside[1]))


def _link(row: tuple[str, str] | None) -> Link | None:
    return Link(path=row[0], alias=row[1]) if row else None


def scopes(db: apsw.Connection) -> tuple[tuple[str, str], ...]:
    """(tree_scope, source_kind) of every source tree."""
    return tuple(db.execute("SELECT tree_scope, min(source_kind) FROM sources GROUP BY tree_scope ORDER BY tree_scope"))


def tree_title(db: apsw.Connection, tree_scope: str) -> str:
    """The one title of all sources of a tree, each source's being that of its newest chunk; "" when they differ."""
    titles: set[str] = set()
    source = ""
    scope = storable(tree_scope)
    while len(titles) < 2:
        row = db.execute(
            "SELECT min(source_id) FROM chunks WHERE tree_scope = ? AND source_id > ?", (scope, source)
        ).fetchone()
        if row is None or row[0] is None:
            break
        source = row[0]
        titles.add(
            str(
                db.execute(
                    "SELECT title FROM chunks WHERE source_id = ? ORDER BY end_us DESC, seq DESC LIMIT 1", (source,)
                ).get
            )
        )
    return titles.pop() if len(titles) == 1 else ""


def tree_scopes(db: apsw.Connection, kind: TreeKind) -> tuple[str, ...]:
    """Scopes of the trees of a kind that have a summary."""
    rows = db.execute("SELECT DISTINCT tree_scope FROM nodes WHERE tree_kind = ? ORDER BY 1", (kind,))
    return tuple(row[0] for row in rows)
