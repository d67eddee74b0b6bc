"""Files inside a zip file, read as those of a folder are; nothing is unpacked to the disk.

The whole archive is checked before anything is read; each file is decompressed when it is asked for.
"""

from __future__ import annotations

import errno
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from collector.model.i18n import _
from collector.store.files import layout
from collector.store.files.errors import Damaged, NotFound, UnsafePath
from collector.store.files.names import inside, safe_parts
from collector.store.files.zip_safety import why_unsafe

SUFFIX = ".zip"
_UNREADABLE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError)


class ZipIndex:
    """An open zip file and its entries by name. Any thread; it is closed when nobody has it any more.

    Raises Damaged for a file that is no zip, UnsafePath for one that is not safe to read, NotFound when there
    is none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
            entries = self._zip.infolist()
            why = why_unsafe(entries, path.stat().st_size)
        except FileNotFoundError:
            raise NotFound(_("There is no file {name}", name=path)) from None
        except (*_UNREADABLE, ValueError, OSError) as error:
            raise Damaged(_("{name} cannot be read", name=path.name), str(error)) from None
        if why:
            raise UnsafePath(_("{name} is refused", name=path.name), why)
        self._entries = {entry.filename.replace("\\", "/"): entry for entry in entries if not entry.is_dir()}
        self._folders: dict[str, list[str]] = {"": []}
        for name in self._entries:
            folder, _slash, file = name.rpartition("/")
            self._folders.setdefault(folder, []).append(file)

    def names(self) -> Iterator[str]:
        """The files, with forward slashes."""
        return iter(self._entries)

    def files_in(self, folder: str) -> list[str] | None:
        """The names of the files of a folder; None when no file lies in it."""
        return self._folders.get(folder)

    def size(self, name: str) -> int | None:
        """Bytes of a file when unpacked, as the archive says; None when it is not there."""
        entry = self._entries.get(name)
        return None if entry is None else entry.file_size

    def missing(self, name: str) -> FileNotFoundError:
        """The error for a file that is not there."""
        return FileNotFoundError(errno.ENOENT, _("it is not in {name}", name=self.path.name), name)

    def read(self, name: str) -> bytes:
        """A file's bytes. Raises FileNotFoundError, and OSError for what cannot be decompressed."""
        if name not in self._entries:
            raise self.missing(name)
        try:
            return self._zip.read(self._entries[name])
        except _UNREADABLE as error:
            raise OSError(errno.EIO, str(error), name) from None


@dataclass(frozen=True, slots=True)
class ZippedStatus:
    """What is known of a file before it is read."""

    st_size: int
    """Bytes when unpacked, as the archive says."""


@dataclass(frozen=True, slots=True)
class ZipPath:
    """A file or a folder inside a zip file: a :class:`~collector.store.files.readable_path.ReadablePath`."""

    index: ZipIndex
    inner: str = ""
    """With forward slashes; empty for the archive itself."""

    def __str__(self) -> str:
        return f"{self.index.path}/{self.inner}" if self.inner else str(self.index.path)

    def __truediv__(self, name: str, /) -> ZipPath:
        return ZipPath(self.index, f"{self.inner}/{name}" if self.inner else name)

    @property
    def name(self) -> str:
        return PurePosixPath(self.inner).name or self.index.path.name

    @property
    def stem(self) -> str:
        return PurePosixPath(self.name).stem

    @property
    def parent(self) -> ZipPath:
        """The folder around it; the archive is around itself."""
        return ZipPath(self.index, self.inner.rpartition("/")[0])

    def stat(self) -> ZippedStatus:
        """The size. Raises FileNotFoundError."""
        size = self.index.size(self.inner)
        if size is None:
            raise self.index.missing(self.inner)
        return ZippedStatus(size)

    def exists(self) -> bool:
        return self.index.size(self.inner) is not None or self.is_dir()

    def is_dir(self) -> bool:
        return self.index.files_in(self.inner) is not None

    def read_bytes(self) -> bytes:
        """The bytes. Raises OSError."""
        return self.index.read(self.inner)

    def glob(self, pattern: str, /) -> Iterator[ZipPath]:
        """The files of this folder whose names fit ``pattern``, in no order."""
        return (self / name for name in self.index.files_in(self.inner) or () if fnmatchcase(name, pattern))

    def inside(self, name: str) -> ZipPath:
        """A file of this folder that a line of the trajectory names. Raises UnsafePath."""
        return self / "/".join(safe_parts(name, self.name))


def file_inside(files: Path | ZipPath, name: str) -> Path | ZipPath:
    """A file that a line of a trajectory names, in the trajectory's files. Raises UnsafePath."""
    return files.inside(name) if isinstance(files, ZipPath) else inside(files, name)


def is_zip(path: Path) -> bool:
    """Whether a path names a zip file, by its name alone."""
    return path.suffix.lower() == SUFFIX and path.is_file()


def zipped_trajectory(path: Path) -> ZipPath:
    """The folder of the trajectory in a zip file: at its root, or in the only folder that has one.

    Raises NotFound, Damaged or UnsafePath.
    """
    index = ZipIndex(path)
    if index.size(layout.HEADER) is not None:
        return ZipPath(index)
    headers = [name for name in index.names() if name.endswith(f"/{layout.HEADER}")]
    if len(headers) == 1:
        return ZipPath(index, headers[0].rpartition("/")[0])
    if headers:
        raise NotFound(
            _("{name} has {count} trajectories", name=path.name, count=len(headers)),
            "",
            _("Pack each into a zip file of its own, or unpack it and name a folder"),
        )
    raise NotFound(
        _("There is no trajectory in {folder}", folder=path.name), _("it has no {name}", name=layout.HEADER)
    )
