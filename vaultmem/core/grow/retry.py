"""When a job that did not come to its end is looked at again. Pure: the caller writes it down."""

from __future__ import annotations

#: After so many failed attempts a job is laid aside.
MAX_ATTEMPTS = 5
#: So often in a row may a job's process die under it. A process is killed for many reasons that are not the job's, so
#: a lost job runs again last and alone: then only its own deaths are counted, and the bound can be near.
MAX_LOSSES = 8
#: So often in a row a job may be put off for the same reason; then that reason has become its failure.
MAX_DEFERS = 50
#: A deferred job rests at least so long, or a drain would turn in a circle with it.
SHORTEST_REST_MS = 1_000
#: And at most so long: what lies further ahead was written by a clock that was wrong.
LONGEST_REST_MS = 86_400_000

_FIRST_DELAY_MS = 60_000
#: The longest time between two attempts.
LONGEST_DELAY_MS = 3_600_000


def retry_delay_ms(attempts: int) -> int | None:
    """Milliseconds until the next attempt after `attempts` (from 1) have failed; None: no other attempt."""
    if attempts >= MAX_ATTEMPTS:
        return None
    return min(LONGEST_DELAY_MS, _FIRST_DELAY_MS << (attempts - 1))


def deferred_until_ms(asked_ms: int, now_ms: int) -> int:
    """Epoch ms at which a deferred job is ready again."""
    return min(max(asked_ms, now_ms + SHORTEST_REST_MS), now_ms + LONGEST_REST_MS)
