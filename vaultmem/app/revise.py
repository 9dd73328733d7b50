"""An export that comes again with messages their authors changed meanwhile: which notes say something else now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from vaultmem.app.engine import Engine
from vaultmem.app.notes import free_path
from vaultmem.core.ingest.compose import Composer
from vaultmem.core.ingest.revise import changed_keys, part_keys, revise, takes_over
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.codec import parse_body
from vaultmem.errors import VaultmemError
from vaultmem.model import Chunk, SourceMessage

_Note = tuple[str, Chunk]


@dataclass(slots=True, kw_only=True)
class Edits:
    """What the edits of one batch change."""

    #: notes that say something else: (path, chunk)
    rewritten: list[_Note] = field(default_factory=list)
    #: notes that come new, for what does not fit any more
    added: list[_Note] = field(default_factory=list)
    #: notes that are empty now
    removing: list[str] = field(default_factory=list)
    #: paths among `rewritten` whose text also moves between notes: a claim has to name them
    together: list[str] = field(default_factory=list)
    #: keys of messages whose new text was taken over
    taken: set[str] = field(default_factory=set)
    #: keys of messages that stand in notes which a person edited
    kept: set[str] = field(default_factory=set)
    #: chunk ids that are new
    chunks: int = 0


@dataclass(slots=True, kw_only=True)
class _Group:
    """Neighbouring notes that one or more edited messages stand in."""

    notes: list[_Note]
    edits: dict[str, SourceMessage]


def take_edits(
    engine: Engine,
    source_id: str,
    edited: Mapping[str, SourceMessage],
    seen: Mapping[str, SourceMessage],
    found: Edits,
    *,
    known: Mapping[str, str],
    by: Composer,
) -> None:
    """Find what the notes of this source say with these texts. Nothing is written here.

    `edited`: known messages that their platform calls edited, by key; `seen`: all of the batch; `known`: key -> path of
    the note.
    """
    if not edited:
        return
    free_seq = engine.index.next_seq(source_id) - len(found.added)
    for group in _groups(engine, source_id, edited, known):
        _take_group(engine, group, seen, found, free_seq=free_seq + len(found.added), by=by)


def _groups(
    engine: Engine, source_id: str, edited: Mapping[str, SourceMessage], known: Mapping[str, str]
) -> Iterable[_Group]:
    groups: list[_Group] = []
    at: dict[str, dict[str, SourceMessage]] = {}
    for key, item in edited.items():
        at.setdefault(known[key], {})[key] = item
    for path, chunk in engine.index.held.holders(source_id, edited.keys()):
        mine = {key: item for key, item in at.get(path, {}).items() if takes_over(item, chunk)}
        if not mine:
            continue
        if groups and path in (other for other, _ in groups[-1].notes):
            groups[-1].edits |= mine
        else:
            groups.append(_Group(notes=[(path, chunk)], edits=mine))
        last = parse_body("chat", chunk.body)[-1].key
        if last in mine:
            there = [other for other, _ in groups[-1].notes]
            parts = engine.index.held.holders(source_id, part_keys(last))
            groups[-1].notes += [note for note in parts if note[0] not in there]
    return groups


def _take_group(
    engine: Engine,
    group: _Group,
    seen: Mapping[str, SourceMessage],
    found: Edits,
    *,
    free_seq: int,
    by: Composer,
) -> None:
    standing = [_standing(engine, path, chunk) for path, chunk in group.notes]
    before = [chunk for chunk in standing if chunk]
    if len(before) < len(standing):
        return  # a note that a person moved, removed or broke a moment ago: reconcile sees to it first
    changed = changed_keys(before, group.edits)
    if any(chunk.edited for chunk in before):
        found.kept |= changed
        return
    positions = engine.index.held.positions(before[0].source_id)
    after = revise(before, group.edits, seen, free_seq=free_seq, positions=positions, by=by)
    paths = [path for path, _ in group.notes]
    found.rewritten += zip(paths, after, strict=False)
    found.added += [(free_path(engine, chunk), chunk) for chunk in after[len(paths) :]]
    found.removing += paths[len(after) :]
    if len(after) > 1 or len(paths) > 1:
        found.together += paths[: len(after)]
    found.taken |= changed
    old = {chunk.chunk_id for chunk in before}
    found.chunks += sum(chunk.chunk_id not in old for chunk in after)


def _standing(engine: Engine, path: str, indexed: Chunk) -> Chunk | None:
    """The chunk as its note has it now: a person's properties, and the content that the index knows.

    A run that was killed may have left the new content there; what it means is decided from the old one again.
    """
    try:
        disk = parse_chunk_note(engine.vault.read(path).decode())
    except (VaultmemError, UnicodeDecodeError, FileNotFoundError):
        return None
    if (disk.source_id, disk.seq) != (indexed.source_id, indexed.seq):
        return None
    same = ("chunk_id", "body", "body_sha256", "position", "revised")
    return disk if disk.edited else replace(disk, **{name: getattr(indexed, name) for name in same})
