"""The checksum of TensorFlow's records: CRC-32C (Castagnoli, RFC 3720), and its masked form.

A record holds megabytes of pictures. Its bytes are cut into lanes of equal length, which numpy works on side
by side, a byte of each at a time; the checksums of the lanes are then joined.
"""

from __future__ import annotations

import functools

_POLYNOMIAL = 0x82F63B78
"""Castagnoli's, its bits reversed."""
_ALL = 0xFFFFFFFF
_MASK = 0xA282EAD8
_LANES = 4096
_SHORT = 4 * _LANES
"""Bytes below which lanes are not worth their while."""


def masked_crc32c(data: bytes) -> int:
    """The checksum as TensorFlow writes it beside ``data``: turned by 15 bits, plus a constant."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + _MASK) & _ALL


def crc32c(data: bytes) -> int:
    """CRC-32C of ``data``."""
    length = len(data) // _LANES if len(data) >= _SHORT else 0
    state = _in_lanes(data, length) if length else _ALL
    table = _table()
    for byte in memoryview(data)[length * _LANES :]:
        state = table[(state ^ byte) & 0xFF] ^ state >> 8
    return state ^ _ALL


@functools.cache
def _table() -> tuple[int, ...]:
    """The state after each byte, from a state of 0."""
    return tuple(_after_bits(byte) for byte in range(256))


def _after_bits(state: int) -> int:
    for _bit in range(8):
        state = state >> 1 ^ (_POLYNOMIAL if state & 1 else 0)
    return state


def _in_lanes(data: bytes, length: int) -> int:
    """The state after ``_LANES`` lanes of ``length`` bytes each, from the one that a checksum begins with."""
    import numpy as np

    table = np.array(_table(), dtype=np.uint32)
    lanes = np.frombuffer(data, dtype=np.uint8, count=_LANES * length).reshape(_LANES, length).T
    states = np.zeros(_LANES, dtype=np.uint32)
    states[0] = _ALL
    for column in np.ascontiguousarray(lanes):
        states = table[(states ^ column) & 0xFF] ^ states >> 8
    shift = _shift_tables(length)
    joined = 0
    for state in states.tolist():
        joined = _shifted(joined, shift) ^ state
    return joined


def _shifted(state: int, tables: tuple[tuple[int, ...], ...]) -> int:
    """The state after as many zero bytes as ``tables`` stand for."""
    first, second, third, fourth = tables
    return first[state & 0xFF] ^ second[state >> 8 & 0xFF] ^ third[state >> 16 & 0xFF] ^ fourth[state >> 24]


@functools.lru_cache(maxsize=8)
def _shift_tables(length: int) -> tuple[tuple[int, ...], ...]:
    """For each byte of a state, what ``length`` zero bytes make of it: a checksum is linear in its bits."""
    columns = _power(_one_zero_byte(), length)
    return tuple(tuple(_times(columns, value << 8 * place) for value in range(256)) for place in range(4))


def _one_zero_byte() -> list[int]:
    """What one zero byte makes of each bit of a state."""
    table = _table()
    return [table[(1 << bit) & 0xFF] ^ (1 << bit) >> 8 for bit in range(32)]


def _power(columns: list[int], exponent: int) -> list[int]:
    result = [1 << bit for bit in range(32)]
    while exponent:
        if exponent & 1:
            result = [_times(columns, column) for column in result]
        columns = [_times(columns, column) for column in columns]
        exponent >>= 1
    return result


def _times(columns: list[int], state: int) -> int:
    product, bit = 0, 0
    while state:
        if state & 1:
            product ^= columns[bit]
        state >>= 1
        bit += 1
    return product
