"""The ``sync:`` service: stat, list, push and pull over the phone's files."""

from __future__ import annotations

import errno
import os
import posixpath
import stat
from collections.abc import Callable

from collector.adb import sync_protocol as sync
from collector.virtual.daemon.stream import Stream
from collector.virtual.shell.files import FileEntry, Files

_UNLISTED = frozenset({sync.STAT, sync.STA2, sync.LST2, sync.LIST, sync.LIS2, sync.RECV, sync.RCV2})

_GATHERED = 512 * 1024


def serve(files: Files, stream: Stream) -> None:
    """Answer requests until QUIT or until the client disconnects."""
    decoder = sync.SyncRequestDecoder()
    upload: _Upload | None = None
    while data := stream.read():
        for item in decoder.feed(data):
            if isinstance(item, sync.SyncData):
                if upload:
                    upload.take(item.chunk)
            elif isinstance(item, sync.SyncDone):
                if upload:
                    stream.write(upload.finish(item.mtime))
                upload = None
            elif item.identifier in (sync.SEND, sync.SND2):
                upload = _Upload(files, item)
            elif item.identifier in _UNLISTED:
                _answer(files, stream, item)
            elif item.identifier == sync.QUIT:
                return
            else:
                stream.write(sync.encode_failure(f"unknown command {item.identifier!r}"))
                return
    if upload:
        upload.abandon()


def file_stat(entry: FileEntry) -> sync.FileStat:
    """The sync status of an entry."""
    mtime = int(entry.mtime)
    links = 2 if entry.is_directory else 1
    return sync.FileStat(
        entry.mode, entry.size, mtime, 0, 0xFD, entry.inode, links, entry.uid, entry.gid, mtime, mtime
    )


def _answer(files: Files, stream: Stream, request: sync.SyncRequest) -> None:
    if request.identifier == sync.STAT:
        stream.write(sync.STAT + _stat(files, request.path, follow=False).encode_v1())
    elif request.identifier in (sync.STA2, sync.LST2):
        status = _stat(files, request.path, follow=request.identifier == sync.STA2)
        stream.write(request.identifier + status.encode_v2())
    elif request.identifier in (sync.LIST, sync.LIS2):
        stream.write(_listing(files, request.path, v2=request.identifier == sync.LIS2))
    else:
        _send(files, stream, request)


def _stat(files: Files, path: str, *, follow: bool) -> sync.FileStat:
    try:
        return file_stat(files.entry(path, follow=follow))
    except OSError as error:
        return sync.FileStat(error=error.errno or errno.EIO)


def _listing(files: Files, path: str, *, v2: bool) -> bytes:
    end = sync.LIST_END_V2 if v2 else sync.LIST_END_V1
    try:
        entries = files.list(path)
        folder = files.entry(path)
    except OSError:
        return end
    parts = [
        sync.encode_entry(name.encode("utf-8", "surrogateescape"), file_stat(entry), v2=v2)
        for name, entry in [(".", folder), ("..", folder), *entries]
    ]
    return b"".join(parts) + end


def _send(files: Files, stream: Stream, request: sync.SyncRequest) -> None:
    if request.flags:
        stream.write(sync.encode_failure("compression is not supported"))
        return
    try:
        data = files.read(request.path)
    except OSError as error:
        operation = "read" if error.errno == errno.EISDIR else "open"
        stream.write(sync.encode_failure(f"{operation} failed: {os.strerror(error.errno or 0)}"))
        return
    # Blocks are collected first: a small file sent in two writes costs the client a delayed ACK (40 ms).
    gathered = bytearray()
    for start in range(0, len(data), sync.DATA_MAX):
        gathered += sync.encode_data(data[start : start + sync.DATA_MAX])
        if len(gathered) >= _GATHERED:
            stream.write(bytes(gathered))
            gathered.clear()
    stream.write(bytes(gathered) + sync.encode_word(sync.DONE, 0))


class _Upload:
    """A file being uploaded; after an error its data is read and discarded, as adbd does."""

    def __init__(self, files: Files, request: sync.SyncRequest) -> None:
        self._files = files
        self._path = request.path
        self._mode = request.mode
        self._failure = "compression is not supported" if request.flags else ""
        self._link = bytearray()
        if not self._failure:
            self._guarded(self._create)

    def take(self, chunk: bytes) -> None:
        if self._failure:
            return
        if stat.S_ISLNK(self._mode):
            self._link += chunk
        elif self._files.exists(self._path):  # a file that was removed meanwhile takes no more data
            self._guarded(lambda: self._files.write(self._path, chunk, append=True), "write failed")

    def finish(self, mtime: int) -> bytes:
        """Store the file and return the answer for the client."""
        if not self._failure:
            self._guarded(lambda: self._complete(mtime))
        return sync.encode_failure(self._failure) if self._failure else sync.encode_word(sync.OKAY, 0)

    def abandon(self) -> None:
        """Remove what was received: the client went away before the end of the file, as adbd does."""
        if not self._failure and self._files.exists(self._path):
            self._files.remove(self._path)

    def _create(self) -> None:
        self._files.make_directory(posixpath.dirname(self._path) or "/", parents=True)
        if self._files.exists(self._path) and not self._files.entry(self._path).is_directory:
            self._files.remove(self._path)
        if not stat.S_ISLNK(self._mode):
            self._files.write(self._path, b"")

    def _complete(self, mtime: int) -> None:
        if stat.S_ISLNK(self._mode):
            self._files.link(self._link.rstrip(b"\0").decode("utf-8", "surrogateescape"), self._path)
            return
        # The owner's bits also apply to group and others, as in adbd.
        owner = self._mode & 0o700
        self._files.change(self._path, mode=owner | owner >> 3 | owner >> 6, mtime=mtime)

    def _guarded(self, step: Callable[[], None], failed: str = "couldn't create file") -> None:
        try:
            step()
        except OSError as error:
            self._failure = f"{failed}: {os.strerror(error.errno or 0)}"
