"""A document's passages: the units of recall. A paragraph, a few list items, a table, a fence; verbatim, with lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.core.notes.blocks import Block, blocks
from vaultmem.core.notes.cut import cut_text
from vaultmem.model import Passage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Characters of one passage: a reader sees it at a glance, and an embedder of 256 to 512 tokens sees it whole.
MAX_PASSAGE = 1500

_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)\s*$")
_OWN_BLOCK_ID = re.compile(r"\^([A-Za-z0-9-]+)\s*")
SEPARATOR = " > "


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines of a block (inclusive), or a part of one line."""

    text: str
    first_line: int
    last_line: int
    block: str = ""


def document_passages(body: str, heading: str = "") -> tuple[Passage, ...]:
    """The passages of a document's body. `heading` is the path of the headings above the body's first line.

    A heading is carried by what stands below it; only one with nothing below is a passage itself.
    """
    found = blocks(body)
    above = tuple(heading.split(SEPARATOR)) if heading else ()
    passages: list[Passage] = []
    top = 0
    for index, block in enumerate(found):
        if block.level:
            # The headings above carry no levels: in a well-formed document the n-th has level n.
            top = min(top or block.level, block.level)
            above = above[: block.level - 1] if block.level <= top else above
        if block.kind == "rule" or (block.level and not _stands_alone(found, index)):
            continue
        path = SEPARATOR.join([*above, *block.path])
        if passages and block.kind == "paragraph" and (own := _OWN_BLOCK_ID.fullmatch(block.text)):
            passages[-1] = _with_block(passages[-1], own.group(1))
            continue
        for piece in _pieces(block):
            passages.append(
                Passage(
                    ordinal=len(passages),
                    text=piece.text,
                    block=piece.block,
                    heading=path,
                    first_line=piece.first_line,
                    last_line=piece.last_line,
                )
            )
    return tuple(passages)


def _with_block(passage: Passage, block: str) -> Passage:
    """The passage named by the `^id` that stands on its own line below it."""
    return Passage(
        ordinal=passage.ordinal,
        text=passage.text,
        block=block,
        heading=passage.heading,
        first_line=passage.first_line,
        last_line=passage.last_line,
    )


def _stands_alone(found: Sequence[Block], index: int) -> bool:
    """True for a heading that nothing below carries on: the end, or a heading of its rank or above, follows."""
    rest = [block for block in found[index + 1 : index + 2] if block.kind != "rule"]
    return not rest or 0 < rest[0].level <= found[index].level


def _pieces(block: Block) -> Iterator[_Piece]:
    lines = block.text.split("\n")
    if block.kind == "list":
        starts = [line - block.first_line for line in block.items]
        groups = [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]
    elif len(block.text) <= MAX_PASSAGE or block.kind == "paragraph":
        groups = [lines]
    else:
        groups = [[line] for line in lines]
    first, size = block.first_line, 0
    held: list[str] = []
    for group in groups:
        alone = block.kind == "list" and any(_BLOCK_ID.search(line) for line in group)
        if held and (alone or size + _size(group) > MAX_PASSAGE):
            yield from _piece(held, first)
            first, size, held = first + len(held), 0, []
        held += group
        # An item with a block id is a passage of its own, so that the id names it alone.
        size = MAX_PASSAGE if alone else size + _size(group)
    yield from _piece(held, first)


def _size(lines: Sequence[str]) -> int:
    return sum(len(line) + 1 for line in lines)


def _piece(lines: list[str], first: int) -> Iterator[_Piece]:
    """The lines as one passage, without blank ones at the ends; longer text in parts."""
    text = "\n".join(lines)
    filled = [index for index, line in enumerate(lines) if line.strip()]
    if not filled:
        return
    if len(text) > MAX_PASSAGE:
        yield from _parts(text, first)
        return
    kept = lines[filled[0] : filled[-1] + 1]
    named = next((m.group(1) for line in reversed(kept) if (m := _BLOCK_ID.search(line))), "")
    yield _Piece("\n".join(kept), first + filled[0], first + filled[-1], named)


def _parts(text: str, first: int) -> Iterator[_Piece]:
    """Text above the limit, cut at lines and sentences."""
    at = first
    for part in cut_text(text, MAX_PASSAGE, len):
        kept = part.strip("\n")
        lead = len(part) - len(part.lstrip("\n"))
        if kept.strip():
            named = _BLOCK_ID.search(kept)
            yield _Piece(kept, at + lead, at + lead + kept.count("\n"), named.group(1) if named else "")
        at += part.count("\n")
