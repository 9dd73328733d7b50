"""What an agent's program is given: a configuration that starts this vault's server, a skill, a hook for sessions."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.program import program
from tests.surfaces.test_mcp import HELLO, Client
from tests.vaults import REPO, Box
from vaultmem.core.transcript import read_transcript
from vaultmem.queries import TREE_MODES
from vaultmem.surfaces.agent_setup import SKILL
from vaultmem.surfaces.mcp_tools import TOOLS


def said(box: Box, *arguments: str, given: str = "", ends: int = 0) -> str:
    done = program(*arguments, environ=box.environ, given=given, folder=box.root)
    assert done.returncode == ends, done.stderr
    return done.stderr if ends else done.stdout


@pytest.mark.parametrize(
    ("client", "key", "says_type"),
    [
        ("claude-code", "mcpServers", True),
        ("claude-desktop", "mcpServers", False),
        ("cursor", "mcpServers", True),
        ("vscode", "servers", True),
    ],
)
def test_a_printed_configuration_starts_this_vaults_server(
    tmp_path: Path, client: str, key: str, says_type: bool
) -> None:
    box = Box(tmp_path)
    server = json.loads(said(box, "mcp", "--print-config", client, "--read-only"))[key]["vaultmem"]
    assert (server.get("type") == "stdio") == says_type
    assert server["args"][-4:] == ["--vault", str(box.root), "mcp", "--read-only"]
    with subprocess.Popen(
        [server["command"], *server["args"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=REPO, env={**os.environ, **server["env"]},
    ) as process:  # fmt: skip
        try:
            asked = Client(process)
            assert asked.ask("initialize", HELLO)["serverInfo"]["name"] == "vaultmem"
            names = [tool["name"] for tool in asked.ask("tools/list")["tools"]]
            assert "memory_search" in names
            assert "memory_ingest" not in names
        finally:
            process.kill()


def test_no_vault_no_configuration(tmp_path: Path) -> None:
    box = Box(tmp_path)
    assert "vaultmem init" in said(box, "--vault", str(tmp_path / "none"), "mcp", "--print-config", "cursor", ends=1)


def test_asked_for_no_program_it_names_them(tmp_path: Path) -> None:
    refused = said(Box(tmp_path), "mcp", "--print-config", ends=2)
    assert all(client in refused for client in ("claude-code", "claude-desktop", "cursor", "vscode")), refused


def test_the_skill_names_tools_and_modes_that_there_are() -> None:
    named = {word.strip("`") for word in SKILL.split() if word.startswith("`") and word.endswith("`")}
    tools = {name for name in named if name.startswith("memory_")}
    assert tools
    assert tools <= set(TOOLS)
    modes = {name for name in named if name in TREE_MODES}
    assert {"walk", "drill_down", "fetch_leaves", "query_topic"} <= modes
    assert named - tools - modes <= {
        "vaultmem",
        "node_id",
        "no_good_answer",
        "note_path",
        "lines",
        "user",
        "[[note_path]]",
    }


def line(kind: str, content: object, number: int, **more: object) -> str:
    at = f"2026-05-04T10:{number:02d}:00.000Z"
    return json.dumps(
        {"type": kind, "message": {"role": kind, "content": content}, "uuid": f"u{number}", "timestamp": at, **more}
    )


def tool_use(name: str, identity: str) -> dict[str, object]:
    return {"type": "tool_use", "id": identity, "name": name, "input": {}}


SESSION = [
    json.dumps({"type": "summary", "summary": "An old talk"}),
    line("user", "My dog is called Bruno and we moved to Ghent last week.", 1),
    line("user", "<command-name>/clear</command-name>", 2),
    line("user", "Caveat: said by the program", 3, isMeta=True),
    line("assistant", [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Noted: Bruno."}], 4),
    line("assistant", [tool_use("mcp__vaultmem__memory_search", "t1"), tool_use("Read", "t2")], 5),
    line("user", [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "old fact"}]}], 6),
    line("user", [{"type": "tool_result", "tool_use_id": "t2", "content": "file text"}], 7),
    line("assistant", "said aside", 8, isSidechain=True),
    line("user", "Ship it.<system-reminder>be good</system-reminder>", 9),
    '{"type":"user","message":{"role":"us',
]


def test_a_transcript_is_what_was_said_and_not_what_the_program_put_in() -> None:
    found = read_transcript(SESSION)
    assert [(turn["role"], turn["text"]) for turn in found.turns] == [
        ("user", "My dog is called Bruno and we moved to Ghent last week."),
        ("assistant", "Noted: Bruno."),
        ("tool", "mcp__vaultmem__memory_search"),
        ("tool", "Read"),
        ("user", "Ship it."),
    ]
    assert found.told == ("old fact",)
    assert len({turn["id"] for turn in found.turns}) == len(found.turns)


def test_the_hook_holds_a_session_while_it_is_short_and_keeps_it_at_its_end(tmp_path: Path) -> None:
    box = Box(tmp_path)
    transcript = tmp_path / "session.jsonl"
    transcript.write_text("\n".join(SESSION))
    command = json.loads(said(box, "mcp", "--print-hook"))["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert shlex.split(command)[-3:] == ["--vault", str(box.root), "hook"]

    def event(name: str) -> str:
        return json.dumps({"session_id": "s1", "transcript_path": str(transcript), "hook_event_name": name})

    held: Any = json.loads(said(box, "--json", "hook", given=event("Stop")))
    assert held["session"]["held"]
    assert not box.notes()
    kept: Any = json.loads(said(box, "--json", "hook", given=event("SessionEnd")))
    assert not kept["session"]["held"]
    with box.open() as memory:
        assert "Bruno" in memory.recall("what is the dog called").hits[0].content
    notes = box.notes()
    said(box, "hook", given=event("SessionEnd"))
    assert box.notes() == notes


@pytest.mark.parametrize("given", ["", "no json", "[]", "{}", '{"session_id": "a", "transcript_path": "/none.jsonl"}'])
def test_a_hook_that_is_given_nonsense_says_so_in_one_line(tmp_path: Path, given: str) -> None:
    told = said(Box(tmp_path), "hook", given=given, ends=1)
    assert told.count("\n") == 1
