"""A model's judgement: JSON or nothing, names only as they stand in the text, and the signals keep their say."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.core.ingest.importance import decided, named_by_model, question, read_judgement
from vaultmem.core.notes.ids import body_sha256
from vaultmem.model import Chunk, Mention, Passage

BODY = "alice  Smith met Bob-Lee at 東京駅 about Straße 7.\nGreetings, annabel"
SIGNALS = {
    "token_count": 1.0, "unique_words": 1.0, "metadata_weight": 0.5, "source_weight": 0.75, "interaction": 0.5,
    "entity_density": 1.0,
}  # fmt: skip


def chunk(**changes: object) -> Chunk:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    found = Chunk(
        chunk_id="0" * 32, source_kind="chat", source_id="s", tree_scope="s", owner="", time_start=at, time_end=at,
        seq=0, position="0", token_count=40, body=BODY, source_ref="", original="private", title="T",
        status="pending", score=0.6, signals=SIGNALS, body_sha256=body_sha256(BODY),
    )  # fmt: skip
    return replace(found, **changes)  # type: ignore[arg-type]


def answer(*names: tuple[str, str], importance: object = 0.5) -> str:
    return json.dumps({"importance": importance, "entities": [{"name": n, "kind": k} for n, k in names]})


def test_names_count_as_they_stand_in_the_text() -> None:
    found = read_judgement(
        answer(
            ("Alice Smith", "person"), ("alice smith", "person"), ("bob-lee", "person"), ("東京駅", "location"),
            ("Ann", "person"), ("Zoe", "person"), ("Bob-Lee", "deity"), ("", "person"), ("strasse", "topic"),
        ),
        BODY,
    )  # fmt: skip
    assert found is not None
    assert found.entities == ("person:alice Smith", "person:Bob-Lee", "location:東京駅")
    assert found.invented == 4


@pytest.mark.parametrize(
    "text",
    [
        "", "Sure! 0.9", "null", "[]", "7", '{"entities": []}', '{"importance": "0.9"}', '{"importance": true}',
        '{"importance": NaN}', '{"importance": Infinity}', '{"importance": 0.9', '{"importance": 0.9} trailing',
        "Here it is:\n```json\n{\"importance\": 0.9}\n```", "[" * 100_000, '{"importance": ' + "9" * 5000 + "}",
    ],
)  # fmt: skip
def test_what_is_no_answer(text: str) -> None:
    assert read_judgement(text, BODY) is None


@pytest.mark.parametrize(
    ("text", "importance"),
    [
        ('{"importance": 7}', 1.0),
        ('{"importance": -1, "entities": null}', 0.0),
        ('```json\n{"importance": 0.25, "entities": [1, null, {"name": 3}]}\n```', 0.25),
        ('<think>hm, {"importance": 1}?</think>\n{"importance": 0}', 0.0),
    ],
)
def test_what_is_one(text: str, importance: float) -> None:
    found = read_judgement(text, BODY)
    assert found is not None
    assert found.importance == importance
    assert found.entities == ()


def test_importance_weighs_two_of_eleven_and_its_absence_nothing() -> None:
    cheap = decided(chunk(), None)
    assert cheap.status == "admitted"
    assert cheap.score == pytest.approx((1 + 1 + 0.75 + 1.125 + 1.5 + 1) / 9)
    assert cheap.llm_importance is None
    high = decided(chunk(), read_judgement(answer(importance=1), BODY))
    assert high.score == pytest.approx((cheap.score * 9 + 2) / 11)
    low = decided(chunk(signals={"token_count": 0.4, "interaction": 0.3}), read_judgement(answer(importance=0), BODY))
    assert (low.status, low.drop_reason) == ("dropped", "below_threshold")
    pinned = decided(replace(low, signals={**low.signals, "priority_high": 1.0}), None)
    assert (pinned.status, pinned.drop_reason) == ("admitted", "")
    saved = decided(replace(low, status="pending"), read_judgement(answer(importance=1), BODY))
    assert (saved.status, saved.llm_importance) == ("admitted", 1.0)


def test_what_a_model_named_is_a_mention_where_nothing_better_names_it() -> None:
    passages = [
        Passage(ordinal=0, text="alice smith and bob", first_line=0, last_line=0),
        Passage(ordinal=1, text="Nobody", first_line=2, last_line=2),
        Passage(ordinal=2, text="ALICE  SMITH", first_line=4, last_line=4),
    ]
    known = Mention(surface="bob", text="bob", kind="person", passage=0, origin="alias")
    found = named_by_model(["person:alice Smith", "person:bob", "deity:x", "person:", "nonsense"], passages, [known])
    assert [(m.passage, m.surface, m.text, m.origin) for m in found] == [
        (0, "alice smith", "alice smith", "model"),
        (2, "alice smith", "ALICE SMITH", "model"),
    ]


@settings(max_examples=200, deadline=None)
@given(st.text(), st.text())
def test_nothing_makes_it_raise(text: str, body: str) -> None:
    read_judgement(text, body)
    found = read_judgement(answer((text, "person"), (body[:20], "topic")), body)
    assert found is not None
    _, prompt = question(body)
    fence, *inside, last = prompt.split("\n")
    assert fence == last
    assert fence not in "\n".join(inside)
