"""What an export that comes again is asked against: the notes of a message, the source a conversation is filed in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager

import apsw

from vaultmem.grown import MadeOf
from vaultmem.model import Chunk
from vaultmem.store.index.rows import IN_PLACE, as_json, load_chunk

# Every node of the trees that seal, child by child; digests follow from their days.
_MADE_OF = """
SELECT n.node_id, n.inputs, k.child_id, coalesce(c.path, o.path), coalesce(c.says, o.says), c.status
FROM nodes n LEFT JOIN node_children k ON k.node_id = n.node_id
LEFT JOIN chunks c ON c.chunk_id = k.child_id LEFT JOIN nodes o ON o.node_id = k.child_id
WHERE n.tree_kind <> 'global'
ORDER BY n.level, n.node_id, k.place
"""
_SHARED = """
SELECT k.child_id, n.tree_kind, n.tree_scope, n.node_id FROM node_children k JOIN nodes n ON n.node_id = k.node_id
WHERE n.tree_kind <> 'global'
AND k.child_id IN (SELECT child_id FROM node_children GROUP BY child_id HAVING count(*) > 1)
AND EXISTS (SELECT 1 FROM node_children o JOIN nodes p ON p.node_id = o.node_id WHERE o.child_id = k.child_id
    AND o.node_id <> n.node_id AND p.tree_kind = n.tree_kind AND p.tree_scope = n.tree_scope)
ORDER BY k.child_id, n.tree_kind, n.tree_scope, n.node_id
"""
_MADE_FROM = """
SELECT DISTINCT v.value ->> 'original' AS original, c.source_id
FROM chunks c JOIN chunk_values v ON v.chunk = c.id
WHERE c.source_kind = 'document' AND original <> 'private' ORDER BY c.source_id
"""
_Snapshot = Callable[[], AbstractContextManager[apsw.Connection]]


class SqliteHeld:
    """The Held port on the index's file."""

    def __init__(self, reading: _Snapshot) -> None:
        self._reading = reading

    def holders(self, source_id: str, keys: Collection[str]) -> tuple[tuple[str, Chunk], ...]:
        """(path, chunk) of the notes that hold one of these messages, in reading order."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT c.path, v.value FROM chunks c JOIN chunk_values v ON v.chunk = c.id WHERE c.id IN"
                " (SELECT p.id >> 22 FROM passages p WHERE p.block <> ''"
                " AND p.block IN (SELECT 'm-' || value FROM json_each(?)))"
                " AND c.source_id = ? ORDER BY c.position, c.seq, c.chunk_id",
                (as_json(keys), source_id),
            )
            return tuple((path, load_chunk(value)) for path, value in rows)

    def positions(self, source_id: str) -> tuple[str, ...]:
        """The order keys of a source's chunks, in reading order."""
        with self._reading() as db:
            rows = db.execute("SELECT position FROM chunks WHERE source_id = ? ORDER BY position", (source_id,))
            return tuple(row[0] for row in rows)

    def filed_as(self, own_id: str) -> tuple[str, str] | None:
        """(source_id, tree_scope) under which the conversation of this id was filed first; None for an unknown one."""
        with self._reading() as db:
            row = db.execute(
                "SELECT source_id, tree_scope FROM chunks WHERE own_id = ? AND source_kind = 'chat'"
                " ORDER BY start_us, source_id LIMIT 1",
                (own_id,),
            ).fetchone()
            return None if row is None else (str(row[0]), str(row[1]))

    def own_ids(self, source_id: str) -> frozenset[str]:
        """The platform's ids of the conversations filed under this source: one, or none where exports do not say."""
        with self._reading() as db:
            rows = db.execute("SELECT DISTINCT own_id FROM chunks WHERE source_id = ? AND own_id <> ''", (source_id,))
            return frozenset(row[0] for row in rows)

    def lost_children(self) -> tuple[tuple[str, str], ...]:
        """(node_id, child_id) of every summary that lists a chunk or summary that is not there."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT n.node_id, n.child_id FROM node_children n"
                " WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.chunk_id = n.child_id)"
                " AND NOT EXISTS (SELECT 1 FROM nodes o WHERE o.node_id = n.child_id) ORDER BY n.node_id, n.place"
            )
            return tuple((str(node), str(child)) for node, child in rows)

    def shared_children(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(child, its parents by node_id) of what several summaries of one tree that seals list."""
        found: dict[tuple[str, str, str], list[str]] = {}
        with self._reading() as db:
            for child, kind, scope, node in db.execute(_SHARED):
                found.setdefault((child, kind, scope), []).append(node)
        return tuple((key[0], tuple(nodes)) for key, nodes in found.items())

    def made_of(self) -> Mapping[str, tuple[str, tuple[MadeOf, ...]]]:
        """node_id -> the hash its note has of what it was made of, and its children as they are now; lowest first."""
        found: dict[str, tuple[str, list[MadeOf]]] = {}
        with self._reading() as db:
            for node_id, inputs, child, path, says, status in db.execute(_MADE_OF):
                own = found.setdefault(node_id, (inputs, []))[1]
                if child is not None:
                    there = says is not None and status != "dropped"
                    own.append(MadeOf(id=child, path=path or "", says=says or "", is_there=there))
        return {node_id: (inputs, tuple(children)) for node_id, (inputs, children) in found.items()}

    def children(self, ids: Sequence[str]) -> tuple[MadeOf, ...]:
        """These chunks and summaries as they are now, in this order."""
        with self._reading() as db:
            return tuple(_child(db, each) for each in ids)

    def holding(self, keys: Collection[str]) -> tuple[tuple[str, Chunk], ...]:
        """(path, chunk) of the notes, of whatever source, that hold one of these messages."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT c.path, v.value FROM chunks c JOIN chunk_values v ON v.chunk = c.id WHERE c.id IN"
                " (SELECT p.id >> 22 FROM passages p WHERE p.block <> ''"
                " AND p.block IN (SELECT 'm-' || value FROM json_each(?))) ORDER BY c.chunk_id",
                (as_json(keys),),
            )
            return tuple((path, load_chunk(value)) for path, value in rows)

    def chunk_at(self, path: str) -> Chunk | None:
        """The chunk whose note stands there."""
        with self._reading() as db:
            row = db.execute(
                "SELECT v.value FROM chunks c JOIN chunk_values v ON v.chunk = c.id WHERE c.path = ?", (path,)
            ).fetchone()
            return None if row is None else load_chunk(row[0])

    def hashes_in_place(self) -> Mapping[str, str]:
        """Notes of the user's own: path -> `Entry.note_hash`, "" for one of which only the words were taken."""
        with self._reading() as db:
            return dict(db.execute(f"SELECT DISTINCT path, note_hash FROM chunks WHERE {IN_PLACE}"))  # noqa: S608

    def documents_from(self) -> Mapping[str, tuple[str, ...]]:
        """Link to an original in the vault -> source_ids of the documents made of it."""
        found: dict[str, list[str]] = {}
        with self._reading() as db:
            for original, source_id in db.execute(_MADE_FROM):
                found.setdefault(original, []).append(source_id)
        return {original: tuple(source_ids) for original, source_ids in found.items()}


def _child(db: apsw.Connection, identity: str) -> MadeOf:
    row = db.execute(
        "SELECT path, says, status FROM chunks WHERE chunk_id = ?1"
        " UNION ALL SELECT path, says, '' FROM nodes WHERE node_id = ?1",
        (identity,),
    ).fetchone()
    path, says, status = row or ("", "", "dropped")
    return MadeOf(id=identity, path=path, says=says, is_there=status != "dropped")
