"""The heartbeat in an open vault: what it enqueues, when today's digest rests, and what `watch` waits for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.app.engine import Engine
from vaultmem.app.scheduler import is_due, paced, tick
from vaultmem.core.grow.retry import LONGEST_DELAY_MS
from vaultmem.core.grow.schedule import TODAY_EVERY_MS
from vaultmem.jobs import CLAIM_ORDER, Claimed, Defer, Done, Fail, Job, JobKind, Outcome

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with Box(tmp_path).open() as memory:
        memory.sync()
        found = at(memory._engine, NOON)
        found.index.set_meta("nights", "")
        yield found


def at(engine: Engine, now: datetime) -> Engine:
    return replace(engine, now=lambda: now, wall=now.timestamp)


def subjects(engine: Engine) -> list[str]:
    """What is ready now; it is taken."""
    found: list[Claimed] = []
    now_ms = int(engine.wall() * 1000)
    while claimed := engine.index.queue.claim(CLAIM_ORDER, lease="look", now_ms=now_ms):
        found.append(claimed)
        engine.index.queue.settle(claimed, Done(), now_ms=now_ms)
    return [f"{claimed.job.kind} {claimed.job.subject}" for claimed in found]


def test_a_tick_enqueues_each_night_once_and_does_nothing_itself(engine: Engine) -> None:
    assert is_due(engine)
    tick(engine, CLAIM_ORDER, live=True)
    assert subjects(engine) == ["flush_stale 2026-06-01", "digest_daily 2026-05-31"]
    assert not is_due(engine)
    tick(engine, CLAIM_ORDER, live=True)
    back = at(engine, NOON.replace(month=5))
    tick(back, CLAIM_ORDER, live=True)
    subjects(back)
    tick(engine, CLAIM_ORDER, live=True)
    assert subjects(engine) == []
    later = at(engine, NOON.replace(day=3))
    assert is_due(later)
    tick(later, CLAIM_ORDER, live=False)
    assert subjects(later) == ["flush_stale 2026-06-03", "digest_daily 2026-06-02", "digest_daily 2026-06-01"]


def test_only_what_somebody_does_is_enqueued(engine: Engine) -> None:
    tick(engine, {"flush_stale"}, live=False)
    assert subjects(engine) == ["flush_stale 2026-06-01"]


def test_todays_digest_rests_while_somebody_watches(engine: Engine) -> None:
    made: list[str] = []

    def digest(job: Job) -> Outcome:
        made.append(job.subject)
        return Fail(reason="no room") if len(made) == 1 else Done()

    live = paced(engine, {"digest_daily": digest}, live=True)["digest_daily"]
    today, yesterday = (Job(kind="digest_daily", subject=f"2026-{day}") for day in ("06-01", "05-31"))
    assert isinstance(live(today), Fail)
    assert live(today) == Done(), "only one that was made rests"
    outcome = live(today)
    assert isinstance(outcome, Defer)
    assert outcome.until_ms == NOON.timestamp() * 1000 + TODAY_EVERY_MS
    assert live(yesterday) == live(yesterday) == Done(), "a day that is over does not rest"
    assert paced(engine, {"digest_daily": digest}, live=False)["digest_daily"](today) == Done()
    later = at(engine, datetime.fromtimestamp(outcome.until_ms / 1000, UTC))
    assert paced(later, {"digest_daily": digest}, live=True)["digest_daily"](today) == Done()
    assert paced(engine, {}, live=True) == {}


def test_sync_does_not_wait_for_what_watch_put_off(engine: Engine) -> None:
    queue = engine.index.queue
    now_ms = int(engine.wall() * 1000)
    tick(engine, (), live=True)
    ends: dict[JobKind, Outcome] = {
        "digest_daily": Defer(until_ms=now_ms + 600_000, reason="rests"),
        "topic_route": Defer(until_ms=now_ms + 600_000, reason="rests"),
        "seal": Fail(reason="no room"),
    }
    for kind, outcome in ends.items():
        queue.enqueue([Job(kind=kind, subject="x")])
        claimed = queue.claim(CLAIM_ORDER, lease="a", now_ms=now_ms)
        assert claimed
        queue.settle(claimed, outcome, now_ms=now_ms)
    assert not is_due(engine)
    tick(engine, (), live=True)
    assert subjects(engine) == []
    tick(engine, (), live=False)
    assert subjects(engine) == ["digest_daily x"]
    after_a_minute = replace(engine, wall=lambda: engine.wall() + 60)
    assert is_due(after_a_minute), "what failed is tried again"
    queue.recover(now_ms=now_ms - 2 * LONGEST_DELAY_MS, alone=False)
    assert is_due(engine), "a clock that was put back holds nothing up"


def test_a_second_sync_enqueues_nothing(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("note.md", "# Ferry\n\nThe ferry leaves at nine from pier four on Sundays.\n")
    box.sync()
    before = box.notes()
    with box.open() as memory:
        report = memory.sync()
        assert dict(report.jobs) == {"ready": 0, "running": 0, "dead": 0}
        assert not is_due(memory._engine)
    assert box.notes() == before
