"""What changed in the vault, as hints: events where the system gives them, else a look every second.

Hints may be wrong in both directions, so they name paths and nothing more: whoever waits looks at the disk. What must
never happen is silence, hence `rescan`: events were lost, a folder went, or the watching itself was set up again.

The watchdog package is imported when watching starts, not before.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.store.names import key_of
from vaultmem.store.watchers import Ears, listen, poll
from vaultmem.store.written import Written, look

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent

#: Seconds without a further event before changes are handed out; an atomic save is several events.
DEBOUNCE_SECONDS = 0.5
#: A file written to without a pause is handed out after this many seconds all the same.
LONGEST_SECONDS = 5.0
#: Seconds between two looks in polling mode.
POLL_SECONDS = 1.0
#: Seconds between two checks that the watching threads live.
_PULSE_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What may have changed since the last call. Empty and False: nothing did."""

    #: vault paths, sorted; created, written, moved or gone
    paths: tuple[str, ...] = ()
    #: True: something was missed, look at the whole vault
    rescan: bool = False


class Watch:
    """Watches a vault from construction to `stop`. `wait` is called by one thread; nothing runs while all is quiet."""

    def __init__(
        self,
        root: Path,
        *,
        written: Written | None = None,
        mode: str = "events",
        notice: Callable[[str], None] = lambda _: None,
        debounce: float = DEBOUNCE_SECONDS,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        """Start at once. `written`: what we write ourselves and need not hear of. `notice` is told once, in one line,
        when events are not to be had and the vault is polled instead.
        """
        self._root = Path(os.path.realpath(root))
        self._written = written or Written()
        self._notice = notice
        self._debounce = debounce
        self._poll_seconds = poll_seconds
        self._changed: dict[str, Path] = {}
        self._rescan = False
        self._first = self._last = 0.0
        self._news = threading.Condition()
        self._trouble = ""
        self._stopped = False
        #: events | poll: what is in use; a system without events turns the one into the other
        self.mode = mode
        self._ears: Ears | None = None
        self._start()

    def wait(self, timeout: float) -> Changes:
        """Sleep until something changed and came to rest, at most `timeout` seconds; then what changed.

        After `stop`, or at the timeout with nothing new, an empty answer.
        """
        end = time.monotonic() + timeout
        while not self._stopped:
            # Without the lock: setting up again waits for threads that may be waiting for the lock.
            self._revive()
            with self._news:
                now = time.monotonic()
                if self._is_due(now):
                    changes = self._hand_out()
                    if changes.paths or changes.rescan:
                        return changes
                if now >= end:
                    break
                if not (self._trouble or self._stopped):
                    self._news.wait(self._pause(now, end))
        return Changes()

    def _hand_out(self) -> Changes:
        # Echoes are told apart here and not when they are heard: an event can overtake the vault's note of its write.
        paths = [path for path, raw in self._changed.items() if not self._written.is_echo(raw, look(raw))]
        changes = Changes(paths=tuple(sorted(paths)), rescan=self._rescan)
        self._changed.clear()
        self._rescan = False
        return changes

    def stop(self) -> None:
        """End the watching threads; a thread in `wait` returns. May be called twice."""
        with self._news:
            self._stopped = True
            self._news.notify_all()
            ears, self._ears = self._ears, None
        if ears is not None:
            ears.stop()

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # --- when to hand out ------------------------------------------------------------------------------------------

    def _is_due(self, now: float) -> bool:
        if not (self._changed or self._rescan):
            return False
        return now >= min(self._last + self._debounce, self._first + LONGEST_SECONDS)

    def _pause(self, now: float, end: float) -> float:
        due = min(self._last + self._debounce, self._first + LONGEST_SECONDS)
        until = min(end, due) if self._changed or self._rescan else end
        return max(0.0, min(until - now, _PULSE_SECONDS))

    # --- what is heard (called by the watching threads) --------------------------------------------------------------

    def _hear(self, event: FileSystemEvent) -> None:
        for raw, is_target in ((event.src_path, False), (event.dest_path, True)):
            where = Path(os.fsdecode(raw))
            path = self._vault_path(where) if raw else None
            if path is None:
                continue
            if event.is_directory:
                # What lay in a folder that was moved out is not named by any event.
                if event.event_type in {"deleted", "moved"} and not is_target:
                    self._add_rescan()
            # Polling knows files by inode: a new folder may seem to be a file moved there.
            elif not (is_target and where.is_dir()):
                self._add(path, where)

    def _vault_path(self, where: Path) -> str | None:
        """The vault path of an event; None for what is never ours to hear: dot-parts (our temporaries too)."""
        try:
            parts = where.relative_to(self._root).parts
        except ValueError:
            return None
        if any(part.startswith(".") for part in parts):
            return None
        return "/".join(key_of(part) for part in parts)

    def _add(self, path: str, where: Path) -> None:
        with self._news:
            self._stamp()
            self._changed[path] = where
            self._news.notify_all()

    def _add_rescan(self) -> None:
        with self._news:
            self._stamp()
            self._rescan = True
            self._news.notify_all()

    def _stamp(self) -> None:
        self._last = time.monotonic()
        if not (self._changed or self._rescan):
            self._first = self._last

    def _blind(self, cause: str) -> None:
        """Some folder cannot be watched: the threads go on, `wait` turns to polling."""
        with self._news:
            self._trouble = self._trouble or cause
            self._news.notify_all()

    # --- starting, and starting again ------------------------------------------------------------------------------

    def _start(self) -> None:
        if self.mode == "events":
            try:
                self._ears = listen(self._root, self._hear, overflowed=self._add_rescan, blind=self._blind)
            except (OSError, ImportError) as error:
                self._trouble = getattr(error, "strerror", None) or str(error)
            if not self._trouble:
                return
            self._turn_to_polling()
            return
        self._poll()

    def _turn_to_polling(self) -> None:
        cause, self._trouble = self._trouble, ""
        if self._ears is not None:
            self._ears.stop()
        self.mode = "poll"
        self._notice(f"file events are not to be had ({cause}): looking every {self._poll_seconds:g} s instead")
        self._poll()

    def _poll(self) -> None:
        try:
            self._ears = poll(self._root, self._hear, seconds=self._poll_seconds)
        except OSError:
            # The root is away (unmounted, renamed): `wait` tries again, and whoever waits finds out by looking.
            self._ears = None

    def _revive(self) -> None:
        """Called by `wait`: watching that has ended or gone partly blind is set up again, with a whole look."""
        if self._trouble:
            self._turn_to_polling()
        elif self._ears is None or not self._ears.is_alive():
            if self._ears is not None:
                self._ears.stop()
                self._ears = None
            elif not self._root.is_dir():
                return
            self._start()
        else:
            return
        self._add_rescan()
        if self._stopped and self._ears is not None:
            self._ears.stop()
