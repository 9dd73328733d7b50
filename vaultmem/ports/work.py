"""The queue of background work, as the app sees it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from vaultmem.jobs import LEASE_MS, Backlog, Claimed, DeadJob, Job, JobKind, Outcome, Settled


class Queue(Protocol):
    """Durable background work. Every call is one transaction; nothing in it is part of the digest.

    A job has one living row, ready or running. It runs at least once; while its lease holds, neither it nor another
    job with its subject is begun.
    """

    def enqueue(self, jobs: Sequence[Job]) -> None:
        """Make these jobs ready. One that is ready or waits stays as it is; one that runs is made ready once more when
        it is settled; one that gave up gets a new row with fresh attempts; one that is parked stays parked.
        """
        ...

    def claim(self, kinds: Collection[JobKind], *, lease: str, now_ms: int, lease_ms: int = LEASE_MS) -> Claimed | None:
        """Take the first ready job of these kinds, counting an attempt; None when there is none.

        By kind (CLAIM_ORDER); within a kind the newest date first (NEWEST_FIRST), then a job of each source in turn,
        then by age. A job that was lost is taken when nothing else is ready (but FILLING) and nothing runs, and
        nothing is begun beside it. `lease`: a token nobody else uses.
        """
        ...

    def renew(self, leases: Collection[str], *, now_ms: int, lease_ms: int = LEASE_MS) -> int:
        """Let these leases run from now on; returns how many were still held."""
        ...

    def settle(self, claimed: Claimed, outcome: Outcome, *, now_ms: int) -> Settled:
        """Write down how a claimed job ended, together with what follows from it.

        Done: the job and its old dead letters go, follow-ups come. Defer: the attempt is given back, but not for ever
        for one reason. Fail: tried again after a growing delay, or laid aside (core.grow.retry). "lost": the lease is
        somebody else's, nothing was changed.
        """
        ...

    def release(self, leases: Collection[str]) -> int:
        """Make the jobs under these leases ready as if never claimed; returns how many were still held."""
        ...

    def recover(self, *, now_ms: int, alone: bool) -> int:
        """Make jobs ready whose lease ran out, or any that runs when the caller knows that it is `alone`.

        The attempt is given back and a loss is counted; too many losses park the job. Returns how many.
        """
        ...

    def counts(self) -> Mapping[str, int]:
        """ready (those that wait for their time too), running, dead."""
        ...

    def hurry(self, kinds: Collection[JobKind]) -> None:
        """Make jobs of these kinds ready that were put off; what waits after a failure goes on waiting."""
        ...

    def next_ms(self, kinds: Collection[JobKind]) -> int | None:
        """Epoch ms from which a job of these kinds can be taken or taken over: 0 at once, None never as it stands."""
        ...

    def backlog(self) -> tuple[Backlog, ...]:
        """What is not done, by kind, in claim order."""
        ...

    def dead(self) -> tuple[DeadJob, ...]:
        """Jobs laid aside, oldest first."""
        ...

    def retry_dead(self) -> int:
        """Enqueue every job laid aside anew, a parked one for one more try; returns how many."""
        ...
