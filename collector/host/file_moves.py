"""Move files and folders, also on Windows, where whoever has one open for a moment keeps it in its place."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

_PAUSES_S = (0.02, 0.05, 0.1, 0.2, 0.4)


def replace(path: Path, target: Path) -> None:
    """Move a file or a folder within one file system, over a file that is there. Raises OSError."""
    _patiently(lambda: path.replace(target))


def rename(path: Path, target: Path) -> None:
    """Move a file or a folder within one file system, where nothing is yet. Raises OSError."""
    _patiently(lambda: path.rename(target))


def _patiently(move: Callable[[], object]) -> None:
    for pause in _PAUSES_S:
        try:
            move()
        except PermissionError:
            # Windows virus scanners and indexers hold fresh files open for a moment.
            if sys.platform != "win32":
                raise
            time.sleep(pause)
        else:
            return
    move()
