"""When a tree seals: pure planning over leaves and nodes. The same leaves and nodes give the same plan in any order.

plan_seals(leaves, nodes, now=now, kind="source", scope="slack:eng")  -> the seals that are due, oldest first

A seal takes the first children in time order that no node lists: leaves at 50,000 tokens or 10 of them, nodes at 10. A
leaf that is still to be judged holds up whatever would come to stand behind it; a buffer of leaves that has been quiet
for 7 days is sealed as it is. A node still to be made may come to stand in front of its elder siblings, so those behind
the first leaf that waits wait too. Carry out a plan in any order, then ask again.

A plan needs no more of a tree than its open frontier: the leaves and nodes that no node lists, and of the leaves those
that come first (`more`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from vaultmem.core.notes.ids import sha256_hex
from vaultmem.grown import Leaf, Node, Position, TreeKind

SEAL_TOKENS = 50_000
SEAL_SIBLINGS = 10
QUIET = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """A summary to be made."""

    node_id: str
    level: int
    #: in time order
    child_ids: tuple[str, ...]
    start: datetime
    end: datetime
    #: of its first leaf
    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class _Child:
    """A leaf or a node that waits for a parent."""

    id: str
    position: Position
    end: datetime
    tokens: int = 0
    pending: bool = False


def node_id(kind: TreeKind, scope: str, level: int, first_child: str) -> str:
    """32 hex digits, fixed at the first seal: whoever seals these children again finds the same node."""
    return sha256_hex("\0".join([kind, scope, str(level), first_child]).encode("utf-8", "surrogatepass"))[:32]


def plan_seals(
    leaves: Iterable[Leaf], nodes: Iterable[Node], *, now: datetime, kind: TreeKind, scope: str, more: bool = False
) -> tuple[Seal, ...]:
    """The seals that are due, the highest level first. Empty: the tree is at rest until a leaf comes or time passes.

    `more`: leaves that are not given stand behind those that are.
    """
    leaves, nodes = tuple(leaves), tuple(nodes)
    listed = {child for node in nodes for child in node.child_ids}
    waiting = _buffer(leaves, listed)
    due = [_seal(kind, scope, 1, group) for group in _leaf_groups(waiting, now, more)]
    # While a leaf is to be sealed or judged, a node may still be made that starts where the first leaf that waits does.
    restless = more or bool(due) or any(leaf.pending for leaf in waiting)
    frontier = waiting[0].position if restless and waiting else None
    positions = _node_positions(leaves, nodes)
    for level in range(1, max((node.level for node in nodes), default=0) + 1):
        siblings = sorted(
            (
                _Child(id=node.node_id, position=positions[node.node_id], end=node.end)
                for node in nodes
                if node.level == level and node.node_id not in listed
            ),
            key=lambda child: child.position,
        )
        groups = list(_node_groups(siblings, frontier))
        due = [*(_seal(kind, scope, level + 1, group) for group in groups), *due]
        if siblings and (groups or frontier):
            frontier = min(frontier, siblings[0].position) if frontier else siblings[0].position
    return tuple(due)


def _leaf_position(leaf: Leaf) -> Position:
    return (leaf.start, leaf.seq, leaf.chunk_id)


def _node_positions(leaves: Sequence[Leaf], nodes: Sequence[Node]) -> dict[str, Position]:
    """Where each node stands: where its first leaf does. A node that lost it stands at its own start."""
    found = {leaf.chunk_id: _leaf_position(leaf) for leaf in leaves}
    for node in sorted(nodes, key=lambda node: (node.level, node.node_id)):
        first = node.child_ids[0] if node.child_ids else ""
        found[node.node_id] = node.position or found.get(first, (node.start, 0, node.node_id))
    return found


def _buffer(leaves: Iterable[Leaf], listed: set[str]) -> list[_Child]:
    """The leaves that no node lists, in order; dropped ones are none."""
    found = {leaf.chunk_id: leaf for leaf in leaves if leaf.status != "dropped" and leaf.chunk_id not in listed}
    children = (
        _Child(
            id=leaf.chunk_id,
            position=_leaf_position(leaf),
            end=leaf.end,
            tokens=leaf.tokens,
            pending=leaf.status == "pending",
        )
        for leaf in found.values()
    )
    return sorted(children, key=lambda child: child.position)


def _leaf_groups(waiting: Sequence[_Child], now: datetime, more: bool) -> Iterable[Sequence[_Child]]:
    first, tokens = 0, 0
    for index, leaf in enumerate(waiting):
        if leaf.pending:
            return
        tokens += leaf.tokens
        if tokens >= SEAL_TOKENS or index + 1 - first >= SEAL_SIBLINGS:
            yield waiting[first : index + 1]
            first, tokens = index + 1, 0
    rest = waiting[first:]
    if rest and not more and max(leaf.end for leaf in rest) <= now - QUIET:
        yield rest


def _node_groups(siblings: Sequence[_Child], frontier: Position | None) -> Iterable[Sequence[_Child]]:
    for first in range(0, len(siblings) - SEAL_SIBLINGS + 1, SEAL_SIBLINGS):
        group = siblings[first : first + SEAL_SIBLINGS]
        if frontier is not None and group[-1].position >= frontier:
            return
        yield group


def _seal(kind: TreeKind, scope: str, level: int, group: Sequence[_Child]) -> Seal:
    return Seal(
        node_id=node_id(kind, scope, level, group[0].id),
        level=level,
        child_ids=tuple(child.id for child in group),
        start=group[0].position[0],
        end=max(child.end for child in group),
        position=group[0].position,
    )
