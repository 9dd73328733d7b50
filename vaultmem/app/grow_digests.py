"""The global tree: a digest for every local day with content, and for its week, month and year.

A digest knows what it was made of (`inputs_sha256`), so making it again costs nothing where nothing changed: whatever
arrives late revises its day, and what stands above. Days are made newest first; weeks, months and years after them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from vaultmem.app.grow import Grower
from vaultmem.core.grow.calendar import (
    DAY,
    GLOBAL_SCOPE,
    WEEK,
    YEAR,
    Period,
    day_of,
    days_of,
    global_node_id,
    global_path,
    parent_of,
    parse_period,
    period_at,
    range_of,
)
from vaultmem.core.grow.compose import Child
from vaultmem.core.grow.digest import SUMMARISER, Part, compose_digest, heard, shown_sections
from vaultmem.core.grow.facet import frequencies
from vaultmem.core.grow.units import Unit
from vaultmem.core.notes.entry import passages_of, times_of
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.core.notes.summarynote import body_of
from vaultmem.errors import BadQuery
from vaultmem.grown import DayLeaf, DigestRow, LeafFacts, Link, SummaryNode
from vaultmem.jobs import Done, Fail, Job, Outcome
from vaultmem.model import Chunk

#: Subject of the job that makes weeks, months and years. It sorts before every date: days are made first.
ABOVE = "(weeks, months, years)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Digests:
    """The handler of `digest_daily`, and who enqueues it."""

    grower: Grower

    def of_chunk(self, chunk: Chunk) -> tuple[Job, ...]:
        """The days on which something of this chunk was said: of a document all at one time, whatever stands in it."""
        passages = () if chunk.source_kind == "document" else passages_of(chunk)
        days = days_of(times_of(chunk, passages), self.grower.engine.settings.zone)
        return tuple(_job(day) for day in days)

    def enqueue_touched(self) -> None:
        """Days from which something went: of what came, `extract_chunk` tells."""
        index = self.grower.engine.index
        utc_days = index.touched_days()
        if utc_days:
            index.queue.enqueue([_job(day) for day in sorted(self._local(utc_days), reverse=True)])
            index.settle_days(utc_days)

    def _local(self, utc_days: Iterable[date]) -> set[date]:
        zone = self.grower.engine.settings.zone
        found: set[date] = set()
        for day in utc_days:
            start = datetime(day.year, day.month, day.day, tzinfo=UTC)
            found |= {day_of(start, zone), day_of(start + timedelta(days=1, microseconds=-1), zone)}
        return found

    def digest_daily(self, job: Job) -> Outcome:
        """Make a day's digest, or all of what stands above days."""
        if job.subject == ABOVE:
            if not self._is_early():
                self._above()
            return Done()
        try:
            period = parse_period(job.subject)
        except BadQuery as problem:
            return Fail(reason=str(problem), final=True)
        if period.level == DAY:
            self._day(period)
        return Done(follow_ups=(Job(kind="digest_daily", subject=ABOVE),))

    def _is_early(self) -> bool:
        """True while days are made or chunks looked at: what ends last leads here again, and a week is made once."""
        counted = {row.kind: row.ready + row.running for row in self.grower.engine.index.queue.backlog()}
        return counted.get("digest_daily", 0) > 1 or counted.get("extract_chunk", 0) > 0

    def _day(self, period: Period) -> None:
        engine = self.grower.engine
        start, end = range_of(period, engine.settings.zone)
        leaves = engine.index.leaves_on(start, end)
        if not leaves:
            self._remove(period)
            return
        inputs = _hash(
            [engine.settings.timezone, *(f"{leaf.chunk_id} {leaf.body_sha256} {leaf.path}" for leaf in leaves)]
        )
        if self._stands(period, inputs):
            return
        facts = engine.index.leaf_facts([leaf.chunk_id for leaf in leaves])
        speaking = heard(facts)
        units = [unit for leaf in leaves if leaf.chunk_id in speaking for unit in self._said(leaf, start, end)]
        children = [self._leaf(leaf, facts[leaf.chunk_id], start, end) for leaf in leaves if leaf.chunk_id in facts]
        node = compose_digest(
            period,
            children,
            _parts(units, facts),
            body=sum(child.tokens for child in children),
            start=max(start, min(leaf.start for leaf in leaves)),
            end=min(end, max(leaf.end for leaf in leaves)),
            frequencies=frequencies(units),
            paths={leaf.chunk_id: leaf.path for leaf in leaves},
            count=engine.count,
            now=engine.now(),
        )
        self.grower.write([self._revision(period, replace(node, inputs=inputs), children)])

    def _said(self, leaf: DayLeaf, start: datetime, end: datetime) -> list[Unit]:
        """The sentences of the day's own messages."""
        return [unit for unit in self.grower.sentences.of(leaf.chunk_id) if start <= unit.sent_at < end]

    def _leaf(self, leaf: DayLeaf, facts: LeafFacts, start: datetime, end: datetime) -> Child:
        """A leaf of the day, as long as what was said on it."""
        link = Link(path=leaf.path, alias=facts.alias)
        child = Child(id=leaf.chunk_id, link=link, tokens=facts.tokens, entities=facts.entities, score=facts.score)
        if start <= leaf.start and leaf.end < end:
            return child
        found = self.grower.engine.index.chunk(leaf.chunk_id)
        if found is None:
            return child
        passages = passages_of(found[1])
        times = times_of(found[1], passages)
        said = [passage.text for passage, at in zip(passages, times, strict=False) if start <= at < end]
        return replace(child, tokens=self.grower.engine.count("\n".join(said)))

    def _above(self) -> None:
        """Weeks, then months, then years: those that are not made of what stands below them now."""
        for level in range(WEEK, YEAR + 1):
            below: dict[Period, list[DigestRow]] = {}
            for row in self.grower.engine.index.digests():
                period = period_at(row)
                above = parent_of(period) if period and period.level == level - 1 else None
                if above is not None:
                    below.setdefault(above, []).append(row)
            folded = (
                self._fold(period, sorted(below[period], key=lambda row: row.path))
                for period in sorted(below, reverse=True)
            )
            self.grower.write(found for found in folded if found)
            for row in self.grower.engine.index.digests():
                period = period_at(row)
                if period and period.level == level and period not in below:
                    self._remove(period)
        self.grower.tidy("global", GLOBAL_SCOPE)

    def _fold(self, period: Period, rows: Sequence[DigestRow]) -> tuple[str, SummaryNode] | None:
        """The digest of a period and its place; None when it stands as it is."""
        engine = self.grower.engine
        inputs = _hash([f"{row.node_id} {row.path} {row.says}" for row in rows])
        if self._stands(period, inputs):
            return None
        nodes = [found[1] for row in rows if (found := engine.index.node(row.node_id))]
        paths = engine.index.leaf_paths([row.node_id for row in rows])
        shown = [sentence for node in nodes for sentence in node.sentences]
        known = shown_sections(nodes, self.grower.shown_units(shown, paths), paths)
        units = sorted(known, key=lambda unit: unit.order)
        children = [child for row in rows if (child := self.grower.child(row.node_id))]
        node = compose_digest(
            period,
            children,
            _parts(units, engine.index.leaf_facts({unit.chunk_id for unit in units})),
            body=sum(engine.count(_said(node)) for node in nodes),
            start=min(node.time_start for node in nodes),
            end=max(node.time_end for node in nodes),
            frequencies=frequencies(units),
            paths=paths,
            count=engine.count,
            now=engine.now(),
            known=known,
        )
        return self._revision(period, replace(node, inputs=inputs), children)

    def _stands(self, period: Period, inputs: str) -> bool:
        """True when the digest was made of just this, or a person deleted the one that was."""
        found = self.grower.engine.index.node(global_node_id(period))
        if found is None:
            return inputs in self.grower.buried.digests.get(global_node_id(period), ())
        return found[1].inputs == inputs

    def _revision(self, period: Period, node: SummaryNode, children: Sequence[Child]) -> tuple[str, SummaryNode]:
        """A new digest, or the next revision of one: where it stands now, and with the body a person gave it."""
        found = self.grower.engine.index.node(node.node_id)
        if found is None or not found[1].edited:
            node = self.grower.summariser.rewritten(node, [child.tokens for child in children])
        return (global_path(period), node) if found is None else (found[0], _revised(found[1], node))

    def _remove(self, period: Period) -> None:
        """Nothing is left of the period. A text that a person wrote stays."""
        found = self.grower.engine.index.node(global_node_id(period))
        if found is not None and not found[1].edited:
            self.grower.remove(found[0])


def newest_digest(grower: Grower) -> Link | None:
    """The digest of the last day that is not in the future."""
    today = day_of(grower.engine.now(), grower.engine.settings.zone).isoformat()
    days = [(p.name, row.path) for row in grower.engine.index.digests() if (p := period_at(row)) and p.level == DAY]
    name, path = max((day for day in days if day[0] <= today), default=("", ""))
    return Link(path=path, alias=name) if path else None


def digest_job(node: SummaryNode) -> Job:
    """What makes this digest again."""
    return Job(kind="digest_daily", subject=node.title if node.tree_level == DAY else ABOVE)


def _job(day: date) -> Job:
    return Job(kind="digest_daily", subject=day.isoformat())


def _revised(old: SummaryNode, new: SummaryNode) -> SummaryNode:
    """The next revision; its links stay until the tree is put in order."""
    new = replace(new, rev=old.rev + 1, up=old.up, previous=old.previous, following=old.following)
    if not old.edited:
        return new
    return replace(
        new,
        edited=True,
        body=old.body,
        body_sha256=old.body_sha256,
        title=old.title,
        sentences=old.sentences,
        token_count=old.token_count,
    )


def _hash(parts: Iterable[str]) -> str:
    return sha256_hex("\n".join([SUMMARISER, *parts]).encode("utf-8", "surrogatepass"))


def _said(node: SummaryNode) -> str:
    """The body without its links up, back and on: these follow from the tree around it, at whatever moment."""
    return node.body if node.edited else body_of(replace(node, up=None, previous=None, following=None))


def _parts(units: Sequence[Unit], facts: Mapping[str, LeafFacts]) -> dict[str, Part]:
    """The units by source tree, with how much the owner took part in it."""
    by_scope: dict[str, list[Unit]] = {}
    for unit in units:
        if unit.chunk_id in facts:
            by_scope.setdefault(facts[unit.chunk_id].tree_scope, []).append(unit)
    return {scope: Part(units=own, interaction=_mean(own, facts)) for scope, own in by_scope.items()}


def _mean(units: Sequence[Unit], facts: Mapping[str, LeafFacts]) -> float:
    """Mean interaction of the chunks these units stand in."""
    chunks = {unit.chunk_id for unit in units}
    return sum(facts[chunk_id].interaction for chunk_id in chunks) / len(chunks)
