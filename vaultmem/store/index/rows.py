"""Values <-> what SQLite stores: times, JSON, passage numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import UTC, datetime, timedelta

from vaultmem.model import Chunk, Entity

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_CHUNK_FIELDS = tuple(f.name for f in fields(Chunk))
_TIMES = frozenset({"time_start", "time_end"})
_TUPLES = frozenset({"entities", "llm_entities", "aliases", "tags", "emails", "handles", "same_as", "not_same_as"})

#: Bits of a passage's number that hold its ordinal; schema.sql names the same limits.
ORDINAL_BITS = 22
#: The ordinal under which a chunk's title and tags stand in the word index.
COVER = (1 << ORDINAL_BITS) - 1
#: Notes of the user's own, by their source (core.notes.paths.IN_PLACE): a range, which an index can serve.
IN_PLACE = "source_id >= 'note:' AND source_id < 'note;'"


def to_us(moment: datetime) -> int:
    """Microseconds since 1970 UTC, exact for every year."""
    return (moment - _EPOCH) // _MICROSECOND


def from_us(value: int) -> datetime:
    """The aware UTC time of `to_us`."""
    return _EPOCH + timedelta(microseconds=value)


def storable(text: str) -> str:
    """Text that UTF-8 can hold: lone surrogates become a question mark."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return text.encode("utf-8", "replace").decode()
    return text


def as_json(values: Iterable[object]) -> str:
    """A list for `json_each(?)`: one bound value for any number of items."""
    return storable(json.dumps(list(values), ensure_ascii=False))


def dump_chunk(chunk: Chunk) -> str:
    """A chunk as JSON."""
    return _dump({name: getattr(chunk, name) for name in _CHUNK_FIELDS})


def load_chunk(text: str) -> Chunk:
    """The chunk of `dump_chunk`."""
    return Chunk(**_load(text))  # type: ignore[arg-type]


def dump_entity(entity: Entity) -> str:
    """An entity as JSON."""
    return _dump({f.name: getattr(entity, f.name) for f in fields(Entity)})


def load_entity(text: str) -> Entity:
    """The entity of `dump_entity`."""
    return Entity(**_load(text))  # type: ignore[arg-type]


def _dump(values: Mapping[str, object]) -> str:
    return storable(_ENCODED(values))


def _plain(value: object) -> object:
    """What JSON has no form for."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)


_ENCODED = json.JSONEncoder(ensure_ascii=False, default=_plain).encode


def _load(text: str) -> dict[str, object]:
    values: dict[str, object] = json.loads(text)
    for key, value in values.items():
        if key in _TIMES:
            values[key] = datetime.fromisoformat(str(value))
        elif key in _TUPLES and isinstance(value, list):
            values[key] = tuple(value)
        elif key == "revised" and isinstance(value, dict):
            values[key] = {name: datetime.fromisoformat(at) for name, at in value.items()}
    return values
