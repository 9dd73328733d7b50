"""kill -9 while jobs run, at random moments: the next drain does what was begun, nothing is lost, nobody is blamed."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from vaultmem.app.worker import drain
from vaultmem.core.grow.retry import MAX_LOSSES
from vaultmem.jobs import CLAIM_ORDER, Done, Job, Outcome
from vaultmem.store.index import open_index

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

CHUNKS = 60
TREES = 5


def work_on(path: Path, folder: Path, *, alone: bool = True) -> dict[str, int]:
    """Chunks are extracted, then appended to a tree, then the tree is sealed: each leaves a file."""
    index = open_index(path)

    def extract(job: Job) -> Outcome:
        time.sleep(0.001)
        (folder / f"chunk {job.subject}").touch()
        return Done(follow_ups=(Job(kind="append_buffer", subject=f"tree {int(job.subject) % TREES}"),))

    def append(job: Job) -> Outcome:
        seen = len([p for p in folder.glob("chunk *") if int(p.name.split()[1]) % TREES == int(job.subject.split()[1])])
        time.sleep(0.001)
        # what this run saw; a later run sees more, so a lost wish would leave a number behind
        (folder / job.subject).write_text(str(seen))
        return Done(follow_ups=(Job(kind="seal", subject=job.subject),) if seen == CHUNKS // TREES else ())

    def seal(job: Job) -> Outcome:
        (folder / f"sealed {job.subject}").touch()
        return Done()

    drain(
        index.queue, {"extract_chunk": extract, "append_buffer": append, "seal": seal},
        wall=time.time, alone=alone,
    )  # fmt: skip
    counts = dict(index.queue.counts())
    index.close()
    return counts


def killed_after(seconds: float, path: Path, folder: Path) -> bool:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work_on(path, folder)
            status = 0
        finally:
            os._exit(status)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def check_kills(tmp_path: Path, *, runs: int, kills: int) -> None:
    chance = random.Random(runs)
    died = 0
    for number in range(runs):
        folder = tmp_path / f"run {number}"
        folder.mkdir()
        path = folder / "vault.db"
        index = open_index(path)
        index.queue.enqueue([Job(kind="extract_chunk", subject=str(n)) for n in range(CHUNKS)])
        index.close()
        for _ in range(kills):
            died += killed_after(chance.uniform(0.005, 0.06), path, folder)
            index = open_index(path)
            index.queue.recover(now_ms=int(time.time() * 1000), alone=True)
            while claimed := index.queue.claim(CLAIM_ORDER, lease="look", now_ms=int(time.time() * 1000)):
                assert claimed.attempts == 1
            assert not index.queue.dead()
            index.queue.release(["look"])
            index.close()
        assert work_on(path, folder) == {"ready": 0, "running": 0, "dead": 0}
        assert len(list(folder.glob("chunk *"))) == CHUNKS
        for tree in range(TREES):
            assert (folder / f"tree {tree}").read_text() == str(CHUNKS // TREES)
            assert (folder / f"sealed tree {tree}").exists()
    assert died > runs * kills / 2


def drained_by_a_child(path: Path, folder: Path, deadly: str) -> bool:
    """One drain in a process of its own, which ends when the deadly job begins; whether it died."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
        return os.WIFSIGNALED(status)
    status = 1
    try:
        index = open_index(path)

        def handler(job: Job) -> Outcome:
            time.sleep(0.002)  # so that others are at work when it dies
            if job.subject == deadly:
                os.kill(os.getpid(), signal.SIGKILL)
            (folder / f"did {job.subject}").touch()
            return Done()

        drain(index.queue, {"extract_chunk": handler}, wall=time.time, alone=True)
        index.close()
        status = 0
    finally:
        os._exit(status)


def test_a_job_that_kills_its_process_is_parked_and_the_others_are_done(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    index = open_index(path)
    index.queue.enqueue([Job(kind="extract_chunk", subject=str(n)) for n in range(CHUNKS)])
    index.close()
    deaths = 0
    while drained_by_a_child(path, tmp_path, "7"):
        deaths += 1
        assert deaths <= MAX_LOSSES
        if deaths == 3:  # once in company, once as one of several suspects
            assert len(list(tmp_path.glob("did *"))) == CHUNKS - 1, "the others went first"
    assert deaths == MAX_LOSSES
    index = open_index(path)
    assert [(dead.job.subject, dead.parked) for dead in index.queue.dead()] == [("7", True)]
    assert index.queue.counts() == {"ready": 0, "running": 0, "dead": 1}
    index.queue.enqueue([Job(kind="extract_chunk", subject="7")])
    index.close()
    assert not drained_by_a_child(path, tmp_path, "7"), "nobody but a person brings it back"
    index = open_index(path)
    assert index.queue.retry_dead() == 1
    index.close()
    assert not drained_by_a_child(path, tmp_path, "")
    assert (tmp_path / "did 7").exists()


def test_kills_at_random_moments(tmp_path: Path) -> None:
    check_kills(tmp_path, runs=4, kills=6)


@pytest.mark.nightly
def test_many_kills_at_random_moments(tmp_path: Path) -> None:
    check_kills(tmp_path, runs=40, kills=10)
