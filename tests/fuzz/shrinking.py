"""Make an input smaller that still does the same wrong thing."""

from __future__ import annotations

from collections.abc import Callable

_MOST_TRIES = 2000


def shrunk(data: bytes, is_wrong: Callable[[bytes], bool]) -> bytes:
    """Leave out parts of ``data``, halves first and single bytes last, while ``is_wrong`` holds."""
    tries, size = 0, max(1, len(data) // 2)
    while True:
        at, is_smaller = 0, False
        while at < len(data) and tries < _MOST_TRIES:
            tries += 1
            shorter = data[:at] + data[at + size :]
            if is_wrong(shorter):
                data, is_smaller = shorter, True
            else:
                at += size
        if tries >= _MOST_TRIES or (size == 1 and not is_smaller):
            return data
        size = max(1, min(size // 2, len(data) // 2)) if size > 1 else 1
