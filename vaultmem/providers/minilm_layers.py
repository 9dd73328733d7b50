"""The arithmetic of MiniLM on stacks: the rows of several texts, one below the other, go through one product.

No bit of a row may follow from the rows beside it. Products of OpenBLAS add up each number one by one, but for two
places (AVX2: sgemm_kernel_8x4_haswell_2.c), where even and odd terms have a sum each: in the first and last eight
columns of a product of up to 320 columns, and in what is left of the rows after every twelve when that is four or more.
So a product is asked for in blocks of columns with eight beside them that nobody reads, and a stack has as many rows as
leave three at most. With AVX512 a product of less than a million steps may add up in another order, so no stack has
fewer rows than twelve. What another BLAS does is seen by `keeps_bits`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from math import prod
from typing import Any, Protocol

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Floats = NDArray[np.float32]
#: Whole numbers, the scale of each column, its bias.
Parts = tuple[NDArray[np.int8], Floats, Floats]

HEADS = 12
_EPSILON = np.float32(1e-12)
#: Columns on either side of those wanted.
_BESIDE = 8
#: Columns of one block, with those beside: OpenBLAS does so many in one piece.
_WIDEST = 320
#: The kernel's step down the rows, and the most that may be left after it.
_STEP, _LEFT = 12, 3
#: Weights of attention that are looked at together: 250 kB.
_WEIGHTS = 1 << 16
#: Rows of a wide product that are looked at together: 200 kB stay in the processor's cache.
_ROWS = 32
#: ln(P / (1 - P)) of the normal distribution P(x), by odd powers of x up to the 13th: x * P(x) is met within 1e-7.
_LOGIT = tuple(
    np.float32(factor)
    for factor in (
        1.5957685367903176, 0.07266829831763759, -6.605346479938245e-05, -0.00011054675474318694, 7.948138944978149e-06,
        -2.6756623787573616e-07, 3.627850930074224e-09,
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Texts of one length, one below the other."""

    #: row of the first piece
    first: int
    texts: int
    #: of each text
    pieces: int

    @property
    def rows(self) -> slice:
        """All of theirs."""
        return slice(self.first, self.first + self.texts * self.pieces)

    def parts(self, most: int) -> Iterator[Run]:
        """At most so many texts at a time, but one."""
        for done in range(0, self.texts, max(most, 1)):
            texts = min(max(most, 1), self.texts - done)
            yield Run(first=self.first + done * self.pieces, texts=texts, pieces=self.pieces)


def runs_of(lengths: Iterable[int]) -> Iterator[Run]:
    """The texts of a stack by how many pieces they have; equal ones stand side by side."""
    first = 0
    for pieces, same in groupby(lengths):
        texts = len(list(same))
        yield Run(first=first, texts=texts, pieces=pieces)
        first += texts * pieces


def rows_for(pieces: int) -> int:
    """How many rows a stack of so many pieces has."""
    return max(_STEP, pieces if pieces % _STEP <= _LEFT else pieces + -pieces % _STEP)


class Room:
    """Working memory of a stack, used again by each layer: fresh pages cost more than most of what is done in them."""

    def __init__(self) -> None:
        self._held: dict[str, NDArray[Any]] = {}

    def of(self, name: str, *shape: int, kind: type[np.number[Any]] = np.float32) -> NDArray[Any]:
        """So much of it, with whatever it held; under one name always numbers of one kind."""
        size = prod(shape)
        if name not in self._held or self._held[name].size < size:
            self._held[name] = np.zeros(size, dtype=kind)
        return self._held[name][:size].reshape(shape)

    def rows(self, name: str, rows: int, columns: int) -> Floats:
        """Rows with a 1 behind each, far enough from each other to begin where the processor likes it."""
        found = self.of(name, rows, columns + 16)[:, : columns + 1]
        found[:, -1] = 1
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Norm:
    """Each row around 0 and with a variance of 1, then weighed by column."""

    weight: Floats
    bias: Floats

    def apply(self, x: Floats) -> None:
        """In place."""
        share = np.float32(1 / x.shape[1])
        x -= np.add.reduce(x, axis=1, keepdims=True) * share
        squares = np.einsum("ij,ij->i", x, x) * share
        x *= (1 / np.sqrt(squares + _EPSILON))[:, np.newaxis]
        x *= self.weight
        x += self.bias


class Product(Protocol):
    """Rows times weights, and a bias."""

    def of(self, x: Floats, room: Room) -> Floats:
        """(blocks, rows, columns) of rows with a 1 behind each, there until the next product."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Dense:
    """A product of float32 and its bias, which is what a 1 behind each row is multiplied by."""

    #: (blocks, inputs + 1, columns and those beside): views of one array
    blocks: Floats

    def of(self, x: Floats, room: Room) -> Floats:
        """(blocks, rows, columns), there until the next product."""
        blocks, _, columns = self.blocks.shape
        made = room.of("product", blocks, len(x), columns)
        return np.asarray(np.matmul(x, self.blocks, out=made)[:, :, _BESIDE:-_BESIDE])


def dense(weights: NDArray[np.int8], scales: Floats, bias: Floats) -> Dense:
    """Of whole numbers, each column with a scale and a bias."""
    inputs, columns = weights.shape
    width = columns // _blocks_of(columns)
    wide = np.zeros((inputs + 1, columns + 2 * _BESIDE), dtype=np.float32)
    wide[:-1, _BESIDE:-_BESIDE] = weights
    wide[:-1, _BESIDE:-_BESIDE] *= scales
    wide[-1, _BESIDE:-_BESIDE] = bias
    return Dense(blocks=sliding_window_view(wide, width + 2 * _BESIDE, axis=1)[:, ::width].transpose(1, 0, 2))


def attention(
    query: Parts, key: Parts, value: Parts, *, made: Callable[..., Product] = dense, blocks: int = 0
) -> Product:
    """One product instead of three; in a block stand query, key and value of the same heads. `blocks`: 0 for those of
    `dense`.
    """
    scale = np.float32((query[0].shape[1] // HEADS) ** -0.5)
    parts = ((query[0], query[1] * scale, query[2] * scale), key, value)
    blocks = blocks or _blocks_of(sum(part[0].shape[1] for part in parts))
    return made(*(_mixed([part[n] for part in parts], blocks) for n in range(3)))


def _mixed(parts: Sequence[NDArray[Any]], blocks: int) -> NDArray[Any]:
    """Columns of several arrays: of each some, then of each the next."""
    split = np.stack([part.reshape(*part.shape[:-1], blocks, -1) for part in parts], axis=-2)
    return split.reshape(*parts[0].shape[:-1], -1)


def _blocks_of(columns: int) -> int:
    """In how many blocks a product of so many columns is made."""
    return next(n for n in range(1, columns) if not columns % (16 * n) and columns // n + 2 * _BESIDE <= _WIDEST)


def _by_block(x: Floats, blocks: int) -> Floats:
    """Rows as a product has them."""
    return x.reshape(len(x), blocks, -1).transpose(1, 0, 2)


def _gelu(x: Floats, found: Floats, room: Room) -> None:
    """x times the normal distribution at x, of a product; found as rows."""
    square, odd = room.of("gelu", 2, *x.shape)
    np.multiply(x, x, out=square)
    np.multiply(square, -_LOGIT[-1], out=odd)
    for factor in _LOGIT[-2:0:-1]:
        odd -= factor
        odd *= square
    odd -= _LOGIT[0]
    odd *= x
    np.exp(odd, out=odd)
    odd += 1
    np.divide(x, odd, out=_by_block(found, len(x)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One of six: attention over all pieces of a text, then a dense step for each."""

    #: query, key and value of the same heads in one block; query with the scale of attention
    qkv: Product
    out: Product
    out_norm: Norm
    wide: Product
    narrow: Product
    narrow_norm: Norm

    def apply(self, x: Floats, runs: Sequence[Run], room: Room) -> None:
        """To all rows, in place; texts see only themselves. A 1 stands behind each row."""
        seen = room.rows("seen", len(x), x.shape[1] - 1)
        self._attend(x, runs, seen, room)
        _add(self.out.of(seen, room), x, into=seen)
        self.out_norm.apply(seen[:, :-1])
        _add(self.narrow.of(self._bent(seen, room), room), seen, into=x)
        self.narrow_norm.apply(x[:, :-1])

    def _attend(self, x: Floats, runs: Sequence[Run], seen: Floats, room: Room) -> None:
        qkv = self.qkv.of(x, room)
        for run in runs:
            # of a long text weights are the largest arrays: a few texts at a time
            for part in run.parts(_WEIGHTS // (HEADS * run.pieces**2)):
                _attend(qkv[:, part.rows], seen[part.rows, :-1], part, room)

    def _bent(self, x: Floats, room: Room) -> Floats:
        """The wide step, a few rows at a time."""
        made = self.wide.of(x, room)
        found = room.rows("wide", len(x), made.shape[0] * made.shape[2])
        with np.errstate(over="ignore"):  # far below 0, where x / infinity is the 0 that is meant
            for first in range(0, len(x), _ROWS):
                few = slice(first, first + _ROWS)
                _gelu(made[:, few], found[few, :-1], room)
        return found


def _add(made: Floats, x: Floats, *, into: Floats) -> None:
    """A product and rows; `into` may be these."""
    np.add(made, _by_block(x[:, :-1], len(made)), out=_by_block(into[:, :-1], len(made)))


def _attend(qkv: Floats, seen: Floats, run: Run, room: Room) -> None:
    """Attention within each of some texts of one length."""
    blocks, size = len(qkv), seen.shape[1] // HEADS
    # heads are counted within their block
    by_head = qkv.reshape(blocks, run.texts, run.pieces, 3, HEADS // blocks, size)
    query, key, value = by_head.transpose(3, 1, 0, 4, 2, 5)
    weights = room.of("weights", run.texts, blocks, HEADS // blocks, run.pieces, run.pieces)
    np.matmul(query, key.swapaxes(-1, -2), out=weights)
    weights -= weights.max(axis=-1, keepdims=True)
    np.exp(weights, out=weights)
    # divided when there is least of it
    into = seen.reshape(run.texts, run.pieces, blocks, HEADS // blocks, size).transpose(0, 2, 3, 1, 4)
    np.divide(weights @ value, weights.sum(axis=-1, keepdims=True), out=into)


def keeps_bits(layer: Layer) -> bool:
    """Whether this machine's products give a text in a stack the very bits that it has alone: 40 ms."""
    lengths = [5, 2, 28, 3, 3, 60, 13, 40, 9, 78]
    pieces = sum(lengths)
    values = np.random.default_rng(0).normal(size=(pieces, len(layer.out_norm.bias))).astype(np.float32)
    ends = list(accumulate(lengths))
    alone = [_through(layer, values[end - length : end], [length]) for end, length in zip(ends, lengths, strict=True)]
    return np.array_equal(np.concatenate(alone), _through(layer, values, lengths))


def _through(layer: Layer, values: Floats, lengths: Sequence[int]) -> Floats:
    """What becomes of a stack of texts."""
    room = Room()
    x = room.rows("x", rows_for(len(values)), values.shape[1])
    x[: len(values), :-1] = values
    layer.apply(x, list(runs_of(lengths)), room)
    return np.asarray(x[: len(values), :-1])
