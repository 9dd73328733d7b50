"""Where an indexed passage stands in its note now: people edit notes between two looks of the index."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.answers import PassageRow
from vaultmem.model import Passage


def refind(row: PassageRow, passages: Sequence[Passage]) -> int | None:
    """Its index in the note's passages as they are now; None when it is gone.

    A block id names it whatever happened to its text. Without one, equal text does, nearest to the old place; failing
    that, a passage edited where it stood: same place, same heading.
    """
    if row.block:
        return next((i for i, p in enumerate(passages) if p.block == row.block), None)
    same = [i for i, p in enumerate(passages) if p.text == row.text and not p.block]
    if same:
        return min(same, key=lambda i: abs(i - row.ordinal))
    here = passages[row.ordinal] if row.ordinal < len(passages) else None
    edited = here is not None and not here.block and here.heading == row.heading and here.author == row.author
    return row.ordinal if edited else None
