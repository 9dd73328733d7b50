"""Help texts and documents say what the program does, and its examples run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import click
import pytest

from tests.vaults import REPO, Box
from vaultmem import userconfig
from vaultmem.config import Settings
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.recall.weights import NAMES, PARTS, shown
from vaultmem.surfaces.cli import cli

README = (REPO / "README.md").read_text(encoding="utf-8")
FORMAT = (REPO / "vaultmem/FORMAT.md").read_text(encoding="utf-8")
ARCHITECTURE = (REPO / "vaultmem/ARCHITECTURE.md").read_text(encoding="utf-8")


def test_every_command_stands_in_the_readme_and_has_a_help_text() -> None:
    for name, command in cli.commands.items():
        assert f"| `{name}` |" in README, name
        assert command.help, name
        for parameter in command.params:
            assert not isinstance(parameter, click.Option) or parameter.help, f"{name} {parameter.name}"


def test_every_setting_stands_in_the_readme_with_its_default() -> None:
    for setting in fields(Settings):
        assert f"| `{setting.name}` |" in README, setting.name


def test_every_part_of_the_users_config_stands_in_the_readme() -> None:
    """…and what stands there as an example is understood."""
    for section, keys in userconfig._KEYS.items():
        assert f"{section}: {{" in README, section
        assert userconfig._SECTIONS[section] in README, section
        for key in keys:
            assert f"{key}: " in README or f"`{key}`" in README, f"{section}.{key}"
    for api in (*userconfig.APIS, *userconfig.RERANK_APIS):
        assert api in README, api
    [example] = re.findall(r"```yaml\n(llm: .*?)```", README, flags=re.DOTALL)
    key = '"' + "x" * 8 + '"'
    found = userconfig.parse_user_config(example.replace('"…"', key).encode(), {}, "README.md")
    assert found.llm
    assert found.embedder
    assert found.reranker
    assert found.reranker.api == "cohere"


def test_every_part_and_constant_of_ranking_stands_in_the_readme_with_its_default() -> None:
    told: dict[str, str] = {}
    parts = set()
    for row in re.findall(r"^\| .+ \|$", README.partition("### Ranking")[2].partition("### ")[0], flags=re.MULTILINE):
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        parts |= set(re.findall(r"`(\w+)`", cells[0])) if len(cells) == 4 else set()
        names, defaults = re.findall(r"`(\w+)`", cells[-3]), cells[-2].split(", ")
        told |= dict(zip(names, defaults, strict=True)) if names else {}
    assert parts == set(PARTS)
    assert told == {name: shown(name) for name in NAMES}


def test_every_property_of_a_note_is_promised(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("a.md", "---\nid: 7\n---\n# A\n\n## B\n\nThe password is hunter2hunter2, see [[Boat]].\n")
    box.sync()
    for path, content in box.notes().items():
        if path.endswith(".base"):  # Obsidian's own format
            continue
        for key in re.findall(r"^([a-z_0-9]+):", content.decode(), flags=re.MULTILINE):
            assert f"`{key}`" in FORMAT, f"{key} of {path}"
    assert parse_chunk_note(next(c for p, c in box.notes().items() if p.startswith("wiki/raw")).decode())


def test_the_architecture_names_every_room_and_is_short() -> None:
    assert len(ARCHITECTURE.splitlines()) < 200
    for folder in (REPO / "vaultmem").iterdir():
        if folder.is_dir() and not folder.name.startswith("__"):
            assert f"{folder.name}/" in ARCHITECTURE, folder.name
    for file in re.findall(r"`((?:app|core|store|sources|providers|surfaces)/[a-z_/]+\.py)`", ARCHITECTURE):
        assert (REPO / "vaultmem" / file).exists(), file


@pytest.mark.nightly
def test_help_is_there_at_once() -> None:
    """At most 150 ms more than Python itself, in CPU time. Nightly, since a busy machine counts double; what is always
    tested is that nothing heavy is loaded.
    """

    def seconds(*command: str) -> float:
        best = 9.0
        for _ in range(5):
            before = os.times()
            subprocess.run([sys.executable, *command], check=True, capture_output=True, cwd=REPO)
            after = os.times()
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            best = min(best, spent)
        return best

    assert seconds("-m", "vaultmem", "--help") - seconds("-c", "pass") < 0.15


def test_help_needs_no_heavy_module() -> None:
    code = (
        "import sys, click.testing as t\nfrom vaultmem.surfaces.cli import cli\n"
        "assert t.CliRunner().invoke(cli, ['recall', '--help']).exit_code == 0\n"
        "heavy = {'numpy', 'apsw', 'tiktoken', 'watchdog', 'yaml', 'markdown_it', 'rich'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=REPO)
