"""Source trees grow: what the queue's jobs do. Each seal writes one summary note; that write is its commit point.

A job may run twice, or find its work done: it plans anew from the notes as the index has them, and does what is due. It
reads the open frontier of its tree alone, so what it costs does not grow with the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from vaultmem.app.asking import Asker
from vaultmem.app.buried import Buried, read_buried
from vaultmem.app.engine import Engine
from vaultmem.app.judging import Judge
from vaultmem.app.sentences import WINDOW, Sentences
from vaultmem.app.summarise import Summariser
from vaultmem.core.grow.compose import Child, compose_node, with_links
from vaultmem.core.grow.facet import Frequencies
from vaultmem.core.grow.inputs import inputs_of
from vaultmem.core.grow.tree import Seal, plan_seals
from vaultmem.core.grow.units import Unit, shown_by
from vaultmem.core.notes.conflicts import has_conflict
from vaultmem.core.notes.ids import body_sha256
from vaultmem.core.notes.properties import split_note
from vaultmem.core.notes.summarynote import parse_summary_note, render_summary_note, summary_path
from vaultmem.errors import BadNote
from vaultmem.grown import Leaf, Link, Node, NodeEntry, Sentence, SummaryNode, TreeKind
from vaultmem.jobs import Defer, Done, Job, Outcome
from vaultmem.model import FileStat, NoteFile

#: Leaves of a tree looked at by one job, and seals it carries out at most: a lease is not for ever.
_AHEAD = 400
_SEALS = 40
#: Summaries written and indexed together.
_BATCH = 100
#: Seconds after which a note that a person was at work in is looked at again.
_IN_USE = 11.0


@dataclass(slots=True, kw_only=True)
class Grower:
    """The handlers, and what several seals of one pass share."""

    engine: Engine
    sentences: Sentences = field(init=False)
    #: tree scope -> its readable name, which stays what it is for a pass
    _titles: dict[str, str] = field(default_factory=dict)

    #: node_ids of summaries that were not written, for somebody else had changed their notes
    left: set[str] = field(default_factory=set)
    _buried: Buried | None = None
    judge: Judge = field(init=False)
    summariser: Summariser = field(init=False)

    def __post_init__(self) -> None:
        self.sentences = Sentences(engine=self.engine)
        asker = Asker(engine=self.engine)
        self.judge, self.summariser = Judge(asker=asker), Summariser(asker=asker)

    def extract_chunk(self, job: Job) -> Outcome:
        """A chunk was written: it is judged when it still waits for that, and its tree has a new leaf."""
        found = self.engine.index.chunk(job.subject)
        if found is not None and found[1].edited and not self.judge.rescore(*found):
            return Defer(until_ms=int((self.engine.wall() + _IN_USE) * 1000), reason="its note is being edited")
        found = self.engine.index.chunk(job.subject)
        if found is None or found[1].status == "dropped":
            return Done()
        if found[1].status == "pending" and not self.judge.decide(*found):
            return Defer(until_ms=int((self.engine.wall() + _IN_USE) * 1000), reason="its note is being edited")
        return Done(follow_ups=(Job(kind="append_buffer", subject=found[1].tree_scope),))

    def append_buffer(self, job: Job) -> Outcome:
        """Look whether the tree has anything to seal; put its links in order when it has not."""
        leaves, more = self._open(job.subject)
        nodes = self._free_nodes("source", job.subject)
        if self._due("source", job.subject, leaves, nodes, more=more):
            return Done(follow_ups=(Job(kind="seal", subject=job.subject),))
        self.tidy("source", job.subject)
        return Done()

    def flush_stale(self, job: Job) -> Outcome:  # noqa: ARG002 - the subject only tells one day's flush from another's
        """Every tree is asked: the plan itself knows which buffers have been quiet for long enough."""
        scopes = self.engine.index.scopes()
        return Done(follow_ups=tuple(Job(kind="append_buffer", subject=scope) for scope, _ in scopes))

    def seal(self, job: Job) -> Outcome:
        """Carry out seals that are due, then ask again: seals cascade, and a long tree is sealed in several jobs."""
        leaves, more = self._open(job.subject)
        self.seal_frontier("source", job.subject, leaves, more=more, carry_out=self._carry_out)
        return Done(follow_ups=(Job(kind="append_buffer", subject=job.subject),))

    def _open(self, scope: str) -> tuple[list[Leaf], bool]:
        """The open leaves of a source tree, without those below a summary that a person deleted."""
        leaves, more = self.engine.index.open_leaves(scope, _AHEAD + len(self.buried.below))
        return [leaf for leaf in leaves if leaf.chunk_id not in self.buried.below], more

    def _free_nodes(self, kind: TreeKind, scope: str) -> list[Node]:
        nodes = self.engine.index.open_nodes(kind, scope)
        return [node for node in nodes if node.node_id not in self.buried.below]

    @property
    def buried(self) -> Buried:
        """The summaries that a person deleted, as they stand at the first question of a pass."""
        if self._buried is None:
            self._buried = read_buried(self.engine)
        return self._buried

    def seal_frontier(
        self, kind: TreeKind, scope: str, leaves: Iterable[Leaf], *, more: bool, carry_out: Callable[[str, Seal], None]
    ) -> int:
        """Carry out what is due, the highest level first, so that a summary is made when the last below it was; how
        many seals that were."""
        waiting = {leaf.chunk_id: leaf for leaf in leaves if leaf.chunk_id not in self.buried.below}
        nodes = {node.node_id: node for node in self._free_nodes(kind, scope)}
        for done in range(_SEALS):
            due = self._due(kind, scope, waiting.values(), nodes.values(), more=more)
            if not due:
                return done
            seal = due[0]
            carry_out(scope, seal)
            if seal.node_id in self.left:
                return done
            for child in seal.child_ids:
                waiting.pop(child, None)
                nodes.pop(child, None)
            nodes[seal.node_id] = Node(
                node_id=seal.node_id, level=seal.level, start=seal.start, end=seal.end, position=seal.position
            )
        return _SEALS

    def _due(
        self, kind: TreeKind, scope: str, leaves: Iterable[Leaf], nodes: Iterable[Node], *, more: bool
    ) -> list[Seal]:
        """The next seals of the tree, but for those whose notes are left alone."""
        found = plan_seals(leaves, nodes, now=self.engine.now(), kind=kind, scope=scope, more=more)
        return [seal for seal in found if seal.node_id not in self.left]

    def _carry_out(self, scope: str, seal: Seal) -> None:
        """Compose the summary, write its note durably, then tell the index."""
        last = self.engine.index.last_position(seal.child_ids)
        prefix = self.engine.index.leaves_up_to(scope, last, WINDOW) if last else ()
        self.compose("source", scope, seal, title=self.title_of(scope), prefix=prefix)

    def compose(
        self,
        kind: TreeKind,
        scope: str,
        seal: Seal,
        *,
        title: str,
        prefix: Sequence[str],
        among: Callable[[list[Unit]], list[Unit]] = lambda units: units,
    ) -> None:
        """The summary of a seal. `prefix`: the tree's last leaves up to the seal's last one, which weigh its words.

        `among`: which of the units below it may say anything.
        """
        found = self.engine.index.node(seal.node_id)
        if found is not None:
            seal = self._rejoined(seal, found[1])
        node = self.composed(kind, scope, seal, title=title, prefix=prefix, among=among)
        path = summary_path(kind, scope, seal.level, seal.start, seal.end, seal.node_id)
        self.write([(path, node) if found is None else (found[0], again(found[1], node))])

    def _rejoined(self, seal: Seal, node: SummaryNode) -> Seal:
        """The first child of a node was lost to memory and came back: the node that is named after it takes it in."""
        index = self.engine.index
        there = [child.id for child in index.held.children(node.child_ids) if child.is_there]
        places = {child: index.last_position([child]) for child in {*there, *seal.child_ids}}
        ordered = sorted(places.items(), key=lambda item: (item[1] or seal.position, item[0]))
        ids = tuple(child for child, _ in ordered)
        return replace(seal, child_ids=ids, start=node.time_start, end=max(seal.end, node.time_end))

    def composed(
        self,
        kind: TreeKind,
        scope: str,
        seal: Seal,
        *,
        title: str,
        prefix: Sequence[str],
        among: Callable[[list[Unit]], list[Unit]],
    ) -> SummaryNode:
        """What the summary of a seal says, and what it was made of; nothing is written."""
        paths, units = self.below(seal.child_ids, level=seal.level)
        units = among(units)
        children = [child for child_id in seal.child_ids if (child := self.child(child_id))]
        node = compose_node(
            seal,
            children,
            units,
            kind=kind,
            scope=scope,
            title=title,
            frequencies=self.sentences.frequencies(f"{kind}:{scope}", prefix),
            paths=paths,
            count=self.engine.count,
            now=self.engine.now(),
        )
        node = self.summariser.rewritten(node, [child.tokens for child in children])
        return replace(node, inputs=inputs_of(self.engine.index.held.children(seal.child_ids)))

    def below(self, child_ids: Sequence[str], *, level: int) -> tuple[Mapping[str, str], list[Unit]]:
        """chunk_id -> path of the leaves below, and the units to choose from: of leaves all, else those the children
        show, found again in their notes."""
        paths = self.engine.index.leaf_paths(child_ids)
        if level <= 1:
            return paths, self.sentences.all_of([child for child in child_ids if child in paths])
        nodes = [found[1] for child in child_ids if (found := self.engine.index.node(child))]
        units = self.shown_units([sentence for node in nodes for sentence in node.sentences], paths)
        return paths, list(shown_by(nodes, units, paths))

    def shown_units(self, shown: Sequence[Sentence], paths: Mapping[str, str]) -> list[Unit]:
        """All units, in time order, of the chunks that these sentences link to; of every chunk once one was moved."""
        linked = {link.path for sentence in shown for link in (sentence.link, *sentence.also)}
        wanted = [chunk_id for chunk_id, path in paths.items() if path in linked]
        if linked - set(paths.values()):
            wanted = list(paths)
        return sorted(self.sentences.all_of(wanted), key=lambda unit: unit.order)

    def write(self, nodes: Iterable[tuple[str, SummaryNode]]) -> None:
        """Write summary notes and index them as they stand on disk. By batches: a mailbox has years of digests, and
        they do not fit in memory together.

        A note that is not as the index knows it is a person's by now, be it broken or gone: it is left, and so is its
        tree. The next pass reads it first.
        """
        rest = iter(nodes)
        while batch := list(islice(rest, _BATCH)):
            self._write_batch(batch)

    def _write_batch(self, nodes: Sequence[tuple[str, SummaryNode]]) -> None:
        files = [NoteFile(path=path, content=render_summary_note(node).encode()) for path, node in nodes]
        left = self.engine.vault.renew(files, self.engine.index.node_stats([path for path, _ in nodes]))
        self.left.update(node.node_id for path, node in nodes if path in left)
        entries = []
        for file in (file for file in files if file.path not in left):
            stat = self.engine.vault.stat(file.path)
            entries.append(read_node(file.content.decode(), stat or FileStat(path=file.path, size=0, mtime_ns=0)))
        self.engine.index.commit_nodes(entries)

    def remove(self, path: str) -> None:
        """Take a summary of which nothing is left away, unless somebody else changed its note."""
        now = self.engine.vault.stat(path)
        if now is None or now == self.engine.index.node_stats([path]).get(path):
            # the index first: what a kill leaves on the disk is read again, and goes again
            self.engine.index.commit_nodes([], removed=[path])
            self.engine.vault.remove(path)

    def child(self, child_id: str) -> Child | None:
        """A leaf or a node as a seal sees it; None when it is gone."""
        if found := self.engine.index.node(child_id):
            path, node = found
            link = Link(path=path, alias=node.title)
            return Child(id=child_id, link=link, tokens=node.token_count, entities=node.entities, score=node.score)
        leaf = self.engine.index.chunk(child_id)
        if leaf is None:
            return None
        path, chunk = leaf
        link = Link(path=path, alias=chunk.aliases[0] if chunk.aliases else chunk.title)
        return Child(id=child_id, link=link, tokens=chunk.token_count, entities=chunk.entities, score=chunk.score)

    def prefix(self, scope: str, below: Sequence[str]) -> Frequencies:
        """Word weights of a source tree's last leaves up to the last of these: later leaves change nothing."""
        last = self.engine.index.last_position(below)
        prefix = self.engine.index.leaves_up_to(scope, last, WINDOW) if last else ()
        return self.sentences.frequencies(f"source:{scope}", prefix)

    def title_of(self, scope: str) -> str:
        """The readable name of a tree: its conversation's, or of the mailbox or folder that holds several sources."""
        if scope not in self._titles:
            self._titles[scope] = self.engine.index.tree_title(scope) or scope.partition(":")[2] or scope
        return self._titles[scope]

    def tidy_all(self) -> None:
        """Put in order whatever tree changed without a job of its own: a summary of it went, or came by git."""
        for kind, scope in self.engine.index.trees_to_link():
            self.tidy(kind, scope)

    def tidy(self, kind: TreeKind, scope: str) -> None:
        """Links between summaries, as the tree stands now: a pure function of it, so a kill in between heals here."""
        due = self.engine.index.links_due(kind, scope)
        self.write(found for node_id in due if (found := self._relinked(node_id)))
        if due:
            self.engine.index.links_done(due)

    def _relinked(self, node_id: str) -> tuple[str, SummaryNode] | None:
        """A node whose links are others now, and its place; one that a person edited keeps its own."""
        found = self.engine.index.node(node_id)
        if found is None or found[1].edited:
            return None
        linked = with_links(found[1], self.engine.index.neighbours(node_id))
        return None if linked == found[1] else (found[0], linked)


def again(before: SummaryNode, after: SummaryNode) -> SummaryNode:
    """The next revision of a node; a body that a person edited stays."""
    kept = replace(
        after, title=before.title, aliases=before.aliases, rev=before.rev + 1, up=before.up, previous=before.previous,
        following=before.following, body=before.body, body_sha256=before.body_sha256, edited=before.edited,
    )  # fmt: skip
    if not before.edited:
        return kept
    return replace(kept, sentences=before.sentences, token_count=before.token_count, summariser=before.summariser)


def read_node(text: str, stat: FileStat) -> NodeEntry:
    """The index rows of a summary note. Raises BadNote or BadProperties."""
    node = parse_summary_note(text)
    if node.edited and has_conflict(node.body):
        raise BadNote("a conflict of git stands in it")
    return NodeEntry(
        path=stat.path,
        node=node,
        text=text,
        body_sha256=body_sha256(split_note(text).body),
        size=stat.size,
        mtime_ns=stat.mtime_ns,
    )
