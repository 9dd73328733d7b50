"""Modes over the tree of days: digests of a time, and the digest of one period."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import cast

from vaultmem.answers import Filters, QueryResponse
from vaultmem.app.asker import Arguments, Asker, by_rank
from vaultmem.app.engine import Engine
from vaultmem.app.hits import as_it_is
from vaultmem.core.grow.calendar import (
    DAY,
    MONTH,
    WEEK,
    YEAR,
    Period,
    day_of,
    global_node_id,
    parent_of,
    parse_period,
    period_at,
    period_of,
    range_of,
    readable,
)
from vaultmem.core.recall.window import Window

#: What is asked for when no time is.
_DEFAULT = timedelta(days=7)
#: A window shorter than so many days is told by digests of this level.
_LEVELS = ((14, DAY), (60, WEEK), (400, MONTH))
_NAMES = ("day", "week", "month", "year")


def query_global(asker: Asker, arguments: Arguments) -> QueryResponse:
    """Digests of a time, newest first; leaves where no digest stands or where the time cuts a day."""
    now = asker.engine.now()
    window = asker.window(arguments)
    if window.since is None and window.until is None:
        window = replace(window, since=now - _DEFAULT)
    if window.until is not None and window.until >= now:
        window = replace(window, until=None)  # today is not over: what stands of it is all of it
    order, lacking = _digests(asker, window, now)
    limit, text = cast(int, arguments["limit"]), str(arguments["query"])
    if not text:
        return asker.answer(order, limit, degraded=lacking)
    filters = Filters(since=window.since, until=window.until)
    scores, missing = asker.ranked(order, text, filters, "global")
    return asker.answer(by_rank(order, scores), limit, scores=scores, degraded=[*lacking, missing])


def _digests(asker: Asker, window: Window, now: datetime) -> tuple[list[str], list[str]]:
    """Ids of digests and leaves, newest first; in words how much has no digest."""
    since = window.since or datetime.min.replace(tzinfo=UTC)
    until = window.until + timedelta(microseconds=1) if window.until else datetime.max.replace(tzinfo=UTC)
    chosen = _chosen(asker, since, until, _level(window, now))
    found = [(start, node_id) for start, _, node_id in chosen]
    leaves: dict[str, datetime] = {}
    for start, end in _gaps(since, until, [(start, end) for start, end, _ in chosen]):
        leaves |= {leaf.chunk_id: leaf.start for leaf in asker.engine.index.leaves_on(start, end)}
    found += [(start, chunk_id) for chunk_id, start in leaves.items()]
    found.sort(key=lambda each: (-each[0].timestamp(), each[1]))
    told = f"{len(leaves)} chunks stand in no digest that lies in this time: they are given themselves"
    return [node_id for _, node_id in found], [told] if leaves else []


def _chosen(asker: Asker, since: datetime, until: datetime, level: int) -> list[tuple[datetime, datetime, str]]:
    """(start, end, node) of the digests of this level that lie in [since, until), and of lower ones beside them."""
    zone = asker.engine.settings.zone
    first, last = day_of(since, zone), day_of(until, zone)
    taken: set[Period] = set()
    found: list[tuple[datetime, datetime, str]] = []
    # most digests of many years are passed over by their names
    names = {at: (period_of(at, first).name, period_of(at, last).name) for at in range(level, DAY - 1, -1)}
    for row in asker.engine.index.digests_named(names):
        period = period_at(row)
        if period is None:
            continue
        start, end = range_of(period, zone)
        if since <= start and end <= until and taken.isdisjoint(_above(period)):
            taken.add(period)
            found.append((start, end, row.node_id))
    return found


def _above(period: Period) -> Iterator[Period]:
    above = parent_of(period)
    while above is not None:
        yield above
        above = parent_of(above)


def _gaps(
    since: datetime, until: datetime, spans: Iterable[tuple[datetime, datetime]]
) -> Iterator[tuple[datetime, datetime]]:
    """What of [since, until) none of these spans holds."""
    at = since
    for start, end in sorted(spans):
        if at < start:
            yield at, start
        at = max(at, end)
    if at < until:
        yield at, until


def _level(window: Window, now: datetime) -> int:
    """The level at which a window of this length is told."""
    if window.since is None:
        return YEAR
    length = (window.until or now) - window.since
    return next((level for days, level in _LEVELS if length < timedelta(days=days)), YEAR)


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestView:
    """The digest of a period, as its note stands now."""

    #: `2026-04-21`, `2026-W17`, `2026-04`, `2026`
    period: str
    level: str
    title: str
    #: "" while no digest stands
    node_id: str
    note_path: str
    #: the note's body; "" while no digest stands
    content: str
    #: (heading, sentences): a sentence is who said it ("" for documents), what, and the note it stands in
    sections: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]
    child_ids: tuple[str, ...]
    degraded: str = ""

    def to_dict(self) -> dict[str, object]:
        """The JSON of `digest`."""
        shown = [
            {"heading": h, "sentences": [{"author": a, "text": t, "note_path": p} for a, t, p in rows]}
            for h, rows in self.sections
        ]
        return {**asdict(self), "sections": shown, "child_ids": list(self.child_ids)}


def read_digest(engine: Engine, name: str) -> DigestView:
    """The digest of `today`, `yesterday`, a day, week, month or year; "": the newest. Raises BadQuery."""
    period = _period(engine, name.strip())
    view = DigestView(
        period=period.name, level=_NAMES[period.level], title=readable(period), node_id="", note_path="", content="",
        sections=(), child_ids=(),
    )  # fmt: skip
    found = engine.index.node(global_node_id(period))
    if found is None:
        leaves = engine.index.leaves_on(*range_of(period, engine.settings.zone))
        told = "nothing is known of this time" if not leaves else "no digest yet: 'vaultmem sync' makes it"
        return replace(view, child_ids=tuple(leaf.chunk_id for leaf in leaves), degraded=told)
    node, _ = as_it_is(engine.vault, *found)
    grouped: dict[str, list[tuple[str, str, str]]] = {}
    for said in node.sentences:
        grouped.setdefault(said.section, []).append((said.author, said.text, said.link.path))
    return replace(
        view, node_id=node.node_id, note_path=found[0], content=node.body, child_ids=node.child_ids,
        sections=tuple((heading, tuple(rows)) for heading, rows in grouped.items()),
    )  # fmt: skip


def _period(engine: Engine, name: str) -> Period:
    today = day_of(engine.now(), engine.settings.zone)
    if name.casefold() in ("today", "yesterday"):
        return period_of(DAY, today - timedelta(days=1) if name.casefold() == "yesterday" else today)
    if name:
        return parse_period(name.replace("-w", "-W"))
    days = (p for row in engine.index.digests() if (p := period_at(row)) and p.level == DAY)
    return max((p for p in days if p.name <= today.isoformat()), default=period_of(DAY, today))
