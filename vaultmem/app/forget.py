"""Forgetting: a plan is written down, tombstones come first, then everything goes; doing it again ends the same.

Notes (or only the lines of a message), rows and vectors, the sentences of summaries and pages, facts, originals, lines
of logs. What stands above is sealed again, and the database is written anew, so that a search over all bytes finds
nothing. The receipt holds none of the forgotten words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta

from vaultmem.app.buried import append_tombstones, unite_tombstones
from vaultmem.app.engine import Engine
from vaultmem.app.entity_pages import refresh_entity_pages
from vaultmem.app.forget_plan import longest, needles_of, plan_forgetting
from vaultmem.app.grow import Grower, read_node
from vaultmem.app.growing import growing
from vaultmem.app.mend import mend_summaries
from vaultmem.app.notes import chunk_id_at, jobs_of, read_entries
from vaultmem.app.pages import refresh_pages
from vaultmem.app.reconcile import read_tombstones, reconcile_nodes
from vaultmem.app.registry import refresh_registry
from vaultmem.app.reseal import reseal_summaries, strip_edited
from vaultmem.app.review import refresh_review
from vaultmem.app.worker import drain
from vaultmem.core.ingest.compose import Composer
from vaultmem.core.ingest.entities import Registry, build_registry
from vaultmem.core.ingest.forget import source_marks, without_facts, without_messages
from vaultmem.core.notes.chunknote import parse_chunk_note, rewrite_chunk_note
from vaultmem.core.notes.factsnote import FACTS
from vaultmem.core.notes.paths import HOME, TOMBSTONES
from vaultmem.core.notes.summarynote import SUMMARIES, read_sentences, without_lines
from vaultmem.core.notes.tombstones import without_names_of
from vaultmem.core.notes.usage import USAGE, parse_usage, render_usage
from vaultmem.errors import BadNote, BadProperties, FactsTrouble, VaultmemError
from vaultmem.forgetting import Forgetting, Receipt
from vaultmem.model import NoteFile
from vaultmem.ports.private import Private

#: Longer than a note that a person has just saved is left alone: they have asked for this.
_AT_ONCE = timedelta(hours=1)
#: Folders whose notes hold sentences of others.
_QUOTING = (f"{SUMMARIES}/", "wiki/sources/", "wiki/topics/", "entities/", HOME)


def forget(engine: Engine, private: Private, target: str, *, dry_run: bool) -> Receipt:
    """Forget what the target names. Raises NotFound, BadQuery. `dry_run`: writes nothing."""
    plan = plan_forgetting(engine, private, target)
    if dry_run:
        return _receipt(plan, dry_run=True)
    private.open_journal(json.dumps(asdict(plan)))
    return _carried_out(engine, private, plan)


def finish_forgetting(engine: Engine, private: Private) -> Receipt | None:
    """End a forgetting that a kill cut off; None when there is none."""
    text = private.journal()
    if not text:
        return None
    facts = json.loads(text)
    for key in ("pages", "archived", "private", "texts"):
        facts[key] = tuple(facts[key])
    facts["messages"] = {path: tuple(keys) for path, keys in facts["messages"].items()}
    # A summary of which nothing was left may stand on the disk alone: changed below, it would be taken for a person's.
    reconcile_nodes(engine)
    return _carried_out(engine, private, Forgetting(**facts))


def _carried_out(engine: Engine, private: Private, plan: Forgetting) -> Receipt:
    _bury(engine, plan)
    _remove_notes(engine, plan)
    engine.index.commit_nodes([], removed=plan.pages)
    for path in (*plan.pages, *plan.archived, *([plan.entity_path] if plan.entity_path else [])):
        engine.vault.remove(path)
    private.remove_originals(plan.private)
    facts, left = _drop_facts(engine, plan)
    _drop_usage(engine, plan)
    words = longest(plan.texts)
    engine.index.drop_traces([*plan.notes, *plan.pages, *filter(None, (plan.entity_path, plan.entity_id)), *words])
    sealed = _grow_again(engine)
    _drop_sentences(engine, frozenset(plan.texts))
    names = [name.partition("-")[2] for name in plan.private] + [path.rpartition("/")[2] for path in plan.archived]
    told = [*names, *words]
    log_lines = private.drop_log_lines(lambda line: any(word in line for word in told))
    private.drop_leftovers()
    if not engine.index.compact():
        left += ("the index's log is in use by another process: run it again later",)
    still_in = private.still_in(needles_of(plan.texts)) if plan.texts else ()
    private.close_journal()
    return replace(
        _receipt(plan, dry_run=False), sealed_again=sealed, log_lines=log_lines, facts=facts, still_in=still_in,
        problems=left,
    )  # fmt: skip


def _receipt(plan: Forgetting, *, dry_run: bool) -> Receipt:
    return Receipt(
        target=plan.target,
        what=plan.what,
        dry_run=dry_run,
        notes_removed=tuple(sorted(plan.notes)),
        notes_changed=tuple(sorted(plan.messages)),
        messages=plan.pieces,
        entity=plan.entity_id,
        pages_removed=tuple(path for path in (*plan.pages, plan.entity_path) if path),
        sealed_again=0,
        originals_removed=(*plan.archived, *plan.private),
        originals_shared=plan.shared,
        log_lines=0,
        facts=0,
        mentions_left=plan.mentions_left,
        still_in=(),
    )


def _bury(engine: Engine, plan: Forgetting) -> None:
    """Tombstones, each line once; what names a forgotten entity there goes."""
    unite_tombstones(engine)
    try:
        before = engine.vault.read(TOMBSTONES).decode("utf-8", "replace")
    except FileNotFoundError:
        before = ""
    kept = without_names_of(before, plan.entity_id) if plan.entity_id else before
    if kept != before:
        engine.vault.write([NoteFile(path=TOMBSTONES, content=kept.encode())])
    there = set(kept.splitlines())
    lines = [line for line in plan.tombstones.splitlines() if line not in there]
    if lines:
        append_tombstones(engine, "".join(f"{line}\n" for line in lines))


def _remove_notes(engine: Engine, plan: Forgetting) -> None:
    """Rewrite notes of which a part goes, then take the others out of the index, then from the disk."""
    registry = build_registry([note.entity for note in engine.index.registry()])
    whole = [path for path, chunk_id in plan.notes.items() if chunk_id_at(engine, path) in ("", chunk_id)]
    files: list[NoteFile] = []
    for path, keys in plan.messages.items():
        written = _without(engine, registry, path, keys)
        if written is None:
            whole.append(path)
        elif written:
            files.append(NoteFile(path=path, content=written))
    engine.vault.write(files)
    stats = [stat for file in files if (stat := engine.vault.stat(file.path))]
    entries, _ = read_entries(engine, registry, stats)
    engine.index.commit(entries, removed=whole, jobs=jobs_of(entries))
    for path in whole:
        engine.vault.remove(path)


def _without(engine: Engine, registry: Registry, path: str, keys: Collection[str]) -> bytes | None:
    """The note without these messages; None when nothing is left of it, b"" when there is nothing to be done."""
    try:
        note = engine.vault.read(path)
        chunk = parse_chunk_note(note.decode())
    except (FileNotFoundError, BadNote, BadProperties, UnicodeDecodeError):
        return b""
    by = Composer(
        settings=engine.settings,
        registry=registry,
        count=engine.count,
        file="",
        original="",
        fallback_at=engine.now(),
        asks=engine.llm() is not None,
    )
    after = without_messages(chunk, keys, by)
    return None if after is None else rewrite_chunk_note(note, after)


def _grow_again(engine: Engine) -> int:
    """All that follows from the notes; how many summaries were sealed again."""
    state = refresh_registry(engine, read_tombstones(engine))
    grower = Grower(engine=engine)
    sealed = mend_summaries(grower) + reseal_summaries(grower)
    drain(engine.index.queue, growing(grower), wall=engine.wall, alone=True)
    sealed += reseal_summaries(grower) + strip_edited(grower)
    drain(engine.index.queue, growing(grower), wall=engine.wall, alone=True)
    # What a person saved a moment ago is changed all the same: they have asked for it.
    hurried = replace(engine, wall=lambda: engine.wall() + _AT_ONCE.total_seconds())
    refresh_entity_pages(hurried, state.registry)
    refresh_review(hurried, state.registry)
    refresh_pages(Grower(engine=hurried), [])
    return sealed


def _edit(engine: Engine, path: str, change: Callable[[str], str]) -> bool:
    """Change a text at once; whether it changed."""

    def changed(note: bytes) -> bytes | None:
        try:
            return change(note.decode()).encode()
        except UnicodeDecodeError:
            return None

    now = datetime.fromtimestamp(engine.wall(), UTC) + _AT_ONCE
    try:
        return engine.vault.edit(path, changed, now=now)
    except FileNotFoundError:
        return False


def _drop_facts(engine: Engine, plan: Forgetting) -> tuple[int, tuple[str, ...]]:
    """Facts that were said in a forgotten message: how many notes and memories of a service, and what could not go."""
    keys = [key for own in plan.messages.values() for key in own]
    notes = sum(
        _edit(engine, path, lambda note: without_facts(note, keys, plan.notes.keys()))
        for path in engine.vault.scan(FACTS).files
    )
    home = engine.facts()
    if home is None:
        return notes, ()
    try:
        return notes + home.forget_shared(source_marks(keys, plan.notes.keys()), plan.texts), ()
    except FactsTrouble as trouble:
        return notes, (f"{trouble}: facts that were said there are still in it, delete them there",)


def _drop_usage(engine: Engine, plan: Forgetting) -> None:
    if plan.entity_id and engine.vault.stat(USAGE) is not None:
        asked = plan.entity_id
        _edit(
            engine,
            USAGE,
            lambda text: render_usage({e: days for e, days in parse_usage(text).items() if e != asked}),
        )


def _drop_sentences(engine: Engine, texts: Collection[str]) -> None:
    """The last look: lines of pages and summaries that still quote a forgotten sentence, whatever they link to."""

    def quotes(line: str) -> bool:
        return any(sentence.text in texts for sentence in read_sentences([line]))

    def change(note: str) -> str:
        return without_lines(note, quotes)

    paths: Sequence[str] = [path for path in engine.vault.scan("").files if path.startswith(_QUOTING)]
    changed = [
        path
        for path in paths
        if any(map(quotes, engine.vault.read(path).decode("utf-8", "replace").split("\n")))
        and _edit(engine, path, change)
    ]
    # at once: a summary that is not as the index knows it is taken for a person's, and left alone
    for path in (path for path in changed if path.startswith(f"{SUMMARIES}/")):
        with suppress(FileNotFoundError, VaultmemError):  # the next pass says what is wrong with it
            if stat := engine.vault.stat(path):
                engine.index.commit_nodes([read_node(engine.vault.read(path).decode(), stat)])
