"""Asks the reranker the user named for the order of the first passages; without its answer the ranking stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from vaultmem.core.ingest.redact import redact
from vaultmem.core.recall.excerpt import excerpt
from vaultmem.core.recall.rank import Ranked
from vaultmem.core.recall.rerank import RERANKED, reranked
from vaultmem.core.recall.words import query_words
from vaultmem.errors import NoReranker
from vaultmem.ports import Reranker

#: Characters of a text that are sent: most models read 512 tokens, question and all.
_MOST_TEXT = 1_200
_MOST_QUESTION = 400


def reorder(
    reranker: Reranker, pii: Collection[str], text: str, ranked: Sequence[Ranked]
) -> tuple[Sequence[Ranked], str]:
    """The ranking with its first passages in the reranker's order, and what `degraded` says.

    What is sent of a passage is the text that the index holds, without secrets; the question loses its own here.
    """
    first = ranked[:RERANKED]
    if len(first) < 2:  # nothing to put in order
        return ranked, ""
    question = redact(text, pii).text[:_MOST_QUESTION]
    words = frozenset(query_words(question))
    try:
        scores = reranker.rerank(question, [_sent(item.row.text, words) for item in first])
    except NoReranker as none:
        return ranked, _told(none.cause)
    return reranked(ranked, scores), ""


def _told(cause: str) -> str:
    return f"reranker: {cause}; ranked without it"


def _sent(text: str, asked: frozenset[str]) -> str:
    """A long text's best part for this question."""
    return text if len(text) <= _MOST_TEXT else excerpt(text, asked, most=_MOST_TEXT, count=len).text


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankState:
    """How reranking stands, for `status` and `doctor`."""

    #: ready | down | off
    state: Literal["ready", "down", "off"] = "off"
    #: protocol and model; "" without one
    model: str = ""
    #: model and address, without a key; "" without one
    endpoint: str = ""
    #: why it is down
    cause: str = ""

    @property
    def lacking(self) -> str:
        """What recall lacks, in words; "" when nothing."""
        return _told(f"{self.model}: {self.cause}") if self.state == "down" else ""

    def to_dict(self) -> dict[str, str]:
        """The JSON of `status`."""
        return {"state": self.state, "model": self.model, "endpoint": self.endpoint, "cause": self.cause}


def rerank_state(reranker: Reranker | None) -> RerankState:
    """What is known of it; nobody is asked."""
    if reranker is None:
        return RerankState()
    trouble = reranker.trouble
    state: Literal["ready", "down"] = "down" if trouble else "ready"
    return RerankState(state=state, model=reranker.name, endpoint=reranker.shown, cause=trouble)


def look_again(reranker: Reranker | None) -> None:
    """Ask one that was in trouble once more, so that what is told of it is true now."""
    if reranker is not None and reranker.trouble:
        with suppress(NoReranker):  # it keeps the cause itself
            reranker.rerank("hello", ["hello", "good day"])
