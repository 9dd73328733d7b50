"""Giving passages their vectors in small steps, and a question its own: from whichever model can be compared now.

A step that was killed is only done again. Vectors of several models lie side by side; each is compared with its own
model's only, and those of other models go when nothing is left to be made.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from vaultmem.answers import Embedded, Meaning
from vaultmem.errors import NoEmbedder
from vaultmem.ports import Embedder, Embedders, Index

#: Passages asked of the index at once: it looks them up from the start each time.
_PAGE = 512
#: Texts per transaction: about a second of work.
_STEP = 32
#: What every model can embed.
_PLAIN = "hello"


def embed_pending(
    index: Index, embedder: Embedder, *, limit: int, until: Callable[[], bool] = lambda: False, tidy: bool = True
) -> int:
    """Embed at most `limit` texts that lack a vector, the newest notes first, until `until()`; how many were done.

    0 means that nothing was left: then, if `tidy`, vectors of other models and of vanished texts are dropped. A text
    the model refuses is done too. Raises NoEmbedder.
    """
    done = 0
    while done < limit and not until():
        signature = _signature(index, embedder)
        page = index.passages_without_vector(signature, min(_PAGE, limit - done))
        if not page:
            break
        for start in range(0, len(page), _STEP):
            if start and until():
                return done
            step = page[start : start + _STEP]
            made = embedder.embed([text for _, text in step])
            _keep(index, [key for key, _ in step], made)
            done += len(step)
            if made.signature != signature:  # the first answer, or another model by now: other texts lack its vectors
                break
    signature = _signature(index, embedder)
    if tidy and not done and signature and not until():
        index.drop_stale_vectors(signature)
    return done


def look_again(embedder: Embedder | None) -> None:
    """Ask a model that was in trouble once more, so that what is told of it is true now."""
    if embedder is not None and embedder.trouble:
        with suppress(NoEmbedder):  # it keeps the cause itself
            embedder.embed_question(_PLAIN)


def _keep(index: Index, keys: list[bytes], made: Embedded) -> None:
    """Store what was made under the name of what made it."""
    rows = made.rows.tolist()
    kept = {key: rows[place] for place, key in enumerate(keys) if place not in made.refused}
    index.put_vectors(made.signature, kept, refused=[keys[place] for place in sorted(made.refused)])


def _signature(index: Index, embedder: Embedder) -> str:
    """What its vectors are called: as it says, or as most of those stored are; "" when it never gave one."""
    if embedder.signature:
        return embedder.signature
    counts = index.vector_signatures()
    own = [signature for signature in counts if signature.startswith(f"{embedder.name}/")]
    return max(own, key=lambda signature: counts[signature], default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorState:
    """How search by meaning stands, for `status` and `doctor`."""

    #: ready | filling | down | off
    state: str
    #: the model passages are given to; "" without one
    embedder: str
    #: of its vectors; "" while it never gave one
    signature: str
    #: passages that have its vector, and that should
    embedded: int
    passages: int
    #: texts it makes nothing of
    refused: int
    #: what compares vectors: numpy | sqlite-vec | signs; "" while there are none
    backend: str
    #: why it is not ready; "" when it is
    cause: str
    #: what recall lacks, in words; "" when nothing
    lacking: str
    #: vectors of all signatures that are kept
    stored: dict[str, int]

    def to_dict(self) -> dict[str, object]:
        """The JSON of `status`."""
        return {
            "state": self.state, "embedder": self.embedder, "signature": self.signature, "embedded": self.embedded,
            "passages": self.passages, "refused": self.refused, "backend": self.backend, "cause": self.cause,
            "stored": dict(self.stored),
        }  # fmt: skip


def vector_state(index: Index, embedders: Embedders) -> VectorState:
    """Look at the index and at what is known of the models; nobody is asked."""
    current = embedders.current
    signature = _signature(index, current) if current else ""
    have, want = index.vector_counts(signature)
    trouble = current.trouble if current else embedders.cause
    if current is None:
        state, lacking = "off", _words_only(trouble)
    else:
        state = "down" if trouble else "ready" if have == want else "filling"
        lacking = _told(index, embedders, current, have, want)
    stored = dict(index.vector_signatures())
    return VectorState(
        state=state,
        embedder=current.name if current else "",
        signature=signature,
        embedded=have,
        passages=want,
        refused=index.refused_texts(signature),
        backend=index.likely_backend(stored.get(signature, 0)),
        cause=trouble,
        lacking=lacking,
        stored=stored,
    )


def _told(index: Index, embedders: Embedders, current: Embedder, have: int, want: int) -> str:
    """What recall lacks as far as that is known without asking."""
    trouble = f"{current.name}: {current.trouble}" if current.trouble else ""
    for embedder in embedders.former:
        count = index.vector_counts(embedder.signature)[0]
        if count > (0 if trouble else have):
            return _meanwhile(trouble or _so_far(have, want, current), embedder)
    return _words_only(trouble) if trouble else _still_to_come(have, want)


def meaning_of(index: Index, embedders: Embedders, text: str) -> tuple[Meaning | None, str]:
    """The question as a vector, where there is something to compare it with, and what `degraded` says.

    The model with the most vectors is asked first; one that does not answer makes way for the next.
    """
    current = embedders.current
    if current is None:
        return None, _words_only(embedders.cause)
    have, want = index.vector_counts(_signature(index, current))
    others = [(index.vector_counts(embedder.signature)[0], embedder) for embedder in embedders.former]
    failed = ""
    for count, embedder in sorted([(have, current), *others], key=lambda pair: -pair[0]):
        if not count:  # nothing to compare with: nobody is asked
            continue
        try:
            meaning = _compared(index, embedder, text)
        except NoEmbedder as trouble:
            failed = failed or trouble.cause
            continue
        if embedder is current:
            return meaning, _still_to_come(*index.vector_counts(meaning.signature))
        return meaning, _meanwhile(failed or _so_far(have, want, current), embedder)
    return None, _words_only(failed) if failed else _told(index, embedders, current, have, want)


def _compared(index: Index, embedder: Embedder, text: str) -> Meaning:
    """The question's vector, which others of its signature stand beside. Raises NoEmbedder."""
    made = embedder.embed_question(text)
    if not index.vector_counts(made.signature)[0]:
        raise NoEmbedder(f"{embedder.name}: its vectors are those of {made.signature} now, which no passage has yet")
    return Meaning(signature=made.signature, vector=made.rows[0].tolist())


def _words_only(cause: str) -> str:
    return f"vectors: no embedder ({cause}), words only"


def _still_to_come(have: int, want: int) -> str:
    return f"vectors: {want - have:,} of {want:,} passages still to come" if have < want else ""


def _so_far(have: int, want: int, current: Embedder) -> str:
    return f"{have:,} of {want:,} passages have vectors of {current.name}"


def _meanwhile(cause: str, other: Embedder) -> str:
    return f"vectors: {cause}; answering with {other.name} meanwhile"
