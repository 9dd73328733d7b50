"""The tensors inside an .onnx file, read with no package but NumPy: protobuf is tags, lengths and bytes.

Only what an initializer is made of is understood: dims (1), data_type (2), name (8) and raw_data (9) of TensorProto,
found at ModelProto.graph (7) -> GraphProto.initializer (5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

Tensor = NDArray[np.float32] | NDArray[np.int8]

_FLOAT, _INT8 = 1, 3
_TYPES: Mapping[int, str] = {_FLOAT: "<f4", _INT8: "<i1"}
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def read_tensors(model: memoryview) -> dict[str, Tensor]:
    """Name -> float32 or int8 tensor, in the order of the file; views, nothing is copied.

    Tensors of other types (shapes, constants of the graph) are left out. Raises ValueError or IndexError when the bytes
    are no model.
    """
    found: dict[str, Tensor] = {}
    for field, graph in _fields(model):
        if field == 7 and isinstance(graph, memoryview):
            for inner, tensor in _fields(graph):
                if inner == 5 and isinstance(tensor, memoryview):
                    found |= _tensor(tensor)
    return found


def _tensor(message: memoryview) -> dict[str, Tensor]:
    dims: list[int] = []
    kind, name, raw = 0, "", memoryview(b"")
    for field, value in _fields(message):
        if isinstance(value, int):
            if field == 1:
                dims.append(value)
            elif field == 2:
                kind = value
        elif field == 1:  # the packed form of the dims
            dims += _varints(value)
        elif field == 8:
            name = bytes(value).decode("utf-8")
        elif field == 9:
            raw = value
    return {name: np.frombuffer(raw, dtype=_TYPES[kind]).reshape(dims)} if kind in _TYPES else {}


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """(field number, value) of a message: a number for a varint, the bytes for everything else."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        wire = key & 7
        if wire == _VARINT:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        size, at = _varint(message, at) if wire == _BYTES else ({_FIXED64: 8, _FIXED32: 4}.get(wire, -1), at)
        if size < 0 or at + size > len(message):
            raise ValueError(f"no protobuf field at byte {at}")
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """The number that starts at `at`, and where it ends."""
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7


def _varints(message: memoryview) -> list[int]:
    found, at = [], 0
    while at < len(message):
        value, at = _varint(message, at)
        found.append(value)
    return found
