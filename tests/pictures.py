"""The pictures of the README, made of what the program really says.

    python -m tests.pictures

A terminal with an answer and a day's digest, as SVG, from a copy of the sample vault at a fixed clock. With the
plugin's browser tests run before (`npm run test:browser` in obsidian-plugin/), their shot of the pane as PNG too.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from tests.terminal import on_terminal
from tests.vaults import REPO

FOLDER = REPO / ".readme"
PANE = REPO / "obsidian-plugin/shots/recall-full-narrow-light.png"
QUESTION = "when does the exhibition open?"
DAY = "wiki/summaries/global/daily/2026-03-02.md"
_WIDTH = 110


def main() -> None:
    """Write the pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "Notes"
        shutil.copytree(REPO / "sample_vault", vault)
        environ = {
            "VAULTMEM_DATA": f"{folder}/data",
            "VAULTMEM_NOW": "2026-06-01T12:00:00Z",
            "COLUMNS": str(_WIDTH),
            "TERM": "xterm",
        }
        _vaultmem(vault, environ, "sync")
        answer = _vaultmem(vault, environ, "recall", "-k", "3", QUESTION)
    _save("terminal", "vaultmem", Text(f'$ vaultmem recall -k 3 "{QUESTION}"\n') + Text.from_ansi(answer))
    note = (REPO / "sample_vault" / DAY).read_text(encoding="utf-8")
    _save("digest", DAY, Markdown(_shown(note)))
    if PANE.exists():
        shutil.copyfile(PANE, FOLDER / "pane.png")


def _vaultmem(vault: Path, environ: dict[str, str], *arguments: str) -> str:
    """What the command shows on a terminal."""
    command = [sys.executable, "-m", "vaultmem", "--vault", str(vault), *arguments]
    return on_terminal(command, {**os.environ, **environ}).rstrip()


def _shown(note: str) -> str:
    """The note's body as Obsidian shows it: links by their other name."""
    body = note.split("---\n", 2)[2]
    return re.sub(r"\[\[[^\]|]*\|([^\]]*)\]\]", r"*\1*", body)


def _save(name: str, title: str, what: Text | Markdown) -> None:
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=_WIDTH, file=nowhere, force_terminal=True, legacy_windows=False)
        console.print(what)
        drawn = console.export_svg(title=title, unique_id=f"vaultmem-{name}")
    # A picture asks for no font from anywhere.
    drawn = re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL).replace("Fira Code", "DejaVu Sans Mono")
    (FOLDER / f"{name}.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
