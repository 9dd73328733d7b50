"""The Queue port on the index's SQLite file, so that rows and the work that follows from them are one transaction.

A row is ready, running or dead; what is done is deleted. `due_ms` is, for a ready job, the time before which it is not
taken, and for a running one the end of its lease. Ids are never used twice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

import apsw

from vaultmem.core.grow.retry import LONGEST_DELAY_MS, MAX_LOSSES, deferred_until_ms, retry_delay_ms
from vaultmem.jobs import (
    CLAIM_ORDER,
    LEASE_MS,
    Claimed,
    DeadJob,
    Defer,
    Done,
    Fail,
    Job,
    JobKind,
    Outcome,
    Settled,
)
from vaultmem.store.index.rows import storable

_Transaction = Callable[[], AbstractContextManager[apsw.Connection]]

# A duplicate of a ready job changes nothing; one of a running job may come too late for it, so it runs once more.
_ENQUEUE = """
INSERT INTO jobs (kind, subject, state, due_ms) VALUES (?, ?, 'ready', 0)
ON CONFLICT (kind, subject) WHERE state <> 'dead' DO UPDATE SET again = 1 WHERE state = 'running'
"""
# One seek of the index per kind: jobs that wait for their time are never walked over. What changes one tree is of
# several kinds, so a job also waits while another of its subject runs.
_CLAIM = """
UPDATE jobs SET state = 'running', due_ms = ?1 + ?2, attempts = attempts + 1, lease = ?3, again = 0 WHERE id = (
    SELECT first FROM (
        SELECT k.key AS place, (
            SELECT j.id FROM jobs j WHERE j.state = 'ready' AND j.kind = k.value AND j.due_ms <= ?1
            AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.subject = j.subject)
            ORDER BY j.due_ms, j.id LIMIT 1
        ) AS first FROM json_each(?4) k
    ) WHERE first IS NOT NULL ORDER BY place LIMIT 1
) RETURNING id, kind, subject, attempts
"""
_AGAIN = "UPDATE jobs SET state = 'ready', lease = '', attempts = ?, due_ms = ?, reason = ? WHERE id = ?"
_LOST = f"the process ended {MAX_LOSSES} times while this job ran"


def put_jobs(db: apsw.Connection, jobs: Iterable[Job]) -> None:
    """Enqueue in the caller's transaction."""
    db.executemany(_ENQUEUE, [(job.kind, storable(job.subject)) for job in jobs])


class SqliteQueue:
    """The jobs of an open index. `writing` and `reading` open the index's transactions."""

    def __init__(self, writing: _Transaction, reading: _Transaction) -> None:
        self._writing = writing
        self._reading = reading

    def enqueue(self, jobs: Sequence[Job]) -> None:
        """Make these jobs ready: see the port."""
        with self._writing() as db:
            put_jobs(db, jobs)

    def claim(self, kinds: Collection[JobKind], *, lease: str, now_ms: int, lease_ms: int = LEASE_MS) -> Claimed | None:
        """Take the first ready job of these kinds under a lease; None when there is none."""
        order = json.dumps([kind for kind in CLAIM_ORDER if kind in kinds])
        with self._writing() as db:
            row = db.execute(_CLAIM, (now_ms, lease_ms, lease, order)).fetchone()
        if row is None:
            return None
        number, kind, subject, attempts = row
        return Claimed(id=number, job=Job(kind=kind, subject=subject), attempts=attempts, lease=lease)

    def settle(self, claimed: Claimed, outcome: Outcome, *, now_ms: int) -> Settled:
        """Write down how a claimed job ended, with all that follows from it, in one transaction."""
        with self._writing() as db:
            row = db.execute(
                "SELECT again FROM jobs WHERE id = ? AND lease = ? AND state = 'running'", (claimed.id, claimed.lease)
            ).fetchone()
            if row is None:
                return "lost"
            again = bool(row[0])
            match outcome:
                case Done():
                    return _done(db, claimed, outcome, again)
                case Defer():
                    until = 0 if again else deferred_until_ms(outcome.until_ms, now_ms)
                    db.execute(_AGAIN, (claimed.attempts - 1, until, storable(outcome.reason), claimed.id))
                    return "deferred"
                case Fail():
                    return _failed(db, claimed, outcome, again, now_ms)

    def release(self, leases: Collection[str]) -> int:
        """Give jobs back as if they had never been claimed; returns how many were still held."""
        with self._writing() as db:
            rows = db.execute(
                "UPDATE jobs SET state = 'ready', lease = '', due_ms = 0, attempts = attempts - 1"
                " WHERE state = 'running' AND lease IN (SELECT value FROM json_each(?)) RETURNING id",
                (json.dumps(sorted(leases)),),
            )
            return len(rows.fetchall())

    def recover(self, *, now_ms: int, alone: bool) -> int:
        """Make jobs ready whose claimer is gone: see the port."""
        with self._writing() as db:
            found = db.execute(
                "UPDATE jobs SET state = 'ready', lease = '', due_ms = ?1, attempts = attempts - 1,"
                " losses = losses + 1 WHERE state = 'running' AND (due_ms <= ?1 OR ?2)"
                " RETURNING id, losses, again, kind, subject",
                (now_ms, alone),
            )
            rows = list(found)
            for number, losses, again, kind, subject in rows:
                if losses >= MAX_LOSSES:
                    _lay_aside(db, number, Job(kind=kind, subject=subject), _LOST, again=bool(again))
            # no retry lies so far ahead, unless the clock was wrong when it was written
            db.execute(
                "UPDATE jobs SET due_ms = ?1 WHERE state = 'ready' AND attempts > 0 AND due_ms > ?1 + ?2",
                (now_ms, LONGEST_DELAY_MS),
            )
            return len(rows)

    def counts(self) -> Mapping[str, int]:
        """How many are ready (also those that wait for their time), running, dead."""
        with self._reading() as db:
            found = dict(iter(db.execute("SELECT state, count(*) FROM jobs GROUP BY state")))
        return {state: int(found.get(state, 0)) for state in ("ready", "running", "dead")}

    def dead(self) -> tuple[DeadJob, ...]:
        """Jobs laid aside, oldest first."""
        with self._reading() as db:
            rows = list(db.execute("SELECT kind, subject, attempts, reason FROM jobs WHERE state = 'dead' ORDER BY id"))
        return tuple(DeadJob(job=Job(kind=k, subject=s), attempts=n, reason=r) for k, s, n, r in rows)

    def retry_dead(self) -> int:
        """Enqueue every job laid aside as a new one; returns how many there were."""
        with self._writing() as db:
            rows = list(db.execute("DELETE FROM jobs WHERE state = 'dead' RETURNING kind, subject"))
            put_jobs(db, [Job(kind=kind, subject=subject) for kind, subject in rows])
        return len(rows)


def _done(db: apsw.Connection, claimed: Claimed, outcome: Done, again: bool) -> Settled:
    db.execute("DELETE FROM jobs WHERE id = ?", (claimed.id,))
    _forget_dead(db, claimed.job)
    put_jobs(db, [*([claimed.job] if again else []), *outcome.follow_ups])
    return "done"


def _failed(db: apsw.Connection, claimed: Claimed, outcome: Fail, again: bool, now_ms: int) -> Settled:
    """A retry sees what a later enqueuer wanted to be seen; after the last one, that wish is a job of its own."""
    delay = None if outcome.final else retry_delay_ms(claimed.attempts)
    if delay is not None:
        db.execute(_AGAIN, (claimed.attempts, now_ms + delay, storable(outcome.reason), claimed.id))
        return "retry"
    _lay_aside(db, claimed.id, claimed.job, outcome.reason, again=again)
    return "dead"


def _lay_aside(db: apsw.Connection, number: int, job: Job, reason: str, *, again: bool) -> None:
    _forget_dead(db, job)
    db.execute("UPDATE jobs SET state = 'dead', lease = '', reason = ? WHERE id = ?", (storable(reason), number))
    if again:
        put_jobs(db, [job])


def _forget_dead(db: apsw.Connection, job: Job) -> None:
    """Older dead letters of a job say nothing any more."""
    db.execute("DELETE FROM jobs WHERE state = 'dead' AND kind = ? AND subject = ?", (job.kind, storable(job.subject)))
