"""Models, as the app sees them: each is an upgrade that may be missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from vaultmem.answers import Embedded


class Embedder(Protocol):
    """Text -> vectors."""

    @property
    def name(self) -> str:
        """Whose vectors they are, as people and jobs call it: their signatures are this, or begin with it and '/'."""
        ...

    @property
    def signature(self) -> str:
        """Of the vectors it gave last; "" while that is not known without asking."""
        ...

    @property
    def trouble(self) -> str:
        """Why it gave nothing when it was last asked; "" when it did."""
        ...

    def embed(self, texts: Sequence[str]) -> Embedded:
        """Passages as vectors; takes the time it takes. Raises NoEmbedder."""
        ...

    def embed_question(self, text: str) -> Embedded:
        """A question as one vector, in a time a person waits. Raises NoEmbedder, at once when that was just so."""
        ...


class Reranker(Protocol):
    """A question and texts -> how well each answers it. There is none unless the user names one."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def shown(self) -> str:
        """Model and endpoint for `status`, without a key."""
        ...

    @property
    def trouble(self) -> str:
        """Why it gave nothing when it was last asked; "" when it did."""
        ...

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """A finite score for each text, higher is better, comparable with those of this call alone.

        In a time a person waits. Raises NoReranker, at once when that was just so.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedders:
    """The embedder that passages are given to, and those that can still read vectors made before."""

    #: None: words do alone
    current: Embedder | None = None
    #: why there is none; "" when there is one
    cause: str = ""
    #: in the order in which they are asked; the current one not among them
    former: tuple[Embedder, ...] = ()
