"""The words of a text do not depend on who else cuts words at that moment."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from vaultmem.core.recall import words
from vaultmem.core.recall.words import index_words

TEXT = " ".join(f"{root}{ending}" for root in ("relation", "condition", "operat", "organiz") for ending in
                ("al", "ally", "ing", "ed", "ers", "izations", "alities", "ness"))  # fmt: skip


def test_workers_that_stem_at_once_agree() -> None:
    wanted = index_words(TEXT)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def again(_: int) -> list[str]:
        words._stem.cache_clear()
        words._KNOWN.clear()
        return index_words(TEXT)

    try:
        with ThreadPoolExecutor(max_workers=4) as pool:
            assert all(found == wanted for found in pool.map(again, range(60)))
    finally:
        sys.setswitchinterval(before)
