"""Every constant of ranking, with its reason. Measured on four public sets by `tests/bench/recall.py`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What a passage's score is made of. Lexical parts are scaled by the best candidate, the others lie in [0, 1]."""

    #: BM25's saturation: short turns rarely repeat a word, so the second occurrence says little
    k1: float = 0.9
    #: BM25's length penalty: a long turn is not less relevant, it holds more facts
    b: float = 0.4
    #: share of each neighbour's words: an answer often stands beside the question that holds the words
    near: float = 0.35
    #: the chunk around it (session, section): what the whole conversation was about
    parent: float = 0.7
    #: share of meaning beside words (words scaled by the best candidate): .4 and .5 differ by less than a point on
    #: LoCoMo, the Obsidian help vault and mails; abstracts (SciFact) want .5
    vector: float = 0.5
    #: cosines of unrelated texts scatter around 0 as far as this: from here the part of meaning grows to the nearest
    unrelated: float = -0.1
    #: below this cosine a passage without the words is no answer: unrelated texts lie around 0.05
    least_cosine: float = 0.2
    #: the passage's time lies where the question's time expression points. A boost, never a filter: people misdate
    time: float = 0.3
    #: the same of a question that asks for little else than a time: nothing that lies elsewhere answers it
    time_alone: float = 1.2
    #: asked for a person by name alone, a passage that names them tells more than what they said
    about: float = 0.5
    #: the one person the question names said it; above 0.1 it misleads questions about the other speaker
    speaker: float = 0.05
    #: share of the title's words that the question holds: naming a note, a room or a subject asks for it
    title: float = 0.12
    #: a turn of a chat that is a question itself tells nothing, although it holds the question's words
    asks: float = -0.12
    #: asked when, a passage that tells a time
    when: float = 0.10
    #: share of the question's entities that the passage mentions, by whatever alias
    entities: float = 0.10
    #: only when the question asks for the latest
    recency: float = 0.10
    #: age at which the recency part has halved
    recency_half_life: timedelta = timedelta(days=30)
    #: things are told a little before (plans) and mostly after they happen
    time_before: timedelta = timedelta(days=3)
    time_after: timedelta = timedelta(days=14)
    #: what the window is worth beside the span itself, so that "yesterday" prefers yesterday
    time_around: float = 0.9
    #: from the edge of that window the boost falls in a straight line to nothing
    time_fade: timedelta = timedelta(days=45)


WEIGHTS = Weights()
