"""What a person deleted and must not come back: hashes only, one JSON line each, in the vault itself.

{"at":"2026-11-29T10:00:00","key":"0123456789ab","source":"8a1f0c2d"}   a message, or a piece of a document
{"at":"2026-11-29T10:00:00","entity":"person:alice-smith"}              an entity note
{"at":"2026-11-29T10:00:00","key":"0123456789ab","name_of":"person:alice-smith"}   a name or address taken out of one
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from vaultmem.core.notes.ids import fold, sha256_hex
from vaultmem.model import Chunk, Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstones:
    """Everything once held and deleted."""

    #: (source hash, key)
    keys: frozenset[tuple[str, str]] = frozenset()
    #: entity ids
    entities: frozenset[str] = frozenset()
    #: (entity id, hash of a folded name)
    names: frozenset[tuple[str, str]] = frozenset()

    def denies(self, entity_id: str, name: str) -> bool:
        """Whether a person took this name or address out of the entity's note."""
        return (entity_id, _name_key(name)) in self.names

    def buried(self, source_id: str, keys: Iterable[str]) -> frozenset[str]:
        """Which of these keys of the source were deleted."""
        source = _source(source_id)
        return frozenset(key for key in keys if (source, key) in self.keys)


def parse_tombstones(text: str) -> Tombstones:
    """Read the file; a line that a merge or an editor broke is passed over, it can only bring something back."""
    keys: set[tuple[str, str]] = set()
    entities: set[str] = set()
    names: set[tuple[str, str]] = set()
    for line in text.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and "entity" in row:
            entities.add(str(row["entity"]))
        elif isinstance(row, dict) and "name_of" in row:
            names.add((str(row["name_of"]), str(row.get("key", ""))))
        elif isinstance(row, dict) and "key" in row:
            keys.add((str(row.get("source", "")), str(row["key"])))
    return Tombstones(keys=frozenset(keys), entities=frozenset(entities), names=frozenset(names))


def piece_key(body: str) -> str:
    """Key of a document's piece: 12 hex digits of its body's hash."""
    return sha256_hex(body.encode())[:12]


def keys_of(chunk: Chunk, passages: Iterable[Passage]) -> tuple[str, ...]:
    """Keys by which a note's content would come back: its messages', or its document piece's."""
    if chunk.source_kind == "document":
        return (chunk.body_sha256[:12],)
    return tuple(p.block.removeprefix("m-") for p in passages if p.block.startswith("m-"))


def render_deleted(source_id: str, keys: Collection[str], at: datetime) -> str:
    """Lines for the deleted content of one note."""
    rows = ({"at": _stamp(at), "key": key, "source": _source(source_id)} for key in sorted(keys))
    return "".join(json.dumps(row, sort_keys=True) + "\n" for row in rows)


def render_deleted_entity(entity_id: str, at: datetime) -> str:
    """The line for a deleted entity note."""
    return json.dumps({"at": _stamp(at), "entity": entity_id}, sort_keys=True) + "\n"


def render_deleted_names(entity_id: str, names: Collection[str], at: datetime) -> str:
    """Lines for names and addresses taken out of an entity note."""
    rows = ({"at": _stamp(at), "key": _name_key(name), "name_of": entity_id} for name in sorted(names))
    return "".join(json.dumps(row, sort_keys=True) + "\n" for row in rows)


def _name_key(name: str) -> str:
    return sha256_hex(fold(name).encode("utf-8", "surrogatepass"))[:12]


def _stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S")


def _source(source_id: str) -> str:
    return sha256_hex(source_id.encode("utf-8", "surrogatepass"))[:8]
