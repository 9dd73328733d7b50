"""What `status` and `doctor` say about work that is not done."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from tests.vaults import Box
from vaultmem.core.grow.retry import MAX_LOSSES
from vaultmem.jobs import Backlog, Defer, Fail, Job, iso_of
from vaultmem.memory import Memory
from vaultmem.surfaces.cli import cli

NOW = 1_800_000_000_000


def fill(memory: Memory) -> None:
    """A job of each fate."""
    queue = memory._index.queue
    queue.enqueue([Job(kind="seal", subject="deadly")])
    for _ in range(MAX_LOSSES):
        assert queue.claim(["seal"], lease="a", now_ms=NOW)
        queue.recover(now_ms=NOW, alone=True)
    queue.enqueue([Job(kind="extract_chunk", subject=str(n)) for n in range(6)])
    for outcome in (
        Fail(reason="no words in it", final=True),
        Fail(reason="no answer"),
        Fail(reason="no answer"),
        Defer(until_ms=NOW + 30_000, reason="too many requests"),
    ):
        claimed = queue.claim(["extract_chunk"], lease="a", now_ms=NOW)
        assert claimed
        queue.settle(claimed, outcome, now_ms=NOW)


def run(box: Box, *arguments: str) -> str:
    done = CliRunner().invoke(cli, ["--vault", str(box.root), *arguments], env=dict(box.environ))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    return done.stdout


def test_status_and_doctor_say_what_waits_and_why_and_doctor_retries(tmp_path: Path) -> None:
    box = Box(tmp_path)
    with box.open() as memory:
        memory.sync()
        fill(memory)
    found = json.loads(run(box, "status", "--json"))
    assert found["jobs"] == {"ready": 5, "running": 0, "dead": 2}
    seal, extract = found["background"]
    assert (seal["kind"], seal["dead"]) == ("seal", 1)
    assert {key: extract[key] for key in ("ready", "running", "waiting", "dead")} == {
        "ready": 2, "running": 0, "waiting": 3, "dead": 1,
    }  # fmt: skip
    assert extract["until"] == iso_of(NOW + 30_000)
    assert extract["reasons"] == {"no answer": 2, "no words in it": 1, "too many requests": 1}
    text = run(box, "status")
    assert "extract_chunk: 2 ready, 3 waiting until 2027-01-15T08:00:30Z, 1 gave up" in text
    assert "no answer (2 times)" in text

    findings = [row for row in json.loads(run(box, "doctor", "--json"))["findings"] if row["area"] == "jobs"]
    texts = " | ".join(row["text"] for row in findings)
    assert f"seal of deadly is laid aside: the process ended {MAX_LOSSES} times" in texts
    assert "extract_chunk of 0 gave up after 1 attempts: no words in it" in texts
    assert "3 extract_chunk wait until 2027-01-15T08:00:30Z: no answer" in texts
    assert "2 are ready and nobody does them" in texts
    assert all(row["fix"] for row in findings)

    run(box, "doctor", "--retry-jobs")
    found = json.loads(run(box, "status", "--json"))
    assert found["jobs"] == {"ready": 7, "running": 0, "dead": 0}
    report = json.loads(run(box, "sync", "--json"))
    assert set(report["jobs"]) == {"ready", "running", "dead"}


def test_a_vault_without_work_says_nothing(tmp_path: Path) -> None:
    box = Box(tmp_path)
    with box.open() as memory:
        memory.sync()
    assert json.loads(run(box, "status", "--json"))["background"] == []
    assert "jobs  " not in run(box, "status")


def test_times_of_a_wrong_clock_have_a_text() -> None:
    assert iso_of(-5) == "1970-01-01T00:00:00Z"
    assert iso_of(10**18) == "9999-12-31T23:59:59Z"
    assert Backlog(kind="seal").to_dict() == {
        "kind": "seal", "ready": 0, "running": 0, "waiting": 0, "dead": 0, "reasons": {},
    }  # fmt: skip
