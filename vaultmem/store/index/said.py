"""The words of a chunk as the word index gets them, from its entry or from its rows: the same, so that what was read of
the word index can follow a change."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import apsw

from vaultmem.core.recall.words import index_words
from vaultmem.store.index.rows import COVER, ORDINAL_BITS, as_json

#: author, addressed, heading, text
Said = tuple[str, str, str, str]
#: the words of a chunk's cover, then those of each passage
Words = list[list[str]]


def words_of(title: str, tags: Iterable[str], passages: Iterable[Said]) -> Words:
    """The words of title and tags, then of each passage."""
    return [index_words(" ".join([title, *tags])), *(index_words("\n".join(said)) for said in passages)]


def read_words(db: apsw.Connection, numbers: Collection[int]) -> dict[int, Words]:
    """Chunk number -> its words, of those of these that are there."""
    covers: list[Any] = db.execute(_COVERS, (as_json(sorted(numbers)),)).fetchall()
    return {number: words_of(title, json.loads(tags), _passages(db, number)) for number, title, tags in covers}


_COVERS = (
    "SELECT c.id, c.title, v.value -> 'tags' FROM json_each(?) j"
    " JOIN chunks c ON c.id = j.value JOIN chunk_values v ON v.chunk = c.id"
)


def _passages(db: apsw.Connection, number: int) -> Sequence[Said]:
    first = number << ORDINAL_BITS
    query = "SELECT author, addressed, heading, text FROM passages WHERE id BETWEEN ? AND ? ORDER BY id"
    found: Any = db.execute(query, (first, first + COVER)).fetchall()
    return found  # type: ignore[no-any-return]
