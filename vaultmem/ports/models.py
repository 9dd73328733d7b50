"""Models, as the app sees them: each is an upgrade that may be missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # a command that embeds nothing does not wait for it
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Text -> vectors."""

    @property
    def signature(self) -> str:
        """Model, dimensions, pooling, weights: vectors of different signatures are never compared."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text, a row each. Raises NoEmbedder when the model cannot be loaded."""
        ...
