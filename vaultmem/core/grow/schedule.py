"""What is due at a moment, given what was made before. Pure: the caller enqueues it and keeps the marks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from vaultmem.core.grow.calendar import day_of
from vaultmem.jobs import Job

#: So long after the local midnight the day before is summed up: what was written until then has arrived.
AFTER_MIDNIGHT = timedelta(minutes=5)
#: While somebody watches, today's digest is made at most so often.
TODAY_EVERY_MS = 600_000
#: Days summed up after a late start; a day before them is made when something of it arrives.
_MOST_DAYS = 92
#: Nights that are remembered, so that a clock that jumps back and forth makes none of them twice.
_REMEMBERED = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """What is to be done once for one local day, and what is to be remembered then."""

    jobs: tuple[Job, ...]
    #: the marks for the next look
    marks: str


def night(now: datetime, zone: tzinfo, marks: str) -> Night | None:
    """The night's work that is due at this aware moment: yesterday's digest and the flush; None when it was done.

    `marks`: those of the last night, "" for none. Days that nobody was there for are caught up with. Only what lies
    before `now` counts as missed, and each night is made once, whatever the clock did.
    """
    today = day_of(now - AFTER_MIDNIGHT, zone)
    made = [date.fromisoformat(mark) for mark in marks.split()]
    if today in made:
        return None
    yesterday = today - timedelta(days=1)
    last = max((day for day in made if day < today), default=yesterday)
    first = max(last, today - timedelta(days=_MOST_DAYS))
    missed = [first + timedelta(days=n) for n in range((today - first).days)]
    jobs = [Job(kind="digest_daily", subject=day.isoformat()) for day in reversed(missed)]
    kept = [*made, today][-_REMEMBERED:]
    return Night(
        jobs=(*jobs, Job(kind="flush_stale", subject=today.isoformat())),
        marks=" ".join(day.isoformat() for day in kept),
    )


def resting_until_ms(now_ms: int, made_ms: int) -> int | None:
    """Until when today's digest, made at `made_ms`, is not made again; None when it may be. A clock that was put back
    holds it up no longer than the rest itself.
    """
    until = made_ms + TODAY_EVERY_MS
    return until if made_ms <= now_ms < until else None
