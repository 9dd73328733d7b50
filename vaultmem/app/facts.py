"""Facts by namespace: set, got, listed, searched. Secrets are taken out before any home sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from vaultmem.core.ingest.redact import redact
from vaultmem.core.notes.factsnote import MAX_KEY, is_key
from vaultmem.core.notes.ids import fold, slug
from vaultmem.core.recall.facts import rank_facts
from vaultmem.errors import BadQuery, NotFound
from vaultmem.facts import Fact, FactHit, FactResponse, FactsKept, NewFact
from vaultmem.ports import Facts
from vaultmem.queries import check_question

#: What the owner of the vault said of themselves.
USER = "user"
_MOST_VALUE = 4000
_MOST_HITS = 1000


def put(facts: Facts, namespace: str, items: Sequence[NewFact], *, pii: Sequence[str], now: datetime) -> FactsKept:
    """Keep facts. Raises BadQuery for a key or value that no note can hold, FactsTrouble, CannotWrite."""
    name = _namespace(namespace)
    clean = [_clean(item, tuple(pii)) for item in items]
    return FactsKept(namespace=name, changes=facts.put(name, clean, now=now), home=facts.home)


def get(facts: Facts, namespace: str, key: str) -> FactResponse:
    """One fact, with what stood there before. Raises NotFound, BadQuery, FactsTrouble."""
    name = _namespace(namespace)
    for fact in facts.read(name):
        if fold(fact.key) == fold(key):
            return FactResponse(hits=(FactHit(fact=fact, score=1.0),), total=1, truncated=False, home=facts.home)
    raise NotFound(key, f"the facts of {name!r} ({facts.home})")


def search(facts: Facts, *, namespace: str = "", query: str = "", limit: int = 10) -> FactResponse:
    """Facts that hold a word of the query, best first; without a query all, newest first; "" is every namespace."""
    if not 1 <= limit <= _MOST_HITS:
        raise BadQuery("limit", str(limit), f"a number from 1 to {_MOST_HITS}")
    check_question("query", query)
    names = (_namespace(namespace),) if namespace.strip() else facts.namespaces()
    held: list[Fact] = [fact for name in names for fact in facts.read(name)]
    ranked = rank_facts(held, query)
    hits = ranked[:limit]
    return FactResponse(hits=hits, total=len(ranked), truncated=len(ranked) > len(hits), home=facts.home)


def _namespace(text: str) -> str:
    """The name as every home has it. Raises BadQuery."""
    if not text.strip():
        raise BadQuery("namespace", text, f"a name, like {USER}")
    return slug(fold(text))


def _clean(item: NewFact, pii: tuple[str, ...]) -> NewFact:
    """One line of key, and a value without secrets and without blanks at its ends. Raises BadQuery."""
    key = _held(" ".join(item.key.split()))
    value = _held("\n".join(item.value.splitlines()).strip())
    if not value or len(value) > _MOST_VALUE:
        raise BadQuery("value", value[:40], f"some text, {_MOST_VALUE} characters at most")
    # A password shows by its key, a token by itself.
    whole = redact(f"{key}: {value}", pii).text
    if whole.startswith(f"{key}: "):
        value = whole.removeprefix(f"{key}: ").strip()
    else:
        key, value = redact(key, pii).text.strip("[]"), redact(value, pii).text
    if not is_key(key):
        raise BadQuery(
            "key", key[:40], f"a short name without ': ' and without signs before it, at most {MAX_KEY} long"
        )
    return replace(item, key=key, value=value, source=" ".join(_held(item.source).split()))


def _held(text: str) -> str:
    """Text that a note can hold."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
