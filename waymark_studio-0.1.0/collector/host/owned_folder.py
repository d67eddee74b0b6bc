"""Temporary folders that a program owns while it runs; those of programs that died can be told apart."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.host.file_lock import HeldFile, hold, lock_path
from collector.host.private_files import make_private_folder


class OwnedFolder:
    """A folder and the lock beside it, which the system releases when the program dies."""

    def __init__(self, path: Path, lock: HeldFile) -> None:
        """For the functions of this module alone."""
        self.path = path
        self._lock = lock

    def delete(self) -> None:
        """Delete the folder with all that is in it. May be called twice."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.release()

    def abandon(self) -> None:
        """Leave it to the next program that looks for abandoned ones."""
        self._lock.release()


def own_folder(path: Path, note: Mapping[str, Any] | None = None) -> OwnedFolder:
    """Create a folder, whose name nobody else has, and own it. Raises OSError."""
    make_private_folder(path.parent)
    # Locked before the folder exists, which others would else take for an abandoned one.
    lock = hold(lock_path(path.parent, path.name), note or {})
    if lock is None:
        raise FileExistsError(str(path))
    try:
        path.mkdir(mode=0o700)
    except OSError:
        lock.release()
        raise
    return OwnedFolder(path, lock)


def abandoned_folders(parent: Path, pattern: str = "*") -> Iterator[OwnedFolder]:
    """The folders whose program died, by name; owned now by this program."""
    for path in sorted(place for place in parent.glob(pattern) if place.is_dir()):
        with contextlib.suppress(OSError):
            lock = hold(lock_path(parent, path.name), {})
            if lock is not None:
                yield OwnedFolder(path, lock)
