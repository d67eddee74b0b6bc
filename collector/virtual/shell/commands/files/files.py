"""``ls``, ``cat``, ``rm``, ``mkdir``, ``stat`` and the like, with the output of toybox."""

from __future__ import annotations

import os
import posixpath
import stat
import time
from collections.abc import Callable

from collector.virtual.shell.files import FileEntry
from collector.virtual.shell.kernel_files.endless_files import endless_file
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.process_table import Interrupted
from collector.virtual.shell.registry import command

_BLOCK = 1 << 16
_OWNERS = {0: "root", 1000: "system", 2000: "shell"}


def reason(error: OSError) -> str:
    """Error text such as ``No such file or directory``."""
    return os.strerror(error.errno or 0)


def mode_text(mode: int) -> str:
    """Mode text such as ``drwxrwx--x``."""
    return stat.filemode(mode)


def owner(number: int) -> str:
    """The name of a user or group."""
    return _OWNERS.get(number, f"u0_a{number - 10000}" if number >= 10000 else str(number))


@command("ls")
def ls(process: Process) -> int:
    """List folders: ``-l`` long, ``-a`` and ``-A`` hidden files, ``-d`` the folder itself, ``-R``
    recursive."""
    options = read_options("ls", process.arguments, "laAdR1rtShniFpsHLq", "")
    operands = options.operands or ["."]
    status = 0
    folders: list[tuple[str, FileEntry]] = []
    plain: list[tuple[str, FileEntry]] = []
    for name in operands:
        try:
            entry = process.machine.files.entry(
                process.path(name), follow="l" not in options or name.endswith("/")
            )
            process.machine.files.entry(process.path(name), follow=False)
        except OSError as error:
            process.err(f"ls: {name}: {reason(error)}")
            status = 1
            continue
        (folders if entry.is_directory and "d" not in options else plain).append((name, entry))
    if plain:
        _print_entries(process, plain, options)
    for name, _entry in folders:
        status |= _list_folder(process, name, options, heading=len(operands) > 1 or "R" in options)
    return status


def _list_folder(process: Process, name: str, options: CommandOptions, *, heading: bool) -> int:
    try:
        entries = process.machine.files.list(process.path(name))
    except OSError as error:
        process.err(f"ls: {name}: {reason(error)}")
        return 1
    if heading:
        process.line(f"{name}:" if name == options.operands[0] or not options.operands else f"\n{name}:")
    if "a" in options:
        folder = process.machine.files.entry(process.path(name))
        entries = [(".", folder), ("..", folder), *entries]
    elif "A" not in options:
        entries = [entry for entry in entries if not entry[0].startswith(".")]
    if "l" in options:
        process.line(f"total {sum(_blocks(entry) for _name, entry in entries)}")
    _print_entries(process, entries, options)
    status = 0
    for child, entry in entries if "R" in options else []:
        if entry.is_directory and child not in (".", ".."):
            status |= _list_folder(process, f"{name.rstrip('/')}/{child}", options, heading=True)
    return status


def _blocks(entry: FileEntry) -> int:
    return 4 if entry.is_directory else (entry.size + 1023) // 1024


def _print_entries(process: Process, entries: list[tuple[str, FileEntry]], options: CommandOptions) -> None:
    if "t" in options:
        entries = sorted(entries, key=lambda listed: -listed[1].mtime)
    elif "S" in options:
        entries = sorted(entries, key=lambda listed: -listed[1].size)
    if "r" in options:
        entries = entries[::-1]
    width = max((len(str(entry.size)) for _name, entry in entries), default=0)
    for name, entry in entries:
        if "l" not in options:
            process.line(f"{entry.inode} {name}" if "i" in options else name)
            continue
        modified = time.strftime("%Y-%m-%d %H:%M", time.gmtime(entry.mtime))
        arrow = f" -> {entry.target}" if entry.is_link else ""
        links = 2 + len(entry.children) if entry.is_directory else 1
        owners = f"{owner(entry.uid)} {owner(entry.gid)}"
        process.line(
            f"{mode_text(entry.mode)} {links} {owners} {entry.size:>{width}} {modified} {name}{arrow}"
        )


@command("cat")
def cat(process: Process) -> int:
    """Print files or stdin; ``-v`` what cannot be seen, ``-e`` ends of lines, ``-t`` tabs."""
    status = 0
    options = read_options("cat", process.arguments, "etuv")
    marks = "".join(letter for letter in "etv" if letter in options)
    for name in options.operands or ["-"]:
        if name in ("-", "/dev/stdin", "/proc/self/fd/0"):
            while part := process.stdin.read():
                process.stdout.write(_visible(part, marks))
            continue
        try:
            path = process.path(name)
            if endless := endless_file(path):
                _copy_endless(process, endless)
            process.stdout.write(_visible(process.machine.files.read(path), marks))
        except BrokenPipeError:
            raise
        except OSError as error:
            process.err(f"cat: {name}: {reason(error)}")
            status = 1
    return status


def _visible(data: bytes, marks: str) -> bytes:
    """Bytes as ``cat -v``, ``-e`` and ``-t`` show them."""
    if not marks:
        return data
    shown = bytearray()
    for byte in data:
        if byte == 10:
            shown += b"$\n" if "e" in marks else b"\n"
            continue
        if "v" in marks and byte > 127:
            shown += b"M-"
            byte -= 128
        if byte == 9 and "t" not in marks:
            shown.append(byte)
        elif ("v" in marks and (byte < 32 or byte == 127)) or byte == 9:
            shown += b"^" + bytes((byte ^ 64,))
        else:
            shown.append(byte)
    return bytes(shown)


def _copy_endless(process: Process, generate: Callable[[int], bytes]) -> None:
    while not process.interruption.is_set:
        process.stdout.write(generate(_BLOCK))
    raise Interrupted


@command("rm")
def rm(process: Process) -> int:
    """Remove files; ``-r`` also folders, ``-f`` without errors for missing ones."""
    options = read_options("rm", process.arguments, "rRfiv")
    if not options.operands and "f" not in options:
        raise CommandError('rm: Needs 1 argument (see "rm --help")')
    status = 0
    for name in options.operands:
        try:
            process.machine.files.remove(process.path(name), recursive="r" in options or "R" in options)
        except FileNotFoundError as error:
            if "f" not in options:
                process.err(f"rm: {name}: {reason(error)}")
                status = 1
        except OSError as error:
            process.err(f"rm: {name}: {reason(error)}")
            status = 1
    return status


@command("rmdir")
def rmdir(process: Process) -> int:
    """Remove empty folders."""
    status = 0
    for name in read_options("rmdir", process.arguments, "p").operands:
        try:
            process.machine.files.remove_directory(process.path(name))
        except OSError as error:
            process.err(f"rmdir: {name}: {reason(error)}")
            status = 1
    return status


@command("mkdir")
def mkdir(process: Process) -> int:
    """Make folders; ``-p`` also their parents."""
    options = read_options("mkdir", process.arguments, "pv", "m")
    if not options.operands:
        raise CommandError('mkdir: Needs 1 argument (see "mkdir --help")')
    status = 0
    for name in options.operands:
        try:
            process.machine.files.make_directory(process.path(name), parents="p" in options)
        except OSError as error:
            process.err(f"mkdir: '{name}': {reason(error)}")
            status = 1
    return status


@command("chmod")
def chmod(process: Process) -> int:
    """Set permission bits, as a number or as in ``+x`` and ``a+r``."""
    words = [word for word in process.arguments if word not in ("-R", "-f", "-v")]
    if len(words) < 2:
        raise CommandError('chmod: Needs 2 arguments (see "chmod --help")')
    status = 0
    for name in words[1:]:
        try:
            path = process.path(name)
            before = process.machine.files.entry(path).mode
            process.machine.files.change(path, mode=_new_mode(words[0], before))
        except OSError as error:
            process.err(f"chmod: {name}: {reason(error)}")
            status = 1
    return status


def _new_mode(text: str, before: int) -> int:
    if text.isdecimal():
        return int(text, 8)
    classes, sign, bits = text.partition("+") if "+" in text else text.partition("-")
    value = sum({"r": 4, "w": 2, "x": 1}.get(letter, 0) for letter in bits)
    places = {"u": 6, "g": 3, "o": 0}
    mask = sum(
        value << places[letter]
        for letter in ("ugo" if not classes or "a" in classes else classes)
        if letter in places
    )
    if not sign or not bits:
        raise CommandError(f"chmod: bad mode '{text}'")
    return before | mask if sign == "+" else before & ~mask


@command("chown", "chgrp", "chcon", "restorecon")
def chown(process: Process) -> int:
    """Refuse: only root may change the owner."""
    target = process.arguments[-1] if process.arguments else ""
    raise CommandError(f"{process.name}: '{target}': Operation not permitted")


@command("stat")
def stat_(process: Process) -> int:
    """Describe files; ``-c FORMAT`` prints selected fields."""
    options = read_options("stat", process.arguments, "Lft", "c")
    status = 0
    for name in options.operands:
        try:
            entry = process.machine.files.entry(process.path(name), follow="L" in options)
        except OSError as error:
            process.err(f"stat: '{name}': {reason(error)}")
            status = 1
            continue
        if "c" in options:
            process.line(_stat_fields(options.get("c"), name, entry))
        else:
            process.out(_stat_block(name, entry))
    return status


def _kind(entry: FileEntry) -> str:
    if entry.is_directory:
        return "directory"
    if entry.is_link:
        return "symbolic link"
    if stat.S_ISCHR(entry.mode):
        return "character device"
    if stat.S_ISFIFO(entry.mode):
        return "FIFO (named pipe)"
    return "regular file" if entry.size else "regular empty file"


def _stat_fields(pattern: str, name: str, entry: FileEntry) -> str:
    values = {
        "n": name,
        "N": f"`{name}' -> `{entry.target}'" if entry.is_link else f"`{name}'",
        "s": entry.size,
        "a": f"{entry.mode & 0o7777:o}",
        "A": mode_text(entry.mode),
        "f": f"{entry.mode:x}",
        "F": _kind(entry),
        "i": entry.inode,
        "h": 1,
        "u": entry.uid,
        "g": entry.gid,
        "U": owner(entry.uid),
        "G": owner(entry.gid),
        "X": int(entry.mtime),
        "Y": int(entry.mtime),
        "Z": int(entry.mtime),
        "y": _stamp(entry),
        "b": (entry.size + 511) // 512,
        "%": "%",
    }
    pieces = pattern.split("%")
    out = pieces[0]
    after_percent = False
    for piece in pieces[1:]:
        if after_percent:
            out, after_percent = out + piece, False
        elif not piece:
            out, after_percent = out + "%", True
        else:
            out += str(values.get(piece[0], f"%{piece[0]}")) + piece[1:]
    return out


def _stamp(entry: FileEntry) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S.000000000 +0000", time.gmtime(entry.mtime))


def _stat_block(name: str, entry: FileEntry) -> str:
    arrow = f" -> '{entry.target}'" if entry.is_link else ""
    return (
        f"  File: '{name}'{arrow}\n"
        f"  Size: {entry.size}\t Blocks: {(entry.size + 511) // 512}\t IO Blocks: 512\t{_kind(entry)}\n"
        f"Device: fdh/253d\t Inode: {entry.inode}\t Links: 1\t Device type: 0,0\n"
        f"Access: ({entry.mode & 0o7777:04o}/{mode_text(entry.mode)})"
        f"\tUid: ({entry.uid:5}/{owner(entry.uid):>8})\tGid: ({entry.gid:5}/{owner(entry.gid):>8})\n"
        f"Access: {_stamp(entry)}\nModify: {_stamp(entry)}\nChange: {_stamp(entry)}\n"
    )


@command("readlink", "realpath")
def readlink(process: Process) -> int:
    """Print the target of a link."""
    options = read_options(process.name, process.arguments, "fenqm")
    for name in options.operands:
        path = process.path(name)
        if process.name == "realpath" or "f" in options:
            process.line(process.machine.files.resolve(path))
            continue
        entry = process.machine.files.entry(path, follow=False)
        if not entry.is_link:
            return 1
        process.line(entry.target)
    return 0


@command("basename", "dirname")
def basename(process: Process) -> int:
    """Print the last part of a path (``basename``) or the part before it (``dirname``)."""
    if not process.arguments:
        raise CommandError(f'{process.name}: Needs 1 argument (see "{process.name} --help")')
    if process.name == "dirname":
        for path in process.arguments:
            process.line(posixpath.dirname(path.rstrip("/")) or "." if path != "/" else "/")
        return 0
    options = read_options("basename", process.arguments, "a", "s")
    paths, suffix = options.operands, options.get("s")
    if not ("a" in options or "s" in options):
        if len(paths) > 2:
            raise CommandError('basename: Max 2 arguments (see "basename --help")')
        paths, suffix = paths[:1], "".join(paths[1:])
    for path in paths:
        name = posixpath.basename(path.rstrip("/")) or "/"
        process.line(name.removesuffix(suffix) if name != suffix else name)
    return 0


@command("du")
def du(process: Process) -> int:
    """Print the size of folders in kilobytes."""
    options = read_options("du", process.arguments, "shakmcd", "")
    for name in options.operands or ["."]:
        total = sum(_blocks(entry) for _path, entry in process.machine.files.walk(process.path(name)))
        process.line(f"{total}\t{name}")
    return 0
