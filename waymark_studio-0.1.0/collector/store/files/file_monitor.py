"""Tell which files another program changed, by comparing their content with what this program knows."""

from __future__ import annotations

import threading
from collections import deque
from pathlib import Path

from collector.store.files.blobs import digest

_REMEMBERED = 16
"""Written contents that are remembered: a late report of a change may find one before the last."""


class FileMonitor:
    """Knows the content, as SHA-256, of files that this program read and wrote; any thread may use it.

    It starts no timers and no threads: :meth:`take_change` is called when a file may have changed.
    """

    def __init__(self) -> None:
        self._current: dict[Path, str] = {}
        self._written: deque[tuple[Path, str]] = deque(maxlen=_REMEMBERED)
        self._lock = threading.Lock()

    def note_read(self, path: Path, data: bytes | None) -> None:
        """Note the content that this program knows of a file; None for a file that does not exist."""
        with self._lock:
            self._current[path] = _signature(data)

    def note_written(self, path: Path, data: bytes) -> None:
        """Note what this program is about to write to a file; call it before the file changes."""
        with self._lock:
            self._current[path] = _signature(data)
            self._written.append((path, self._current[path]))

    def is_known(self, path: Path, data: bytes) -> bool:
        """Whether ``data`` is the content noted last."""
        signature = _signature(data)
        with self._lock:
            return self._current.get(path) == signature

    def take_change(self, path: Path) -> bytes | None:
        """What another program wrote to the file, reported once; None when nothing is new or it is gone.

        The content counts as known from then on. Raises OSError.
        """
        if not path.exists():
            return None
        data = path.read_bytes()
        signature = _signature(data)
        with self._lock:
            is_known = signature == self._current.get(path) or (path, signature) in self._written
            self._current[path] = signature
        return None if is_known else data


def _signature(data: bytes | None) -> str:
    """SHA-256 as hex; empty for a file that does not exist."""
    return digest(data) if data is not None else ""
