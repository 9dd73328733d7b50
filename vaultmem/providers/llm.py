"""A language model behind an OpenAI-compatible or an Ollama endpoint: one question, one bounded answer.

What is asked for in one protocol's words stands in llm_openai.py and llm_ollama.py; here is what they share: patience,
trying again, and leaving an endpoint alone that does not answer.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from threading import Lock

from vaultmem.asked import Completion
from vaultmem.errors import EndpointTrouble, NoAnswer
from vaultmem.providers import llm_ollama, llm_openai
from vaultmem.providers.breaker import Breaker
from vaultmem.providers.http_json import post_json
from vaultmem.userconfig import Endpoint

#: Bytes an answer may have: a hundred times what is asked for.
MOST_BYTES = 1_000_000
ATTEMPTS = 4
#: Seconds before the second attempt; doubled each time.
_FIRST_DELAY = 0.5
#: Seconds a server that is busy is waited for at its own wish; one that wants more is left alone.
_LONGEST_DELAY = 20.0
#: Asking again changes nothing: no right, no money, no such model or route.
_HOPELESS = frozenset({401, 402, 403, 404})
_PROTOCOLS = {"openai": llm_openai, "ollama": llm_ollama}


class LlmClient:
    """The model of one endpoint. For several threads."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._endpoint = endpoint
        self._protocol = _PROTOCOLS[endpoint.api]
        self._url = self._protocol.url_of(endpoint.url)
        self._sleep = sleep
        self._clock = clock
        self._breaker = Breaker(clock)
        self._lock = Lock()
        #: optional parts of a request that this server does not take
        self._without: frozenset[str] = frozenset()

    @property
    def model(self) -> str:
        """Its name at the endpoint."""
        return self._endpoint.model

    @property
    def shown(self) -> str:
        """The endpoint as a person is told of it."""
        return self._endpoint.shown

    def complete(self, system: str, prompt: str, *, max_tokens: int, json: bool) -> Completion:
        """Ask; all attempts together take no longer than the endpoint's timeout. Raises NoAnswer."""
        refusal = self._breaker.refusal()
        if refusal:
            raise NoAnswer(f"left alone for a while: {refusal}", was_sent=False)
        try:
            found = self._asked(system, prompt, max_tokens=max_tokens, json=json)
        except EndpointTrouble as trouble:
            self._breaker.failed(trouble.cause, for_good=trouble.status in _HOPELESS, pause=trouble.pause)
            raise NoAnswer(trouble.cause) from None
        self._breaker.succeeded()
        return found

    def _asked(self, system: str, prompt: str, *, max_tokens: int, json: bool) -> Completion:
        """Attempt by attempt. Raises EndpointTrouble."""
        end = self._clock() + self._endpoint.timeout
        attempt = 0
        while True:
            try:
                return self._once(system, prompt, max_tokens=max_tokens, json=json, end=end)
            except EndpointTrouble as trouble:
                if trouble.status in (400, 422) and self._gives_up(trouble.told):
                    continue
                attempt += 1
                delay = _delay(trouble, attempt)
                if delay is None or attempt >= ATTEMPTS or self._clock() + delay >= end:
                    raise
            self._sleep(delay)

    def _once(self, system: str, prompt: str, *, max_tokens: int, json: bool, end: float) -> Completion:
        without = self._without
        body = self._protocol.request(self.model, system, prompt, max_tokens=max_tokens, json=json, without=without)
        left = max(end - self._clock(), 0.1)
        answer = post_json(self._url, body, key=self._endpoint.key, seconds=left, most_bytes=MOST_BYTES)
        found: Completion = self._protocol.read(answer)
        return found

    def _gives_up(self, told: str) -> bool:
        """Whether the server named an optional part that it does not take: from now on it is left out."""
        with self._lock:
            named = {part for part in self._protocol.OPTIONAL if part in told and part not in self._without}
            self._without |= named
            return bool(named)


def _delay(trouble: EndpointTrouble, attempt: int) -> float | None:
    """Seconds until the next attempt; None when there should be none."""
    lasting = trouble.status in (200, 501) or 300 <= trouble.status < 429 or 429 < trouble.status < 500
    if lasting or trouble.pause > _LONGEST_DELAY:
        return None
    delay = _FIRST_DELAY * float(2 ** (attempt - 1)) * (1 + random.random() / 4)  # noqa: S311 - clients that do not march in step
    return max(delay, trouble.pause)
