"""What stands between two entities: passages both walks come by, the same whatever order they are given in, quickly."""

from __future__ import annotations

import random
import time

import pytest

from tests.core.test_rank import row
from vaultmem.answers import PassageRow
from vaultmem.core.recall.bridges import bridging
from vaultmem.core.recall.rank import Question, rank
from vaultmem.core.recall.weights import WEIGHTS

ASKED = ("a", "c")


def naming(text: str, *names: str, rare: float = 3.0, **changes: object) -> PassageRow:
    pairs = tuple((name, rare) for name in sorted(names))
    return row(text, **{"chunk_id": text, "names": pairs, **changes})


def shares(rows: list[PassageRow], asked: tuple[str, ...] = ASKED) -> dict[str, float]:
    return dict(zip([each.text for each in rows], bridging(rows, asked, WEIGHTS), strict=True))


TOWN = [
    naming("ab", "a", "b"), naming("bc", "b", "c"), naming("a1", "a"), naming("a2", "a", "x"), naming("c1", "c"),
    naming("c2", "c", "y"), naming("b", "b"), naming("far", "z"), naming("nobody"),
]  # fmt: skip


def test_both_halves_of_a_way_come_first() -> None:
    found = shares(TOWN)
    assert found["ab"] == found["bc"] == 1
    assert max(found[text] for text in ("a1", "a2", "b", "c1", "c2")) < 0.5
    assert found["far"] == found["nobody"] == 0


def test_no_way_no_part() -> None:
    assert set(shares([naming("a", "a"), naming("c", "c")]).values()) == {0.0}
    assert set(shares(TOWN, ("a",)).values()) == {0.0}
    assert set(shares(TOWN, ("a", "nobody known")).values()) == {0.0}
    assert bridging([], ASKED, WEIGHTS) == ()


def test_a_neighbour_in_the_text_is_a_way_too() -> None:
    names = [("a",), (), ("c",)]
    talk = [naming(f"{n}", *own, chunk_id="talk", ordinal=n) for n, own in enumerate(names)]
    found = shares([*talk, naming("else", "a")])
    assert min(found[text] for text in "012") > found["else"]


def test_of_three_any_two_count() -> None:
    found = shares([*TOWN, naming("d", "d")], ("a", "c", "d"))
    assert found["ab"] == found["bc"] == 1


def test_the_same_bits_in_any_order() -> None:
    chance = random.Random(7)
    rows = [naming(f"p{n}", *chance.sample([*"abcdefgh"], 2), rare=chance.uniform(0.1, 9)) for n in range(60)]
    first = shares(rows, ("a", "b", "c"))
    for seed in range(5):
        assert shares(random.Random(seed).sample(rows, len(rows)), ("a", "b", "c")) == first


def test_200_candidates_cost_less_than_2_ms() -> None:
    chance = random.Random(1)
    everybody = [f"e{n}" for n in range(150)]
    rows = [
        naming(f"p{n:03}", *chance.sample(everybody, 3), chunk_id=f"{n // 5:03}", ordinal=n % 5) for n in range(200)
    ]
    best = 9.0
    for _ in range(20):
        before = time.process_time()
        bridging(rows, ("e1", "e2"), WEIGHTS)
        best = min(best, time.process_time() - before)
    assert best < 0.002


def test_the_part_lifts_and_sums_up() -> None:
    rows = [naming("a1", "a", own=0.6), naming("ab", "a", "b", own=0.5), naming("bc", "b", "c", own=0.5)]
    ranked = rank(rows, Question(text="q", entities=ASKED))
    assert {each.row.text for each in ranked[:2]} == {"ab", "bc"}
    assert ranked[0].parts["ppr"] == WEIGHTS.ppr
    assert all(each.score == pytest.approx(sum(each.parts.values())) for each in ranked)
    assert "ppr" not in rank([row("a")], Question(text="q", entities=ASKED))[0].parts
