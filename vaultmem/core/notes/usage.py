"""Which entities questions named, by day: `.vaultmem/usage.jsonl`, one JSON line each. Never a word of a question.

{"count": 3, "day": "2026-04-21", "entity": "person:ann"}

Only hotness reads it, and only the last 30 days: what is older is left out when the file is written again. Lines of
one day and entity add up, so the files of two devices may simply be joined; a broken line is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, timedelta

USAGE = ".vaultmem/usage.jsonl"
#: Days that are kept: twice what hotness looks at, so that a clock that is behind loses nothing.
KEPT = timedelta(days=60)
#: No line counts for more: a broken one must not make a topic hot for a month.
_MOST = 1000

#: Entity id -> day -> questions that named it.
Usage = Mapping[str, Mapping[date, int]]


def parse_usage(text: str) -> dict[str, dict[date, int]]:
    """Read the file."""
    found: dict[str, dict[date, int]] = {}
    for line in text.splitlines():
        row = _row(line)
        if row is not None:
            entity, day, count = row
            days = found.setdefault(entity, {})
            days[day] = days.get(day, 0) + count
    return found


def render_usage(usage: Usage) -> str:
    """The file's text: by day, then by entity. Equal usage gives equal bytes."""
    rows = sorted((day.isoformat(), entity, count) for entity, days in usage.items() for day, count in days.items())
    lines = ({"count": count, "day": day, "entity": entity} for day, entity, count in rows if count > 0)
    return "".join(json.dumps(line, sort_keys=True) + "\n" for line in lines)


def merge_usage(*several: Usage, today: date) -> dict[str, dict[date, int]]:
    """What all of these say, without days that nobody looks at any more."""
    found: dict[str, dict[date, int]] = {}
    for usage in several:
        for entity, days in usage.items():
            for day, count in days.items():
                if day > today - KEPT:
                    own = found.setdefault(entity, {})
                    own[day] = own.get(day, 0) + count
    return found


def asked_on(entities: Iterable[str], day: date) -> dict[str, dict[date, int]]:
    """One question that named these."""
    return {entity: {day: 1} for entity in entities}


def _row(line: str) -> tuple[str, date, int] | None:
    """(entity, day, count) of a whole line."""
    try:
        row = json.loads(line)
        entity, day, count = row["entity"], date.fromisoformat(row["day"]), row["count"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if not isinstance(entity, str) or ":" not in entity or type(count) is not int or count < 1:
        return None
    return entity, day, min(count, _MOST)
