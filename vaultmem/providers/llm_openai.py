"""`/v1/chat/completions`, as many servers speak it."""

from __future__ import annotations

from collections.abc import Collection

from vaultmem.asked import Completion
from vaultmem.errors import EndpointTrouble
from vaultmem.providers.http_json import endpoint_url

#: What some servers refuse: by the names they refuse it with.
OPTIONAL = ("response_format", "temperature", "max_tokens")
_ROUTE = "chat/completions"


def url_of(base: str) -> str:
    """The route, whichever part of it the user wrote."""
    return endpoint_url(base, _ROUTE)


def request(
    model: str, system: str, prompt: str, *, max_tokens: int, json: bool, without: Collection[str]
) -> dict[str, object]:
    """The body of a question. Without `max_tokens` the limit goes by its newer name."""
    body: dict[str, object] = {
        "model": model,
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt}],
        "max_completion_tokens" if "max_tokens" in without else "max_tokens": max_tokens,
        "stream": False,
    }
    if "temperature" not in without:
        body["temperature"] = 0
    if json and "response_format" not in without:
        body["response_format"] = {"type": "json_object"}
    return body


def read(answer: object) -> Completion:
    """Raises EndpointTrouble for what is no chat completion."""
    try:
        choice = answer["choices"][0]  # type: ignore[index]
        text = choice["message"]["content"]
        usage = answer.get("usage") or {}  # type: ignore[attr-defined]
        truncated = choice.get("finish_reason") not in ("stop", None)
        counts = usage.get("prompt_tokens"), usage.get("completion_tokens")
    except (LookupError, TypeError, AttributeError):
        raise EndpointTrouble("the endpoint's answer is no chat completion", status=200) from None
    return completion(text, *counts, truncated=truncated)


def completion(text: object, tokens_in: object, tokens_out: object, *, truncated: bool) -> Completion:
    """The values of an answer, whatever stood in their place. Raises EndpointTrouble when there is no text."""
    if not isinstance(text, str):
        raise EndpointTrouble("the endpoint's answer is no chat completion", status=200)
    return Completion(text=text, tokens_in=_count(tokens_in), tokens_out=_count(tokens_out), truncated=truncated)


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9 else 0
