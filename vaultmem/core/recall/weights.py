"""Every constant of ranking and of silence, with its reason and the values it may take: one place, and the settings.

`ranking:` in `.vaultmem/config.yaml` sets them by name; durations are days. The defaults were measured on four public
sets (`tests/bench/recall.py`, `tests/bench/silence.py`). Imports nothing of ours, for the settings are made of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from datetime import timedelta
from typing import Any

#: What `score_parts` may name, in the order of the formula. Lexical parts are scaled by the best candidate, the others
#: lie in [0, 1] times their weight; the score is their sum. The last is a reranker's (core/recall/rerank.py).
PARTS = (
    "words", "near", "parent", "vector", "title", "asks", "when", "time", "speaker", "about", "exact", "entities",
    "ppr", "recency", "rerank",
)  # fmt: skip


def _between(least: float, most: float) -> dict[str, float]:
    """The values that a constant may take, both ends inclusive; of durations in days."""
    return {"least": least, "most": most}


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What a passage's score is made of, which passages get one, and below what nothing is an answer."""

    #: BM25's saturation: short turns rarely repeat a word, so the second occurrence says little
    k1: float = field(default=0.9, metadata=_between(0, 10))
    #: BM25's length penalty: a long turn is not less relevant, it holds more facts
    b: float = field(default=0.4, metadata=_between(0, 1))
    #: share of each neighbour's words and meaning: an answer often stands beside the question that holds the words
    near: float = field(default=0.35, metadata=_between(0, 1))
    #: the chunk around it (session, section): what the whole conversation was about
    parent: float = field(default=0.7, metadata=_between(0, 10))
    #: share of meaning beside words (words scaled by the best candidate): .4 and .5 differ by less than a point on
    #: LoCoMo, the Obsidian help vault and mails; abstracts (SciFact) want .5
    vector: float = field(default=0.5, metadata=_between(0, 1))
    #: cosines of unrelated texts scatter around 0 as far as this: from here the part of meaning grows to the nearest
    unrelated: float = field(default=-0.1, metadata=_between(-1, -0.001))
    #: a median cosine above this is the model's own and not the vault's, and is taken off: MiniLM's within one chat of
    #: LoCoMo lies at .21 to .39, e5's at .75
    floored: float = field(default=0.5, metadata=_between(0, 1))
    #: below this cosine a passage without the words is no answer: unrelated texts lie around 0.05
    least_cosine: float = field(default=0.2, metadata=_between(0, 1))
    #: share of the title's words that the question holds: naming a note, a room or a subject asks for it
    title: float = field(default=0.12, metadata=_between(0, 10))
    #: a turn of a chat that is a question itself tells nothing, although it holds the question's words
    asks: float = field(default=-0.12, metadata=_between(-10, 0))
    #: asked when, a passage that tells a time
    when: float = field(default=0.10, metadata=_between(0, 10))
    #: the passage's time lies where the question's time expression points. A boost, never a filter: people misdate
    time: float = field(default=0.3, metadata=_between(0, 10))
    #: the same of a question that asks for little else than a time: nothing that lies elsewhere answers it
    time_alone: float = field(default=1.2, metadata=_between(0, 10))
    #: things are told a little before (plans) and mostly after they happen
    time_before: timedelta = field(default=timedelta(days=3), metadata=_between(0, 36500))
    time_after: timedelta = field(default=timedelta(days=14), metadata=_between(0, 36500))
    #: what the window is worth beside the span itself, so that "yesterday" prefers yesterday
    time_around: float = field(default=0.9, metadata=_between(0, 1))
    #: from the edge of that window the boost falls in a straight line to nothing
    time_fade: timedelta = field(default=timedelta(days=45), metadata=_between(0.01, 36500))
    #: the one person the question names said it; above 0.1 it misleads questions about the other speaker
    speaker: float = field(default=0.05, metadata=_between(0, 10))
    #: letters of a first name that alone may name a speaker: shorter ones ("Al", "Jo") are also words
    least_name: int = field(default=3, metadata=_between(1, 100))
    #: asked for a person by name alone, a passage that names them tells more than what they said
    about: float = field(default=0.5, metadata=_between(0, 10))
    #: share of the question's identifiers (ticket, error code, version, path) that stand in the passage to the letter
    exact: float = field(default=0.5, metadata=_between(0, 10))
    #: candidates that may hold an identifier before it counts for less: "IL-6" in forty abstracts is a word, no name
    exact_few: int = field(default=3, metadata=_between(1, 5000))
    #: share of the question's entities that the passage mentions, by whatever alias
    entities: float = field(default=0.10, metadata=_between(0, 10))
    #: named several entities that no passage names together, one that stands between them (personalised PageRank over
    #: the candidates and whom they name): elsewhere it adds nothing to words and meaning
    ppr: float = field(default=0.15, metadata=_between(0, 10))
    #: share of that walk that goes on at each step, and its steps: HippoRAG 2 uses .5; after 12 steps nothing moves
    ppr_damping: float = field(default=0.5, metadata=_between(0, 0.99))
    ppr_steps: int = field(default=12, metadata=_between(1, 100))
    #: the way to the passage before and after, beside the rarity of a name (one of 100 in 10,000 passages has 4.6)
    ppr_next: float = field(default=1.5, metadata=_between(0, 100))
    #: an entity that more passages name is a hub, over which no way leads
    ppr_hub: int = field(default=200, metadata=_between(1, 5000))
    #: passages on ways between the entities that are ranked although their words are not enough
    ppr_bridges: int = field(default=50, metadata=_between(0, 1000))
    #: only when the question asks for the latest
    recency: float = field(default=0.10, metadata=_between(0, 10))
    #: age at which the recency part has halved
    recency_half_life: timedelta = field(default=timedelta(days=30), metadata=_between(0.01, 36500))
    #: ranked per question where words are all there is: 100 gives the same R@10 on LoCoMo as 200 and 400
    candidates: int = field(default=100, metadata=_between(10, 5000))
    #: ranked by words and as many by meaning: 60 gives every number of the four public sets that 100 gives
    candidates_each: int = field(default=60, metadata=_between(10, 5000))
    #: sources of which the same text is shown: a newsletter that stands in twenty threads is not twenty answers
    copies: int = field(default=3, metadata=_between(1, 1000))
    #: passages looked at before nothing is said to answer: an answer that stands lower is not read
    silent_looked_at: int = field(default=10, metadata=_between(1, 1000))
    #: below this share of the question's words (by rarity), and without vectors, nothing answers
    silent_held: float = field(default=0.26, metadata=_between(0, 1))
    #: what the best cosine (softened by its neighbours') weighs beside that share, and the least of the two together
    silent_cosine: float = field(default=0.7, metadata=_between(0, 10))
    silent_together: float = field(default=0.82, metadata=_between(0, 11))
    #: a passage whose time part reaches this lies where the question points: half of the words are enough
    silent_timed: float = field(default=0.25, metadata=_between(0, 10))
    #: entities of a question that a walk follows: more are a list, not a question
    walk_entities: int = field(default=6, metadata=_between(1, 50))
    #: neighbours of an entity that a walk and the graph go on from: through weaker ones leads no way that says anything
    walk_breadth: int = field(default=12, metadata=_between(1, 1000))
    #: ways between two entities that are followed
    walk_ways: int = field(default=3, metadata=_between(1, 100))
    #: chunks a step of a way gives at most
    walk_step: int = field(default=60, metadata=_between(1, 5000))
    #: a summary is shown when it stands above so many of the passages found…
    walk_above: int = field(default=2, metadata=_between(1, 1000))
    #: …and has one of so many of a walk's places
    walk_summaries: int = field(default=5, metadata=_between(1, 1000))

    def ranked_for(self, hits: int, *, by_meaning: bool) -> int:
        """How many passages are ranked for so many hits: by words, and with `by_meaning` as many by meaning."""
        return max(self.candidates_each if by_meaning else self.candidates, 2 * hits)


WEIGHTS = Weights()

_FIELDS: Mapping[str, Field[Any]] = {each.name: each for each in fields(Weights)}
NAMES = tuple(_FIELDS)


def shown(name: str) -> str:
    """A constant's default as it would stand in the settings."""
    return f"{_number(_FIELDS[name].default):g}"


def changed(weights: Weights) -> dict[str, float]:
    """Those that are not the default, as they would stand in the settings."""
    return {n: _number(getattr(weights, n)) for n in NAMES if getattr(weights, n) != getattr(WEIGHTS, n)}


def _number(value: Any) -> float:  # noqa: ANN401 - any field's type
    """Durations in days."""
    return float(value / timedelta(days=1)) if isinstance(value, timedelta) else value


def problem_of(name: str, value: object) -> str:
    """Why this value may not be set under that name, for a person; "" when it may."""
    if name not in _FIELDS:
        return f"is unknown; known: {', '.join(NAMES)}"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "must be a number"
    least, most = (_FIELDS[name].metadata[end] for end in ("least", "most"))
    unit = " of days" if isinstance(_FIELDS[name].default, timedelta) else ""
    if not least <= value <= most:  # nan and numbers past a float's end too
        return f"must be a number{unit} from {least:g} to {most:g}"
    if isinstance(_FIELDS[name].default, int) and value != int(value):
        return "must be a whole number"
    return ""


def weights_of(values: Mapping[str, float]) -> Weights:
    """The defaults with these values instead, each of which `problem_of` finds nothing wrong with."""
    return Weights(**{name: _typed(_FIELDS[name].default, value) for name, value in values.items()})


def _typed(default: object, value: float) -> Any:  # noqa: ANN401 - the field's type
    if isinstance(default, timedelta):
        return timedelta(days=value)
    return int(value) if isinstance(default, int) else float(value)
