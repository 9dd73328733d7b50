"""What a question asks for, and whether a passage asks itself: by wording, in many languages."""

from __future__ import annotations

import pytest

from vaultmem.core.recall.asking import asks_back, asks_when, is_question, tells_when


@pytest.mark.parametrize(
    "text",
    [
        "When did she move?", "since when is it closed", "How long did it take?", "What year was it", "Wann war das?",
        "Seit wann", "Quand part-il ?", "¿Cuándo vienes?", "Quando chega?", "Wanneer is het?", "Когда поедем?",
        "いつ来ますか", "什么时候开会", "언제 와요",
    ],
)  # fmt: skip
def test_a_time_is_asked_for(text: str) -> None:
    assert asks_when(text)


@pytest.mark.parametrize("text", ["Where did they go when it rained?", "What is a calendar?", "whenever", "Wanne"])
def test_no_time_is_asked_for(text: str) -> None:
    assert not asks_when(text)


@pytest.mark.parametrize("text", ["Really?", 'He said "why?"', "真的吗？", "هل تأتي؟", "**Why?**", "Τι ώρα είναι;"])
def test_a_passage_that_asks(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize("text", ["No.", "Is it? Yes, it is.", "a = 1;", ""])
def test_a_passage_that_tells(text: str) -> None:
    assert not is_question(text)


def test_questions_about_questions() -> None:
    assert asks_back("What did Bo ask?")
    assert not asks_back("What did Bo do to the mask?")


@pytest.mark.parametrize(
    "text", ["yesterday", "in 2024", "am Dienstag", "la semaine passée", "на прошлой неделе", "上周去了"]
)
def test_a_time_is_told(text: str) -> None:
    assert tells_when(text)


def test_no_time_is_told() -> None:
    assert not tells_when("You may march on 300 steps")
