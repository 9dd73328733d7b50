"""One pass: reconcile, empty the inbox, grow the registry. A second pass right after it does nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from vaultmem.app.buried import unite_tombstones
from vaultmem.app.by_git import remember_head
from vaultmem.app.conflicts import settle_conflicts
from vaultmem.app.documents import Copies
from vaultmem.app.embed import embed_pending, look_again
from vaultmem.app.engine import Engine
from vaultmem.app.entity_pages import refresh_entity_pages
from vaultmem.app.grow import Grower
from vaultmem.app.growing import growing
from vaultmem.app.ingest import ingest_file
from vaultmem.app.inplace import take_words
from vaultmem.app.judging import estimate
from vaultmem.app.mend import mend_summaries
from vaultmem.app.notes import unreadable
from vaultmem.app.pages import refresh_pages
from vaultmem.app.parents import settle_parents, settle_twins
from vaultmem.app.passed import Reconciled, SyncReport
from vaultmem.app.reconcile import (
    covered,
    read_tombstones,
    reconcile,
    reconcile_nodes,
    settle_claims,
    why_waiting,
)
from vaultmem.app.registry import grow_registry, refresh_registry
from vaultmem.app.reseal import reseal_summaries, strip_edited
from vaultmem.app.rest import Sight, look, remember_rest, report_at_rest
from vaultmem.app.review import refresh_review, take_answers
from vaultmem.app.scheduler import paced, tick
from vaultmem.app.worker import Drained, drain
from vaultmem.core.ingest.entities import Registry
from vaultmem.core.ingest.inbox import reading_order, reasons_among, skip_reason
from vaultmem.core.ingest.report import FileReport
from vaultmem.core.notes.broken import Broken
from vaultmem.core.notes.tombstones import Tombstones
from vaultmem.errors import NoEmbedder
from vaultmem.jobs import LLM_KINDS, Done, Job, JobKind, Outcome
from vaultmem.model import InboxFile
from vaultmem.ports import Embedder

__all__ = ["FileReport", "SyncReport", "build", "sync", "whole_pass"]

#: Seconds of a pass that belong to vectors before anything grows: beside trees they would take several times as long.
_HEAD_START = 600.0
#: Texts embedded by one job.
_SLICE = 256
#: Problems shown on Home; all of them are in `status`.
_SHOWN = 10
#: Seconds a growing file is waited for before it is left to the next pass.
PATIENCE = 20.0
STILL_WRITTEN = "still being written: it is read when it has been quiet for a moment"
_LOOK_EVERY = 0.25
#: Seconds between two words about the jobs that are left.
_TELL_EVERY = 0.5


def sync(engine: Engine, *, patience: float, live: bool, awaited: Callable[[], bool]) -> SyncReport:
    """A pass that looks no closer at a vault at rest; else the whole one, with these arguments."""
    sight = look(engine)
    at_rest = report_at_rest(engine, sight)
    return at_rest or whole_pass(engine, sight, patience=patience, live=live, awaited=awaited)


def whole_pass(
    engine: Engine,
    sight: Sight,
    *,
    fresh: Collection[str] = (),
    patience: float = PATIENCE,
    live: bool = False,
    awaited: Callable[[], bool] = lambda: False,
) -> SyncReport:
    """The whole pass, over a vault that was just seen so.

    `fresh` names inbox files vaultmem copied in itself: they are complete and need not settle. `patience`: seconds to
    wait for files that are still being written. `live`: a pass of `watch`, one of many. `awaited`: asked all the time
    from this thread, whether the background work should end and leave the rest for later.
    """
    marked, united = settle_conflicts(engine, sight.files), unite_tombstones(engine)
    tombstones = read_tombstones(engine)
    take_words(engine, sight.scan)
    state = refresh_registry(engine, tombstones)
    answered = take_answers(engine, state.registry)
    if answered.changed:
        state = refresh_registry(engine, tombstones)
    done = reconcile(engine, state.registry)
    tombstones = read_tombstones(engine)
    broken = unreadable(engine, state.registry, done.problems)
    reports = _empty_inbox(engine, state.registry, tombstones, _rested(engine, fresh, patience), fresh, broken)
    settle_claims(engine, state.registry)
    state = grow_registry(engine, refresh_registry(engine, tombstones), tombstones)
    asked = refresh_review(engine, state.registry)
    settle_twins(engine)
    nodes = reconcile_nodes(engine)
    grower = Grower(engine=engine)
    mend_summaries(grower)
    settle_parents(grower)  # also of a leaf that two summaries listed by ids it had at different times
    reseal_summaries(grower)
    expected = estimate(engine)
    if expected is not None:
        engine.notice(expected.told)
    drained = work(engine, grower, live=live, awaited=awaited)
    reseal_summaries(grower)  # what was judged again may have left its trees
    if (done.forgotten or done.changed) and strip_edited(grower):
        work(engine, grower, live=live, awaited=awaited)
    grower.tidy_all()
    problems = {
        **sight.problems,
        **covered(engine, sight.files),
        **marked,
        **done.problems,
        **nodes.problems,
        **drained.problems,
    }
    problems |= {**answered.problems, **asked.problems}
    busy = refresh_entity_pages(engine, state.registry)
    problems |= refresh_pages(grower, _lines({**problems, **state.problems}))
    engine.mark_built()
    remember_head(engine)
    report = SyncReport(
        files=reports,
        reconciled=replace(done, problems={**problems, **united}, held_back=why_waiting(done, nodes)),
        entity_problems=state.problems,
        later=(*answered.later, *asked.later, *busy),
        jobs=engine.index.queue.counts(),
        llm_estimate=expected,
    )
    if not report.later and not report.reconciled.held_back:
        remember_rest(engine, sight, {"problems": problems, "entity_problems": dict(state.problems)})
    return report


def work(engine: Engine, grower: Grower, *, live: bool, awaited: Callable[[], bool]) -> Drained:
    """One beat of the heartbeat, then what the queue holds until nothing is ready, or until `awaited()`."""
    embedder = engine.embedder()
    if embedder is not None:
        _begin_vectors(engine, embedder, awaited)
        engine.index.queue.enqueue([Job(kind="reembed_backfill", subject=embedder.name)])
    handlers: Mapping[JobKind, Callable[[Job], Outcome]] = {
        **growing(grower),
        "reembed_backfill": lambda job: _embed(engine, job),
    }
    tick(engine, handlers.keys(), live=live)
    return drain(
        engine.index.queue,
        paced(engine, handlers, live=live),
        wall=engine.wall,
        awaited=awaited,
        alone=True,
        settled=_counted_down(engine),
        scarce=LLM_KINDS if engine.llm() else (),
        permits=engine.settings.llm_permits,
    )


def _counted_down(engine: Engine) -> Callable[[], None]:
    """Tells now and then how many jobs are left: counting them after each would cost more than many a job."""
    due = 0.0

    def tell() -> None:
        nonlocal due
        if engine.wall() >= due:
            due = engine.wall() + _TELL_EVERY
            counts = engine.index.queue.counts()
            engine.progress(f"background work: {counts['ready'] + counts['running']:,} left")

    return tell


def _begin_vectors(engine: Engine, embedder: Embedder, awaited: Callable[[], bool]) -> None:
    """Vectors before trees, for as long as anybody waits: some thousand notes are found by meaning within minutes, and
    what is left of a mailbox follows when its trees stand.
    """
    end = engine.wall() + _HEAD_START

    def is_over() -> bool:
        return engine.wall() >= end or awaited()

    with suppress(NoEmbedder):
        while not is_over() and (left := _vectors_left(engine, embedder)):
            engine.progress(f"vectors: {left:,} passages left")
            if not embed_pending(engine.index, embedder, limit=_SLICE, until=is_over, tidy=False):
                break


def _vectors_left(engine: Engine, embedder: Embedder) -> int:
    have, want = engine.index.vector_counts(embedder.signature)
    return want - have


def _embed(engine: Engine, job: Job) -> Outcome:
    """A slice of the vectors still to come; words are found meanwhile."""
    embedder = engine.embedder()
    if embedder is None or embedder.name != job.subject:
        return Done()
    if left := _vectors_left(engine, embedder):
        engine.progress(f"vectors: {left:,} passages left")
    try:
        done = embed_pending(engine.index, embedder, limit=_SLICE)
        if not done:
            look_again(embedder)
    except NoEmbedder:  # `status` tells the cause; every pass tries again, so it is neither put off nor laid aside
        return Done()
    return Done(follow_ups=(job,) if done else ())


def _lines(problems: Mapping[str, str]) -> list[str]:
    return [f"{path}: {text}" for path, text in sorted(problems.items())][:_SHOWN]


def build(engine: Engine) -> Reconciled:
    """The index from the notes alone; writes no note, so what the rule would add to the registry waits for `sync`."""
    tombstones = read_tombstones(engine)
    take_words(engine)
    state = refresh_registry(engine, tombstones)
    done = reconcile(engine, state.registry)
    refresh_registry(engine, tombstones)
    nodes = reconcile_nodes(engine)
    engine.mark_built()
    remember_head(engine)
    return replace(done, problems={**done.problems, **nodes.problems})


def _empty_inbox(
    engine: Engine,
    registry: Registry,
    tombstones: Tombstones,
    files: Sequence[InboxFile],
    fresh: Collection[str],
    broken: Broken,
) -> tuple[FileReport, ...]:
    """A row for every file of the inbox; one bad file never holds back the next."""
    reports: list[FileReport] = []
    reasons = reasons_among({file.name for file in files})
    files = [file for file in files if file.name not in reasons]
    copies = Copies(engine)
    for number, file in enumerate(sorted(files, key=lambda file: reading_order(file.name)), start=1):
        engine.progress(f"reading {number} of {len(files)}: {file.name}")
        reason = _left_alone(file)
        if not reason and not _is_quiet(engine, file, fresh):
            reason = STILL_WRITTEN
        if reason:
            reports.append(FileReport(file=file.name, outcome="skipped", reason=reason))
        else:
            reports.append(ingest_file(engine, registry, tombstones, file.name, broken, copies))
    return tuple(reports)


def _rested(engine: Engine, fresh: Collection[str], patience: float) -> tuple[InboxFile, ...]:
    """The inbox once its newest files have been quiet for `settle_seconds`, or patience is over."""
    files = engine.intake.files()
    waited = 0.0
    while waited < patience and any(_is_restless(engine, file, fresh) for file in files):
        engine.sleep(_LOOK_EVERY)
        waited += _LOOK_EVERY
        files = engine.intake.files()
    return files


def _is_restless(engine: Engine, file: InboxFile, fresh: Collection[str]) -> bool:
    return not _left_alone(file) and not _is_quiet(engine, file, fresh)


def _left_alone(file: InboxFile) -> str:
    """Why the file is not read; "" when it is."""
    return file.problem or skip_reason(file.name, is_link=file.is_link, size=file.size, blocks=file.blocks)


def _is_quiet(engine: Engine, file: InboxFile, fresh: Collection[str]) -> bool:
    """Time since the file last changed, in either direction: a clock that jumped must not block it for ever."""
    return file.name in fresh or abs(engine.wall() - file.changed_ns / 1e9) >= engine.settings.settle_seconds
