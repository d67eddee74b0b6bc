"""Keep disk space reserved beside a recording, so that its last step and header can be saved on a full disk.

A file of real blocks lies in the trajectory's folder while it is being written. The first write
that finds no room deletes it and goes into the blocks it held.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from collector.model.i18n import _
from collector.store.files.errors import DiskFull
from collector.store.files.links import refuse_link

RESERVE_NAME = ".reserve"
RESERVE_BYTES = 16 * 1024 * 1024
"""A few steps with their screenshots, and a rewrite of the longest ``steps.jsonl`` there will be."""
_BLOCK = bytes(256 * 1024)


class DiskReserve:
    """The reserved space of one trajectory's folder; empty until :meth:`fill`. For the writer's thread."""

    def __init__(self, folder: Path, size: int = RESERVE_BYTES) -> None:
        self._path = folder / RESERVE_NAME
        self._size = size
        self._is_requested = False
        self._is_full = False
        self._warning: DiskFull | None = None

    def fill(self) -> None:
        """Reserve the space, unless that is done. Raises DiskFull when there is too little."""
        self._is_requested = True
        if self._is_full:
            return
        refuse_link(self._path)
        try:
            _allocate(self._path, self._size)
        except OSError as error:
            self.drop()
            raise DiskFull(
                _("There is too little room on the disk to record"),
                _("less than {size} MB are free ({why})", size=self._size >> 20, why=error.strerror),
                _("Free some space and try again; everything saved before is safe"),
            ) from None
        self._is_full = True

    def refill(self) -> None:
        """Reserve the space again if it was given up for a write."""
        if self._is_requested:
            self.fill()

    def drop(self) -> None:
        """Free the reserved space."""
        self._is_full = False
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)

    def give_up(self) -> bool:
        """Free the space for a write that found the disk full; False when none is reserved."""
        if not self._is_full:
            return False
        self.drop()
        self._warning = DiskFull(
            _("The disk is full"),
            _("what was being saved used the space reserved for it"),
        )
        return True

    def take_warning(self) -> DiskFull | None:
        """A warning that the reserve was used, once; None otherwise."""
        warning, self._warning = self._warning, None
        return warning


def _allocate(path: Path, size: int) -> None:
    """Make ``path`` hold ``size`` bytes that really have blocks."""
    with path.open("wb", buffering=0) as file:
        try:
            os.posix_fallocate(file.fileno(), 0, size)
        except (AttributeError, OSError) as error:  # not on Windows and macOS, nor on every file system
            if isinstance(error, OSError) and error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):
                raise
            for _start in range(0, size, len(_BLOCK)):
                file.write(_BLOCK)
            os.fsync(file.fileno())
