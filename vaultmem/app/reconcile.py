"""The vault against the index: events are hints, the disk is the proof. A partial scan adds, it never deletes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from vaultmem.app.buried import append_tombstones, lift_tombstones
from vaultmem.app.by_git import GIT_AT_WORK, put_away, taken_by_merge, why_unbelieved
from vaultmem.app.copies import one_node_of_each, one_of_each
from vaultmem.app.engine import Engine
from vaultmem.app.grow import read_node
from vaultmem.app.grow_digests import digest_job
from vaultmem.app.inplace import in_place_drift, reconcile_in_place
from vaultmem.app.notes import covered_notes, jobs_of, read_entries
from vaultmem.app.passed import Reconciled
from vaultmem.app.registry import stray_notes
from vaultmem.config import CONFIG_PATH
from vaultmem.core.grow.inputs import state_of
from vaultmem.core.ingest.entities import Registry
from vaultmem.core.notes.diff import ACCEPT, Drift, compare
from vaultmem.core.notes.entry import passages_of
from vaultmem.core.notes.paths import RAW, TOMBSTONES
from vaultmem.core.notes.summarynote import SUMMARIES
from vaultmem.core.notes.tombstones import Tombstones, keys_of, parse_tombstones, render_deleted, render_deleted_node
from vaultmem.errors import VaultmemError
from vaultmem.grown import NodeEntry, SummaryNode
from vaultmem.jobs import Job
from vaultmem.model import Claim, Entry, FileStat

#: Notes read and indexed in one transaction.
BATCH = 500


def read_tombstones(engine: Engine) -> Tombstones:
    """What was deleted for good."""
    try:
        return parse_tombstones(engine.vault.read(TOMBSTONES).decode("utf-8", "replace"))
    except FileNotFoundError:
        return Tombstones()


def drift(engine: Engine) -> Drift:
    """Where the index differs from the notes on disk, ours and the user's own, by size and time."""
    ours, place = _drift(engine), in_place_drift(engine)
    theirs = place.drift
    return Drift(
        added=(*ours.added, *theirs.added),
        changed=(*ours.changed, *theirs.changed),
        vanished=(*ours.vanished, *theirs.vanished, *place.excluded),
        held_back="; ".join(text for text in (ours.held_back, theirs.held_back) if text),
    )


def _drift(engine: Engine) -> Drift:
    """The same for chunk notes alone."""
    indexed = {path: stat for path, (stat, _) in engine.index.note_stats().items()}
    claims = engine.intake.claims()
    claimed = {path for claim in claims for path in (*claim.planned, *claim.removing)}
    found = _compared(engine, RAW, indexed, claimed)
    moving = _moving(engine, claims)
    return replace(found, changed=tuple(path for path in found.changed if path not in moving)) if moving else found


def _moving(engine: Engine, claims: Sequence[Claim]) -> frozenset[str]:
    """Chat notes between which text moves (an edit that no longer fits its note): one alone is half of it, and the
    file that says so still waits to be read again.
    """
    waiting = {file.name for file in engine.intake.files()} if claims else set()
    planned = (path for claim in claims if claim.file in waiting for path in claim.planned)
    return frozenset(path for path in planned if path.startswith(f"{RAW}/chat/"))


def node_drift(engine: Engine) -> Drift:
    """The same for summary notes."""
    found = _compared(engine, SUMMARIES, engine.index.node_stats(), ())
    if not found.held_back or found.held_back.startswith(GIT_AT_WORK):
        return found
    return replace(found, held_back=f"{SUMMARIES}: {found.held_back}")


def why_waiting(*found: Drift | Reconciled) -> str:
    """Why deletions wait for a yes, each reason once; "" when none do."""
    return "; ".join(dict.fromkeys(each.held_back for each in found if each.held_back))


def _compared(engine: Engine, folder: str, indexed: Mapping[str, FileStat], claimed: Collection[str]) -> Drift:
    scan = engine.vault.scan(folder)
    # A vault that is not mounted may leave an empty folder in its place.
    unmounted = () if engine.vault.stat(CONFIG_PATH) else (".vaultmem",)
    accepted = engine.accepts_deletions
    hollow = set(scan.hollow)  # what a cloud took away is as it was
    seen = {path: indexed[path] for path in hollow if path in indexed}
    seen |= {path: stat for path, stat in scan.files.items() if path not in hollow}
    files = {**seen, **_elsewhere(engine, folder, indexed)}
    gone = () if accepted else _whole_folders(files, indexed)
    unreadable = (*scan.unreadable, *unmounted, *gone)
    found = compare(files, indexed, unreadable=unreadable, claimed=claimed, accepted=accepted)
    missing = indexed.keys() - files.keys()
    if missing and (busy := why_unbelieved(engine)):
        return replace(found, vanished=(), held_back=busy)
    if away := put_away(engine, missing):  # git says so: nothing is held back because of these
        rest = {path: stat for path, stat in indexed.items() if path not in away}
        gone = () if accepted else _whole_folders(files, rest)
        found = compare(
            files, rest, unreadable=(*scan.unreadable, *unmounted, *gone), claimed=claimed, accepted=accepted
        )
        return replace(found, vanished=tuple(sorted((*found.vanished, *away))))
    if found.held_back and gone == unreadable:  # it can be read, and holds nothing
        return replace(found, held_back=f"{found.held_back}: {ACCEPT}")
    return found


def _elsewhere(engine: Engine, folder: str, indexed: Mapping[str, FileStat]) -> dict[str, FileStat]:
    """Chunk notes that a person keeps outside our folders: those known there, and those `registry` met on its way."""
    if folder != RAW:
        return {}
    paths = {path for path in indexed if not path.startswith(f"{RAW}/")} | set(stray_notes(engine))
    if not paths:
        return {}
    # Not by asking for each: a disk may find one by a name that it no longer has.
    found = engine.vault.scan("").files
    there = {path: found[path] for path in sorted(paths) if path in found}
    # below a folder that is closed it is as it was
    unseen = {path: indexed[path] for path in paths - there.keys() if path in indexed}
    return {**there, **{path: stat for path, stat in unseen.items() if not engine.vault.is_gone(path)}}


def _whole_folders(files: Mapping[str, FileStat], indexed: Mapping[str, FileStat]) -> tuple[str, ...]:
    """Folders `wiki/raw/<kind>` that held several notes and hold none: unmounted or half synced, hardly deleted."""
    held = Counter(_kind_folder(path) for path in indexed)
    left = {_kind_folder(path) for path in files}
    if len(files) >= len(indexed):
        return ()  # moved: the notes stand elsewhere now
    return tuple(sorted(name for name, notes in held.items() if notes > 1 and name not in left))


def _kind_folder(path: str) -> str:
    return "/".join(path.split("/")[:3])


def reconcile(engine: Engine, registry: Registry) -> Reconciled:
    """Bring the index up to the notes: edits and moves by hand are taken over, deletions remembered."""
    plan = _drift(engine)
    problems: dict[str, str] = {}
    buried = read_tombstones(engine)
    added = _take(engine, registry, plan.added, problems, buried)
    _bury_messages(engine, registry, plan.changed)
    changed = _take(engine, registry, plan.changed, problems, buried)
    # Only now: a note that was moved has its new path by then, so that it is not taken for deleted.
    forgotten = _forget(engine, plan.vanished)
    # A note that cannot be read now keeps its rows: its messages are still known, and count again when it is mended.
    own = reconcile_in_place(engine, registry)
    return Reconciled(
        added=added + own.added,
        changed=changed + own.changed,
        forgotten=forgotten + own.forgotten,
        problems={**problems, **own.problems},
        held_back="; ".join(text for text in (plan.held_back, own.held_back) if text),
    )


def covered(engine: Engine, seen: Collection[str]) -> dict[str, str]:
    """Chunk and summary notes that are neither there nor deleted: path -> what to say of it. `seen`: all files."""
    return covered_notes(engine, [*engine.index.note_stats(), *engine.index.node_stats()], seen)


def reconcile_nodes(engine: Engine) -> Reconciled:
    """Summary notes: what a person changed or removed, and what a killed run had written but not indexed."""
    plan = node_drift(engine)
    problems: dict[str, str] = {}
    entries: list[NodeEntry] = []
    for path in (*plan.added, *plan.changed):
        try:
            stat = engine.vault.stat(path)
            if stat:
                entries.append(read_node(engine.vault.read(path).decode(), stat))
        except FileNotFoundError:
            continue
        except (VaultmemError, UnicodeDecodeError) as problem:
            problems[path] = str(problem)
    # One that cannot be read now keeps its rows, and nothing is written over it.
    broken = problems.keys() & set(plan.changed)
    entries = one_node_of_each(engine, entries, problems)
    vanished = [path for path in plan.vanished if engine.vault.is_gone(path)]
    renewed = [path for path in plan.changed if path not in broken]
    if entries or vanished or renewed:
        lost = [node for path in vanished if (node := engine.index.node_at(path))]
        _bury_nodes(engine, _deleted_nodes(engine, vanished), entries)
        # what changed is put in anew: its links may be those of the tree in another clone
        engine.index.commit_nodes(entries, removed=[*vanished, *renewed])
        touched = [*(entry.node for entry in entries), *lost]
        engine.index.queue.enqueue(list(dict.fromkeys(_job_of(node) for node in touched)))
    return Reconciled(
        added=len(plan.added), changed=len(plan.changed), forgotten=len(vanished), problems=problems,
        held_back=plan.held_back,
    )  # fmt: skip


def _bury_nodes(engine: Engine, vanished: Sequence[SummaryNode], there: Sequence[NodeEntry]) -> None:
    """Summaries that a person deleted are not made again of the same; those put back are deleted no longer."""
    ids = {entry.node.node_id for entry in there}
    gone = [node for node in vanished if node.node_id not in ids]
    if gone:
        append_tombstones(engine, "".join(render_deleted_node(*_remains(engine, node), engine.now()) for node in gone))
    back = ids & read_tombstones(engine).nodes.keys()
    if back:
        lift_tombstones(engine, nodes=back)


def _remains(engine: Engine, node: SummaryNode) -> tuple[str, str, tuple[str, ...]]:
    """node_id, the hash of what stands below it, and the ids of that."""
    if node.tree_kind == "global":
        return node.node_id, node.inputs, ()
    return node.node_id, state_of(engine.index.held.children(node.child_ids)), node.child_ids


def _job_of(node: SummaryNode) -> Job:
    """What looks at the node's tree again."""
    if node.tree_kind == "global":
        return digest_job(node)
    return Job(kind="append_buffer" if node.tree_kind == "source" else "topic_route", subject=node.tree_scope)


def _bury_messages(engine: Engine, registry: Registry, paths: Sequence[str]) -> None:
    """Messages that a person took out of a note: they must not come back with the next export."""
    indexed = engine.index.note_stats()
    lines = []
    for path in paths:
        stat, found = engine.vault.stat(path), engine.index.chunk(indexed[path][1]) if path in indexed else None
        if stat is None or found is None or found[1].source_kind == "document":
            continue
        entries, _ = read_entries(engine, registry, [stat])
        for entry in entries:
            if entry.chunk.chunk_id == found[1].chunk_id:
                before = set(keys_of(found[1], passages_of(found[1])))
                gone = before - set(keys_of(entry.chunk, entry.passages))
                lines.append(render_deleted(found[1].source_id, gone, engine.now()))
    if any(lines):
        append_tombstones(engine, "".join(lines))


def _take(
    engine: Engine, registry: Registry, paths: Sequence[str], problems: dict[str, str], buried: Tombstones
) -> int:
    """Index these notes; how many were whole."""
    taken = 0
    for start in range(0, len(paths), BATCH):
        engine.progress(f"indexing notes: {start:,} of {len(paths):,}")
        entries = _readable(engine, registry, paths[start : start + BATCH], problems)
        engine.index.commit(entries, jobs=jobs_of(entries))
        _lift(engine, entries, buried)
        taken += len(entries)
    return taken


def _lift(engine: Engine, entries: Sequence[Entry], buried: Tombstones) -> None:
    """Messages and pieces that a person put back, from the trash or from git: they stay."""
    back: dict[str, set[str]] = {}
    for entry in entries:
        source_id = entry.chunk.source_id
        keys = buried.buried(source_id, keys_of(entry.chunk, entry.passages))
        if keys:
            back.setdefault(source_id, set()).update(keys)
    if back:
        lift_tombstones(engine, keys=back)


def _readable(engine: Engine, registry: Registry, paths: Sequence[str], problems: dict[str, str]) -> tuple[Entry, ...]:
    """Entries of the notes that are whole, a copied chunk only once."""
    stats = [stat for path in paths if (stat := engine.vault.stat(path))]
    entries, broken = read_entries(engine, registry, stats)
    problems.update(broken)
    return one_of_each(engine, entries, problems)


def _deleted_nodes(engine: Engine, vanished: Sequence[str]) -> list[SummaryNode]:
    """Those of these missing summaries that a person deleted here, and git did not take away."""
    away = put_away(engine, vanished) | taken_by_merge(engine, vanished)
    return [node for path in vanished if path not in away and (node := engine.index.node_at(path))]


def bury_missing(engine: Engine) -> None:
    """Remember what is missing as deleted, before an index is made anew that does not know of it."""
    plan = node_drift(engine)
    if not plan.added:  # else one of them may be there under another name
        _bury_nodes(engine, _deleted_nodes(engine, plan.vanished), ())
    if not _drift(engine).added:
        _bury(engine, _drift(engine).vanished)


def _forget(engine: Engine, vanished: Sequence[str]) -> int:
    """Deleted notes: their content must not come back with the next export."""
    gone = _bury(engine, vanished)
    if gone:
        engine.index.commit([], removed=gone)
    return len(gone)


def _bury(engine: Engine, vanished: Sequence[str]) -> list[str]:
    """Tombstones for these notes; the paths of those that are gone indeed."""
    indexed = engine.index.note_stats()
    gone = [path for path in vanished if path in indexed and engine.vault.is_gone(path)]
    if not gone:
        return []
    lines = []
    away = put_away(engine, gone)
    for path in gone:
        if path in away:
            continue
        found = engine.index.chunk(indexed[path][1])
        assert found is not None
        chunk = found[1]
        lines.append(render_deleted(chunk.source_id, keys_of(chunk, passages_of(chunk)), engine.now()))
    # The tombstones come first: forgotten twice is harmless, forgotten without one would come back.
    append_tombstones(engine, "".join(lines))
    return gone


def settle_claims(engine: Engine, registry: Registry) -> None:
    """Claims whose file is gone from the inbox: nobody will write their notes again."""
    waiting = {file.name for file in engine.intake.files()}
    for claim in engine.intake.claims():
        if claim.file not in waiting:
            settle(engine, registry, claim)
            engine.intake.close_claim(claim.sha256)


def settle(engine: Engine, registry: Registry, claim: Claim) -> None:
    """End an interrupted ingest: a planned note is adopted when it holds anything that memory lacks, and removed when
    all of it stands elsewhere; what was to go goes."""
    known = engine.index.note_stats()
    stats = [stat for path in claim.planned if path not in known and (stat := engine.vault.stat(path))]
    entries, _ = read_entries(engine, registry, stats)
    adopted = [entry for entry in entries if not _is_held(engine, entry)]
    engine.index.commit(adopted, jobs=jobs_of(adopted))
    kept = {entry.path for entry in adopted} | known.keys()
    for path in [*(stat.path for stat in stats), *claim.removing]:
        if path not in kept:
            engine.vault.remove(path)


def _is_held(engine: Engine, entry: Entry) -> bool:
    """True when all of the note's content is in memory already, in other notes."""
    chunk = entry.chunk
    if chunk.source_kind == "document":
        return any(held.body_sha256 == chunk.body_sha256 for _, held in engine.index.chunks_of(chunk.source_id))
    keys = set(keys_of(chunk, entry.passages))
    return bool(keys) and len(engine.index.known_keys(chunk.source_id, keys)) == len(keys)
