"""Cut a source into chunks: whole messages of a chat or thread, and pieces of a document that stay what they were.

pack_messages(messages, "chat", …)         -> groups of messages, each one chunk note
chunk_document(body, …, kept=old_texts)    -> pieces that join to the body; those in `kept` are found, not cut anew
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vaultmem.core.ingest.kept import Hold, find_kept
from vaultmem.core.ingest.units import Layout, pack_units
from vaultmem.core.notes.codec import render_body
from vaultmem.core.notes.cut import cut_text
from vaultmem.core.notes.ids import part_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import timedelta

    from vaultmem.model import Message, SourceKind, TokenCounter

#: Least share of a chunk that is left for a message's text when its header lines alone fill it.
_TEXT_SHARE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One chunk of a document."""

    #: exact slice of the body: the texts of all pieces join to it
    text: str
    #: the headings above its first line, outermost first, joined by " > "
    heading: str
    #: lines to stand in front of `text` in the note, so that it means the same alone: a cut table's header, the
    #: opening line of a cut fence; "" otherwise
    repeat: str = ""
    #: index into `kept` of the old chunk this piece is, unchanged; None for a new one
    kept: int | None = None


def chunk_document(body: str, *, count: TokenCounter, max_tokens: int, kept: Sequence[str] = ()) -> tuple[Piece, ...]:
    """Cut a document's body. Every piece, `repeat` included, has at most `max_tokens` tokens by `count`.

    (A single character that costs more is the one exception.) Pieces are as few as they can be; among cuts that
    allow this, one above a heading is preferred, then one between blocks. Texts of `kept` (bodies of chunks the
    document had before) that are still there stay pieces wherever they moved; only what lies between is cut.
    """
    layout = Layout(body, count, max_tokens)
    holds = find_kept(layout, kept)
    pieces: list[Piece] = []
    at = 0
    for index, hold in enumerate([*holds, None]):
        pieces += _cut(layout, holds[index - 1] if index else None, at, hold.start if hold else len(body))
        if hold:
            at = hold.end
            following = holds[index + 1].start if index + 1 < len(holds) else len(body)
            text = body[hold.start : hold.exact_end if at < following else at]
            pieces.append(Piece(text=text, heading=layout.heading_at(hold.start), repeat=hold.repeat, kept=hold.index))
    return tuple(pieces)


def _cut(layout: Layout, before: Hold | None, start: int, end: int) -> Iterator[Piece]:
    """The new pieces between two kept ones. Blank lines that were not the kept one's open the first of them."""
    units = layout.units(start, end)
    if units and before:
        units[0] = replace(units[0], start=before.exact_end)
    for first, last, repeat in pack_units(units, layout):
        heading = layout.heading_at(max(first.start, start))
        yield Piece(text=layout.body[first.start : last.end], heading=heading, repeat=repeat)


def pack_messages(
    messages: Sequence[Message], kind: SourceKind, *, count: TokenCounter, max_tokens: int, gap: timedelta
) -> tuple[tuple[Message, ...], ...]:
    """Group messages in order, each group at most `max_tokens` when rendered. A chat breaks where it fell silent.

    A message above the limit is cut into parts: the first keeps its key, part n gets `part_key(key, n)`; their texts
    join to the text.
    """

    def size(group: Sequence[Message]) -> int:
        return count(render_body(kind, group))

    groups: list[tuple[Message, ...]] = []
    held: list[Message] = []
    cost = 0
    for message in messages:
        # Parts of one message are neighbours without a gap, whatever their size.
        for part, own in _parts(message, size, count, max_tokens):
            if held and (cost + own > max_tokens or (kind == "chat" and _is_silent(held[-1], part, gap))):
                groups += _exact(held, size, max_tokens)
                held, cost = [], 0
            held.append(part)
            cost += own
    return (*groups, *_exact(held, size, max_tokens))


def _is_silent(before: Message, after: Message, gap: timedelta) -> bool:
    return before.sent_at is not None and after.sent_at is not None and after.sent_at - before.sent_at > gap


def _exact(group: Sequence[Message], size: Callable[[Sequence[Message]], int], limit: int) -> list[tuple[Message, ...]]:
    """The group, or halves of it where the joined rendering costs more than the sum of its messages."""
    if len(group) < 2 or size(group) <= limit:
        return [tuple(group)] if group else []
    middle = len(group) // 2
    return _exact(group[:middle], size, limit) + _exact(group[middle:], size, limit)


def _parts(
    message: Message, size: Callable[[Sequence[Message]], int], count: TokenCounter, limit: int
) -> Iterator[tuple[Message, int]]:
    """The message, or its parts; each with its size."""
    whole = size([message])
    if whole <= limit:
        yield message, whole
        return
    room = max(limit - size([replace(message, text="")]), limit // _TEXT_SHARE, 1)
    texts = list(_texts(message, room, size, count, limit))
    for index, text in enumerate(texts):
        part = replace(message, text=text, key=part_key(message.key, index) if index else message.key)
        yield part, size([part])


def _texts(
    message: Message, room: int, size: Callable[[Sequence[Message]], int], count: TokenCounter, limit: int
) -> Iterator[str]:
    """The text cut to `room` tokens; where escapes make a part larger than that, cut again to half."""
    for text in cut_text(message.text, room, count):
        part = replace(message, text=text)
        if room > 1 and len(text) > 1 and size([part]) > limit:
            yield from _texts(part, room // 2, size, count, limit)
        else:
            yield text
