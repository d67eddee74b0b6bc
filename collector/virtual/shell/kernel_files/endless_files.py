"""``/dev/zero`` and ``/dev/urandom``: files without an end, which only commands with a count may read."""

from __future__ import annotations

import os
from collections.abc import Callable

_READERS: dict[str, Callable[[int], bytes]] = {
    "/dev/zero": bytes,
    "/dev/random": os.urandom,
    "/dev/urandom": os.urandom,
}


def endless_file(path: str) -> Callable[[int], bytes] | None:
    """The function that reads a number of bytes from such a file; None for any other path."""
    return _READERS.get(path)


class EndlessReader:
    """Input from a file without an end."""

    def __init__(self, generate: Callable[[int], bytes]) -> None:
        self._generate = generate

    def read(self, limit: int = 65536) -> bytes:
        return self._generate(min(limit, 65536))
