"""A planned seal and the units below it -> the summary node; a tree's nodes -> the links between them. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from vaultmem.core.grow.concepts import concepts_of
from vaultmem.core.grow.facet import REFERENCE, Budget, Frequencies, budget_of, select
from vaultmem.core.grow.tree import Seal
from vaultmem.core.grow.units import Unit
from vaultmem.core.notes.summarynote import one_line, sentence_line
from vaultmem.grown import Link, Sentence, SummaryNode
from vaultmem.model import TokenCounter

#: What makes the text, with its version: a change of FACET that changes sentences raises it.
SUMMARISER = "facet-1"
#: Entities and topics named in a node's properties.
_NAMED = 20
_TOPICS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A leaf or a node that a seal puts under its summary."""

    id: str
    link: Link
    #: of the body as it stands in the note
    tokens: int
    entities: tuple[str, ...]
    score: float


def compose_node(
    seal: Seal,
    children: Sequence[Child],
    units: Sequence[Unit],
    *,
    scope: str,
    title: str,
    frequencies: Frequencies,
    paths: Mapping[str, str],
    count: TokenCounter,
    now: datetime,
) -> SummaryNode:
    """The node of a seal: sentences of the units below it, in time order, each with its link.

    `paths`: chunk_id -> vault path of its note.
    """
    chosen = choose(units, children, frequencies=frequencies, paths=paths, count=count)
    span = _span(seal.start, seal.end)
    node = SummaryNode(
        node_id=seal.node_id,
        tree_kind="source",
        tree_scope=scope,
        tree_level=seal.level,
        children=tuple(child.link for child in children),
        child_ids=seal.child_ids,
        time_start=seal.start,
        time_end=seal.end,
        token_count=0,
        sealed_at=now,
        rev=1,
        summariser=SUMMARISER,
        title=f"{title}, {span}",
        sentences=chosen,
        entities=_most(entity for child in children for entity in child.entities),
        topics=_topics(chosen),
        score=max((child.score for child in children), default=0.0),
        aliases=(f"{title} ({span})",),
    )
    return replace(node, token_count=count("\n".join(sentence_line(sentence) for sentence in chosen)))


def choose(
    units: Sequence[Unit],
    children: Sequence[Child],
    *,
    frequencies: Frequencies,
    paths: Mapping[str, str],
    count: TokenCounter,
) -> tuple[Sentence, ...]:
    """The sentences FACET keeps of these units; never more than half of what the children's bodies hold."""
    usable = [unit for unit in units if unit.chunk_id in paths]
    if not usable:
        return ()
    budget = _budget(usable, sum(child.tokens for child in children), paths, count)
    kept = select(usable, budget=budget, frequencies=frequencies)
    return tuple(_sentence(unit, paths[unit.chunk_id]) for unit in kept)


def _budget(units: Sequence[Unit], body: int, paths: Mapping[str, str], count: TokenCounter) -> Budget:
    """Links count as they are written out: a note's path may be longer than the sentence it proves."""
    longest = max(units, key=lambda unit: (len(paths[unit.chunk_id]), unit.order))
    line = sentence_line(_sentence(longest, paths[longest.chunk_id]))
    link = max(count(line) - longest.tokens, REFERENCE)
    return budget_of(sum(unit.tokens for unit in units), body, link)


def _sentence(unit: Unit, path: str) -> Sentence:
    """Times are UTC, as in the message's own heading: a summary holds no number that its children lack."""
    alias = unit.sent_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M") if unit.author else "source"
    return Sentence(text=one_line(unit.text), link=Link(path=path, alias=alias, anchor=unit.anchor), author=unit.author)


def _span(start: datetime, end: datetime) -> str:
    first, last = start.astimezone(UTC).date().isoformat(), end.astimezone(UTC).date().isoformat()
    return first if first == last else f"{first} to {last}"


def _most(values: Iterable[str]) -> tuple[str, ...]:
    counted = Counter(values)
    ranked = sorted(counted, key=lambda value: (-counted[value], value))
    return tuple(ranked[:_NAMED])


#: Kinds of concepts that are something to speak about: identifiers, quotes, names, words. Numbers and dates are not.
_TOPIC_KINDS = ("i", "q", "p", "w")


def _topics(sentences: Iterable[Sentence]) -> tuple[str, ...]:
    """The concepts that weigh most over the kept sentences, as text."""
    weights: dict[str, float] = {}
    for sentence in sentences:
        for concept, weight in concepts_of(sentence.text).items():
            kind, _, name = concept.partition(":")
            if kind in _TOPIC_KINDS:
                weights[name] = weights.get(name, 0.0) + weight
    return tuple(sorted(weights, key=lambda name: (-weights[name], name)))[:_TOPICS]


def with_links(node: SummaryNode, tree: Mapping[str, tuple[str, SummaryNode]], parent: str) -> SummaryNode:
    """The node with its links up and to its siblings, as the tree stands: only to notes that exist.

    `tree`: node_id -> (path, node) of all nodes of the tree. A body that a person edited keeps what it says.
    """
    if node.edited:
        return node
    siblings = sorted(
        (other for _, other in tree.values() if other.tree_level == node.tree_level),
        key=lambda other: (other.time_start, other.node_id),
    )
    place = [other.node_id for other in siblings].index(node.node_id)
    before = siblings[place - 1] if place else None
    after = siblings[place + 1] if place + 1 < len(siblings) else None
    above = tree[parent][1] if parent in tree else None
    return replace(node, up=_to(above, tree), previous=_to(before, tree), following=_to(after, tree))


def _to(node: SummaryNode | None, tree: Mapping[str, tuple[str, SummaryNode]]) -> Link | None:
    return None if node is None else Link(path=tree[node.node_id][0], alias=node.title)
