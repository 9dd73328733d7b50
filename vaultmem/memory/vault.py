"""An open vault: the ports of one folder, gathered, and what reading and writing share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.app.engine import Engine
from vaultmem.config import Settings
from vaultmem.errors import VaultBusy
from vaultmem.ports import Embedders
from vaultmem.providers.embedders import resolve_embedders
from vaultmem.providers.endpoint_state import EndpointState
from vaultmem.providers.tokens import count_tokens
from vaultmem.store.data import DataFolder
from vaultmem.store.history import GitHistory
from vaultmem.store.identity import forget_other_vault
from vaultmem.store.index import SqliteIndex, open_index
from vaultmem.store.intake import DiskIntake
from vaultmem.store.layout import keep_inbox, sweep
from vaultmem.store.lock import writer_lock
from vaultmem.store.private import PrivateFiles
from vaultmem.store.vault import DiskVault
from vaultmem.userconfig import UserConfig

if TYPE_CHECKING:
    from vaultmem.ports import Facts, Reranker
    from vaultmem.providers.llm import LlmClient

#: Where the data folder remembers whether the embedder's endpoint answers.
_EMBEDDER = "embedder"
#: …and the reranker's.
_RERANKER = "reranker"
#: Where it remembers what the last look at the changes saw.
LOOK = "look"
#: Seconds another writer is waited for (DESIGN §8).
PATIENCE = 60.0
#: Seconds between two looks at an index that another process builds.
_LOOK_EVERY = 0.25


class Opened:
    """The adapters of one vault, chosen. Readers never wait for writers; one process writes at a time."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        data: DataFolder,
        *,
        user: UserConfig,
        now: Callable[[], datetime],
        command: str,
        waits: bool,
        sources: tuple[str, ...],
        progress: Callable[[str], None],
        notice: Callable[[str], None],
        warning: Callable[[str], None],
    ) -> None:
        self._waits = waits
        self._sources = sources
        self._data = data
        self._settings = settings
        self._user = user
        self._command = command
        self._index: SqliteIndex = open_index(data.index_path, warning)
        vault = DiskVault(root)
        self._disk = vault
        self._history: GitHistory | None = None
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
            embedder=lambda: self._embedders.current,
            llm=lambda: self._llm,
            facts=lambda: self._facts,
            history=self._find_history,
            notice=notice,
            progress=progress,
        )

    def _find_history(self) -> GitHistory | None:
        """The repository the vault lies in; one that is made later is found then."""
        self._history = self._history or GitHistory.find(self._disk.root)
        return self._history

    @property
    def _private(self) -> PrivateFiles:
        """The data folder, as forgetting sees it."""
        return PrivateFiles(self._data, self._disk.root)

    def close(self) -> None:
        """Give the index back."""
        self._index.close()

    @property
    def settings(self) -> Settings:
        """What is in force."""
        return self._settings

    @contextmanager
    def _writing(self, patience: float = PATIENCE) -> Iterator[None]:
        """Hold the writer lock; leftovers of killed runs are swept first."""
        with writer_lock(self._data, holder=self._command, timeout=patience):
            keep_inbox(self._disk.root, self._settings.inbox)
            sweep(self._disk, self._data, inbox=self._settings.inbox)
            forget_other_vault(self._disk, self._index)
            if self._private.journal():
                from vaultmem.app.forget import finish_forgetting

                finish_forgetting(self._engine, self._private)
            yield

    @cached_property
    def _llm(self) -> LlmClient | None:
        if self._user.llm is None:
            return None
        from vaultmem.providers.llm import LlmClient  # a question needs no model

        return LlmClient(self._user.llm)

    @cached_property
    def _facts(self) -> Facts:
        """Notes of this vault, or the service that the user named."""
        if self._user.facts is None:
            from vaultmem.store.facts_notes import NoteFacts

            return NoteFacts(self._disk, self._data)
        from vaultmem.providers.agentmemory import AgentMemory

        return AgentMemory(self._user.facts)

    @cached_property
    def _embedders(self) -> Embedders:
        """The same for reading and writing."""
        found = resolve_embedders(self._settings, self._user, lambda: self._endpoint_state(_EMBEDDER))
        return Embedders(current=found.current, cause=found.cause, former=found.former)

    @cached_property
    def _reranker(self) -> Reranker | None:
        """The one the user named; there is no other."""
        if self._user.reranker is None:
            return None
        from vaultmem.providers.endpoint_reranker import EndpointReranker

        return EndpointReranker(self._user.reranker, self._endpoint_state(_RERANKER))

    def _endpoint_state(self, name: str) -> EndpointState:
        data = self._data
        return EndpointState(
            read=lambda: data.remembered(name), write=lambda text: data.remember(name, text), wall=time.time
        )

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

        end = time.monotonic() + PATIENCE
        while not self._engine.is_built:  # whoever holds the vault builds it: a `watch` never gives it back
            try:
                with self._writing(patience=_LOOK_EVERY):
                    if not self._engine.is_built:
                        build(self._engine)
            except VaultBusy as busy:
                if time.monotonic() >= end or self._engine.has_words:
                    return f"index: still being built ({busy})"
        return ""
