"""What every queue must do: one living row per job, leases, attempts, dead letters, and nothing lost in between."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from vaultmem.core.grow.retry import (
    LONGEST_DELAY_MS,
    LONGEST_REST_MS,
    MAX_ATTEMPTS,
    MAX_DEFERS,
    MAX_LOSSES,
    SHORTEST_REST_MS,
    deferred_until_ms,
    retry_delay_ms,
)
from vaultmem.jobs import CLAIM_ORDER, LEASE_MS, Claimed, DeadJob, Defer, Done, Fail, Job, JobKind, Outcome
from vaultmem.ports import Queue
from vaultmem.store.index import open_index

NOW = 1_800_000_000_000
NOTHING = {"ready": 0, "running": 0, "dead": 0}


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[Queue]:
    index = open_index(tmp_path / "vault.db")
    yield index.queue
    index.close()


def job(subject: str = "slack:eng", kind: JobKind = "append_buffer") -> Job:
    return Job(kind=kind, subject=subject)


def claim(queue: Queue, lease: str = "mine", now: int = NOW, kinds: tuple[JobKind, ...] = CLAIM_ORDER) -> Claimed:
    found = queue.claim(kinds, lease=lease, now_ms=now)
    assert found is not None
    return found


def is_empty(queue: Queue, now: int = NOW) -> bool:
    return queue.claim(CLAIM_ORDER, lease="looking", now_ms=now) is None


def test_the_delays_of_five_attempts() -> None:
    assert [retry_delay_ms(n) for n in range(1, 6)] == [60_000, 120_000, 240_000, 480_000, None]
    assert deferred_until_ms(NOW - 5, NOW) == NOW + SHORTEST_REST_MS
    assert deferred_until_ms(NOW + 50_000, NOW) == NOW + 50_000
    assert deferred_until_ms(NOW * 2, NOW) == NOW + LONGEST_REST_MS


def test_every_kind_has_its_place() -> None:
    assert sorted(CLAIM_ORDER) == sorted(get_args(JobKind))


def test_a_job_is_done_once(queue: Queue) -> None:
    queue.enqueue([job(), job(), job("slack:ops")])
    queue.enqueue([job()])
    assert queue.counts() == {"ready": 2, "running": 0, "dead": 0}
    first = claim(queue)
    assert (first.job, first.attempts) == (job(), 1)
    assert queue.counts() == {"ready": 1, "running": 1, "dead": 0}
    assert queue.settle(first, Done(), now_ms=NOW) == "done"
    assert claim(queue).job == job("slack:ops")
    assert is_empty(queue)


def test_kinds_then_age_and_what_was_put_off_last(queue: Queue) -> None:
    queue.enqueue([job(str(n), kind) for n, kind in enumerate(reversed(CLAIM_ORDER), start=1)])
    queue.enqueue([job("late", "seal"), job("put off", "seal")])
    for _ in range(3):
        claimed = claim(queue)
        if claimed.job.subject == "put off":
            queue.settle(claimed, Defer(until_ms=NOW + 5_000, reason="not yet"), now_ms=NOW)
    queue.release(["mine"])
    queue.enqueue([job("new", "seal")])
    order = [claim(queue, now=NOW + 9_000).job for _ in range(len(CLAIM_ORDER) + 3)]
    assert [j.kind for j in order] == ["seal"] * 4 + list(CLAIM_ORDER[1:])
    assert [j.subject for j in order[:4]] == [str(len(CLAIM_ORDER)), "late", "new", "put off"]


def test_the_newest_day_first(queue: Queue) -> None:
    days = ["2026-04-20", "2026-04-22", "2025-12-31", "2026-04-21"]
    queue.enqueue([job(day, "digest_daily") for day in days])
    assert [claim(queue).job.subject for _ in days] == sorted(days, reverse=True)


def of_source(source: str, numbers: range) -> list[Job]:
    return [Job(kind="extract_chunk", subject=f"{source}{n}", source=source) for n in numbers]


def done_in_order(queue: Queue, number: int, now: int = NOW) -> str:
    """The sources of the next jobs, as one text."""
    found = ""
    for _ in range(number):
        claimed = claim(queue, now=now)
        found += claimed.job.source
        queue.settle(claimed, Done(), now_ms=now)
    return found


def test_sources_take_turns(queue: Queue) -> None:
    queue.enqueue(of_source("a", range(1_000)))
    assert done_in_order(queue, 300) == "a" * 300
    queue.enqueue(of_source("b", range(3)) + of_source("c", range(2)))
    assert done_in_order(queue, 9) == "abcabcaba"
    queue.enqueue(of_source("b", range(3, 5)))
    assert done_in_order(queue, 5) == "ababa", "who had nothing makes up for no round"
    queue.enqueue(of_source("a", range(1_000, 1_010)))
    assert set(done_in_order(queue, queue.counts()["ready"])) == {"a"}


def test_what_wakes_takes_its_turn_again(queue: Queue) -> None:
    queue.enqueue(of_source("a", range(200)))
    for _ in range(100):
        queue.settle(claim(queue), Fail(reason="no answer"), now_ms=NOW)
    assert done_in_order(queue, 50) == "a" * 50
    later = NOW + LONGEST_DELAY_MS
    queue.enqueue(of_source("b", range(3)))
    assert done_in_order(queue, 6, now=later).count("b") == 3


def test_two_queues_of_one_history_give_one_order(tmp_path: Path) -> None:
    orders = []
    for name in ("one.db", "two.db"):
        index = open_index(tmp_path / name)
        for start in range(0, 30, 10):
            index.queue.enqueue(of_source("b", range(start, start + 7)) + of_source("a", range(start, start + 9)))
            orders.append(done_in_order(index.queue, 11))
        index.close()
    assert orders[:3] == orders[3:]


def test_only_kinds_asked_for(queue: Queue) -> None:
    queue.enqueue([job("x", "reembed_backfill")])
    assert queue.claim(("seal", "append_buffer"), lease="a", now_ms=NOW) is None
    assert queue.claim((), lease="a", now_ms=NOW) is None
    assert claim(queue, kinds=("seal", "reembed_backfill")).job.subject == "x"


def test_jobs_of_one_subject_wait_for_each_other(queue: Queue) -> None:
    queue.enqueue([job("tree", "seal"), job("tree", "append_buffer"), job("other", "append_buffer")])
    seal = claim(queue)
    assert claim(queue).job == job("other")
    assert is_empty(queue)
    queue.settle(seal, Done(), now_ms=NOW)
    assert claim(queue).job == job("tree")


@pytest.mark.parametrize(
    "outcome", [Done(), Defer(until_ms=NOW + 99_000, reason="later"), Fail(reason="bad", final=True)]
)
def test_what_is_enqueued_while_it_runs_runs_once_more(queue: Queue, outcome: Outcome) -> None:
    queue.enqueue([job()])
    first = claim(queue)
    queue.enqueue([job(), job()])
    assert is_empty(queue)
    queue.settle(first, outcome, now_ms=NOW)
    second = claim(queue, "other")
    assert (second.job, second.attempts) == (job(), 1)
    queue.settle(second, Done(), now_ms=NOW)
    assert is_empty(queue)
    assert queue.counts() == NOTHING


def test_a_retry_sees_what_was_enqueued_meanwhile(queue: Queue) -> None:
    queue.enqueue([job()])
    first = claim(queue)
    queue.enqueue([job()])
    assert queue.settle(first, Fail(reason="bad"), now_ms=NOW) == "retry"
    assert is_empty(queue)
    again = claim(queue, now=NOW + 60_000)
    assert again.attempts == 2
    queue.settle(again, Done(), now_ms=NOW + 60_000)
    assert queue.counts() == NOTHING


def test_follow_ups_come_with_the_end(queue: Queue) -> None:
    queue.enqueue([job("a"), job("tree", "seal")])
    first = claim(queue)
    assert first.job.kind == "seal"
    queue.settle(first, Done(follow_ups=(first.job, job("a"), job("b"))), now_ms=NOW)
    assert queue.counts()["ready"] == 3
    again = claim(queue)
    assert (again.job, again.attempts) == (first.job, 1)
    assert again.id != first.id


def test_deferring_costs_no_attempt_but_not_for_ever(queue: Queue) -> None:
    queue.enqueue([job()])
    now = NOW
    for number in range(2 * MAX_DEFERS):
        claimed = claim(queue, now=now)
        assert claimed.attempts == 1
        # another reason, or a new wish, begins the count anew
        reason = "pending leaf" if number >= MAX_DEFERS else f"pending {number % 2}"
        ended = queue.settle(claimed, Defer(until_ms=now + 10_000, reason=reason), now_ms=now)
        assert ended == ("dead" if number == 2 * MAX_DEFERS - 1 else "deferred")
        assert is_empty(queue, now + 9_999)
        now += 10_000
    assert [d.reason for d in queue.dead()] == [f"put off {MAX_DEFERS} times: pending leaf"]
    assert not queue.dead()[0].parked


def test_deferring_to_the_past_is_no_circle(queue: Queue) -> None:
    queue.enqueue([job()])
    queue.settle(claim(queue), Defer(until_ms=0, reason="x"), now_ms=NOW)
    assert is_empty(queue)
    assert not is_empty(queue, NOW + SHORTEST_REST_MS)


def test_five_failures_and_a_dead_letter(queue: Queue) -> None:
    queue.enqueue([job()])
    now, delays = NOW, []
    for attempt in range(1, MAX_ATTEMPTS + 1):
        claimed = claim(queue, now=now)
        assert claimed.attempts == attempt
        ended = queue.settle(claimed, Fail(reason=f"bad {attempt} \ud800"), now_ms=now)
        assert ended == ("retry" if attempt < MAX_ATTEMPTS else "dead")
        if delay := retry_delay_ms(attempt):
            delays.append(delay)
            assert is_empty(queue, now + delay - 1)
            now += delay
    assert queue.dead() == (DeadJob(job=job(), attempts=5, reason="bad 5 ?"),)
    assert queue.counts() == {"ready": 0, "running": 0, "dead": 1}
    assert queue.retry_dead() == 1
    again = claim(queue)
    assert again.attempts == 1
    assert queue.settle(again, Fail(reason="hopeless", final=True), now_ms=NOW) == "dead"
    assert [d.reason for d in queue.dead()] == ["hopeless"]


def test_a_dead_job_can_be_enqueued_and_its_success_ends_the_letter(queue: Queue) -> None:
    queue.enqueue([job()])
    queue.settle(claim(queue), Fail(reason="one", final=True), now_ms=NOW)
    queue.enqueue([job()])
    assert queue.counts() == {"ready": 1, "running": 0, "dead": 1}
    queue.settle(claim(queue), Fail(reason="two", final=True), now_ms=NOW)
    assert [d.reason for d in queue.dead()] == ["two"]
    queue.enqueue([job()])
    assert queue.retry_dead() == 1
    assert queue.counts() == {"ready": 1, "running": 0, "dead": 0}
    queue.settle(claim(queue), Fail(reason="three", final=True), now_ms=NOW)
    queue.enqueue([job()])
    queue.settle(claim(queue), Done(), now_ms=NOW)
    assert queue.counts() == NOTHING


def test_a_lost_lease_settles_nothing(queue: Queue) -> None:
    queue.enqueue([job()])
    slow = claim(queue, "slow")
    assert queue.recover(now_ms=NOW + LEASE_MS - 1, alone=False) == 0
    later = NOW + LEASE_MS
    assert queue.recover(now_ms=later, alone=False) == 1
    assert queue.settle(slow, Done(follow_ups=(job("x"),)), now_ms=later) == "lost"
    quick = claim(queue, "quick", now=later)
    assert quick.attempts == 1, "a lost lease is no failed attempt"
    for outcome in (Done(), Fail(reason="late"), Defer(until_ms=0, reason="late")):
        assert queue.settle(slow, outcome, now_ms=later) == "lost"
    assert queue.release(["slow"]) == 0
    assert queue.settle(quick, Done(), now_ms=later) == "done"
    assert queue.counts() == NOTHING


def test_who_is_alone_takes_over_at_once(queue: Queue) -> None:
    queue.enqueue([job()])
    claim(queue)
    assert queue.recover(now_ms=NOW, alone=False) == 0
    assert queue.recover(now_ms=NOW, alone=True) == 1
    assert claim(queue).attempts == 1


def test_a_job_that_kills_its_process_comes_to_an_end(queue: Queue) -> None:
    queue.enqueue([job()])
    for _ in range(MAX_LOSSES):
        assert claim(queue).job == job()
        queue.recover(now_ms=NOW, alone=True)
        queue.enqueue([job("fine")])
        fine = claim(queue)
        assert fine.job == job("fine"), "a job that was lost lets others go first"
        queue.settle(fine, Done(), now_ms=NOW)
    queue.enqueue([job("fine")])
    assert [d.job for d in queue.dead()] == [job()]
    assert f"{MAX_LOSSES} times" in queue.dead()[0].reason
    assert queue.dead()[0].parked
    assert claim(queue).job == job("fine")


def test_a_parked_job_stays_aside_until_a_person_retries_it(queue: Queue) -> None:
    queue.enqueue([job()])
    for _ in range(MAX_LOSSES):
        claim(queue)
        queue.enqueue([job()])
        queue.recover(now_ms=NOW, alone=True)
    queue.enqueue([job()])
    assert is_empty(queue)
    assert queue.counts() == {"ready": 0, "running": 0, "dead": 1}
    assert queue.retry_dead() == 1
    claim(queue)
    queue.recover(now_ms=NOW, alone=True)
    assert queue.dead()[0].parked, "one more death is enough"
    queue.retry_dead()
    queue.settle(claim(queue), Done(), now_ms=NOW)
    queue.enqueue([job()])
    assert queue.counts() == {"ready": 1, "running": 0, "dead": 0}


def test_what_was_lost_runs_last_and_alone(queue: Queue) -> None:
    """Three ran when the process died: one of them killed it, and only that one is blamed."""
    queue.enqueue([job("bad", "seal"), job("good", "seal"), job("fine", "append_buffer")])
    assert [claim(queue).job.subject for _ in range(3)] == ["bad", "good", "fine"]
    began = []
    for number in range(MAX_LOSSES + 2):
        queue.recover(now_ms=NOW, alone=True)
        queue.enqueue([job(f"new {number}")])
        while (claimed := queue.claim(CLAIM_ORDER, lease="mine", now_ms=NOW)) is not None:
            began.append(claimed.job.subject)
            assert queue.counts()["running"] == 1, "no suspect was begun beside another"
            if claimed.job.subject in ("bad", "good", "fine"):
                queue.enqueue([job("waits", "seal")])
                assert is_empty(queue), "nothing is begun beside a suspect"
            if claimed.job.subject == "bad":
                break
            queue.settle(claimed, Done(), now_ms=NOW)
    # the ones that died least go first
    assert [name for name in began if not name.startswith(("new", "waits"))] == ["bad", "good", "fine"] + ["bad"] * (
        MAX_LOSSES - 2
    )
    assert began[0] == "new 0"
    assert [(d.job.subject, d.parked) for d in queue.dead()] == [("bad", True)]


def test_what_was_lost_does_not_wait_for_hours_of_filling(queue: Queue) -> None:
    queue.enqueue([job("tree", "seal")])
    claim(queue)
    queue.recover(now_ms=NOW, alone=True)
    queue.enqueue([job("vectors", "reembed_backfill"), job("other", "extract_chunk")])
    order = []
    for _ in range(4):
        claimed = claim(queue)
        order.append(claimed.job.kind)
        again = (claimed.job,) if claimed.job.kind == "reembed_backfill" else ()
        queue.settle(claimed, Done(follow_ups=again), now_ms=NOW)
    assert order == ["extract_chunk", "seal", "reembed_backfill", "reembed_backfill"]


def test_a_process_that_lives_clears_the_job_of_earlier_deaths(queue: Queue) -> None:
    queue.enqueue([job()])
    now = NOW
    for _ in range(MAX_LOSSES):
        claim(queue, now=now)
        queue.recover(now_ms=now, alone=True)
        queue.settle(claim(queue, now=now), Defer(until_ms=0, reason=f"at {now}"), now_ms=now)
        now += SHORTEST_REST_MS
    assert not queue.dead()


def test_a_renewed_lease_is_not_taken_over(queue: Queue) -> None:
    queue.enqueue([job("slow"), job("gone")])
    slow, gone = claim(queue, "slow"), claim(queue, "gone")
    half = NOW + LEASE_MS // 2
    assert queue.renew(["slow", "nobody's"], now_ms=half) == 1
    assert queue.recover(now_ms=NOW + LEASE_MS, alone=False) == 1
    assert queue.settle(gone, Done(), now_ms=half) == "lost"
    assert queue.renew(["gone"], now_ms=half) == 0
    assert queue.recover(now_ms=half + LEASE_MS - 1, alone=False) == 0
    assert queue.settle(slow, Done(), now_ms=half + LEASE_MS) == "done"


def test_when_something_can_be_taken(queue: Queue) -> None:
    assert queue.next_ms(CLAIM_ORDER) is None
    queue.enqueue([job("a", "seal"), job("b", "extract_chunk")])
    assert queue.next_ms({"seal"}) == queue.next_ms(CLAIM_ORDER) == 0
    assert queue.next_ms({"digest_daily"}) is None
    queue.settle(claim(queue), Defer(until_ms=NOW + 70_000, reason="x"), now_ms=NOW)
    assert queue.next_ms({"seal"}) == NOW + 70_000
    claim(queue)
    assert queue.next_ms(CLAIM_ORDER) == NOW + 70_000


def test_the_backlog_says_what_waits_and_why(queue: Queue) -> None:
    assert queue.backlog() == ()
    before = int(time.time() * 1000)
    queue.enqueue([job(str(n), "extract_chunk") for n in range(6)] + [job("tree", "seal")])
    for reason, final in (("no answer", False), ("no answer", False), ("no words", True), ("cut off", True)):
        claimed = claim(queue, kinds=("extract_chunk",))
        queue.settle(claimed, Fail(reason=reason, final=final), now_ms=NOW)
    claim(queue, kinds=("extract_chunk",))
    seal, extract = queue.backlog()
    assert (seal.kind, seal.ready, seal.dead, seal.until_ms, dict(seal.reasons)) == ("seal", 1, 0, None, {})
    assert (extract.ready, extract.running, extract.waiting, extract.dead) == (1, 1, 2, 2)
    assert extract.until_ms == NOW + 60_000
    assert list(extract.reasons.items()) == [("no answer", 2), ("cut off", 1), ("no words", 1)]
    assert before - 1 <= (extract.oldest_ms or 0) <= int(time.time() * 1000)
    assert queue.counts() == {"ready": 4, "running": 1, "dead": 2}


def test_release_gives_the_attempt_back(queue: Queue) -> None:
    queue.enqueue([job(), job("b")])
    claimed = claim(queue, "one")
    claim(queue, "two")
    queue.enqueue([job()])
    assert queue.release(["one", "unknown"]) == 1
    assert queue.counts() == {"ready": 1, "running": 1, "dead": 0}
    again = claim(queue, "three")
    assert (again.job, again.attempts) == (claimed.job, 1)
    queue.settle(again, Done(), now_ms=NOW)
    assert queue.counts()["ready"] == 0


def test_a_clock_that_was_wrong_blocks_no_retry(queue: Queue) -> None:
    queue.enqueue([job()])
    ahead = NOW + 10**12
    queue.settle(claim(queue, now=ahead), Fail(reason="x"), now_ms=ahead)
    assert is_empty(queue, NOW + LONGEST_DELAY_MS)
    queue.recover(now_ms=NOW, alone=False)
    assert claim(queue).attempts == 2


@given(subject=st.text(st.characters()))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_any_subject(queue: Queue, subject: str) -> None:
    stored = subject.encode("utf-8", "replace").decode()
    queue.enqueue([job(subject), job(subject)])
    claimed = claim(queue)
    assert claimed.job == job(stored)
    queue.settle(claimed, Fail(reason=subject, final=True), now_ms=NOW)
    assert queue.dead()[0] == DeadJob(job=job(stored), attempts=1, reason=stored)
    assert queue.retry_dead() == 1
    queue.settle(claim(queue), Done(), now_ms=NOW)
    assert queue.counts() == NOTHING


def test_rows_and_jobs_are_one_transaction_and_clear_forgets_both(tmp_path: Path) -> None:
    index = open_index(tmp_path / "vault.db")
    empty = index.digest()
    index.commit([], jobs=[job()])
    assert index.queue.counts()["ready"] == 1
    assert index.digest() == empty
    with pytest.raises(AttributeError):
        index.commit([], jobs=[job("new"), None])  # type: ignore[list-item]
    assert index.queue.counts()["ready"] == 1
    index.clear()
    assert index.queue.counts() == NOTHING
    index.close()


@given(
    moves=st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 40)) | st.integers(1, 25), min_size=1, max_size=14)
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15, deadline=None)
def test_no_source_waits_for_more_than_its_share(tmp_path: Path, moves: list[tuple[str, int] | int]) -> None:
    """Whoever enqueues how much and when: before a source's n-th waiting job, no other source is served more than 2n
    times.
    """
    for side in ("", "-wal", "-shm"):
        (tmp_path / f"fair.db{side}").unlink(missing_ok=True)
    index = open_index(tmp_path / "fair.db")
    waiting: dict[str, list[tuple[str, int, Counter[str]]]] = {source: [] for source in "abc"}
    served: Counter[str] = Counter()
    made = 0
    for move in [*moves, 10_000]:
        if isinstance(move, tuple):
            source, number = move
            index.queue.enqueue(of_source(source, range(made, made + number)))
            for n in range(made, made + number):
                waiting[source].append((f"{source}{n}", len(waiting[source]) + 1, Counter(served)))
            made += number
            continue
        for _ in range(move):
            claimed = index.queue.claim(CLAIM_ORDER, lease="x", now_ms=NOW)
            if claimed is None:
                assert not any(waiting.values())
                break
            source = claimed.job.source
            subject, place, before = waiting[source].pop(0)
            assert subject == claimed.job.subject, "first come, first served within a source"
            for other in set("abc") - {source}:
                assert served[other] - before[other] <= 2 * place
            served[source] += 1
            index.queue.settle(claimed, Done(), now_ms=NOW)
    index.close()


class AnyHistory(RuleBasedStateMachine):
    """Whatever happens in whatever order: each wish that was made is followed by a begin, or a dead letter says why."""

    folder: Path

    def __init__(self) -> None:
        super().__init__()
        self.now = NOW
        #: lease -> job, and when the lease runs out
        self.held: dict[str, Claimed] = {}
        self.ends: dict[str, int] = {}
        self.gone: list[Claimed] = []
        #: wishes that no begun run has seen yet
        self.wished: set[Job] = set()
        self.tries = 0

    @initialize()
    def open(self) -> None:
        for side in ("", "-wal", "-shm"):
            (self.folder / f"machine.db{side}").unlink(missing_ok=True)
        self.index = open_index(self.folder / "machine.db")
        self.queue = self.index.queue

    @rule(
        subject=st.sampled_from("abc"),
        kind=st.sampled_from(("seal", "append_buffer", "digest_daily")),
        source=st.sampled_from("xy"),
    )
    def enqueue(self, subject: str, kind: JobKind, source: str) -> None:
        self.queue.enqueue([Job(kind=kind, subject=subject, source=source)])
        self.wished.add(job(subject, kind))

    @rule(kinds=st.sampled_from((CLAIM_ORDER, ("append_buffer", "digest_daily"))))
    def claim(self, kinds: tuple[JobKind, ...]) -> None:
        self.tries += 1
        found = self.queue.claim(kinds, lease=str(self.tries), now_ms=self.now)
        running = {c.job.subject for c in self.held.values()}
        if found is None:
            return
        assert found.job.kind in kinds
        assert found.job.subject not in running
        assert 1 <= found.attempts <= MAX_ATTEMPTS
        self.held[found.lease] = found
        self.ends[found.lease] = self.now + LEASE_MS
        self.wished.discard(found.job)

    @precondition(lambda self: self.held)
    @rule(data=st.data(), outcome=st.sampled_from((Done(), Fail(reason="f"), Fail(reason="f", final=True), None)))
    def settle(self, data: st.DataObject, outcome: Outcome | None) -> None:
        claimed = self.held.pop(data.draw(st.sampled_from(sorted(self.held))))
        self.gone.append(claimed)
        outcome = outcome or Defer(until_ms=self.now + 30_000, reason="d")
        ended = self.queue.settle(claimed, outcome, now_ms=self.now)
        assert ended != "lost", "a lease that ran out counts until somebody took the job over"
        if ended in ("deferred", "retry"):
            self.wished.add(claimed.job)

    @precondition(lambda self: self.gone)
    @rule(data=st.data())
    def settle_too_late(self, data: st.DataObject) -> None:
        assert self.queue.settle(data.draw(st.sampled_from(self.gone)), Done(), now_ms=self.now) == "lost"

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def renew(self, data: st.DataObject) -> None:
        leases = data.draw(st.sets(st.sampled_from(sorted(self.held)), min_size=1))
        assert self.queue.renew([*leases, *(c.lease for c in self.gone)], now_ms=self.now) == len(leases)
        self.ends.update(dict.fromkeys(leases, self.now + LEASE_MS))

    @rule(alone=st.booleans())
    def recover(self, alone: bool) -> None:
        lost = [lease for lease in self.held if alone or self.ends[lease] <= self.now]
        assert self.queue.recover(now_ms=self.now, alone=alone) == len(lost)
        self.let_go(lost)

    @precondition(lambda self: self.held)
    @rule()
    def release(self) -> None:
        assert self.queue.release(self.held) == len(self.held)
        self.let_go(list(self.held))

    def let_go(self, leases: list[str]) -> None:
        for lease in leases:
            claimed = self.held.pop(lease)
            self.wished.add(claimed.job)
            self.gone.append(claimed)

    @rule()
    def retry_dead(self) -> None:
        dead = {d.job for d in self.queue.dead()}
        assert self.queue.retry_dead() == len(dead)
        self.wished |= dead - {c.job for c in self.held.values()}

    @rule(ms=st.sampled_from((1_000, 30_000, LEASE_MS, -60_000, 10**10, -(10**10))))
    def the_clock_goes_on_or_jumps(self, ms: int) -> None:
        self.now = max(1, self.now + ms)

    @invariant()
    def nothing_is_lost(self) -> None:
        if not hasattr(self, "queue"):
            return
        counts = self.queue.counts()
        assert counts["running"] == len(self.held)
        dead = {d.job for d in self.queue.dead()}
        waiting = {job for job in self.wished if job not in {c.job for c in self.held.values()}}
        assert counts["ready"] >= len(waiting - dead)
        assert len(dead) == counts["dead"]
        shown = self.queue.backlog()
        assert sum(kind.ready + kind.waiting for kind in shown) == counts["ready"]
        assert sum(kind.dead for kind in shown) == counts["dead"]

    def teardown(self) -> None:
        if not hasattr(self, "queue"):
            return
        self.queue.recover(now_ms=self.now, alone=True)
        expected = self.wished | {c.job for c in self.held.values()}
        seen = {d.job for d in self.queue.dead()}
        # a day later everything has come to its turn, whatever the clock had said when it was put off
        later = self.now + LONGEST_REST_MS
        assert self.queue.counts()["ready"] == 0 or (self.queue.next_ms(CLAIM_ORDER) or 0) <= later
        while (found := self.queue.claim(CLAIM_ORDER, lease="end", now_ms=later)) is not None:
            seen.add(found.job)
            self.queue.settle(found, Done(), now_ms=later)
        assert self.queue.counts()["ready"] == 0
        assert expected <= seen
        self.index.close()


def test_any_history(tmp_path: Path) -> None:
    class Here(AnyHistory):
        folder = tmp_path

    run_state_machine_as_test(Here, settings=settings(max_examples=15, stateful_step_count=30, deadline=None))


@pytest.mark.nightly
@pytest.mark.timeout(1200)
def test_any_long_history(tmp_path: Path) -> None:
    class Here(AnyHistory):
        folder = tmp_path

    run_state_machine_as_test(Here, settings=settings(max_examples=60, stateful_step_count=100, deadline=None))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_two_processes_never_hold_one_job(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    index = open_index(path)
    index.queue.enqueue([job(f"{n:03d}", "extract_chunk") for n in range(150)])
    index.close()
    children = [_forked(path, tmp_path, seed) for seed in range(2)]
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    index = open_index(path)
    assert index.queue.counts() == NOTHING
    index.close()
    assert len(list(tmp_path.glob("did-*"))) == 150


def _forked(path: Path, folder: Path, seed: int) -> int:
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        index = open_index(path)
        chance = random.Random(seed)
        while found := index.queue.claim(CLAIM_ORDER, lease=f"{seed}-{chance.random()}", now_ms=NOW):
            (folder / f"runs-{found.job.subject}").touch(exist_ok=False)
            time.sleep(chance.random() / 2000)
            (folder / f"did-{found.job.subject}").touch(exist_ok=False)
            (folder / f"runs-{found.job.subject}").unlink()
            assert index.queue.settle(found, Done(), now_ms=NOW) == "done"
        index.close()
        status = 0
    finally:
        os._exit(status)
