"""Which embedder the settings ask for, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.config import Settings
from vaultmem.errors import NoEmbedder

if TYPE_CHECKING:
    from vaultmem.providers.minilm import MiniLm


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderChoice:
    """An embedder, or the cause why words must do alone."""

    embedder: MiniLm | None = None
    #: "" when there is one
    cause: str = ""


def resolve_embedder(settings: Settings) -> EmbedderChoice:
    """The embedder of `embedder:` in the config. Loads no weights; a missing package is a cause, never an error."""
    if settings.embedder == "none":
        return EmbedderChoice(cause="switched off by 'embedder: none'")
    from vaultmem.providers.minilm import MiniLm

    try:
        return EmbedderChoice(embedder=MiniLm())
    except NoEmbedder as missing:
        return EmbedderChoice(cause=missing.cause)
