"""``tf.train.Example``: the named lists of a record (``tensorflow/core/example/feature.proto``)."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from collector.exchange.tfrecord.wire import fields, message, signed, text_of, varint_of, varints

_BYTES, _FLOATS, _INTS = 1, 2, 3
_NAME, _FEATURE = 1, 2
_MOST_VALUES = 1_000_000
"""Of a record; real ones have some thousands."""


def has_features(record: bytes, names: Sequence[str], own: Sequence[str]) -> bool:
    """Whether a record has all features with ``names``; of one cut short, whether it has any of its ``own``.

    ``own`` are names that no other format has: what a record has after its tear is not known.
    """
    try:
        example = read_example(record)
    except ValueError:
        return any(message((_NAME, name)) in record for name in own)
    return all(name in example for name in names)


class Example:
    """The features of a record by name; what is missing is empty."""

    def __init__(self, features: Mapping[str, Sequence[bytes | memoryview | float]]) -> None:
        self._features = features

    def __contains__(self, name: str) -> bool:
        return name in self._features

    def blobs(self, name: str) -> list[memoryview]:
        """The byte strings of a feature."""
        return [value for value in self._features.get(name, ()) if isinstance(value, memoryview)]

    def texts(self, name: str) -> list[str]:
        """The byte strings of a feature as texts."""
        return [text_of(value) for value in self.blobs(name)]

    def numbers(self, name: str) -> list[float]:
        """The numbers of a feature."""
        return [value for value in self._features.get(name, ()) if isinstance(value, (int, float))]

    def text(self, name: str) -> str:
        """The first value of a feature as a text; empty when there is none."""
        return next(iter([*self.texts(name), *map(str, self.numbers(name))]), "")

    def whole(self, name: str) -> int | None:
        """The first whole number of a feature."""
        return next((int(value) for value in self.numbers(name) if isinstance(value, int)), None)


def read_example(record: bytes) -> Example:
    """The example in a record. Raises ValueError when it holds none."""
    features: dict[str, list[memoryview | float]] = {}
    for number, content in fields(record):
        if number != 1 or isinstance(content, int):
            continue
        for _one, entry in fields(content):
            if isinstance(entry, int):
                raise ValueError("features are no numbers")
            parts = dict(fields(entry))
            features[text_of(parts.get(_NAME, 0))] = _values(parts.get(_FEATURE, 0))
    return Example(features)


def _values(feature: int | memoryview) -> list[memoryview | float]:
    if isinstance(feature, int):
        return []
    values: list[memoryview | float] = []
    for kind, content in fields(feature):
        if isinstance(content, int):
            raise ValueError("a list is no number")
        for _one, value in fields(content):
            count = 1 if kind == _BYTES or isinstance(value, int) else len(value)
            if len(values) + count > _MOST_VALUES:
                raise ValueError(f"a list of more than {_MOST_VALUES:,} values")
            values += _listed(kind, value)
    return values


def _listed(kind: int, value: int | memoryview) -> list[memoryview | float]:
    """The values of one field of a list: one of them, or many packed together."""
    if kind == _BYTES and not isinstance(value, int):
        return [value]
    if kind == _FLOATS and not isinstance(value, int):
        if len(value) % 4:
            raise ValueError("a list of floats is cut short")
        return list(struct.unpack(f"<{len(value) // 4}f", value))
    if kind == _INTS:
        numbers = [value] if isinstance(value, int) else list(varints(value))
        return [signed(number) for number in numbers]
    return []


def example_of(features: Mapping[str, Sequence[bytes] | Sequence[int]]) -> bytes:
    """The record of an example with these lists of byte strings or of whole numbers."""
    entries = [message((_NAME, name), (_FEATURE, _feature(values))) for name, values in features.items()]
    return message((1, message(*((1, entry) for entry in entries))))


def _feature(values: Sequence[bytes] | Sequence[int]) -> bytes:
    blobs = [value for value in values if isinstance(value, bytes)]
    if blobs or not values:
        return message((_BYTES, message(*((1, blob) for blob in blobs))))
    packed = b"".join(varint_of(value) for value in values if isinstance(value, int))
    return message((_INTS, message((1, packed))))
