"""What questions ask of entities: what a name means, where it stands, and beside whom."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from vaultmem.forest import About, Kin, Seen


class Company(Protocol):
    """A part of the Index port. Dropped chunks are left out; a passage's time is its own, else its chunk's."""

    def meanings(self, name: str) -> tuple[str, ...]:
        """Ids of the entities that a name, alias, address, handle or id may mean: several are ambiguous."""
        ...

    def seen(self, entity_id: str, about: About) -> tuple[Seen, ...]:
        """The chunks that name an entity, newest first."""
        ...

    def beside(self, entity_id: str, about: About) -> tuple[Kin, ...]:
        """The entities named in the newest `about.most` of these chunks, with how many of them name each."""
        ...

    def spread(self, entity_id: str) -> int:
        """How many chunks name an entity; counting stops where it is in most of them anyway."""
        ...

    def shared(self, one: str, other: str, about: About) -> tuple[Seen, ...]:
        """The newest `about.most` chunks that name both, newest first."""
        ...

    def named_in(
        self, chunk_ids: Collection[str], entity_ids: Collection[str]
    ) -> Mapping[str, Mapping[int, frozenset[str]]]:
        """Chunk -> passage ordinal -> which of these entities it names; what names none is left out."""
        ...
