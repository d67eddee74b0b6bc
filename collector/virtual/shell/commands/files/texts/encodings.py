"""Bytes as text and back, and texts in other encodings: ``uuencode``, ``uudecode``, ``iconv``."""

from __future__ import annotations

import binascii
import re

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_BEGIN = re.compile(rb"begin(-base64)? ([0-7]{1,4}) (.+)")
_LINE, _BASE64_LINE = 45, 57
"""Bytes on a line."""
_CODECS = {
    "ascii": "ascii", "us-ascii": "ascii", "utf8": "utf-8", "utf-8": "utf-8", "utf16": "utf-16-be",
    "utf-16": "utf-16-be", "utf16be": "utf-16-be", "utf-16be": "utf-16-be", "utf16le": "utf-16-le",
    "utf-16le": "utf-16-le", "utf32": "utf-32-be", "utf-32": "utf-32-be", "utf32be": "utf-32-be",
    "utf-32be": "utf-32-be", "utf32le": "utf-32-le", "utf-32le": "utf-32-le", "wchar_t": "utf-32-le",
}  # fmt: skip
"""The encodings of Android's C library."""


def _input(process: Process, name: str) -> bytes:
    try:
        return process.input() if name == "-" else process.machine.files.read(process.path(name))
    except OSError as error:
        raise CommandError(f"{process.name}: {name}: {reason(error)}") from None


@command("uuencode")
def uuencode(process: Process) -> int:
    """Write a file as letters, with the name for its copy; ``-m`` as Base64."""
    options = read_options("uuencode", process.arguments, "m")
    words = options.operands
    if not words:
        raise CommandError('uuencode: Needs 1 argument (see "uuencode --help")')
    data = _input(process, words[0] if len(words) > 1 else "-")
    base64 = "m" in options
    process.line(f"begin{'-base64' if base64 else ''} 744 {words[-1]}")
    size = _BASE64_LINE if base64 else _LINE
    for start in range(0, len(data), size):
        part = data[start : start + size]
        line = binascii.b2a_base64(part) if base64 else binascii.b2a_uu(part, backtick=True)
        process.stdout.write(line)
    process.line("====" if base64 else "end")
    return 0


@command("uudecode")
def uudecode(process: Process) -> int:
    """Read what ``uuencode`` wrote, into the file that it names, or that of ``-o``."""
    options = read_options("uudecode", process.arguments, "", "o")
    name = options.operands[0] if options.operands else "-"
    try:
        data = _input(process, name)
    except CommandError as error:
        raise CommandError(str(error).replace(f"{name}:", f"No file {name}:", 1)) from None
    lines = iter(data.splitlines())
    head = next((match for line in lines if (match := _BEGIN.fullmatch(line))), None)
    if head is None:
        raise CommandError("uudecode: no begin line")
    result = bytearray()
    for line in lines:
        if line in (b"end", b"===="):
            break
        try:
            result += binascii.a2b_base64(line) if head[1] else binascii.a2b_uu(line)
        except binascii.Error:
            raise CommandError("uudecode: bad input") from None
    target = options.get("o") or head[3].decode("utf-8", "surrogateescape")
    if target == "-":
        process.stdout.write(bytes(result))
        return 0
    path = process.path(target)
    try:
        process.machine.files.write(path, bytes(result))
        process.machine.files.change(path, mode=int(head[2], 8) & 0o777)
    except OSError as error:
        raise CommandError(f"uudecode: {target}: {reason(error)}") from None
    return 0


def _codec(options: CommandOptions, letter: str) -> str | None:
    return _CODECS.get((options.get(letter) or "utf-8").lower().partition("//")[0])


@command("iconv")
def iconv(process: Process) -> int:
    """Write texts in another encoding; a byte that is no letter stays, ``-c`` leaves it out."""
    options = read_options("iconv", process.arguments, "cs", "ft")
    source, target = _codec(options, "f"), _codec(options, "t")
    if source is None or target is None:
        names = "/".join(options.get(letter) or "UTF-8" for letter in "tf")
        raise CommandError(f"iconv: {names}: Invalid argument")
    status = 0
    for name in options.operands or ["-"]:
        try:
            data = _input(process, name)
        except CommandError as error:
            process.err(str(error))
            status = 1
            continue
        process.stdout.write(_converted(data, source, target, drops="c" in options))
    return status


def _converted(data: bytes, source: str, target: str, *, drops: bool) -> bytes:
    result = bytearray()
    while data:
        try:
            text, bad, rest = data.decode(source), b"", b""
        except UnicodeDecodeError as error:
            text = data[: error.start].decode(source)
            bad, rest = data[error.start : error.start + 1], data[error.start + 1 :]
        for letter in text:
            try:
                result += letter.encode(target)
            except UnicodeEncodeError:
                result += b"" if drops else letter.encode(source)
        result += b"" if drops else bad
        data = rest
    return bytes(result)
