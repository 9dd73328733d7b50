"""Summaries whose leaf was rewritten: they list the new chunk, and say nothing that it does not.

A leaf that is gone while its note stands there with another chunk is the sign; it goes with the last write, so a kill
in between is made good by the next pass. Digests are not touched: they follow from their days.
"""

from __future__ import annotations

from dataclasses import replace

from vaultmem.app.grow import Grower
from vaultmem.core.grow.inputs import inputs_of, says_of
from vaultmem.core.grow.mend import mended, resealed, with_children
from vaultmem.grown import SummaryNode
from vaultmem.model import Chunk


def mend_summaries(grower: Grower) -> int:
    """Bring every summary up to date that lists a rewritten chunk by its old id; how many were sealed again."""
    index = grower.engine.index
    lost: dict[str, set[str]] = {}
    for node_id, child_id in index.held.lost_children():
        lost.setdefault(node_id, set()).add(child_id)
    written = 0
    for node_id, children in sorted(lost.items()):
        found = index.node(node_id)
        if found is None or found[1].tree_kind == "global":
            continue
        path, node = found
        successors = _successors(grower, node, children)
        if not successors:
            continue
        chunks = dict(successors.values())
        listed = with_children(node, {child: chunk for child, (_, chunk) in successors.items()})
        after = _mended(grower, (path, listed), chunks, {})
        final = resealed(after, node, grower.engine.now())
        says = {node_id: says_of(final)}
        changed = []
        for where, above in reversed(_above(grower, node_id)):
            new = resealed(_mended(grower, (where, above), chunks, says), above, grower.engine.now())
            says[above.node_id] = says_of(new)
            if new != above:
                changed.append((where, new))
        if changed:
            grower.write(changed[::-1])
        grower.write([(path, final)])
        written += 1 + len(changed)
    return written


def _successors(grower: Grower, node: SummaryNode, lost: set[str]) -> dict[str, tuple[str, Chunk]]:
    """Old child id -> the path its note has, and the chunk that stands there now."""
    if len(node.children) != len(node.child_ids):
        return {}  # a child's note was gone when this was sealed: which link is whose cannot be told
    found: dict[str, tuple[str, Chunk]] = {}
    for child_id, link in zip(node.child_ids, node.children, strict=True):
        chunk = grower.engine.index.held.chunk_at(link.path) if child_id in lost else None
        if chunk is not None:
            found[child_id] = (link.path, chunk)
    return found


def _above(grower: Grower, node_id: str) -> list[tuple[str, SummaryNode]]:
    """The summaries above a node, the highest first."""
    found: dict[str, tuple[str, SummaryNode]] = {}
    waiting = [node_id]
    while waiting:
        for parent in grower.engine.index.held.parents(waiting.pop()):
            node = grower.engine.index.node(parent)
            if node is not None and parent not in found:
                found[parent] = node
                waiting.append(parent)
    return sorted(found.values(), key=lambda item: -item[1].tree_level)


def _mended(
    grower: Grower, found: tuple[str, SummaryNode], chunks: dict[str, Chunk], says: dict[str, str]
) -> SummaryNode:
    """The node without what these chunks no longer say. `says`: of summaries below it that are written after it."""
    _, node = found
    children = [child for child_id in node.child_ids if (child := grower.child(child_id))]
    units = {where: grower.sentences.all_of([chunk.chunk_id]) for where, chunk in chunks.items()}
    after = mended(node, chunks, units, budget=sum(child.tokens for child in children) // 2, count=grower.engine.count)
    if not node.inputs or node.tree_kind == "global":
        return after
    below = [
        replace(child, says=says.get(child.id, child.says))
        for child in grower.engine.index.held.children(after.child_ids)
    ]
    return replace(after, inputs=inputs_of(below))
