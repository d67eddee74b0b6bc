"""Checksums, encodings and compression."""

from __future__ import annotations

import base64
import gzip
import hashlib
import zlib

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_DIGESTS = {
    "md5sum": "md5",
    "sha1sum": "sha1",
    "sha224sum": "sha224",
    "sha256sum": "sha256",
    "sha384sum": "sha384",
    "sha512sum": "sha512",
}


@command(*_DIGESTS)
def digest(process: Process) -> int:
    """Print checksums of files; ``-b`` without their names."""
    options = read_options(process.name, process.arguments, "bcs")
    status = 0
    for name in options.operands or ["-"]:
        try:
            data = process.input() if name == "-" else process.machine.files.read(process.path(name))
        except OSError as error:
            process.err(f"{process.name}: {name}: {reason(error)}")
            status = 1
            continue
        value = hashlib.new(_DIGESTS[process.name], data, usedforsecurity=False).hexdigest()
        process.line(value if "b" in options else f"{value}  {name}")
    return status


@command("base64")
def base64_(process: Process) -> int:
    """Encode as base 64, or decode with ``-d``."""
    options = read_options("base64", process.arguments, "di", "w")
    name = options.operands[0] if options.operands else "-"
    data = process.input() if name == "-" else process.machine.files.read(process.path(name))
    if "d" in options:
        try:
            process.stdout.write(base64.b64decode(b"".join(data.split())))
        except ValueError:
            raise CommandError("base64: bad input") from None
        return 0
    text = base64.b64encode(data)
    width = options.number("w", 76, "base64") or len(text) or 1
    for start in range(0, len(text), width):
        process.stdout.write(text[start : start + width] + (b"\n" if options.get("w") != "0" else b""))
    return 0


@command("gzip", "gunzip", "zcat")
def gzip_(process: Process) -> int:
    """Compress (``-d``: decompress) stdin or a file; ``-c`` writes to stdout."""
    options = read_options(process.name, process.arguments, "cdfkqt123456789")
    expand = "d" in options or process.name != "gzip"
    level = next((int(digit) for digit in "123456789" if digit in options), 6)
    for name in options.operands or ["-"]:
        data = process.input() if name == "-" else process.machine.files.read(process.path(name))
        try:
            result = gzip.decompress(data) if expand else gzip.compress(data, level, mtime=0)
        except (OSError, EOFError, zlib.error):
            raise CommandError(f"{process.name}: bad input") from None
        if name == "-" or "c" in options or process.name == "zcat":
            process.stdout.write(result)
            continue
        path = process.path(name)
        process.machine.files.write(path.removesuffix(".gz") if expand else path + ".gz", result)
        if "k" not in options:
            process.machine.files.remove(path)
    return 0
