"""An agent's session becomes chat leaves and facts; re-sent turns, tools and memory's own words do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import fake_agentmemory
from tests.vaults import Box, bytes_below, raw_notes
from vaultmem.errors import BadQuery

TURNS: list[dict[str, Any]] = [
    {"role": "user", "id": "1", "at": "2026-05-01T09:00:00Z", "text": "Call me Bob. We use Postgres for the ledger."},
    {"role": "assistant", "id": "2", "at": "2026-05-01T09:00:05Z", "text": "My name is Hal and I prefer SQLite."},
    {"role": "tool", "id": "3", "at": "2026-05-01T09:00:06Z", "text": "my password is swordfish77; I live in a cache"},
    {"role": "user", "id": "4", "at": "2026-05-01T09:01:00Z", "text": "Thanks!"},
    {"role": "user", "id": "5", "at": "2026-05-01T09:02:00Z",
     "text": "The ledger must be ready by 12 June, Lumen decided."},
]  # fmt: skip


def give(box: Box, turns: object, session: str = "s1", **named: Any) -> dict[str, Any]:
    with box.open() as memory:
        dropped = memory.drop_session(session, turns, **named)
        report = memory.take([dropped.name]) if dropped.name else None
    rows = [row.to_dict() for row in report.files] if report else []
    return {**dropped.to_dict(), "files": rows}


def facts(box: Box) -> dict[str, str]:
    with box.open() as memory:
        return {hit.fact.key: hit.fact.value for hit in memory.facts("user").hits}


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path, config="me: [Robert, bob@example.com]\n")


def test_turns_become_leaves_and_the_owners_statements_facts(box: Box) -> None:
    [row] = give(box, TURNS, title="Ledger")["files"]
    assert (row["outcome"], row["format"], row["source_ids"]) == ("imported", "vaultmem-session", ["session:s1"])
    assert row["learned"] == ["added: name: Bob", "added: uses for the ledger: Postgres"]
    notes = raw_notes(box)
    assert "Lumen decided" in notes
    assert "Hal and I prefer" in notes
    assert b"swordfish77" not in bytes_below(box.root) + bytes_below(box.data)
    assert "cache" not in notes
    assert facts(box) == {"name": "Bob", "uses for the ledger": "Postgres"}
    with box.open() as memory:
        [hit] = memory.fact("user", "name").hits
        [found, *_] = memory.recall("when must the ledger be ready?").hits
    path, _, key = hit.fact.source.strip("[]").partition("#^")
    assert hit.fact.since == "2026-05-01T09:00:00Z"
    assert f"^{key}" in (box.root / f"{path}.md").read_text()
    assert (found.author, "12 June" in found.content) == ("Robert", True)
    box.digest()


def test_turns_sent_again_are_known_and_change_no_fact(box: Box) -> None:
    give(box, TURNS)
    with box.open() as memory:
        memory.set_fact("user", "name", "Rob")
    [row] = give(box, TURNS)["files"]
    assert (row["outcome"], "learned" in row) == ("duplicate", False)
    assert facts(box)["name"] == "Rob"
    more = [*TURNS, {"role": "user", "id": "6", "at": "2026-05-02T09:00:00Z", "text": "Call me Robbie, I moved on."}]
    [row] = give(box, more)["files"]
    assert row["outcome"] == "imported"
    before = raw_notes(box).count("Lumen decided")
    assert before == 1


def test_turns_without_id_and_time_are_known_by_their_text(box: Box) -> None:
    turns = [{"role": "user", "text": "The boat needs new paint by May 3."}, {"role": "user", "text": "Yes"}] * 2
    give(box, turns)
    give(box, [*turns, {"role": "assistant", "text": "I shall order 4 litres of it."}])
    notes = raw_notes(box)
    assert notes.count("new paint") == 2
    assert notes.count("4 litres") == 1


def test_turns_are_held_until_all_three_deltas_are_there(box: Box) -> None:
    words = "word " * 1100
    for number in range(4):
        turns = [{"role": "user", "id": f"u{number}", "text": f"Note {number}: {words}"}]
        turns += [{"role": "tool", "id": f"t{number}{n}", "text": "x"} for n in range(2)]
        done = give(box, turns, holds=True)
        assert done["held"] == (number < 3), done
        assert give(box, turns[:1] if number < 3 else [], holds=True)["held"]
    assert done["since_written"]["turns"] == 4
    assert all(f"Note {number}:" in raw_notes(box) for number in range(4))
    assert give(box, [{"role": "user", "id": "last", "text": "The tide is at 7."}], holds=True)["held"]
    assert "tide" not in raw_notes(box)
    assert not give(box, [])["held"]
    assert "tide" in raw_notes(box)


def test_a_guests_turns_give_no_facts_of_the_owner(box: Box) -> None:
    give(box, [{"role": "user", "name": "Mallory", "text": "Call me Admin. My bank is Evil Corp."}])
    assert facts(box) == {}
    give(box, [{"role": "user", "name": "robert", "text": "My bank is the blue one."}], session="s2")
    assert facts(box) == {"bank": "the blue one"}


def test_a_name_edited_by_hand_is_superseded_only_by_a_new_turn(box: Box) -> None:
    give(box, TURNS)
    note = box.root / "wiki/facts/user.md"
    note.write_text(note.read_text().replace("- name: Bob", "- name: Bobby"))
    give(box, TURNS)
    assert facts(box)["name"] == "Bobby"


def test_what_cannot_be_understood_is_named(box: Box) -> None:
    for wrong in ("no list", [7], [{"role": "user"}], [{"text": "x"}], {"role": "user", "text": "x"}):
        with pytest.raises(BadQuery, match="turns"):
            give(box, wrong)
    with pytest.raises(BadQuery, match="session"):
        give(box, TURNS, session=" ")


def test_a_sessions_file_may_be_dropped_like_any_other(box: Box) -> None:
    file = {"turns": TURNS, "session": "own", "format": "vaultmem-session"}
    box.write("x.txt", json.dumps(file, indent=1))
    box.write("broken.json", '{"format": "vaultmem-session", "turns": [')
    box.write("nameless.json", '{"format": "vaultmem-session", "turns": []}')
    rows = {str(row["file"]): row for row in box.sync()}
    assert rows["x.txt"]["source_ids"] == ["session:own"]
    assert "no JSON" in str(rows["broken.json"]["reason"])
    assert "without an id" in str(rows["nameless.json"]["reason"])


def test_a_home_of_facts_that_is_down_costs_no_turn(tmp_path: Path) -> None:
    with fake_agentmemory.serving() as server:
        box = Box(tmp_path, environ=server.environ())
        give(box, TURNS)
        assert facts(box)["name"] == "Bob"
    [row] = give(box, [{"role": "user", "text": "My boat is called Gull, by the way."}])["files"]
    assert row["outcome"] == "imported"
    assert any("facts were not taken: facts (agentmemory at" in text for text in row["warnings"])


def test_a_kill_between_notes_and_facts_loses_no_fact(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*given: object) -> None:
        raise KeyboardInterrupt

    with box.open() as memory:
        memory.drop_session("s1", TURNS)
        with monkeypatch.context() as patched:
            patched.setattr("vaultmem.app.ingest.learn", killed)
            with pytest.raises(KeyboardInterrupt):
                memory.sync()
    assert facts(box) == {}
    [row] = box.sync()
    assert row["learned"] == ["added: name: Bob", "added: uses for the ledger: Postgres"]
    assert facts(box)["name"] == "Bob"
    assert raw_notes(box).count("Lumen decided") == 1


def test_what_a_client_asks_while_a_watch_runs_waits_for_nobody(box: Box) -> None:
    """Facts have a lock of their own: the writer's may be held for days."""
    with box.open() as writer, writer._writing(), box.open() as memory:
        memory.set_fact("user", "city", "Berlin")
        assert memory.facts("user").total == 1
