"""A reranker's scores are an order: whatever they are, scores fall, parts sum up, and equals stay as they were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_rank import row
from vaultmem.core.recall.rank import Ranked
from vaultmem.core.recall.rerank import RERANKED, reranked

FINITE = st.floats(allow_nan=False, allow_infinity=False)


def ranking(scores: list[float]) -> list[Ranked]:
    found = sorted(scores, reverse=True)
    return [Ranked(row=row(str(at)), score=score, parts={"words": score}) for at, score in enumerate(found)]


def shown(items: tuple[Ranked, ...]) -> list[str]:
    return [item.row.text for item in items]


@given(st.lists(st.tuples(st.floats(-1, 3), st.one_of(FINITE, st.sampled_from([0.0, 1.0]))), max_size=40))
def test_any_scores_are_an_order(pairs: list[tuple[float, float]]) -> None:
    ranked = ranking([base for base, _ in pairs])
    scores = [score for _, score in pairs][:RERANKED]
    found = reranked(ranked, scores)
    expected = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
    assert shown(found) == [str(at) for at in [*expected, *range(len(scores), len(ranked))]]
    rounded = [round(item.score, 6) for item in found]
    assert rounded == sorted(rounded, reverse=True)
    for item in found:
        assert item.score == sum(item.parts.values())
    judged = found[: len(scores)]
    lifts = [item.parts["rerank"] for item in judged]
    assert lifts == sorted(lifts, reverse=True)
    assert all(lift >= 0 for lift in lifts)
    for one, other, a, b in zip(judged, judged[1:], expected, expected[1:], strict=False):
        assert (one.parts["rerank"] == other.parts["rerank"]) == (scores[a] == scores[b])
        assert scores[a] == scores[b] or round(one.score, 6) > round(other.score, 6)


def test_one_that_agrees_lifts_next_to_nothing() -> None:
    found = reranked(ranking([0.9, 0.5, 0.4]), [8.6, -3.5, -5.4])
    assert [round(item.score, 3) for item in found] == [0.902, 0.501, 0.4]


def test_one_that_disagrees_lifts_by_what_is_needed() -> None:
    found = reranked(ranking([0.9, 0.5, 0.4]), [0.1, 0.2, 0.3])
    assert shown(found) == ["2", "1", "0"]
    assert [round(item.parts["rerank"], 3) for item in found] == [0.502, 0.401, 0.0]
