"""What memory gained, lost and changed: since a time, a revision of git, or the last look.

The last look is remembered outside the vault, as hashes; a revision is git's; without git a time is told from what the
notes say of themselves, as far as that goes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta

from vaultmem.app.engine import Engine
from vaultmem.core.notes.changes import changes, counted, recalled, remembered
from vaultmem.core.notes.paths import ARCHIVE, ENTITIES, TOMBSTONES
from vaultmem.core.notes.properties import load_properties, split_note
from vaultmem.core.notes.shape import Shape, shape_of
from vaultmem.core.notes.tombstones import deleted_since
from vaultmem.core.recall.window import read_moment, read_window
from vaultmem.errors import BadQuery, VaultmemError
from vaultmem.history import Change, Changes, NoteChange
from vaultmem.model import FileStat
from vaultmem.queries import NO_TIME, Value

_FOLDERS = ("wiki", ENTITIES)
_DAY = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?")
_BACK = re.compile(r"\d{1,5}\s*[hdwmy]", re.IGNORECASE)
_EXPECTED = "a day like 2026-04-21, an ISO time, 'today', 'yesterday', a look back like 7d, or a revision of git"
_NO_WORDS = (
    "what lost and changed blocks said before is not kept for the last look: 'diff --since REV' shows it with git"
)
_NO_GIT = (
    "without git: gained and changed are told by the times of files and notes, deletions are only counted, and what was"
    " moved or said before is not known"
)
_NOT_SO_OLD = "git's history here begins later: everything is told as gained"


def diff(engine: Engine, since: str, *, look: str, remember: Callable[[str], None]) -> Changes:
    """`since`: "" for the last look, of which `look` is what `remember` was told. Raises BadQuery, GitTrouble."""
    since = since.strip()
    if not since:
        return _since_look(engine, look, remember)
    moment = _moment(engine, since)
    history = engine.history()
    if moment is None:
        commit = history.resolve(since) if history else ""
        if history is None or not commit:
            raise BadQuery("since", since, _EXPECTED if history else f"{_EXPECTED} (this vault is in none)")
        return _since_commit(engine, commit, f"{since} ({commit[:10]})")
    told = moment.isoformat(timespec="seconds")
    if history is None or not history.head():
        return _since_moment(engine, moment, told)
    commit = history.commit_at(moment)
    return _since_commit(engine, commit, f"{told} ({commit[:10] or 'before the first commit'})")


def _moment(engine: Engine, text: str) -> datetime | None:
    """The time that is meant; None for what is none."""
    now, zone = engine.now(), engine.settings.zone
    if text.casefold() in ("today", "yesterday"):
        day = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
        return (day if text.casefold() == "today" else day - timedelta(days=1)).astimezone(UTC)
    if _BACK.fullmatch(text):
        values: dict[str, Value] = {"since": "", "until": "", "since_ms": NO_TIME, "until_ms": NO_TIME, "window": text}
        return read_window(values, now, zone).since
    return read_moment("since", text, zone) if _DAY.fullmatch(text) else None


# --- since a revision -----------------------------------------------------------------------------------------------


def _since_commit(engine: Engine, commit: str, told: str) -> Changes:
    history = engine.history()
    assert history is not None
    before, after = history.changed_since(commit)
    found = changes(_shapes(before), _shapes(after))
    return counted(told, found, degraded="" if commit else _NOT_SO_OLD)


def _shapes(notes: Mapping[str, bytes]) -> Iterable[Shape]:
    return [shape_of(path, data.decode("utf-8", "replace")) for path, data in notes.items() if _is_note(path)]


def _is_note(path: str) -> bool:
    return (
        path.endswith(".md")
        and path.startswith(tuple(f"{folder}/" for folder in _FOLDERS))
        and (not path.startswith(f"{ARCHIVE}/"))
    )


# --- since the last look --------------------------------------------------------------------------------------------


def _since_look(engine: Engine, look: str, remember: Callable[[str], None]) -> Changes:
    at, before = _read_look(look)
    stats, unreadable = _notes(engine)
    same = {path for path, stat in stats.items() if path in before and before[path][0] == (stat.size, stat.mtime_ns)}
    after = {path: shape for path in stats if path not in same and (shape := _shape(engine, path))}
    gone = [path for path in before if path not in stats and not path.startswith(unreadable)]
    found = changes([before[path][1] for path in before if path in after or path in gone], after.values())
    kept = {path: (size, shape) for path, (size, shape) in before.items() if path not in after and path not in gone}
    kept |= {path: ((stats[path].size, stats[path].mtime_ns), shape) for path, shape in after.items()}
    remember(_written(engine, kept))
    if not at:
        return counted("", found)
    degraded = [f"{folder} cannot be read" for folder in unreadable]
    degraded += [_NO_WORDS] if any(block.change != "gained" for note in found for block in note.blocks) else []
    return counted(f"{at} (the last look)", found, degraded="; ".join(degraded))


def _notes(engine: Engine) -> tuple[dict[str, FileStat], tuple[str, ...]]:
    """Every note of memory, and the folders that cannot be listed."""
    scans = [engine.vault.scan(folder) for folder in _FOLDERS]
    files = {path: stat for scan in scans for path, stat in scan.files.items() if _is_note(path)}
    return files, tuple(f"{folder}/" for scan in scans for folder in scan.unreadable)


def _shape(engine: Engine, path: str) -> Shape | None:
    try:
        return shape_of(path, engine.vault.read(path).decode("utf-8", "replace"))
    except (FileNotFoundError, VaultmemError):
        return None


def _written(engine: Engine, kept: Mapping[str, tuple[tuple[int, int], Shape]]) -> str:
    plain = remembered({path: shape for path, (_, shape) in kept.items()})
    notes = {path: [*kept[path][0], plain[path]] for path in kept}
    return json.dumps({"at": engine.now().isoformat(timespec="seconds"), "notes": notes}, ensure_ascii=False)


def _read_look(text: str) -> tuple[str, dict[str, tuple[tuple[int, int], Shape]]]:
    """When the last look was, and what it saw; ("", {}) when there was none, or it cannot be read."""
    try:
        found = json.loads(text)
        notes = {
            path: ((int(size), int(mtime_ns)), recalled(path, shape))
            for path, (size, mtime_ns, shape) in found["notes"].items()
        }
        return str(found["at"]), notes
    except (ValueError, TypeError, KeyError, AttributeError):
        return "", {}


# --- since a time, without git --------------------------------------------------------------------------------------


def _since_moment(engine: Engine, moment: datetime, told: str) -> Changes:
    found: list[NoteChange] = []
    since_ns = int(moment.timestamp() * 1e9)
    for path, stat in _notes(engine)[0].items():
        shape = _shape(engine, path) if stat.mtime_ns >= since_ns else None
        change = _change_of(engine, path, moment) if shape else None
        if shape and change and shape.kind != "page":
            found += changes([], [shape]) if change == "gained" else [_bare(shape, change)]
    try:
        text = engine.vault.read(TOMBSTONES).decode("utf-8", "replace")
    except FileNotFoundError:
        text = ""
    messages, entities, _ = deleted_since(text, moment)
    found += [
        NoteChange(change="lost", kind="entity", id=entity, title=entity, source="", path="") for entity in entities
    ]
    more = f"; {messages} messages or pieces were deleted" if messages else ""
    found.sort(key=lambda note: (not note.path, note.path, note.id))
    return counted(told, found, degraded=f"{_NO_GIT}{more}")


def _bare(shape: Shape, change: Change) -> NoteChange:
    return NoteChange(
        change=change, kind=shape.kind, id=shape.id, title=shape.title, source=shape.source, path=shape.path
    )


def _change_of(engine: Engine, path: str, moment: datetime) -> Change | None:
    """Whether a note that was written since then is new, as far as it says so itself; None: neither."""
    try:
        front = split_note(engine.vault.read(path).decode("utf-8", "replace")).frontmatter or ""
        said = load_properties(front)
    except (FileNotFoundError, VaultmemError):
        return None
    stamp = moment.strftime("%Y-%m-%dT%H:%M:%S")
    if "created_at" in said:  # an entity note: its region is nobody's news
        if str(said["created_at"]) >= stamp:
            return "gained"
        return "changed" if str(said.get("updated_at", "")) >= stamp else None
    if "sealed_at" in said:
        if str(said["sealed_at"]) < stamp:
            return None
        return "gained" if said.get("rev") == 1 else "changed"
    return "changed" if path.startswith("wiki/facts/") or "revised" in said else "gained"
