"""``sort``: lines in order, by the whole line or by keys."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import cmp_to_key

from collector.virtual.shell.commands.files.texts.text import read_lines
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_KINDS = "ngMVxdifbr"
_KEY = re.compile(rf"(\d+)(?:\.(\d+))?([{_KINDS}]*)(?:,(\d+)(?:\.(\d+))?([{_KINDS}]*))?")
_MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
_TROUBLE = 2


@dataclass(frozen=True, slots=True)
class _SortKey:
    """A part of lines: from a field and letter to another one, each counted from 1; 0 is the end."""

    start: int = 0
    start_letter: int = 0
    end: int = 0
    end_letter: int = 0
    kinds: str = ""

    def of(self, line: str, separator: str) -> str:
        if not self.start:
            return line
        if separator:
            spans = [match.span() for match in re.finditer(f"[^{re.escape(separator)}]*", line)]
            spans = _without_empty_after(spans)
        else:
            spans = [match.span() for match in re.finditer(r"\s*\S+", line)]
        if self.start > len(spans):
            return ""
        begin = spans[self.start - 1][0] + max(0, self.start_letter - 1)
        stop = len(line)
        if self.end and self.end <= len(spans):
            first, last = spans[self.end - 1]
            stop = min(last, first + self.end_letter) if self.end_letter else last
        return line[begin:stop]


def _without_empty_after(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Fields between separators: an empty match right behind a field is no field."""
    kept: list[tuple[int, int]] = []
    for span in spans:
        if not (kept and span[0] == span[1] == kept[-1][1] and kept[-1][0] != kept[-1][1]):
            kept.append(span)
    return kept


@command("sort")
def sort(process: Process) -> int:
    """Sort lines: ``-n`` and other kinds, ``-k`` by parts, ``-u`` without equal ones, ``-c`` looks alone."""
    words, keys = _keys(process.arguments)
    try:
        options = read_options("sort", words, f"{_KINDS}cCsuzm", "toTS")
    except CommandError as error:
        raise CommandError(str(error), _TROUBLE) from None
    files = process.machine.files
    for name in options.operands:
        if name != "-" and not files.exists(process.path(name)):
            raise CommandError(f"sort: {name}: No such file or directory", _TROUBLE)
    end = b"\0" if "z" in options else b"\n"
    data = b"".join(read_lines(process, options.operands))
    lines = (
        [line.decode("utf-8", "surrogateescape") for line in data.removesuffix(end).split(end)]
        if data
        else []
    )
    order = _Order(options, keys)
    if "c" in options or "C" in options:
        return order.check(process, options.operands, lines)
    lines.sort(key=cmp_to_key(order.compare))
    if "u" in options:
        kept: list[str] = []
        for line in lines:
            if not kept or order.by_keys(kept[-1], line):
                kept.append(line)
        lines = kept
    result = b"".join(line.encode("utf-8", "surrogateescape") + end for line in lines)
    if options.get("o"):
        files.write(process.path(options.get("o")), result)
    else:
        process.stdout.write(result)
    return 0


def _keys(arguments: list[str]) -> tuple[list[str], list[_SortKey]]:
    """The words without ``-k``, and the keys."""
    words: list[str] = []
    keys: list[_SortKey] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        match = re.fullmatch(rf"(-[{_KINDS}csuzm]*)k(.*)", word)
        if match is None:
            words.append(word)
            continue
        if match[1] != "-":
            words.append(match[1])
        if not match[2] and not rest:
            raise CommandError('sort: Missing argument to -k (see "sort --help")', _TROUBLE)
        text = match[2] or rest.pop(0)
        found = _KEY.fullmatch(text)
        if found is None or not int(found[1]):
            raise CommandError(f"sort: Bad key '{text}'", _TROUBLE)
        numbers = [int(found[place] or 0) for place in (1, 2, 4, 5)]
        start, start_letter, last, last_letter = numbers
        kinds = found[3] + (found[6] or "")
        keys.append(_SortKey(start, start_letter, last, last_letter, kinds))
    return words, keys


class _Order:
    """How two lines stand to each other."""

    def __init__(self, options: CommandOptions, keys: list[_SortKey]) -> None:
        self._kinds = "".join(letter for letter in _KINDS if letter in options)
        self._separator, self._keys = options.get("t"), keys or [_SortKey()]
        self._is_stable, self._is_unique = "s" in options, "u" in options

    def by_keys(self, one: str, other: str) -> int:
        for key in self._keys:
            kinds = key.kinds or self._kinds
            first, second = (_value(key.of(line, self._separator), kinds) for line in (one, other))
            if first != second:
                less = first < second  # type: ignore[operator]
                return 1 if less == ("r" in kinds) else -1
        return 0

    def compare(self, one: str, other: str) -> int:
        found = self.by_keys(one, other)
        if found or self._is_stable or self._is_unique or one == other:
            return found
        return 1 if (one < other) == ("r" in self._kinds) else -1

    def check(self, process: Process, names: list[str], lines: list[str]) -> int:
        """1 when the lines are not in order; said with ``-c``."""
        for number, (before, after) in enumerate(itertools.pairwise(lines), 2):
            found = self.compare(before, after)
            if found > 0 or (self._is_unique and not found):
                if not any(word.startswith("-") and "C" in word for word in process.arguments):
                    process.err(f"sort: {names[0] if names else '-'}: Check line {number}")
                return 1
        return 0


def _value(text: str, kinds: str) -> object:
    """What is compared of a key."""
    if "b" in kinds or "n" in kinds or "g" in kinds:
        text = text.lstrip()
    if "n" in kinds or "g" in kinds:
        pattern = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?" if "g" in kinds else r"-?(\d+\.?\d*|\.\d+)"
        match = re.match(pattern, text)
        return float(match[0]) if match else 0.0
    if "M" in kinds:
        month = text.strip()[:3].upper()
        return _MONTHS.index(month) if month in _MONTHS else -1
    if "x" in kinds:
        match = re.match(r"\s*[0-9A-Fa-f]+", text)
        return int(match[0], 16) if match else 0
    if "d" in kinds:
        text = re.sub(r"[^\w\s]", "", text)
    if "i" in kinds:
        text = re.sub(r"[^\x20-\x7e]", "", text)
    if "f" in kinds:
        text = text.upper()
    if "V" in kinds:
        return [
            (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.findall(r"\d+|\D+", text)
        ]
    return text
