"""What happened in a day, a week, a month or a year: the sentences of a digest, and its node. Pure.

compose_digest(period, children, parts, …)  -> the SummaryNode of `wiki/summaries/global/…`

Decisions, what is to be done and what has changed are chosen first; then every source has its say, the more the longer
and livelier it was. A day chooses from the sentences of its own messages, what is above it from those that its children
show. The title is the period's name and an alias says it readably, so that the body holds no number of ours.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from vaultmem.core.grow.calendar import DAY, GLOBAL_SCOPE, Period, global_node_id, global_path, readable
from vaultmem.core.grow.compose import Child, frame_of, link_cost, most_named, sentence_of, topics_of
from vaultmem.core.grow.cues import says_something
from vaultmem.core.grow.facet import Budget, Frequencies, Turn, distinct, room, select_in_turns
from vaultmem.core.grow.sections import ALSO, CHANGED, DECISIONS, TO_DO, sections_of
from vaultmem.core.grow.units import Unit, shown_by
from vaultmem.grown import SECTIONS, LeafFacts, Sentence, SummaryNode
from vaultmem.model import TokenCounter

#: What makes the text, with its version: a change that changes sentences raises it.
SUMMARISER = "digest-2"
#: Tokens of sentences at most: a day is read in two minutes, what is above it in five.
MOST_OF_DAY, MOST_ABOVE = 1200, 2500
#: Chunks of a day whose sentences are looked at: ten for each sentence that it may show.
HEARD = 400
#: Share of the budget kept for decisions, to-dos and changes.
_RESERVED = 0.6
#: A source in which nobody took part still counts for half of one in which everybody did.
_QUIET = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one source tree brings to a digest."""

    #: of the day's own messages; above a day, those that the children show
    units: Sequence[Unit]
    #: how much the owner took part, 0 to 1: mean of the signal `interaction` of its chunks
    interaction: float = 0.0


def heard(leaves: Mapping[str, LeafFacts]) -> frozenset[str]:
    """The chunks whose sentences a day chooses from. All of them, but of more than anybody writes in a day (a copied
    folder, a fresh clone) each source's best in turn: a day costs no more than those, and shows a few dozen sentences.
    """
    if len(leaves) <= HEARD:
        return frozenset(leaves)
    turns: Counter[str] = Counter()
    order: list[tuple[int, str, str]] = []
    for chunk_id, facts in sorted(leaves.items(), key=lambda item: (-item[1].score, -item[1].tokens, item[0])):
        order.append((turns[facts.tree_scope], facts.tree_scope, chunk_id))
        turns[facts.tree_scope] += 1
    return frozenset(chunk_id for _, _, chunk_id in sorted(order)[:HEARD])


def shown_sections(nodes: Iterable[SummaryNode], units: Sequence[Unit], paths: Mapping[str, str]) -> dict[Unit, str]:
    """The units that the children show, each with the heading it stands below there. `paths`: chunk_id -> path."""
    below: dict[str, list[SummaryNode]] = {}
    for node in nodes:
        for section in dict.fromkeys(sentence.section for sentence in node.sentences):
            own = tuple(sentence for sentence in node.sentences if sentence.section == section)
            below.setdefault(section, []).append(replace(node, sentences=own))
    return {unit: section for section, shown in below.items() for unit in shown_by(shown, units, paths)}


def compose_digest(
    period: Period,
    children: Sequence[Child],
    parts: Mapping[str, Part],
    *,
    body: int,
    start: datetime,
    end: datetime,
    frequencies: Frequencies,
    paths: Mapping[str, str],
    count: TokenCounter,
    now: datetime,
    known: Mapping[Unit, str] | None = None,
) -> SummaryNode:
    """The node of a period, rev 1.

    `children`: of a day its leaves, above it the digests below; `body`: tokens of their bodies, as far as they are of
    the period. `parts`: tree scope -> its sentences. `start`, `end`: of what is below. `paths`: chunk_id -> vault path.
    `known`: under which headings the children show the units (`shown_sections`).
    """
    node = SummaryNode(
        node_id=global_node_id(period),
        tree_kind="global",
        tree_scope=GLOBAL_SCOPE,
        tree_level=period.level,
        children=tuple(child.link for child in children),
        child_ids=tuple(child.id for child in children),
        time_start=start,
        time_end=end,
        token_count=0,
        sealed_at=now,
        rev=1,
        summariser=SUMMARISER,
        title=period.name,
        sentences=(),
        entities=most_named(entity for child in children for entity in child.entities),
        topics=(),
        score=max((child.score for child in children), default=0.0),
        aliases=(readable(period),),
    )
    headings = count("\n\n".join(f"## {section}" for section in SECTIONS))
    chosen = choose_digest(
        parts,
        period=period,
        body=body,
        frame=frame_of(node, global_path(period), count) + headings,
        frequencies=frequencies,
        paths=paths,
        count=count,
        known=known or {},
    )
    tokens = sum(count(sentence.text) for sentence in chosen)
    return replace(node, sentences=chosen, topics=topics_of(chosen), token_count=tokens)


def choose_digest(
    parts: Mapping[str, Part],
    *,
    period: Period,
    body: int,
    frame: int,
    frequencies: Frequencies,
    paths: Mapping[str, str],
    count: TokenCounter,
    known: Mapping[Unit, str],
) -> tuple[Sentence, ...]:
    """The sentences of a digest, in the order of SECTIONS and in time order in each.

    Their text is never longer than half of what the parts hold, nor than a digest may be. Where half of `body` has room
    for them, links, headings and `frame` are counted too; most days are a few messages, and a link is longer than what
    was said.
    """
    usable = {
        scope: replace(part, units=[unit for unit in part.units if unit.chunk_id in paths])
        for scope, part in sorted(parts.items())
    }
    units = [unit for part in usable.values() for unit in part.units]
    if not units:
        return ()
    day = period.name if period.level == DAY else ""
    prose = min(MOST_OF_DAY if day else MOST_ABOVE, sum(unit.tokens for unit in units) // 2)
    link = link_cost(units[:1], paths, count, day=day)
    if room(body, link, frame):
        link = max(link, link_cost(units[1:], paths, count, day=day))
    budget = Budget(prose=prose, body=room(body, link, frame) or prose + link * len(units), link=link)
    headings = {unit: known.get(unit) or section for unit, section in sections_of(units).items()}
    pool = [unit for unit in distinct(units) if says_something(unit.text, unit.language)]
    kept = select_in_turns(pool, _turns(usable, pool, headings, prose), budget=budget, frequencies=frequencies)
    ordered = sorted(kept, key=lambda unit: (SECTIONS.index(headings[unit]), unit.order))
    return tuple(replace(sentence_of(unit, paths[unit.chunk_id], day=day), section=headings[unit]) for unit in ordered)


def _turns(parts: Mapping[str, Part], pool: Sequence[Unit], headings: Mapping[Unit, str], prose: int) -> list[Turn]:
    """One of each kind that must not be lost, one of each source; then as many of those kinds as their reserve takes;
    then each source by its share; then whatever is best.
    """
    reserve = int(_RESERVED * prose)
    firm = [unit for unit in pool if headings[unit] != ALSO]
    kinds = [
        Turn(units=[unit for unit in firm if headings[unit] == kind], tokens=reserve, most=1)
        for kind in (DECISIONS, TO_DO, CHANGED)
    ]
    sources = [Turn(units=part.units, tokens=prose, most=1) for part in parts.values()]
    shares = _shares(parts)
    rest = [Turn(units=part.units, tokens=int((prose - reserve) * shares[scope])) for scope, part in parts.items()]
    return [*kinds, *sources, Turn(units=firm, tokens=reserve), *rest, Turn(units=pool, tokens=prose)]


def _shares(parts: Mapping[str, Part]) -> dict[str, float]:
    """Of the budget: by the root of a source's length, that no book silences a chat, and by the owner's part in it."""
    weights = {
        scope: math.sqrt(sum(unit.tokens for unit in part.units)) * (_QUIET + part.interaction)
        for scope, part in parts.items()
    }
    whole = sum(weights.values()) or 1.0
    return {scope: weight / whole for scope, weight in weights.items()}
