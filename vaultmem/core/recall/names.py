"""Runs of a question's words that may be names, in the folded form of the registry."""

from __future__ import annotations

import re

from vaultmem.core.notes.ids import fold
from vaultmem.core.recall.stopwords import STOP_WORDS

#: A question has tens of words; each may start this many runs, and each run is one look-up.
_MAX_WORDS = 64
_MAX_RUN = 4
_EDGE = " \t\n.,;:!?\"'()[]{}<>«»“”„‘’¿¡…"
_POSSESSIVE = re.compile(r"['’]s$")


def name_candidates(text: str) -> tuple[str, ...]:
    """Distinct runs of one to four words, as written and without a possessive, longest first at each place."""
    words = [clean for word in fold(text[: _MAX_WORDS * 40]).split()[:_MAX_WORDS] if (clean := word.strip(_EDGE))]
    found: dict[str, None] = {}
    for start in range(len(words)):
        for length in range(min(_MAX_RUN, len(words) - start), 0, -1):
            run = " ".join(words[start : start + length])
            for name in (run, _POSSESSIVE.sub("", run)):
                if name not in STOP_WORDS:
                    found[name.lstrip("@#")] = None
    return tuple(found)
