"""Summaries that were made of something else than what stands below them now: sealed again, from the leaves up.

A note edited, dropped, moved, deleted or forgotten changes the hash of what a summary was made of (`inputs_sha256`),
and a summary sealed again changes that of the one above. A kill in between leaves a hash that does not fit. Digests are
not touched: they follow from their days.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vaultmem.app.grow import Grower
from vaultmem.app.grow_digests import digest_job
from vaultmem.app.grow_topics import Topics
from vaultmem.app.sentences import WINDOW
from vaultmem.core.grow.inputs import inputs_of
from vaultmem.core.grow.mend import resealed, without_gone
from vaultmem.core.grow.tree import Seal
from vaultmem.core.grow.units import Unit
from vaultmem.core.notes.summarynote import body_of
from vaultmem.grown import MadeOf, SummaryNode


def reseal_summaries(grower: Grower) -> int:
    """Seal again what is due; how many notes were written or removed."""
    done: set[str] = set()
    topics = Topics(grower=grower)
    while due := _due(grower, done):
        for node_id in due:
            _reseal(grower, topics, node_id)
        done.update(due)
    return len(done)


def strip_edited(grower: Grower) -> int:
    """Take the lines of what is gone out of the bodies that a person edited, digests too; how many changed.

    What stands above them is sealed again; digests are left to the queue.
    """
    changed = 0
    for path in grower.engine.index.perhaps_edited():
        node = grower.engine.index.node_at(path)
        if node is None or not node.edited:
            continue
        paths = grower.engine.index.leaf_paths([node.node_id])
        body = without_gone(node.body, grower.sentences.all_of(list(paths)), frozenset(paths.values()))
        if body != node.body:
            grower.write([(path, resealed(replace(node, body=body), node, grower.engine.now()))])
            changed += 1
            if node.tree_kind == "global":
                grower.engine.index.queue.enqueue([digest_job(node)])
    if changed:
        reseal_summaries(grower)
    return changed


def _due(grower: Grower, done: set[str]) -> list[str]:
    """The nodes of the lowest level on which any is due: what stands above is seen when these are done."""
    found: list[str] = []
    level = 0
    for node_id, (stated, children) in grower.engine.index.held.made_of().items():
        if node_id in done or not _is_stale(stated, children):
            continue
        node = grower.engine.index.node(node_id)
        if node is None or (found and node[1].tree_level > level):
            break
        level = node[1].tree_level
        found.append(node_id)
    return found


def _is_stale(stated: str, children: Sequence[MadeOf]) -> bool:
    """A note of an older vaultmem does not say what it was made of: then only what went from it counts."""
    if not stated:
        return not all(child.is_there for child in children)
    return inputs_of(children) != stated


def _reseal(grower: Grower, topics: Topics, node_id: str) -> None:
    engine = grower.engine
    found = engine.index.node(node_id)
    if found is None:
        return
    path, node = found
    there = [child for child in engine.index.held.children(node.child_ids) if child.is_there]
    if not there and not node.edited:
        grower.remove(path)
        return
    after = _composed(grower, topics, node, there)
    # Obsidian follows a renamed note through all links: what that makes of our text is ours again.
    if node.edited and (not there or body_of(after) != node.body):
        after = _kept(grower, node, there)
    grower.write([(path, resealed(after, node, engine.now()))])


def _composed(grower: Grower, topics: Topics, node: SummaryNode, there: Sequence[MadeOf]) -> SummaryNode:
    """The node as it would be sealed now, under its own name."""
    index = grower.engine.index
    ids = tuple(child.id for child in there)
    seal = Seal(
        node_id=node.node_id,
        level=node.tree_level,
        child_ids=ids,
        start=node.time_start,
        end=node.time_end,
        position=(node.time_start, 0, node.node_id),
    )

    def about(units: list[Unit]) -> list[Unit]:
        return topics.about(node.tree_scope, units) if node.tree_kind == "topic" else units

    last = index.last_position(ids)
    prefix: Sequence[str] = list(index.leaf_paths(ids))[-WINDOW:]
    if node.tree_kind == "source":
        prefix = index.leaves_up_to(node.tree_scope, last, WINDOW) if last else ()
    after = grower.composed(node.tree_kind, node.tree_scope, seal, title=node.title, prefix=prefix, among=about)
    if after.sentences == node.sentences:
        after = replace(after, summariser=node.summariser)
    return replace(
        after, title=node.title, aliases=node.aliases, sealed_at=node.sealed_at, rev=node.rev, up=node.up,
        previous=node.previous, following=node.following, body=node.body, body_sha256=node.body_sha256,
    )  # fmt: skip


def _kept(grower: Grower, node: SummaryNode, there: Sequence[MadeOf]) -> SummaryNode:
    """A body that a person edited stays, without the lines of what is gone for good."""
    paths = grower.engine.index.leaf_paths([child.id for child in there])
    body = without_gone(node.body, grower.sentences.all_of(list(paths)), frozenset(paths.values()))
    children = [child for each in there if (child := grower.child(each.id))]
    return replace(
        node,
        child_ids=tuple(child.id for child in children),
        children=tuple(child.link for child in children),
        body=body,
        token_count=node.token_count if body == node.body else grower.engine.count(body),
        inputs=inputs_of(there),
    )
