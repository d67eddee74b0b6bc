"""Files that are written beside those whose place they take; what a writer that died left of them is removed.

A writer holds a lock on its part, which the system releases when it dies, however it dies.
"""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections.abc import Collection
from pathlib import Path
from typing import IO

from collector.host.file_lock import names_file, system_lock, try_lock
from collector.host.private_files import make_private_file
from collector.store.files.layout import LOST

TEMPORARY_PREFIX = ".part-"
_NEVER_LOOKED_AT = frozenset({LOST, ".git"})
"""What recovering sets aside is kept on purpose."""
_QUIET_S = 60.0
"""So long after its last change nobody writes a part any more, on a system where locks do not tell."""


class PartFile:
    """The file that will take the place of ``target``; its writer calls the three in this order."""

    def __init__(self, target: Path) -> None:
        self.path = target.with_name(f"{TEMPORARY_PREFIX}{secrets.token_hex(4)}-{target.name}")
        self._file: IO[bytes] | None = None

    def begin(self, *, is_private: bool = False) -> None:
        """Make the file, empty, and hold it; ``is_private`` for this account alone. Raises OSError."""
        while self._file is None:
            if is_private:
                make_private_file(self.path)
            file = self.path.open("ab", buffering=0)
            if _is_held(file) and names_file(self.path, file):
                self._file = file
            else:  # taken for a dead writer's in the moment before it was locked
                file.close()

    def make_ready(self) -> None:
        """Let the file be moved: Windows moves none that is open."""
        if sys.platform == "win32":
            self.close()

    def close(self) -> None:
        """Let go of the file, wherever it is by now. May be called twice."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _is_held(file: IO[bytes]) -> bool:
    """Hold an open file; True also on a file system without locks, which is written without them.

    On Windows, too: a locked byte cannot be written there by the next one who opens the file, and a part may
    be longer than where the lock lies.
    """
    if sys.platform == "win32":
        return True
    try:
        return try_lock(file)
    except OSError:
        return True


def is_left(path: Path) -> bool:
    """Whether the writer of a part is dead, as far as this system tells."""
    try:
        if sys.platform == "win32":
            return _is_quiet(path)
        with path.open("r+b", buffering=0) as file:
            return system_lock(file)
    except OSError:
        return False


def _is_quiet(path: Path) -> bool:
    """Whether nobody writes a file any more; Windows removes none that is open."""
    return abs(time.time() - path.stat().st_mtime) > _QUIET_S


def sweep_parts(folder: Path, passed_over: Collection[str] = ()) -> list[Path]:
    """Remove all parts below ``folder`` whose writer died; returns them.

    Folders named in ``passed_over`` are left out. A part that cannot be removed stays.
    """
    swept = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _NEVER_LOOKED_AT and name not in passed_over]
        parts = [Path(place, name) for name in names if name.startswith(TEMPORARY_PREFIX)]
        swept += [path for path in parts if _is_removed(path)]
    return swept


def _is_removed(path: Path) -> bool:
    if path.is_symlink():  # this program makes none
        return False
    try:
        if sys.platform == "win32":
            if not _is_quiet(path):
                return False
            path.unlink()
            return True
        with path.open("r+b", buffering=0) as file:
            if not system_lock(file):
                return False
            # While it is locked: a writer that made it a moment ago sees that it is gone, and makes it again.
            path.unlink()
            return True
    except OSError:
        return False
