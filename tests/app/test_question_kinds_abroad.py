"""The same kinds of questions in several languages and with other spellings of numbers and days, on another vault
(`tests/cases/question_kinds/abroad`)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.question_kinds import CASES, FIRST, cases, dropped
from vaultmem.memory import Memory

ABROAD = CASES / "abroad"


@pytest.fixture(scope="module", params=["none", "builtin"])
def memory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """With words alone, and with the built-in model."""
    with dropped(ABROAD, tmp_path_factory.mktemp("abroad"), request.param) as found:
        yield found


def missed(memory: Memory, kind: str, first: int = FIRST) -> list[str]:
    """The questions that are not answered, with what was found instead."""
    lost = []
    for question, told in cases(ABROAD, kind):
        hits = [hit.content for hit in memory.recall(question).hits[:first]]
        if not any(told in content for content in hits):
            lost.append(f"{question} -> {hits}")
    return lost


@pytest.mark.parametrize("kind", ["one_entity", "identifiers", "dated", "latest"])
def test_recall(memory: Memory, kind: str) -> None:
    assert missed(memory, kind) == []


def test_an_exact_identifier_is_first(memory: Memory) -> None:
    assert missed(memory, "identifiers", 1) == []


def test_walk_knows_them_too(memory: Memory) -> None:
    lost = []
    for question, told in cases(ABROAD, "one_entity"):
        hits = [hit.content for hit in memory.tree("walk", query=question).hits[:FIRST]]
        lost += [] if any(told in content for content in hits) else [f"{question} -> {hits}"]
    assert lost == []
