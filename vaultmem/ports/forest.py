"""What questions of time ask of the source trees."""

from __future__ import annotations

from typing import Protocol

from vaultmem.forest import Asked, Branch, Choice


class Forest(Protocol):
    """A part of the Index port: each answer is one snapshot."""

    def cover(self, asked: Asked) -> tuple[Branch, ...]:
        """The fewest nodes that stand for just the leaves asked for, dropped ones left out; in no order."""
        ...

    def fair_cover(self, asked: Asked, limit: int) -> Choice:
        """At most `limit` nodes of the cover, a fair share of each source tree: core.recall.cover.fair_choice of it."""
        ...

    def holds(self, node_id: str, asked: Asked) -> bool:
        """Whether a summary stands for leaves asked for and for nothing else."""
        ...

    def meaning_of(self, name: str) -> str:
        """What a name is: `source` (a source_id), `scope` (a source tree), or "" for neither."""
        ...
