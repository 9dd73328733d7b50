"""An embedder that somebody serves: Ollama or OpenAI-compatible, at an address the user named.

Text goes nowhere else, no model is ever pulled. What the endpoint gives is believed only as far as it is checked: as
many vectors as texts, of one size, finite, not zero. A text for which it gives none, while it answers for another,
is refused and holds back nothing.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from vaultmem.answers import Embedded
from vaultmem.errors import EndpointTrouble, NoEmbedder
from vaultmem.providers.embedding_wire import (
    Floats,
    Unfit,
    read_digest,
    read_old_ollama,
    read_ollama,
    read_openai,
    unit_rows,
)
from vaultmem.providers.endpoint_state import EndpointState
from vaultmem.providers.http_json import endpoint_url, get_json, post_json
from vaultmem.providers.instructions import instructions_of
from vaultmem.userconfig import Endpoint

#: Seconds a person's question waits for its vector in all; then words answer.
QUESTION_SECONDS = 2.0
#: A step is begun anew when the model changed between two of its answers.
_TRIES = 2
#: Texts and characters in one request: about 4,000 tokens, half a minute of a slow processor.
_MOST_TEXTS = 32
_MOST_CHARACTERS = 16_000
#: A text that is refused is tried again by its beginning: models read 512 tokens and more, and some servers refuse
#: what is longer where others cut it themselves.
_CUTS = (2_000, 500)
#: What the endpoint must be able to embed if a text is to blame and not it.
_PLAIN = "hello"
#: Answers that may be one text's fault.
_TEXT_AT_FAULT = frozenset({400, 413, 422, 500})
#: Answers of a server that does not know the route.
_NO_ROUTE = frozenset({404, 405, 501})
#: Seconds after which the server is asked again which weights it has under the model's name.
_DIGEST_HOLDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Given:
    """What one answer brought."""

    #: unit vectors, a row per text
    rows: Floats
    #: the weights behind the model's name as the server tells them; "" when it does not
    weights: str


class EndpointEmbedder:
    """One endpoint's model, for any number of threads. Nothing is sent before the first text."""

    def __init__(self, endpoint: Endpoint, state: EndpointState) -> None:
        self._endpoint = endpoint
        self._state = state
        self._instructions = instructions_of(endpoint.model)
        #: Ollama's digest of the model, and when it was told
        self._digest: tuple[str, float] | None = None
        self._has_embed = True
        self.name = f"{endpoint.api}/{endpoint.model}"
        if endpoint.dimensions:
            self.name += f"@{endpoint.dimensions}"
        #: of the vectors it gave last; "" before the first
        self.signature = ""

    @property
    def trouble(self) -> str:
        """Why it gave nothing when it was last asked; "" when it did."""
        return self._state.cause

    def embed(self, texts: Sequence[str]) -> Embedded:
        """Passages as vectors, `endpoint.timeout` seconds for each request. Raises NoEmbedder."""
        marked = [self._instructions.passage + text for text in texts]
        with self._named_trouble():
            for _ in range(_TRIES):
                parts = [self._part(marked[first:last]) for first, last in _requests(marked)]
                if len({signature for signature, _ in parts}) < 2:
                    return _joined(parts, self.signature)
            raise Unfit("its model changes from answer to answer")

    def embed_question(self, text: str) -> Embedded:
        """A question as one vector within QUESTION_SECONDS. Raises NoEmbedder, at once while it rests."""
        if self._state.is_resting:
            raise NoEmbedder(f"{self.name}: {self._state.cause}")
        with self._named_trouble():
            given = self._ask([self._instructions.question + text], time.monotonic() + QUESTION_SECONDS)
            return Embedded(signature=self._learn(len(given.rows[0]), given.weights), rows=given.rows)

    def _part(self, texts: Sequence[str]) -> tuple[str, list[Floats | None]]:
        """One request's texts: their signature, and a row for each; None for one that is refused."""
        try:
            given = self._ask(texts, self._patience())
        except Unfit:
            return self._one_by_one(texts)
        return self._learn(given.rows.shape[1], given.weights), list(given.rows)

    def _one_by_one(self, texts: Sequence[str]) -> tuple[str, list[Floats | None]]:
        """Each alone, after a plain one showed that the endpoint is not to blame."""
        plain = self._ask([self._instructions.passage + _PLAIN], self._patience())
        singles = [self._single(text) for text in texts]
        given = [single for single in (plain, *singles) if single is not None]
        (size, weights), _ = Counter((single.rows.shape[1], single.weights) for single in given).most_common(1)[0]
        rows = [
            single.rows[0] if single and (single.rows.shape[1], single.weights) == (size, weights) else None
            for single in singles
        ]
        return self._learn(size, weights), rows

    def _single(self, text: str) -> _Given | None:
        for cut in (len(text), *(c for c in _CUTS if c < len(text))):
            try:
                return self._ask([text[:cut]], self._patience())
            except Unfit:
                continue
        return None

    def _learn(self, size: int, weights: str) -> str:
        """The signature of what was just given; the endpoint is well."""
        prefix = "passage-prefix" if self._instructions.passage else ""
        self.signature = "/".join(part for part in (self.name, str(size), weights, prefix) if part)
        self._state.answered()
        return self.signature

    def _patience(self) -> float:
        return time.monotonic() + self._endpoint.timeout

    @contextmanager
    def _named_trouble(self) -> Iterator[None]:
        """What goes wrong is remembered, and has the model's name."""
        try:
            yield
        except (Unfit, EndpointTrouble) as trouble:
            pause = trouble.pause if isinstance(trouble, EndpointTrouble) else 0.0
            self._state.failed(str(trouble), pause=pause)
            raise NoEmbedder(f"{self.name}: {trouble}") from trouble

    # --- the wire --------------------------------------------------------------------------------------------------

    def _ask(self, texts: Sequence[str], until: float) -> _Given:
        """Raises Unfit, EndpointTrouble."""
        try:
            vectors, weights = (self._openai if self._endpoint.api == "openai" else self._ollama)(texts, until)
        except EndpointTrouble as trouble:
            if trouble.status in _TEXT_AT_FAULT:
                raise Unfit(trouble.cause) from trouble
            raise
        rows = unit_rows(vectors)
        wanted = self._endpoint.dimensions
        if wanted and rows.shape[1] != wanted:
            raise EndpointTrouble(f"the endpoint gives {rows.shape[1]} numbers where {wanted} are asked for")
        return _Given(rows=rows, weights=weights)

    def _openai(self, texts: Sequence[str], until: float) -> tuple[list[Floats], str]:
        url = endpoint_url(self._endpoint.url, "embeddings")
        vectors, served = read_openai(self._post(url, self._body(input=list(texts)), until), len(texts))
        # a server that gives whatever model it has loaded says so here: its vectors are that model's
        return vectors, "" if served == self._endpoint.model else served

    def _ollama(self, texts: Sequence[str], until: float) -> tuple[list[Floats], str]:
        weights = self._weights(until)
        if self._has_embed:
            try:
                reply = self._post(f"{self._base()}/api/embed", self._body(input=list(texts), truncate=True), until)
                return read_ollama(reply, len(texts)), weights
            except EndpointTrouble as trouble:
                if trouble.status not in _NO_ROUTE or trouble.told:  # a missing model is told of, a missing route not
                    raise
                self._has_embed = False
        url = f"{self._base()}/api/embeddings"
        return [read_old_ollama(self._post(url, self._body(prompt=text), until)) for text in texts], weights

    def _weights(self, until: float) -> str:
        """Which weights stand behind the model's name: they change when it is pulled anew."""
        known = self._digest
        if known is None or time.monotonic() - known[1] > _DIGEST_HOLDS:
            try:
                reply = get_json(f"{self._base()}/api/tags", key=self._endpoint.key, seconds=_left(until))
            except EndpointTrouble as trouble:
                if trouble.status not in _NO_ROUTE:
                    raise
                reply = None
            known = self._digest = (read_digest(reply, self._endpoint.model)[:12], time.monotonic())
        return known[0]

    def _body(self, **fields: object) -> dict[str, object]:
        asked = {"dimensions": self._endpoint.dimensions} if self._endpoint.dimensions else {}
        return {"model": self._endpoint.model, **fields, **asked}

    def _base(self) -> str:
        return self._endpoint.url.removesuffix("/api")

    def _post(self, url: str, body: object, until: float) -> object:
        return post_json(url, body, key=self._endpoint.key, seconds=_left(until))


def _left(until: float) -> float:
    """Seconds left for the next request of an exchange; never so few that it is not tried at all."""
    return max(0.01, until - time.monotonic())


def _requests(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """[first, last) of the texts of each request."""
    first, size = 0, 0
    for place, text in enumerate(texts):
        if place > first and (place - first == _MOST_TEXTS or size + len(text) > _MOST_CHARACTERS):
            yield first, place
            first, size = place, 0
        size += len(text)
    if first < len(texts):
        yield first, len(texts)


def _joined(parts: Sequence[tuple[str, list[Floats | None]]], signature: str) -> Embedded:
    """Parts of one signature as one; `signature`: when there are none."""
    rows = [row for _, part in parts for row in part]
    size = next((len(row) for row in rows if row is not None), 0)
    filled = [np.zeros(size, dtype=np.float32) if row is None else row for row in rows]
    return Embedded(
        signature=parts[0][0] if parts else signature,
        rows=np.array(filled, dtype=np.float32).reshape(len(rows), size),
        refused=frozenset(place for place, row in enumerate(rows) if row is None),
    )
