"""``cmp`` and ``diff``: where files differ."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.files import FileEntry
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_TROUBLE = 2
_CONTEXT = 3
_NO_NEWLINE = "\\ No newline at end of file"


def _read(process: Process, name: str) -> bytes:
    try:
        return process.input() if name == "-" else process.machine.files.read(process.path(name))
    except OSError as error:
        raise CommandError(f"{process.name}: {name}: {reason(error)}", _TROUBLE) from None


@command("cmp")
def cmp(process: Process) -> int:
    """Print the first byte that differs in two files, ``-l`` each one; ``-s`` by the status alone."""
    options = read_options("cmp", process.arguments, "ls", "n")
    words = options.operands
    if not words:
        raise CommandError('cmp: Needs 1 argument (see "cmp --help")', _TROUBLE)
    names = (words[0], words[1] if len(words) > 1 else "-")
    both = [_read(process, name) for name in names]
    limit = options.number("n", max(map(len, both)), "cmp")
    first, second = (data[:limit] for data in both)
    differ = 0
    for at, (one, other) in enumerate(zip(first, second, strict=False)):
        if one == other:
            continue
        differ = 1
        if "s" in options:
            return 1
        if "l" not in options:
            line = first[:at].count(b"\n") + 1
            process.line(f"{names[0]} {names[1]} differ: char {at + 1}, line {line}")
            return 1
        process.line(f"{at + 1} {one:o} {other:o}")
    if len(first) == len(second):
        return differ
    short = int(len(second) < len(first))
    if "s" not in options:
        size = min(len(first), len(second))
        line = first[:size].count(b"\n")
        process.err(f"cmp: EOF on {names[short]} after byte {size}, line {line}")
    return _TROUBLE


@command("diff")
def diff(process: Process) -> int:
    """Print how two files, or with ``-r`` folders, differ, as a unified diff with ``-U`` lines around."""
    options = read_options("diff", process.arguments, "abBdiNqrsTtuw", "ULS")
    if len(options.operands) != 2:
        wanted = "Need 2 arguments" if len(options.operands) < 2 else "Max 2 arguments"
        raise CommandError(f'diff: {wanted} (see "diff --help")', _TROUBLE)
    files = process.machine.files
    entries: list[FileEntry | None] = []
    for name in options.operands:
        try:
            entries.append(None if name == "-" else files.entry(process.path(name)))
        except OSError as error:
            raise CommandError(f"diff: {name}: {reason(error)}", _TROUBLE) from None
    first, second = options.operands
    folders = [entry is not None and entry.is_directory for entry in entries]
    if all(folders):
        return _folders(process, options, first, second)
    if folders[0]:
        first = f"{first.rstrip('/')}/{second.rpartition('/')[2]}"
    elif folders[1]:
        second = f"{second.rstrip('/')}/{first.rpartition('/')[2]}"
    return _files(process, options, first, second)


def _folders(process: Process, options: CommandOptions, first: str, second: str) -> int:
    files, status = process.machine.files, 0
    inside = [
        {name: entry.is_directory for name, entry in files.list(process.path(folder))}
        for folder in (first, second)
    ]
    for name in sorted(inside[0].keys() | inside[1].keys()):
        places = [f"{folder.rstrip('/')}/{name}" for folder in (first, second)]
        there = [name in names for names in inside]
        if not all(there):
            process.line(f"Only in {first if there[0] else second}: {name}")
            status = max(status, 1)
        elif inside[0][name] != inside[1][name]:
            kinds = ["directory" if names[name] else "regular file" for names in inside]
            process.line(f"File {places[0]} is a {kinds[0]} while file {places[1]} is a {kinds[1]}")
            status = max(status, 1)
        elif not inside[0][name]:
            status = max(status, _files(process, options, *places))
        elif "r" in options:
            status = max(status, _folders(process, options, *places))
        else:
            process.line(f"Common subdirectories: {places[0]} and {places[1]}")
    return status


def _files(process: Process, options: CommandOptions, first: str, second: str) -> int:
    one, other = _read(process, first), _read(process, second)
    lines = [data.decode("utf-8", "surrogateescape").splitlines(keepends=True) for data in (one, other)]
    same = _sameness(options)
    keys = [[same(line) for line in side if not ("B" in options and not line.strip())] for side in lines]
    if one == other or keys[0] == keys[1]:
        if "s" in options:
            process.line(f"Files {first} and {second} are identical")
        return 0
    if "q" in options:
        process.line(f"Files {first} and {second} differ")
    elif b"\0" in one + other and "a" not in options:
        process.line(f"Binary files {first} and {second} differ")
    else:
        around = options.number("U", _CONTEXT, "diff")
        process.line(f"--- {first}\n+++ {second}")
        for line in _unified(lines[0], lines[1], around, same):
            process.line(line)
    return 1


def _sameness(options: CommandOptions) -> Callable[[str], str]:
    """What of a line counts."""

    def same(line: str) -> str:
        if "w" in options:
            line = re.sub(r"\s+", "", line)
        elif "b" in options:
            line = re.sub(r"\s+", " ", line).rstrip()
        return line.lower() if "i" in options else line

    return same


def _unified(one: list[str], other: list[str], around: int, same: Callable[[str], str]) -> Iterator[str]:
    matcher = difflib.SequenceMatcher(None, list(map(same, one)), list(map(same, other)), autojunk=False)
    for group in matcher.get_grouped_opcodes(around):
        yield f"@@ -{_span(group[0][1], group[-1][2])} +{_span(group[0][3], group[-1][4])} @@"
        for kind, start, end, begin, stop in group:
            if kind == "equal":
                yield from _marked(" ", one[start:end])
                continue
            yield from _marked("-", one[start:end])
            yield from _marked("+", other[begin:stop])


def _span(start: int, end: int) -> str:
    size = end - start
    if size == 1:
        return str(start + 1)
    return f"{start + (size > 0)},{size}"


def _marked(mark: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield mark + line.rstrip("\n")
        if not line.endswith("\n"):
            yield _NO_NEWLINE
