"""The live pass: wait for hints, look at the disk, do the work, and once in a while look without any hint."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from vaultmem.app.by_git import GIT_AT_WORK
from vaultmem.app.engine import Engine
from vaultmem.app.glance import glance
from vaultmem.app.inplace import selection, settings_in_force
from vaultmem.app.passed import SyncReport
from vaultmem.app.scheduler import BEAT_SECONDS, is_due
from vaultmem.app.sync import STILL_WRITTEN, sync
from vaultmem.core.notes.paths import OWN_FOLDERS
from vaultmem.errors import VaultmemError
from vaultmem.jobs import JobKind

#: Seconds a wait lasts at most, so that `until` and Ctrl-C are heard.
_LONGEST_WAIT = 1.0
#: Editors save every two seconds while somebody writes.
_SAVE_SECONDS = 2.5
#: Who writes without a pause is remembered now and then all the same.
_LONGEST_TYPING = 90.0
#: A note that a person saved is written again no sooner.
_QUIET_SECONDS = 10.5
#: After a pass it rests so many times as long as that took, or a file dropped every second would keep it at work.
_REST = 2.0
#: …but no longer than so many seconds: what is dropped is found within seconds.
_LONGEST_REST = 5.0
#: The background work of a pass goes on for so many seconds at least, or who never stops saving would stop it for ever.
_LEAST_WORK = 3.0
#: The work that waits for a note in which a person is at work.
_EDITED: tuple[JobKind, ...] = ("extract_chunk",)


class Hints(Protocol):
    """What one wait brought."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Vault paths that may have changed."""
        ...

    @property
    def rescan(self) -> bool:
        """Events were lost: look at everything."""
        ...


class Watching(Protocol):
    """Where hints come from."""

    def wait(self, timeout: float) -> Hints:
        """Sleep until something changed, at most `timeout` seconds."""
        ...


def watch_loop(engine: Engine, watching: Watching, say: Callable[[str], None], *, until: Callable[[], bool]) -> None:
    """One pass now, then one after each hint that concerns memory, one when the heartbeat finds something due, and one
    every `reconcile_seconds`.
    """
    say(f"watching {engine.vault.root}; drop files into '{engine.settings.inbox}', stop with Ctrl-C")
    turns = _Turns(
        engine=engine, watching=watching, typing=_Typing(quiet=max(engine.settings.settle_seconds, _SAVE_SECONDS))
    )
    beat = last = 0.0
    while not until():
        now = engine.wall()
        if now < last:  # the clock was put back: what was due at a time is due now, or nothing happens until then
            beat = turns.due = turns.rested = 0.0
        last = now
        if now >= turns.next or (now >= beat and _beat(engine)):
            turns.begin()
            turns.end(now, _after(engine, _pass(engine, say, turns.is_awaited)))
        if now >= beat:
            beat = now + BEAT_SECONDS
        turns.listen(min(_LONGEST_WAIT, max(0.0, turns.next - engine.wall())))


@dataclass(slots=True, kw_only=True)
class _Turns:
    """When the next pass comes, by what is heard; all in seconds since the epoch."""

    engine: Engine
    watching: Watching
    typing: _Typing
    due: float = 0.0
    #: no pass before
    rested: float = 0.0
    #: until then the background work of a pass is not asked to end
    working: float = 0.0

    @property
    def next(self) -> float:
        """When the next pass is due."""
        return max(self.rested, min(self.due, self.typing.due))

    def begin(self) -> None:
        """A pass looks at all that was heard."""
        self.typing.over()
        self.due = math.inf
        self.working = self.engine.wall() + _LEAST_WORK

    def end(self, began: float, after: float) -> None:
        """The pass is over, and another is due so long `after` it began; what was heard meanwhile is not forgotten."""
        ended = self.engine.wall()
        self.due = min(self.due, began + after)
        self.rested = ended + min(_LONGEST_REST, _REST * max(0.0, ended - began))

    def listen(self, timeout: float) -> None:
        """Wait so long at most; the words of a note that was saved are found at once."""
        hints = self.watching.wait(timeout)
        if hints.rescan or any(_concerns(self.engine, path) for path in hints.paths):
            self.due = 0.0
        elif hints.paths and _is_theirs(self.engine, hints.paths):
            self.typing.heard(self.engine.wall())
            _glance(self.engine, hints.paths)

    def is_awaited(self) -> bool:
        """Listen while a pass does its background work: whether that should end, for another pass has more to do."""
        self.listen(0.0)
        now = self.engine.wall()
        return now >= max(self.working, min(self.due, self.typing.due))


@dataclass(slots=True, kw_only=True)
class _Typing:
    """The user's own notes are saved every other second while they write: that is one change, when they pause. Their
    words are found at once all the same (`glance`).
    """

    #: seconds without a save
    quiet: float
    #: when the first save was heard that no pass has seen; None: none
    since: float | None = None
    due: float = math.inf

    def heard(self, now: float) -> None:
        """A note was saved."""
        self.since = now if self.since is None else min(self.since, now)
        self.due = min(now + self.quiet, self.since + _LONGEST_TYPING)

    def over(self) -> None:
        """A pass looks at everything."""
        self.since, self.due = None, math.inf


def _pass(engine: Engine, say: Callable[[str], None], awaited: Callable[[], bool]) -> SyncReport | None:
    """One pass; trouble is said and the watch goes on."""
    try:
        report = sync(engine, patience=0.0, live=True, awaited=awaited)
    except (VaultmemError, OSError) as problem:
        say(f"vaultmem: {problem}")
        return None
    for row in report.files:
        if row.outcome in ("imported", "failed"):
            say(f"{row.outcome}: {row.file}" + (f" ({row.reason})" if row.reason else f" ({row.chunks} new)"))
    return report


def _glance(engine: Engine, paths: Sequence[str]) -> None:
    """A look that fails costs nothing: the pass after the pause says why."""
    with suppress(VaultmemError, OSError):
        glance(engine, paths)


def _beat(engine: Engine) -> bool:
    """Whether the heartbeat finds anything due. With an index that fails, a pass says why."""
    try:
        return is_due(engine)
    except VaultmemError:
        return True


def _after(engine: Engine, report: SyncReport | None) -> float:
    """Seconds to the next pass: soon when a file was still being written, or a note was left for later."""
    waits = [engine.settings.reconcile_seconds]
    if report is not None and any(row.reason == STILL_WRITTEN for row in report.files):
        waits = [engine.settings.settle_seconds]
    if report is not None and (report.later or report.reconciled.held_back.startswith(GIT_AT_WORK)):
        waits.append(_QUIET_SECONDS)
    waits += _edited(engine)
    return min(waits)


def _edited(engine: Engine) -> list[float]:
    """Seconds until the note that a person was at work in may be looked at again; none where none waits."""
    try:
        wakes = engine.index.queue.next_ms(_EDITED)
    except VaultmemError:  # the next pass says why
        return []
    return [] if wakes is None else [max(_QUIET_SECONDS, wakes / 1000 - engine.wall())]


def _is_theirs(engine: Engine, paths: Sequence[str]) -> bool:
    """Whether one of these is a note in place, or what a sync program leaves where one was."""
    chosen = selection(settings_in_force(engine.vault, engine.settings))
    return any(chosen.takes(path) for path in paths)


def _concerns(engine: Engine, path: str) -> bool:
    """Hints about the user's own notes wait: those in place for a pause, others for the next regular pass, but for
    those that stand for an entity.
    """
    if path.startswith(f"{engine.settings.inbox}/") or path.split("/", maxsplit=1)[0] in OWN_FOLDERS:
        return True
    if _is_theirs(engine, [path]):
        return False
    return any(path == note.entity.note_path for note in engine.index.registry())
