"""The nouns of background work: what is to be done, who does it now, how it ended.

A handler may run more than once for one job (a killed process, a lease that ran out), so its effect must be the same
then. Nothing stands in a queue that reconcile could not find again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

JobKind = Literal[
    "extract_chunk", "append_buffer", "seal", "flush_stale", "topic_route", "digest_daily", "reembed_backfill"
]

#: Kinds in the order in which ready jobs are taken: what ends a piece of work before what begins another, and what is
#: made of many chunks (topics, a day) after the last of them was looked at.
CLAIM_ORDER: tuple[JobKind, ...] = (
    "seal",
    "flush_stale",
    "append_buffer",
    "extract_chunk",
    "topic_route",
    "digest_daily",
    "reembed_backfill",
)
#: Kinds whose subject is a date: of those that are ready the latest goes first.
NEWEST_FIRST: frozenset[JobKind] = frozenset({"digest_daily"})
#: Kinds that fill up what is missing, slice after slice, for hours maybe: a job that was lost does not wait for them.
FILLING: frozenset[JobKind] = frozenset({"reembed_backfill"})
#: Kinds that ask a language model where one is configured: they are taken only when a permit is free.
LLM_KINDS: frozenset[JobKind] = frozenset({"extract_chunk", "seal", "digest_daily"})

#: 9999-12-31T23:59:59Z
_LAST_SECOND = 253_402_300_799

#: How long a claimed job belongs to its claimer; after that anybody may take it over.
LEASE_MS = 300_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of work. Two jobs with the same kind and subject are the same job while it is ready or running."""

    kind: JobKind
    #: what it is about: a chunk_id, a tree scope, a local date or a vector signature
    subject: str
    #: whose turn it takes: jobs of one kind are taken from their sources in turn, so that none starves another
    source: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A job that is running under a lease."""

    id: int
    job: Job
    #: attempts so far, this one counted
    attempts: int
    #: the claimer's token: what no longer holds this lease can no longer settle the job
    lease: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The work is done; what follows from it is enqueued in the same transaction."""

    follow_ups: tuple[Job, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Defer:
    """It cannot be done yet, and that is nobody's fault: no attempt is counted."""

    #: epoch ms before which it is not looked at again
    until_ms: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fail:
    """It went wrong: tried again later, and after the last attempt laid aside with the reason."""

    #: for a person, without secrets
    reason: str
    #: another attempt would end the same way
    final: bool = False


Outcome = Done | Defer | Fail

#: What became of a claimed job: "lost" when its lease had gone to somebody else, so that the outcome counts nothing.
Settled = Literal["done", "deferred", "retry", "dead", "lost"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadJob:
    """A job nobody tries any more, until it is enqueued anew or retried by a person."""

    job: Job
    attempts: int
    reason: str
    #: it ended the process it ran in too often: only a person's retry brings it back
    parked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """What the queue holds of one kind."""

    kind: JobKind
    ready: int = 0
    running: int = 0
    #: put off, or to be tried again later
    waiting: int = 0
    dead: int = 0
    #: epoch ms at which the first of the waiting is ready
    until_ms: int | None = None
    #: epoch ms at which the oldest job that is not done was enqueued; dead ones left out
    oldest_ms: int | None = None
    #: why jobs wait or are dead -> how many, the most frequent first, a few of them
    reasons: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, object]:
        """The JSON of one kind in `status`: times in UTC, absent when there is none."""
        times = {"until": self.until_ms, "oldest": self.oldest_ms}
        shown = {name: iso_of(ms) for name, ms in times.items() if ms is not None}
        counts = {"ready": self.ready, "running": self.running, "waiting": self.waiting, "dead": self.dead}
        return {"kind": self.kind, **counts, **shown, "reasons": dict(self.reasons)}


def iso_of(ms: int) -> str:
    """Epoch ms as ISO text in UTC, to the second; the bounds of the calendar for what lies beyond them."""
    seconds = min(max(ms // 1000, 0), _LAST_SECOND)
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
