"""When `watch` makes a pass: hints, what has become due, the regular look, and a clock that is put back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.app import watch
from vaultmem.app.engine import Engine
from vaultmem.app.passed import SyncReport
from vaultmem.app.watch import watch_loop
from vaultmem.jobs import Fail, Job

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC).timestamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    paths: tuple[str, ...] = ()
    rescan: bool = False


@dataclass(slots=True, kw_only=True)
class Clock:
    """A vault watched in a time of its own: each wait is as long as it may be."""

    engine: Engine
    now: float = NOON
    waits: int = 0
    #: seconds since noon -> what is heard then
    hints: dict[int, Heard] = field(default_factory=dict)
    #: seconds since noon of every pass
    passes: list[int] = field(default_factory=list)

    def wait(self, timeout: float) -> Heard:
        assert timeout <= 1.0
        self.waits += 1
        self.now += max(timeout, 0.001)
        return self.hints.pop(round(self.now - NOON), Heard())

    def run(self, seconds: float) -> list[int]:
        """The passes of so much time."""
        end, self.passes = self.now + seconds, []
        here = replace(self.engine, wall=lambda: self.now, now=lambda: datetime.fromtimestamp(self.now, UTC))
        watch_loop(here, self, lambda _: None, until=lambda: self.now >= end)
        return self.passes


@pytest.fixture
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    with Box(tmp_path).open() as memory:
        memory.sync()
        made = Clock(engine=memory._engine)

        def noted(engine: Engine, *, patience: float, live: bool, awaited: Callable[[], bool]) -> SyncReport:
            assert live
            made.passes.append(round(engine.wall() - NOON))
            return SyncReport()

        monkeypatch.setattr(watch, "sync", noted)
        yield made


def fail(engine: Engine, subjects: Sequence[str], now: float) -> None:
    """Jobs that failed for the first time."""
    for subject in subjects:
        engine.index.queue.enqueue([Job(kind="seal", subject=subject)])
        claimed = engine.index.queue.claim(["seal"], lease="x", now_ms=int(now * 1000))
        assert claimed
        engine.index.queue.settle(claimed, Fail(reason="no room"), now_ms=int(now * 1000))


def test_an_idle_vault_is_looked_at_every_reconcile_seconds_alone(clock: Clock) -> None:
    assert clock.run(899) == [0, 300, 600]
    assert clock.waits < 920


def test_a_hint_that_concerns_memory_is_followed_at_once(clock: Clock) -> None:
    clock.hints = {20: Heard(paths=("inbox/a.md",)), 40: Heard(paths=("Diary/today.md",)), 50: Heard(rescan=True)}
    assert clock.run(200) == [0, 20, 50]


@pytest.mark.parametrize(("takes", "gap"), [(1.0, 3), (60.0, 65)], ids=["short", "long"])
def test_after_a_pass_it_rests_though_a_file_is_dropped_every_second(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, takes: float, gap: int
) -> None:
    def slow(engine: Engine, *, patience: float, live: bool, awaited: Callable[[], bool]) -> SyncReport:
        clock.passes.append(round(engine.wall() - NOON))
        clock.now += takes
        return SyncReport()

    monkeypatch.setattr(watch, "sync", slow)
    clock.hints = {second: Heard(paths=(f"inbox/{second}.md",)) for second in range(1, 300)}
    passes = clock.run(290)
    assert {later - at for at, later in pairwise(passes)} == {gap}, "twice as long as it took, 5 s at most"
    assert len(passes) == 290 // gap + 1


@pytest.mark.parametrize(
    ("heard", "passes"),
    [([10, 20], [0, 15, 25]), (range(1, 40), [0, 8, 16, 24, 32, 40])],
    ids=["ends for what is heard", "goes on for three seconds at least"],
)
def test_background_work_ends_when_something_is_heard(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, heard: Sequence[int], passes: list[int]
) -> None:
    def at_work(engine: Engine, *, patience: float, live: bool, awaited: Callable[[], bool]) -> SyncReport:
        clock.passes.append(round(engine.wall() - NOON))
        end = engine.wall() + 100
        while engine.wall() < end and not awaited():
            pass
        return SyncReport()

    monkeypatch.setattr(watch, "sync", at_work)
    clock.hints = {second: Heard(paths=(f"inbox/{second}.md",)) for second in heard}
    assert clock.run(45) == passes


def test_what_failed_is_tried_again_within_a_minute_of_its_time(clock: Clock) -> None:
    fail(clock.engine, ["a", "b"], NOON + 30)
    passes = clock.run(200)
    assert passes[0] == 0
    assert 90 <= passes[1] <= 150, "due a minute after it failed, seen at the next beat"


def test_the_night_is_made_at_its_time(clock: Clock) -> None:
    clock.now = datetime(2026, 6, 1, 23, 59, 30, tzinfo=UTC).timestamp()
    start = round(clock.now - NOON)
    passes = clock.run(600)
    due = start + 30 + 300
    assert any(due <= at <= due + 60 for at in passes)


def test_a_clock_that_is_put_back_stops_nothing(clock: Clock) -> None:
    clock.run(10)
    ahead = clock.now

    def back(timeout: float) -> Heard:
        clock.now = ahead - 86_400 if clock.now >= ahead else clock.now + timeout
        return Heard()

    class Back:
        def wait(self, timeout: float) -> Heard:
            return back(timeout)

    clock.passes = []
    here = replace(clock.engine, wall=lambda: clock.now)
    turns = iter(range(40))
    watch_loop(here, Back(), lambda _: None, until=lambda: next(turns, None) is None)
    assert len(clock.passes) == 2, "one at the beginning, one when the clock was put back"


def use_notes(clock: Clock) -> None:
    config = clock.engine.vault.root / ".vaultmem/config.yaml"
    config.write_text(f'{config.read_text()}notes: ["**/*.md"]\n')


def test_a_note_saved_thirty_times_in_a_minute_is_one_pass(clock: Clock) -> None:
    use_notes(clock)
    clock.hints = {at: Heard(paths=("Diary/today.md",)) for at in range(20, 80, 2)}
    passes = clock.run(200)
    assert passes[0] == 0
    assert len(passes) == 2
    assert 80 <= passes[1] <= 82


def test_who_writes_without_a_pause_is_remembered_all_the_same(clock: Clock) -> None:
    use_notes(clock)
    clock.hints = {at: Heard(paths=("Diary/today.md",)) for at in range(20, 280, 2)}
    assert 109 <= clock.run(290)[1] <= 111


def test_a_note_that_is_excluded_wakes_nobody(clock: Clock) -> None:
    use_notes(clock)
    config = clock.engine.vault.root / ".vaultmem/config.yaml"
    config.write_text(f"{config.read_text()}notes_exclude: [Diary]\n")
    clock.hints = {20: Heard(paths=("Diary/today.md",)), 40: Heard(paths=("Work/a.md",))}
    assert clock.run(200) == [0, 42]
