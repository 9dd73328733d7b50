"""The embedded model as an embedder: known by name at once, loaded with NumPy at the first text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from vaultmem.answers import Embedded
from vaultmem.providers.minilm_files import KEPT_QUESTIONS, SIGNATURE, VOCABULARY, WEIGHTS

if TYPE_CHECKING:
    from vaultmem.providers.minilm import MiniLm


class BuiltinEmbedder:
    """all-MiniLM-L6-v2; questions and passages are embedded alike."""

    name = SIGNATURE
    signature = SIGNATURE
    trouble = ""

    def __init__(self) -> None:
        """Raises NoEmbedder when a package is missing; damage is seen at the first text."""
        self._model: MiniLm | None = None
        self._question = lru_cache(maxsize=KEPT_QUESTIONS)(lambda text: self.embed([text]))
        for file in (WEIGHTS, VOCABULARY):
            file.path()

    def embed(self, texts: Sequence[str]) -> Embedded:
        """Passages as vectors. Raises NoEmbedder when a file is damaged."""
        if self._model is None:
            from vaultmem.providers.minilm import MiniLm

            self._model = MiniLm()
        return Embedded(signature=SIGNATURE, rows=self._model.embed(texts))

    def embed_question(self, text: str) -> Embedded:
        """A question as one vector. Raises NoEmbedder when a file is damaged."""
        return self._question(text)
