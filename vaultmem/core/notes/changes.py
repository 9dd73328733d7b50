"""What memory gained, lost and changed between two states of its notes, by note and by block. Pure.

A note is known by its id: one that was moved or renamed is that, not lost and gained. So is a message that another note
of its source holds now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from vaultmem.core.notes.shape import Block, Shape
from vaultmem.history import CHANGES, BlockChange, Change, Changes, NoteChange

#: Characters of a block that are told.
_TOLD = 400
#: Paragraphs that are set side by side; of longer notes only what is in one alone is told.
_ALIGNED = 2000
#: Blocks that have no key of their own: their text is what they are.
_UNNAMED = ("paragraph", "sentence")


def changes(before: Iterable[Shape], after: Iterable[Shape]) -> tuple[NoteChange, ...]:
    """One entry for every note that is not as it was, in the order of their paths now."""
    old, new = _by_id(before), _by_id(after)
    at_path = {shape.path: shape for identity, shape in old.items() if identity not in new}
    found: list[NoteChange] = []
    for identity, shape in new.items():
        # an edited message gives its note another id, and leaves it where it is
        was = old.pop(identity, None) or at_path.pop(shape.path, None)
        if was is not None and was.id != identity:
            if was.kind == shape.kind:
                old.pop(was.id, None)
            else:
                was = None
        found += [_gained(shape)] if was is None else _changed(was, shape)
    found += [_lost(shape) for shape in old.values()]
    return tuple(sorted(_without_moved(found), key=lambda change: (change.path, change.id)))


def counted(since: str, notes: Sequence[NoteChange], *, degraded: str = "") -> Changes:
    """The same with its counts."""
    kinds: dict[Change, Counter[str]] = {change: Counter() for change in CHANGES}
    blocks: dict[Change, Counter[str]] = {change: Counter() for change in CHANGES}
    sources: dict[str, Counter[str]] = {}
    for note in notes:
        kinds[note.change][note.kind] += 1
        sources.setdefault(note.source, Counter())[note.change] += 1
        for block in note.blocks:
            blocks[block.change][block.kind] += 1
    return Changes(
        since=since,
        notes=tuple(notes),
        counts={change: dict(found) for change, found in kinds.items() if found},
        blocks={change: dict(found) for change, found in blocks.items() if found},
        sources={source: dict(found) for source, found in sorted(sources.items()) if source},
        degraded=degraded,
    )


def _by_id(shapes: Iterable[Shape]) -> dict[str, Shape]:
    """The first by path of several with one id."""
    found: dict[str, Shape] = {}
    for shape in sorted(shapes, key=lambda each: each.path):
        found.setdefault(shape.id, shape)
    return found


def _gained(shape: Shape) -> NoteChange:
    blocks = [_told("gained", block, after=block) for block in shape.blocks if block.key != "memory_status"]
    return _note("gained", shape, blocks)


def _lost(shape: Shape) -> NoteChange:
    blocks = [_told("lost", block, before=block) for block in shape.blocks if block.key != "memory_status"]
    return _note("lost", shape, blocks)


def _changed(was: Shape, shape: Shape) -> list[NoteChange]:
    blocks = [*_named_changes(was.blocks, shape.blocks), *_text_changes(was.blocks, shape.blocks)]
    moved = shape.path not in (was.path, shape.id)
    if not blocks and not moved:
        return []
    note = _note("changed" if blocks else "renamed", shape, blocks)
    return [replace(note, was_path=was.path) if moved else note]


def _named_changes(before: Sequence[Block], after: Sequence[Block]) -> Iterator[BlockChange]:
    """Blocks with a key: the same key is the same block."""
    old = {(block.kind, block.key): block for block in before if _is_named(block)}
    new = {(block.kind, block.key): block for block in after if _is_named(block)}
    for key, block in new.items():
        was = old.get(key)
        if was is None:
            yield _told("gained", block, after=block)
        elif was.mark != block.mark:
            yield _told("changed", block, before=was, after=block)
    yield from (_told("lost", block, before=block) for key, block in old.items() if key not in new)


def _text_changes(before: Sequence[Block], after: Sequence[Block]) -> Iterator[BlockChange]:
    """Blocks that are their text: set side by side, those in one place are one that changed."""
    old = [block for block in before if not _is_named(block)]
    new = [block for block in after if not _is_named(block)]
    if max(len(old), len(new)) > _ALIGNED:
        marks = {block.mark for block in old}, {block.mark for block in new}
        yield from (_told("gained", block, after=block) for block in new if block.mark not in marks[0])
        yield from (_told("lost", block, before=block) for block in old if block.mark not in marks[1])
        return
    matcher = SequenceMatcher(None, [block.mark for block in old], [block.mark for block in new], autojunk=False)
    moved = {block.mark for block in old} & {block.mark for block in new}
    for kind, a1, a2, b1, b2 in matcher.get_opcodes():
        if kind == "equal":
            continue
        gone = [block for block in old[a1:a2] if block.mark not in moved]
        came = [block for block in new[b1:b2] if block.mark not in moved]
        both = min(len(gone), len(came))
        for was, block in zip(gone[:both], came[:both], strict=True):
            yield _told("changed", block, before=was, after=block)
        yield from (_told("lost", block, before=block) for block in gone[both:])
        yield from (_told("gained", block, after=block) for block in came[both:])


def _is_named(block: Block) -> bool:
    return block.kind not in _UNNAMED and bool(block.key)


def _told(change: Change, block: Block, *, before: Block | None = None, after: Block | None = None) -> BlockChange:
    return BlockChange(
        change=change,
        kind=block.kind,
        key=block.key,
        author=block.author,
        before=_short(before.text) if before else "",
        after=_short(after.text) if after else "",
    )


def _short(text: str) -> str:
    return text if len(text) <= _TOLD else f"{text[:_TOLD]}…"


def _note(change: Change, shape: Shape, blocks: Sequence[BlockChange]) -> NoteChange:
    return NoteChange(
        change=change,
        kind=shape.kind,
        id=shape.id,
        title=shape.title,
        source=shape.source,
        path=shape.path,
        blocks=tuple(blocks),
    )


def _without_moved(notes: Sequence[NoteChange]) -> Iterator[NoteChange]:
    """Messages that one note of a source lost and another gained are neither."""
    lost, gained = (_messages(notes, change) for change in ("lost", "gained"))
    moved = lost & gained
    for note in notes:
        blocks = tuple(
            block for block in note.blocks if (note.source, block.key) not in moved or block.kind != "message"
        )
        if blocks or note.change != "changed" or len(blocks) == len(note.blocks):
            yield replace(note, blocks=blocks)
        elif note.was_path:
            yield replace(note, change="renamed", blocks=())


def _messages(notes: Iterable[NoteChange], change: str) -> set[tuple[str, str]]:
    return {
        (note.source, block.key)
        for note in notes
        for block in note.blocks
        if block.change == change and block.kind == "message" and block.key
    }


def remembered(shapes: Mapping[str, Shape]) -> Mapping[str, object]:
    """Shapes as plain values: hashes of their blocks, no words but their paths."""
    return {
        path: [shape.kind, shape.id, shape.source, [[b.kind, b.key, b.mark] for b in shape.blocks]]
        for path, shape in shapes.items()
    }


def recalled(path: str, value: Sequence[object]) -> Shape:
    """A shape that was remembered. Raises ValueError, TypeError for what is none."""
    kind, identity, source, blocks = value
    if not isinstance(blocks, list):
        raise TypeError("blocks")
    return Shape(
        kind=str(kind),
        id=str(identity),
        title=path.rpartition("/")[2].removesuffix(".md"),
        source=str(source),
        path=path,
        blocks=tuple(Block(kind=str(k), key=str(key), mark=str(mark)) for k, key, mark in blocks),
    )
