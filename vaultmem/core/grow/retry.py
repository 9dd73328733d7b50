"""When a job that did not come to its end is looked at again. Pure: the caller writes it down."""

from __future__ import annotations

#: After so many failed attempts a job is laid aside.
MAX_ATTEMPTS = 5
#: So often may a job's process die under it. Far above the attempts: a process is killed for many reasons that are not
#: the job's, while a job that kills every process it runs in must come to an end some day.
MAX_LOSSES = 20
#: A deferred job rests at least so long, or a drain would turn in a circle with it.
SHORTEST_REST_MS = 1_000

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
    return max(asked_ms, now_ms + SHORTEST_REST_MS)
