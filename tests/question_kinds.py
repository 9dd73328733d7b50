"""Questions as text: `vault.txt` of a folder is what was dropped (`=== file name`, then its text), the other files are
questions (`?`) and words of the passage that answers (`>`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.vaults import Box
from vaultmem.memory import Memory

CASES = Path(__file__).parent / "cases/question_kinds"
#: Hits that are looked at.
FIRST = 3


@contextmanager
def dropped(folder: Path, root: Path, embedder: str) -> Iterator[Memory]:
    """A vault into which all of the folder's files went."""
    box = Box(root, embedder=embedder)
    parts = re.split(r"^=== (.+)\n", (folder / "vault.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        box.write(name, text)
    box.sync()
    with box.open() as found:
        yield found


def cases(folder: Path, kind: str) -> list[tuple[str, str]]:
    """(question, words of its answer)."""
    text = (folder / f"{kind}.txt").read_text(encoding="utf-8")
    return re.findall(r"^\? (.+)\n> (.+)$", text, flags=re.MULTILINE)
