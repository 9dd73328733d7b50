"""Answers held to the sources a client may see: what cannot be shown to come from them alone is left out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from vaultmem.answers import QueryResponse, RetrievalHit
from vaultmem.app.engine import Engine
from vaultmem.core.recall.sources import is_within
from vaultmem.ports import Index

#: Deeper than any tree: a note that a person broke may list itself.
_DEEPEST = 40


def held_to(engine: Engine, found: QueryResponse, sources: Collection[str]) -> QueryResponse:
    """The hits whose every leaf is of these sources. `total` counts what is left; other sources are not named."""
    hits = tuple(hit for hit in found.hits if _is_allowed(engine.index, hit, sources))
    return replace(found, hits=hits, total=len(hits), omitted=None)


def _is_allowed(index: Index, hit: RetrievalHit, sources: Collection[str]) -> bool:
    return _all_within(index, hit.node_id, sources, _DEEPEST)


def _all_within(index: Index, identity: str, sources: Collection[str], depth: int) -> bool:
    """Whether a leaf, or every leaf below a summary, is of these sources; what is gone is of none."""
    leaf = index.chunk(identity)
    if leaf is not None:
        return is_within(leaf[1].source_id, sources)
    node = index.node(identity)
    if node is None or depth == 0 or not node[1].child_ids:
        return False
    return all(_all_within(index, child, sources, depth - 1) for child in node[1].child_ids)
