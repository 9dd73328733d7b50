"""Kinds of questions people ask of a memory, each with the share that must be answered among the first three hits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from tests.question_kinds import CASES, FIRST, cases, dropped
from vaultmem.answers import RetrievalHit
from vaultmem.memory import Memory

Ask = Callable[[str], Sequence[RetrievalHit]]


@pytest.fixture(scope="module", params=["none", "builtin"])
def memory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """With words alone, and with the built-in model."""
    with dropped(CASES, tmp_path_factory.mktemp("kinds"), request.param) as found:
        yield found


def missed(kind: str, ask: Ask) -> list[str]:
    """The questions that are not answered, with what was found instead."""
    found = [(question, told, [hit.content for hit in ask(question)[:FIRST]]) for question, told in cases(CASES, kind)]
    return [f"{question} -> {hits}" for question, told, hits in found if not any(told in text for text in hits)]


class TestOneEntity:
    """Whom or what a single name stands for, and what there is about it."""

    def test_recall(self, memory: Memory) -> None:
        assert missed("one_entity", lambda question: memory.recall(question).hits) == []

    def test_walk(self, memory: Memory) -> None:
        assert missed("one_entity", lambda question: memory.tree("walk", query=question).hits) == []


class TestIdentifiers:
    """Tickets, error codes, parts, paths, builds: as they are written, and none that merely looks like it."""

    def test_recall(self, memory: Memory) -> None:
        assert missed("identifiers", lambda question: memory.recall(question).hits) == []

    def test_the_exact_one_is_first(self, memory: Memory) -> None:
        for asked, told in (("ORCH-119", "year twice"), ("E4120", "door contact"), ("build 2026.3.2", "repaired")):
            assert told in memory.recall(asked).hits[0].content


class TestDated:
    """Questions that name a day, a month or a time from now."""

    def test_recall(self, memory: Memory) -> None:
        lost = missed("dated", lambda question: memory.recall(question).hits)
        assert len(lost) <= 1, lost


class TestLatest:
    """Of what was said several times, the last."""

    def test_recall(self, memory: Memory) -> None:
        lost = missed("latest", lambda question: memory.recall(question).hits)
        assert len(lost) <= 1, lost


class TestTwoSteps:
    """The answer stands beside something that the question only describes, or between the two that it names."""

    def test_walk(self, memory: Memory) -> None:
        lost = missed("two_step", lambda question: memory.tree("walk", query=question).hits)
        assert len(lost) <= 1, lost
