"""The tree half of the Index port on SQLite: each method is one transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime

import apsw

import vaultmem.store.index.days as days  # noqa: PLR0402 - no edge to the package itself
import vaultmem.store.index.frontier as frontier  # noqa: PLR0402 - no edge to the package itself
import vaultmem.store.index.nodes as nodes  # noqa: PLR0402
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


class SqliteTrees:
    """What `SqliteIndex` knows of trees."""

    def _writing(self) -> AbstractContextManager[apsw.Connection]:
        raise NotImplementedError

    def _reading(self) -> AbstractContextManager[apsw.Connection]:
        raise NotImplementedError

    def commit_nodes(self, entries: Sequence[NodeEntry], *, removed: Collection[str] = ()) -> None:
        """Replace the rows of these summary notes (by node_id and by path) and drop those of the removed paths."""
        with self._writing() as db:
            nodes.put_nodes(db, entries, removed)

    def node_stats(self, paths: Collection[str] | None = None) -> Mapping[str, FileStat]:
        """Summary notes the index knows, all or those at these paths: path -> stat at indexing."""
        with self._reading() as db:
            return nodes.node_stats(db, paths)

    def nodes(self, kind: TreeKind, scope: str) -> tuple[tuple[str, SummaryNode], ...]:
        """(path, node) of a tree, lowest level first."""
        with self._reading() as db:
            return tuple(nodes.nodes_of(db, kind, scope))

    def listings(self, kind: TreeKind, scope: str) -> tuple[Listing, ...]:
        """What each node of a tree lists, lowest level first, then by id."""
        with self._reading() as db:
            return tuple(nodes.listings(db, kind, scope))

    def node(self, node_id: str) -> tuple[str, SummaryNode] | None:
        """(path, node) or None."""
        with self._reading() as db:
            return nodes.node(db, node_id)

    def nodes_named(self, node_ids: Collection[str]) -> Mapping[str, tuple[str, SummaryNode]]:
        """node_id -> (path, node), of those of these that there are."""
        with self._reading() as db:
            return nodes.nodes_named(db, node_ids)

    def node_at(self, path: str) -> SummaryNode | None:
        """The node whose note stands at this path, as it was indexed."""
        with self._reading() as db:
            return nodes.node_at(db, path)

    def perhaps_edited(self) -> tuple[str, ...]:
        """Paths of the summaries that a person edited, and of some that nobody did."""
        with self._reading() as db:
            return nodes.perhaps_edited(db)

    def parent_of(self, child_id: str, kind: TreeKind = "source", scope: str | None = None) -> str:
        """The node of such a tree that lists this leaf or node; "" for none."""
        return self.parents_of([child_id], kind, scope).get(child_id, "")

    def parents_of(
        self, child_ids: Collection[str], kind: TreeKind = "source", scope: str | None = None
    ) -> Mapping[str, str]:
        """Leaf or node -> the node of such a tree that lists it; those that none lists are left out."""
        with self._reading() as db:
            return nodes.parents_of(db, child_ids, kind, scope)

    def node_lines(self, kind: TreeKind, scope: str) -> tuple[NodeLine, ...]:
        """The summaries of a tree, the newest first."""
        with self._reading() as db:
            return frontier.node_lines(db, kind, scope)

    def source_stand(self, tree_scope: str) -> SourceStand | None:
        """What the leaves of a source tree look like together; None when it has none but dropped ones."""
        with self._reading() as db:
            return frontier.source_stand(db, tree_scope)

    def waiting_leaves(self, tree_scope: str, limit: int) -> tuple[str, ...]:
        """chunk_ids of the last admitted leaves that no summary lists, in the tree's order."""
        with self._reading() as db:
            return frontier.waiting_leaves(db, tree_scope, limit)

    def newest_leaves(self, tree_scope: str, limit: int) -> tuple[str, ...]:
        """chunk_ids of a source tree's last leaves, newest first, dropped ones left out."""
        with self._reading() as db:
            return frontier.newest_leaves(db, tree_scope, limit)

    def scopes(self) -> tuple[tuple[str, str], ...]:
        """(tree_scope, source_kind) of every source tree."""
        with self._reading() as db:
            return frontier.scopes(db)

    def tree_title(self, tree_scope: str) -> str:
        """The one title that all sources of a source tree have; "" when they differ."""
        with self._reading() as db:
            return frontier.tree_title(db, tree_scope)

    def open_leaves(self, tree_scope: str, limit: int) -> tuple[tuple[Leaf, ...], bool]:
        """The first leaves of a source tree that no summary of it lists; whether more follow."""
        with self._reading() as db:
            return frontier.open_leaves(db, tree_scope, limit)

    def open_nodes(self, kind: TreeKind, scope: str) -> tuple[Node, ...]:
        """The nodes of a tree that no node lists, each with its first leaf's position."""
        with self._reading() as db:
            return frontier.open_nodes(db, kind, scope)

    def last_position(self, child_ids: Collection[str]) -> Position | None:
        """Where the last of these leaves, or of those below these nodes, stands."""
        with self._reading() as db:
            return frontier.last_position(db, child_ids)

    def leaves_up_to(self, tree_scope: str, last: Position, limit: int) -> tuple[str, ...]:
        """chunk_ids of the last admitted leaves of a source tree up to and with this position, in order."""
        with self._reading() as db:
            return frontier.leaves_up_to(db, tree_scope, last, limit)

    def leaf_paths(self, ids: Collection[str]) -> Mapping[str, str]:
        """chunk_id -> path of those of these ids that are leaves, and of all leaves below those that are nodes."""
        with self._reading() as db:
            return frontier.leaf_paths(db, ids)

    def links_due(self, kind: TreeKind, scope: str) -> tuple[str, ...]:
        """Nodes of a tree around which something changed since `links_done`."""
        with self._reading() as db:
            return frontier.links_due(db, kind, scope)

    def trees_to_link(self) -> tuple[tuple[TreeKind, str], ...]:
        """Trees with such nodes."""
        with self._reading() as db:
            return frontier.trees_to_link(db)

    def links_done(self, node_ids: Collection[str]) -> None:
        """The links of these nodes are in order."""
        with self._writing() as db:
            frontier.links_done(db, node_ids)

    def neighbours(self, node_id: str) -> Neighbours:
        """Where the node's links should lead to, as its tree stands."""
        with self._reading() as db:
            return frontier.neighbours(db, node_id)

    def touched_days(self) -> tuple[date, ...]:
        """UTC days from which a chunk went, or in which one was written anew."""
        with self._reading() as db:
            return days.touched_days(db)

    def settle_days(self, utc_days: Collection[date]) -> None:
        """These UTC days need no look any more."""
        with self._writing() as db:
            days.settle_days(db, utc_days)

    def leaves_on(self, start: datetime, end: datetime) -> tuple[DayLeaf, ...]:
        """Admitted chunks of which something was said in [start, end), in time order."""
        with self._reading() as db:
            return days.leaves_on(db, start, end)

    def digests(self) -> tuple[DigestRow, ...]:
        """Every node of the global tree, lowest level first, then by path."""
        with self._reading() as db:
            return days.digests(db)

    def digests_named(self, names: Mapping[int, tuple[str, str]]) -> tuple[DigestRow, ...]:
        """Of each of these levels the digests whose file's name ends in one from the first to the last, by path."""
        with self._reading() as db:
            return tuple(days.digests_named(db, names))

    def leaf_facts(self, chunk_ids: Collection[str]) -> Mapping[str, LeafFacts]:
        """chunk_id -> what is known of it; those that are gone are left out."""
        with self._reading() as db:
            return days.leaf_facts(db, chunk_ids)

    def leaves_naming(self, entity_id: str) -> tuple[TopicLeaf, ...]:
        """The chunks that name an entity, in time order, dropped ones left out."""
        with self._reading() as db:
            return days.leaves_naming(db, entity_id)

    def passages_naming(self, entity_id: str, chunk_ids: Collection[str]) -> Mapping[str, frozenset[int]]:
        """chunk_id -> ordinals of its passages that name an entity."""
        with self._reading() as db:
            return days.passages_naming(db, entity_id, chunk_ids)

    def tree_scopes(self, kind: TreeKind) -> tuple[str, ...]:
        """Scopes of the trees of a kind that have a summary."""
        with self._reading() as db:
            return frontier.tree_scopes(db, kind)

    def sightings(
        self, since: datetime, until: datetime | None = None
    ) -> tuple[tuple[str, str, str, datetime, int], ...]:
        """(entity id, chunk_id, tree scope, time of the newest passage that names it, how many do): of admitted chunks
        that reach past `since` and begin before `until`.
        """
        with self._reading() as db:
            return days.sightings(db, since, until)

    def chunks_naming(self) -> Mapping[str, int]:
        """Entity id -> admitted chunks that name it."""
        with self._reading() as db:
            return days.chunks_naming(db)

    def named_until(self, end: datetime) -> Mapping[str, tuple[int, int, int]]:
        """Entity id -> mentions, chunks and the sum of their times, of the admitted chunks that end before this."""
        with self._reading() as db:
            return days.named_until(db, end)

    def admitted_by_day(self) -> Mapping[date, int]:
        """UTC day -> admitted chunks that end on it."""
        with self._reading() as db:
            return days.admitted_by_day(db)
