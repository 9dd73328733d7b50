"""The two protocols by which embedders are served, as values: what to send, and what an answer says.

OpenAI-compatible `/v1/embeddings`, Ollama's `/api/embed` and, for servers older than that, `/api/embeddings`.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vaultmem.errors import EndpointTrouble

Floats = NDArray[np.float32]


class Unfit(Exception):
    """The endpoint answers, but what it gave is no vectors: perhaps one text's fault."""


def read_openai(reply: object, count: int) -> tuple[list[Floats], str]:
    """One vector per text in the order of the texts, and the model that made them. Raises Unfit, EndpointTrouble."""
    fact = _mapping(reply)
    rows = fact.get("data")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise EndpointTrouble("the endpoint's answer holds no vectors")
    places = [row.get("index") for row in rows]
    if all(place is None for place in places):  # some servers leave it out and keep the order
        places = list(range(len(rows)))
    if not all(type(place) is int for place in places) or sorted(places) != list(range(count)):
        raise Unfit(f"gave {len(rows)} vectors for {count} texts")
    by_place = {place: row.get("embedding") for place, row in zip(places, rows, strict=True)}
    model = fact.get("model")
    return [_vector(by_place[place]) for place in range(count)], model if isinstance(model, str) else ""


def read_ollama(reply: object, count: int) -> list[Floats]:
    """The answer of `/api/embed`. Raises Unfit, EndpointTrouble."""
    rows = _mapping(reply).get("embeddings")
    if not isinstance(rows, list):
        raise EndpointTrouble("the endpoint's answer holds no vectors")
    if len(rows) != count:
        raise Unfit(f"gave {len(rows)} vectors for {count} texts")
    return [_vector(row) for row in rows]


def read_old_ollama(reply: object) -> Floats:
    """The answer of `/api/embeddings`, which takes one text. Raises Unfit, EndpointTrouble."""
    row = _mapping(reply).get("embedding")
    if not isinstance(row, list):
        raise EndpointTrouble("the endpoint's answer holds no vectors")
    return _vector(row)


def read_digest(reply: object, model: str) -> str:
    """The digest of a model in Ollama's list of what it has; "" when the list does not say."""
    models = reply.get("models") if isinstance(reply, dict) else None
    wanted = (model, f"{model}:latest")
    for entry in models if isinstance(models, list) else ():
        if isinstance(entry, dict) and entry.get("name", entry.get("model")) in wanted:
            digest = entry.get("digest")
            return digest.removeprefix("sha256:") if isinstance(digest, str) else ""
    return ""


def unit_rows(vectors: Sequence[Floats]) -> Floats:
    """All as rows of length 1. Raises Unfit when one has no direction, or they differ in size."""
    sizes = {len(vector) for vector in vectors}
    if len(sizes) != 1:
        raise Unfit(f"gave vectors of {' and '.join(map(str, sorted(sizes)))} numbers")
    rows = np.array(vectors, dtype=np.float64)
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    if not np.isfinite(lengths).all() or not lengths.all():
        raise Unfit("gave a vector that is not a number, infinite or zero")
    return np.asarray(rows / lengths, dtype=np.float32)


def _mapping(reply: object) -> Mapping[str, object]:
    if not isinstance(reply, dict):
        raise EndpointTrouble("the endpoint's answer holds no vectors")
    return reply


def _vector(value: object) -> Floats:
    """A list of numbers, or base64 of little-endian float32. Raises Unfit."""
    if isinstance(value, str):
        try:
            found = np.frombuffer(base64.b64decode(value, validate=True), dtype="<f4")
        except (ValueError, binascii.Error):
            raise Unfit("gave a vector that cannot be read") from None
    else:
        try:
            found = np.array(value, dtype=np.float64).astype(np.float32) if isinstance(value, list) else np.zeros(0)
        except (ValueError, TypeError, OverflowError):
            raise Unfit("gave a vector that cannot be read") from None
    if found.ndim != 1 or not len(found):
        raise Unfit("gave a vector that cannot be read")
    return np.asarray(found, dtype=np.float32)
