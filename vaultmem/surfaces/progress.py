"""What is being done, for a person who waits at a terminal: one line on stderr that changes. Pipes see nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from vaultmem.surfaces.command import note

if TYPE_CHECKING:
    from rich.status import Status
    from rich.text import Text

_STOPPED = "stopped; nothing is lost, the next 'vaultmem sync' goes on from here"


@contextmanager
def long_work() -> Iterator[Callable[[str], None]]:
    """Around work that may take long: gives what to tell its progress. Ctrl-C is answered with one line."""
    line = _Line() if sys.stderr.isatty() else None
    try:
        yield line.show if line else _ignore
    except KeyboardInterrupt:
        if line:
            line.clear()
        note(_STOPPED)
        raise
    finally:
        if line:
            line.clear()


def _ignore(text: str) -> None:
    """Nobody looks."""


class _Line:
    """The last line of a terminal, from the first thing that is shown to `clear`. For several threads."""

    def __init__(self) -> None:
        self._status: Status | None = None
        self._lock = Lock()
        self._over = False

    def show(self, text: str) -> None:
        """Replace what stands there; rich is loaded when there is something to show."""
        with self._lock:
            if self._over:
                return  # a thread that was left behind by Ctrl-C
            if self._status is None:
                from rich.console import Console

                self._status = Console(stderr=True).status(_plain(text))
                self._status.start()
            else:
                self._status.update(_plain(text))

    def clear(self) -> None:
        """Leave the terminal as it was."""
        with self._lock:
            self._over = True
            if self._status is not None:
                self._status.stop()
                self._status = None


def _plain(text: str) -> Text:
    """One line; a file's name is neither markup nor a command to the terminal."""
    from rich.text import Text

    shown = "".join(char if char.isprintable() else "?" for char in text)
    return Text(shown, no_wrap=True, overflow="ellipsis")
