"""The cover of a window: the fewest nodes, no leak, nobody starved; against an exact program on random forests."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.forests import Grove, grow
from vaultmem.core.recall.cover import fair_choice, minimal_cover
from vaultmem.forest import Asked, Branch


def exact(grove: Grove, asked: Asked) -> int:
    """The least number of feasible nodes whose leaves are just those asked for: every choice is weighed."""
    wanted = {leaf.node_id for leaf in grove.live() if asked.holds(leaf)}

    def least(node_id: str) -> int | None:
        """None: what is asked for below this node cannot be had from nodes below it."""
        below = grove.below_of(node_id)
        mine = [leaf for leaf in grove.live_below(node_id) if leaf.node_id in wanted]
        if not mine:
            return 0
        own = 1 if grove.may_stand(node_id, wanted) else None
        parts = [least(child) for child in below]
        split = None if not below or None in parts else sum(part or 0 for part in parts)
        found = [each for each in (own, split) if each is not None]
        return min(found) if found else None

    parts = [least(root.node_id) for root in grove.roots()]
    assert None not in parts, "a leaf alone always stands for itself"
    return sum(part or 0 for part in parts)


def check(seed: int) -> None:
    chance = random.Random(seed)
    grove = grow(chance)
    for asked in grove.questions(chance):
        found = minimal_cover(grove.roots(), grove.below, asked)
        covered = [leaf.node_id for branch in found for leaf in grove.live_below(branch.node_id)]
        assert sorted(covered) == sorted(leaf.node_id for leaf in grove.live() if asked.holds(leaf)), seed
        assert len(found) == exact(grove, asked), seed
        assert not any(grove.is_stale(branch.node_id) for branch in found), seed


@pytest.mark.parametrize("first", range(0, 100, 10))
def test_the_cover_is_as_small_as_any_can_be(first: int) -> None:
    for seed in range(first, first + 10):
        check(seed)


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(100, 500, 50))
def test_the_cover_of_many_more_forests_is_as_small_as_any_can_be(first: int) -> None:
    for seed in range(first, first + 50):
        check(seed)


def leaf(number: int, scope: str, at: int, tokens: int = 100) -> Branch:
    return Branch(f"{scope}-{number}", 0, scope, at, at, at, scope, scope, "chat", "chat", tokens, 1, True)


def fifty() -> list[Branch]:
    """Fifty sources; those late in the alphabet are the newest, the first has most of the text."""
    return [
        leaf(number, f"s{source:02}", source * 100 + number, 5000 if source == 0 else 100)
        for source in range(50)
        for number in range(40 if source == 0 else 1 + source % 4)
    ]


def test_no_source_shows_a_second_node_before_every_other_showed_one() -> None:
    cover = fifty()
    for limit in range(1, len(cover) + 3):
        chosen, omitted = fair_choice(cover, limit)
        counts = {f"s{n:02}": 0 for n in range(50)}
        for branch in chosen:
            counts[branch.scope] += 1
        assert len(chosen) == min(limit, len(cover))
        assert len(chosen) + sum(omitted.values()) == len(cover)
        if limit < 50:
            assert max(counts.values()) == 1
            assert counts[f"s{49}"] == 1, "the newest is heard first"
        else:
            assert min(counts.values()) == 1
        assert [(b.first_us, b.node_id) for b in chosen] == sorted((b.first_us, b.node_id) for b in chosen)


def test_the_choice_does_not_depend_on_the_order_of_what_was_found() -> None:
    cover = fifty()
    for seed in range(5):
        shuffled: Sequence[Branch] = random.Random(seed).sample(cover, len(cover))
        assert fair_choice(shuffled, 60) == fair_choice(cover, 60)


def test_more_text_gets_more_places_but_not_as_many_times_more() -> None:
    cover = [leaf(n, "loud", n, 1600) for n in range(50)] + [leaf(n, "quiet", n, 100) for n in range(50)]
    chosen, _ = fair_choice(cover, 20)
    assert 14 <= sum(branch.scope == "loud" for branch in chosen) <= 17
