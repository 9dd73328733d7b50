"""What growing asks of the index: the trees of summaries, as their notes say them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Protocol

from vaultmem.grown import (
    DayLeaf,
    DigestRow,
    Leaf,
    LeafFacts,
    Listing,
    Neighbours,
    Node,
    NodeEntry,
    NodeLine,
    Position,
    SourceStand,
    SummaryNode,
    TopicLeaf,
    TreeKind,
)
from vaultmem.model import FileStat


class Trees(Protocol):
    """The half of the index that knows trees. A tree is a kind and a scope; every node stands in one."""

    def commit_nodes(self, entries: Sequence[NodeEntry], *, removed: Collection[str] = ()) -> None:
        """Replace the rows of these summary notes (by node_id and by path) and drop those of the removed paths."""
        ...

    def node_stats(self, paths: Collection[str] | None = None) -> Mapping[str, FileStat]:
        """Summary notes the index knows, all or those at these paths: path -> stat at indexing."""
        ...

    def nodes(self, kind: TreeKind, scope: str) -> tuple[tuple[str, SummaryNode], ...]:
        """(path, node) of a tree, lowest level first."""
        ...

    def listings(self, kind: TreeKind, scope: str) -> tuple[Listing, ...]:
        """What each node of a tree lists, lowest level first, then by id: `nodes` without reading their notes."""
        ...

    def node(self, node_id: str) -> tuple[str, SummaryNode] | None:
        """(path, node) or None."""
        ...

    def nodes_named(self, node_ids: Collection[str]) -> Mapping[str, tuple[str, SummaryNode]]:
        """node_id -> (path, node), of those of these that there are."""
        ...

    def node_at(self, path: str) -> SummaryNode | None:
        """The node whose note stands at this path, as it was indexed."""
        ...

    def perhaps_edited(self) -> tuple[str, ...]:
        """Paths of the summaries that a person edited, and of some that nobody did: the others need not be read."""
        ...

    def parent_of(self, child_id: str, kind: TreeKind = "source", scope: str | None = None) -> str:
        """The node of such a tree that lists this leaf or node; "" for none. No scope: of any tree of the kind."""
        ...

    def parents_of(
        self, child_ids: Collection[str], kind: TreeKind = "source", scope: str | None = None
    ) -> Mapping[str, str]:
        """Leaf or node -> the node of such a tree that lists it; those that none lists are left out."""
        ...

    def node_lines(self, kind: TreeKind, scope: str) -> tuple[NodeLine, ...]:
        """The summaries of a tree, the newest first."""
        ...

    def source_stand(self, tree_scope: str) -> SourceStand | None:
        """What the leaves of a source tree look like together; None when it has none but dropped ones."""
        ...

    def waiting_leaves(self, tree_scope: str, limit: int) -> tuple[str, ...]:
        """chunk_ids of the last admitted leaves of a source tree that no summary lists, in the tree's order."""
        ...

    def newest_leaves(self, tree_scope: str, limit: int) -> tuple[str, ...]:
        """chunk_ids of a source tree's last leaves, newest first, dropped ones left out."""
        ...

    def scopes(self) -> tuple[tuple[str, str], ...]:
        """(tree_scope, source_kind) of every source tree."""
        ...

    def tree_title(self, tree_scope: str) -> str:
        """The one title that all sources of a source tree have; "" when they differ."""
        ...

    def open_leaves(self, tree_scope: str, limit: int) -> tuple[tuple[Leaf, ...], bool]:
        """The first leaves of a source tree that no summary of it lists, dropped ones left out; whether more follow."""
        ...

    def open_nodes(self, kind: TreeKind, scope: str) -> tuple[Node, ...]:
        """The nodes of a tree that no node lists, without their children, each with its first leaf's position."""
        ...

    def last_position(self, child_ids: Collection[str]) -> Position | None:
        """Where the last of these leaves, or of those below these nodes, stands; None when all are gone."""
        ...

    def leaves_up_to(self, tree_scope: str, last: Position, limit: int) -> tuple[str, ...]:
        """chunk_ids of the last admitted leaves of a source tree up to and with this position, in order."""
        ...

    def leaf_paths(self, ids: Collection[str]) -> Mapping[str, str]:
        """chunk_id -> path of those of these ids that are leaves, and of all leaves below those that are nodes."""
        ...

    def links_due(self, kind: TreeKind, scope: str) -> tuple[str, ...]:
        """Nodes of a tree around which something changed since `links_done`."""
        ...

    def trees_to_link(self) -> tuple[tuple[TreeKind, str], ...]:
        """Trees with such nodes."""
        ...

    def links_done(self, node_ids: Collection[str]) -> None:
        """The links of these nodes are in order."""
        ...

    def neighbours(self, node_id: str) -> Neighbours:
        """Where the node's links should lead to, as its tree stands."""
        ...

    def touched_days(self) -> tuple[date, ...]:
        """UTC days from which a chunk went, or in which one was written anew."""
        ...

    def settle_days(self, utc_days: Collection[date]) -> None:
        """These UTC days need no look any more."""
        ...

    def leaves_on(self, start: datetime, end: datetime) -> tuple[DayLeaf, ...]:
        """Admitted chunks of which something was said in [start, end), in time order."""
        ...

    def digests(self) -> tuple[DigestRow, ...]:
        """Every node of the global tree, lowest level first, then by path."""
        ...

    def digests_named(self, names: Mapping[int, tuple[str, str]]) -> tuple[DigestRow, ...]:
        """Of each of these levels, in this order, the digests whose file's name ends in one from the first to the last,
        which are equally long; by path.
        """
        ...

    def leaf_facts(self, chunk_ids: Collection[str]) -> Mapping[str, LeafFacts]:
        """chunk_id -> what is known of it; those that are gone are left out."""
        ...

    def leaves_naming(self, entity_id: str) -> tuple[TopicLeaf, ...]:
        """The chunks that name an entity, in time order, dropped ones left out."""
        ...

    def passages_naming(self, entity_id: str, chunk_ids: Collection[str]) -> Mapping[str, frozenset[int]]:
        """chunk_id -> ordinals of its passages that name an entity."""
        ...

    def tree_scopes(self, kind: TreeKind) -> tuple[str, ...]:
        """Scopes of the trees of a kind that have a summary."""
        ...

    def sightings(
        self, since: datetime, until: datetime | None = None
    ) -> tuple[tuple[str, str, str, datetime, int], ...]:
        """(entity id, chunk_id, tree scope, time of the newest passage that names it, how many do): of admitted chunks
        that reach past `since` and begin before `until`.
        """
        ...

    def chunks_naming(self) -> Mapping[str, int]:
        """Entity id -> admitted chunks that name it."""
        ...

    def named_until(self, end: datetime) -> Mapping[str, tuple[int, int, int]]:
        """Entity id -> mentions, chunks and the sum of their times in seconds, of the admitted chunks that end before
        this: it changes when anything of that time does.
        """
        ...

    def admitted_by_day(self) -> Mapping[date, int]:
        """UTC day -> admitted chunks that end on it."""
        ...
