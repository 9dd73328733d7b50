"""A planned seal and the units below it -> the summary node; its place in the tree -> its links. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from vaultmem.core.grow.concepts import concepts_of
from vaultmem.core.grow.facet import REFERENCE, Frequencies, budget_of, select
from vaultmem.core.grow.tree import Seal
from vaultmem.core.grow.units import Unit
from vaultmem.core.notes.summarynote import body_of, one_line, sentence_line, summary_path
from vaultmem.grown import Link, Neighbours, Sentence, SummaryNode, TreeKind
from vaultmem.model import TokenCounter

#: What makes the text, with its version: a change of FACET that changes sentences raises it.
SUMMARISER = "facet-2"
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
    kind: TreeKind,
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
    span = _span(seal.start, seal.end)
    node = SummaryNode(
        node_id=seal.node_id,
        tree_kind=kind,
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
        sentences=(),
        entities=most_named(entity for child in children for entity in child.entities),
        topics=(),
        score=max((child.score for child in children), default=0.0),
        aliases=(f"{title} ({span})",),
    )
    path = summary_path(kind, scope, seal.level, seal.start, seal.end, seal.node_id)
    frame = frame_of(node, path, count)
    chosen = choose(units, children, frequencies=frequencies, paths=paths, count=count, frame=frame)
    tokens = count("\n".join(sentence_line(sentence) for sentence in chosen))
    return replace(node, sentences=chosen, topics=topics_of(chosen), token_count=tokens)


def frame_of(node: SummaryNode, path: str, count: TokenCounter) -> int:
    """Tokens of the body beside its sentences: the title, and the steps to notes with paths and names like its own."""
    step = Link(path=path, alias=node.title)
    return count(body_of(replace(node, sentences=(), up=step, previous=step, following=step)))


def choose(
    units: Sequence[Unit],
    children: Sequence[Child],
    *,
    frequencies: Frequencies,
    paths: Mapping[str, str],
    count: TokenCounter,
    frame: int = 0,
) -> tuple[Sentence, ...]:
    """The sentences FACET keeps of these units; never more than half of what the children's bodies hold. `frame`: see
    `frame_of`.
    """
    usable = [unit for unit in units if unit.chunk_id in paths]
    if not usable:
        return ()
    prose, body = sum(unit.tokens for unit in usable), sum(child.tokens for child in children)
    budget = budget_of(prose, body, link_cost(usable, paths, count), frame)
    kept = select(usable, budget=budget, frequencies=frequencies)
    return tuple(sentence_of(unit, paths[unit.chunk_id]) for unit in kept)


def link_cost(units: Sequence[Unit], paths: Mapping[str, str], count: TokenCounter, *, day: str = "") -> int:
    """What a written-out line has beside its sentence, at most: a note's path may be longer than what it proves."""
    lines = (f"{sentence_line(sentence_of(unit, paths[unit.chunk_id], day=day))}\n" for unit in units)
    return max([REFERENCE, *(count(line) - unit.tokens for line, unit in zip(lines, units, strict=True))])


def sentence_of(unit: Unit, path: str, *, day: str = "") -> Sentence:
    """The unit as a summary shows it, linked to its message in the note at `path`.

    Times are UTC, as in the message's own heading: a summary holds no number that its children lack. `day`: the day
    that goes without saying.
    """
    alias = unit.sent_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M") if unit.author else "source"
    alias = alias.removeprefix(f"{day} ")
    return Sentence(text=one_line(unit.text), link=Link(path=path, alias=alias, anchor=unit.anchor), author=unit.author)


def _span(start: datetime, end: datetime) -> str:
    first, last = start.astimezone(UTC).date().isoformat(), end.astimezone(UTC).date().isoformat()
    return first if first == last else f"{first} to {last}"


def most_named(values: Iterable[str]) -> tuple[str, ...]:
    """The values that stand most often, as many as a node's properties name."""
    counted = Counter(values)
    ranked = sorted(counted, key=lambda value: (-counted[value], value))
    return tuple(ranked[:_NAMED])


#: Kinds of concepts that are something to speak about: identifiers, quotes, names, words. Numbers and dates are not.
_TOPIC_KINDS = ("i", "q", "p", "w")


def topics_of(sentences: Iterable[Sentence]) -> tuple[str, ...]:
    """The concepts that weigh most over the kept sentences, as text."""
    weights: dict[str, float] = {}
    for sentence in sentences:
        for concept, weight in concepts_of(sentence.text).items():
            kind, _, name = concept.partition(":")
            if kind in _TOPIC_KINDS:
                weights[name] = weights.get(name, 0.0) + weight
    return tuple(sorted(weights, key=lambda name: (-weights[name], name)))[:_TOPICS]


def with_links(node: SummaryNode, around: Neighbours) -> SummaryNode:
    """The node with its links up and to its siblings. A body that a person edited keeps what it says."""
    if node.edited:
        return node
    return replace(node, up=around.up, previous=around.previous, following=around.following)
