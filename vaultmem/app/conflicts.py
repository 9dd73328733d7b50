"""Notes of memory that git could not merge: made one again before anything reads them (core.notes.unite).

Only files that changed since they were last looked at are read. What a person has to decide keeps its markers, is named
as a problem and is no content until then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from vaultmem.app.engine import Engine
from vaultmem.app.entity_pages import forget_entity_pages
from vaultmem.app.living import forget_shown, remember_written
from vaultmem.app.views import MADE
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.conflicts import first_marker, has_conflict
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.core.notes.paths import ARCHIVE, TOMBSTONES, original_name
from vaultmem.core.notes.summarynote import SUMMARIES
from vaultmem.core.notes.unite import united
from vaultmem.errors import VaultmemError
from vaultmem.model import FileStat

#: Pages that were looked at: path -> [size, time, line of a conflict that stays].
_SEEN = "conflicts:seen"
#: Originals that both sides of the merge under way had under one name, and that stand side by side now.
_PARTED = "conflicts:originals"
_FOLDERS = ("wiki/", "entities/")
#: git has just written these, and nobody is typing in them.
_PATIENCE = timedelta(hours=1)


def settle_conflicts(engine: Engine, files: Mapping[str, FileStat]) -> dict[str, str]:
    """Make notes with conflict markers whole; path -> problem of those that a person has to mend."""
    _part_originals(engine)
    before: dict[str, list[int]] = json.loads(engine.index.get_meta(_SEEN) or "{}")
    after: dict[str, list[int]] = {}
    for stat in _unread(engine, files):
        seen = before.get(stat.path)
        if seen is None or seen[:2] != [stat.size, stat.mtime_ns]:
            seen = _settled(engine, stat)
        after[stat.path] = seen
    if after != before:
        engine.index.set_meta(_SEEN, json.dumps(after, sort_keys=True))
    return open_conflicts(engine)


def open_conflicts(engine: Engine) -> dict[str, str]:
    """Notes in which markers were left at the last look, with the line."""
    seen: dict[str, list[int]] = json.loads(engine.index.get_meta(_SEEN) or "{}")
    return {
        path: f"a conflict of git begins in line {line}: choose, and take the marker lines out"
        for path, (_, _, line) in seen.items()
        if line
    }


def _unread(engine: Engine, files: Mapping[str, FileStat]) -> Iterator[FileStat]:
    """Files of memory that may have changed since they were indexed."""
    known = {path: stat for path, (stat, _) in engine.index.note_stats().items()}
    known |= engine.index.node_stats()
    for path, stat in files.items():
        if _is_note(path) and not _is_as(known.get(path), stat):
            yield stat
    for path in (TOMBSTONES, MADE):
        if found := engine.vault.stat(path):
            yield found


def _is_note(path: str) -> bool:
    """An original is none: what stands in it may be about git."""
    return path.startswith(_FOLDERS) and path.endswith(".md") and not path.startswith(f"{ARCHIVE}/")


def _is_as(known: FileStat | None, stat: FileStat) -> bool:
    return known is not None and (known.size, known.mtime_ns) == (stat.size, stat.mtime_ns)


def _settled(engine: Engine, stat: FileStat) -> list[int]:
    """Look at one file; what is to be remembered of it."""
    line = 0
    try:
        data = engine.vault.read(stat.path)
        if b"<<<<<<<" in data:
            line = _mend(engine, stat.path, data)
    except (FileNotFoundError, UnicodeDecodeError, VaultmemError):
        line = 0  # whoever reads it next says what is wrong
    now = engine.vault.stat(stat.path) or stat
    return [now.size, now.mtime_ns, line]


def _mend(engine: Engine, path: str, data: bytes) -> int:
    """The line of a conflict that stays; 0 for none."""
    text = data.decode()
    if not has_conflict(text) or _is_whole(text):
        return 0
    made = united(path, text, _versions(engine, path, data))
    if made != text:
        new = made.encode()
        now = datetime.fromtimestamp(engine.wall(), UTC) + _PATIENCE
        engine.vault.edit(path, lambda current: new if current == data else None, now=now)
        remember_written(engine, path, new)
        _made_anew(engine, path)
    return first_marker(made)


def _versions(engine: Engine, path: str, data: bytes) -> tuple[str, str] | None:
    history = engine.history()
    found = history.versions(path, data) if history else None
    try:
        return (found[0].decode(), found[1].decode()) if found else None
    except UnicodeDecodeError:
        return None


def _is_whole(text: str) -> bool:
    """A message may quote markers: then the note is just as it was written."""
    try:
        return not parse_chunk_note(text).edited
    except VaultmemError:
        return False


def _part_originals(engine: Engine) -> None:
    """Two originals under one name, as a vault that was no repository yet may have them: both stay, side by side."""
    history = engine.history() if engine.vault.scan(ARCHIVE, suffix="").files else None
    found = history.unmerged(ARCHIVE) if history else {}
    now = [f"{path} {' '.join(sorted(map(sha256_hex, sides)))}" for path, sides in sorted(found.items())]
    if now == json.loads(engine.index.get_meta(_PARTED) or "[]"):
        return  # what was forgotten since does not come back
    for path, sides in found.items():
        _part(engine, path, sides)
    engine.index.set_meta(_PARTED, json.dumps(now))


def _part(engine: Engine, path: str, sides: tuple[bytes, bytes]) -> None:
    """Which keeps the name follows from the two alone, so that every clone has them alike."""
    first, second = sorted(sides, key=sha256_hex)
    folder, _, name = path.rpartition("/")
    beside = f"{folder}/{original_name(name, sha256_hex(second))}"
    if engine.vault.stat(beside) is None:
        engine.vault.put(beside, second)
    now = datetime.fromtimestamp(engine.wall(), UTC) + _PATIENCE
    engine.vault.edit(path, lambda here: first if here == second or b"<<<<<<<" in here else None, now=now)


def _made_anew(engine: Engine, path: str) -> None:
    """What is known of the note no longer holds: its summary is put in order, its page written again."""
    if path.startswith(f"{SUMMARIES}/"):
        engine.index.commit_nodes([], removed=[path])
    elif path.startswith("entities/"):
        forget_entity_pages(engine)
    else:
        forget_shown(engine, f"page:{path}")
