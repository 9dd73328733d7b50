"""What some models want written in front of a text: trained with it, they find less without.

From the models' own cards. A model that is not here gets the text alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Instructions:
    """Put in front of what is embedded."""

    passage: str = ""
    question: str = ""


_RETRIEVE = "Represent this sentence for searching relevant passages: "
_TASK = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "
#: The first whose pattern is found in the model's name, without case.
_FAMILIES: tuple[tuple[re.Pattern[str], Instructions], ...] = tuple(
    (re.compile(pattern), instructions)
    for pattern, instructions in (
        (r"nomic-embed-text", Instructions(passage="search_document: ", question="search_query: ")),
        (r"qwen3-embedding|e5-mistral|e5.*instruct", Instructions(question=_TASK)),
        (r"(?<![a-z0-9])e5(?![a-z0-9])", Instructions(passage="passage: ", question="query: ")),
        (r"embeddinggemma", Instructions(passage="title: none | text: ", question="task: search result | query: ")),
        (r"arctic-embed.*(?:2\.0|2$|2:)", Instructions(question="query: ")),
        (r"mxbai-embed-large|arctic-embed|bge-(?:small|base|large)-en", Instructions(question=_RETRIEVE)),
    )
)


def instructions_of(model: str) -> Instructions:
    """What the model of this name wants; nothing for one that is not known."""
    for pattern, instructions in _FAMILIES:
        if pattern.search(model.casefold()):
            return instructions
    return Instructions()
