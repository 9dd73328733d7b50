"""Kinds of questions people ask of a memory, each with the share that must be answered among the first three hits.

The cases are text: `tests/cases/question_kinds/vault.txt` is what was dropped (`=== file name`, then its text), the
other files are questions (`?`) and words of the passage that answers (`>`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.answers import RetrievalHit
from vaultmem.memory import Memory

CASES = Path(__file__).parents[1] / "cases/question_kinds"
#: Hits that are looked at.
FIRST = 3
Ask = Callable[[str], Sequence[RetrievalHit]]


@pytest.fixture(scope="module", params=["none", "builtin"])
def memory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """With words alone, and with the built-in model."""
    box = Box(tmp_path_factory.mktemp("kinds"), embedder=request.param)
    dropped = re.split(r"^=== (.+)\n", (CASES / "vault.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    for name, text in zip(dropped[::2], dropped[1::2], strict=True):
        box.write(name, text)
    box.sync()
    with box.open() as found:
        yield found


def cases(kind: str) -> list[tuple[str, str]]:
    text = (CASES / f"{kind}.txt").read_text(encoding="utf-8")
    return re.findall(r"^\? (.+)\n> (.+)$", text, flags=re.MULTILINE)


def missed(kind: str, ask: Ask) -> list[str]:
    """The questions that are not answered, with what was found instead."""
    found = [(question, told, [hit.content for hit in ask(question)[:FIRST]]) for question, told in cases(kind)]
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
