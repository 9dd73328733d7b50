"""`vaultmem obsidian install`: the plugin for Obsidian, as this package carries it."""

from __future__ import annotations

import shutil
import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.surfaces.command import common, named_vault, print_result

if TYPE_CHECKING:
    from vaultmem.memory import Installed

#: Of the built plugin; `npm run build` in obsidian-plugin/ makes them.
FILES = ("main.js", "manifest.json", "styles.css")


@click.group()
def obsidian() -> None:
    """The plugin for Obsidian."""


@obsidian.command()
@click.option("--config-dir", default=".obsidian", show_default=True, help="Obsidian's settings folder in the vault.")
@common
def install(config_dir: str) -> None:
    """Put the plugin into the vault's Obsidian, or bring it up to date. Its settings stay."""
    from vaultmem.memory import find_vault, install_plugin

    done = install_plugin(find_vault(named_vault()), built_plugin(), settings=config_dir, program=program())
    print_result(done.to_dict(), lambda: show_installed(done))


def built_plugin() -> dict[str, bytes]:
    """File name -> bytes."""
    folder = files("vaultmem.surfaces").joinpath("obsidian_plugin")
    return {name: folder.joinpath(name).read_bytes() for name in FILES}


def program() -> str:
    """The absolute path of this very program; "" when it was started in another way."""
    name = "vaultmem.exe" if sys.platform == "win32" else "vaultmem"
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.is_file() else shutil.which("vaultmem")
    return str(Path(found).absolute()) if found else ""


def show_installed(done: Installed) -> str:
    """What was done, and what is left to do in Obsidian."""
    if not done.written:
        first = f"plugin {done.plugin_version} stands in {done.folder} already"
    elif done.before and done.before != done.plugin_version:
        first = f"plugin brought from {done.before} to {done.plugin_version} in {done.folder}"
    else:
        first = f"plugin {done.plugin_version} put into {done.folder}"
    lines = [first]
    if done.made_settings:
        lines.append("this folder was not opened in Obsidian before: its settings folder was made")
    if done.program:
        lines.append(f"it starts {done.program} on this computer")
    lines += [
        "",
        "In Obsidian:",
        "  1. open this folder as a vault",
        "  2. Settings -> Community plugins -> Turn on community plugins",
        "  3. switch 'vaultmem' on in the list (the round arrow reads the list anew)",
        "  4. run 'vaultmem: Open recall' from the command palette",
    ]
    if done.before:
        lines.append("If it was switched on: switch it off and on again, or restart Obsidian.")
    return "\n".join(lines)
