"""Which texts were seen, for millions of them: their digests lie on the disk and not in memory."""

from __future__ import annotations

import hashlib
import weakref
from sqlite3 import Connection

from collector.host.own_database import temporary

_MOST_IN_MEMORY = 4096


class SeenTexts:
    """A set of texts that only grows. Digests of 64 bits stand for them."""

    def __init__(self) -> None:
        self._few: set[int] = set()
        self._many: Connection | None = None

    def add(self, text: str) -> bool:
        """Add a text; False when it was there."""
        digest = _digest(text)
        if digest in self._few or self._holds(digest):
            return False
        self._few.add(digest)
        if len(self._few) > _MOST_IN_MEMORY:
            self._put_away()
        return True

    def __contains__(self, text: str) -> bool:
        digest = _digest(text)
        return digest in self._few or self._holds(digest)

    def _holds(self, digest: int) -> bool:
        if self._many is None:
            return False
        found = self._many.execute("SELECT 1 FROM seen WHERE digest = ?", (digest,))
        return found.fetchone() is not None

    def _put_away(self) -> None:
        if self._many is None:
            self._many = temporary()
            weakref.finalize(self, self._many.close)
            self._many.execute("CREATE TABLE seen (digest INTEGER PRIMARY KEY)")
        self._many.execute("BEGIN")
        self._many.executemany("INSERT INTO seen VALUES (?)", ((digest,) for digest in sorted(self._few)))
        self._many.execute("COMMIT")
        self._few.clear()


def _digest(text: str) -> int:
    data = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(data, "big", signed=True)
