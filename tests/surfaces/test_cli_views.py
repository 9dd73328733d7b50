"""The commands that look into memory: text for people, one JSON document for programs, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.vaults import Box
from vaultmem.errors import BadQuery
from vaultmem.surfaces.cli import cli


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    made = Box(tmp_path_factory.mktemp("views"))
    made.write(
        "WhatsApp Chat with House.txt", "12/03/2026, 10:00 - Alice Smith: The boiler was repaired for 120 euros\n"
    )
    made.write("WhatsApp Chat with Idle.txt", "12/03/2026, 10:00 - Bob: ok\n12/03/2026, 10:01 - Cleo: thanks\n")
    made.sync()
    return made


def run(box: Box, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--vault", str(box.root), *arguments], env=dict(box.environ))


def test_people_read_text(box: Box) -> None:
    identity = json.loads(run(box, "recall", "boiler", "--json").stdout)["hits"][0]["node_id"]
    for arguments, said in [
        (("entities", "alice"), "person:alice-smith · 1 mentions"),
        (("tree", "search_entities", "query=alice", "limit=1"), "Alice Smith"),
        (("tree", "drill_down", f"node_id={identity}"), "chunk · Alice Smith · 2026-03-12 10:00"),
        (("tree", "fetch_leaves", f"chunk_ids={identity},{'0' * 32}"), "no such chunk"),
        (("explain", identity[:6], "--query", "boiler"), "no. 1: "),
        (("explain", identity), "signal    interaction"),
        (("dropped",), "memory_status: admitted"),
        (("recall", "boiler"), "Alice Smith, 2026-03-12 10:00"),
    ]:
        result = run(box, *arguments)
        assert result.exit_code == 0, result.output
        assert said in result.output, (arguments, result.output)


def test_programs_read_one_document(box: Box) -> None:
    identity = json.loads(run(box, "recall", "boiler", "--json").stdout)["hits"][0]["node_id"]
    for arguments, keys in [
        (("entities", "alice"), {"hits", "total", "truncated", "degraded"}),
        (("tree", "drill_down", f"node_id={identity}"), {"hits", "total", "truncated", "degraded"}),
        (("explain", identity), {"signals", "score", "band", "source_ref", "original", "note_path", "parent"}),
        (("dropped",), {"dropped", "total", "truncated"}),
        (("doctor",), {"ok", "findings", "settings"}),
    ]:
        found = json.loads(run(box, *arguments, "--json").stdout)
        assert keys <= set(found), arguments


def test_wrong_usage_and_named_problems_are_told_apart(box: Box) -> None:
    for arguments in (("tree",), ("tree", "drill_down", "abc"), ("tree", "drill_down", "limit=1", "limit=2")):
        assert run(box, *arguments).exit_code == 2, arguments
    wrong = run(box, "tree", "walk_about")
    assert wrong.exit_code == 1
    assert isinstance(wrong.exception, BadQuery)


def test_doctor_ends_1_when_something_needs_the_user(tmp_path: Path) -> None:
    box = Box(tmp_path)
    assert run(box, "doctor").exit_code == 0
    box.write("b.eml", b"\x00\x01 no mail")
    box.sync()
    result = run(box, "doctor")
    assert result.exit_code == 1
    assert "FIX  inbox" in result.output
