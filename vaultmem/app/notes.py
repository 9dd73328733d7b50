"""Chunks -> notes on disk -> rows: the one place where a chunk note is written and indexed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from vaultmem.app.engine import Engine
from vaultmem.core.ingest.entities import Registry
from vaultmem.core.ingest.redact import redact
from vaultmem.core.ingest.scrub import scrub_chunk
from vaultmem.core.notes.broken import Broken, broken_notes
from vaultmem.core.notes.chunknote import parse_chunk_note, render_chunk_note, rewrite_chunk_note
from vaultmem.core.notes.conflicts import has_conflict
from vaultmem.core.notes.entry import read_entry
from vaultmem.core.notes.paths import RAW, chunk_path
from vaultmem.errors import BadNote, CannotWrite, VaultmemError
from vaultmem.jobs import Job
from vaultmem.model import Chunk, Claim, Entry, FileStat, NoteFile

_COVERED = "something that is no note stands in its place (a folder, a link): it counts as deleted when that goes too"


def write_notes(
    engine: Engine,
    registry: Registry,
    notes: Sequence[tuple[str, Chunk]],
    *,
    claim: Claim,
    rewritten: Sequence[tuple[str, Chunk]] = (),
    removing: Sequence[str] = (),
) -> None:
    """Claim, write durably, index in one transaction, then remove what went away.

    The order is the promise: the claim names every note before it exists, and the index learns of a note only when
    the disk holds it for good. `rewritten` are notes that exist: whole before and after, so that reconcile may see
    them at any moment, and the claim need not name them. What a person added to them stays, and one that a person
    changes in this moment is left. Raises CannotWrite where somebody made a note in the place of a new one.
    """
    planned = (*claim.planned, *(path for path, _ in notes))
    engine.intake.open_claim(replace(claim, planned=planned, removing=(*claim.removing, *removing)))
    pii = engine.settings.redact_pii
    seen = {path: stat for path, _ in (*notes, *rewritten) if (stat := engine.vault.stat(path))}
    files = [NoteFile(path=path, content=_rendered(chunk, pii).encode()) for path, chunk in notes]
    files += [NoteFile(path=path, content=_again(engine, path, chunk)) for path, chunk in rewritten]
    left = set(engine.vault.renew(files, seen))
    if taken := left.intersection(path for path, _ in notes):
        raise CannotWrite(min(taken), "somebody made a note there")
    files = [file for file in files if file.path not in left]
    entries = [
        read_entry(file.content.decode(), registry, engine.vault.stat(file.path) or _unseen(file)) for file in files
    ]
    engine.index.commit(entries, removed=removing, jobs=jobs_of(entries))
    for path in removing:
        engine.vault.remove(path)


def _rendered(chunk: Chunk, pii: Collection[str]) -> str:
    """The note's text, looked through once more: what was redacted piece by piece must be clean as a whole too.

    A body that a person edited is theirs.
    """
    text = render_chunk_note(chunk)
    if chunk.edited or not redact(text, pii).removed:
        return text
    return render_chunk_note(scrub_chunk(chunk, pii))


def _again(engine: Engine, path: str, chunk: Chunk) -> bytes:
    """The note that stands there, brought up to date; looked through for secrets like a new one."""
    pii = engine.settings.redact_pii
    written = rewrite_chunk_note(engine.vault.read(path), chunk)
    return rewrite_chunk_note(written, scrub_chunk(chunk, pii)) if redact(written.decode(), pii).removed else written


def jobs_of(entries: Iterable[Entry]) -> tuple[Job, ...]:
    """What follows from new rows: enqueued in the transaction that makes them."""
    chunks = [entry.chunk for entry in entries]
    return tuple(Job(kind="extract_chunk", subject=chunk.chunk_id, source=chunk.tree_scope) for chunk in chunks)


def _unseen(file: NoteFile) -> FileStat:
    """A note that somebody removed the moment it was written: the next reconcile will see that."""
    return FileStat(path=file.path, size=len(file.content), mtime_ns=0)


def free_path(engine: Engine, chunk: Chunk) -> str:
    """The chunk's path; a longer hash when a different chunk's note happens to stand there, or one that a person broke
    or a cloud took away, and that nobody can tell the chunk of.
    """
    path = chunk_path(chunk, engine.settings.zone)
    names = (path.replace(f"-{chunk.chunk_id[:6]}.md", f"-{chunk.chunk_id[:digits]}.md") for digits in (6, 16, 32))
    return next((name for name in names if is_free(engine, name) or stands(engine, name, chunk)), path)


def is_free(engine: Engine, path: str) -> bool:
    """Whether a new note may stand there: no file does, and no folder or link."""
    return engine.vault.stat(path) is None and not engine.vault.is_covered(path)


def stands(engine: Engine, path: str, chunk: Chunk) -> bool:
    """Whether this chunk's note can be read there now."""
    return chunk_id_at(engine, path) == chunk.chunk_id


def chunk_id_at(engine: Engine, path: str) -> str:
    """The chunk whose note stands there now; "" for none."""
    try:
        return parse_chunk_note(engine.vault.read(path).decode()).chunk_id
    except (VaultmemError, UnicodeDecodeError, FileNotFoundError):
        return ""


def _whole(entry: Entry) -> Entry:
    """A note in which a conflict of git stands is no content. A message may quote one. Raises BadNote."""
    if entry.chunk.edited and has_conflict(entry.chunk.body):
        raise BadNote("a conflict of git stands in it")
    return entry


def read_entries(
    engine: Engine, registry: Registry, stats: Iterable[FileStat]
) -> tuple[tuple[Entry, ...], dict[str, str]]:
    """Entries of the notes that can be read, and path -> problem of the others."""
    entries: list[Entry] = []
    problems: dict[str, str] = {}
    for stat in stats:
        try:
            entries.append(_whole(read_entry(engine.vault.read(stat.path).decode(), registry, stat)))
        except FileNotFoundError:
            continue
        except (VaultmemError, UnicodeDecodeError, OSError) as problem:
            problems[stat.path] = str(problem)
    return tuple(entries), problems


def unreadable(engine: Engine, registry: Registry, paths: Iterable[str]) -> Broken:
    """What stands in those of these chunk notes that cannot be read."""
    stats = [stat for path in paths if path.startswith(f"{RAW}/") and (stat := engine.vault.stat(path))]
    _, problems = read_entries(engine, registry, stats)
    return broken_notes((path, _text(engine, path)) for path in problems)


def _text(engine: Engine, path: str) -> str:
    try:
        return engine.vault.read(path).decode("utf-8", "replace")
    except (VaultmemError, FileNotFoundError):
        return ""


def covered_notes(engine: Engine, paths: Iterable[str], seen: Collection[str]) -> dict[str, str]:
    """Those of these known paths where no file was `seen`, and something else stands: path -> what to say of it."""
    found = (path for path in paths if path not in seen and engine.vault.is_covered(path))
    return dict.fromkeys(found, _COVERED)
