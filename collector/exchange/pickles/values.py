"""What a pickle holds, as plain values: objects by the name of their class, arrays by the bytes of them."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

_DEPTH, _MOST_VALUES = 20, 20_000
_SCALARS = {"f8": "d", "f4": "f", "i8": "q", "i4": "i", "i2": "h", "i1": "b", "u8": "Q", "u4": "I", "u2": "H",
            "u1": "B", "b1": "?"}  # fmt: skip
"""Type of numpy -> letter of ``struct``."""


@dataclass(frozen=True, slots=True)
class PickledName:
    """A class or function that the pickle names; it is not loaded."""

    name: str


@dataclass(frozen=True, slots=True)
class LargeBytes:
    """Bytes too many for the memory, in a file."""

    path: Path

    def read(self) -> bytes:
        """The bytes."""
        return self.path.read_bytes()


@dataclass(slots=True)
class Instance:
    """An object: the name of its class, and its fields."""

    name: str
    fields: dict[str, Any] = field(default_factory=dict)

    def build(self, state: Any) -> None:
        """Take the fields of a state as pickle has it: a mapping, or one of two with the slots second."""
        parts = state if isinstance(state, tuple) else (state,)
        for part in parts:
            if isinstance(part, dict):
                self.fields.update({key: value for key, value in part.items() if isinstance(key, str)})


@dataclass(slots=True)
class ElementType:
    """A type of numpy's elements, as in ``u1``."""

    code: str

    def build(self, state: Any) -> None:
        """Nothing of the state of a type is needed."""


@dataclass(slots=True)
class Array:
    """An array of numpy."""

    shape: tuple[int, ...] = ()
    type: str = ""
    data: bytes | LargeBytes = b""

    def build(self, state: Any) -> None:
        """Take shape, type and bytes from the state of an array; Fortran's order is left out."""
        if not isinstance(state, tuple) or len(state) < 5:
            return
        _version, shape, kind, is_fortran, data = state[:5]
        if not is_fortran:
            self.fill(data, kind, shape)

    def fill(self, data: Any, kind: Any, shape: Any) -> None:
        """Take what an array is made of, when it is that."""
        is_shape = isinstance(shape, tuple) and all(type(side) is int and side >= 0 for side in shape)
        if is_shape and isinstance(kind, ElementType) and isinstance(data, (bytes, LargeBytes)):
            self.shape, self.type, self.data = shape, kind.code, data

    @property
    def bytes(self) -> bytes:
        """The bytes of all elements, row by row."""
        return self.data if isinstance(self.data, bytes) else self.data.read()


def scalar(kind: Any, data: Any) -> Any:
    """A single element of numpy as a number; None when it is none."""
    letter = _SCALARS.get(kind.code.lstrip("<>|=")) if isinstance(kind, ElementType) else None
    if letter is None or not isinstance(data, bytes) or len(data) != struct.calcsize(letter):
        return None
    return struct.unpack(f"<{letter}", data)[0]


def plain(value: Any) -> Any:
    """Values that JSON can hold, of a pickle: objects as mappings; what is too much or too deep is None."""
    return _Plain().value(value, 0)


class _Plain:
    """Counts what it makes: a pickle of some hundred bytes may refer to itself without end."""

    def __init__(self) -> None:
        self._left = _MOST_VALUES

    def value(self, value: Any, depth: int) -> Any:
        self._left -= 1
        if self._left < 0 or depth > _DEPTH:
            return None
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, datetime):
            return value.isoformat()
        if isinstance(value, Instance):
            value = value.fields
        if isinstance(value, Mapping):
            return {
                str(key): self.value(entry, depth + 1)
                for key, entry in value.items()
                if isinstance(key, (str, int, float))
            }
        if isinstance(value, (list, tuple, set, frozenset)):
            return [self.value(entry, depth + 1) for entry in value]
        return None
