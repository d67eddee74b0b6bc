"""toybox's ``fmt``, which wraps lines, and ``dos2unix`` and ``unix2dos``, which change their ends."""

from __future__ import annotations

from collections.abc import Iterator

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process, encode
from collector.virtual.shell.registry import command
from collector.virtual.shell.terminal.text_width import text_width

_WIDTH = 75


@command("fmt")
def fmt(process: Process) -> int:
    """Wrap lines at ``-w`` columns, 75 without it; the indentation of lines stays."""
    options = read_options("fmt", process.arguments, "", "w")
    width = options.number("w", _WIDTH, "fmt")
    if width < 0:
        raise CommandError('fmt: -w < 0 (see "fmt --help")')
    status = 0
    for name in options.operands or ["-"]:
        try:
            data = process.input() if name == "-" else process.machine.files.read(process.path(name))
        except OSError as error:
            process.err(f"fmt: {name}: {reason(error)}")
            status = 1
            continue
        text = data.decode("utf-8", "surrogateescape")
        process.stdout.write(encode("".join(_wrapped(text, width))))
    return status


def _wrapped(text: str, width: int) -> Iterator[str]:
    """The text in lines of fewer than ``width`` columns, where words allow it."""
    indent, column = "", 0
    for line in text.splitlines():
        words = line.split()
        if not words:
            yield "\n" * (2 if column else 1)
            indent, column = "", 0
            continue
        begins = line[: len(line) - len(line.lstrip())]
        if column and begins != indent:
            yield "\n"
            column = 0
        indent = begins
        for word in words:
            if column and column + text_width(word) + 1 >= width:
                yield "\n"
                column = 0
            lead = " " if column else indent
            yield lead + word
            column += _columns(lead) + text_width(word)
    if column:
        yield "\n"


def _columns(lead: str) -> int:
    """The width of white space, where a tab goes on to the next eighth column."""
    column = 0
    for letter in lead:
        column = (column // 8 + 1) * 8 if letter == "\t" else column + 1
    return column


@command("dos2unix", "unix2dos")
def change_ends(process: Process) -> int:
    """End lines as Unix or as DOS does, in files or from stdin."""
    end = b"\n" if process.name == "dos2unix" else b"\r\n"
    status = 0
    for name in process.arguments or ["-"]:
        try:
            data = process.input() if name == "-" else process.machine.files.read(process.path(name))
            changed = data.replace(b"\r\n", b"\n").replace(b"\n", end)
            if name == "-":
                process.stdout.write(changed)
            else:
                process.machine.files.write(process.path(name), changed)
        except OSError as error:
            process.err(f"{process.name}: {name}: {reason(error)}")
            status = 1
    return status
