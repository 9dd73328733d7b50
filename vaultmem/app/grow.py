"""Source trees grow: what the queue's jobs do. Each seal writes one summary note; that write is its commit point.

A job may run twice, or find its work done: it plans anew from the notes as the index has them, and does what is due.
"""

from __future__ import annotations

from array import array
from collections import Counter, OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import RLock

from vaultmem.app.engine import Engine
from vaultmem.core.grow.compose import Child, compose_node, with_links
from vaultmem.core.grow.facet import Frequencies, frequencies
from vaultmem.core.grow.tree import Node, Seal, plan_seals
from vaultmem.core.grow.units import Unit, refind, units_of
from vaultmem.core.notes.entry import passages_of
from vaultmem.core.notes.ids import body_sha256
from vaultmem.core.notes.properties import split_note
from vaultmem.core.notes.summarynote import parse_summary_note, render_summary_note, summary_path
from vaultmem.grown import Leaf, Link, NodeEntry, SummaryNode
from vaultmem.jobs import Done, Job, Outcome
from vaultmem.model import Chunk, FileStat, NoteFile

#: Chunks whose sentences are kept at hand: two seals of the second level.
_UNITS_KEPT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """`Frequencies` of one chunk in few bytes."""

    sentences: int
    #: numbers of words
    words: array[int]
    #: in how many sentences each of them stands
    counts: array[int]


@dataclass(slots=True, kw_only=True)
class _Prefix:
    """Chunks of a tree, from its first on, and what they hold."""

    chunk_ids: list[str] = field(default_factory=list)
    sentences: int = 0
    #: number of a word -> sentences
    holders: Counter[int] = field(default_factory=Counter)

    def add(self, chunk_id: str, held: _Held) -> None:
        """The next chunk."""
        self.chunk_ids.append(chunk_id)
        self.sentences += held.sentences
        for word, count in zip(held.words, held.counts, strict=True):
            self.holders[word] += count


@dataclass(slots=True, kw_only=True)
class Grower:
    """The handlers, and what several seals of one pass share."""

    engine: Engine
    _lock: RLock = field(default_factory=RLock)
    #: chunk_id -> its sentences, the latest looked at last; a mailbox has more of them than fit in memory
    _units: OrderedDict[str, tuple[Unit, ...]] = field(default_factory=OrderedDict)
    #: chunk_id -> what its sentences hold
    _held: dict[str, _Held] = field(default_factory=dict)
    #: word -> its number in `_held`
    _numbers: dict[str, int] = field(default_factory=dict)
    #: the prefix counted last, leaf by leaf: the next seal's mostly goes on from there
    _prefix: _Prefix = field(default_factory=_Prefix)

    def extract_chunk(self, job: Job) -> Outcome:
        """A chunk was written: its tree has a new leaf."""
        found = self.engine.index.chunk(job.subject)
        if found is None or found[1].status != "admitted":
            return Done()
        return Done(follow_ups=(Job(kind="append_buffer", subject=found[1].tree_scope),))

    def append_buffer(self, job: Job) -> Outcome:
        """Look whether the tree has anything to seal; put its links in order when it has not."""
        if self._plan(job.subject):
            return Done(follow_ups=(Job(kind="seal", subject=job.subject),))
        self._tidy(job.subject)
        return Done()

    def flush_stale(self, job: Job) -> Outcome:  # noqa: ARG002 - the subject only tells one day's flush from another's
        """Every tree is asked: the plan itself knows which buffers have been quiet for long enough."""
        scopes = self.engine.index.scopes()
        return Done(follow_ups=tuple(Job(kind="append_buffer", subject=scope) for scope, _ in scopes))

    def seal(self, job: Job) -> Outcome:
        """Carry out the seals that are due at the tree's lowest unfinished level, then ask again: seals cascade."""
        for seal in self._plan(job.subject):
            self._carry_out(job.subject, seal)
        return Done(follow_ups=(Job(kind="append_buffer", subject=job.subject),))

    def _plan(self, scope: str) -> tuple[Seal, ...]:
        leaves = [leaf for _, leaf in self.engine.index.leaves(scope)]
        nodes = [_planned(node) for _, node in self.engine.index.nodes(scope)]
        return plan_seals(leaves, nodes, now=self.engine.now(), kind="source", scope=scope)

    def _carry_out(self, scope: str, seal: Seal) -> None:
        """Compose the summary, write its note durably, then tell the index."""
        leaves = {leaf.chunk_id: (path, leaf) for path, leaf in self.engine.index.leaves(scope)}
        nodes = {node.node_id: (path, node) for path, node in self.engine.index.nodes(scope)}
        below = _leaves_below(seal.child_ids, nodes)
        units = [unit for chunk_id in below for unit in self.units(chunk_id)]
        if seal.level > 1:
            shown = [s for child in seal.child_ids if child in nodes for s in nodes[child][1].sentences]
            units = list(refind(shown, units))
        node = compose_node(
            seal,
            [child for child_id in seal.child_ids if (child := self.child(child_id, nodes))],
            units,
            scope=scope,
            title=self.title_of(scope),
            frequencies=self.prefix(below, leaves),
            paths={chunk_id: path for chunk_id, (path, _) in leaves.items()},
            count=self.engine.count,
            now=self.engine.now(),
        )
        path = summary_path("source", scope, seal.level, seal.start, seal.end, seal.node_id)
        self.write([(path, node)])

    def write(self, nodes: Sequence[tuple[str, SummaryNode]]) -> None:
        """Write summary notes and index them as they stand on disk."""
        files = [NoteFile(path=path, content=render_summary_note(node).encode()) for path, node in nodes]
        self.engine.vault.write(files)
        entries = []
        for file in files:
            stat = self.engine.vault.stat(file.path)
            entries.append(read_node(file.content.decode(), stat or FileStat(path=file.path, size=0, mtime_ns=0)))
        self.engine.index.commit_nodes(entries)

    def child(self, child_id: str, nodes: dict[str, tuple[str, SummaryNode]]) -> Child | None:
        """A leaf or a node as a seal sees it; None when it is gone."""
        if child_id in nodes:
            path, node = nodes[child_id]
            link = Link(path=path, alias=node.title)
            return Child(id=child_id, link=link, tokens=node.token_count, entities=node.entities, score=node.score)
        found = self.engine.index.chunk(child_id)
        if found is None:
            return None
        path, chunk = found
        link = Link(path=path, alias=chunk.aliases[0] if chunk.aliases else chunk.title)
        return Child(id=child_id, link=link, tokens=chunk.token_count, entities=chunk.entities, score=chunk.score)

    def prefix(self, below: Collection[str], leaves: Mapping[str, tuple[str, Leaf]]) -> Frequencies:
        """Word weights of the tree up to the last of these leaves, and of nothing else: later leaves change nothing."""
        ordered = sorted((leaf for _, leaf in leaves.values() if leaf.status == "admitted"), key=_position)
        last = max((_position(leaves[chunk_id][1]) for chunk_id in below if chunk_id in leaves), default=None)
        wanted = [leaf.chunk_id for leaf in ordered if last and _position(leaf) <= last]
        with self._lock:  # trees seal side by side, and what they share is counted by one at a time
            return self._counted(wanted)

    def _counted(self, wanted: Sequence[str]) -> Frequencies:
        known = len(self._prefix.chunk_ids)
        if self._prefix.chunk_ids != wanted[:known]:
            self._prefix, known = _Prefix(), 0
        for chunk_id in wanted[known:]:
            self._prefix.add(chunk_id, self._held_by(chunk_id))
        words = list(self._numbers)
        holders = {words[number]: count for number, count in self._prefix.holders.items()}
        return Frequencies(sentences=self._prefix.sentences, holders=holders)

    def _held_by(self, chunk_id: str) -> _Held:
        if chunk_id not in self._held:
            found = frequencies(self.units(chunk_id))
            numbers = [self._numbers.setdefault(word, len(self._numbers)) for word in found.holders]
            self._held[chunk_id] = _Held(
                sentences=found.sentences, words=array("I", numbers), counts=array("I", found.holders.values())
            )
        return self._held[chunk_id]

    def units(self, chunk_id: str) -> tuple[Unit, ...]:
        """The sentences of a chunk; none when it is gone."""
        with self._lock:
            return self._kept(chunk_id)

    def _kept(self, chunk_id: str) -> tuple[Unit, ...]:
        if chunk_id in self._units:
            self._units.move_to_end(chunk_id)
            return self._units[chunk_id]
        found = self.engine.index.chunk(chunk_id)
        units = () if found is None else self._cut(found[1])
        self._units[chunk_id] = units
        if len(self._units) > _UNITS_KEPT:
            self._units.popitem(last=False)
        return units

    def _cut(self, chunk: Chunk) -> tuple[Unit, ...]:
        return units_of(chunk, passages_of(chunk), self.engine.count)

    def title_of(self, scope: str) -> str:
        """The readable name of a tree: its conversation's, or of the mailbox or folder that holds several sources."""
        titles = {str(row["title"]) for row in self.engine.index.sources() if row["tree_scope"] == scope}
        return titles.pop() if len(titles) == 1 else scope.partition(":")[2] or scope

    def _tidy(self, scope: str) -> None:
        """Links between summaries, as the tree stands now: a pure function of it, so a kill in between heals here."""
        tree = {node.node_id: (path, node) for path, node in self.engine.index.nodes(scope)}
        changed = []
        for node_id, (path, node) in sorted(tree.items()):
            linked = with_links(node, tree, self.engine.index.parent_of(node_id))
            if not node.edited and (linked.up, linked.previous, linked.following) != (
                node.up,
                node.previous,
                node.following,
            ):
                changed.append((path, linked))
        if changed:
            self.write(changed)


def read_node(text: str, stat: FileStat) -> NodeEntry:
    """The index rows of a summary note. Raises BadNote or BadProperties."""
    return NodeEntry(
        path=stat.path,
        node=parse_summary_note(text),
        text=text,
        body_sha256=body_sha256(split_note(text).body),
        size=stat.size,
        mtime_ns=stat.mtime_ns,
    )


def _position(leaf: Leaf) -> tuple[datetime, int, str]:
    return (leaf.start, leaf.seq, leaf.chunk_id)


def _planned(node: SummaryNode) -> Node:
    return Node(
        node_id=node.node_id,
        level=node.tree_level,
        child_ids=node.child_ids,
        start=node.time_start,
        end=node.time_end,
    )


def _leaves_below(child_ids: Sequence[str], nodes: dict[str, tuple[str, SummaryNode]]) -> list[str]:
    """chunk_ids under these children, in order."""
    found: list[str] = []
    for child_id in child_ids:
        if child_id in nodes:
            found += _leaves_below(nodes[child_id][1].child_ids, nodes)
        else:
            found.append(child_id)
    return found
