"""FACET: which sentences a summary keeps. Feature-weighted coverage, chosen greedily; no model, no randomness.

select(units, budget=budget, frequencies=frequencies)  -> the kept units, in time order

The gain of a sentence falls with every kept sentence that speaks of the same concepts, and with every one from the same
chunk, so what is kept is specific and spread over time. Gains only ever fall, so the lazy heap finds what a full search
in each round would find. The same units and frequencies give the same selection on every machine.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vaultmem.core.grow.concepts import WEIGHTS
from vaultmem.core.grow.cues import cue_factor
from vaultmem.core.grow.repeats import without_repeats
from vaultmem.core.grow.units import Unit

#: What is left of a concept's weight each time a sentence with it is kept.
_RHO = 0.25
#: Weight of being spread over chunks.
_LAMBDA = 0.6
#: How much short sentences are favoured: gain / cost ** r.
_R = 0.8
#: Tokens a reference counts for when sentences are compared: without it short ones would always win.
REFERENCE = 5
#: Share of the budget kept for units that must not be lost.
_RESERVE = 0.25
#: A section's first sentence says what it is about (documents only).
_LEAD = 1.3

_SHARE = 0.15
_LEAST = 256
MAX_TOKENS = 5000
#: Lines that must find room beside a summary's title, headings and steps before those count against its length.
_ROOMY = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How long a summary may be, in tokens."""

    #: the sentences alone: links stand outside it
    prose: int
    #: the sentences, each with its written-out link
    body: int
    #: what a written-out link takes
    link: int = REFERENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Frequencies:
    """In how many sentences each concept stands: what makes a concept rare. Counted over a tree's leaves so far."""

    sentences: int
    holders: Mapping[str, int]


def budget_of(prose: int, body: int, link: int, frame: int) -> Budget:
    """The budget of a summary over sentences of `prose` tokens that stand in bodies of `body` tokens. `link`: see
    `Budget`; `frame`: what a summary's body has beside its sentences.

    A summary is at most half as long as what it sums up, whether links are counted or not.
    """
    wanted = max(round(_SHARE * prose), _LEAST)
    return Budget(prose=min(wanted, MAX_TOKENS, prose // 2), body=room(body, link, frame) or body // 2, link=link)


def room(body: int, link: int, frame: int) -> int:
    """Tokens for linked sentences, so that the whole body of a summary is at most half as long as those below it; 0
    where that would leave next to nothing to be said.
    """
    left = body // 2 - frame
    return left if left >= _ROOMY * link else 0


def frequencies(units: Iterable[Unit]) -> Frequencies:
    """Count the concepts of these units."""
    found = list(units)
    holders = Counter(concept for unit in found for concept in unit.concepts)
    return Frequencies(sentences=len(found), holders=holders)


def select(units: Sequence[Unit], *, budget: Budget, frequencies: Frequencies) -> tuple[Unit, ...]:
    """The units to keep, in time order."""
    pool = distinct(units)
    must = Turn(units=[unit for unit in pool if unit.must], tokens=int(budget.prose * _RESERVE))
    return select_in_turns(pool, [must, Turn(units=pool, tokens=budget.prose)], budget=budget, frequencies=frequencies)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Some of the units, chosen from before others are."""

    units: Sequence[Unit]
    #: tokens of sentences that this turn may spend
    tokens: int
    #: units it may keep; None: as many as fit
    most: int | None = None


def distinct(units: Iterable[Unit]) -> list[Unit]:
    """The units in time order; of near-duplicates one."""
    return without_repeats(sorted(units, key=lambda unit: unit.order))


def select_in_turns(
    pool: Sequence[Unit], turns: Sequence[Turn], *, budget: Budget, frequencies: Frequencies
) -> tuple[Unit, ...]:
    """The units of the pool that the turns keep, one after the other, in time order. `pool`: see `distinct`.

    What an earlier turn kept counts against a later one: its words are known, its tokens spent.
    """
    if not pool:
        return ()
    selection = _Selection(_weighed(pool, frequencies), budget)
    places = {unit: index for index, unit in enumerate(pool)}
    for turn in turns:
        selection.fill([places[unit] for unit in turn.units if unit in places], turn.tokens, turn.most)
    return tuple(pool[index] for index in sorted(selection.kept))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighed:
    """A unit with all that its gain needs."""

    unit: Unit
    weights: Mapping[str, float]
    #: sum of the weights
    mass: float
    cue: float


def _weighed(pool: Sequence[Unit], frequencies: Frequencies) -> list[_Weighed]:
    rarity: dict[str, float] = {}
    found = []
    for unit in pool:
        weights: dict[str, float] = {}
        for concept in unit.concepts:
            if concept not in rarity:
                rarity[concept] = WEIGHTS[concept[0]] * _rarity(frequencies, concept)
            weights[concept] = rarity[concept]
        cue = cue_factor(unit.text, unit.language, weights) * (_LEAD if unit.lead else 1.0)
        found.append(_Weighed(unit=unit, weights=weights, mass=sum(weights.values()), cue=cue))
    return found


#: Fourth roots of 2, written out: powers differ in the last bit between C libraries.
_ROOTS = (1.0, 1.189207115002721, 1.4142135623730951, 1.681792830507429)


def _rarity(frequencies: Frequencies, concept: str) -> float:
    """Inverse sentence frequency in steps of 2 ** 1/4, so that a few more sentences do not change a summary."""
    holders = min(frequencies.holders.get(concept, 0), frequencies.sentences)
    step = round(4 * math.log2(math.log((1 + frequencies.sentences) / (1 + holders)) + 1))
    return float(2 ** (step // 4) * _ROOTS[step % 4])


class _Selection:
    """The greedy state: what is kept, what is left of each concept's weight, how much was taken from each chunk."""

    def __init__(self, pool: Sequence[_Weighed], budget: Budget) -> None:
        self.kept: dict[int, None] = {}
        self._pool = pool
        self._budget = budget
        self._prose = self._body = 0
        self._left: dict[str, float] = {}
        self._taken: dict[str, float] = {}
        self._mean = sum(item.mass for item in pool) / len(pool) or 1.0

    def fill(self, candidates: Sequence[int], tokens: int, most: int | None) -> None:
        """Keep the best of the candidates until so many more tokens are spent. Ties go to the earlier unit."""
        prose = min(self._prose + tokens, self._budget.prose)
        full = len(self._pool) if most is None else len(self.kept) + most
        heap = [(-self._worth(index), index, len(self.kept)) for index in candidates if index not in self.kept]
        heapq.heapify(heap)
        while heap and len(self.kept) < full:
            _, index, seen = heapq.heappop(heap)
            cost = self._pool[index].unit.tokens
            if self._prose + cost > prose or self._body + cost + self._budget.link > self._budget.body:
                continue
            if seen == len(self.kept):
                self._keep(index)
            else:
                heapq.heappush(heap, (-self._worth(index), index, len(self.kept)))

    def _worth(self, index: int) -> float:
        item = self._pool[index]
        fresh = sum(weight * self._left.get(concept, 1.0) for concept, weight in item.weights.items())
        before = self._taken.get(item.unit.chunk_id, 0.0)
        spread = math.sqrt(before + item.cue * item.mass / self._mean) - math.sqrt(before)
        gain = item.cue * fresh + _LAMBDA * self._mean * spread
        return float(gain / (item.unit.tokens + REFERENCE) ** _R)

    def _keep(self, index: int) -> None:
        item = self._pool[index]
        self.kept[index] = None
        self._prose += item.unit.tokens
        self._body += item.unit.tokens + self._budget.link
        for concept in item.weights:
            self._left[concept] = self._left.get(concept, 1.0) * _RHO
        chunk = item.unit.chunk_id
        self._taken[chunk] = self._taken.get(chunk, 0.0) + item.cue * item.mass / self._mean
