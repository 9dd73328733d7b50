"""Products of MiniLM for processors that multiply in tiles (AMX): bfloat16, five times as fast as float32.

A number of bfloat16 is the upper half of one of float32. Weights have eight bits and lose nothing; what they are
multiplied by is rounded to eight, sums are float32. Vectors differ from those of float32 by 0.001 at most (cosine
0.99999), which is less than anybody's ranking can tell, so they go by the same name. That no bit of a row follows from
the rows beside it is seen by `keeps_bits`, as of every other product.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vaultmem.providers.minilm_layers import Floats, Room

if TYPE_CHECKING:
    from numkong import PackedMatrix, Tensor

#: What package numkong calls processors that have such tiles; others are quicker with float32.
_TILES = ("sapphireamx", "graniteamx")
#: Rows taken together: weights are read for all of them, and what is made of them stays in the processor's cache.
_ROWS = 128
_HALF = np.uint32(0x8000)


@lru_cache(maxsize=1)
def are_there() -> bool:
    """Whether this processor has tiles, and package numkong, which comes where such processors are, can use them."""
    if find_spec("numkong") is None:
        return False
    import numkong

    found = numkong.get_capabilities()
    return any(found.get(name) for name in _TILES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiled:
    """A product, the scale of each column and its bias."""

    packed: PackedMatrix
    scales: Floats
    bias: Floats

    def of(self, x: Floats, room: Room) -> Floats:
        """(1, rows, columns) of rows with a 1 behind each, there until the next product."""
        made = room.of("product", 1, len(x), len(self.scales))
        for first in range(0, len(x), _ROWS):
            few = slice(first, first + _ROWS)
            self._few(x[few, :-1], made[0, few], room)
        return made

    def _few(self, x: Floats, made: Floats, room: Room) -> None:
        import numkong

        bits = room.of("bits", *x.shape, kind=np.uint32)
        upper = room.of("upper", *x.shape, kind=np.uint16)
        np.add(x.view(np.uint32), _HALF, out=bits)
        np.right_shift(bits, 16, out=bits)
        np.copyto(upper, bits, casting="unsafe")
        numkong.dots_packed(_bfloat16(upper), self.packed, out=numkong.from_dlpack(made))
        made *= self.scales
        made += self.bias


def tiled(weights: NDArray[np.int8], scales: Floats, bias: Floats) -> Tiled:
    """Of whole numbers, each column with a scale and a bias. Needs package numkong."""
    import numkong

    bits = np.ascontiguousarray(weights.T).astype(np.float32).view(np.uint32)
    upper = (bits >> 16).astype(np.uint16)
    return Tiled(packed=numkong.dots_pack(_bfloat16(upper)), scales=scales, bias=bias)


def _bfloat16(upper: NDArray[np.uint16]) -> Tensor:
    """The same memory by its right name."""
    import numkong

    return numkong.from_pointer(upper.ctypes.data, upper.shape, "bf16", owner=upper)
