"""Giving passages their vectors, in small steps: a step that was killed is only done again."""

from __future__ import annotations

from collections.abc import Callable

from vaultmem.answers import Meaning
from vaultmem.errors import NoEmbedder
from vaultmem.ports import Embedder, Index

#: Passages asked of the index at once: it looks them up from the start each time.
_PAGE = 512
#: Texts per transaction: about a second of work.
_STEP = 32


def embed_pending(index: Index, embedder: Embedder, *, limit: int, until: Callable[[], bool] = lambda: False) -> int:
    """Embed at most `limit` texts that lack a vector, the newest notes first, until `until()`; how many were embedded.

    0 means that nothing was left: then vectors of other models and of vanished texts are dropped. Raises NoEmbedder,
    BadVector.
    """
    done = 0
    while done < limit and not until():
        page = index.passages_without_vector(embedder.signature, min(_PAGE, limit - done))
        if not page:
            break
        for start in range(0, len(page), _STEP):
            if start and until():
                return done
            step = page[start : start + _STEP]
            rows = embedder.embed([text for _, text in step]).tolist()
            index.put_vectors(embedder.signature, {key: row for (key, _), row in zip(step, rows, strict=True)})
            done += len(step)
    if not done and not until():
        index.drop_stale_vectors(embedder.signature)
    return done


def missing_vectors(index: Index, embedder: Embedder | None, cause: str) -> str:
    """What `degraded` says of vectors: "" when every passage has its own. `cause`: why there is no embedder."""
    if embedder is None:
        return _words_only(cause)
    return _still_to_come(*index.vector_counts(embedder.signature))


def meaning_of(index: Index, embedder: Embedder | None, text: str, *, cause: str) -> tuple[Meaning | None, str]:
    """The question as a vector, where there is something to compare it with, and what `degraded` says."""
    if embedder is None:
        return None, _words_only(cause)
    have, want = index.vector_counts(embedder.signature)
    if not have:
        return None, _still_to_come(have, want)
    try:
        vector = embedder.embed([text])[0].tolist()
    except NoEmbedder as trouble:
        return None, _words_only(trouble.cause)
    return Meaning(signature=embedder.signature, vector=vector), _still_to_come(have, want)


def _words_only(cause: str) -> str:
    return f"vectors: no embedder ({cause}), words only"


def _still_to_come(have: int, want: int) -> str:
    return f"vectors: {want - have} of {want} passages still to come" if have < want else ""
