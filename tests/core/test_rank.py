"""The formula and its order: parts sum up, ties are settled by time and place, one named speaker, no repeats."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.answers import PassageRow
from vaultmem.core.recall.names import name_candidates
from vaultmem.core.recall.rank import Question, rank
from vaultmem.core.recall.refind import refind
from vaultmem.core.recall.times import Span
from vaultmem.core.recall.weights import WEIGHTS
from vaultmem.core.recall.words import MAX_QUERY_WORDS, MAX_WORD, index_words, query_words
from vaultmem.model import Passage

DAY = 86_400_000


def row(text: str, **changes: object) -> PassageRow:
    values: dict[str, object] = {
        "chunk_id": "c", "ordinal": 0, "text": text, "author": "", "time_ms": 0, "block": "",
        "heading": "", "first_line": 0, "last_line": 0, "note_path": "n.md", "body_line": 1, "source_kind": "chat",
        "source_id": "s", "tree_scope": "s", "source_ref": "", "start_ms": 0, "end_ms": 0,
    }  # fmt: skip
    return PassageRow(**(values | changes))  # type: ignore[arg-type]


def texts(rows: list[PassageRow], question: Question) -> list[str]:
    return [r.row.text for r in rank(rows, question)]


def test_parts_sum_up() -> None:
    found = rank(
        [row("a", own=0.6, near=0.2, parent=0.5, author="Ann", covers=frozenset({"x"}))],
        Question(text="Ann?", spans=(Span(start_ms=0, end_ms=1),), entities=("x", "y"), recent=True),
    )[0]
    assert set(found.parts) == {"words", "near", "parent", "time", "speaker", "entities", "recency"}
    assert found.score == sum(found.parts.values())
    assert found.parts["entities"] == WEIGHTS.entities / 2


def test_words_and_meaning_are_mixed_over_the_candidates() -> None:
    rows = [
        row("both", own=1.0, near=0.4, parent=0.1, cosine=0.9), row("words", own=1.0, near=0.4, cosine=-0.2),
        row("meaning", cosine=0.9),
        row("neither", cosine=-0.1),
    ]  # fmt: skip
    found = {r.row.text: r for r in rank(rows, Question(text="q"))}
    assert found["both"].score == pytest.approx(1)
    assert found["meaning"].parts["vector"] == pytest.approx(WEIGHTS.vector)
    assert found["neither"].score == 0
    assert found["words"].score == pytest.approx((1 - WEIGHTS.vector) * 1.4 / 1.5)
    assert list(found) == ["both", "meaning", "words", "neither"]


def test_a_passage_without_a_vector_ranks_by_its_words() -> None:
    rows = [row("new", own=0.9), row("old", own=0.9, cosine=0.2), row("best", own=1.0, cosine=0.8)]
    found = {r.row.text: r.score for r in rank(rows, Question(text="q"))}
    assert found["new"] == pytest.approx(0.9)
    assert found["best"] > found["new"] > found["old"]
    assert all("vector" not in r.parts for r in rank([row("a", own=1.0)], Question(text="q")))


def test_equals_go_by_time_then_place_whatever_the_input_order() -> None:
    rows = [row("late", time_ms=9), row("b", chunk_id="b"), row("a1", chunk_id="a", ordinal=1), row("a0", chunk_id="a")]
    for seed in range(6):
        shuffled = random.Random(seed).sample(rows, len(rows))
        assert texts(shuffled, Question(text="q")) == ["a0", "a1", "b", "late"]


def test_a_note_whose_title_is_named_comes_first() -> None:
    rows = [row("other", title="Notes", own=0.51), row("view", title="Graph view", own=0.5)]
    assert texts(rows, Question(text="how does the graph view work"))[0] == "view"
    assert rank(rows, Question(text="graph"))[0].row.text == "view"
    assert "title" not in rank([row("a", title="Notes")], Question(text="graph"))[0].parts


def test_a_question_is_no_answer_unless_one_is_asked_for() -> None:
    rows = [row("When is the ferry?", own=0.6), row("The ferry leaves at noon", own=0.5)]
    assert texts(rows, Question(text="ferry times"))[0] == "The ferry leaves at noon"
    assert texts(rows, Question(text="what did Bo ask about the ferry"))[0] == "When is the ferry?"
    notes = [row("Why a ferry?", own=0.6, source_kind="document"), row("The ferry", own=0.5, source_kind="document")]
    assert texts(notes, Question(text="ferry"))[0] == "Why a ferry?"


def test_asked_when_a_passage_that_tells_a_time_is_preferred() -> None:
    rows = [row("We went to the museum", own=0.55), row("We went to the museum last Friday", own=0.5)]
    assert texts(rows, Question(text="When did they go to the museum?"))[0].endswith("last Friday")
    assert texts(rows, Question(text="Where did they go?"))[0] == "We went to the museum"


def test_what_stands_in_several_sources_is_shown_from_three_of_them() -> None:
    rows = [row("News of May", source_id=f"s{n}", chunk_id=f"c{n}", own=0.5) for n in range(5)]
    assert [r.row.source_id for r in rank(rows, Question(text="news"))] == ["s0", "s1", "s2"]


def test_exact_repeats_are_left_out() -> None:
    rows = [row("Same  text", own=0.9), row("same text", own=0.5), row("same text", author="Bo", own=0.1)]
    assert texts(rows, Question(text="q")) == ["Same  text", "same text"]


#: wide and small forms, marks that NFKC takes apart into a space and an accent, spaces of all kinds
_ODD = st.text(alphabet="aAbßﬁＡ①´¨é\u0301 \u00a0\u3000\t\n\x1f.", max_size=12)


@given(said=_ODD, again=_ODD)
def test_repeats_are_found_though_only_first_and_last_words_are_looked_at_first(said: str, again: str) -> None:
    def folded(text: str) -> str:
        return " ".join(unicodedata.normalize("NFKC", text).casefold().split())

    rows = [row(said, own=0.9), row(again, ordinal=1, own=0.5)]
    kept = [said] if folded(said) == folded(again) else [said, again]
    assert texts(rows, Question(text="q")) == kept


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("what did Alice say", "alice"),
        ("what did Alice Smith say", "alice"),
        ("what did Alice and Bob say", "bob"),
        ("what was said", "bob"),
        ("malice", "bob"),
    ],
)
def test_the_one_named_speaker_comes_first(question: str, first: str) -> None:
    rows = [
        row("bob", author="Bob Jones", own=0.51), row("alice", author="Alice Smith <a@x.org>", own=0.5),
        row("short", author="Alice", own=0.1),
    ]  # fmt: skip
    assert texts(rows, Question(text=question))[0] == first


def test_two_of_one_first_name_are_nobody() -> None:
    rows = [row("smith", author="Alice Smith", own=0.5), row("jones", author="Alice Jones", own=0.52)]
    assert texts(rows, Question(text="what did Alice say")) == ["jones", "smith"]
    assert texts(rows, Question(text="what did Alice Smith say")) == ["smith", "jones"]


def test_time_is_a_boost_that_fades() -> None:
    span = Span(start_ms=100 * DAY, end_ms=101 * DAY)
    days = [100, 101, 110, 98, 130, 96, 30, 200]
    found = rank([row(str(d), time_ms=d * DAY + 5) for d in days], Question(text="q", spans=(span,)))
    worth = {r.row.text: r.parts["time"] for r in found}
    assert worth["100"] == WEIGHTS.time
    assert worth["101"] == worth["110"] == worth["98"] == pytest.approx(WEIGHTS.time * WEIGHTS.time_around)
    assert 0 < worth["130"] < worth["96"] < worth["98"]
    assert worth["30"] == worth["200"] == 0


def test_the_latest_only_when_asked() -> None:
    rows = [row("old", own=0.5), row("new", own=0.45, time_ms=400 * DAY)]
    assert texts(rows, Question(text="q", now_ms=400 * DAY)) == ["old", "new"]
    assert texts(rows, Question(text="q", now_ms=400 * DAY, recent=True)) == ["new", "old"]


def test_words_meet_on_both_sides() -> None:
    assert index_words("Ann's Straße, 東京駅") == ["ann", "strass", "東", "京", "駅", "東京", "京駅"]
    assert query_words("where is the 東京駅?") == ("東京", "京駅")
    assert query_words("what is it") == ("what", "is", "it")
    assert query_words("don't user@x.com c++ a-b \"x AND NEAR(") == ("user", "x", "com", "c", "b", "near")
    assert query_words("?! \0 \ud800") == ()
    assert len(query_words(" ".join(map(str, range(5000))))) == MAX_QUERY_WORDS
    assert max(map(len, index_words("x" * 120_000))) == MAX_WORD


def test_names_in_a_question() -> None:
    found = name_candidates("Did “Alice Smith's” boss see @bob?")
    assert {"alice smith", "alice", "bob", "boss"} <= set(found)
    assert name_candidates("") == ()
    assert len(name_candidates("word " * 100_000)) < 600


def passage(text: str, ordinal: int, block: str = "") -> Passage:
    return Passage(ordinal=ordinal, text=text, block=block, first_line=ordinal, last_line=ordinal)


def test_a_passage_is_found_again_in_its_note() -> None:
    now = [passage("new first", 0), passage("a", 1), passage("edited", 2, "m-1"), passage("a", 3)]
    assert refind(row("a", ordinal=0), now) == 1
    assert refind(row("a", ordinal=2), now) == 1
    assert refind(row("was", ordinal=0, block="m-1"), now) == 2
    assert refind(row("gone", ordinal=2, block="m-2"), now) is None
    assert refind(row("first", ordinal=0), now) == 0
    assert refind(row("gone", ordinal=9), now) is None
