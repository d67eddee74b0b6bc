"""``cut``: bytes, characters, columns or fields of lines, as toybox selects them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from collector.virtual.shell.commands.files.texts.posix_patterns import expression
from collector.virtual.shell.commands.files.texts.text import read_lines
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.terminal.text_width import text_width

_KINDS = "bcCfF"
_ENDLESS = 1 << 62
_RANGE = re.compile(r"(\d*)(-?)(\d*)(-?)")


@dataclass(frozen=True, slots=True)
class _Selection:
    """What is printed of each line: ranges, first and last counted from 1."""

    kind: str
    ranges: list[tuple[int, int]]
    separator: re.Pattern[str]
    between: str | None
    """What stands between two ranges of fields; None for what stood before the second one."""
    as_given: bool
    skips: bool

    def of(self, line: str) -> str | None:
        """The chosen part; None for a line that is left out."""
        if self.kind in "fF":
            return self._fields(line)
        units = line if self.kind != "b" else line.encode("utf-8", "surrogateescape").decode("latin-1")
        pick: Callable[[str, int, int], str] = _columns if self.kind == "C" else _letters
        chosen = "".join(pick(units, first, last) for first, last in self.ranges)
        return chosen.encode("latin-1").decode("utf-8", "surrogateescape") if self.kind == "b" else chosen

    def _fields(self, line: str) -> str | None:
        marks = list(self.separator.finditer(line))
        marks = [mark for mark in marks if mark.end() > mark.start()]
        if not marks:
            return "" if self.as_given else None if self.skips else line
        starts = [0, *(mark.end() for mark in marks)]
        ends = [*(mark.start() for mark in marks), len(line)]
        parts: list[str] = []
        for number, (first, last) in enumerate(self.ranges):
            if number:
                parts.append(self.between if self.between is not None else " ")
            if first <= len(starts):
                parts.append(line[starts[first - 1] : ends[min(last, len(ends)) - 1]])
        return "".join(parts) if self.as_given else _without_end(parts, self.between)


def _without_end(parts: list[str], between: str | None) -> str:
    """Ranges behind the last field add nothing, not even what stands between."""
    while len(parts) > 1 and parts[-1] == (between if between is not None else " "):
        parts.pop()
    return "".join(parts)


def _letters(text: str, first: int, last: int) -> str:
    return text[first - 1 : last]


def _columns(text: str, first: int, last: int) -> str:
    """The characters that lie wholly within these columns."""
    chosen, column = "", 1
    for letter in text:
        width = text_width(letter)
        if first <= column and column + width - 1 <= last:
            chosen += letter
        column += width
    return chosen


@command("cut")
def cut(process: Process) -> int:
    """``-b``, ``-c``, ``-C``, ``-f`` or ``-F`` with numbers and ranges; ``-D`` leaves their order."""
    options = read_options("cut", process.arguments, "Dsn", "bcCfFdO")
    selection = _selection(options)
    status, lines = 0, _found(process, options.operands)
    for line in lines:
        if line is None:
            status = 1
            continue
        chosen = selection.of(line.rstrip(b"\n").decode("utf-8", "surrogateescape"))
        if chosen is not None:
            process.stdout.write(chosen.encode("utf-8", "surrogateescape") + b"\n")
    return status


def _found(process: Process, names: list[str]) -> Iterable[bytes | None]:
    """The lines of each file; None for one that is not there, which is reported."""
    for name in names or ["-"]:
        if name != "-" and not process.machine.files.exists(process.path(name)):
            process.err(f"cut: {name}: No such file or directory")
            yield None
        else:
            yield from read_lines(process, [name])


def _selection(options: CommandOptions) -> _Selection:
    kinds = [kind for kind in _KINDS if kind in options]
    if not kinds:
        raise CommandError('cut: Needs -CFfcb (see "cut --help")')
    if len(kinds) > 1:
        raise CommandError(f"cut: No '{kinds[1]}' with '{kinds[0]}' (see \"cut --help\")")
    kind = kinds[0]
    given = options.get("d") or ("\t" if kind == "f" else "[[:space:]]+")
    if kind == "f" and len(given) > 1:
        given = given[0]
    pattern = re.escape(given) if kind == "f" else expression(given, extended=True, fixed=False)
    between = options.get("O") if "O" in options else given if kind == "f" else None
    ranges = _ranges(kind, options.get(kind))
    if "D" not in options:
        ranges = _merged(ranges)
    return _Selection(kind, ranges, re.compile(pattern), between, "D" in options, "s" in options)


def _ranges(kind: str, text: str) -> list[tuple[int, int]]:
    """The ranges of a list; letters say nothing, as toybox reads it. Raises CommandError."""
    found, place = [], 0
    for piece in text.split(","):
        match = _RANGE.match(piece)
        assert match is not None  # all of its parts may be absent
        first = int(match[1]) if match[1] else 1
        ends_at_first = bool(match[1]) and not match[2]
        last = first if ends_at_first else int(match[3]) if match[3] else _ENDLESS
        refused = None
        if match[4]:
            refused = match.end()
        elif first < 1:
            refused = len(match[1])
        elif last < first:
            refused = 0
        if refused is not None:
            spaces = " " * (len(f"cut: bad -{kind} '") + place + refused)
            raise CommandError(f"cut: bad -{kind} '{text}'\n{spaces}^")
        if piece:
            found.append((first, last))
        place += len(piece) + 1
    if not found:
        raise CommandError("cut: no selections")
    return found


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """In order, and those that overlap as one."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return merged
