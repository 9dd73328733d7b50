"""When nothing that was found is an answer: an agent is told so, and need not read noise.

Calibrated on LoCoMo's public half by `tests/bench/silence.py`: questions asked of the conversation they are about, and
of another one, where nothing answers them. It prints too what a threshold set on two conversations does on the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.core.recall.rank import Ranked

#: The model whose cosines the threshold was set on; another one's lie elsewhere, and words decide alone.
CALIBRATED = "all-MiniLM-L6-v2-int8/"
#: Passages looked at: an answer that stands lower is not read.
LOOKED_AT = 10
#: Below this share of the question's words (by rarity), and without vectors, nothing answers.
LEAST_HELD = 0.26
#: What the best cosine (softened by its neighbours') weighs beside that share, and the least of the two together.
COSINE = 0.7
LEAST_TOGETHER = 0.82
#: A passage whose time part reaches this lies where the question points: half of the words are enough.
TIMED = 0.25


def is_silent(ranked: Sequence[Ranked], *, by_meaning: bool) -> bool:
    """Whether the best passages are too far from the question to answer it. `by_meaning`: cosines are `CALIBRATED`."""
    looked_at = ranked[:LOOKED_AT]
    held = max((item.row.held for item in looked_at), default=0.0)
    cosine = max((item.row.cosine or 0.0 for item in looked_at), default=0.0) if by_meaning else 0.0
    least = LEAST_TOGETHER if by_meaning else LEAST_HELD
    timed = any(item.parts.get("time", 0.0) >= TIMED for item in looked_at)
    return not looked_at or held + COSINE * cosine < (least / 2 if timed else least)
