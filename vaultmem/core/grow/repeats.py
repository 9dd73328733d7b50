"""Sentences that say the same again: of near-duplicates one is kept, the later where their numbers differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil

from vaultmem.core.grow.units import Unit

_SAME = 0.8
#: Units looked at for one stem: more share a stem by chance, and a text of one word must not cost a square.
_LOOK_BACK = 32


def without_repeats(units: Sequence[Unit]) -> list[Unit]:
    """The units (given in time order) without those whose stems another has, by Jaccard >= 0.8.

    Only the rarest stems of a unit are looked up: two sets that are so alike share one of them.
    """
    stems = [_stems(unit) for unit in units]
    holders = Counter(stem for own in stems for stem in own)
    kept: dict[int, None] = {}
    by_stem: dict[str, list[int]] = {}
    for index, own in enumerate(stems):
        rare = sorted(own, key=lambda stem: (holders[stem], stem))[: len(own) - ceil(_SAME * len(own)) + 1]
        twin = _twin(index, rare, stems, by_stem, kept)
        if twin is not None:
            if _numbers(units[twin]) == _numbers(units[index]):
                continue
            del kept[twin]
        kept[index] = None
        for stem in rare:
            by_stem.setdefault(stem, []).append(index)
    return [units[index] for index in sorted(kept)]


def _twin(
    index: int,
    rare: Sequence[str],
    stems: Sequence[frozenset[str]],
    by_stem: dict[str, list[int]],
    kept: dict[int, None],
) -> int | None:
    """The latest kept unit that says the same."""
    own = stems[index]
    near = {other for stem in rare for other in by_stem.get(stem, ())[-_LOOK_BACK:] if other in kept}
    for other in sorted(near, reverse=True):
        shared = len(own & stems[other])
        if shared >= _SAME * (len(own) + len(stems[other]) - shared):
            return other
    return None


def _stems(unit: Unit) -> frozenset[str]:
    return frozenset(concept for concept in unit.concepts if concept.startswith("w:"))


def _numbers(unit: Unit) -> list[str]:
    return [concept for concept in unit.concepts if concept.startswith(("n:", "d:", "o:"))]
