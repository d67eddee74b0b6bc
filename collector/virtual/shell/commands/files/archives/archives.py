"""``tar``: archives of files, plain or compressed."""

from __future__ import annotations

import gzip
import io
import posixpath
import stat
import tarfile
import zlib
from collections.abc import Iterator

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_MAX_SIZE = 256 * 1024 * 1024
_GZIP = b"\x1f\x8b"


@command("tar")
def tar(process: Process) -> int:
    """Create (``-c``), list (``-t``) or extract (``-x``) an archive; ``-z`` with gzip."""
    words = list(process.arguments)
    if words and words[0][:1] != "-":
        words[0] = "-" + words[0]
    options = read_options("tar", words, "ctxzvOkmop", "fC")
    chosen = [letter for letter in "ctx" if letter in options]
    if len(chosen) != 1:
        raise CommandError('tar: Needs -txc (see "tar --help")')
    if "C" in options:
        place = process.path(options.get("C"))
        if not process.machine.files.exists(place):
            raise CommandError(f"tar: can't chdir to {options.get('C')}: No such file or directory")
    else:
        place = process.shell.directory
    return _create(process, options, place) if chosen == ["c"] else _read(process, options, place)


def _create(process: Process, options: CommandOptions, place: str) -> int:
    if not options.operands:
        raise CommandError("tar: empty archive")
    target, status = io.BytesIO(), 0
    with tarfile.open(fileobj=target, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name in options.operands:
            path = name if name.startswith("/") else f"{place.rstrip('/')}/{name}"
            try:
                for inner, entry in list(process.machine.files.walk(path)):
                    _add(
                        process,
                        archive,
                        name.rstrip("/") + inner[len(path) :],
                        inner,
                        entry.mode,
                        entry.mtime,
                    )
                    if "v" in options:
                        shown = (name.rstrip("/") + inner[len(path) :]).lstrip("/")
                        process.err(shown + "/" * entry.is_directory)
            except OSError as error:
                process.err(f"tar: {name}: {reason(error)}")
                status = 1
    data = target.getvalue()
    data = gzip.compress(data, mtime=0) if "z" in options else data
    if options.get("f", "-") == "-":
        process.stdout.write(data)
    else:
        process.machine.files.write(process.path(options.get("f")), data)
    return status


def _add(process: Process, archive: tarfile.TarFile, name: str, path: str, mode: int, mtime: float) -> None:
    member = tarfile.TarInfo(name.lstrip("/"))
    member.mode, member.mtime = stat.S_IMODE(mode), int(mtime)
    member.uid = member.gid = 2000
    if stat.S_ISDIR(mode):
        member.type = tarfile.DIRTYPE
        archive.addfile(member)
    elif stat.S_ISLNK(mode):
        member.type = tarfile.SYMTYPE
        member.linkname = process.machine.files.entry(path, follow=False).target
        archive.addfile(member)
    else:
        data = process.machine.files.read(path)
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))


def _read(process: Process, options: CommandOptions, place: str) -> int:
    name = options.get("f", "-")
    data = process.input() if name == "-" else process.machine.files.read(process.path(name))
    try:
        if data[:2] == _GZIP:
            data = zlib.decompressobj(31).decompress(data, _MAX_SIZE)
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for member in _wanted(archive, options.operands):
                _take(process, options, archive, member, place)
    except (tarfile.TarError, zlib.error, EOFError):
        raise CommandError("tar: Not tar") from None
    return 0


def _wanted(archive: tarfile.TarFile, names: list[str]) -> Iterator[tarfile.TarInfo]:
    plain = [name.rstrip("/") for name in names]
    for member in archive:
        if not plain or any(member.name == name or member.name.startswith(f"{name}/") for name in plain):
            yield member


def _take(
    process: Process, options: CommandOptions, archive: tarfile.TarFile, member: tarfile.TarInfo, place: str
) -> None:
    shown = member.name + "/" * member.isdir()
    if "t" in options:
        process.line(shown)
        return
    if "v" in options:
        process.err(shown)
    parts = member.name.split("/")
    if ".." in parts:
        process.err(f"tar: skip {member.name}")
        return
    files = process.machine.files
    path = f"{place.rstrip('/')}/{member.name.lstrip('/')}"
    if member.isdir():
        files.make_directory(path, parents=True, mode=member.mode)
        return
    files.make_directory(posixpath.dirname(path), parents=True)
    if member.issym():
        files.link(member.linkname, path)
    elif member.isreg() and (source := archive.extractfile(member)):
        content = source.read()
        if "O" in options:
            process.stdout.write(content)
            return
        files.write(path, content)
        files.change(path, mode=member.mode, mtime=member.mtime)
