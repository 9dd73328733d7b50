"""The nouns of telling a model or a person: the context pack, and the memory agent's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from vaultmem.answers import RetrievalHit, Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLine:
    """One thing that memory holds, cut to what fits, with the place it stands in."""

    #: what stands there, or the part of it around what was asked
    text: str
    #: False: `text` is an excerpt
    is_whole: bool
    note_path: str
    #: 1-based, inclusive; (0, 0) where there is no note
    lines: tuple[int, int]
    #: of a passage: its chunk or summary; of a fact: its namespace
    node_id: str
    #: who said it; of a fact: its key
    author: str
    #: ISO, UTC
    at: str
    trust: Trust
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSection:
    """One of the four sections."""

    #: memory_context | user_working_memory | cross_chat_context | prior_conversations
    name: str
    title: str
    lines: tuple[ContextLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPack:
    """What memory holds about a text, within a budget of tokens."""

    sections: tuple[ContextSection, ...]
    #: for a model: all sections, fenced as data
    text: str
    #: of `text`, at most `budget`
    tokens: int
    budget: int
    #: section -> how many of its lines had no room
    left_out: Mapping[str, int]
    degraded: str = ""
    #: the passages of the first section are what comes nearest: none holds enough of the text to answer it
    no_good_answer: bool = False

    def to_dict(self) -> dict[str, object]:
        """The JSON of `context`."""
        sections = [
            {
                "name": s.name,
                "title": s.title,
                "lines": [{**asdict(line), "lines": list(line.lines)} for line in s.lines],
            }
            for s in self.sections
        ]
        return {
            "sections": sections,
            "text": self.text,
            "tokens": self.tokens,
            "budget": self.budget,
            "left_out": dict(self.left_out),
            "degraded": self.degraded,
            **({"no_good_answer": True} if self.no_good_answer else {}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AskStep:
    """One thing the memory agent looked up."""

    action: str
    arguments: Mapping[str, object]
    #: how many hits it got; -1 for an action that could not be carried out
    found: int
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the memory agent says, and on what ground."""

    #: sentences, each with its citations `[n]`; "" when there is none
    text: str
    #: hit `[1]`, `[2]`, …: those that the answer cites, else all that were found
    hits: tuple[RetrievalHit, ...]
    steps: tuple[AskStep, ...] = ()
    #: the model that was asked, without a key; "" without one
    model: str = ""
    #: sentences that were dropped because they cite nothing that was found
    dropped: int = 0
    #: why there is no text, or what was missing; "" when nothing was
    degraded: str = ""
    #: whether memory holds no evidence
    refused: bool = field(default=False)

    def to_dict(self) -> dict[str, object]:
        """The JSON of `ask`."""
        return {
            "answer": self.text,
            "refused": self.refused,
            "hits": [{**asdict(hit), "lines": list(hit.lines)} for hit in self.hits],
            "steps": [asdict(step) for step in self.steps],
            "model": self.model,
            "dropped": self.dropped,
            "degraded": self.degraded,
        }
