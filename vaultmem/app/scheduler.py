"""The heartbeat: looks whether anything is due, and enqueues it. It does no work itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import UTC

from vaultmem.app.engine import Engine
from vaultmem.core.grow.calendar import day_of
from vaultmem.core.grow.schedule import Night, night, resting_until_ms
from vaultmem.jobs import CLAIM_ORDER, Defer, Done, Job, JobKind, Outcome

#: Seconds between two beats while somebody watches.
BEAT_SECONDS = 60.0

#: local days whose night was made
_NIGHTS = "nights"
#: day and epoch ms of the last digest of a day that was not over
_TODAY = "todays_digest"


def is_due(engine: Engine) -> bool:
    """Whether a pass would find anything to do now, if only an index that another process began anew; only reads."""
    if not engine.is_built:
        return True
    wakes = engine.index.queue.next_ms(CLAIM_ORDER)
    return _night(engine) is not None or (wakes is not None and wakes <= engine.wall() * 1000)


def tick(engine: Engine, kinds: Collection[JobKind], *, live: bool) -> None:
    """Enqueue what is due of these kinds. `live`: somebody watches, and today's digest may wait for its time."""
    found = _night(engine)
    if found is not None:
        # The jobs first: killed in between, they are there already when they are enqueued once more.
        engine.index.queue.enqueue([job for job in found.jobs if job.kind in kinds])
        engine.index.set_meta(_NIGHTS, found.marks)
    if not live:
        engine.index.queue.hurry({"digest_daily"})


def paced(
    engine: Engine, handlers: Mapping[JobKind, Callable[[Job], Outcome]], *, live: bool
) -> dict[JobKind, Callable[[Job], Outcome]]:
    """The handlers, of which that of a day's digest does not make today's again and again while somebody watches.

    A day that is over is made whenever something of it arrives.
    """
    digest = handlers.get("digest_daily")
    return {**handlers, "digest_daily": lambda job: _digest(engine, digest, job, live=live)} if digest else {**handlers}


def _digest(engine: Engine, digest: Callable[[Job], Outcome], job: Job, *, live: bool) -> Outcome:
    if job.subject != day_of(engine.now(), engine.settings.zone).isoformat():
        return digest(job)
    now_ms = int(engine.wall() * 1000)
    day, _, made = engine.index.get_meta(_TODAY).partition(" ")
    until = resting_until_ms(now_ms, int(made)) if live and day == job.subject else None
    if until is not None:
        return Defer(until_ms=until, reason="today's digest was made a few minutes ago")
    outcome = digest(job)
    if isinstance(outcome, Done):
        engine.index.set_meta(_TODAY, f"{job.subject} {now_ms}")
    return outcome


def _night(engine: Engine) -> Night | None:
    return night(engine.now().astimezone(UTC), engine.settings.zone, engine.index.get_meta(_NIGHTS))
