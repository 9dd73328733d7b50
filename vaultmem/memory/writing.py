"""The half of the public face that changes memory: drop, sync, watch, rebuild."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.answers import QueryResponse
from vaultmem.app.embed import embed_pending
from vaultmem.errors import BadQuery, NoEmbedder
from vaultmem.memory.vault import LOOK, Opened
from vaultmem.store.intake import existing, is_below
from vaultmem.store.lock import holder

if TYPE_CHECKING:
    from vaultmem.app.passed import SyncReport
    from vaultmem.app.status import Rebuilt
    from vaultmem.forgetting import Receipt
    from vaultmem.history import Committed

_WATCHER = "watch"


class Writing(Opened):
    """What changes memory. A question does not pay for its imports: they are made when called."""

    def ingest(self, paths: Sequence[str | Path]) -> SyncReport:
        """Copy files or folders into the inbox and take them all the way.

        While `watch` runs they are handed to it through the inbox. Raises NotFound before anything is copied.
        """
        from vaultmem.app.passed import SyncReport
        from vaultmem.app.sync import FileReport

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

    def sync(self, *, accept_deletions: bool = False) -> SyncReport:
        """Once: take over edits by hand, empty the inbox, bring the registry up to date.

        `accept_deletions`: however many notes are missing, they were deleted.
        """
        with self._writing():
            return self._pass(frozenset(), accept_deletions=accept_deletions)

    def _pass(self, fresh: frozenset[str], *, accept_deletions: bool = False) -> SyncReport:
        """One pass, with a line in the log for every file."""
        from vaultmem.app.rest import look, report_at_rest

        engine = replace(self._engine, accepts_deletions=accept_deletions)
        sight = look(engine)
        report = report_at_rest(engine, sight)
        if report is None:  # only now: what a pass imports takes longer than a look at thousands of notes
            from vaultmem.app.sync import whole_pass

            report = whole_pass(engine, sight, fresh=fresh)
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

    def drop(self, paths: Sequence[str | Path], *, within: bool = False) -> tuple[str, ...]:
        """Copy files or folders into the inbox and no further; the names they got there. Raises NotFound, BadQuery.

        `within`: only what lies in the vault.
        """
        for path in paths if within else ():
            if not is_below(Path(path), self._disk.root):
                raise BadQuery("path", str(path), "a file inside the vault; of others, send the text")
        names, left_out = self._intake.copy_all(existing(paths))
        if not names:
            raise BadQuery("path", str(paths[0]), left_out[0][1] if left_out else "a file, or a folder that holds some")
        return tuple(names)

    def drop_text(self, text: str, title: str) -> str:
        """Put a text into the inbox as a Markdown file; the name it got there."""
        return self._intake.put_text(title, text)

    def drop_document(self, **arguments: object) -> str:
        """Put a document, as `tree ingest_document` takes it, into the inbox; its name there. Raises BadQuery."""
        from vaultmem.app.modes_document import document_note

        _, title, note = document_note(arguments)
        return self._intake.put_text(title, note)

    def held_document(self, **arguments: object) -> QueryResponse:
        """The chunks that memory holds of such a document now."""
        from vaultmem.app.modes_document import document_hits, document_note

        return document_hits(self._engine, document_note(arguments)[0])

    def ingest_document(self, **arguments: object) -> QueryResponse:
        """Write a document into memory; the same source_id again replaces what was there. Raises BadQuery."""
        report = self.take([self.drop_document(**arguments)])
        told = "; ".join(row.reason for row in report.files if row.outcome in ("failed", "skipped"))
        return replace(self.held_document(**arguments), degraded=told)

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
        embedder = self._embedders.current
        if embedder is None:
            raise NoEmbedder(self._embedders.cause)
        end = time.monotonic() + max_seconds
        return embed_pending(
            self._index,
            embedder,
            limit=sys.maxsize,
            until=lambda: time.monotonic() >= end,
            tidy=self._engine.is_built,  # in the middle of a rebuild most texts stand nowhere
        )

    def rebuild(self) -> Rebuilt:
        """Make the index anew from the notes; writes no note. What is missing was deleted, however much it is."""
        from vaultmem.app.reconcile import bury_missing
        from vaultmem.app.status import Rebuilt
        from vaultmem.app.sync import build

        with self._writing():
            if self._engine.is_built:
                bury_missing(replace(self._engine, accepts_deletions=True))
            self._index.clear()
            done = build(self._engine)
            return Rebuilt(notes=self._index.counts()["notes"], digest=self._index.digest(), problems=done.problems)

    def forget(self, target: str, *, dry_run: bool = False) -> Receipt:
        """Forget a chunk, a note, a message (`m-…`), a person or project, or a source, for good.

        `dry_run`: only what would go; writes nothing. Raises NotFound, BadQuery.
        """
        from vaultmem.app.forget import forget

        if dry_run:
            self.catch_up()
            return forget(self._engine, self._private, target, dry_run=True)
        with self._writing():
            if not self._engine.is_built:
                import_module("vaultmem.app.sync").build(self._engine)
            self._data.remember(LOOK, "")  # it names notes
            return forget(self._engine, self._private, target, dry_run=False)

    def commit(self, text: str = "") -> Committed:
        """Commit memory's own files, and nothing else, to the branch that is checked out. `text`: what it says.

        Raises NoHistory, GitTrouble.
        """
        from vaultmem.store.commits import commit_memory
        from vaultmem.store.history import GitHistory

        now = self._engine.now().astimezone(self._settings.zone)
        return commit_memory(GitHistory.open(self._disk.root), text=text, now=now)

    def retry_jobs(self) -> int:
        """Give jobs that gave up, and texts an embedder refused, another try at the next pass; how many."""
        return self._index.retry_refused() + self._index.queue.retry_dead()
