"""Memory for the pictures of a phone that two processes share: a file that both map."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from collector.model.geometry import Size

_SHARED = Path("/dev/shm")  # noqa: S108 - mkstemp makes files there that nobody else may open
"""On Linux, files that are never written to a disk."""


def new_picture_memory(size: Size) -> Path:
    """A new file with room for one picture of a screen. Raises OSError. Whoever makes it deletes it."""
    folder = _SHARED if os.access(_SHARED, os.W_OK) else None
    descriptor, name = tempfile.mkstemp(prefix="waymark-pictures-", dir=folder)
    with os.fdopen(descriptor, "wb") as file:
        file.truncate(size.width * size.height * 3)
    return Path(name)


def remove_picture_memory(path: Path) -> None:
    """Delete the file. Windows keeps one that is mapped: it lies in the temporary folder then."""
    with contextlib.suppress(PermissionError if sys.platform == "win32" else FileNotFoundError):
        path.unlink(missing_ok=True)


def open_picture_memory(path: Path, *, writes: bool) -> NDArray[np.uint8]:
    """The bytes of the file, without a copy. Raises OSError."""
    return np.memmap(path, np.uint8, "r+" if writes else "r")
