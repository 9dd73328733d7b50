"""An endpoint that fails is left alone for a while, so that a long import does not wait for it at every step."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

#: Failures in a row after which it is left alone.
FAILURES = 3
#: Seconds of the first pause; each pause after a failed trial is twice as long.
PAUSE = 30.0
LONGEST = 600.0


class Breaker:
    """Counts failures in a row. After a pause one question is let through as a trial. For several threads."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._failures = 0
        self._pause = PAUSE
        self._until = 0.0
        self._cause = ""

    def refusal(self) -> str:
        """Why nothing may be asked now; "" when it may."""
        with self._lock:
            if self._failures < FAILURES:
                return ""
            now = self._clock()
            if now >= self._until:
                self._until = now + self._pause  # whoever asks now is the trial; the others wait for its end
                return ""
            return self._cause

    def succeeded(self) -> None:
        """It answered."""
        with self._lock:
            self._failures, self._pause = 0, PAUSE

    def failed(self, cause: str, *, for_good: bool = False, pause: float = 0.0) -> None:
        """It did not. `for_good`: asking again would end the same; `pause`: seconds it asks to be left alone."""
        with self._lock:
            was_trial = self._failures >= FAILURES
            self._failures = FAILURES if for_good or pause else self._failures + 1
            self._cause = cause
            if was_trial:
                self._pause = min(2 * self._pause, LONGEST)
            if self._failures >= FAILURES:
                self._until = max(self._until, self._clock() + max(pause, LONGEST if for_good else self._pause))
