"""When nothing that was found is an answer: an agent is told so, and need not read noise.

Calibrated on LoCoMo's public half by `tests/bench/silence.py`: questions asked of the conversation they are about, and
of another one, where nothing answers them. It prints too what a threshold set on two conversations does on the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.core.recall.rank import Ranked
from vaultmem.core.recall.weights import WEIGHTS, Weights

#: The model whose cosines the threshold was set on; another one's lie elsewhere, and words decide alone.
CALIBRATED = "all-MiniLM-L6-v2-int8/"


def is_silent(ranked: Sequence[Ranked], *, by_meaning: bool, weights: Weights = WEIGHTS) -> bool:
    """Whether the best passages are too far from the question to answer it. `by_meaning`: cosines are `CALIBRATED`."""
    looked_at = ranked[: weights.silent_looked_at]
    held = max((item.row.held for item in looked_at), default=0.0)
    cosine = max((item.row.cosine or 0.0 for item in looked_at), default=0.0) if by_meaning else 0.0
    least = weights.silent_together if by_meaning else weights.silent_held
    timed = any(item.parts.get("time", 0.0) >= weights.silent_timed for item in looked_at)
    return not looked_at or held + weights.silent_cosine * cosine < (least / 2 if timed else least)
