"""What is shown of a chunk, and beside a passage: its neighbours, and whom and what is named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import apsw

from vaultmem.answers import Around, IndexedChunk
from vaultmem.model import Mention, Passage
from vaultmem.store.index.rows import COVER, ORDINAL_BITS, as_json, from_us, load_chunk


def around(db: apsw.Connection, passages: Collection[tuple[str, int]]) -> Mapping[tuple[str, int], Around]:
    """(chunk_id, ordinal) -> what stands beside it, of those of these that there are."""
    chunks: Any = db.execute(_NUMBERS, (as_json({chunk_id for chunk_id, _ in passages}),))
    numbers = dict(chunks)
    asked = {
        (numbers[chunk_id] << ORDINAL_BITS) | ordinal: (chunk_id, ordinal)
        for chunk_id, ordinal in passages
        if chunk_id in numbers
    }
    texts: dict[int, str] = dict(db.execute(_TEXTS, (as_json({n + step for n in asked for step in (-1, 1)}),)))
    mentions: dict[int, list[Mention]] = defaultdict(list)
    for number, mention in _mentions(db, _MENTIONS, asked):
        mentions[number].append(mention)
    return {
        name: Around(
            before=texts.get(number - 1, "") if name[1] else "",
            after=texts.get(number + 1, "") if name[1] < COVER else "",
            mentions=tuple(mentions[number]),
        )
        for number, name in asked.items()
    }


_NUMBERS = "SELECT chunk_id, id FROM chunks WHERE chunk_id IN (SELECT value FROM json_each(?))"
_TEXTS = "SELECT id, text FROM passages WHERE id IN (SELECT value FROM json_each(?))"
_MENTIONS = (
    "SELECT surface, text, kind, passage, origin FROM mentions WHERE passage IN (SELECT value FROM json_each(?))"
    " ORDER BY passage, surface, kind, origin, text"
)


def chunks_named(db: apsw.Connection, chunk_ids: Collection[str]) -> Mapping[str, IndexedChunk]:
    """chunk_id -> all that is held of it, of those of these that there are."""
    rows: list[Any] = db.execute(_CHUNKS, (as_json(chunk_ids),)).fetchall()
    numbers: list[int] = [row[0] for row in rows]
    passages: dict[int, list[Passage]] = defaultdict(list)
    for number, text, author, sent_us, block, heading, addressed, first, last in db.execute(
        _PASSAGES, (as_json(numbers),)
    ):
        passages[number >> ORDINAL_BITS].append(
            Passage(
                ordinal=number & COVER, text=text, author=author, sent_at=None if sent_us is None else from_us(sent_us),
                block=block, heading=heading, addressed=addressed, first_line=first, last_line=last,
            )
        )  # fmt: skip
    mentions: dict[int, list[Mention]] = defaultdict(list)
    for number, mention in _mentions(db, _MENTIONS_IN, numbers):
        mentions[number >> ORDINAL_BITS].append(mention)
    return {
        chunk_id: IndexedChunk(
            path=path, chunk=load_chunk(value), passages=tuple(passages[number]), mentions=tuple(mentions[number]),
            body_line=body_line, note_hash=known,
        )
        for number, chunk_id, path, body_line, known, value in rows
    }  # fmt: skip


def _mentions(db: apsw.Connection, query: str, numbers: Iterable[int]) -> Iterator[tuple[int, Mention]]:
    """(number of the passage, mention) of what such a query finds."""
    rows: Any = db.execute(query, (as_json(numbers),))
    for surface, text, kind, number, origin in rows:
        yield number, Mention(surface=surface, text=text, kind=kind, passage=number & COVER, origin=origin)


_CHUNKS = (
    "SELECT c.id, c.chunk_id, c.path, c.body_line, c.note_hash, v.value FROM json_each(?) j"
    " CROSS JOIN chunks c ON c.chunk_id = j.value CROSS JOIN chunk_values v ON v.chunk = c.id"
)
_PASSAGES = (
    "SELECT p.id, p.text, p.author, p.sent_us, p.block, p.heading, p.addressed, p.first_line, p.last_line"  # noqa: S608
    f" FROM json_each(?) j CROSS JOIN passages p ON p.id BETWEEN j.value << {ORDINAL_BITS}"
    f" AND (j.value << {ORDINAL_BITS}) + {COVER} ORDER BY p.id"
)
_MENTIONS_IN = (
    "SELECT m.surface, m.text, m.kind, m.passage, m.origin FROM json_each(?) j"  # noqa: S608 - made of constants
    f" CROSS JOIN mentions m ON m.passage BETWEEN j.value << {ORDINAL_BITS} AND (j.value << {ORDINAL_BITS}) + {COVER}"
    " ORDER BY m.passage, m.surface, m.kind, m.origin, m.text"
)
