"""The shared storage of a phone, as its apps see it: files by path, their types and their addresses."""

from __future__ import annotations

import datetime as dt
import errno
import mimetypes
import os
from dataclasses import dataclass
from urllib.parse import quote, unquote

SHARED = "/storage/emulated/0"
"""The folder that a shell calls ``/sdcard``."""
_ALIASES = ("/sdcard/", "/storage/self/primary/", "/mnt/sdcard/")
_MEDIA = "content://media/external"
_DOCUMENT = "content://com.android.externalstorage.documents/document/primary"
UNKNOWN_TYPE = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class SharedFile:
    """A file or folder. ``modified`` in seconds of the phone's clock."""

    path: str
    id: int
    """Its id in the media store."""
    size: int = 0
    modified: float = 0.0
    is_folder: bool = False

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def type(self) -> str:
        """MIME type by its name; ``application/octet-stream`` for an unknown one."""
        return mimetypes.guess_type(self.name)[0] or UNKNOWN_TYPE

    @property
    def is_picture(self) -> bool:
        return not self.is_folder and self.type.startswith("image/")

    @property
    def date(self) -> dt.datetime:
        """When it was changed, by the phone's clock."""
        return dt.datetime.fromtimestamp(self.modified, dt.UTC).replace(tzinfo=None)

    @property
    def media_uri(self) -> str:
        """Its address in the media store."""
        return f"{_MEDIA}/{'images/media' if self.is_picture else 'file'}/{self.id}"

    @property
    def document_uri(self) -> str:
        """Its address as the files app gives it."""
        return _DOCUMENT + quote(":" + self.path.removeprefix(SHARED).strip("/"), safe="")


class SharedStorage:
    """What apps may do with the shared storage. This one is empty and takes nothing: no card is mounted."""

    def files(self) -> tuple[SharedFile, ...]:
        """Everything below :data:`SHARED`, by path."""
        return ()

    def read(self, path: str) -> bytes:
        """The content of a file. Raises OSError."""
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)

    def write(self, path: str, data: bytes) -> None:
        """Create or replace a file, and its folder. Raises OSError."""
        del data
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    def remove(self, path: str) -> None:
        """Delete a file, or a folder with all in it. Raises OSError."""
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)

    def make_folder(self, path: str) -> None:
        """Create a folder. Raises OSError."""
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)


def is_type(given: str, accepted: str) -> bool:
    """Whether a MIME type is one of a pattern such as ``image/*``; a pattern is within itself and ``*/*``."""
    if not given:
        return False
    kind, _slash, name = accepted.partition("/")
    given_kind, _slash, given_name = given.partition("/")
    return (kind in ("*", given_kind) and name in ("*", given_name)) or given == "*/*"


def file_at(files: tuple[SharedFile, ...], uri: str) -> SharedFile | None:
    """The file of an address: of the media store, of the files app, or ``file://``; None for no such file."""
    if uri.startswith(_MEDIA):
        number = uri.rpartition("/")[2]
        return next((file for file in files if str(file.id) == number), None)
    path = path_of(uri)
    return next((file for file in files if file.path == path), None)


def path_of(uri: str) -> str:
    """The path of an address of the files app or of ``file://``, also of no file; empty for another."""
    if uri.startswith(_DOCUMENT):
        path = f"{SHARED}/{unquote(uri.removeprefix(_DOCUMENT)).removeprefix(':')}"
    elif uri.startswith("file:"):
        path = "/" + unquote(uri.removeprefix("file:")).lstrip("/")
        for alias in _ALIASES:
            if path.startswith(alias):
                path = f"{SHARED}/{path.removeprefix(alias)}"
    else:
        return ""
    return path.rstrip("/")
