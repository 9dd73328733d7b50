"""What was asked for is remembered by day and entity; answering never fails because of it."""

from __future__ import annotations

import json
import os
from datetime import date
from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.app.usage import UsageLog, read_usage
from vaultmem.core.notes.usage import USAGE

CHAT = """[21/04/2026, 10:{minute:02d}:00] Nadia Petrova: The pump in the cellar needs oil.
[22/04/2026, 11:{minute:02d}:00] Nadia Petrova: The pump is fine again, thanks to Tom.
[23/04/2026, 12:{minute:02d}:00] Nadia Petrova: Tom wants to see the garden plan.
[23/04/2026, 12:{minute:02d}:30] Tom: Send it to me.
"""


@pytest.fixture
def box(tmp_path: Path) -> Box:
    made = Box(tmp_path)
    made.write("WhatsApp Chat with Nadia Petrova.txt", CHAT.format(minute=5))
    made.sync()
    return made


def rows(box: Box) -> list[dict[str, object]]:
    path = box.root / USAGE
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_entities_that_questions_name_are_counted_by_day_and_no_word_of_theirs_is_kept(box: Box) -> None:
    for _ in range(2):
        with box.open() as memory:
            memory.recall("what did Nadia Petrova say about the squeaking pump?")
            memory.recall("and Nadia Petrova again")
            memory.recall("nobody in particular")
            assert not rows(box) or rows(box)[0]["count"] == 2
    assert rows(box) == [{"count": 4, "day": "2026-06-01", "entity": "person:nadia-petrova"}]
    assert "squeak" not in (box.root / USAGE).read_text()


def test_what_another_device_wrote_and_broken_lines_do_no_harm(box: Box) -> None:
    line = json.dumps({"count": 2, "day": "2026-05-30", "entity": "person:nadia-petrova"})
    (box.root / USAGE).write_text(f"<<<<<<< mine\n{line}\n=======\n{line}\n>>>>>>> theirs\n")
    with box.open() as memory:
        memory.recall("Nadia Petrova")
    assert [(row["day"], row["count"]) for row in rows(box)] == [("2026-05-30", 4), ("2026-06-01", 1)]


def test_asking_writes_once_a_minute(box: Box) -> None:
    with box.open() as memory:
        wall = [1000.0]
        log = UsageLog(engine=memory._engine)
        object.__setattr__(log.engine, "wall", lambda: wall[0])
        for seconds in (0, 20, 59):
            wall[0] = 1000.0 + seconds
            log.note(["person:ann"])
            assert rows(box) == []
        wall[0] = 1060.0
        log.note(["person:ann"])
        assert [row["count"] for row in rows(box)] == [4]
        log.note(["person:ann"])
        assert [row["count"] for row in rows(box)] == [4]
        log.close()
        assert [row["count"] for row in rows(box)] == [5]
        assert read_usage(log.engine.vault) == {"person:ann": {date(2026, 6, 1): 5}}


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="this user may write anywhere")
def test_a_vault_that_cannot_be_written_answers_as_a_user(box: Box) -> None:
    folder = box.root / ".vaultmem"
    folder.chmod(0o500)
    try:
        with box.open() as memory:
            assert memory.recall("Nadia Petrova").hits
    finally:
        folder.chmod(0o700)
    assert rows(box) == []


def test_a_vault_that_cannot_be_written_answers(box: Box) -> None:
    (box.root / USAGE).mkdir()
    with box.open() as memory:
        assert memory.recall("Nadia Petrova").hits
        assert read_usage(memory._engine.vault) == {}


def test_looking_into_an_answer_is_no_question(box: Box) -> None:
    with box.open() as memory:
        hit = memory.recall("the cellar").hits[0]
        memory.explain(hit.node_id, query="Nadia Petrova")
    assert rows(box) == []
