"""`/api/chat`, as Ollama speaks it."""

from __future__ import annotations

from collections.abc import Collection

from vaultmem.asked import Completion
from vaultmem.errors import EndpointTrouble
from vaultmem.providers.llm_openai import completion

OPTIONAL: tuple[str, ...] = ()
_ROUTE = "/api/chat"
#: Its own default cuts what is longer without a word; a chunk has 3,000 tokens, more by a small model's count.
_CONTEXT = 8192


def url_of(base: str) -> str:
    """The route, whichever part of it (or of its OpenAI-compatible sister) the user wrote."""
    base = base.rstrip("/")
    for end in (_ROUTE, "/api", "/v1"):
        base = base.removesuffix(end)
    return base + _ROUTE


def request(
    model: str,
    system: str,
    prompt: str,
    *,
    max_tokens: int,
    json: bool,
    without: Collection[str],  # noqa: ARG001 - both protocols are called alike; here every part is taken
) -> dict[str, object]:
    """The body of a question."""
    body: dict[str, object] = {
        "model": model,
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt}],
        "stream": False,
        "options": {"temperature": 0, "num_predict": max_tokens, "num_ctx": _CONTEXT},
    }
    if json:
        body["format"] = "json"
    return body


def read(answer: object) -> Completion:
    """Raises EndpointTrouble for what is no chat answer."""
    try:
        text = answer["message"]["content"]  # type: ignore[index]
        truncated = answer.get("done") is False or answer.get("done_reason") not in ("stop", None)  # type: ignore[attr-defined]
        counts = answer.get("prompt_eval_count"), answer.get("eval_count")  # type: ignore[attr-defined]
    except (LookupError, TypeError, AttributeError):
        raise EndpointTrouble("the endpoint's answer is no chat answer", status=200) from None
    return completion(text, *counts, truncated=truncated)
