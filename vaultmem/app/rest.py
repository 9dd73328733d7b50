"""A vault at rest: a pass left nothing to do and no file has changed since, so that the next pass need not look closer.

What was seen before a pass and after it is compared: a file that changed meanwhile, and not by our hand, may not have
been looked at, and the vault is not at rest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from vaultmem.app.buried import copies_of_own
from vaultmem.app.engine import Engine
from vaultmem.app.passed import Reconciled, SyncReport
from vaultmem.app.scheduler import is_due
from vaultmem.config import CONFIG_PATH
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.core.notes.paths import TOMBSTONES
from vaultmem.core.notes.selection import original_of
from vaultmem.core.notes.usage import USAGE
from vaultmem.model import FileStat
from vaultmem.ports import Scan

_REST = "rest"
#: Inputs of a pass that stand in a dot-folder, where no scan looks.
_HIDDEN = (CONFIG_PATH, TOMBSTONES, USAGE)
#: Where notes of memory stand.
_OURS = ("wiki/", "entities/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Everything on the disk that a pass may read, as it is."""

    files: Mapping[str, FileStat]
    #: folders that could not be listed
    unreadable: tuple[str, ...]
    #: links, what a cloud took away
    others: tuple[str, ...]
    #: copies beside memory's own files -> what each is a copy of
    copies: Mapping[str, str] = field(default_factory=dict)
    #: the look at the whole vault that `files` is made of
    scan: Scan

    @property
    def problems(self) -> dict[str, str]:
        """Folders of which a pass believes nothing, and what sync programs left beside notes of memory."""
        closed = dict.fromkeys(self.unreadable, "this folder cannot be read: what memory holds of it stays as it is")
        ours = (path for path in self.files if path.startswith(_OURS))
        first = {path: original for path in ours if (original := original_of(path)) in self.files}
        first |= {
            path: original for path, original in self.copies.items() if original != TOMBSTONES
        }  # those are united
        return {**closed, **{path: f"a conflicting copy of {first[path]}: keep one of the two" for path in first}}

    def state(self, engine: Engine) -> str:
        """A hash of it, and of what else decides what a pass does."""
        embedder = engine.embedder()
        held = sorted(engine.index.counts().items())
        told = [
            repr(engine.settings),
            embedder.name if embedder else "",
            repr(held),
            *self.unreadable,
            "",
            *self.others,
        ]
        told += [f"{path} {stat.size} {stat.mtime_ns}" for path, stat in self.files.items()]
        return sha256_hex("\n".join(told).encode("utf-8", "surrogatepass"))


def look(engine: Engine) -> Sight:
    """Look at every file of the vault."""
    scan = engine.vault.scan("", suffix="")
    hidden = {path: stat for path in _HIDDEN if (stat := engine.vault.stat(path))}
    copies = copies_of_own(engine)
    hidden |= {path: stat for path, (_, stat) in copies.items()}
    others = (*scan.links, "", *scan.offloaded, "", *scan.hollow)
    return Sight(
        files={**scan.files, **hidden},
        unreadable=scan.unreadable,
        others=others,
        copies={path: first for path, (first, _) in copies.items()},
        scan=scan,
    )


def rest_of(engine: Engine, sight: Sight) -> Mapping[str, Mapping[str, str]] | None:
    """What the last pass reported, where the vault has been at rest since; None where a pass has to look."""
    known = engine.index.get_meta(_REST)
    if not known or not _is_idle(engine):
        return None
    found = json.loads(known)
    return found["report"] if found["state"] == sight.state(engine) else None


def report_at_rest(engine: Engine, sight: Sight) -> SyncReport | None:
    """What a pass says that need not look closer: what was wrong still is. None where it has to."""
    left = None if engine.accepts_deletions else rest_of(engine, sight)
    if left is None:
        return None
    engine.mark_built()
    return SyncReport(
        reconciled=Reconciled(problems=left["problems"]),
        entity_problems=left["entity_problems"],
        jobs=engine.index.queue.counts(),
    )


def remember_rest(engine: Engine, before: Sight, report: Mapping[str, Mapping[str, str]]) -> None:
    """A pass is over that began with `before` in sight and left nothing for later."""
    after = look(engine)
    paths = {
        path for path in before.files.keys() | after.files.keys() if before.files.get(path) != after.files.get(path)
    }
    quiet = (before.unreadable, before.others) == (after.unreadable, after.others) and all(
        engine.vault.is_ours(path) for path in paths
    )
    text = (
        json.dumps({"state": after.state(engine), "report": report}, sort_keys=True)
        if quiet and _is_idle(engine)
        else ""
    )
    if text != engine.index.get_meta(_REST):
        engine.index.set_meta(_REST, text)


def _is_idle(engine: Engine) -> bool:
    """Nothing waits: no file, no job, no time of day, no answer of a model, no vector."""
    if engine.intake.files() or engine.intake.claims() or is_due(engine):
        return False
    if any(row.ready or row.running or row.waiting for row in engine.index.queue.backlog()):
        return False
    if engine.llm() is not None and engine.index.counts()["pending"]:
        return False
    embedder = engine.embedder()
    if embedder is None:
        return True
    have, want = engine.index.vector_counts(embedder.signature)
    return have >= want
