"""A chunk whose body a person edited: judged again as it stands now, unless that person decided. Pure."""

from __future__ import annotations

from dataclasses import replace

from vaultmem.core.ingest.compose import Composer, judged
from vaultmem.core.ingest.revise import member_of
from vaultmem.core.ingest.signals import INTERACTIONS, provider_like
from vaultmem.core.notes.codec import parse_body
from vaultmem.model import Chunk


def is_decided_by_hand(chunk: Chunk) -> bool:
    """A status that the gate would not have written so: dropped without a reason, or admitted in spite of one."""
    return chunk.status != "pending" and (chunk.status == "admitted") == bool(chunk.drop_reason)


def rescored(chunk: Chunk, by: Composer) -> Chunk:
    """The chunk with the tokens, signals, score, status and entities of the body as it is.

    Who took part in it, and where it came from, stands among its signals: a note does not tell it otherwise.
    """
    draft = replace(chunk, token_count=by.count(chunk.body), llm_importance=None, llm_entities=())
    messages = () if chunk.source_kind == "document" else parse_body(chunk.source_kind, chunk.body)
    return judged(
        draft,
        provider=provider_like(chunk.signals.get("source_weight", -1.0)),
        messages=[member_of(message, chunk, {}) for message in messages],
        cues=frozenset(chunk.signals) & {*INTERACTIONS, "priority_high"},
        by=by,
    )
