"""Draining: everything that is ready, with what follows; trouble of one job and of all; stopping gives jobs back."""

from __future__ import annotations

import errno
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from vaultmem.app import worker
from vaultmem.app.worker import Drained, drain
from vaultmem.errors import BadNote, CannotWrite, IndexTrouble, UnreadableVault
from vaultmem.jobs import CLAIM_ORDER, Defer, Done, Fail, Job, JobKind, Outcome
from vaultmem.store.index import SqliteIndex, open_index

NOW = 1_800_000_000.0
NOTHING = {"ready": 0, "running": 0, "dead": 0}
KEY = "AKIA" + "IOSFODNN7EXAMPLE"

pytestmark = pytest.mark.parametrize("workers", [1, 3])


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SqliteIndex]:
    opened = open_index(tmp_path / "vault.db")
    yield opened
    opened.close()


def run(index: SqliteIndex, handlers: Mapping[JobKind, Callable[[Job], Outcome]], workers: int) -> Drained:
    return drain(index.queue, handlers, workers=workers, wall=lambda: NOW, alone=True)


def chunks(number: int) -> list[Job]:
    return [Job(kind="extract_chunk", subject=str(n)) for n in range(number)]


def attempts_of_ready(index: SqliteIndex) -> list[int]:
    found = []
    while claimed := index.queue.claim(CLAIM_ORDER, lease="looking", now_ms=int(NOW * 1000)):
        found.append(claimed.attempts)
    index.queue.release(["looking"])
    return found


def test_everything_ready_and_what_follows(index: SqliteIndex, workers: int) -> None:
    ran: Counter[str] = Counter()
    inside: Counter[str] = Counter()

    def noted(outcome: Callable[[Job], Outcome]) -> Callable[[Job], Outcome]:
        def handler(job: Job) -> Outcome:
            inside[job.subject] += 1
            assert inside[job.subject] == 1
            time.sleep(0.0005)
            ran[job.kind] += 1
            inside[job.subject] -= 1
            return outcome(job)

        return handler

    handlers: dict[JobKind, Callable[[Job], Outcome]] = {
        "extract_chunk": noted(
            lambda job: Done(follow_ups=(Job(kind="append_buffer", subject=f"tree {int(job.subject) % 4}"),))
        ),
        "append_buffer": noted(lambda job: Done(follow_ups=(Job(kind="seal", subject=job.subject),))),
        "seal": noted(lambda job: Done()),
    }
    index.commit([], jobs=chunks(40))
    done = run(index, handlers, workers)
    assert index.queue.counts() == NOTHING
    assert ran["extract_chunk"] == 40
    assert 4 <= ran["seal"] <= ran["append_buffer"] <= 40
    assert done == Drained(done=sum(ran.values()))
    assert run(index, handlers, workers) == Drained()


def test_a_handler_may_enqueue_what_is_running(index: SqliteIndex, workers: int) -> None:
    times = []

    def handler(job: Job) -> Outcome:
        times.append(job)
        if len(times) < 5:
            index.commit([], jobs=[job])
        return Done()

    index.queue.enqueue(chunks(1))
    assert run(index, {"extract_chunk": handler}, workers).done == 5


def test_outcomes_are_counted_and_reasons_kept_without_secrets(index: SqliteIndex, workers: int) -> None:
    def handler(job: Job) -> Outcome:
        match job.subject:
            case "0":
                raise BadNote("without id")
            case "1":
                raise ZeroDivisionError(f"a key {KEY}\nin two lines " + "x" * 5000)
            case "2":
                return Fail(reason=f"the key is {KEY}", final=True)
            case "3":
                return Defer(until_ms=int(NOW * 1000) + 60_000, reason="later")
            case "4":
                raise FileNotFoundError(errno.ENOENT, "gone", "note.md")
        return Done()

    index.queue.enqueue(chunks(7))
    done = run(index, {"extract_chunk": handler}, workers)
    assert (done.done, done.deferred, done.failed, done.dead, done.released) == (2, 1, 3, 1, 0)
    assert done.problems["extract_chunk 0"] == "not a note of this memory: without id"
    assert done.problems["extract_chunk 1"].startswith("ZeroDivisionError: a key [redacted:")
    assert len(done.problems["extract_chunk 1"]) <= 500
    assert "note.md" in done.problems["extract_chunk 4"]
    assert "3" not in "".join(done.problems)
    assert KEY not in str(done.problems) + str(index.queue.dead())
    assert index.queue.counts() == {"ready": 4, "running": 0, "dead": 1}
    assert run(index, {"extract_chunk": handler}, workers) == Drained(), "what failed waits for its time"


def test_kinds_without_a_handler_stay(index: SqliteIndex, workers: int) -> None:
    index.queue.enqueue([*chunks(2), Job(kind="reembed_backfill", subject="m")])
    assert run(index, {"extract_chunk": lambda job: Done()}, workers).done == 2
    assert index.queue.counts()["ready"] == 1
    assert run(index, {}, workers) == Drained()


@pytest.mark.parametrize(
    ("trouble", "named"),
    [
        (CannotWrite("wiki", "No space left on device"), CannotWrite),
        (OSError(errno.ENOSPC, "No space left on device", "a.md"), CannotWrite),
        (OSError(errno.EROFS, "Read-only file system"), CannotWrite),
        (UnreadableVault("/vault", "gone"), UnreadableVault),
        (IndexTrouble("vault.db", "damaged"), IndexTrouble),
        (SystemExit(3), SystemExit),
    ],
)
def test_what_would_fail_every_job_ends_the_drain(
    index: SqliteIndex, workers: int, trouble: BaseException, named: type[BaseException]
) -> None:
    ran = []

    def handler(job: Job) -> Outcome:
        ran.append(job)
        raise trouble

    index.queue.enqueue(chunks(20))
    with pytest.raises(named):
        run(index, {"extract_chunk": handler}, workers)
    assert len(ran) <= workers
    assert index.queue.counts() == {"ready": 20, "running": 0, "dead": 0}
    assert attempts_of_ready(index) == [1] * 20


def test_trouble_is_not_hidden_by_an_index_that_takes_nothing(
    index: SqliteIndex, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: object, leases: object) -> int:
        raise CannotWrite("vault.db", "full too")

    def handler(job: Job) -> Outcome:
        raise CannotWrite("wiki/note.md", "full")

    monkeypatch.setattr("vaultmem.store.index.jobs.SqliteQueue.release", refused)
    index.queue.enqueue(chunks(1))
    with pytest.raises(CannotWrite, match=r"note\.md"):
        run(index, {"extract_chunk": handler}, workers)


def test_asked_to_stop(index: SqliteIndex, workers: int) -> None:
    ran = []

    def handler(job: Job) -> Outcome:
        ran.append(job)
        return Done()

    index.queue.enqueue(chunks(50))
    done = drain(
        index.queue, {"extract_chunk": handler}, workers=workers, wall=lambda: NOW, should_stop=lambda: len(ran) >= 5
    )
    assert 5 <= done.done == len(ran) < 5 + workers
    assert index.queue.counts() == {"ready": 50 - len(ran), "running": 0, "dead": 0}
    assert set(attempts_of_ready(index)) == {1}


def test_no_other_job_is_begun_when_something_else_waits(index: SqliteIndex, workers: int) -> None:
    ran = []

    def handler(job: Job) -> Outcome:
        time.sleep(0.05)
        ran.append(job)
        return Done()

    index.queue.enqueue(chunks(200))
    done = drain(
        index.queue, {"extract_chunk": handler}, workers=workers, wall=lambda: NOW, awaited=lambda: len(ran) >= 5
    )
    assert 5 <= done.done == len(ran) < 200
    assert done.released == 0, "what ran came to its end"
    assert index.queue.counts() == {"ready": 200 - len(ran), "running": 0, "dead": 0}


def test_a_handler_that_does_not_end_is_left_behind(
    index: SqliteIndex, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if workers == 1:
        pytest.skip("one worker runs in the caller's thread: only a signal ends its handler")
    monkeypatch.setattr(worker, "GRACE", 0.2)
    go_on, begun = threading.Event(), threading.Event()

    def handler(job: Job) -> Outcome:
        begun.set()
        go_on.wait(20)
        return Done(follow_ups=(Job(kind="seal", subject="never"),))

    index.queue.enqueue(chunks(1))
    done = drain(index.queue, {"extract_chunk": handler}, workers=workers, wall=lambda: NOW, should_stop=begun.is_set)
    assert done == Drained(released=1)
    assert attempts_of_ready(index) == [1]
    go_on.set()
    for thread in threading.enumerate():
        if thread.name.startswith("vaultmem-job"):
            thread.join(5)
    assert index.queue.counts() == {"ready": 1, "running": 0, "dead": 0}, "what ended too late changed nothing"


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs POSIX signals")
@pytest.mark.parametrize("after", [0.0003, 0.002, 0.01, 0.03])
def test_ctrl_c_gives_attempts_back(index: SqliteIndex, workers: int, after: float) -> None:
    ended = []

    def handler(job: Job) -> Outcome:
        for _ in range(20):
            time.sleep(0.001)
        ended.append(job)
        return Done()

    index.queue.enqueue(chunks(200))
    strike = threading.Timer(after, signal.pthread_kill, (threading.main_thread().ident or 0, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - the timer must not strike outside
        strike.start()
        run(index, {"extract_chunk": handler}, workers)
    counts = index.queue.counts()
    assert (counts["running"], counts["dead"]) == (0, 0)
    # one worker may be struck between its job's end and the note of it: then the job runs again
    assert 200 - len(ended) <= counts["ready"] <= 200 - len(ended) + 1
    assert set(attempts_of_ready(index)) == {1}


def test_waiting_workers_do_not_turn_in_circles(index: SqliteIndex, workers: int) -> None:
    index.queue.enqueue(chunks(1))
    before = time.process_time()

    def handler(job: Job) -> Outcome:
        time.sleep(0.5)
        return Done()

    run(index, {"extract_chunk": handler}, workers)
    assert time.process_time() - before < 0.1


def test_many_threads_share_one_index(index: SqliteIndex, workers: int) -> None:
    """Handlers read and write the index itself, while the caller's other threads ask it questions."""
    stop = threading.Event()
    problems: list[BaseException] = []

    def asking() -> None:
        while not stop.is_set():
            try:
                index.counts()
                index.queue.counts()
            except BaseException as problem:  # noqa: BLE001 - shown below
                problems.append(problem)
                return

    def handler(job: Job) -> Outcome:
        index.set_meta(job.subject, "seen")
        assert index.get_meta(job.subject) == "seen"
        return Done()

    asker = threading.Thread(target=asking)
    asker.start()
    index.queue.enqueue(chunks(100))
    done = run(index, {"extract_chunk": handler}, workers)
    stop.set()
    asker.join()
    assert done == Drained(done=100)
    assert not problems


def test_a_job_longer_than_its_lease_keeps_it(
    index: SqliteIndex, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else looks for leases that ran out all the while."""
    monkeypatch.setattr(worker, "LEASE_MS", 300)
    ran, taken = [], []

    def handler(job: Job) -> Outcome:
        ran.append(job)
        end = time.monotonic() + 1.2
        while time.monotonic() < end:
            taken.append(index.queue.recover(now_ms=int(time.time() * 1000), alone=False))
            time.sleep(0.02)
        return Done()

    index.queue.enqueue(chunks(2))
    done = drain(index.queue, {"extract_chunk": handler}, workers=workers, wall=time.time)
    assert done == Drained(done=2)
    assert len(ran) == 2
    assert len(taken) > 50
    assert not any(taken)


@pytest.mark.parametrize("permits", [1, 2])
def test_a_permit_comes_before_the_lease(index: SqliteIndex, workers: int, permits: int) -> None:
    lock = threading.Lock()
    inside: Counter[str] = Counter()
    most: Counter[str] = Counter()

    def handler(job: Job) -> Outcome:
        with lock:
            inside[job.kind] += 1
            most[job.kind] = max(most[job.kind], inside[job.kind])
            # what waits for a permit holds no lease, so nothing more than what is inside runs
            assert sum(inside.values()) <= workers
        time.sleep(0.003)
        with lock:
            inside[job.kind] -= 1
        return Fail(reason="no answer") if job.subject == "3" else Done()

    cheap = [Job(kind="topic_route", subject=f"t{n}") for n in range(20)]
    index.queue.enqueue([*chunks(20), *cheap])
    handlers: dict[JobKind, Callable[[Job], Outcome]] = {"extract_chunk": handler, "topic_route": handler}
    done = drain(
        index.queue, handlers, workers=workers, wall=lambda: NOW, scarce={"extract_chunk"}, permits=permits
    )  # fmt: skip
    assert (done.done, done.failed) == (39, 1)
    assert most["extract_chunk"] == min(permits, workers)
    if workers == 3:
        assert most["topic_route"] >= 2, "the others went on meanwhile"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_two_processes_drain_one_queue(tmp_path: Path, workers: int) -> None:
    path = tmp_path / "vault.db"
    first = open_index(path)
    first.queue.enqueue(chunks(60))
    first.close()
    children = []
    for _ in range(2):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = 0 if _drain_marked(path, tmp_path, workers) else 2
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    last = open_index(path)
    assert last.queue.counts() == NOTHING
    last.close()
    assert len(list(tmp_path.glob("did-*"))) == 62


def _drain_marked(path: Path, folder: Path, workers: int) -> bool:
    """Every job marks itself while it runs; a mark that is there already makes it fail."""

    def marked(job: Job) -> Outcome:
        mark = folder / f"runs-{job.subject}"
        mark.touch(exist_ok=False)
        time.sleep(0.001)
        (folder / f"did-{job.subject}").touch()
        mark.unlink()
        following = (Job(kind="seal", subject=f"tree {int(job.subject) % 2}"),) if job.kind == "extract_chunk" else ()
        return Done(follow_ups=following)

    index = open_index(path)
    done = drain(index.queue, {"extract_chunk": marked, "seal": marked}, workers=workers, wall=time.time)
    index.close()
    return done.failed == done.dead == 0
