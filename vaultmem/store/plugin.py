"""The Obsidian plugin's own folder in a vault, and where the plugin finds the program on this computer.

What the plugin's user chose (`data.json`) stays. The program's path lies in the user's data folder, never in the vault:
a vault that somebody shared must not name what is run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from vaultmem.errors import BadQuery, NoVault
from vaultmem.store import atomic
from vaultmem.store.data import data_base

PLUGIN = "vaultmem"
#: One line: the absolute path of the program.
PROGRAM = "program.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What `obsidian install` did."""

    #: the plugin's folder
    folder: str
    plugin_version: str
    #: of the plugin that stood there; "" for none
    before: str
    #: files that were written; empty when all stood there as they are
    written: tuple[str, ...]
    #: the vault had no settings folder of Obsidian's: it was made
    made_settings: bool
    #: where the plugin is told to find the program; "" where it has to look for it
    program: str

    def to_dict(self) -> dict[str, object]:
        """The JSON of `obsidian install`."""
        return {**asdict(self), "written": list(self.written)}


def install_plugin(
    root: Path, files: Mapping[str, bytes], *, settings: str, program: str, environ: Mapping[str, str]
) -> Installed:
    """Put the plugin's files into `<settings>/plugins/vaultmem`. Raises NoVault, BadQuery, OSError."""
    if not (root / ".vaultmem").is_dir():
        raise NoVault(str(root))
    if settings in ("", ".", "..") or "/" in settings or "\\" in settings:
        raise BadQuery("config-dir", settings, "the name of a folder in the vault, like .obsidian")
    home = root / settings
    folder = home / "plugins" / PLUGIN
    for part in (folder.parent, folder, *(folder / name for name in files)):
        if part.is_symlink():
            raise BadQuery(
                "plugin", str(part), "a place of its own: this is a link, and what it leads to is left alone"
            )
    made_settings = not home.is_dir()
    before = _version(folder / "manifest.json")
    folder.mkdir(parents=True, exist_ok=True)
    written = tuple(name for name, data in files.items() if _put(folder / name, data))
    if program:
        _remember(data_base(environ), program)
    return Installed(
        folder=str(folder),
        plugin_version=json.loads(files["manifest.json"])["version"],
        before=before,
        written=written,
        made_settings=made_settings,
        program=program,
    )


def _put(path: Path, data: bytes) -> bool:
    """Whether it had to be written: equal bytes are left alone."""
    if path.is_file() and path.read_bytes() == data:
        return False
    atomic.replace_with(path, data)
    return True


def _version(manifest: Path) -> str:
    """Of the plugin that stands there, whatever a person made of its manifest."""
    try:
        found = json.loads(manifest.read_bytes())
    except (OSError, ValueError, RecursionError):
        return ""
    version = found.get("version") if isinstance(found, dict) else ""
    return version if isinstance(version, str) else ""


def _remember(base: Path, program: str) -> None:
    base.mkdir(parents=True, exist_ok=True, mode=0o700)
    _put(base / PROGRAM, f"{program}\n".encode("utf-8", "surrogateescape"))
