"""The terminal's manners: examples, completion, links to click."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import click
import pytest
from click.testing import CliRunner

from tests.terminal import on_terminal
from tests.vaults import REPO, Box
from vaultmem.surfaces.cli import cli
from vaultmem.surfaces.examples import EXAMPLES

CHAT = "12/03/2026, 10:00 - Ann: The ferry leaves at noon on Friday.\n12/03/2026, 10:01 - Bo: Two ferries? Good.\n"


def test_every_command_has_an_example_that_can_be_parsed() -> None:
    assert set(EXAMPLES) == set(cli.commands)
    for name, line in EXAMPLES.items():
        told = CliRunner().invoke(cli, [name, "--help"], catch_exceptions=False).output
        assert f"Example: {line}" in told, name
        words = shlex.split(line.split(" < ")[0].removeprefix('eval "$(').removesuffix(')"'))
        assert words[:2] == ["vaultmem", name]
        command: click.Command = cli.commands[name]
        rest = words[2:]
        while isinstance(command, click.Group):
            command, rest = command.commands[rest[0]], rest[1:]
        command.make_context(name, rest, parent=click.Context(cli))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_names_our_commands(tmp_path: Path, shell: str) -> None:
    script = CliRunner().invoke(cli, ["completion", shell], catch_exceptions=False).output
    assert "_VAULTMEM_COMPLETE" in script
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.argv[0] = 'vaultmem'; from vaultmem.surfaces.cli import main; main()"],
        env={
            **os.environ, "PYTHONPATH": str(REPO), "_VAULTMEM_COMPLETE": f"{shell}_complete",
            "COMP_WORDS": "vaultmem rec", "COMP_CWORD": "rec" if shell == "fish" else "1",
        },
        capture_output=True, cwd=tmp_path, timeout=60, check=False,
    )  # fmt: skip
    assert "recall" in done.stdout.decode()


def test_a_pipe_gets_plain_text_and_a_terminal_sees_what_answers(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("WhatsApp Chat with Crew.txt", CHAT)
    box.sync()
    command = [sys.executable, "-m", "vaultmem", "--vault", str(box.root), "recall", "when does the ferry leave"]
    environ = {**os.environ, **box.environ, "PYTHONPATH": str(REPO)}
    environ.pop("NO_COLOR", None)
    plain = subprocess.run(command, env=environ, capture_output=True, check=True, timeout=60).stdout.decode()
    assert "\x1b" not in plain
    link = next(line.strip() for line in plain.splitlines() if "obsidian://" in line)
    found = parse_qs(urlsplit(link).query)
    note, _, block = found["file"][0].partition("#^")
    assert found["vault"] == [box.root.name]
    assert f"^{block}" in (box.root / note).read_text()
    shown = on_terminal(command, {**environ, "TERM": "xterm"})
    assert f"\x1b]8;;{link}\x1b\\" in shown
    assert "\x1b[1mferry\x1b[0m" in shown
    assert "\x1b[1mferries\x1b[0m" in shown
    assert "\x1b" not in on_terminal(command, {**environ, "NO_COLOR": "1"})
