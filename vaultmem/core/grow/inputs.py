"""What a summary was made of, as one hash: where it changes, the summary is sealed again. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vaultmem.core.notes.ids import sha256_hex
from vaultmem.core.notes.summarynote import sentence_line
from vaultmem.grown import MadeOf, SummaryNode


def inputs_of(children: Iterable[MadeOf]) -> str:
    """The hash over the children that are there, in their order: which they are, what they say, where they stand."""
    lines = [f"{child.id} {child.says} {child.path}" for child in children if child.is_there]
    return sha256_hex("\n".join(lines).encode("utf-8", "surrogatepass"))


def state_of(children: Iterable[MadeOf]) -> str:
    """The same wherever the notes stand: what a summary that a person deleted is not made of again."""
    return inputs_of(replace(child, path="") for child in children)


def says_of(node: SummaryNode) -> str:
    """A hash of what a node tells those above it: its sentences, or the body that a person wrote. No links."""
    lines = [f"{sentence.section} {sentence_line(sentence)}" for sentence in node.sentences]
    text = node.body if node.edited else "\n".join(lines)
    return sha256_hex(text.encode("utf-8", "replace"))
