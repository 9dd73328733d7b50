"""Opens a vault: the one place where adapters are chosen, and the public face of the package.

from vaultmem import open_vault
with open_vault("~/Notes") as memory:
    memory.ingest(["chat.txt"])
    for hit in memory.recall("what did we decide?").hits:
        print(hit.note_path, hit.lines, hit.content)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from vaultmem.answers import EntityResponse, QueryResponse, SourceResponse
from vaultmem.config import CONFIG_PATH, parse_settings
from vaultmem.errors import NoVault
from vaultmem.forgetting import Receipt
from vaultmem.memory.knowing import Knowing
from vaultmem.memory.sessions import Sessions
from vaultmem.providers.clock import clock, system_zone
from vaultmem.providers.userfile import read_user_config
from vaultmem.store.data import data_folder
from vaultmem.store.layout import InitReport, find_vault, make_vault
from vaultmem.store.plugin import Installed
from vaultmem.store.plugin import install_plugin as put_plugin

if TYPE_CHECKING:
    from vaultmem.app.doctor import Diagnosis
    from vaultmem.app.explain import Dropped, Explained
    from vaultmem.app.graph import EntityGraph
    from vaultmem.app.modes_global import DigestView
    from vaultmem.app.modes_topic import TopicList
    from vaultmem.app.passed import SyncReport
    from vaultmem.app.secrets import FoundSecrets
    from vaultmem.app.status import Rebuilt, Status, Verified
    from vaultmem.app.sync import FileReport
    from vaultmem.app.tree import TreeAnswer

__all__ = [
    "Diagnosis",
    "DigestView",
    "Dropped",
    "EntityGraph",
    "EntityResponse",
    "Explained",
    "FileReport",
    "FoundSecrets",
    "InitReport",
    "Installed",
    "Memory",
    "QueryResponse",
    "Rebuilt",
    "Receipt",
    "SourceResponse",
    "Status",
    "SyncReport",
    "TopicList",
    "Verified",
    "find_vault",
    "init_vault",
    "install_plugin",
    "open_vault",
]


#: Results named here are loaded when asked for: a question must not pay for the half that writes.
_ON_DEMAND = {
    "Diagnosis": "doctor", "Dropped": "explain", "Explained": "explain", "FileReport": "sync",
    "FoundSecrets": "secrets", "Rebuilt": "status", "Status": "status", "SyncReport": "passed", "Verified": "status",
    "DigestView": "modes_global", "EntityGraph": "graph", "TopicList": "modes_topic",
}  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _ON_DEMAND:
        raise AttributeError(name)
    return getattr(import_module(f"vaultmem.app.{_ON_DEMAND[name]}"), name)


def open_vault(
    path: str | Path,
    *,
    command: str = "python",
    environ: Mapping[str, str] | None = None,
    waits: bool = True,
    sources: tuple[str, ...] = (),
    progress: Callable[[str], None] = lambda _: None,
    notice: Callable[[str], None] = lambda _: None,
    warning: Callable[[str], None] = lambda _: None,
) -> Memory:
    """Open a vault that `init` prepared. The environment is read here, once. Raises NoVault, BadConfig.

    `waits`: a question to a cold index builds it first; without, it is answered from what is there and says so.
    `sources`: the only ones that passages may come from, each like the filter of recall; none: all.
    `progress`: told in a few words what long work is at; often, and from any thread. `notice`: told what is about to
    cost money. `warning`: told, in one line, what was found damaged and is made anew.
    """
    environ = os.environ if environ is None else environ
    root = Path(path).expanduser().absolute()
    if not (root / ".vaultmem").is_dir():
        raise NoVault(str(root))
    config = root / CONFIG_PATH
    settings = parse_settings(config.read_bytes() if config.exists() else b"", str(config))
    user = read_user_config(environ, root)
    data, now = data_folder(root, environ=environ), clock(environ)
    return Memory(
        root, settings, data, user=user, now=now, command=command, waits=waits, progress=progress, notice=notice,
        warning=warning, sources=sources,
    )  # fmt: skip


class Memory(Sessions, Knowing):
    """An open vault, whole."""

    def tree(self, mode: str, /, **arguments: object) -> TreeAnswer:
        """A mode of the tree, as `queries.TREE_MODES` lists them; one of them writes. Raises BadQuery, NotFound."""
        return self.ingest_document(**arguments) if mode == "ingest_document" else super().tree(mode, **arguments)

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def init_vault(path: Path, *, inbox: str | None = None, environ: Mapping[str, str] | None = None) -> InitReport:
    """Make a folder a vault with memory. An existing non-empty folder becomes the inbox only when named."""
    zone = system_zone(os.environ if environ is None else environ)
    return make_vault(path.expanduser().absolute(), inbox=inbox or "", zone=zone)


def install_plugin(
    root: Path, files: Mapping[str, bytes], *, settings: str, program: str, environ: Mapping[str, str] | None = None
) -> Installed:
    """Put the Obsidian plugin's files into a vault's settings folder. Raises NoVault, BadQuery, OSError."""
    environ = os.environ if environ is None else environ
    return put_plugin(root, files, settings=settings, program=program, environ=environ)
