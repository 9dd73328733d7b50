"""How random a run of characters looks: measures without context."""

from __future__ import annotations

import math
import re
from collections import Counter

_FILLERS = re.compile(r"example|placeholder|your|x{6}|\.\.\.|0{12}|1234567890abcdef", re.IGNORECASE)


def entropy(run: str) -> float:
    """Shannon entropy in bits per character of the run itself."""
    size = len(run)
    return -sum(n / size * math.log2(n / size) for n in Counter(run).values()) if run else 0.0


def has_mixed_case_and_digit(run: str) -> bool:
    """Digits, capitals and small letters are all there."""
    return any(c.isdigit() for c in run) and any(c.islower() for c in run) and any(c.isupper() for c in run)


def is_filler(body: str) -> bool:
    """A documentation's dummy: `xxxxxxxx`, `00000000`: hardly any different characters."""
    return len(set(body)) <= 3
