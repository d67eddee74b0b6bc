"""``xxd``: bytes as hexadecimal digits, and back."""

from __future__ import annotations

import re

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_PLAIN_WIDTH, _WIDTH, _INCLUDED = 30, 16, 12
"""Bytes on a line: without decoration, with it, and of C's source text."""


@command("xxd", "hexdump")
def xxd(process: Process) -> int:
    """Print bytes as hexadecimal; ``-p`` without decoration, ``-i`` as C, ``-r`` back to bytes."""
    options = read_options(process.name, process.arguments, "pirC", "cglos")
    name = options.operands[0] if options.operands else "-"
    try:
        data = process.input() if name == "-" else process.machine.files.read(process.path(name))
    except OSError as error:
        raise CommandError(f"{process.name}: {name}: {reason(error)}") from None
    if "r" in options:
        process.stdout.write(_back(data, is_plain="p" in options))
        return 0
    skipped = options.number("s", 0, process.name)
    data = data[skipped:][: options.number("l", len(data), process.name)]
    if "i" in options:
        process.out(_source(data, name))
    elif "p" in options:
        width = options.number("c", _PLAIN_WIDTH, process.name) or len(data) or 1
        for start in range(0, len(data), width):
            process.line(data[start : start + width].hex())
    else:
        _dump(process, options, data, skipped + options.number("o", 0, process.name))
    return 0


def _dump(process: Process, options: CommandOptions, data: bytes, offset: int) -> None:
    width = options.number("c", _WIDTH, process.name) or _WIDTH
    group = options.number("g", 2, process.name) or width
    room = width * 2 + (width - 1) // group
    for start in range(0, len(data), width):
        row = data[start : start + width]
        pairs = " ".join(row[at : at + group].hex() for at in range(0, len(row), group))
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        process.line(f"{offset + start:08x}: {pairs:<{room}}  {shown}")


def _source(data: bytes, name: str) -> str:
    rows = [data[start : start + _INCLUDED] for start in range(0, len(data), _INCLUDED)]
    body = ",\n".join("  " + ", ".join(f"0x{byte:02x}" for byte in row) for row in rows)
    if name == "-":
        return f"{body}\n" if rows else ""
    label = re.sub(r"\W", "_", name)
    return (
        f"unsigned char {label}[] = {{\n{body}{chr(10) if rows else ''}}};\n"
        f"unsigned int {label}_len = {len(data)};\n"
    )


def _back(data: bytes, *, is_plain: bool) -> bytes:
    result = bytearray()
    for line in data.decode("latin-1").splitlines():
        digits = line
        if not is_plain:
            _offset, _colon, rest = line.partition(":")
            digits = rest.lstrip().partition("  ")[0]
        pairs = re.findall("[0-9A-Fa-f]{2}", re.sub(r"\s", "", digits))
        result += bytes(int(pair, 16) for pair in pairs)
    return bytes(result)
