"""When a session is written, what of it is memory's own, and what a person states."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ingest.statements import MAX_VALUE, statements
from vaultmem.core.sessions import SessionMemoryState, echo_marks, read_state, without_recalled


def test_all_three_deltas_must_cross_together() -> None:
    state = SessionMemoryState()
    for more in ({"tokens": 4000}, {"turns": 4}, {"tools": 7}):
        state = state.grown(**more)
        assert not state.is_due
    state = state.grown(tools=1)
    assert state.is_due
    assert state.deltas == {"tokens": 4000, "tools": 8, "turns": 4}
    after = state.written()
    assert not after.is_due
    assert not after.grown(tokens=9000, tools=7, turns=9).is_due
    assert after.grown(tokens=4000, tools=8, turns=4).is_due
    assert read_state(after.to_dict()) == after
    assert read_state({"tokens": True, "tools": "x"}) == SessionMemoryState()


@given(st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 5), st.integers(0, 2)), max_size=30))
def test_a_session_is_due_exactly_when_the_sums_are(steps: list[tuple[int, int, int]]) -> None:
    state, sums = SessionMemoryState(), [0, 0, 0]
    for tokens, tools, turns in steps:
        state = state.grown(tokens=tokens, tools=tools, turns=turns)
        sums = [a + b for a, b in zip(sums, (tokens, tools, turns), strict=True)]
        assert state.is_due == (sums[0] >= 4000 and sums[1] >= 8 and sums[2] >= 4)
        if state.is_due:
            state, sums = state.written(), [0, 0, 0]


def test_what_memory_gave_is_no_memory() -> None:
    told = echo_marks("Ann: The lens weighs 380 kg without its frame.\nshort")
    fenced = "Here:\ndata 0a1b2c3d\nThe lens weighs 380 kg without its frame.\nend 0a1b2c3d\nSo it is heavy."
    assert without_recalled(fenced, by_assistant=False) == "Here:\nSo it is heavy."
    said = "> Ann: The lens weighs 380 kg without its frame\nSee wiki/raw/chat/x/1-abc.md:12-13.\nI think it is heavy."
    assert without_recalled(said, told, by_assistant=True) == "I think it is heavy."
    assert without_recalled(said, told, by_assistant=False) == said
    assert without_recalled("data 0a1b2c3d\nnever closed", by_assistant=True) == "data 0a1b2c3d\nnever closed"


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("I prefer tea over coffee.", "prefers tea over coffee", "tea over coffee"),
        ("Actually, I now prefer tabs for Go", "prefers for go", "tabs"),
        ("we use Postgres 16.2 for the ledger", "uses for the ledger", "Postgres 16.2"),
        ("Hi, call me Bob!", "name", "Bob"),
        ("My timezone is Europe/Berlin.", "timezone", "Europe/Berlin"),
        ("- our sprint is two weeks long", "sprint", "two weeks long"),
        ("please remember that my flat number is 4b", "flat number", "4b"),
        ("Remember: the gate code is 4471", "remember the gate code is 4471", "the gate code is 4471"),
        ("I'm allergic to nuts", "allergic to", "nuts"),
        ("Mein Hund ist Rex.", "Hund", "Rex"),
        ("Wir verwenden Rust für die API", "uses für die api", "Rust"),
        ("Merk dir, dass der Schlüssel hier liegt", "remember der schlüssel hier liegt", "der Schlüssel hier liegt"),
        ("Je préfère le train", "prefers le train", "le train"),
        ("me llamo Ana", "name", "Ana"),
        ("la mia macchina è rossa", "macchina", "rossa"),
        ("prefiro chá", "prefers chá", "chá"),
        ("ik woon in Utrecht", "lives in", "Utrecht"),
        ("Меня зовут Иван", "name", "Иван"),
        ("Мой город — Москва", "город", "Москва"),
        ("我住在上海。", "lives in", "上海"),
        ("私の猫はミケです", "猫", "ミケ"),
    ],
)  # fmt: skip
def test_statements_give_keys_and_the_persons_own_words(said: str, key: str, value: str) -> None:
    [found] = statements(said)
    assert (found.key, found.value) == (key, value)
    assert found.value in said


@pytest.mark.parametrize(
    "said",
    [
        "Is my name Bob?", "If my name is Bob, greet me", "What my boss is saying", "> my name is Eve",
        "```\nmy name is Mallory\n```", "`my name is X`", "I said: \"my name is Trent\"", "call me when it is done",
        "my question is why", "I don't prefer tea", "ok thanks", "",
        "my", "my name is " + "x" * 400, "my a b c d e f is g",
        "Wenn ich Tee bevorzuge", "my kids are so excited", "如果我住在上海", "| my name | is Bob |",
    ],
)  # fmt: skip
def test_what_is_asked_supposed_quoted_or_code_states_nothing(said: str) -> None:
    assert statements(said) == ()


def test_the_last_of_a_key_counts_and_a_page_gives_few() -> None:
    found = statements("My city is Rome. My dog is Rex. My city is Paris.")
    assert [(one.key, one.value) for one in found] == [("dog", "Rex"), ("city", "Paris")]
    assert len(statements("\n".join(f"My thing{n} is {n}" for n in range(100)))) == 20


@given(st.text(max_size=300))
def test_any_text_is_borne(text: str) -> None:
    for one in statements(text) + statements(f"my {text} is {text}"):
        assert one.key
        assert 0 < len(one.value) <= MAX_VALUE
