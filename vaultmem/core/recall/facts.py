"""Which facts fit a question: words weighed by how few facts hold them, those of the key twice."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from vaultmem.core.notes.ids import fold
from vaultmem.core.recall.words import index_words, query_words
from vaultmem.facts import Fact, FactHit

#: What a word of the question counts in a fact's value, where 1 is its key.
_VALUE = 0.5


def rank_facts(facts: Sequence[Fact], query: str) -> tuple[FactHit, ...]:
    """Those that hold a word of the question, best first, ties by namespace and key; without one all, newest first."""
    asked = query_words(query)
    if not asked:
        plain = sorted(facts, key=_name)
        return tuple(FactHit(fact=f, score=0.0) for f in sorted(plain, key=lambda f: f.since, reverse=True))
    # a key like `home_town` or `gate-code` is several words
    keys = [frozenset(index_words(f.key.replace("_", " "))) for f in facts]
    values = [frozenset(index_words(f.value)) for f in facts]
    held = Counter(word for key, value in zip(keys, values, strict=True) for word in key | value)
    weight = {word: math.log(1 + (len(facts) + 1) / (held[word] + 1)) for word in asked}
    whole = sum(weight.values())
    scored = [
        (sum(weight[w] * (1.0 if w in key else _VALUE if w in value else 0.0) for w in asked) / whole, fact)
        for key, value, fact in zip(keys, values, facts, strict=True)
    ]
    fitting = [(round(score, 6), fact) for score, fact in scored if score > 0]
    ranked = sorted(fitting, key=lambda pair: (-pair[0], _name(pair[1])))
    return tuple(FactHit(fact=fact, score=score) for score, fact in ranked)


def _name(fact: Fact) -> tuple[str, str]:
    return fact.namespace, fold(fact.key)
