"""Which embedder reads and writes, from the settings and the user's own config, or why there is none.

The vault may ask for less than the user's config names, or for a model on this very machine. It can never send text to
another one: only the user's config holds addresses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.config import Settings
from vaultmem.errors import NoEmbedder
from vaultmem.providers.builtin_embedder import BuiltinEmbedder
from vaultmem.providers.endpoint_state import EndpointState
from vaultmem.providers.multilingual_embedder import MultilingualEmbedder
from vaultmem.userconfig import Endpoint, UserConfig

if TYPE_CHECKING:
    from vaultmem.providers.endpoint_embedder import EndpointEmbedder

#: What `embedder: ollama` means where the user's config names no Ollama: this machine, and Ollama's model for text in
#: any language.
LOCAL_OLLAMA = Endpoint(api="ollama", url="http://127.0.0.1:11434", model="bge-m3")


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderChoice:
    """An embedder, or the cause why words must do alone."""

    current: BuiltinEmbedder | MultilingualEmbedder | EndpointEmbedder | None = None
    #: "" when there is one
    cause: str = ""
    #: what may have made vectors before and can still read them
    former: tuple[BuiltinEmbedder, ...] = ()


def resolve_embedders(settings: Settings, user: UserConfig, state: Callable[[], EndpointState]) -> EmbedderChoice:
    """The ladder: the user's endpoint, Ollama on this machine when the vault asks for it, the embedded model, none.

    Nothing is loaded and nobody is asked. An endpoint that does not answer is not replaced by another model: its
    vectors would not fit. A missing package is a cause, never an error.
    """
    if settings.embedder == "none":
        return EmbedderChoice(cause="switched off by 'embedder: none'")
    builtin, cause = _builtin()
    if settings.embedder == "multilingual":
        return _multilingual(builtin)
    endpoint = _endpoint(settings.embedder, user.embedder)
    if endpoint is None:
        return EmbedderChoice(current=builtin, cause=cause)
    from vaultmem.providers.endpoint_embedder import EndpointEmbedder

    return EmbedderChoice(current=EndpointEmbedder(endpoint, state()), former=(builtin,) if builtin else ())


def _endpoint(wish: str, named: Endpoint | None) -> Endpoint | None:
    if wish == "ollama":
        return named if named and named.api == "ollama" else LOCAL_OLLAMA
    return named if wish == "auto" else None


def _multilingual(builtin: BuiltinEmbedder | None) -> EmbedderChoice:
    try:
        return EmbedderChoice(current=MultilingualEmbedder(), former=(builtin,) if builtin else ())
    except NoEmbedder as missing:
        return EmbedderChoice(cause=missing.cause)


def _builtin() -> tuple[BuiltinEmbedder | None, str]:
    try:
        return BuiltinEmbedder(), ""
    except NoEmbedder as missing:
        return None, missing.cause
