"""A reranker that somebody serves, at an address the user named: text goes nowhere else, and an answer is checked."""

from __future__ import annotations

import time
from collections.abc import Sequence

from vaultmem.errors import EndpointTrouble, NoReranker
from vaultmem.providers.endpoint_state import EndpointState
from vaultmem.providers.http_json import post_json
from vaultmem.providers.rerank_wire import OPTIONAL, body_of, read_scores, url_of
from vaultmem.userconfig import Endpoint

#: Bytes an answer may have: some servers send the texts back.
_MOST_BYTES = 4_000_000
#: Answers that a text which is too long for the model may be to blame for: then all are tried again by their beginning.
_TOO_LONG = frozenset({400, 413, 422, 500})
_CUT = 400
#: Answers that may be about a part of the request.
_REFUSED = frozenset({400, 422})


class EndpointReranker:
    """One endpoint's model, for any number of threads. Nothing is sent before the first question."""

    def __init__(self, endpoint: Endpoint, state: EndpointState) -> None:
        self._endpoint = endpoint
        self._state = state
        self._url = url_of(endpoint)
        #: optional parts of a request that this server does not take
        self._without: frozenset[str] = frozenset()
        self.name = f"{endpoint.api}/{endpoint.model}" if endpoint.model else endpoint.api

    @property
    def shown(self) -> str:
        """The endpoint as a person is told of it."""
        return self._endpoint.shown

    @property
    def trouble(self) -> str:
        """Why it gave nothing when it was last asked; "" when it did."""
        return self._state.cause

    def rerank(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """A score for each text within `endpoint.timeout` seconds in all. Raises NoReranker, at once while it rests."""
        if self._state.is_resting:
            raise NoReranker(f"{self.name}: {self._state.cause}")
        try:
            scores = self._scores(question, texts, time.monotonic() + self._endpoint.timeout)
        except EndpointTrouble as trouble:
            self._state.failed(trouble.cause, pause=trouble.pause)
            raise NoReranker(f"{self.name}: {trouble.cause}") from trouble
        self._state.answered()
        return scores

    def _scores(self, question: str, texts: Sequence[str], until: float) -> tuple[float, ...]:
        try:
            return self._asked(question, texts, until)
        except EndpointTrouble as trouble:
            if trouble.status not in _TOO_LONG or all(len(text) <= _CUT for text in texts):
                raise
        return self._asked(question[:_CUT], [text[:_CUT] for text in texts], until)

    def _asked(self, question: str, texts: Sequence[str], until: float) -> tuple[float, ...]:
        """Asked again without what the server does not take. Raises EndpointTrouble."""
        while True:
            body = body_of(self._endpoint, question, texts, self._without)
            left = max(until - time.monotonic(), 0.01)
            try:
                reply = post_json(self._url, body, key=self._endpoint.key, seconds=left, most_bytes=_MOST_BYTES)
                return read_scores(reply, len(texts))
            except EndpointTrouble as trouble:
                named = {part for part in OPTIONAL if part in trouble.told and part in body}
                if trouble.status not in _REFUSED or not named:
                    raise
                self._without |= named
