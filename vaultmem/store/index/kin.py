"""Entities at question time: what a name means, the chunks that name it, and who stands in them beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager

import apsw

from vaultmem.core.ingest.headers import normal_email
from vaultmem.core.notes.ids import entity_id, fold
from vaultmem.forest import About, Kin, Seen
from vaultmem.store.index.filters import entities_of, mentioned_surfaces
from vaultmem.store.index.rows import COVER, ORDINAL_BITS, as_json, storable

_Snapshot = Callable[[], AbstractContextManager[apsw.Connection]]
#: What a name without a note may still be; an address or a link is no entity of its own.
_NAMED = ("person", "organization", "project", "topic", "location", "event", "handle", "hashtag")
#: Counting the chunks of an entity stops here: it is a hub.
_HUB = 30_000
_IN_CHUNK = f"m.passage BETWEEN c.id << {ORDINAL_BITS} AND (c.id << {ORDINAL_BITS}) + {COVER}"
_OF = (
    f"SELECT DISTINCT passage >> {ORDINAL_BITS} AS id FROM mentions WHERE surface IN"  # noqa: S608 - made of constants
    " (SELECT value FROM json_each({name}))"
)
#: The chunk names one of these surfaces, whenever or in a passage that lies in the window.
_NAMES = f"EXISTS (SELECT 1 FROM mentions m WHERE {_IN_CHUNK} AND m.surface IN (SELECT value FROM json_each({{name}})))"  # noqa: S608 - made of constants
_NAMES_IN_TIME = (
    f"EXISTS (SELECT 1 FROM mentions m JOIN passages p ON p.id = m.passage WHERE {_IN_CHUNK} AND m.surface IN"  # noqa: S608
    " (SELECT value FROM json_each({name})) AND coalesce(p.sent_us, c.start_us) BETWEEN :since AND :until)"
)
_FILTER = (
    "c.status <> 'dropped' AND c.start_us <= :until AND c.end_us >= :since AND (:scope = '' OR c.tree_scope = :scope)"
    " AND (:kind = '' OR c.source_kind = :kind) AND (:source = '' OR c.source_id = :source"
    " OR (:is_prefix AND substr(c.source_id, 1, length(:source)) = :source))"
)
_NEWEST = " ORDER BY c.end_us DESC, c.chunk_id LIMIT :most"
_BESIDE = (
    f"SELECT DISTINCT c.chunk_id, m.surface, m.kind FROM ({{seen}}) s JOIN chunks c ON c.chunk_id = s.chunk_id"  # noqa: S608 - made of constants
    f" JOIN mentions m ON {_IN_CHUNK}"
)
_IN_TIME = " JOIN passages p ON p.id = m.passage WHERE coalesce(p.sent_us, c.start_us) BETWEEN :since AND :until"
_SPREAD = f"SELECT count(*) FROM ({_OF.format(name='?')} LIMIT {_HUB})"  # noqa: S608 - made of constants
_NAMED_IN = f"""
SELECT DISTINCT c.chunk_id, m.passage & {COVER} FROM json_each(?) j CROSS JOIN chunks c ON c.chunk_id = j.value
CROSS JOIN mentions m ON {_IN_CHUNK} WHERE m.surface IN (SELECT value FROM json_each(?))
"""  # noqa: S608 - made of constants


class SqliteCompany:
    """The Company port on the index's file."""

    def __init__(self, reading: _Snapshot, spreads: Callable[[apsw.Connection], dict[str, int]]) -> None:
        self._reading = reading
        self._spreads = spreads

    def meanings(self, name: str) -> tuple[str, ...]:
        """Ids of the entities that a name may mean."""
        name = storable(name.strip())
        surface = normal_email(name) if "@" in name.lstrip("@") else fold(name.lstrip("@#"))
        with self._reading() as db:
            if db.execute("SELECT 1 FROM aliases WHERE entity_id = ?", (name,)).fetchone():
                return (name,)
            if found := entities_of(db, surface):
                return tuple(sorted(found))
            kinds = db.execute("SELECT DISTINCT kind FROM mentions WHERE surface = ? ORDER BY kind", (surface,))
            loose = tuple(entity_id(kind, surface) for (kind,) in kinds if kind in _NAMED)
            known = db.execute("SELECT 1 FROM surfaces WHERE identity = ?", (name,)).fetchone()
            return loose or ((name,) if known and mentioned_surfaces(db, name) else ())

    def seen(self, entity_id: str, about: About) -> tuple[Seen, ...]:
        """The chunks that name an entity, newest first."""
        with self._reading() as db:
            values = _values(about) | {"one": _surfaces(db, entity_id), "most": -1}
            return tuple(map(Seen._make, db.execute(_seen(about), values)))

    def beside(self, entity_id: str, about: About) -> tuple[Kin, ...]:
        """The entities named in the newest of these chunks, with how many of them name each."""
        with self._reading() as db:
            own = _surfaces(db, entity_id)
            by_time = _is_dense(db, self._spread(db, entity_id, own), about)
            query = _BESIDE.format(seen=_seen(about, by_time=by_time))
            rows = list(db.execute(query + ("" if about.is_ever else _IN_TIME), _values(about) | {"one": own}))
            means = meanings_in(db, {(surface, kind) for _, surface, kind in rows})
        pairs = {(chunk, means[surface, kind]) for chunk, surface, kind in rows if (surface, kind) in means}
        counts = Counter(other for _, other in pairs if other != entity_id)
        return tuple(Kin(other, counts[other]) for other in sorted(counts, key=lambda each: (-counts[each], each)))

    def spread(self, entity_id: str) -> int:
        """How many chunks name an entity; no more than a hub has are counted."""
        with self._reading() as db:
            return self._spread(db, entity_id, "")

    def shared(self, one: str, other: str, about: About) -> tuple[Seen, ...]:
        """The newest chunks that name both, newest first."""
        with self._reading() as db:
            first, second = _surfaces(db, one), _surfaces(db, other)
            sizes = [self._spread(db, one, first), self._spread(db, other, second)]
            if sizes[1] < sizes[0]:  # the rarer one is read, of the other is only asked
                first, second = second, first
            values = _values(about) | {"one": first, "other": second}
            by_time = _is_dense(db, min(sizes), about)
            return tuple(map(Seen._make, db.execute(_seen(about, by_time=by_time, both=True), values)))

    def _spread(self, db: apsw.Connection, entity_id: str, surfaces: str) -> int:
        """The same, counted once while nothing changes: the same hubs stand beside everybody."""
        kept = self._spreads(db)
        if entity_id not in kept:
            kept[entity_id] = int(db.execute(_SPREAD, (surfaces or _surfaces(db, entity_id),)).get)
        return kept[entity_id]

    def named_in(
        self, chunk_ids: Collection[str], entity_ids: Collection[str]
    ) -> Mapping[str, Mapping[int, frozenset[str]]]:
        """Chunk -> passage ordinal -> which of these entities it names; what names none is left out."""
        found: dict[str, dict[int, frozenset[str]]] = {}
        asked = as_json(chunk_ids)
        with self._reading() as db:
            for identity in entity_ids:
                for chunk_id, ordinal in db.execute(_NAMED_IN, (asked, _surfaces(db, identity))):
                    passages = found.setdefault(chunk_id, {})
                    passages[ordinal] = passages.get(ordinal, frozenset()) | {identity}
        return found


def _seen(about: About, *, by_time: bool = False, both: bool = False) -> str:
    """The query of the chunks that name `:one`, and `:other` too, newest first.

    `by_time`: it goes back in time and asks each chunk, instead of reading all that name it.
    """
    names = _NAMES if about.is_ever else _NAMES_IN_TIME
    chunks = (
        "chunks c INDEXED BY chunks_by_time"
        if by_time
        else f"({_OF.format(name=':one')}) o JOIN chunks c ON c.id = o.id"
    )
    asked = [names.format(name=":one")] if by_time or not about.is_ever else []
    asked += [names.format(name=":other")] if both else []
    found = " AND ".join([_FILTER, *asked])
    return f"SELECT c.chunk_id, c.start_us, c.end_us FROM {chunks} WHERE {found}{_NEWEST}"  # noqa: S608


def _is_dense(db: apsw.Connection, spread: int, about: About) -> bool:
    """Whether going back in time finds `about.most` chunks sooner than reading all that name it."""
    chunks = int(db.execute("SELECT coalesce(max(id), 0) FROM chunks").get)
    return spread * spread > about.most * chunks


def _values(about: About) -> dict[str, str | int]:
    return {
        "since": about.since_us, "until": about.until_us, "source": storable(about.source),
        "is_prefix": about.is_prefix, "scope": storable(about.scope), "kind": about.kind, "most": about.most,
    }  # fmt: skip


def _surfaces(db: apsw.Connection, identity: str) -> str:
    """The surfaces of an entity as a JSON list."""
    return as_json(sorted(mentioned_surfaces(db, identity)))


def meanings_in(db: apsw.Connection, named: Collection[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """(surface, kind) -> the one entity it means: of the registry, else `kind:slug`; left out when ambiguous."""
    known = dict(_known(db, {surface for surface, _ in named}))
    found: dict[tuple[str, str], str] = {}
    for surface, kind in named:
        if surface in known:
            found[surface, kind] = known[surface]
        elif kind in _NAMED:
            found[surface, kind] = entity_id(kind, surface)
    return {key: identity for key, identity in found.items() if identity}


def _known(db: apsw.Connection, surfaces: Collection[str]) -> Iterator[tuple[str, str]]:
    """(surface, entity) of those the registry knows; "" for one that several bear."""
    rows = db.execute(
        "SELECT surface, CASE count(DISTINCT entity_id) WHEN 1 THEN min(entity_id) ELSE '' END FROM aliases"
        " WHERE surface IN (SELECT value FROM json_each(?)) GROUP BY surface",
        (as_json(sorted(surfaces)),),
    )
    return iter(list(rows))
