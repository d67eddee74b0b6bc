"""All writes of the store, in one place: durable, whole or not at all, and replaceable by a fake in tests.

The primitives (leading underscore) are one system call each, so that a test can
fail any of them or replay every prefix of them with the unsynced part dropped.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from collector.host import file_moves
from collector.host.private_files import make_private_file
from collector.model.i18n import _
from collector.store.files.disk_writes import DISK_WRITES, DiskWrite
from collector.store.files.errors import write_error
from collector.store.files.links import refuse_link
from collector.store.files.part_files import PartFile

Check = Callable[[bytes], None]
"""Raises UserError when data cannot be read as what it is meant to be."""


def flush_file_system() -> None:
    """Flush everything that was written, as many files at once; a system that cannot goes on without."""
    if hasattr(os, "sync"):
        os.sync()


class Disk:
    """Writes that survive a crash at any moment. Thread-compatible: one writer at a time."""

    _is_private = False

    def append(self, path: Path, data: bytes, at: int) -> None:
        """Add ``data`` at byte ``at``, the end of what is committed, and flush it to the disk.

        Whatever lies behind ``at`` is the rest of an append that failed and is cut off first.
        """
        with _explained(path):
            refuse_link(path)
            if path.stat().st_size > at:
                self._truncate(path, at)
            try:
                self._append(path, data)
                self._sync(path)
            except BaseException:  # Ctrl+C too: half a line would stay behind what is committed
                with contextlib.suppress(OSError):
                    self._truncate(path, at)
                raise

    def write(self, path: Path, data: bytes, *, check: Check | None = None) -> None:
        """Write ``data`` to ``path``, replacing an existing file, whole or not at all.

        ``check`` is called with the data before anything is written; what it raises keeps the old file.
        The new file is read back and compared before it replaces the old one.
        """
        if check is not None:
            check(data)
        self.write_all({path: data})

    def write_parts(self, path: Path, parts: Iterable[bytes]) -> None:
        """Like :meth:`write`, of at least one part; the file may be larger than memory."""
        with _explained(path):
            self._write_whole(path, parts)
            self._sync_folder(path.parent)

    def write_all(self, files: Mapping[Path, bytes]) -> None:
        """Like :meth:`write` for several files of one folder, with one flush of the folder."""
        for path, data in files.items():
            with _explained(path):
                self._write_whole(path, (data,))
        for folder in {path.parent for path in files}:
            with _explained(folder):
                self._sync_folder(folder)

    def _write_whole(self, path: Path, parts: Iterable[bytes]) -> None:
        part, written = PartFile(path), hashlib.blake2b()
        try:
            part.begin(is_private=self._is_private)
            for data in parts:
                self._append(part.path, data)
                written.update(data)
            self._sync(part.path)
            self._read_back(part.path, written.digest())
            part.make_ready()
            self._replace(part.path, path)
        except BaseException:  # Ctrl+C too: half a file would stay beside the whole one
            part.close()
            with contextlib.suppress(OSError):
                self._remove(part.path)
            raise
        part.close()

    def _read_back(self, path: Path, digest: bytes) -> None:
        """Raise OSError when ``path`` does not hold what was written, as on a failing disk."""
        with path.open("rb") as file:
            if hashlib.file_digest(file, "blake2b").digest() != digest:
                raise OSError(errno.EIO, _("the disk does not give back what was written"))

    def make_folder(self, path: Path) -> None:
        """Make ``path`` and its parents; the entry is flushed."""
        missing = [path, *path.parents]
        missing = missing[: next((i for i, folder in enumerate(missing) if folder.is_dir()), len(missing))]
        for folder in reversed(missing):
            with _explained(folder):
                self._make_folder(folder)
                self._sync_folder(folder.parent)

    def move(self, path: Path, target: Path) -> None:
        """Move a file within one file system; both folders are flushed."""
        with _explained(target):
            self._replace(path, target)
            self._sync_folder(target.parent)
            self._sync_folder(path.parent)

    def put_in_place(self, part: Path, target: Path) -> None:
        """Put a file that another library wrote in place of ``target``, once it is flushed."""
        with _explained(target):
            self._sync(part)
            self._replace(part, target)
            self._sync_folder(target.parent)

    def truncate(self, path: Path, size: int) -> None:
        """Cut a file to ``size`` bytes and flush it."""
        with _explained(path):
            refuse_link(path)
            self._truncate(path, size)
            self._sync(path)

    def remove(self, path: Path) -> None:
        """Delete a file, if it exists."""
        with _explained(path), contextlib.suppress(FileNotFoundError):
            self._remove(path)
            self._sync_folder(path.parent)

    def _append(self, path: Path, data: bytes) -> None:
        with path.open("ab", buffering=0) as file:
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) :]

    def _sync(self, path: Path) -> None:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def _sync_folder(self, path: Path) -> None:
        if sys.platform == "win32":
            return
        handle = os.open(path, os.O_RDONLY)
        try:
            # Some network file systems refuse to flush a folder; the file itself is flushed by then.
            with contextlib.suppress(OSError):
                os.fsync(handle)
        finally:
            os.close(handle)

    def _replace(self, path: Path, target: Path) -> None:
        file_moves.replace(path, target)

    def _truncate(self, path: Path, size: int) -> None:
        os.truncate(path, size)

    def _remove(self, path: Path) -> None:
        path.unlink()

    def _make_folder(self, path: Path) -> None:
        path.mkdir(exist_ok=True)


class PrivateDisk(Disk):
    """A disk whose new files and folders no other account can read, whatever the umask says."""

    _is_private = True

    def _append(self, path: Path, data: bytes) -> None:
        make_private_file(path)
        super()._append(path, data)

    def _make_folder(self, path: Path) -> None:
        path.mkdir(mode=0o700, exist_ok=True)


class UnflushedDisk(Disk):
    """A disk whose writes survive a crash once :meth:`flush_all` returned.

    It is for what is built out of sight, and for what can be made again: a crash before leaves such a file
    whole, as it was before, or empty.
    Where a system cannot flush everything at once and wait for it, each write is flushed by itself.
    """

    _waits = sys.platform == "linux"

    def flush_all(self) -> None:
        """Flush everything that was written so far."""
        if self._waits:
            flush_file_system()

    def _sync(self, path: Path) -> None:
        if not self._waits:
            super()._sync(path)

    def _sync_folder(self, path: Path) -> None:
        if not self._waits:
            super()._sync_folder(path)


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        refused = write_error(path, error)
        DISK_WRITES.emit(DiskWrite(path, refused))
        raise refused from error
    DISK_WRITES.emit(DiskWrite(path))
