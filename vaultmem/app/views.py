"""Tables and graph colours for Obsidian: written once, then the reader's own.

What was ever made is named in the vault itself, so that neither a rebuilt index nor another machine makes again what a
person deleted.
"""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.app.engine import Engine
from vaultmem.core.notes.bases import GRAPH, OBSIDIAN, base_files, graph_settings
from vaultmem.core.notes.review import REVIEW, REVIEW_TITLE
from vaultmem.errors import VaultmemError
from vaultmem.grown import Link
from vaultmem.model import NoteFile

#: One path a line.
MADE = ".vaultmem/made.txt"


def make_views(engine: Engine) -> dict[str, str]:
    """Make each file that was never made here; one that stands there already counts as made. path -> problem."""
    made = _made(engine)
    wanted = {path: text for path, text in _wanted(engine).items() if path not in made}
    refused: dict[str, str] = {}
    for path, text in wanted.items():
        try:
            if engine.vault.stat(path) is None:
                engine.vault.put(path, text.encode())
        except VaultmemError as problem:  # a table is worth no failed pass
            refused[path] = str(problem)
    done = sorted(made | (wanted.keys() - refused.keys()))
    if len(done) > len(made):
        engine.vault.write([NoteFile(path=MADE, content="".join(f"{path}\n" for path in done).encode())])
    return refused


def view_links(engine: Engine) -> list[Link]:
    """The tables that are there, and the open questions."""
    links = [Link(path=path, alias=path.rpartition("/")[2].removesuffix(".base")) for path in base_files()]
    links.append(Link(path=REVIEW, alias=REVIEW_TITLE))
    return [link for link in links if engine.vault.stat(link.path) is not None]


def _made(engine: Engine) -> frozenset[str]:
    try:
        return frozenset(engine.vault.read(MADE).decode("utf-8", "replace").splitlines())
    except FileNotFoundError:
        return frozenset()


def _wanted(engine: Engine) -> Mapping[str, str]:
    """The graph's colours only where Obsidian has settings of this vault alone: a link leads to those of several."""
    settings = engine.vault.root / OBSIDIAN
    graph = {GRAPH: graph_settings()} if settings.is_dir() and not settings.is_symlink() else {}
    return {**base_files(), **graph}
