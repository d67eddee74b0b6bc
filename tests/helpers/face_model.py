"""A model for OpenCV's face detector that finds red squares: in and out as YuNet, with weights made here.

The few messages of ONNX that it needs are written by hand: `ModelProto`, `GraphProto`, `NodeProto`, ...
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

STRIDES = (8, 16, 32)
"""YuNet looks on three grids; this model sees on the coarsest one alone, whose cells have 32 pixels."""
OUTPUTS = {"cls": 1, "obj": 1, "bbox": 4, "kps": 10}
"""Name -> numbers for each cell."""
_NEVER, _INTS, _FLOAT, _INT64 = -20.0, 7, 1, 7
_IN_THE_CELL = (0.5, 0.5, 0.0, 0.0)
"""A box as large as its cell, around its middle."""


def write_face_model(path: Path) -> None:
    """Write the model into ``path``, whose folder is made."""
    nodes = b"".join(_grid(stride) for stride in STRIDES)
    outputs = b"".join(
        _value(12, f"{name}_{stride}", (1, f"n{stride}", count))
        for name, count in OUTPUTS.items()
        for stride in STRIDES
    )
    graph = nodes + _field(2, "faces") + _value(11, "input", (1, 3, "height", "width")) + outputs
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 13)))


def _grid(stride: int) -> bytes:
    """Red less green and blue, as a mean over each cell, as the score of the cell; a box of its size."""
    pixels = stride * stride
    strength = 0.2 / pixels if stride == STRIDES[-1] else 0.0
    weights = [-strength] * (2 * pixels) + [strength] * pixels  # blue, green, red
    made = _floats(f"w{stride}", (1, 3, stride, stride), weights) + _floats(f"b{stride}", (1,), [_NEVER])
    sizes = (_ints("kernel_shape", (stride, stride)), _ints("strides", (stride, stride)))
    made += _node("Conv", ("input", f"w{stride}", f"b{stride}"), f"sum{stride}", *sizes)
    made += _node("Sigmoid", (f"sum{stride}",), f"score{stride}")
    for name, count in OUTPUTS.items():
        source = f"score{stride}"
        if count > 1:
            bias = (*_IN_THE_CELL, *[0.0] * count)[:count]
            weight, offset, source = f"w{name}{stride}", f"b{name}{stride}", f"all{name}{stride}"
            made += _floats(weight, (count, 1, 1, 1), [0.0] * count) + _floats(offset, (count,), bias)
            made += _node("Conv", (f"score{stride}", weight, offset), source, _ints("kernel_shape", (1, 1)))
        made += _node("Transpose", (source,), f"t{name}{stride}", _ints("perm", (0, 2, 3, 1)))
        made += _int64(f"s{name}{stride}", (1, -1, count))
        made += _node("Reshape", (f"t{name}{stride}", f"s{name}{stride}"), f"{name}_{stride}")
    return made


def _node(kind: str, inputs: Sequence[str], output: str, *attributes: bytes) -> bytes:
    named = b"".join(_field(1, name) for name in inputs) + _field(2, output) + _field(3, output)
    return _field(1, named + _field(4, kind) + b"".join(attributes))


def _ints(name: str, values: Sequence[int]) -> bytes:
    return _field(5, _field(1, name) + b"".join(_field(8, value) for value in values) + _field(20, _INTS))


def _floats(name: str, shape: Sequence[int], values: Sequence[float]) -> bytes:
    dims = b"".join(_field(1, size) for size in shape)
    return _field(
        5, dims + _field(2, _FLOAT) + _field(8, name) + _field(9, struct.pack(f"<{len(values)}f", *values))
    )


def _int64(name: str, values: Sequence[int]) -> bytes:
    data = struct.pack(f"<{len(values)}q", *values)
    return _field(5, _field(1, len(values)) + _field(2, _INT64) + _field(8, name) + _field(9, data))


def _value(number: int, name: str, shape: Sequence[int | str]) -> bytes:
    dims = b"".join(_field(1, _field(1 if isinstance(size, int) else 2, size)) for size in shape)
    return _field(number, _field(1, name) + _field(2, _field(1, _field(1, _FLOAT) + _field(2, dims))))


def _field(number: int, value: int | str | bytes) -> bytes:
    """One field of a message of protocol buffers: a number, or bytes with their length."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    groups = bytearray()
    while value > 127:
        groups.append(value & 127 | 128)
        value >>= 7
    return bytes((*groups, value))
