"""Who stands beside whom: hubs do not win, ways are the shortest and the strongest, whatever order edges come in."""

from __future__ import annotations

import random
from collections import deque
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.recall.graph import Edge, reach, strength, ways
from vaultmem.core.recall.weights import WEIGHTS

Shared = dict[tuple[str, str], int]


class Town:
    """A graph of few people."""

    def __init__(self, shared: Shared) -> None:
        self.near: dict[str, list[Edge]] = {}
        for (one, other), weight in shared.items():
            for here, there in ((one, other), (other, one)):
                self.near.setdefault(here, []).append(Edge(entity_id=there, weight=weight, strength=float(weight)))

    def edges(self, entity_id: str) -> list[Edge]:
        return sorted(self.near.get(entity_id, []), key=lambda e: (-e.strength, e.entity_id))


def distance(shared: Shared, one: str, other: str) -> int | None:
    near: dict[str, set[str]] = {}
    for a, b in shared:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    waiting, seen = deque([(one, 0)]), {one}
    while waiting:
        here, steps = waiting.popleft()
        if here == other:
            return steps
        fresh = near.get(here, set()) - seen
        seen |= fresh
        waiting.extend((there, steps + 1) for there in sorted(fresh))
    return None


def test_who_stands_everywhere_is_near_nobody() -> None:
    assert strength(10, 1000, 1000) == 0.0
    assert strength(3, 4, 1000) > strength(10, 900, 1000)
    assert strength(4, 50, 1000) > strength(2, 50, 1000)
    assert strength(1, 1, 1) == 0.0


pairs = st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")).filter(lambda p: p[0] < p[1])


@given(st.dictionaries(pairs, st.integers(1, 9), max_size=14), st.integers(1, 4), st.randoms(use_true_random=False))
def test_ways_are_as_short_as_any(shared: Shared, hops: int, chance: random.Random) -> None:
    items = list(shared.items())
    chance.shuffle(items)
    town = Town(dict(items))
    found = ways("a", "h", town.edges, hops=hops)
    wanted = distance(shared, "a", "h")
    if wanted is None or wanted > hops:
        assert not found
    else:
        assert {len(way) - 1 for way in found} == {wanted}
        assert len(found) == len(set(found)) <= WEIGHTS.walk_ways
    assert found == ways("a", "h", Town(shared).edges, hops=hops)
    for way in found:
        assert all(tuple(sorted(step)) in shared for step in pairwise(way))


@given(st.dictionaries(pairs, st.integers(1, 9), max_size=14), st.integers(1, 4))
def test_hops_are_the_least_there_are(shared: Shared, hops: int) -> None:
    found = reach("a", Town(shared).edges, hops=hops, most=50)
    for name in "abcdefgh":
        steps = distance(shared, "a", name)
        assert found.get(name, (None, None))[0] == (steps if steps is not None and steps <= hops else None)
    assert len(reach("a", Town(shared).edges, hops=hops, most=3)) <= 3


def test_whoever_finds_no_room_is_not_looked_at() -> None:
    town = Town({("a", other): 9 for other in "bcde"} | {("b", "z"): 8})
    asked: list[str] = []

    def edges(entity_id: str) -> list[Edge]:
        asked.append(entity_id)
        return town.edges(entity_id)

    assert sorted(reach("a", edges, hops=2, most=5)) == ["a", "b", "c", "d", "e"]
    assert asked == ["a"]


def test_the_strongest_bridge_comes_first() -> None:
    town = Town({("a", "b"): 9, ("b", "z"): 8, ("a", "c"): 3, ("c", "z"): 9})
    assert ways("a", "z", town.edges, hops=2) == [("a", "b", "z"), ("a", "c", "z")]
    assert ways("a", "z", town.edges, hops=1) == []
