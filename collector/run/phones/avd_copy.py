"""Copy an AVD for one worker, so that the original is never touched, and delete copies nobody uses.

A copy lies in a folder of its own in the user's cache, and the emulator takes that folder for its AVD home.
A lock file beside it is held while a program uses it: copies of programs that died are found by that.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

from collector.host.file_clone import clone
from collector.host.owned_folder import OwnedFolder, abandoned_folders, own_folder
from collector.host.user_folders import cache_folder
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.phones.avd import Avd

COPY_MARK = "-waymark-"
"""In the name of each copy, between that of its original and what makes it unique."""
_EMULATORS = "emulators"
_LEFT_OUT = shutil.ignore_patterns("*.lock", "tmpAdbCmds", "emu-launch-params.txt", "cache.img.tmp*")
_NAMES = ("AvdId", "avd.ini.displayname", "avd.id", "avd.name")
_PORT = "console-port"
_CHUNK = 1 << 22
_QCOW2 = b"QFI\xfb"
RESERVE = 512 << 20
"""Bytes of the disk that a copy leaves free."""


class AvdCopy:
    """A copy of an AVD that this program holds until :meth:`delete`."""

    def __init__(self, original: Avd, owned: OwnedFolder) -> None:
        """For :func:`make_copy` alone."""
        self.original = original
        self.root = owned.path
        self._owned = owned

    @property
    def name(self) -> str:
        """The name of the copy as an AVD, which no other has."""
        return self.root.name

    @property
    def folder(self) -> Path:
        return avd_folder(self.root)

    @property
    def log(self) -> Path:
        """What its emulator prints."""
        return self.root / "emulator.log"

    def note_port(self, port: int) -> None:
        """Write down the port of its emulator's console, for when the console itself says nothing."""
        (self.root / _PORT).write_text(str(port), "ascii", newline="\n")

    def renew(self) -> None:
        """Copy the original again; its emulator has ended. Raises UserError."""
        _require_idle(self.original)
        shutil.rmtree(self.folder, ignore_errors=True)
        _fill(self)

    def delete(self) -> None:
        """Delete it. May be called twice."""
        self._owned.delete()


def copies_folder() -> Path:
    """The folder of all copies of this account."""
    return cache_folder() / _EMULATORS


def avd_folder(copy: Path) -> Path:
    """The folder with the disks in that of a copy."""
    return copy / f"{copy.name}.avd"


def noted_port(copy: Path) -> int:
    """The port of the console of the emulator that a copy had last; 0 for none."""
    try:
        return int((copy / _PORT).read_text("ascii"))
    except (OSError, ValueError):
        return 0


def make_copy(original: Avd, folder: Path | None = None) -> AvdCopy:
    """Copy an AVD that no emulator runs. Raises UserError, as when the disk has no room."""
    _require_idle(original)
    folder = folder or copies_folder()
    name = f"{original.name}{COPY_MARK}{secrets.token_hex(4)}"
    try:
        copy = AvdCopy(original, own_folder(folder / name, {"avd": original.name}))
    except OSError as error:
        raise _not_copied(original, error) from error
    try:
        _fill(copy)
    except BaseException:
        copy.delete()
        raise
    return copy


def abandoned_copies(folder: Path | None = None) -> Iterator[OwnedFolder]:
    """The copies whose program died; the caller deletes them."""
    return abandoned_folders(folder or copies_folder(), f"*{COPY_MARK}*")


def _require_idle(original: Avd) -> None:
    if original.is_running():
        raise UserError(
            _("The emulator image (AVD) {name} cannot be copied", name=original.name),
            _("an emulator runs it now, so its disks may change in between"),
            _("Close that emulator, and try again"),
        )


def _fill(copy: AvdCopy) -> None:
    original = copy.original
    try:
        _require_room(original.folder, copy.root)
        shutil.copytree(
            original.folder, copy.folder, ignore=_LEFT_OUT, copy_function=_copy_file, symlinks=False
        )
        for path in (*copy.folder.glob("*.ini"), *copy.folder.glob("snapshots/*/*.ini")):
            _patch_ini(path, copy)
        for path in copy.folder.rglob("*.qcow2"):
            _detach_disk(path, original)
        lines = [
            line
            for line in original.ini.read_text("utf-8", "replace").splitlines()
            if not line.replace(" ", "").startswith(("path=", "path.rel="))
        ]
        lines.append(f"path={copy.folder}")
        (copy.root / f"{copy.name}.ini").write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    except (OSError, shutil.Error) as error:
        raise _not_copied(original, error) from error


def _require_room(source: Path, target: Path) -> None:
    """Raise OSError when the disk has no room for a copy; blocks that are not written count nothing."""
    needed = sum(_disk_bytes(path) for path in source.rglob("*") if path.is_file())
    if shutil.disk_usage(target).free < needed + RESERVE and not _shares_blocks(source, target):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))


def _disk_bytes(path: Path) -> int:
    status = path.stat()
    blocks = getattr(status, "st_blocks", None)
    return status.st_size if blocks is None else int(blocks) * 512


def _shares_blocks(source: Path, target: Path) -> bool:
    """Whether the file system clones files, tried with a small one."""
    probe = target / "probe"
    try:
        with (source / "config.ini").open("rb") as reader, probe.open("wb") as writer:
            return clone(reader.fileno(), writer.fileno())
    finally:
        probe.unlink(missing_ok=True)


def _copy_file(source: str, target: str) -> str:
    """Copy a disk image: shared where the file system can, else without the holes of a sparse file."""
    with Path(source).open("rb", buffering=0) as reader, Path(target).open("wb", buffering=0) as writer:
        if not clone(reader.fileno(), writer.fileno()):
            for start, end in _written_parts(reader.fileno()):
                reader.seek(start)
                writer.seek(start)
                while start < end:
                    data = reader.read(min(_CHUNK, end - start))
                    if not data:
                        break
                    writer.write(data)
                    start += len(data)
            writer.truncate(os.fstat(reader.fileno()).st_size)
    shutil.copymode(source, target)
    return target


def _written_parts(file: int) -> Iterator[tuple[int, int]]:
    """Start and end of each part of a file that was written; the whole file where the system cannot say."""
    size = os.fstat(file).st_size
    if not hasattr(os, "SEEK_DATA"):
        yield 0, size
        return
    at = 0
    while at < size:
        try:
            at = os.lseek(file, at, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:  # only a hole is left
                return
            yield at, size
            return
        end = os.lseek(file, at, os.SEEK_HOLE)
        yield at, end
        at = end


def _patch_ini(path: Path, copy: AvdCopy) -> None:
    """Let the names and paths in an ini file mean the copy, also those of another computer or system."""
    folder = re.compile(rf"^.*[/\\]{re.escape(copy.original.folder.name)}(?=[/\\]|$)")
    lines = []
    for line in path.read_text("utf-8", "surrogateescape").splitlines():
        key, equals, value = line.partition("=")
        text = value.strip()
        space = " " if value.startswith(" ") else ""
        if equals and key.strip() in _NAMES:
            line = f"{key}={space}{copy.name}"
        elif equals and (match := folder.match(text)):
            line = f"{key}={space}{copy.folder}{text[match.end() :].replace(chr(92), '/')}"
        lines.append(line)
    path.write_text("\n".join(lines) + "\n", "utf-8", "surrogateescape", newline="\n")


def _detach_disk(path: Path, original: Avd) -> None:
    """Let a disk of the copy stand on the copy's base image, where it names the original's by its path.

    A qcow2 file keeps the path of its base as plain text; the file name alone is shorter and means the file
    beside it.
    """
    with path.open("r+b") as file:
        head = file.read(20)
        if len(head) < 20 or head[:4] != _QCOW2:
            return
        offset, length = struct.unpack_from(">QI", head, 8)
        if not offset or not 0 < length < 1024:
            return
        file.seek(offset)
        base = file.read(length).decode("utf-8", "surrogateescape")
        folder, _separator, name = base.replace("\\", "/").rpartition("/")
        if folder.rpartition("/")[2] != original.folder.name or not (path.parent / name).exists():
            return
        data = name.encode("utf-8", "surrogateescape")
        file.seek(offset)
        file.write(data.ljust(length, b"\0"))
        file.seek(16)
        file.write(struct.pack(">I", len(data)))


def _not_copied(original: Avd, error: Exception) -> UserError:
    why = str(error)
    if isinstance(error, OSError) and error.strerror:
        why = f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return UserError(
        _("The emulator image (AVD) {name} cannot be copied", name=original.name),
        why,
        _("Free some space, or set XDG_CACHE_HOME to a folder on a larger disk"),
    )
