"""What a hit shows beside its passage: its neighbours, and whom and what is named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

import apsw

from vaultmem.answers import Around
from vaultmem.model import Mention
from vaultmem.store.index.rows import COVER, ORDINAL_BITS, as_json


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
    rows: Any = db.execute(_MENTIONS, (as_json(asked),))
    for surface, text, kind, number, origin in rows:
        mentions[number].append(Mention(surface=surface, text=text, kind=kind, passage=number & COVER, origin=origin))
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


def passage_mentions(db: apsw.Connection, chunk_id: str) -> tuple[Mention, ...]:
    """The mentions of a chunk in passage order."""
    rows = db.execute(
        "SELECT m.surface, m.text, m.kind, m.passage & 4194303, m.origin FROM chunks c"
        " JOIN mentions m ON m.passage BETWEEN c.id << 22 AND (c.id << 22) + 4194303 WHERE c.chunk_id = ?"
        " ORDER BY m.passage, m.surface, m.kind, m.origin, m.text",
        (chunk_id,),
    )
    return tuple(Mention(surface=s, text=t, kind=k, passage=p, origin=o) for s, t, k, p, o in rows)
