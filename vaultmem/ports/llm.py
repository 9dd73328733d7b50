"""A language model, as the app sees it: an upgrade that may be missing."""

from __future__ import annotations

from typing import Protocol

from vaultmem.asked import Completion


class Llm(Protocol):
    """Questions -> answers. For several threads."""

    @property
    def model(self) -> str:
        """Its name, as summaries say who wrote them."""
        ...

    @property
    def shown(self) -> str:
        """Model and endpoint for `status`, without a key."""
        ...

    def complete(self, system: str, prompt: str, *, max_tokens: int, json: bool) -> Completion:
        """One question, one answer, in bounded time. Raises NoAnswer, with the cause."""
        ...
