"""Summaries that list a rewritten chunk by its old id: they list the new one, and are sealed again as all are below
which something changed (`reseal`).

A leaf that is gone while its note stands there with another chunk is the sign.
"""

from __future__ import annotations

from dataclasses import replace

from vaultmem.app.grow import Grower
from vaultmem.core.grow.inputs import inputs_of
from vaultmem.core.grow.mend import with_children
from vaultmem.grown import SummaryNode
from vaultmem.model import Chunk


def mend_summaries(grower: Grower) -> int:
    """Put the new ids into the lists of children; how many were written. Digests follow from their days."""
    index = grower.engine.index
    lost: dict[str, set[str]] = {}
    for node_id, child_id in index.held.lost_children():
        lost.setdefault(node_id, set()).add(child_id)
    changed: list[tuple[str, SummaryNode]] = []
    for node_id, children in sorted(lost.items()):
        found = index.node(node_id)
        if found is None or found[1].tree_kind == "global":
            continue
        path, node = found
        if successors := _successors(grower, node, children):
            # a note of an older vaultmem does not say what it was made of: not of this
            stale = replace(with_children(node, successors), inputs=node.inputs or inputs_of(()))
            changed.append((path, stale))
    grower.write(changed)
    return len(changed)


def _successors(grower: Grower, node: SummaryNode, lost: set[str]) -> dict[str, Chunk]:
    """Old child id -> the chunk that stands in its note now."""
    if len(node.children) != len(node.child_ids):
        return {}  # a child's note was gone when this was sealed: which link is whose cannot be told
    found: dict[str, Chunk] = {}
    for child_id, link in zip(node.child_ids, node.children, strict=True):
        chunk = grower.engine.index.held.chunk_at(link.path) if child_id in lost else None
        if chunk is not None:
            found[child_id] = chunk
    return found
