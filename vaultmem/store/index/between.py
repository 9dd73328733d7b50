"""What a question about several entities is answered from when no passage names them all: who else is named in them.

Read at question time from the mentions, every step bounded: hubs are not gone over, and of an entity's passages those
are looked at that fit the question best. Nothing follows from the number of a row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

import apsw
import numpy as np

from vaultmem.core.recall.bm25 import Bools, Floats, Ints
from vaultmem.core.recall.weights import Weights
from vaultmem.store.index.filters import mentioned_surfaces
from vaultmem.store.index.kin import meanings_in
from vaultmem.store.index.layout import Map
from vaultmem.store.index.rows import as_json

#: Passages of an entity asked for in which others are looked for…
_LOOKED_AT = 200
#: …and how many of those, the rarest, are followed to the other side.
_THIRDS = 20
_NAMED = (
    "SELECT DISTINCT passage, surface, kind FROM mentions WHERE passage IN (SELECT value FROM json_each(?))"
    " ORDER BY passage, surface, kind"
)
_SPREAD = (
    "SELECT value, (SELECT count(*) FROM (SELECT 1 FROM mentions WHERE surface = each.value LIMIT ?))"
    " FROM json_each(?) AS each"
)
_PASSAGES = "SELECT DISTINCT passage FROM mentions WHERE surface IN (SELECT value FROM json_each(?)) LIMIT ?"

#: place -> (entity, its rarity)
Names = Mapping[int, tuple[tuple[str, float], ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """The entities one question asks about, and the passages that name each or were said by it."""

    db: apsw.Connection
    where: Map
    surfaces: Mapping[str, frozenset[str]]
    masks: Mapping[str, Bools]
    allowed: Bools
    #: how well the words of some places fit
    fit: Callable[[Ints], Floats]
    weights: Weights

    @property
    def is_open(self) -> bool:
        """Whether no passage names all of them."""
        return not np.any(np.logical_and.reduce([*self.masks.values(), self.allowed]))

    def bridges(self) -> list[int]:
        """Places that name one of those asked for and a third whom another one's passage names too.

        The rarest third first, `ppr_bridges` in all.
        """
        groups = sorted((np.flatnonzero(mask & self.allowed) for mask in self.masks.values()), key=len)
        found: dict[int, None] = {}
        # a third stands in the smaller of two groups too, so the largest is not looked through
        for third in self._thirds(self._first(group) for group in groups[:-1]):
            named = self._passages(third)
            sides = [named[mask[named]] for mask in self.masks.values()]
            if sum(bool(len(side)) for side in sides) > 1:
                beside = np.unique(np.concatenate(sides))
                found |= dict.fromkeys(self._first(beside).tolist())
        return list(found)[: self.weights.ppr_bridges]

    def names(self, places: Ints) -> Names:
        """Place -> the entities it names with their rarity; hubs that nobody asked for are left out."""
        named = self._named(places)
        rarity = self._rarity({pair for pairs in named.values() for pair in pairs})
        return {
            place: tuple(sorted({(entity, rarity[entity]) for entity, _ in pairs if entity in rarity}))
            for place, pairs in named.items()
        }

    def _first(self, places: Ints) -> Ints:
        """The best of these places, equals by time and place."""
        return places[np.lexsort((places, self.where.times[places], -self.fit(places)))[:_LOOKED_AT]]

    def _thirds(self, groups: Iterable[Ints]) -> list[str]:
        places = [group for group in groups if len(group)]
        if not places:
            return []
        named = self._named(np.unique(np.concatenate(places)))
        rarity = self._rarity({pair for pairs in named.values() for pair in pairs})
        others = [entity for entity in rarity if entity not in self.masks]
        return sorted(others, key=lambda entity: (-rarity[entity], entity))[:_THIRDS]

    def _named(self, places: Ints) -> dict[int, set[tuple[str, str]]]:
        """Place -> (entity, surface) of what it names; a name that several bear is nobody's."""
        place_of = dict(zip(self.where.numbers(places).tolist(), places.tolist(), strict=True))
        rows = list(self.db.execute(_NAMED, (as_json(list(place_of)),)))
        means = meanings_in(self.db, {(surface, kind) for _, surface, kind in rows})
        asked = {surface: entity for entity, own in self.surfaces.items() for surface in own}
        found: dict[int, set[tuple[str, str]]] = {}
        for number, surface, kind in rows:
            entity = asked.get(surface) or means.get((surface, kind))
            if entity:
                found.setdefault(place_of[number], set()).add((entity, surface))
        return found

    def _rarity(self, named: Collection[tuple[str, str]]) -> dict[str, float]:
        """Entity -> inverse frequency over all passages; without the hubs."""
        hub = self.weights.ppr_hub
        surfaces = sorted({surface for _, surface in named})
        spread = dict(self.db.execute(_SPREAD, (hub + 1, as_json(surfaces))))
        counts: dict[str, int] = {}
        for entity, surface in named:
            counts[entity] = counts.get(entity, 0) + spread[surface]
        counts = {entity: count for entity, count in counts.items() if count <= hub or entity in self.masks}
        counts |= {entity: int(np.count_nonzero(mask)) for entity, mask in self.masks.items() if entity in counts}
        everything = len(self.where.times)
        return {
            entity: round(math.log1p((everything - min(count, everything) + 0.5) / (count + 0.5)), 9)
            for entity, count in counts.items()
        }

    def _passages(self, entity: str) -> Ints:
        """Allowed places that name an entity; none when it is a hub by another of its names."""
        surfaces, hub = as_json(sorted(mentioned_surfaces(self.db, entity))), self.weights.ppr_hub
        numbers = np.fromiter((row[0] for row in self.db.execute(_PASSAGES, (surfaces, hub + 1))), dtype=np.int64)
        places = self.where.places(numbers if len(numbers) <= hub else numbers[:0])
        return places[self.allowed[places]]
