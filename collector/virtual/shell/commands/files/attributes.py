"""``install``, ``mknod`` and the attributes of files: ``lsattr``, ``chattr``, ``setfattr``, ``getfattr``."""

from __future__ import annotations

import re

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_OPERATORS = ("-", "+", "=")
_ATTRIBUTES = "AaCcDdEeFIijNPSsTtuV"
_NOT_PERMITTED, _NO_IOCTL = "Operation not permitted", "Inappropriate ioctl for device"


def _mode(command_name: str, text: str) -> int:
    if not re.fullmatch("[0-7]{1,4}", text):
        raise CommandError(f"{command_name}: bad mode '{text}'")
    return int(text, 8)


@command("install")
def install(process: Process) -> int:
    """Copy files and give them a mode, 755 without ``-m``; ``-d`` makes folders, ``-D`` those on the way."""
    options = read_options("install", process.arguments, "cdDpsv", "gomt")
    words, files = list(options.operands), process.machine.files
    mode = _mode("install", options.get("m") or "755")
    if "d" in options:
        return _make_folders(process, words, mode, options)
    if not words:
        raise CommandError('install: Needs 1 argument (see "install --help")')
    target = options.get("t") or (words.pop() if len(words) > 1 else "")
    if not target:
        raise CommandError("install: Needs 2 arguments")
    place = process.path(target)
    is_folder = files.exists(place) and files.entry(place).is_directory
    if not is_folder and (len(words) > 1 or "t" in options):
        raise CommandError(f"install: '{target}' not directory")
    if not is_folder and target.endswith("/"):
        raise CommandError(f"install: {target}: Is a directory")
    status = 0
    for name in words:
        path = f"{place.rstrip('/')}/{name.rpartition('/')[2]}" if is_folder else place
        try:
            entry, data = files.entry(process.path(name)), files.read(process.path(name))
        except OSError as error:
            process.err(f"install: bad '{name}': {reason(error)}")
            status = 1
            continue
        if "v" in options:
            process.line(f"install '{name}'")
        try:
            if "D" in options:
                files.make_directory(path.rpartition("/")[0], parents=True)
            files.write(path, data)
            files.change(path, mode=mode, mtime=entry.mtime if "p" in options else None)
        except OSError as error:
            process.err(f"install: {target}: {reason(error)}")
            status = 1
    return status


def _make_folders(process: Process, words: list[str], mode: int, options: CommandOptions) -> int:
    status = 0
    for name in words:
        if "v" in options:
            process.line(name)
        try:
            process.machine.files.make_directory(process.path(name), parents=True, mode=mode)
        except OSError as error:
            process.err(f"install: bad '{name}': {reason(error)}")
            status = 1
    return status


@command("mknod")
def mknod(process: Process) -> int:
    """Make a named pipe (``p``); devices are root's to make."""
    options = read_options("mknod", process.arguments, "", "mZ")
    if len(options.operands) < 2:
        raise CommandError('mknod: Need 2 arguments (see "mknod --help")')
    name, kind, *numbers = options.operands
    missing = "No such file or directory"  # what errno says at that place, in toybox too
    if kind not in ("p", "b", "c", "u"):
        raise CommandError(f"mknod: bad type '{kind}': {missing}")
    if kind != "p" and len(numbers) != 2:
        raise CommandError(f"mknod: need major/minor: {missing}")
    if kind != "p":
        raise CommandError(f"mknod: {name}: {_NOT_PERMITTED}")
    try:
        process.machine.files.make_pipe(process.path(name), _mode("mknod", options.get("m") or "644"))
    except OSError as error:
        raise CommandError(f"mknod: {name}: {reason(error)}") from None
    return 0


@command("lsattr")
def lsattr(process: Process) -> int:
    """List the attributes of files; the file systems of the phone have none."""
    status, files = 0, process.machine.files
    options = read_options("lsattr", process.arguments, "Radlpv")
    for name in options.operands or ["."]:
        try:
            entry = files.entry(process.path(name))
        except OSError as error:
            process.err(f"lsattr: stat '{name}': {reason(error)}")
            status = 1
            continue
        inner = [name]
        if entry.is_directory and "d" not in options:
            inner = [f"{name}/{item}" for item, _entry in files.list(process.path(name))]
        for path in inner:
            process.err(f"lsattr: reading '{path}': {_NO_IOCTL}")
            status = 1
    return status


@command("chattr")
def chattr(process: Process) -> int:
    """Change attributes of files; the file systems of the phone have none."""
    words = [word for word in process.arguments if word not in ("-R", "-f")]
    if not words:
        raise CommandError('chattr: no file (see "chattr --help")')
    if not words[0].startswith(_OPERATORS):
        raise CommandError("chattr: need '-p', '-v', '=', '-', or '+'")
    while words and words[0].startswith(_OPERATORS):
        strange = next((letter for letter in words[0][1:] if letter not in _ATTRIBUTES), "")
        if strange:
            raise CommandError(f"chattr: bad '{strange}' (see \"chattr --help\")")
        words.pop(0)
    if not words:
        raise CommandError('chattr: no file (see "chattr --help")')
    for name in words:
        try:
            process.machine.files.entry(process.path(name))
        except OSError as error:
            process.err(f"chattr: {name}: {reason(error)}")
        else:
            process.err(f"chattr: {name}: setting flags failed: {_NO_IOCTL}")
    return 1


@command("setfattr", "getfattr")
def extended(process: Process) -> int:
    """Extended attributes, of which the shared storage keeps none."""
    is_reading = process.name == "getfattr"
    options = read_options(
        process.name, process.arguments, "dh" if is_reading else "h", "n" if is_reading else "nvx"
    )
    if not is_reading and not ("n" in options or "x" in options):
        raise CommandError('setfattr: Needs -xn (see "setfattr --help")')
    status = 0
    for name in options.operands:
        refused = "Operation not supported" if not is_reading else ""
        try:
            process.machine.files.entry(process.path(name))
        except OSError as error:
            refused = reason(error)
        if refused:
            process.err(f"{process.name}: {name}: {refused}")
            status = 1
    return status
