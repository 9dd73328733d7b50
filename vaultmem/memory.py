"""Opens a vault: the one place where adapters are chosen, and the public face of the package.

from vaultmem import open_vault
with open_vault("~/Notes") as memory:
    memory.ingest(["chat.txt"])
    for hit in memory.recall("what did we decide?").hits:
        print(hit.note_path, hit.lines, hit.content)
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from vaultmem.answers import EntityResponse, Filters, QueryResponse
from vaultmem.app import recall as app_recall
from vaultmem.app.embed import embed_pending, missing_vectors
from vaultmem.app.engine import Engine
from vaultmem.config import CONFIG_PATH, Settings, parse_settings
from vaultmem.errors import BadQuery, NoEmbedder, NoVault, VaultBusy
from vaultmem.providers.clock import clock, system_zone
from vaultmem.providers.embedders import EmbedderChoice, resolve_embedder
from vaultmem.providers.tokens import count_tokens
from vaultmem.store.data import DataFolder, data_folder
from vaultmem.store.index import SqliteIndex, open_index
from vaultmem.store.intake import DiskIntake, existing
from vaultmem.store.layout import InitReport, find_vault, make_vault, sweep
from vaultmem.store.lock import holder, writer_lock
from vaultmem.store.vault import DiskVault

if TYPE_CHECKING:
    from vaultmem.app.doctor import Diagnosis
    from vaultmem.app.explain import Dropped, Explained
    from vaultmem.app.secrets import FoundSecrets
    from vaultmem.app.status import Rebuilt, Status, Verified
    from vaultmem.app.sync import FileReport, SyncReport

#: Seconds another writer is waited for (DESIGN §8).
_PATIENCE = 60.0
_WATCHER = "watch"
#: Passages among which `explain` looks for the one asked about.
_EXPLAINED = 200

__all__ = [
    "Diagnosis",
    "Dropped",
    "EntityResponse",
    "Explained",
    "FileReport",
    "FoundSecrets",
    "InitReport",
    "Memory",
    "QueryResponse",
    "Rebuilt",
    "Status",
    "SyncReport",
    "Verified",
    "find_vault",
    "init_vault",
    "open_vault",
]


#: Results named here are loaded when asked for: a question must not pay for the half that writes.
_ON_DEMAND = {
    "Diagnosis": "doctor", "Dropped": "explain", "Explained": "explain", "FileReport": "sync",
    "FoundSecrets": "secrets", "Rebuilt": "status", "Status": "status", "SyncReport": "sync", "Verified": "status",
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
    progress: Callable[[str], None] = lambda _: None,
) -> Memory:
    """Open a vault that `init` prepared. The environment is read here, once. Raises NoVault, BadConfig.

    `waits`: a question to a cold index builds it first; without, it is answered from what is there and says so.
    `progress`: told in a few words what long work is at; often, and from any thread.
    """
    environ = os.environ if environ is None else environ
    root = Path(path).expanduser().absolute()
    if not (root / ".vaultmem").is_dir():
        raise NoVault(str(root))
    config = root / CONFIG_PATH
    settings = parse_settings(config.read_bytes() if config.exists() else b"", str(config))
    data, now = data_folder(root, environ=environ), clock(environ)
    return Memory(root, settings, data, now=now, command=command, waits=waits, progress=progress)


class Memory:
    """An open vault. Readers never wait for writers; one process writes at a time."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        data: DataFolder,
        *,
        now: Callable[[], datetime],
        command: str,
        waits: bool,
        progress: Callable[[str], None],
    ) -> None:
        self._waits = waits
        self._data = data
        self._settings = settings
        self._command = command
        self._index: SqliteIndex = open_index(data.index_path)
        vault = DiskVault(root)
        self._disk = vault
        self._intake = DiskIntake(vault, data, inbox=settings.inbox, max_file_mb=settings.max_file_mb)
        self._engine = Engine(
            vault=vault,
            index=self._index,
            intake=self._intake,
            settings=settings,
            count=count_tokens,
            now=now,
            wall=time.time,
            sleep=time.sleep,
            embedder=lambda: self._choice.embedder,
            progress=progress,
        )

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the index back."""
        self._index.close()

    @property
    def settings(self) -> Settings:
        """What is in force."""
        return self._settings

    # --- writing ---------------------------------------------------------------------------------------------------

    def ingest(self, paths: Sequence[str | Path]) -> SyncReport:
        """Copy files or folders into the inbox and take them all the way.

        While `watch` runs they are handed to it through the inbox. Raises NotFound before anything is copied.
        """
        from vaultmem.app.sync import FileReport, SyncReport

        named = existing(paths)
        if self.watched:
            names, left_out = self._intake.copy_all(named)
            handed = "handed to the running 'vaultmem watch' through the inbox"
            files = tuple(FileReport(file=name, outcome="skipped", reason=handed) for name in names)
            report = SyncReport(files=files, jobs=self._index.queue.counts())
        else:
            with self._writing():
                names, left_out = self._intake.copy_all(named)
                report = self._pass(frozenset(names))
        rows = [row for row in report.files if row.file in names]
        rows += [FileReport(file=name, outcome="skipped", reason=reason) for name, reason in left_out]
        return replace(report, files=tuple(rows))

    def sync(self) -> SyncReport:
        """Once: take over edits by hand, empty the inbox, bring the registry up to date."""
        with self._writing():
            return self._pass(frozenset())

    def _pass(self, fresh: frozenset[str]) -> SyncReport:
        """One pass, with a line in the log for every file."""
        from vaultmem.app.sync import sync

        report = sync(self._engine, fresh=fresh)
        for row in report.files:
            self._data.log(f"{self._engine.now():%Y-%m-%dT%H:%M:%SZ} {row.line(self._settings.redact_pii)}")
        return report

    def watch(self, say: Callable[[str], None], *, until: Callable[[], bool] = lambda: False) -> None:
        """The same, live, until `until()` or Ctrl-C. A second watcher learns who holds the vault."""
        from vaultmem.app.watch import watch_loop
        from vaultmem.store.watch import Watch

        with (
            self._writing(patience=0.0),
            Watch(self._disk.root, mode=self._settings.watcher, written=self._disk.written, notice=say) as changes,
        ):
            watch_loop(self._engine, changes, say, until=until)

    def drop(self, paths: Sequence[str | Path]) -> tuple[str, ...]:
        """Copy files or folders into the inbox and no further; the names they got there. Raises NotFound."""
        names, left_out = self._intake.copy_all(existing(paths))
        if not names:
            raise BadQuery("path", str(paths[0]), left_out[0][1] if left_out else "a file, or a folder that holds some")
        return tuple(names)

    def drop_text(self, text: str, title: str) -> str:
        """Put a text into the inbox as a Markdown file; the name it got there."""
        return self._intake.put_text(title, text)

    def take(self, names: Sequence[str]) -> SyncReport:
        """Take files that `drop` put into the inbox all the way, as `ingest` does."""
        return self.ingest([self._disk.root / self._settings.inbox / name for name in names])

    @property
    def watched(self) -> bool:
        """Whether a running `watch` takes what is dropped."""
        return holder(self._data).startswith(_WATCHER)

    def embed_pending(self, max_seconds: float) -> int:
        """Give passages without a vector theirs, for so long at most; how many texts were embedded.

        Takes no writer lock: it writes no note, and vectors are found by what they were made of. Raises NoEmbedder.
        """
        choice = self._choice
        if choice.embedder is None:
            raise NoEmbedder(choice.cause)
        end = time.monotonic() + max_seconds
        return embed_pending(self._index, choice.embedder, limit=sys.maxsize, until=lambda: time.monotonic() >= end)

    @cached_property
    def _choice(self) -> EmbedderChoice:
        return resolve_embedder(self._settings)

    def rebuild(self) -> Rebuilt:
        """Make the index anew from the notes; writes no note."""
        from vaultmem.app.status import Rebuilt
        from vaultmem.app.sync import build

        with self._writing():
            self._index.clear()
            done = build(self._engine)
            return Rebuilt(notes=self._index.counts()["notes"], digest=self._index.digest(), problems=done.problems)

    @contextmanager
    def _writing(self, patience: float = _PATIENCE) -> Iterator[None]:
        """Hold the writer lock; leftovers of killed runs are swept first."""
        with writer_lock(self._data, holder=self._command, timeout=patience):
            sweep(self._disk, self._data, inbox=self._settings.inbox)
            yield

    # --- reading ---------------------------------------------------------------------------------------------------

    def recall(
        self,
        text: str,
        *,
        k: int = 10,
        source: str = "",
        kind: str = "",
        since: str = "",
        until: str = "",
        entity: str = "",
        tag: str = "",
        dropped: bool = False,
    ) -> QueryResponse:
        """Passages that answer `text`, best first. `since`/`until`: ISO day or time. Raises BadQuery."""
        filters = Filters(
            source=source,
            kind=kind,
            since=app_recall.read_moment("since", since, self._settings.zone),
            until=app_recall.read_moment("until", until, self._settings.zone, is_end=True),
            entity=entity,
            tag=tag,
            dropped=dropped,
        )
        missing = self._catch_up()
        found = app_recall.recall(
            self._index,
            self._disk,
            text,
            k=k,
            filters=filters,
            now=self._engine.now(),
            zone=self._settings.zone,
            embedder=self._choice.embedder,
            cause=self._choice.cause,
        )
        return replace(found, degraded="; ".join(part for part in (missing, found.degraded) if part))

    def _catch_up(self) -> str:
        """A cold index is built before the first answer; what is still missing, in words."""
        if self._waits or self._engine.is_built:
            return self.catch_up()
        from vaultmem.app.status import building

        return building(self._engine)

    def catch_up(self) -> str:
        """Build the index if it is cold; "" when it is whole, else in words why it is not."""
        if self._engine.is_built:
            return ""
        from vaultmem.app.sync import build

        end = time.monotonic() + _PATIENCE
        while not self._engine.is_built:  # whoever holds the vault builds it: a `watch` never gives it back
            try:
                with self._writing(patience=1.0):
                    if not self._engine.is_built:
                        build(self._engine)
            except VaultBusy as busy:
                if time.monotonic() >= end:
                    return f"index: still being built ({busy})"
        return ""

    def tree(self, mode: str, /, **arguments: object) -> QueryResponse | EntityResponse:
        """A mode of the tree, as `queries.TREE_MODES` lists them. Raises BadQuery, NotFound."""
        from vaultmem.app.tree import tree

        missing = self._catch_up()
        found = tree(self._engine, mode, arguments)
        return replace(found, degraded="; ".join(part for part in (missing, found.degraded) if part))

    def explain(self, identity: str, *, query: str = "") -> Explained:
        """Why this chunk or summary, by its id; with `query`, how it fared as an answer. Raises NotFound, BadQuery."""
        from vaultmem.app.explain import explain

        self._catch_up()
        answer = self.recall(query, k=_EXPLAINED, dropped=True) if query else None
        return explain(self._engine, identity, query=query, answer=answer)

    def dropped(self, limit: int = 20) -> Dropped:
        """What the gate did not keep, newest first."""
        from vaultmem.app.explain import list_dropped

        self._catch_up()
        return list_dropped(self._engine, limit)

    def status(self) -> Status:
        """What memory holds, what waits, what is stale, what is wrong."""
        from vaultmem.app.status import read_status

        return read_status(
            self._engine,
            data=str(self._data.path),
            writer=holder(self._data),
            index_state=self._index.state,
            vectors=missing_vectors(self._index, self._choice.embedder, self._choice.cause),
        )

    def doctor(self) -> Diagnosis:
        """What is wrong, and what to do about it; changes nothing."""
        from vaultmem.app.doctor import diagnose

        return diagnose(
            self.status(),
            self._settings,
            damage=self._index.check(),
            exposed=self._data.exposed(),
            dead=self._index.queue.dead(),
        )

    def secrets(self) -> FoundSecrets:
        """Where secrets stand in the vault's texts, the owner's own notes included; changes nothing."""
        return import_module("vaultmem.app.secrets").find_secrets(self._engine)  # type: ignore[no-any-return]

    def retry_jobs(self) -> int:
        """Give jobs that gave up another try at the next pass; how many."""
        return self._index.queue.retry_dead()

    def verify(self) -> Verified:
        """Compare the index with the notes."""
        from tempfile import TemporaryDirectory

        from vaultmem.app.status import verify

        self._catch_up()
        with TemporaryDirectory(prefix="verify-", dir=self._data.path) as folder:
            second = open_index(Path(folder) / "second.sqlite")
            try:
                return verify(self._engine, replace(self._engine, index=second))
            finally:
                second.close()


def init_vault(path: Path, *, inbox: str | None = None, environ: Mapping[str, str] | None = None) -> InitReport:
    """Make a folder a vault with memory. An existing non-empty folder becomes the inbox only when named."""
    zone = system_zone(os.environ if environ is None else environ)
    return make_vault(path.expanduser().absolute(), inbox=inbox or "", zone=zone)
