"""Remembers that an endpoint gave nothing, across processes: the next question does not find out again by waiting."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

from vaultmem.errors import VaultmemError

#: Seconds for which an endpoint that gave nothing is not asked a question.
REST = 30.0
#: …and at most, whatever it asks for.
_LONGEST_REST = 600.0


class EndpointState:
    """What is known of one endpoint, as a line of text that outlives the process."""

    def __init__(self, *, read: Callable[[], str], write: Callable[[str], None], wall: Callable[[], float]) -> None:
        self._read = read
        self._write = write
        self._wall = wall
        #: what could not be written down is known here at least
        self._own: tuple[str, float] | None = None

    @property
    def cause(self) -> str:
        """Why the endpoint gave nothing when it was last asked; "" when it did."""
        return self._known()[0]

    @property
    def is_resting(self) -> bool:
        """Whether it was asked in vain a moment ago; a clock that was set back shuts nobody out for ever."""
        left = self._known()[1] - self._wall()
        return 0 < left <= _LONGEST_REST

    def failed(self, cause: str, *, pause: float = 0.0) -> None:
        """It gave nothing; `pause`: seconds it asks to be left alone."""
        self._set(cause, self._wall() + min(max(REST, pause), _LONGEST_REST))

    def answered(self) -> None:
        """It answered."""
        if self._known() != ("", 0.0):
            self._set("", 0.0)

    def _known(self) -> tuple[str, float]:
        """(cause, until)."""
        if self._own is not None:
            return self._own
        try:
            fact = json.loads(self._read() or "{}")
            cause, until = str(fact.get("cause", "")), float(fact.get("until", 0.0))
        except (ValueError, TypeError, AttributeError, RecursionError):  # cut off or edited: as if nothing was known
            return "", 0.0
        return (cause, until) if math.isfinite(until) else ("", 0.0)

    def _set(self, cause: str, until: float) -> None:
        self._own = None
        try:
            self._write(json.dumps({"cause": cause, "until": until}))
        except VaultmemError:  # a full disk must not turn a question away
            self._own = (cause, until)
