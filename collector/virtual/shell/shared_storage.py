"""The shared storage of a phone with a file system, as its apps reach it."""

from __future__ import annotations

from collector.virtual.shell.files import Files
from collector.virtual.ui.shared_files import SHARED, SharedFile, SharedStorage


class FileStorage(SharedStorage):
    """What is below ``/sdcard``. For any thread."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._listed: tuple[int, tuple[SharedFile, ...]] = (-1, ())

    def files(self) -> tuple[SharedFile, ...]:
        version, listed = self._listed
        if version == self._files.shared_version:
            return listed
        version = self._files.shared_version
        listed = tuple(
            SharedFile(
                path, entry.inode, 0 if entry.is_directory else entry.size, entry.mtime, entry.is_directory
            )
            for path, entry in self._files.walk(SHARED)
            if path != SHARED and not entry.is_link
        )
        self._listed = version, listed
        return listed

    def read(self, path: str) -> bytes:
        return self._files.read(path)

    def write(self, path: str, data: bytes) -> None:
        self._files.make_directory(path.rpartition("/")[0], parents=True, mode=0o770)
        self._files.write(path, data, mode=0o660)

    def remove(self, path: str) -> None:
        self._files.remove(path, recursive=True)

    def make_folder(self, path: str) -> None:
        self._files.make_directory(path, mode=0o770)
