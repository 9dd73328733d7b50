"""Words are found in the scripts people write: a vault of notes in many languages, asked in each."""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.vaults import Box

CASES: dict[str, list[list[str]]] = yaml.safe_load(
    (Path(__file__).parents[1] / "cases/recall/scripts.yaml").read_text("utf-8")
)


def test_each_question_finds_its_note_first(tmp_path: Path) -> None:
    box = Box(tmp_path)
    for language, pairs in CASES.items():
        for number, (text, _) in enumerate(pairs):
            box.write(f"{language}-{number}.md", f"{text}\n")
    box.sync()
    wrong = []
    with box.open() as memory:
        for language, pairs in CASES.items():
            for text, question in pairs:
                hits = memory.recall(question, k=3, dropped=True).hits
                if not hits or text not in hits[0].content:
                    wrong.append((language, question, [hit.content for hit in hits]))
    assert not wrong
