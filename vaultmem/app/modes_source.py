"""Modes over source trees: what a source says, what a time holds, how fresh each source is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Literal, cast

from vaultmem.answers import QueryResponse, RetrievalHit, SourceHit, SourceResponse
from vaultmem.app.asker import Arguments, Asker, by_rank
from vaultmem.app.hits import iso
from vaultmem.errors import BadQuery

_EMPTY = QueryResponse(hits=(), total=0, truncated=False)


def query_source(asker: Asker, arguments: Arguments) -> QueryResponse:
    """The fewest nodes of these sources in this time, newest first or ranked by a question."""
    asked, filters, problem = asker.asked(arguments, asker.window(arguments))
    if asked is None:
        return replace(_EMPTY, degraded=problem)
    cover = sorted(asker.engine.index.forest.cover(asked), key=lambda b: (-b.last_us, -b.first_us, b.node_id))
    order = [branch.node_id for branch in cover]
    limit, text = cast(int, arguments["limit"]), str(arguments["query"])
    if not text:
        return asker.answer(order, limit)
    scores, lacking = asker.ranked(order, text, filters, "source")
    return asker.answer(by_rank(order, scores), limit, scores=scores, degraded=[lacking])


def cover_window(asker: Asker, arguments: Arguments) -> QueryResponse:
    """The fewest nodes for a time, in time order; a fair share for every source. Raises BadQuery without a time."""
    window = asker.window(arguments)
    if window.is_open:
        raise BadQuery("since", "", "a time: since and until, since_ms and until_ms, or window=7d")
    asked, _, problem = asker.asked(arguments, window)
    if asked is None:
        return replace(_EMPTY, degraded=problem, omitted={})
    chosen, omitted = asker.engine.index.forest.fair_cover(asked, cast(int, arguments["limit"]))
    found = asker.answer([branch.node_id for branch in chosen], len(chosen))
    clipped = {branch.node_id for branch in chosen if branch.end_us > asked.until_us}
    total = found.total + sum(omitted.values())
    hits = tuple(_clipped(hit, clipped) for hit in found.hits)
    return replace(found, hits=hits, total=total, truncated=total > len(hits), omitted=omitted)


def _clipped(hit: RetrievalHit, clipped: set[str]) -> RetrievalHit:
    return replace(hit, clipped=True) if hit.node_id in clipped else hit


def sync_status_list(asker: Asker, arguments: Arguments) -> SourceResponse:
    """Every source with its counts, those heard of last first."""
    name, kind, limit = str(arguments["source"]), str(arguments["kind"]), cast(int, arguments["limit"])
    now_ms = int(asker.engine.now().timestamp() * 1000)
    rows = [
        row
        for row in asker.engine.index.sources()
        if (not kind or row["source_kind"] == kind) and (not name or _is_named(name, row))
    ]
    rows.sort(key=lambda row: -cast(int, row["last_ms"]))  # equals stay in the order of their ids
    states = Counter(_state(now_ms - cast(int, row["last_ms"])) for row in rows)
    titles = asker.engine.index.source_titles([str(row["source_id"]) for row in rows[:limit]])
    return SourceResponse(
        hits=tuple(_source(row, titles, now_ms) for row in rows[:limit]),
        total=len(rows),
        truncated=len(rows) > limit,
        states={state: states[state] for state in ("active", "recent", "idle")},
    )


def _is_named(name: str, row: object) -> bool:
    found = cast("dict[str, object]", row)
    source = str(found["source_id"])
    if name.endswith((":", "*")):
        return source.startswith(name.removesuffix("*"))
    return name in (source, found["tree_scope"])


def _source(row: object, titles: Mapping[str, str], now_ms: int) -> SourceHit:
    found = cast("dict[str, object]", row)
    first, last = (cast(int, found[key]) for key in ("first_ms", "last_ms"))
    return SourceHit(
        source_id=str(found["source_id"]),
        source_kind=str(found["source_kind"]),
        tree_scope=str(found["tree_scope"]),
        title=titles.get(str(found["source_id"]), ""),  # forgotten by another process since it was listed
        chunks=cast(int, found["chunks"]),
        dropped=cast(int, found["dropped"]),
        first=iso(_moment(first)),
        last=iso(_moment(last)),
        state=_state(now_ms - last),
    )


_DAY_MS = 86_400_000


def _state(age_ms: int) -> Literal["active", "recent", "idle"]:
    if age_ms < _DAY_MS:
        return "active"
    return "recent" if age_ms < 7 * _DAY_MS else "idle"


def _moment(epoch_ms: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=epoch_ms)
