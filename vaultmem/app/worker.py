"""Does the ready jobs, and what follows from them, until nothing is ready.

What a job's own handler gets wrong is written down with the job. What would make every job fail (no room on the disk,
no vault, no index) ends the drain, and so does a wish to stop: then what was running is given back unchanged.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Condition, Event, Thread
from uuid import uuid4

from vaultmem.core.ingest.redact import redact
from vaultmem.errors import CannotWrite, IndexTrouble, UnreadableVault, VaultmemError
from vaultmem.jobs import LEASE_MS, Claimed, Defer, Fail, Job, JobKind, Outcome, Settled
from vaultmem.ports import Queue

#: Threads that work at the same time unless told otherwise.
WORKERS = 3
#: Seconds that handlers at work get to come to their end when the drain has to stop; then their jobs are given back.
GRACE = 5.0

_LOOK_EVERY = 0.1
#: So often a lease is renewed in its time: two renewals may fail.
_RENEWALS = 3
_REASON_CHARACTERS = 500
#: Trouble of the whole disk, not of one file.
_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO})


@dataclass(frozen=True, slots=True, kw_only=True)
class Drained:
    """What a drain did, in jobs."""

    done: int = 0
    #: put off by their own handlers
    deferred: int = 0
    #: went wrong and are tried again later
    failed: int = 0
    #: laid aside for good
    dead: int = 0
    #: given back because the drain had to stop
    released: int = 0
    #: "kind subject" -> why it failed last
    problems: Mapping[str, str] = field(default_factory=dict)


def drain(
    queue: Queue,
    handlers: Mapping[JobKind, Callable[[Job], Outcome]],
    *,
    workers: int = WORKERS,
    wall: Callable[[], float],
    should_stop: Callable[[], bool] = lambda: False,
    awaited: Callable[[], bool] = lambda: False,
    alone: bool = False,
    settled: Callable[[], None] = lambda: None,
    scarce: Collection[JobKind] = (),
    permits: int = 1,
) -> Drained:
    """Run the handlers in `workers` threads (one: in this thread) until no job of their kinds is ready.

    `wall`: seconds since the epoch. `awaited`: asked all the time from this thread, whether no other job may be begun;
    what runs comes to its end. `alone`: nobody else drains this queue now (the caller holds the vault), so what
    still runs belongs to a process that is gone. `settled`: called after each job, from any thread. At most `permits`
    jobs of `scarce` kinds run at a time: the permit is taken before the job, so that none waits for one under a lease.
    A handler that raises has failed. Raises CannotWrite, UnreadableVault, IndexTrouble, KeyboardInterrupt and what is
    no Exception, after giving back what was running.
    """
    ends = should_stop if workers > 1 else lambda: should_stop() or awaited()
    work = _Work(queue, handlers, wall, ends, settled, _Permits(frozenset(scarce), permits))
    queue.recover(now_ms=work.now_ms(), alone=alone)
    ended = Event()
    keeper = Thread(target=work.keep_leases, args=(ended,), name="vaultmem-leases", daemon=True)
    keeper.start()
    try:
        if workers == 1:
            work.until_empty()
        else:
            _in_threads(work, workers, awaited)
    finally:
        ended.set()
        work.give_back()
        keeper.join()  # the index may be closed after this
    if work.trouble is not None:
        raise work.trouble
    return work.drained()


def _in_threads(work: _Work, workers: int, awaited: Callable[[], bool]) -> None:
    """This thread only watches: Ctrl-C and `should_stop` are heard while handlers run."""
    threads = [Thread(target=work.guarded, name=f"vaultmem-job-{n}", daemon=True) for n in range(workers)]
    try:
        for thread in threads:
            thread.start()
        while not (_joined(threads, _LOOK_EVERY) or work.is_ending()):
            if awaited():
                work.stop()
    finally:
        work.stop()
        for _ in range(int(GRACE / _LOOK_EVERY)):
            if _joined(threads, _LOOK_EVERY):
                break


def _joined(threads: list[Thread], seconds: float) -> bool:
    """Wait until all have ended, but only so long for the first that has not; whether they have."""
    for thread in threads:
        if thread.is_alive():  # Ctrl-C may have come before it was started
            thread.join(seconds)
        if thread.is_alive():
            return False
    return True


@dataclass(slots=True)
class _Permits:
    """How many jobs of some kinds may run at a time; guarded by the one lock of `_Work`."""

    kinds: frozenset[JobKind]
    free: int
    #: leases of the jobs that hold one
    holders: set[str] = field(default_factory=set)

    def allowed(self, kinds: Collection[JobKind]) -> tuple[JobKind, ...]:
        """The kinds of which a job may be begun now."""
        return tuple(kind for kind in kinds if kind not in self.kinds or self.free > 0)

    def take(self, claimed: Claimed) -> None:
        """Count a job that was begun."""
        if claimed.job.kind in self.kinds:
            self.free -= 1
            self.holders.add(claimed.lease)

    def give_back(self, lease: str) -> None:
        """Count a job that has ended; nothing for one without a permit."""
        if lease in self.holders:
            self.holders.remove(lease)
            self.free += 1


class _Work:
    """What the threads of one drain share. `_changed` guards everything below it."""

    def __init__(
        self,
        queue: Queue,
        handlers: Mapping[JobKind, Callable[[Job], Outcome]],
        wall: Callable[[], float],
        should_stop: Callable[[], bool],
        settled: Callable[[], None],
        permits: _Permits,
    ) -> None:
        self._queue = queue
        self._handlers = handlers
        self._wall = wall
        self._should_stop = should_stop
        self._settled = settled
        #: why the whole drain ends, when something does
        self.trouble: BaseException | None = None
        self._changed = Condition()
        self._stopping = False
        self._leases: set[str] = set()
        self._permits = permits
        self._tally: dict[Settled, int] = {}
        self._problems: dict[str, str] = {}
        self._released = 0

    def now_ms(self) -> int:
        """Epoch milliseconds."""
        return int(self._wall() * 1000)

    def is_ending(self) -> bool:
        """Whether even what runs is not waited for."""
        return self.trouble is not None or self._should_stop()

    def is_stopping(self) -> bool:
        """Whether no other job may be begun."""
        return self._stopping or self._should_stop()

    def stop(self) -> None:
        """Begin no other job; threads that wait for work end."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def guarded(self) -> None:
        """`until_empty` for a thread, whose end nobody else would hear of."""
        try:
            self.until_empty()
        except BaseException as trouble:  # noqa: BLE001 - raised again by drain, in the caller's thread
            self.trouble = self.trouble or trouble
            self.stop()

    def until_empty(self) -> None:
        """Claim, run and settle, until nothing is ready and nothing runs that could bring more."""
        while (claimed := self._next()) is not None:
            outcome = self._outcome(claimed.job)
            self._note(claimed, outcome, self._queue.settle(claimed, outcome, now_ms=self.now_ms()))
            self._settled()

    def keep_leases(self, ended: Event) -> None:
        """Renew what is held, well before it runs out, until the drain has ended: jobs may last longer than a lease."""
        while not ended.wait(LEASE_MS / 1000 / _RENEWALS):
            with self._changed:
                leases = set(self._leases)
            # a renewal that fails is tried again; a lease that runs out meanwhile is told at the settling
            with suppress(VaultmemError):
                if leases:
                    self._queue.renew(leases, now_ms=self.now_ms(), lease_ms=LEASE_MS)

    def give_back(self) -> None:
        """Release what did not come to its end. Trouble that ended the drain is not hidden by this failing too."""
        with self._changed:
            leases, self._leases = self._leases, set()
        if leases:
            try:
                self._released = self._queue.release(leases)
            except VaultmemError as trouble:
                self.trouble = self.trouble or trouble

    def drained(self) -> Drained:
        """The sum so far."""
        count = self._tally.get
        return Drained(
            done=count("done", 0),
            deferred=count("deferred", 0),
            failed=count("retry", 0),
            dead=count("dead", 0),
            released=self._released,
            problems=dict(self._problems),
        )

    def _next(self) -> Claimed | None:
        """A claimed job; waits while others are at work, since jobs may follow from theirs."""
        lease = uuid4().hex
        with self._changed:
            while not self.is_stopping():
                # noted first: wherever Ctrl-C strikes, a lease that was taken is known
                others = bool(self._leases)
                self._leases.add(lease)
                kinds = self._permits.allowed(self._handlers)
                claimed = self._queue.claim(kinds, lease=lease, now_ms=self.now_ms(), lease_ms=LEASE_MS)
                if claimed is not None:
                    self._permits.take(claimed)
                    return claimed
                self._leases.discard(lease)
                if not others:
                    break
                self._changed.wait()
            self._changed.notify_all()
            return None

    def _outcome(self, job: Job) -> Outcome:
        """What the handler says, or the failure that its exception is."""
        try:
            outcome = self._handlers[job.kind](job)
        except (CannotWrite, UnreadableVault, IndexTrouble):
            raise
        except VaultmemError as problem:
            return Fail(reason=_shown(str(problem)))
        except OSError as problem:
            if problem.errno in _DISK:
                raise CannotWrite(str(problem.filename or "the disk"), problem.strerror or str(problem)) from problem
            return Fail(reason=_shown(f"{type(problem).__name__}: {problem}"))
        except Exception as problem:  # noqa: BLE001 - one bad job must not hold back the others; it is reported
            return Fail(reason=_shown(f"{type(problem).__name__}: {problem}"))
        return replace(outcome, reason=_shown(outcome.reason)) if isinstance(outcome, Defer | Fail) else outcome

    def _note(self, claimed: Claimed, outcome: Outcome, settled: Settled) -> None:
        with self._changed:
            self._leases.discard(claimed.lease)
            self._permits.give_back(claimed.lease)
            self._tally[settled] = self._tally.get(settled, 0) + 1
            if isinstance(outcome, Fail) and settled != "lost":
                self._problems[f"{claimed.job.kind} {claimed.job.subject}"] = outcome.reason
            self._changed.notify_all()


def _shown(reason: str) -> str:
    """A reason fit to be kept: without secrets, on one line, of bounded length."""
    return " ".join(redact(reason).text.split())[:_REASON_CHARACTERS]
