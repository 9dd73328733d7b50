"""`vaultmem obsidian install`: the plugin that the package carries, in a vault's own folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.program import program, run
from tests.vaults import REPO, Box
from vaultmem.surfaces.cli_obsidian import FILES, built_plugin

PLUGIN = ".obsidian/plugins/vaultmem"


def install(box: Box, *given: str, code: int = 0) -> str:
    done = run(box, "obsidian", "install", *given)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_the_package_carries_what_obsidian_loads() -> None:
    plugin = built_plugin()
    assert set(plugin) == set(FILES)
    manifest = json.loads(plugin["manifest.json"])
    assert manifest["id"] == "vaultmem"
    assert manifest["isDesktopOnly"] is True
    assert manifest == json.loads((REPO / "obsidian-plugin" / "manifest.json").read_bytes())
    assert plugin["styles.css"] == (REPO / "obsidian-plugin" / "styles.css").read_bytes()
    assert b'require("obsidian")' in plugin["main.js"]


def test_it_is_put_into_the_vault_and_says_what_to_do(box: Box) -> None:
    told = install(box)
    folder = box.root / PLUGIN
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == built_plugin()
    assert "was not opened in Obsidian before" in told
    assert "Turn on community plugins" in told
    again = json.loads(install(box, "--json"))
    assert (again["written"], again["before"], again["made_settings"]) == ([], again["plugin_version"], False)


def test_the_program_is_named_outside_the_vault(box: Box) -> None:
    program = json.loads(install(box, "--json"))["program"]
    assert Path(program).is_absolute()
    assert (box.data / "program.txt").read_text(encoding="utf-8") == f"{program}\n"
    assert program not in "".join(path.read_text() for path in (box.root / PLUGIN).iterdir())


def test_an_older_one_is_replaced_and_its_settings_stay(box: Box) -> None:
    folder = box.root / PLUGIN
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text('{"version": "0.0.1"}')
    (folder / "main.js").write_text("old")
    (folder / "data.json").write_text('{"limit": 7}')
    told = install(box)
    assert "brought from 0.0.1" in told
    assert "off and on again" in told
    assert (folder / "data.json").read_text() == '{"limit": 7}'
    assert (folder / "main.js").read_bytes() == built_plugin()["main.js"]
    (folder / "manifest.json").write_text("[no json")
    assert json.loads(install(box, "--json"))["written"] == ["manifest.json"]


def test_it_is_no_note_and_no_drift(box: Box) -> None:
    install(box)
    box.sync()
    box.digest()


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_is_not_followed(box: Box, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (box.root / ".obsidian/plugins").mkdir(parents=True)
    (box.root / PLUGIN).symlink_to(elsewhere)
    assert "this is a link" in install(box, code=1)
    assert not list(elsewhere.iterdir())


def test_another_settings_folder(box: Box) -> None:
    install(box, "--config-dir", ".obsidian-work")
    assert (box.root / ".obsidian-work/plugins/vaultmem/main.js").is_file()
    assert "the name of a folder" in install(box, "--config-dir", "../out", code=1)
    none = program("--vault", str(box.root / "none"), "obsidian", "install", environ=box.environ)
    assert "no vault" in none.stderr
