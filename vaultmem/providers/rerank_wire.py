"""The two protocols by which rerankers are served, as values: what to send, and what an answer says.

cohere  {model, query, documents, top_n} -> {"results": [{"index", "relevance_score"}]}: Cohere, Jina, llama.cpp's
        server, vLLM and most others; Voyage says "data" for "results" and takes no top_n
tei     {query, texts, truncate} -> [{"index", "score"}]: Hugging Face's text-embeddings-inference
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from vaultmem.errors import EndpointTrouble
from vaultmem.providers.http_json import endpoint_url
from vaultmem.userconfig import Endpoint

ROUTE: Final = "rerank"
#: Parts of a request that some servers do not take: left out when one names them in its refusal.
OPTIONAL: Final = ("top_n", "truncate")
_LISTS = ("results", "data")
_SCORES = ("relevance_score", "score")


def url_of(endpoint: Endpoint) -> str:
    """Where to ask, whichever part of it the user wrote."""
    if endpoint.api == "cohere":
        return endpoint_url(endpoint.url, ROUTE)
    return endpoint.url if endpoint.url.endswith(f"/{ROUTE}") else f"{endpoint.url}/{ROUTE}"


def body_of(endpoint: Endpoint, question: str, texts: Sequence[str], without: frozenset[str]) -> dict[str, object]:
    """What is asked; `without`: optional parts that this server does not take."""
    if endpoint.api == "cohere":
        body: dict[str, object] = {"query": question, "documents": list(texts), "top_n": len(texts)}
    else:
        body = {"query": question, "texts": list(texts), "truncate": True}
    named: dict[str, object] = {"model": endpoint.model} if endpoint.model else {}
    return named | {name: value for name, value in body.items() if name not in without}


def read_scores(reply: object, count: int) -> tuple[float, ...]:
    """A finite score for each of `count` texts, in their order; either protocol's answer. Raises EndpointTrouble."""
    rows = _rows(reply)
    found: dict[int, float] = {}
    for row in rows:
        fact = row if isinstance(row, dict) else {}
        place = fact.get("index")
        if type(place) is not int or not 0 <= place < count or place in found:
            raise EndpointTrouble("the endpoint's answer names a text that was not sent, or one twice")
        found[place] = _score(fact)
    if len(found) != count:
        raise EndpointTrouble(f"the endpoint gave {len(found)} scores for {count} texts")
    return tuple(found[place] for place in range(count))


def _rows(reply: object) -> list[object]:
    rows = reply
    if isinstance(reply, dict):
        rows = next((reply[name] for name in _LISTS if name in reply), None)
    if not isinstance(rows, list):
        raise EndpointTrouble("the endpoint's answer holds no scores")
    return rows


def _score(row: dict[str, object]) -> float:
    value = next((row[name] for name in _SCORES if name in row), None)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise EndpointTrouble("the endpoint gave a score that is no number")
    try:
        score = float(value)
    except OverflowError:
        score = math.inf
    if not math.isfinite(score):
        raise EndpointTrouble("the endpoint gave a score that is no number")
    return score
