"""What a person deleted and must not come back: hashes only, one JSON line each, in the vault itself.

{"at":"2026-11-29T10:00:00","key":"0123456789ab","source":"8a1f0c2d"}   a message, or a piece of a document
{"at":"2026-11-29T10:00:00","entity":"person:alice-smith"}              an entity note
{"at":"2026-11-29T10:00:00","entity_key":"0123456789ab"}                the same, forgotten: its id is a name
{"at":"2026-11-29T10:00:00","key":"0123456789ab","name_of":"person:alice-smith"}   a name or address taken out of one
{"at":"2026-11-29T10:00:00","node":"<node_id>","state":"<hash>","below":["<id>"]}   a summary: not made again while
                                                                        what stands below it stays as it was
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
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
    #: hashes of entity ids
    entity_keys: frozenset[str] = frozenset()
    #: node_id -> (hash of what stood below it, ids of that), of every time it was deleted
    nodes: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = field(default_factory=dict)

    def holds_entity(self, entity_id: str) -> bool:
        """Whether this entity's note was deleted or forgotten."""
        return entity_id in self.entities or _name_key(entity_id) in self.entity_keys

    def denies(self, entity_id: str, name: str) -> bool:
        """Whether a person took this name or address out of the entity's note."""
        return (entity_id, _name_key(name)) in self.names

    def of_source(self, source_id: str) -> frozenset[str]:
        """All keys of the source that were deleted."""
        source = _source(source_id)
        return frozenset(key for where, key in self.keys if where == source)

    def buried(self, source_id: str, keys: Iterable[str]) -> frozenset[str]:
        """Which of these keys of the source were deleted."""
        source = _source(source_id)
        return frozenset(key for key in keys if (source, key) in self.keys)


def parse_tombstones(text: str) -> Tombstones:
    """Read the file; a line that a merge or an editor broke is passed over, it can only bring something back."""
    keys: set[tuple[str, str]] = set()
    entities: set[str] = set()
    names: set[tuple[str, str]] = set()
    entity_keys: set[str] = set()
    nodes: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {}
    for row in map(_row, text.splitlines()):
        if "entity" in row:
            entities.add(str(row["entity"]))
        elif "entity_key" in row:
            entity_keys.add(str(row["entity_key"]))
        elif "node" in row:
            node, below = str(row["node"]), row.get("below")
            ids = tuple(map(str, below)) if isinstance(below, list) else ()
            nodes[node] = (*nodes.get(node, ()), (str(row.get("state", "")), ids))
        elif "name_of" in row:
            names.add((str(row["name_of"]), str(row.get("key", ""))))
        elif "key" in row:
            keys.add((str(row.get("source", "")), str(row["key"])))
    return Tombstones(
        keys=frozenset(keys),
        entities=frozenset(entities),
        names=frozenset(names),
        entity_keys=frozenset(entity_keys),
        nodes=nodes,
    )


def deleted_since(text: str, since: datetime) -> tuple[int, tuple[str, ...], int]:
    """(messages and pieces, ids of entities, summaries) that were deleted since then; a forgotten entity has no id."""
    stamp = _stamp(since)
    rows = [row for row in map(_row, text.splitlines()) if str(row.get("at", "")) >= stamp]
    entities = [str(row["entity"]) for row in rows if "entity" in row]
    messages = sum("key" in row and "name_of" not in row for row in rows)
    return messages, tuple(dict.fromkeys(entities)), sum("node" in row for row in rows)


def _row(line: str) -> Mapping[str, object]:
    try:
        row = json.loads(line.removeprefix("\ufeff"))  # an editor may have put its mark before the first
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def with_lines(text: str, lines: str) -> str:
    """The file with these lines too; what it says already, of whatever time, is not said twice."""

    def said(line: str) -> str:
        return json.dumps({key: value for key, value in _row(line).items() if key != "at"}, sort_keys=True)

    known = {said(line) for line in text.splitlines()}
    fresh = dict.fromkeys(line for line in lines.splitlines(keepends=True) if said(line) not in known)
    return text + ("\n" if text and not text.endswith("\n") else "") + "".join(fresh)


def is_told(text: str) -> bool:
    """Whether every line of the file can be read: it is no half of one that is still on its way."""
    return all(_row(line) for line in text.splitlines() if line.strip())


def lifted(
    text: str, *, keys: Mapping[str, Collection[str]], entities: Collection[str] = (), nodes: Collection[str] = ()
) -> str:
    """The file without the lines of what a person put back. `keys`: source_id -> keys that stand in a note again."""
    sources = {_source(source_id): frozenset(own) for source_id, own in keys.items()}
    hashes = {_name_key(entity) for entity in entities}

    def stays(line: str) -> bool:
        row = _row(line)
        if "key" in row and "name_of" not in row:
            return row["key"] not in sources.get(str(row.get("source", "")), ())
        return not (row.get("node") in nodes or row.get("entity") in entities or row.get("entity_key") in hashes)

    return "".join(line for line in text.splitlines(keepends=True) if stays(line))


def without_names_of(text: str, entity_id: str) -> str:
    """The file without the lines that name this entity."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if entity_id not in (_row(line).get("entity"), _row(line).get("name_of")))


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


def render_forgotten_entity(entity_id: str, at: datetime) -> str:
    """The line for an entity that was forgotten: its id, which is a name, does not stand there."""
    return json.dumps({"at": _stamp(at), "entity_key": _name_key(entity_id)}, sort_keys=True) + "\n"


def render_deleted_node(node_id: str, state: str, below: Collection[str], at: datetime) -> str:
    """The line for a summary that a person deleted. `state`: hash of what stood below it, `below`: ids of that."""
    row = {"at": _stamp(at), "node": node_id, "state": state, "below": list(below)}
    return json.dumps(row, sort_keys=True) + "\n"


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
