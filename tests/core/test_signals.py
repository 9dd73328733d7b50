"""Each signal's ramp, as DESIGN §4 gives it."""

from __future__ import annotations

import pytest

from vaultmem.core.ingest.signals import WEIGHTS, density, interaction, length, measure, variety, weighted_mean


@pytest.mark.parametrize(
    ("tokens", "value"),
    [(0, 0), (9, 0), (10, 0), (20, 0.5), (30, 1), (3000, 1), (5500, 0.75), (8000, 0.5), (10**6, 0.5)],
)
def test_length(tokens: int, value: float) -> None:
    assert length(tokens) == pytest.approx(value)


def test_variety() -> None:
    assert variety(["one two three four"]) == 0.5
    assert variety(["one two three four five"]) == 1.0
    assert variety(["no " * 20]) == 0.0
    assert variety(["a b a b a b a b c d"]) == pytest.approx(0.25)
    assert variety(["明天下午三点在五楼开会"]) == 1.0
    assert variety([]) == 0.5


def test_every_cue_raises_interaction() -> None:
    assert interaction(()) == 0.5
    known: set[str] = set()
    for cue in ("mention", "dm", "reply", "sent"):
        before = interaction(known)
        known.add(cue)
        assert interaction(known) > before
    assert interaction(known) <= 1


def test_density_is_full_at_one_entity_in_a_hundred_tokens() -> None:
    assert (density(1, 100), density(1, 200), density(5, 100), density(0, 9), density(3, 0)) == (1, 0.5, 1, 0, 0)


def test_the_mean_is_weighted_and_knows_no_llm() -> None:
    signals = measure(kind="chat", provider="slack", texts=["a b c d e"], token_count=200, mentions=(), cues=())
    assert set(signals) == set(WEIGHTS) - {"llm_importance"}
    assert weighted_mean(signals) == pytest.approx((1 + 1 + 0.75 + 0.75 + 1.5 + 0) / 9)
    by_source = {p: measure(kind="chat", provider=p, texts=[], token_count=1, mentions=(), cues=())["source_weight"]
                 for p in ("whatsapp", "telegram", "slack", "conversation")}  # fmt: skip
    assert by_source == {"whatsapp": 0.75, "telegram": 0.6, "slack": 0.5, "conversation": 0.9}
