"""Recognise a format by its files: by their names, and by marks near their start."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from collector.exchange.source import files as source_files

SURE = 0.95
_MOST_MISSED, _MOST_FILES = 3000, 10**9
"""Files without marks after which none is expected, and more files than any source has."""


def recognised_by(
    files: Callable[[Path], Iterator[Path]], certainty: float = SURE
) -> Callable[[Path], float]:
    """The ``detect`` of a format: how sure it is when there is one of its ``files`` at or below a path."""

    def detect(path: Path) -> float:
        return certainty if next(files(path), None) is not None else 0.0

    return detect


def marked_files(
    root: Path, pattern: str, *marks: bytes, within: int = 64 * 1024, packed: bool = False
) -> Iterator[Path]:
    """The files of a source whose name matches ``pattern`` and whose start has all ``marks``, in order.

    The start are the first ``within`` bytes; of ``packed`` files those that gzip has packed. A source whose
    first thousands of such names have no marks is taken for another format.
    """
    missed = 0
    for path in source_files.files(root):
        if path.match(pattern):
            start = _unpacked_start(path, within) if packed else source_files.read_start(path, within)
            if all(mark in start for mark in marks):
                missed = -_MOST_FILES
                yield path
            else:
                missed += 1
        if missed >= _MOST_MISSED:
            return


def _unpacked_start(path: Path, within: int) -> bytes:
    """Empty for a file that gzip did not pack."""
    try:
        with gzip.open(path) as file:
            return file.read(within)
    except (OSError, EOFError, zlib.error):
        return b""
