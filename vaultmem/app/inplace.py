"""The user's own notes, read where they stand: which ones, what of them is new, and what the index is to hold.

Never written, never copied. What a sync program left beside a note, what a link leads to and what a cloud took away is
named and not read; a note that is away without being deleted keeps its rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from functools import lru_cache

from vaultmem.app.engine import Engine
from vaultmem.app.inplace_moves import compare_in_place
from vaultmem.app.notes import jobs_of
from vaultmem.app.passed import Reconciled
from vaultmem.config import CONFIG_PATH, Settings, parse_settings
from vaultmem.core.ingest.entities import Registry
from vaultmem.core.notes.dailyname import day_in_name
from vaultmem.core.notes.diff import Drift
from vaultmem.core.notes.draft import UNREAD, draft_of_note
from vaultmem.core.notes.ids import note_hash
from vaultmem.core.notes.inplace import (
    NoteText,
    Reading,
    entries_of_note,
    estimate,
    is_ours,
    read_properties,
    without_secrets,
)
from vaultmem.core.notes.selection import Selection, likely_original, original_of
from vaultmem.errors import NotHere, SkippedSource, UnreadableVault, VaultmemError
from vaultmem.model import Entry, FileStat, RawFile
from vaultmem.ports import Scan, Vault
from vaultmem.sources.document.dates import own_time
from vaultmem.sources.document.written import month_of
from vaultmem.sources.text import decode

#: What stands in the way of notes, with the file as it was then: path -> [size, mtime_ns, reason, has rows].
_TOLD = "in_place_told"
#: Notes indexed in one transaction.
_BATCH = 250
#: Notes whose words are indexed in one, and their bytes.
_WORDS_BATCH, _WORDS_BYTES = 1000, 32_000_000
#: New notes up to which reading them in full is as quick as anybody waits.
FEW = 40
#: Bytes of a note that is still read: far above what a person writes.
_LARGEST = 50_000_000
#: What the properties of every note that vaultmem makes hold one of.
_OTHER_MARKS = ("display_name:", "tree_scope:")
_OUR_MARKS = ("chunk_id:", "node_id:", "entity_id:", *_OTHER_MARKS)
#: Why what stands there is not read.
LINK = "a link: links are not followed"
#: Reasons that nobody needs to hear of.
_EMPTY, _OURS = "empty", "made by vaultmem"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceDrift:
    """Where the index differs from the user's notes."""

    drift: Drift = field(default_factory=Drift)
    #: what the scan saw of the selected notes
    files: Mapping[str, FileStat] = field(default_factory=dict)
    #: what the index holds of them
    indexed: Mapping[str, FileStat] = field(default_factory=dict)
    #: indexed, and no longer wanted: excluded, or the copy of another note
    excluded: tuple[str, ...] = ()
    #: path -> why it is not read
    left_out: Mapping[str, str] = field(default_factory=dict)


# --- which notes --------------------------------------------------------------------------------------------------


def settings_in_force(vault: Vault, otherwise: Settings) -> Settings:
    """The config file as it is now, so that an exclusion acts at once; `otherwise` where it cannot be read."""
    try:
        return _parsed(vault.read(CONFIG_PATH))
    except (OSError, VaultmemError):  # a broken file is named where the vault is opened
        return otherwise


@lru_cache(maxsize=4)
def _parsed(data: bytes) -> Settings:
    return parse_settings(data)


def selection(settings: Settings) -> Selection:
    """The globs of these settings."""
    return _selected(settings.notes, settings.notes_exclude, settings.inbox)


@lru_cache(maxsize=4)
def _selected(notes: tuple[str, ...], excluded: tuple[str, ...], inbox: str) -> Selection:
    return Selection(notes=notes, excluded=excluded, inbox=inbox)


def in_place_drift(engine: Engine, scan: Scan | None = None) -> PlaceDrift:
    """Compare the selected notes with the index, by size and time. `scan`: what was just seen of the whole vault."""
    chosen = selection(settings_in_force(engine.vault, engine.settings))
    indexed = engine.index.in_place_stats()
    if not chosen.notes and not indexed:
        return PlaceDrift()
    scan = scan or engine.vault.scan("", suffix="")
    wanted = {path: stat for path, stat in scan.files.items() if chosen.takes(path)}
    copies = {path: reason for path, stat in wanted.items() if (reason := _copy(engine, path, stat, scan.files))}
    hollow = set(scan.hollow)
    files = {path: stat for path, stat in wanted.items() if path not in copies and path not in hollow}
    away = [path for path in (*scan.offloaded, *scan.hollow) if chosen.takes(path) and path not in files]
    left_out = {
        **copies,
        **{path: LINK for path in scan.links if _is_wanted(chosen, path)},
        **dict.fromkeys(away, NotHere.cause),
    }
    excluded = tuple(path for path in indexed if path in copies or not chosen.takes(path))
    known = {path: stat for path, stat in indexed.items() if path not in excluded}
    # A note that is away, or said nothing, is as it was.
    there = {**files, **{path: known[path] for path in away if path in known}}
    told = _told(engine)
    for path, (size, mtime_ns, _, has_rows) in told.items():
        if not has_rows:
            known.setdefault(path, FileStat(path=path, size=size, mtime_ns=mtime_ns))
    known |= _ours_as_written(engine, {path for path, row in told.items() if row[2] == _OURS and path in there})
    known = {path: stat for path, stat in known.items() if path in there or path in indexed}
    missing = () if engine.vault.stat(CONFIG_PATH) else (".vaultmem",)
    found = compare_in_place(engine, there, known, (*scan.unreadable, *missing))
    return PlaceDrift(drift=found, files=files, indexed=indexed, excluded=excluded, left_out=left_out)


def _is_wanted(chosen: Selection, link: str) -> bool:
    """Whether a link stands where a note would be read, or a folder of notes."""
    return chosen.takes(f"{link}note.md" if link.endswith("/") else link)


def _ours_as_written(engine: Engine, paths: Collection[str]) -> dict[str, FileStat]:
    """Chunk and entity notes that a person keeps among their own: vaultmem may have written in one since."""
    if not paths:
        return {}
    found = {path: stat for path, (stat, _) in engine.index.note_stats().items() if path in paths}
    for note in engine.index.registry():
        path = note.entity.note_path
        if path in paths:
            found[path] = FileStat(path=path, size=note.size, mtime_ns=note.mtime_ns)
    return found


def _copy(engine: Engine, path: str, stat: FileStat, files: Mapping[str, FileStat]) -> str:
    """Why a note is only a copy of another; "" for one of its own."""
    first = original_of(path)
    if first and first in files:
        return f"a conflicting copy of {first}: keep one of the two"
    first = likely_original(path, files)
    if first and files[first].size == stat.size and stat.size and _bytes(engine, first) == _bytes(engine, path):
        return f"the same as {first}"
    return ""


def _bytes(engine: Engine, path: str) -> bytes | None:
    try:
        return engine.vault.read(path)
    except (OSError, VaultmemError):
        return None


# --- reading ------------------------------------------------------------------------------------------------------


def note_text(path: str, data: bytes, mtime_ns: int, settings: Settings, *, quick: bool = False) -> NoteText:
    """A note decoded, without secrets, with its own time. Raises SkippedSource and UnreadableSource.

    `quick`: its properties are not looked at, unless they may say that the note is one of ours.
    """
    if not data.strip():
        raise SkippedSource(_EMPTY)
    if len(data) > _LARGEST:
        raise SkippedSource(f"larger than {_LARGEST // 1_000_000} MB")
    raw = RawFile(name=path, data=data, modified_at=datetime.fromtimestamp(mtime_ns / 1e9, UTC))
    is_canvas = path.lower().endswith(".canvas")
    text = without_secrets(_canvas_text(raw, settings) if is_canvas else decode(data), settings.redact_pii)
    plain = is_canvas or (quick and not _may_be_ours(text))
    properties, warning = ({}, "") if plain else read_properties(text)
    if not is_canvas and is_ours(properties, text):
        raise SkippedSource(_OURS)
    day = day_in_name(path, settings.daily_notes, month_of)
    at = datetime.combine(day, time(), settings.zone) if day else raw.modified_at
    if not (day or quick):
        at = own_time(properties, raw, settings.zone).at
    return NoteText(
        path=path, text=text, at=at, properties=properties, warning=warning, has_lines=not is_canvas,
        hash="" if quick else hash_of(data, settings),
    )  # fmt: skip


def _may_be_ours(text: str) -> bool:
    """Whether properties of ours may stand in it; all but two of their marks end alike."""
    return any(mark in text for mark in (_OUR_MARKS if "_id:" in text else _OTHER_MARKS))


def hash_of(data: bytes, settings: Settings) -> str:
    """The `note_hash` of a note in place."""
    return note_hash(data, f"{settings.redact_pii} {settings.chunk_tokens}")


def _canvas_text(raw: RawFile, settings: Settings) -> str:
    """A canvas's cards and arrows as Markdown. Raises SkippedSource and UnreadableSource."""
    from vaultmem.sources.document.canvas import read_canvas  # it brings other readers, and most notes need none

    return "\n".join(item.body for item in read_canvas(raw, settings).items if hasattr(item, "body"))


def reading(settings: Settings, count: Callable[[str], int]) -> Reading:
    """How notes are read under these settings."""
    owner = settings.me[0] if settings.me else ""
    return Reading(owner=owner, pii=settings.redact_pii, limit=settings.chunk_tokens, count=count)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What some notes gave."""

    entries: tuple[Entry, ...] = ()
    #: path -> what is wrong with it
    problems: Mapping[str, str] = field(default_factory=dict)
    #: paths that could not be opened: what is indexed of them stays
    closed: frozenset[str] = frozenset()


def read_notes(engine: Engine, registry: Registry, stats: Iterable[FileStat]) -> Read:
    """Everything the index is to hold of these notes."""
    by = reading(engine.settings, engine.count)
    entries: list[Entry] = []
    problems: dict[str, str] = {}
    closed: set[str] = set()
    for stat in stats:
        try:
            note = note_text(stat.path, engine.vault.read(stat.path), stat.mtime_ns, engine.settings)
        except FileNotFoundError:
            closed.add(stat.path)
        except (OSError, UnreadableVault) as problem:
            problems[stat.path] = str(problem)
            closed.add(stat.path)
        except VaultmemError as problem:
            problems[stat.path] = str(problem)
        else:
            problems |= {stat.path: note.warning} if note.warning else {}
            entries += entries_of_note(note, by, registry, stat)
    return Read(entries=tuple(entries), problems=problems, closed=frozenset(closed))


def _drafts(engine: Engine, stats: Iterable[FileStat]) -> list[Entry]:
    """The quick look at notes; what cannot be read is told by the full one."""
    by = reading(engine.settings, estimate)
    entries: list[Entry] = []
    for stat in stats:
        try:
            note = note_text(stat.path, engine.vault.read(stat.path), stat.mtime_ns, engine.settings, quick=True)
        except (OSError, VaultmemError):
            continue
        entries += draft_of_note(note, by)
    return entries


# --- a pass -------------------------------------------------------------------------------------------------------


def take_words(engine: Engine, scan: Scan | None = None) -> None:
    """Many new notes: their words first, so that they are found while the rest is still being read."""
    plan = in_place_drift(engine, scan)
    paths = [path for path in plan.drift.added if path not in plan.indexed]
    if len(paths) <= FEW:
        return
    done = 0
    for stats in _batches([plan.files[path] for path in paths]):
        engine.progress(f"words of your notes: {done:,} of {len(paths):,}")
        engine.index.commit(_drafts(engine, stats))
        done += len(stats)
    engine.mark_words()
    engine.progress("the words of your notes are found; the rest follows")


def _batches(stats: Sequence[FileStat]) -> Iterator[list[FileStat]]:
    """All of them in order, by so many as one transaction takes; a note that is too large for any is one alone."""
    batch: list[FileStat] = []
    size = 0
    for stat in stats:
        if batch and (len(batch) == _WORDS_BATCH or size + stat.size > _WORDS_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(stat)
        size += stat.size
    yield batch


def reconcile_in_place(engine: Engine, registry: Registry) -> Reconciled:
    """Bring the index up to the user's notes. A deletion leaves no tombstone: the note may come back."""
    plan = in_place_drift(engine)
    # of a note that is away for a moment too: when it is back as it was, it is not read again
    told = {path: row for path, row in _told(engine).items() if path in plan.files or path in plan.indexed}
    added = _take(engine, registry, plan, plan.drift.added, told)
    changed = _take(engine, registry, plan, plan.drift.changed, told)
    # Only now: a note that was moved has its rows by then, and its vectors are found again by their texts. An editor
    # that saves by renaming leaves no file for a moment, so each is looked for once more.
    vault = engine.vault
    vanished = (path for path in plan.drift.vanished if vault.is_gone(path) or vault.is_covered(path))
    gone = [*plan.excluded, *vanished]
    if gone:
        engine.index.commit([], removed=gone)
    for path in gone:
        told.pop(path, None)
    _tell(engine, told)
    return Reconciled(
        added=added,
        changed=changed,
        forgotten=len(gone),
        problems=_problems(told, plan),
        held_back=plan.drift.held_back,
    )


_Row = tuple[int, int, str, bool]


def _take(
    engine: Engine, registry: Registry, plan: PlaceDrift, paths: Sequence[str], told: dict[str, _Row]
) -> int:  # fmt: skip
    """Index these notes; how many hold anything."""
    taken = 0
    for start in range(0, len(paths), _BATCH):
        engine.progress(f"reading your notes: {start:,} of {len(paths):,}")
        stats = [plan.files[path] for path in paths[start : start + _BATCH] if not _is_half_written(engine, plan, path)]
        read = read_notes(engine, registry, stats)
        held = {entry.path for entry in read.entries}
        empty = [stat for stat in stats if stat.path not in held and stat.path not in read.closed]
        # A note of ours that somebody moved here has rows too, but not as a note in place.
        emptied = [stat.path for stat in empty if stat.path in plan.indexed]
        for stat in stats:
            told.pop(stat.path, None)
        for stat in (*empty, *(stat for stat in stats if stat.path in read.problems)):
            told[stat.path] = (stat.size, stat.mtime_ns, read.problems.get(stat.path, _EMPTY), stat.path in held)
        _tell(engine, told)  # first: a note whose rows are there is not read again, and its problem would be forgotten
        engine.index.commit(read.entries, removed=emptied, jobs=jobs_of(read.entries))
        taken += len(held)
    return taken


def _is_half_written(engine: Engine, plan: PlaceDrift, path: str) -> bool:
    """An editor that writes in place empties a note first: a moment later it says more."""
    stat = plan.files[path]
    age = abs(engine.wall() - stat.mtime_ns / 1e9)
    return not stat.size and path in plan.drift.changed and age < engine.settings.settle_seconds


def _told(engine: Engine) -> dict[str, _Row]:
    found = json.loads(engine.index.get_meta(_TOLD) or "{}")
    return {path: (size, mtime_ns, reason, rows) for path, (size, mtime_ns, reason, rows) in found.items()}


def _tell(engine: Engine, told: Mapping[str, _Row]) -> None:
    """Remember what stands in the way; an unchanged memory is not written again."""
    text = json.dumps(told, sort_keys=True, ensure_ascii=False) if told else ""
    if text != engine.index.get_meta(_TOLD):
        engine.index.set_meta(_TOLD, text)


def _problems(told: Mapping[str, _Row], plan: PlaceDrift) -> dict[str, str]:
    said = {path: row[2] for path, row in told.items() if row[2] not in (_EMPTY, _OURS)}
    return {**said, **plan.left_out}


def in_place_problems(engine: Engine) -> dict[str, str]:
    """What stands in the way of notes in place, as the last pass and the disk say."""
    return _problems(_told(engine), in_place_drift(engine))


def entries_again(engine: Engine, registry: Registry, paths: Iterable[str]) -> tuple[Entry, ...]:
    """Notes that are indexed in full, read again under a changed registry."""
    known = engine.index.in_place_stats()
    stats = [stat for path in sorted(set(paths)) if (stat := known.get(path)) and stat.size != UNREAD]
    seen = [now for stat in stats if (now := engine.vault.stat(stat.path)) == stat and now]
    return read_notes(engine, registry, seen).entries
