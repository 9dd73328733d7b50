"""What memory holds and whether it is up to date: counted on the disk, not believed from the index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from vaultmem.app.asking import read_state
from vaultmem.app.conflicts import open_conflicts
from vaultmem.app.copies import copies, node_copies
from vaultmem.app.embed import VectorState
from vaultmem.app.engine import Engine
from vaultmem.app.inplace import in_place_drift, in_place_problems
from vaultmem.app.reconcile import covered, drift, node_drift, reconcile, reconcile_nodes, why_waiting
from vaultmem.app.registry import read_registry
from vaultmem.app.rerank import RerankState
from vaultmem.app.rest import look
from vaultmem.asked import LlmState
from vaultmem.core.ingest.inbox import FAILED_FOLDER, reasons_among, skip_reason
from vaultmem.core.ingest.redact import redact
from vaultmem.core.notes.diff import Drift
from vaultmem.core.notes.paths import RAW
from vaultmem.jobs import Backlog


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """One screen."""

    vault: str
    data: str
    #: notes, admitted, dropped, pending, passages, sources, entities, mentions
    counts: Mapping[str, int]
    #: ISO time of the last full pass; "" never
    last_pass: str
    #: how many notes on disk the index does not know as they are
    stale: int
    #: waiting in the inbox: file names
    inbox: tuple[str, ...]
    #: left alone in the inbox: name -> reason
    skipped: Mapping[str, str]
    #: set aside, with a reason beside each
    failed: tuple[str, ...]
    #: interrupted ingests that the next pass finishes
    unfinished: int
    #: note -> what is wrong with it
    problems: Mapping[str, str]
    #: who writes now; "" nobody
    writer: str
    #: what happened to the index at opening; "ready" when nothing
    index_state: str
    degraded: tuple[str, ...]
    #: search by meaning: model, coverage, what compares
    vectors: VectorState
    #: who has the last word on the order of hits
    reranker: RerankState
    #: background work: ready, running, dead
    jobs: Mapping[str, int]
    #: the language model: where, how it is, what it was asked
    llm: LlmState
    #: the same by kind: what waits and until when, what gave up and why
    background: tuple[Backlog, ...]

    def to_dict(self) -> dict[str, object]:
        """The JSON of `status`."""
        return {
            "vault": self.vault,
            "data": self.data,
            "counts": dict(self.counts),
            "last_pass": self.last_pass,
            "stale": self.stale,
            "inbox": list(self.inbox),
            "skipped": dict(self.skipped),
            "failed": list(self.failed),
            "unfinished": self.unfinished,
            "problems": dict(self.problems),
            "writer": self.writer,
            "index_state": self.index_state,
            "degraded": list(self.degraded),
            "vectors": self.vectors.to_dict(),
            "vector_backend": self.vectors.backend,
            "reranker": self.reranker.to_dict(),
            "jobs": dict(self.jobs),
            "llm": self.llm.to_dict(),
            "background": [found.to_dict() for found in self.background],
        }


def read_status(
    engine: Engine, *, data: str, writer: str, index_state: str, vectors: VectorState, reranker: RerankState
) -> Status:
    """Look at disk and index; changes nothing. `vectors`, `reranker`: how search by meaning and reranking stand."""
    waiting, skipped, failed = _inbox(engine)
    found = drift(engine)
    state = read_registry(engine)
    twins = copies(engine, state.registry, found.added)
    sight = look(engine)
    problems = {
        **sight.problems,
        **covered(engine, sight.files),
        **open_conflicts(engine),
        **state.problems,
        **twins,
        **in_place_problems(engine),
    }
    if waiting_for_yes := why_waiting(found, node_drift(engine)):
        problems["(vault)"] = waiting_for_yes
    return Status(
        vault=str(engine.vault.root),
        data=data,
        counts=engine.index.counts(),
        last_pass=engine.built_at,
        stale=len(found.added) - len(twins) + len(found.changed) + len(found.vanished),
        inbox=waiting,
        skipped=skipped,
        failed=failed,
        unfinished=len(engine.intake.claims()),
        problems=problems,
        writer=writer,
        index_state=index_state,
        degraded=tuple(text for text in (vectors.lacking, reranker.lacking) if text),
        vectors=vectors,
        reranker=reranker,
        jobs=engine.index.queue.counts(),
        llm=read_state(engine),
        background=engine.index.queue.backlog(),
    )


def _inbox(engine: Engine) -> tuple[tuple[str, ...], dict[str, str], tuple[str, ...]]:
    """Waiting files, files left alone with the reason, files set aside."""
    waiting: list[str] = []
    skipped: dict[str, str] = {}
    failed: list[str] = []
    files = engine.intake.files()
    reasons = reasons_among({file.name for file in files})
    for file in files:
        reason = skip_reason(file.name, is_link=file.is_link, size=file.size, blocks=file.blocks)
        name = redact(file.name).text
        if file.name.startswith(f"{FAILED_FOLDER}/"):
            if file.name not in reasons:
                failed.append(name)
        elif reason:
            skipped[name] = reason
        else:
            waiting.append(name)
    return tuple(waiting), skipped, tuple(failed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """The index against a second one made from the notes alone."""

    digest: str
    #: differences, one line each; empty when index and notes agree
    drift: tuple[Mapping[str, str], ...] = field(default=())

    def to_dict(self) -> dict[str, object]:
        """The JSON of `verify`."""
        return {"digest": self.digest, "drift": [dict(row) for row in self.drift]}


def verify(engine: Engine, second: Engine) -> Verified:
    """`second` has an empty index: it is built from the same notes, then both digests must be equal."""
    # What is known of entity notes that cannot be read now; the size makes sure that all others are read.
    second.index.replace_registry([replace(note, size=-1) for note in engine.index.registry()], ())
    # What is named of the user's own notes is no difference: it is left out of both.
    named = in_place_problems(engine)
    problems = {path: text for path, text in _build_silently(second).items() if path not in named}
    rows = [{"path": path, "problem": text} for path, text in problems.items() if not text.startswith("a copy of")]
    found = drift(engine)
    twins = copies(engine, read_registry(engine).registry, found.added)
    rows += _rows(replace(found, added=tuple(path for path in found.added if path not in twins)))
    nodes = node_drift(engine)
    twins = node_copies(engine, nodes.added)
    rows += _rows(replace(nodes, added=tuple(path for path in nodes.added if path not in twins)))
    digest = engine.index.digest()
    if digest != second.index.digest() and not rows:
        rows.append({"path": "(index)", "problem": "its content differs from the notes: run 'vaultmem rebuild'"})
    return Verified(digest=digest, drift=tuple(rows))


def _build_silently(second: Engine) -> Mapping[str, str]:
    """The second index, twice over the registry as a rebuild does."""
    state = read_registry(second)
    done = reconcile(second, state.registry)
    after = read_registry(second)
    if after.registry.aliases() != state.registry.aliases():
        second.index.clear()
        read_registry(second)  # which tells where a person keeps our notes
        done = reconcile(second, after.registry)
    second.index.replace_registry(after.notes, after.registry.aliases())
    nodes = reconcile_nodes(second)
    return {**done.problems, **nodes.problems}


def _rows(found: Drift) -> list[dict[str, str]]:
    rows = [{"path": path, "problem": "on disk, not in the index"} for path in found.added]
    rows += [{"path": path, "problem": "changed on disk since it was indexed"} for path in found.changed]
    rows += [{"path": path, "problem": "in the index, not on disk"} for path in found.vanished]
    if found.held_back:
        rows.append({"path": "(vault)", "problem": found.held_back})
    return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What a rebuild read."""

    notes: int
    digest: str
    problems: Mapping[str, str]

    def to_dict(self) -> dict[str, object]:
        """The JSON of `rebuild`."""
        return {"notes": self.notes, "digest": self.digest, "drift": [], "problems": dict(self.problems)}


def building(engine: Engine) -> str:
    """How far a cold index has come, in words."""
    total = len(engine.vault.scan(RAW).files) + len(in_place_drift(engine).files)
    return f"index: being built, {engine.index.counts()['notes']} of {total} notes are in; ask again in a moment"
