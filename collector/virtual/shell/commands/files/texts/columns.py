"""toybox's programs for lines and columns: ``paste``, ``comm``, ``nl``, ``tac``, ``rev``, ``split``."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _texts(process: Process, names: list[str]) -> Iterator[bytes]:
    """The content of each file, of stdin for ``-`` or without names; a missing one is reported."""
    for name in names or ["-"]:
        try:
            yield process.input() if name == "-" else process.machine.files.read(process.path(name))
        except OSError as error:
            raise CommandError(f"{process.name}: {name}: {reason(error)}") from None


def _lines(process: Process, names: list[str]) -> list[bytes]:
    """The lines of all files without their ends."""
    return [line for text in _texts(process, names) for line in text.splitlines()]


@command("tac")
def tac(process: Process) -> int:
    """Print lines in reverse order."""
    for text in _texts(process, process.arguments):
        process.stdout.write(b"".join(line + b"\n" for line in reversed(text.splitlines())))
    return 0


@command("rev")
def rev(process: Process) -> int:
    """Print the bytes of each line in reverse order, as toybox does."""
    for line in _lines(process, process.arguments):
        process.stdout.write(line[::-1] + b"\n")
    return 0


@command("nl")
def nl(process: Process) -> int:
    """Number lines: ``-b a`` all, ``-v`` the first number, ``-w`` the width, ``-s`` what follows it."""
    options = read_options("nl", process.arguments, "E", "bnlsvw")
    width, number = max(1, options.number("w", 6, "nl")), max(1, options.number("v", 1, "nl"))
    separator = options.get("s") or "\t"
    for line in _lines(process, options.operands):
        if line or options.get("b") == "a":
            process.stdout.write(f"{number:{width}}{separator}".encode() + line + b"\n")
            number += 1
        else:
            process.line(" " * (width + len(separator)))
    return 0


@command("expand")
def expand(process: Process) -> int:
    """Replace tabs by spaces, ``-t`` columns apart."""
    options = read_options("expand", process.arguments, "", "t")
    columns = max(1, options.number("t", 8, "expand"))
    for text in _texts(process, options.operands):
        process.stdout.write(text.expandtabs(columns))
    return 0


@command("paste")
def paste(process: Process) -> int:
    """Put lines of files side by side; ``-s`` the lines of one, ``-d`` with other separators."""
    options = read_options("paste", process.arguments, "s", "d")
    separators = (options.get("d") or "\t").encode().decode("unicode_escape")
    names = options.operands or ["-"]
    shared = iter(process.input().splitlines()) if "-" in names else iter(())
    try:
        sources = [
            shared if name == "-" else iter(process.machine.files.read(process.path(name)).splitlines())
            for name in names
        ]
    except OSError:
        raise CommandError("paste: Bad file descriptor") from None
    if "s" in options:
        for source in sources:
            process.stdout.write(_joined(list(source), separators))
        return 0
    while any(row := [next(source, None) for source in sources]) or any(cell is not None for cell in row):
        process.stdout.write(_joined([cell or b"" for cell in row], separators))
    return 0


def _joined(cells: list[bytes], separators: str) -> bytes:
    parts = [cells[0]] if cells else []
    for separator, cell in zip(itertools.cycle(separators), cells[1:], strict=False):
        parts += [separator.encode(), cell]
    return b"".join(parts) + b"\n"


@command("comm")
def comm(process: Process) -> int:
    """Compare sorted files: only in the first, only in the second, in both."""
    options = read_options("comm", process.arguments, "123")
    if len(options.operands) != 2:
        raise CommandError('comm: Need 2 arguments (see "comm --help")')
    left, right = (_lines(process, [name]) for name in options.operands)
    while left or right:
        if not right or (left and left[0] < right[0]):
            column, line = 1, left.pop(0)
        elif not left or right[0] < left[0]:
            column, line = 2, right.pop(0)
        else:
            column, line = 3, left.pop(0)
            right.pop(0)
        if str(column) not in options:
            process.stdout.write(
                b"\t" * sum(str(one) not in options for one in range(1, column)) + line + b"\n"
            )
    return 0


@command("strings")
def strings(process: Process) -> int:
    """Print runs of at least ``-n`` printable characters."""
    options = read_options("strings", process.arguments, "afo", "nt")
    least = max(1, options.number("n", 4, "strings"))
    for text in _texts(process, options.operands):
        for run in re.findall(rb"[\x20-\x7e\t]{%d,}" % least, text):
            process.stdout.write(run + b"\n")
    return 0


@command("split")
def split(process: Process) -> int:
    """Write ``-l`` lines or ``-b`` bytes each to files named ``xaa``, ``xab`` and so on."""
    options = read_options("split", process.arguments, "", "abln")
    names = [*options.operands, "-", "x"][:2] if len(options.operands) != 1 else [options.operands[0], "x"]
    (text,) = _texts(process, names[:1])
    if size := options.number("b", 0, "split"):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
    else:
        lines, count = text.splitlines(keepends=True), max(1, options.number("l", 1000, "split"))
        pieces = [b"".join(lines[at : at + count]) for at in range(0, len(lines), count)]
    endings = itertools.product(_LETTERS, repeat=min(9, max(1, options.number("a", 2, "split"))))
    for ending, piece in zip(endings, pieces, strict=False):
        process.machine.files.write(process.path(names[1] + "".join(ending)), piece)
    return 0
