"""The same kinds of questions in several languages and with other spellings of numbers and days, on another vault
(`tests/cases/question_kinds/abroad`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.memory import Memory

CASES = Path(__file__).parents[1] / "cases/question_kinds/abroad"
#: Hits that are looked at.
FIRST = 3


@pytest.fixture(scope="module", params=["none", "builtin"])
def memory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """With words alone, and with the built-in model."""
    box = Box(tmp_path_factory.mktemp("abroad"), embedder=request.param)
    dropped = re.split(r"^=== (.+)\n", (CASES / "vault.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    for name, text in zip(dropped[::2], dropped[1::2], strict=True):
        box.write(name, text)
    box.sync()
    with box.open() as found:
        yield found


def cases(kind: str) -> list[tuple[str, str]]:
    text = (CASES / f"{kind}.txt").read_text(encoding="utf-8")
    return re.findall(r"^\? (.+)\n> (.+)$", text, flags=re.MULTILINE)


def missed(memory: Memory, kind: str, first: int = FIRST) -> list[str]:
    """The questions that are not answered, with what was found instead."""
    lost = []
    for question, told in cases(kind):
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
    for question, told in cases("one_entity"):
        hits = [hit.content for hit in memory.tree("walk", query=question).hits[:FIRST]]
        lost += [] if any(told in content for content in hits) else [f"{question} -> {hits}"]
    assert lost == []
