"""Summaries below which a chunk was rewritten or something went: whom they list, what a person wrote there. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from vaultmem.core.grow.units import Unit
from vaultmem.core.notes.summarynote import one_line, read_sentences
from vaultmem.grown import Link, Sentence, SummaryNode
from vaultmem.model import Chunk


def with_children(node: SummaryNode, successors: Mapping[str, Chunk]) -> SummaryNode:
    """The node with these children's new ids; those that memory dropped go. `successors`: old id -> chunk."""
    kept: list[tuple[str, Link]] = []
    for child_id, link in zip(node.child_ids, node.children, strict=True):
        chunk = successors.get(child_id)
        if chunk is None or chunk.status != "dropped":
            kept.append((chunk.chunk_id if chunk else child_id, link))
    return replace(node, child_ids=tuple(i for i, _ in kept), children=tuple(link for _, link in kept))


def resealed(node: SummaryNode, before: SummaryNode, now: datetime) -> SummaryNode:
    """The node as it is written: a seal of its own where anything changed."""
    return node if node == before else replace(node, rev=before.rev + 1, sealed_at=now)


def without_gone(body: str, units: Sequence[Unit], paths: Collection[str]) -> str:
    """A body that a person edited, without the sentences of messages and notes that are no longer there.

    `units`, `paths`: of the leaves that stand below the summary now.
    """
    anchors = {unit.anchor for unit in units}
    said = {one_line(unit.text) for unit in units}
    lines = body.split("\n")
    return "\n".join(
        line for line in lines if not any(_is_gone(s, anchors, said, paths) for s in read_sentences([line]))
    )


def _is_gone(sentence: Sentence, anchors: Collection[str], said: Collection[str], paths: Collection[str]) -> bool:
    """A message is known by its key, wherever its note stands; a paragraph by its note, or by its words."""
    for link in (sentence.link, *sentence.also):
        if link.anchor.startswith("^m-"):
            if link.anchor not in anchors:
                return True
        elif link.path not in paths and sentence.text not in said:
            return True
    return False
