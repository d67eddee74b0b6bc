"""The phone's file system: a tree in memory, with the permissions a shell user has on a real one."""

from __future__ import annotations

import errno
import os
import posixpath
import stat
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from collector.virtual.shell.named_pipes import NamedPipe
from collector.virtual.ui.shared_files import SHARED

SHELL_UID = 2000
ROOT_UID = 0
_MAX_LINKS = 16
_DEFAULT_CAPACITY = 256 * 1024 * 1024

# Folders where the shell user may write; the rest is read-only or belongs to others.
_WRITABLE = (
    "/data/local/tmp",
    "/storage/emulated/0",
    "/dev",
    "/mnt/user",
    "/data/user_de/0/com.android.shell",
)
_READ_ONLY = ("/system", "/vendor", "/product", "/proc", "/sys", "/apex")


@dataclass(slots=True, eq=False)
class FileEntry:
    """A file, folder or link. ``generate`` creates the content of a system file on each read."""

    mode: int
    uid: int = ROOT_UID
    gid: int = ROOT_UID
    mtime: float = 0.0
    data: bytearray = field(default_factory=bytearray)
    children: dict[str, FileEntry] = field(default_factory=dict)
    target: str = ""
    generate: Callable[[], bytes] | None = None
    fill: Callable[[], dict[str, FileEntry]] | None = None
    """Creates what a system folder has, when it is first looked into."""
    inode: int = 0
    find: Callable[[str], FileEntry | None] | None = None
    """Finds an entry of a folder that nobody can list, by its name."""
    make: Callable[[], bytes] | None = None
    """Makes the content of a file that does not change, when it is first read or measured."""
    pipe: NamedPipe | None = None

    @property
    def content(self) -> bytes:
        """The content of a file; of a named pipe, all that comes until its writers left."""
        if self.pipe:
            end = self.pipe.open(reading=True)
            parts = list(iter(end.read, b""))
            end.close()
            return b"".join(parts)
        if self.generate:
            return self.generate()
        self._fill()
        return bytes(self.data)

    def _fill(self) -> None:
        if self.make:
            make, self.make = self.make, None
            self.data = bytearray(make())

    @property
    def contents(self) -> dict[str, FileEntry]:
        """The entries of a folder by name."""
        if self.fill:
            fill, self.fill = self.fill, None
            self.children |= fill()
        return self.children

    @property
    def is_directory(self) -> bool:
        return stat.S_ISDIR(self.mode)

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)

    @property
    def size(self) -> int:
        if self.is_directory:
            return 4096
        self._fill()
        return len(self.target) if self.is_link else len(self.data)


def _problem(number: int, path: str) -> OSError:
    return OSError(number, os.strerror(number), path)


def _is_under(path: str, roots: tuple[str, ...]) -> bool:
    return any(path == root or path.startswith(root + "/") for root in roots)


class Files:
    """The in-memory file system. Thread-safe; every failure is an OSError with a real phone's errno.

    Files of the system ask the phone, and its apps read and write files: both use one ``lock``.
    """

    def __init__(
        self,
        capacity: int = _DEFAULT_CAPACITY,
        now: Callable[[], float] = time.time,
        lock: threading.RLock | None = None,
    ) -> None:
        self.capacity = capacity
        self.full = False
        """Simulate full storage: writes fail whatever the capacity."""
        self.processes: Callable[[int], FileEntry | None] = lambda _pid: None
        """Create the folder under ``/proc`` of a process; None when there is none."""
        self.process_ids: Callable[[], list[int]] = list
        """The processes that have one."""
        self.shared_version = 0
        """Counts the changes of the shared storage."""
        self.shared_changed: Callable[[], None] = lambda: None
        """Called at each of them."""
        self._now = now
        self._lock = lock or threading.RLock()
        self._inodes = 1
        self._used = 0
        self._root = self._new(stat.S_IFDIR | 0o755)

    def resolve(self, path: str, *, follow: bool = True) -> str:
        """The absolute path with links, ``.`` and ``..`` resolved; it need not exist."""
        return self._walk(path, follow)[0]

    def entry(self, path: str, *, follow: bool = True) -> FileEntry:
        """The entry at ``path``; FileNotFoundError when there is none. A trailing slash follows a link."""
        entry = self._walk(path, follow or path.endswith("/"))[1]
        if entry is None:
            raise _problem(errno.ENOENT, path)
        return entry

    def exists(self, path: str) -> bool:
        """Whether there is anything at ``path``."""
        try:
            self.entry(path)
        except OSError:
            return False
        return True

    def read(self, path: str) -> bytes:
        """The whole content of a file."""
        with self._lock:
            entry = self.entry(path)
            if entry.is_directory:
                raise _problem(errno.EISDIR, path)
            if not entry.mode & 0o444:
                raise _problem(errno.EACCES, path)
        return entry.content

    def list(self, path: str) -> list[tuple[str, FileEntry]]:
        """Names and entries of a folder, by name."""
        with self._lock:
            entry = self.entry(path)
            if not entry.is_directory:
                raise _problem(errno.ENOTDIR, path)
            if not entry.mode & 0o004 and entry.uid != SHELL_UID:
                raise _problem(errno.EACCES, path)
            entries = dict(entry.contents)
            if self.resolve(path) == "/proc":
                entries |= {str(pid): self._new(stat.S_IFDIR | 0o555) for pid in self.process_ids()}
            return sorted(entries.items())

    def write(self, path: str, data: bytes, *, append: bool = False, mode: int = 0o644) -> None:
        """Create, replace or append to a file, or write to a named pipe; its folder must exist."""
        pipe = self.named_pipe(path)
        if pipe is not None:
            self._write_to(pipe, data)
            return
        with self._lock:
            place, entry, parent, name = self._walk(path, True)
            if entry is not None and entry.is_directory:
                raise _problem(errno.EISDIR, path)
            if parent is None:
                raise _problem(errno.ENOENT, path)
            self._require_writable(place, path)
            if entry is not None and stat.S_ISCHR(entry.mode):
                return
            grown = len(data) if append or entry is None else len(data) - len(entry.data)
            if grown > 0 and (self.full or self._used + grown > self.capacity):
                raise _problem(errno.ENOSPC, path)
            if entry is None:
                entry = self._new(stat.S_IFREG | mode, SHELL_UID)
                parent.children[name] = entry
            self._used += grown
            if append:
                entry.data += data
            else:
                entry.data = bytearray(data)
            entry.mtime = self._now()
            self._note(place)

    @staticmethod
    def _write_to(pipe: NamedPipe, data: bytes) -> None:
        if data:
            end = pipe.open(writing=True)
            try:
                end.write(data)
            finally:
                end.close()

    def named_pipe(self, path: str) -> NamedPipe | None:
        """The named pipe at ``path``; None when there is none."""
        entry = self._walk(path, True)[1]
        return entry.pipe if entry is not None else None

    def make_pipe(self, path: str, mode: int) -> None:
        """Create a named pipe."""
        with self._lock:
            place, entry, parent, name = self._walk(path, False)
            if entry is not None:
                raise _problem(errno.EEXIST, path)
            if parent is None:
                raise _problem(errno.ENOENT, path)
            self._require_writable(place, path)
            if _is_under(place, (SHARED,)):
                raise _problem(errno.EPERM, path)
            made = self._new(stat.S_IFIFO | mode, SHELL_UID)
            made.pipe = NamedPipe()
            parent.children[name] = made

    def make_directory(self, path: str, *, parents: bool = False, mode: int = 0o755) -> None:
        """Create a folder; ``parents`` also creates its parents and accepts an existing folder."""
        with self._lock:
            place, entry, parent, name = self._walk(path, True)
            if entry is not None:
                if parents and entry.is_directory:
                    return
                raise _problem(errno.EEXIST, path)
            if parent is None:
                if not parents:
                    raise _problem(errno.ENOENT, path)
                self.make_directory(posixpath.dirname(place), parents=True, mode=mode)
                parent = self.entry(posixpath.dirname(place))
            if not parent.is_directory:
                raise _problem(errno.ENOTDIR, path)
            self._require_writable(place, path)
            parent.children[name] = self._new(stat.S_IFDIR | mode, SHELL_UID)
            self._note(place)

    def link(self, target: str, path: str) -> None:
        """Create a symbolic link at ``path``."""
        with self._lock:
            place, entry, parent, name = self._walk(path, False)
            if entry is not None:
                raise _problem(errno.EEXIST, path)
            if parent is None:
                raise _problem(errno.ENOENT, path)
            self._require_writable(place, path)
            link = self._new(stat.S_IFLNK | 0o777, SHELL_UID)
            link.target = target
            parent.children[name] = link
            self._note(place)

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """Remove a file or link; ``recursive`` also removes a folder with its content."""
        with self._lock:
            place, entry, parent, name = self._walk(path, False)
            if entry is None:
                raise _problem(errno.ENOENT, path)
            if entry.is_directory and not recursive:
                raise _problem(errno.EISDIR, path)
            self._remove_checked(place, path, parent, name)

    def remove_directory(self, path: str) -> None:
        """Remove an empty folder."""
        with self._lock:
            place, entry, parent, name = self._walk(path, False)
            if entry is None:
                raise _problem(errno.ENOENT, path)
            if not entry.is_directory:
                raise _problem(errno.ENOTDIR, path)
            if entry.children:
                raise _problem(errno.ENOTEMPTY, path)
            self._remove_checked(place, path, parent, name)

    def move(self, source: str, target: str) -> None:
        """Rename; a file at ``target`` is replaced."""
        with self._lock:
            place, entry, parent, name = self._walk(source, False)
            new_place, old, new_parent, new_name = self._walk(target, False)
            if entry is None or parent is None:
                raise _problem(errno.ENOENT, source)
            if new_parent is None:
                raise _problem(errno.ENOENT, target)
            if new_place == place:
                return
            if new_place.startswith(place + "/"):
                raise _problem(errno.EINVAL, target)
            if old is not None and old.is_directory:
                raise _problem(errno.EEXIST, target)
            self._require_writable(place, source)
            self._require_writable(new_place, target)
            if old is not None:
                self._used -= len(old.data)
            del parent.children[name]
            new_parent.children[new_name] = entry
            self._note(place)
            self._note(new_place)

    def change(self, path: str, *, mode: int | None = None, mtime: float | None = None) -> None:
        """Set permission bits or the modification time."""
        with self._lock:
            entry = self.entry(path)
            self._require_writable(self.resolve(path), path)
            if mode is not None:
                entry.mode = stat.S_IFMT(entry.mode) | (mode & 0o7777)
            if mtime is not None:
                entry.mtime = mtime
            self._note(self.resolve(path))

    def install(
        self, path: str, data: bytes | Callable[[], bytes] = b"", *, mode: int = stat.S_IFREG | 0o644
    ) -> FileEntry:
        """Create a system file, ignoring the shell user's permissions; parent folders are created."""
        with self._lock:
            entry = self._root
            *folders, name = path.strip("/").split("/")
            for folder in folders:
                if folder not in entry.children:
                    entry.children[folder] = self._new(stat.S_IFDIR | 0o755)
                entry = entry.children[folder]
            new_entry = self._new(mode)
            if callable(data):
                new_entry.generate = data
            elif stat.S_ISLNK(mode):
                new_entry.target = data.decode()
            else:
                new_entry.data = bytearray(data)
            entry.children[name] = new_entry
            return new_entry

    def walk(self, path: str) -> Iterator[tuple[str, FileEntry]]:
        """Yield ``path`` and everything under it, depth first, without following links."""
        entry = self.entry(path, follow=False)
        yield path, entry
        if entry.is_directory:
            for name, _child in self.list(path):
                yield from self.walk(f"{path.rstrip('/')}/{name}")

    @property
    def used(self) -> int:
        """Bytes held by files."""
        return self._used

    def _new(self, mode: int, owner: int = ROOT_UID) -> FileEntry:
        self._inodes += 1
        return FileEntry(mode, owner, owner, self._now(), inode=self._inodes)

    def _remove_checked(self, place: str, path: str, parent: FileEntry | None, name: str) -> None:
        self._require_writable(place, path)
        if parent is None or place in _WRITABLE:
            raise _problem(errno.EACCES, path)
        self._used -= sum(len(inner.data) for _path, inner in self.walk(place))
        del parent.children[name]
        self._note(place)

    def _note(self, place: str) -> None:
        if _is_under(place, (SHARED,)):
            self.shared_version += 1
            self.shared_changed()

    def _require_writable(self, place: str, path: str) -> None:
        if _is_under(place, _WRITABLE):
            return
        top_level = place.count("/") == 1
        raise _problem(errno.EROFS if top_level or _is_under(place, _READ_ONLY) else errno.EACCES, path)

    def _walk(self, path: str, follow: bool) -> tuple[str, FileEntry | None, FileEntry | None, str]:
        """The resolved path, entry, parent folder (None if missing) and name in that folder."""
        if "\0" in path:
            raise _problem(errno.EINVAL, path)
        with self._lock:
            names = [name for name in path.split("/") if name and name != "."]
            if any(len(name.encode("utf-8", "surrogateescape")) > 255 for name in names):
                raise _problem(errno.ENAMETOOLONG, path)
            trail: list[tuple[str, FileEntry]] = [("", self._root)]
            links = 0
            while names:
                name = names.pop(0)
                if name == "..":
                    trail = trail[:-1] or trail
                    continue
                parent = trail[-1][1]
                if not parent.is_directory:
                    raise _problem(errno.ENOTDIR, path)
                entry = parent.contents.get(name) or (parent.find(name) if parent.find else None)
                place = "/".join([folder for folder, _entry in trail] + [name])
                if entry is None and name.isdecimal() and place == f"/proc/{name}":
                    entry = self.processes(int(name))
                if entry is None:
                    if names:
                        return "/".join([place, *names]), None, None, names[-1]
                    return place, None, parent, name
                if entry.is_link and (follow or names):
                    links += 1
                    if links > _MAX_LINKS:
                        raise _problem(errno.ELOOP, path)
                    names = [part for part in entry.target.split("/") if part and part != "."] + names
                    if entry.target.startswith("/"):
                        trail = trail[:1]
                    continue
                trail.append((name, entry))
            place = "/".join(name for name, _entry in trail) or "/"
            parent_entry = trail[-2][1] if len(trail) > 1 else None
            return place, trail[-1][1], parent_entry, trail[-1][0]
