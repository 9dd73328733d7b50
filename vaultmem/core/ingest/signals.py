"""The signals by which a chunk is judged, each in [0, 1], and their weighted mean (DESIGN §4).

    interaction(frozenset())                  -> 0.5, nothing is known
    interaction(frozenset({"sent"}))          -> 0.8
    interaction(frozenset({"sent", "reply"})) -> 0.9

Every signal is monotone in what speaks for a chunk: one more cue, mention or number never lowers the mean. So a number
counts as an entity (it is a quantity or a date), and words are counted without numbers and handles.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from vaultmem.model import Mention, SourceKind

#: The LLM's importance is absent where none was asked or none answered: then it counts nowhere.
WEIGHTS: Mapping[str, float] = {
    "token_count": 1.0,
    "unique_words": 1.0,
    "metadata_weight": 1.5,
    "source_weight": 1.5,
    "interaction": 3.0,
    "entity_density": 1.0,
    "llm_importance": 2.0,
}
_METADATA: Mapping[SourceKind, float] = {"document": 0.9, "email": 0.8, "chat": 0.5}
_UNLISTED_SOURCE: Mapping[SourceKind, float] = {"email": 0.75, "document": 0.7, "chat": 0.5}
_SOURCES: Mapping[str, float] = {
    "gmail": 0.8,
    "other_email": 0.7,
    "whatsapp": 0.75,
    "telegram": 0.6,
    "discord": 0.5,
    "conversation": 0.9,
    "notion": 0.75,
    "drive_docs": 0.6,
    "meeting_notes": 0.85,
}
#: What lifts `interaction`; each that holds of a chunk also stands among its signals, with no weight of its own.
INTERACTIONS: Mapping[str, float] = {"sent": 0.6, "reply": 0.5, "dm": 0.3, "mention": 0.2}

_MIN_TOKENS = 10
_FULL_TOKENS = 30
_MAX_TOKENS = 3000
_OVERLONG_TOKENS = 8000
_FEW_WORDS = 5
_TOKENS_PER_ENTITY = 100

_UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_RUN = re.compile(rf"[{_UNSPACED}]+|[^\s{_UNSPACED}]+")
_ONE_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_NUMBER = re.compile(r"\d+(?:[.,:/\-]\d+)*")
#: Who wrote and who was written to says nothing of what a text is about.
_SPOKEN_BY = ("author", "header")


def measure(
    *,
    kind: SourceKind,
    provider: str,
    texts: Sequence[str],
    token_count: int,
    mentions: Iterable[Mention],
    cues: Collection[str],
) -> dict[str, float]:
    """All signals of a chunk whose messages (or body) are `texts`; `token_count` is that of the note's body."""
    return {
        "token_count": length(token_count),
        "unique_words": variety(texts),
        "metadata_weight": _METADATA[kind],
        "source_weight": _SOURCES.get(provider, _UNLISTED_SOURCE[kind]),
        "interaction": interaction(cues),
        "entity_density": density(count_entities(mentions, texts), token_count),
    }


def provider_like(weight: float) -> str:
    """A provider of this `source_weight`; "" when none has it."""
    return next((provider for provider, own in _SOURCES.items() if abs(own - weight) < 1e-6), "")


def weighted_mean(signals: Mapping[str, float]) -> float:
    """The total over the signals that are there: one that is missing counts neither above nor below the line."""
    present = [(WEIGHTS[name], value) for name, value in signals.items() if name in WEIGHTS]
    return sum(weight * value for weight, value in present) / sum(weight for weight, _ in present)


def length(tokens: int) -> float:
    """0 below 10 tokens, rising to 1 at 30, 1 up to 3,000, falling to 0.5 at 8,000 and more."""
    if tokens < _FULL_TOKENS:
        return max(0, tokens - _MIN_TOKENS) / (_FULL_TOKENS - _MIN_TOKENS)
    over = min(max(0, tokens - _MAX_TOKENS), _OVERLONG_TOKENS - _MAX_TOKENS)
    return 1 - 0.5 * over / (_OVERLONG_TOKENS - _MAX_TOKENS)


def variety(texts: Iterable[str]) -> float:
    """Share of distinct words: 0 up to 0.3, 1 from 0.7; 0.5 for fewer than 5. Unspaced scripts count by bigrams."""
    total, seen = 0, set[str]()
    for text in texts:
        for word in _words(text):
            total += 1
            seen.add(word)
    if total < _FEW_WORDS:
        return 0.5
    return min(1.0, max(0.0, (len(seen) / total - 0.3) / 0.4))


def interaction(cues: Collection[str]) -> float:
    """0.5 without a cue, else 1 - 0.5 x the product of (1 - weight): every cue raises it, none can lower it."""
    left = 0.5
    for cue in sorted(INTERACTIONS.keys() & set(cues)):
        left *= 1 - INTERACTIONS[cue]
    return 1 - left


def density(entities: int, tokens: int) -> float:
    """Entities per 100 tokens, full at one."""
    return min(1.0, entities * _TOKENS_PER_ENTITY / tokens) if tokens > 0 else 0.0


def count_entities(mentions: Iterable[Mention], texts: Iterable[str]) -> int:
    """Distinct names and numbers (quantities, dates) in the text; its author and receivers are none."""
    named = {(mention.kind, mention.surface) for mention in mentions if is_content(mention)}
    return len(named) + len({number for text in texts for number in _NUMBER.findall(text)})


def is_content(mention: Mention) -> bool:
    """False for the names of who wrote and who received: every message has them."""
    return mention.origin not in _SPOKEN_BY


def _words(text: str) -> Iterable[str]:
    for run in _RUN.findall(text):
        if _ONE_UNSPACED.match(run):
            yield from (run[i : i + 2] for i in range(max(1, len(run) - 1)))
        elif run[0] != "@" and any(map(str.isalpha, run)):
            yield run.strip(".,;:!?\"'`*_()[]{}<>|~-–—…“”‘’«»").lower()
