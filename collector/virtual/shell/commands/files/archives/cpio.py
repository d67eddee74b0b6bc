"""``cpio``: archives of the files that are named on the input, in the format ``newc``."""

from __future__ import annotations

import posixpath
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.files import FileEntry
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_MAGIC, _HEAD, _FIELDS = b"070701", 110, 13
_END = "TRAILER!!!"
_SHELL_UID = 2000


@dataclass(frozen=True, slots=True)
class _Member:
    name: str
    mode: int
    mtime: int
    data: bytes
    """What is in a file, or the target of a link."""


@command("cpio")
def cpio(process: Process) -> int:
    """Create (``-o``), list (``-t``), extract (``-i``) or pass on (``-p DEST``) files."""
    options = read_options("cpio", process.arguments, "diouvtmp", "FH")
    if not {"o", "i", "t", "p"} & set(options.given):
        raise CommandError('cpio: Needs -otip (see "cpio --help")')
    if "o" in options:
        return _create(process, options)
    if "p" in options:
        return _pass_on(process, options)
    status = 0
    name = options.get("F") or "-"
    data = process.input() if name == "-" else process.machine.files.read(process.path(name))
    for member in _members(data):
        if "t" in options:
            process.line(member.name)
        else:
            status |= _extract(process, options, member, process.shell.directory)
    return status


def _listed(process: Process) -> Iterator[tuple[str, FileEntry]]:
    """Each file that the input names; one that is not there is said."""
    for name in process.input().decode("utf-8", "surrogateescape").splitlines():
        try:
            yield name, process.machine.files.entry(process.path(name), follow=False)
        except OSError as error:
            process.err(f"cpio: {name}: {reason(error)}")


def _member_of(process: Process, name: str, entry: FileEntry) -> _Member:
    data = b""
    if entry.is_link:
        data = entry.target.encode()
    elif not entry.is_directory:
        data = process.machine.files.read(process.path(name))
    return _Member(name, entry.mode, int(entry.mtime), data)


def _create(process: Process, options: CommandOptions) -> int:
    packed = bytearray()
    for number, (name, entry) in enumerate(_listed(process), 1):
        if "v" in options:
            process.err(name)
        packed += _packed(_member_of(process, name.lstrip("/"), entry), number)
    packed += _packed(_Member(_END, 0, 0, b""), 0)
    if options.get("F"):
        process.machine.files.write(process.path(options.get("F")), bytes(packed))
    else:
        process.stdout.write(bytes(packed))
    return 0


def _packed(member: _Member, number: int) -> bytes:
    name = member.name.encode("utf-8", "surrogateescape") + b"\0"
    owner = _SHELL_UID if number else 0
    numbers = (number, member.mode, owner, owner, 1, member.mtime, len(member.data), 0, 0, 0, 0, len(name), 0)
    head = _MAGIC + "".join(f"{value:08X}" for value in numbers).encode() + name
    return head + bytes(-len(head) % 4) + member.data + bytes(-len(member.data) % 4)


def _members(data: bytes) -> Iterator[_Member]:
    place = 0
    while True:
        head = data[place : place + _HEAD]
        try:
            if len(head) < _HEAD or head[:6] not in (_MAGIC, b"070702"):
                raise ValueError
            numbers = [int(head[6 + 8 * at : 14 + 8 * at], 16) for at in range(_FIELDS)]
        except ValueError:
            raise CommandError("cpio: bad header") from None
        size, length = numbers[6], numbers[11]
        name = data[place + _HEAD : place + _HEAD + length - 1].decode("utf-8", "surrogateescape")
        if name == _END:
            return
        place += (_HEAD + length + 3) // 4 * 4
        yield _Member(name, numbers[1], numbers[5], data[place : place + size])
        place += (size + 3) // 4 * 4


def _extract(process: Process, options: CommandOptions, member: _Member, place: str) -> int:
    """Put a member below a folder; 1 when that fails."""
    files, path = process.machine.files, f"{place.rstrip('/')}/{member.name.lstrip('/')}"
    if "v" in options:
        process.line(member.name)
    if ".." in member.name.split("/"):
        process.err(f"cpio: skip {member.name}")
        return 1
    is_new = not (stat.S_ISDIR(member.mode) or stat.S_ISLNK(member.mode))
    try:
        if "d" in options:
            files.make_directory(posixpath.dirname(path), parents=True)
        if "u" in options and files.exists(path) and not files.entry(path, follow=False).is_directory:
            files.remove(path)
        _put(process, member, path, keeps="u" in options)
    except OSError as error:
        process.err(f"cpio: {'create ' if is_new else ''}{member.name}: {reason(error)}")
        return 1
    return 0


def _put(process: Process, member: _Member, path: str, *, keeps: bool) -> None:
    files = process.machine.files
    if stat.S_ISDIR(member.mode):
        if not (keeps and files.exists(path)):
            files.make_directory(path, mode=member.mode & 0o7777)
    elif stat.S_ISLNK(member.mode):
        files.link(member.data.decode(), path)
    elif files.exists(path):
        raise FileExistsError(17, "File exists", path)
    else:
        files.write(path, member.data)
        files.change(path, mode=member.mode & 0o7777, mtime=float(member.mtime))


def _pass_on(process: Process, options: CommandOptions) -> int:
    if not options.operands:
        raise CommandError('cpio: Needs 1 argument (see "cpio --help")')
    name = options.operands[0]
    target, files = process.path(name), process.machine.files
    if "d" in options:
        files.make_directory(target, parents=True)
    if not files.exists(target):
        raise CommandError(f"cpio: chdir '{name}': No such file or directory")
    status = 0
    for listed, entry in _listed(process):
        status |= _extract(process, options, _member_of(process, listed, entry), target)
    return status
