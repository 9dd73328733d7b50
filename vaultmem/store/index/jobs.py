"""The Queue port on the index's SQLite file, so that rows and the work that follows from them are one transaction.

A row is ready, waiting for its time, running or dead; what is done is deleted. Ids are never used twice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

import apsw

from vaultmem.core.grow.retry import (
    LONGEST_DELAY_MS,
    LONGEST_REST_MS,
    MAX_DEFERS,
    MAX_LOSSES,
    deferred_until_ms,
    retry_delay_ms,
)
from vaultmem.jobs import (
    CLAIM_ORDER,
    FILLING,
    LEASE_MS,
    NEWEST_FIRST,
    Backlog,
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

# The round after the last one of its source, but no earlier than the round that is being taken: who comes late neither
# waits for 10,000 of somebody else nor makes up for rounds in which it had nothing.
_TURN = """
max(
    coalesce((SELECT turn FROM jobs WHERE state = 'ready' AND losses = 0 AND kind = :kind AND newest = :newest
              ORDER BY turn LIMIT 1), 0),
    coalesce((SELECT turn + 1 FROM jobs WHERE state = 'ready' AND losses = 0 AND kind = :kind AND source = :source
              ORDER BY turn DESC LIMIT 1), 0)
)
"""
# A duplicate of a ready job changes nothing; one of a running job may come too late for it, so it runs once more.
_ENQUEUE = f"""
INSERT INTO jobs (kind, subject, source, newest, turn, state)
VALUES (:kind, :subject, :source, :newest, {_TURN}, 'ready')
ON CONFLICT (kind, subject) WHERE state <> 'dead' DO UPDATE SET again = 1 WHERE state = 'running'
"""  # noqa: S608 - no value is formatted in
_PARKED = "SELECT kind, subject FROM jobs WHERE state = 'dead' AND losses > 0"
_DUE = "SELECT id, kind, source, newest FROM jobs WHERE state = 'waiting' AND due_ms <= ? ORDER BY due_ms, id"
_WAKE = f"UPDATE jobs SET state = 'ready', due_ms = 0, turn = {_TURN} WHERE id = :id"  # noqa: S608
_RUN = """
UPDATE jobs SET state = 'running', due_ms = :end, attempts = attempts + 1, lease = :lease, again = 0 WHERE id = :id
RETURNING id, kind, subject, source, attempts
"""
# One seek of the index per kind. What changes one tree is of several kinds, so a job also waits while another of its
# subject runs.
_NEXT = """
SELECT first FROM (
    SELECT k.key AS place, (
        SELECT j.id FROM jobs j WHERE j.state = 'ready' AND j.losses = 0 AND j.kind = k.value
        AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.subject = j.subject)
        ORDER BY j.newest DESC, j.turn, j.id LIMIT 1
    ) AS first FROM json_each(?) k
) WHERE first IS NOT NULL ORDER BY place LIMIT 1
"""
_SUSPECT = """
SELECT j.id FROM json_each(?) k JOIN jobs j ON j.kind = k.value WHERE j.state = 'ready' AND j.losses > 0
ORDER BY j.losses, k.key, j.id LIMIT 1
"""
_AGAIN = """
UPDATE jobs SET state = iif(:until, 'waiting', 'ready'), due_ms = :until, lease = '', attempts = :attempts,
defers = :defers, losses = 0, reason = :reason WHERE id = :id
"""
_LOST = f"the process ended {MAX_LOSSES} times while this job ran"
#: Reasons told of each kind.
_MOST_REASONS = 3


def put_jobs(db: apsw.Connection, jobs: Iterable[Job]) -> None:
    """Enqueue in the caller's transaction; what is parked stays so."""
    rows = [_row(job) for job in jobs]
    if rows:
        parked = set(db.execute(_PARKED))
        db.executemany(_ENQUEUE, [row for row in rows if (row["kind"], row["subject"]) not in parked])


def _row(job: Job) -> dict[str, str]:
    subject = storable(job.subject)
    newest = subject if job.kind in NEWEST_FIRST else ""
    return {"kind": job.kind, "subject": subject, "source": storable(job.source), "newest": newest}


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
        with self._writing() as db:
            number = _first(db, [kind for kind in CLAIM_ORDER if kind in kinds], now_ms)
            if number is None:
                return None
            [row] = db.execute(_RUN, {"id": number, "end": now_ms + lease_ms, "lease": lease})
        number, kind, subject, source, attempts = row
        return Claimed(id=number, job=Job(kind=kind, subject=subject, source=source), attempts=attempts, lease=lease)

    def renew(self, leases: Collection[str], *, now_ms: int, lease_ms: int = LEASE_MS) -> int:
        """Let leases that are still held run from now on; returns how many they are."""
        with self._writing() as db:
            rows = db.execute(
                "UPDATE jobs SET due_ms = ? WHERE state = 'running' AND lease IN (SELECT value FROM json_each(?))"
                " RETURNING id",
                (now_ms + lease_ms, json.dumps(sorted(leases))),
            )
            return len(rows.fetchall())

    def settle(self, claimed: Claimed, outcome: Outcome, *, now_ms: int) -> Settled:
        """Write down how a claimed job ended, with all that follows from it, in one transaction."""
        with self._writing() as db:
            row = db.execute(
                "SELECT again, defers, reason FROM jobs WHERE id = ? AND lease = ? AND state = 'running'",
                (claimed.id, claimed.lease),
            ).fetchone()
            if row is None:
                return "lost"
            again = bool(row[0])
            match outcome:
                case Done():
                    return _done(db, claimed, outcome, again)
                case Defer():
                    defers = row[1] + 1 if row[2] == storable(outcome.reason) and not again else 1
                    return _deferred(db, claimed, outcome, defers, 0 if again else now_ms)
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
                "UPDATE jobs SET state = 'ready', lease = '', due_ms = 0, attempts = attempts - 1,"
                " losses = losses + 1 WHERE state = 'running' AND (due_ms <= ?1 OR ?2)"
                " RETURNING id, losses, again, kind, subject, source",
                (now_ms, alone),
            )
            rows = list(found)
            for number, losses, again, kind, subject, source in rows:
                if losses >= MAX_LOSSES:
                    _lay_aside(db, number, Job(kind=kind, subject=subject, source=source), _LOST, again=bool(again))
            # no wait ends so far ahead, unless the clock was wrong when it was written
            db.execute(
                "UPDATE jobs SET due_ms = ?1 WHERE state = 'waiting' AND due_ms > ?1 + iif(defers, ?2, ?3)",
                (now_ms, LONGEST_REST_MS, LONGEST_DELAY_MS),
            )
            return len(rows)

    def counts(self) -> Mapping[str, int]:
        """How many are ready (also those that wait for their time), running, dead."""
        with self._reading() as db:
            found = dict(iter(db.execute("SELECT state, count(*) FROM jobs GROUP BY state")))
        ready = int(found.get("ready", 0)) + int(found.get("waiting", 0))
        return {"ready": ready, "running": int(found.get("running", 0)), "dead": int(found.get("dead", 0))}

    def hurry(self, kinds: Collection[JobKind]) -> None:
        """Make jobs of these kinds ready that were put off: see the port."""
        with self._writing() as db:
            db.execute(
                "UPDATE jobs SET due_ms = 0 WHERE state = 'waiting' AND defers > 0"
                " AND kind IN (SELECT value FROM json_each(?))",
                (json.dumps(sorted(kinds)),),
            )

    def next_ms(self, kinds: Collection[JobKind]) -> int | None:
        """Epoch ms from which a job of these kinds can be taken or taken over: see the port."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT iif(state = 'ready', 0, min(due_ms)) FROM jobs WHERE state <> 'dead'"
                " AND kind IN (SELECT value FROM json_each(?)) GROUP BY state = 'ready'",
                (json.dumps(sorted(kinds)),),
            )
            return min((int(due) for (due,) in rows), default=None)

    def backlog(self) -> tuple[Backlog, ...]:
        """What is not done, by kind, in claim order."""
        with self._reading() as db:
            rows = list(
                db.execute("SELECT kind, state, count(*), min(due_ms), min(since_ms) FROM jobs GROUP BY kind, state")
            )
            reasons = list(
                db.execute(
                    "SELECT kind, reason, count(*) AS n FROM jobs WHERE state IN ('waiting', 'dead') AND reason <> ''"
                    " GROUP BY kind, reason ORDER BY n DESC, reason"
                )
            )
        return tuple(_backlog(kind, rows, reasons) for kind in CLAIM_ORDER if any(row[0] == kind for row in rows))

    def dead(self) -> tuple[DeadJob, ...]:
        """Jobs laid aside, oldest first."""
        with self._reading() as db:
            rows = list(
                db.execute("SELECT kind, subject, attempts, reason, losses FROM jobs WHERE state = 'dead' ORDER BY id")
            )
        return tuple(
            DeadJob(job=Job(kind=k, subject=s), attempts=n, reason=r, parked=bool(losses))
            for k, s, n, r, losses in rows
        )

    def retry_dead(self) -> int:
        """Enqueue every job laid aside as a new one; returns how many there were."""
        with self._writing() as db:
            rows = list(db.execute("DELETE FROM jobs WHERE state = 'dead' RETURNING kind, subject, source, losses"))
            for kind, subject, source, losses in rows:
                put_jobs(db, [Job(kind=kind, subject=subject, source=source)])
                if losses:  # one more death is enough, and nobody else's job is to go with it
                    db.execute(
                        "UPDATE jobs SET losses = ? WHERE kind = ? AND subject = ? AND state <> 'dead'",
                        (MAX_LOSSES - 1, kind, subject),
                    )
        return len(rows)


def _first(db: apsw.Connection, kinds: Sequence[JobKind], now_ms: int) -> int | None:
    """The job to be taken now. One that was lost runs last and alone, so that no other dies with it."""
    if db.execute("SELECT 1 FROM jobs WHERE state = 'running' AND losses > 0 LIMIT 1").fetchone():
        return None
    for number, kind, source, newest in list(db.execute(_DUE, (now_ms,))):
        db.execute(_WAKE, {"id": number, "kind": kind, "source": source, "newest": newest})
    first = _one(db, _NEXT, [kind for kind in kinds if kind not in FILLING])
    if first is None and not db.execute("SELECT 1 FROM jobs WHERE state = 'running' LIMIT 1").fetchone():
        first = _one(db, _SUSPECT, kinds)
    return _one(db, _NEXT, [kind for kind in kinds if kind in FILLING]) if first is None else first


def _one(db: apsw.Connection, query: str, kinds: Sequence[JobKind]) -> int | None:
    row = db.execute(query, (json.dumps(kinds),)).fetchone()
    return None if row is None else int(row[0])


def _done(db: apsw.Connection, claimed: Claimed, outcome: Done, again: bool) -> Settled:
    db.execute("DELETE FROM jobs WHERE id = ?", (claimed.id,))
    _forget_dead(db, claimed.job)
    put_jobs(db, [*([claimed.job] if again else []), *outcome.follow_ups])
    return "done"


def _deferred(db: apsw.Connection, claimed: Claimed, outcome: Defer, defers: int, now_ms: int) -> Settled:
    """`now_ms` is 0 when it is to run again at once."""
    if defers >= MAX_DEFERS:
        reason = f"put off {defers} times: {outcome.reason}"
        _lay_aside(db, claimed.id, claimed.job, reason, again=False)
        return "dead"
    until = deferred_until_ms(outcome.until_ms, now_ms) if now_ms else 0
    _put_back(db, claimed.id, until=until, attempts=claimed.attempts - 1, defers=defers, reason=outcome.reason)
    return "deferred"


def _failed(db: apsw.Connection, claimed: Claimed, outcome: Fail, again: bool, now_ms: int) -> Settled:
    """A retry sees what a later enqueuer wanted to be seen; after the last one, that wish is a job of its own."""
    delay = None if outcome.final else retry_delay_ms(claimed.attempts)
    if delay is not None:
        _put_back(db, claimed.id, until=now_ms + delay, attempts=claimed.attempts, defers=0, reason=outcome.reason)
        return "retry"
    _lay_aside(db, claimed.id, claimed.job, outcome.reason, again=again)
    return "dead"


def _put_back(db: apsw.Connection, number: int, *, until: int, attempts: int, defers: int, reason: str) -> None:
    """Its process lived, so earlier deaths were not the job's."""
    values = {"id": number, "until": until, "attempts": attempts, "defers": defers, "reason": storable(reason)}
    db.execute(_AGAIN, values)


def _lay_aside(db: apsw.Connection, number: int, job: Job, reason: str, *, again: bool) -> None:
    _forget_dead(db, job)
    db.execute(
        "UPDATE jobs SET state = 'dead', lease = '', reason = ?, losses = iif(losses >= ?, losses, 0) WHERE id = ?",
        (storable(reason), MAX_LOSSES, number),
    )
    if again:
        put_jobs(db, [job])


def _forget_dead(db: apsw.Connection, job: Job) -> None:
    """Older dead letters of a job say nothing any more."""
    db.execute("DELETE FROM jobs WHERE state = 'dead' AND kind = ? AND subject = ?", (job.kind, storable(job.subject)))


def _backlog(kind: JobKind, rows: Sequence[tuple], reasons: Sequence[tuple]) -> Backlog:  # type: ignore[type-arg]
    mine = {state: (number, due, since) for of, state, number, due, since in rows if of == kind}
    count = {state: number for state, (number, _, _) in mine.items()}
    return Backlog(
        kind=kind,
        ready=count.get("ready", 0),
        running=count.get("running", 0),
        waiting=count.get("waiting", 0),
        dead=count.get("dead", 0),
        until_ms=mine["waiting"][1] if "waiting" in mine else None,
        oldest_ms=min((since for state, (_, _, since) in mine.items() if state != "dead"), default=None),
        reasons=dict([(reason, n) for of, reason, n in reasons if of == kind][:_MOST_REASONS]),
    )
