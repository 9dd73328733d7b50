"""A chunk was rewritten because a message in it was edited on its platform: what the summaries above it say then. Pure.

A summary quotes the very words of a message. Where these words are no longer there, the sentence of the message that is
nearest to them takes their place, or none, where that would make the summary too long. All else stays as it was sealed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from vaultmem.core.grow.units import Unit
from vaultmem.core.notes.ids import fold
from vaultmem.core.notes.summarynote import one_line, read_sentences, sentence_line
from vaultmem.grown import Link, Sentence, SummaryNode
from vaultmem.model import Chunk, TokenCounter

_WORD = re.compile(r"\w+")


def with_children(node: SummaryNode, successors: Mapping[str, Chunk]) -> SummaryNode:
    """The node with these children's new ids; those that memory dropped go. `successors`: old id -> chunk."""
    kept: list[tuple[str, Link]] = []
    for child_id, link in zip(node.child_ids, node.children, strict=True):
        chunk = successors.get(child_id)
        if chunk is None or chunk.status != "dropped":
            kept.append((chunk.chunk_id if chunk else child_id, link))
    return replace(node, child_ids=tuple(i for i, _ in kept), children=tuple(link for _, link in kept))


def mended(
    node: SummaryNode,
    chunks: Mapping[str, Chunk],
    units: Mapping[str, Sequence[Unit]],
    *,
    budget: int,
    count: TokenCounter,
) -> SummaryNode:
    """The node without words that these notes no longer hold. `chunks`, `units`: by the path of the note.

    `budget`: tokens that its sentences may have, if they had no more before. A body that a person edited stays.
    """
    if node.edited:
        return node
    said = {sentence.text for sentence in node.sentences}
    found = [(sentence, _now(sentence, chunks, units, said)) for sentence in node.sentences]
    sentences = [new for _, new in found if new]
    if _size(sentences, count) > max(budget, node.token_count):
        sentences = [new for old, new in found if new == old]
    if tuple(sentences) == node.sentences:
        return node
    return replace(node, sentences=tuple(sentences), token_count=_size(sentences, count))


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


def _size(sentences: Collection[Sentence], count: TokenCounter) -> int:
    return count("\n".join(sentence_line(sentence) for sentence in sentences))


def _now(
    sentence: Sentence, chunks: Mapping[str, Chunk], units: Mapping[str, Sequence[Unit]], said: set[str]
) -> Sentence | None:
    """The sentence, what its message says instead, or None."""
    chunk = chunks.get(sentence.link.path)
    # made of several messages, one of which says something else now
    if any(_is_other(link, chunks) for link in sentence.also) or (chunk and chunk.status == "dropped"):
        return None
    if chunk is None:
        return sentence
    if sentence.link.anchor.removeprefix("^m-") not in chunk.revised:
        return sentence
    there = [unit for unit in units[sentence.link.path] if unit.anchor == sentence.link.anchor]
    if any(one_line(unit.text) == sentence.text for unit in there):
        return sentence
    fresh = [unit for unit in there if one_line(unit.text) not in said]
    if not fresh:
        return None
    nearest = max(fresh, key=lambda unit: (_shared(unit.text, sentence.text), -unit.start))
    said.add(one_line(nearest.text))
    return replace(sentence, text=one_line(nearest.text), author=nearest.author, also=())


def _is_other(link: Link, chunks: Mapping[str, Chunk]) -> bool:
    chunk = chunks.get(link.path)
    return chunk is not None and (chunk.status == "dropped" or link.anchor.removeprefix("^m-") in chunk.revised)


def _shared(one: str, other: str) -> float:
    """Share of words that both have."""
    a, b = set(_WORD.findall(fold(one))), set(_WORD.findall(fold(other)))
    return len(a & b) / max(len(a | b), 1)
