"""``grep``: lines that match regular expressions, as toybox prints them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.commands.files.texts.posix_patterns import expression, reason_of
from collector.virtual.shell.kernel_files.endless_files import EndlessReader, endless_file
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.pipes import BytesReader, LineReader
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_STDIN = "(standard input)"
_TROUBLE = 2
_LOOKED_AT = 256
"""Bytes at the beginning of a file that tell whether it is a text."""


@command("grep", "egrep", "fgrep")
def grep(process: Process) -> int:
    """Print matching lines; 1 without any, 2 when a file or the pattern cannot be read."""
    words, patterns, chosen = _several(process.arguments)
    try:
        options = read_options("grep", words, "EFHILRZabchilnoqrsvwxz", "ABCmMS")
    except CommandError as error:
        raise CommandError(str(error), _TROUBLE) from None
    names = list(options.operands)
    for kind, text in patterns:
        if kind == "f":
            chosen.append(_read(process, text).decode("utf-8", "surrogateescape").removesuffix("\n"))
        else:
            chosen.append(text)
    if not patterns:
        if not names:
            raise CommandError("grep: no REGEX", _TROUBLE)
        chosen = [names.pop(0)]
    search = _Search(process, options, _compiled(process.name, options, chosen))
    if "r" in options or "R" in options:
        given = names or ["."]
        names = list(_files_under(process, given, words))
        search.labelled = "h" not in options and names != given
    elif len(names) > 1:
        search.labelled = "h" not in options
    return search.run(names)


def _several(arguments: list[str]) -> tuple[list[str], list[tuple[str, str]], list[str]]:
    """The words without ``-e`` and ``-f``, which may be there several times, and the patterns they give."""
    words: list[str] = []
    patterns: list[tuple[str, str]] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        match = re.fullmatch(r"(-[A-Za-z]*?)([ef])(.*)", word, re.DOTALL) if word[:2] != "--" else None
        if word == "--":
            return [*words, word, *rest], patterns, []
        if match is None or re.search("[ABCmMS]", match[1]):
            words.append(word)
            if re.fullmatch("-[A-Za-z]*[ABCmMS]", word) and rest:
                words.append(rest.pop(0))
            continue
        if match[1] != "-":
            words.append(match[1])
        if not match[3] and not rest:
            raise CommandError(f'grep: Missing argument to -{match[2]} (see "grep --help")', _TROUBLE)
        patterns.append((match[2], match[3] or rest.pop(0)))
    return words, patterns, []


def _compiled(name: str, options: CommandOptions, texts: list[str]) -> re.Pattern[str]:
    extended, fixed = "E" in options or name == "egrep", "F" in options or name == "fgrep"
    lines = [line for text in texts for line in text.split("\n")]
    flags = re.IGNORECASE if "i" in options else 0
    sources = []
    for line in lines:
        source = expression(line, extended=extended, fixed=fixed)
        try:
            re.compile(source, flags)
        except re.error as error:
            raise CommandError(f"grep: bad regex '{line}': {reason_of(error)}", _TROUBLE) from None
        sources.append(source)
    whole = "|".join(f"(?:{source})" for source in sources) if len(sources) > 1 else sources[0]
    if "x" in options:
        whole = rf"\A(?:{whole})\Z"
    elif "w" in options:
        whole = rf"(?<!\w)(?:{whole})(?!\w)"
    return re.compile(whole, flags)


def _read(process: Process, name: str) -> bytes:
    try:
        return process.input() if name == "-" else process.machine.files.read(process.path(name))
    except OSError as error:
        raise CommandError(f"grep: {name}: {reason(error)}", _TROUBLE) from None


def _files_under(process: Process, names: list[str], words: list[str]) -> Iterator[str]:
    """Each file below folders, without those whose names are left out."""
    wanted, unwanted, folders = ([], [], [])  # type: tuple[list[str], list[str], list[str]]
    lists = {"--include": wanted, "--exclude": unwanted, "--exclude-dir": folders}
    for word, following in zip(words, [*words[1:], ""], strict=True):
        option, _equals, value = word.partition("=")
        if option in lists:
            lists[option].append(value)
        elif word in ("-M", "-S"):
            (wanted if word == "-M" else unwanted).append(following)
    for name in names:
        base = process.path(name)
        if not process.machine.files.exists(base):
            yield name
            continue
        for path, entry in process.machine.files.walk(base):
            inner = path[len(base) :].split("/")
            file = inner[-1] or name.rpartition("/")[2]
            if entry.is_directory or any(fnmatchcase(part, skip) for part in inner[:-1] for skip in folders):
                continue
            if any(fnmatchcase(file, skip) for skip in unwanted):
                continue
            if not wanted or any(fnmatchcase(file, pattern) for pattern in wanted):
                yield name.rstrip("/") + path[len(base) :]


def _count(options: CommandOptions, letter: str, default: int = 0) -> int:
    text = options.get(letter)
    if text and not text.isdecimal():
        raise CommandError(f"grep: not integer: {text}", _TROUBLE)
    return int(text) if text else default


@dataclass(slots=True)
class _Search:
    """Search files with the options of ``grep``."""

    process: Process
    options: CommandOptions
    pattern: re.Pattern[str]
    labelled: bool = False
    """Whether the name of the file stands before each line."""
    _before: int = 0
    _after: int = 0
    _limit: int | None = None
    _end: bytes = b"\n"
    _recent: list[tuple[int, int, bytes]] = field(default_factory=list)
    """Number, place and text of the lines before, of which some are context."""
    _shown: list[bytes] = field(default_factory=list)
    """Lines to print, which go out together: each alone would be a packet to the computer."""

    def run(self, names: list[str]) -> int:
        """The exit status."""
        around = _count(self.options, "C")
        self._before, self._after = _count(self.options, "B", around), _count(self.options, "A", around)
        self._limit = _count(self.options, "m") if "m" in self.options else None
        self._end = b"\0" if "z" in self.options else b"\n"
        self.labelled = self.labelled or "H" in self.options
        if self._limit == 0:
            return 1
        found = trouble = False
        for name in names or ["-"]:
            try:
                lines, is_binary = self._lines(name)
            except OSError as error:
                trouble |= not isinstance(error, IsADirectoryError)
                if "s" not in self.options:
                    self.process.err(f"grep: {name}: {reason(error)}")
                continue
            found |= self._search(_STDIN if name == "-" else name, lines, is_binary=is_binary)
            if found and "q" in self.options:
                return 0
        return _TROUBLE if trouble else int(not found)

    def _lines(self, name: str) -> tuple[Iterable[bytes], bool]:
        if name == "-":
            if "z" in self.options:
                return self._records(self.process.input()), False
            return LineReader(self.process.stdin, self._print_shown), False
        path = self.process.path(name)
        if endless := endless_file(path):
            return LineReader(EndlessReader(endless), self._print_shown), True
        data = self.process.machine.files.read(path)
        is_binary = b"\0" in data[:_LOOKED_AT] and "z" not in self.options
        return (self._records(data) if "z" in self.options else LineReader(BytesReader(data))), is_binary

    @staticmethod
    def _records(data: bytes) -> list[bytes]:
        return [part + b"\0" for part in data.removesuffix(b"\0").split(b"\0")] if data else []

    def _search(self, name: str, lines: Iterable[bytes], *, is_binary: bool) -> bool:
        """Print what matches in one file; whether anything did."""
        options = self.options
        if is_binary and "I" in options:
            return False
        hits, following, last, offset = 0, 0, 0, 0
        self._recent = []
        silent = any(letter in options for letter in "clLq")
        search, wanted = self.pattern.search, "v" not in options
        for number, line in enumerate(lines, 1):
            content = line.removesuffix(self._end)
            text = content.decode("utf-8", "surrogateescape")
            place, offset = offset, offset + len(line)
            if (search(text) is not None) is wanted:
                hits += 1
                if "q" in options or "l" in options or "L" in options:
                    break
                if is_binary and "a" not in options and not silent:
                    self.process.line(f"Binary file {name} matches")
                    return True
                if not silent:
                    self._show_match(name, number, place, text, last)
                last, following = number, self._after
                if self._limit is not None and hits >= self._limit:
                    break
            elif following and not silent and "o" not in options:
                following -= 1
                self._show(name, number, place, content, "-")
                last = number
            elif self._before:
                self._recent = [*self._recent, (number, place, content)][-self._before :]
        self._print_shown()
        self._summarize(name, hits)
        return bool(hits) != ("L" in options)

    def _summarize(self, name: str, hits: int) -> None:
        end = "\0" if "Z" in self.options else "\n"
        if "q" in self.options:
            return
        if "L" in self.options or "l" in self.options:
            if bool(hits) != ("L" in self.options):
                self.process.out(name + end)
        elif "c" in self.options:
            self.process.line(f"{name}:{hits}" if self.labelled else str(hits))

    def _show_match(self, name: str, number: int, place: int, text: str, last: int) -> None:
        recent, self._recent = [item for item in self._recent if item[0] > last], []
        if "o" in self.options:
            if "v" in self.options:
                return
            for match in self.pattern.finditer(text):
                if match[0]:
                    before = len(text[: match.start()].encode("utf-8", "surrogateescape"))
                    found = match[0].encode("utf-8", "surrogateescape")
                    self._show(name, number, place + before, found, ":")
            return
        first = recent[0][0] if recent else number
        if last and first > last + 1 and (self._before or self._after):
            self._shown.append(b"--\n")
        for earlier, at, content in recent:
            self._show(name, earlier, at, content, "-")
        self._show(name, number, place, text.encode("utf-8", "surrogateescape"), ":")

    def _show(self, name: str, number: int, place: int, content: bytes, mark: str) -> None:
        head = f"{name}{mark}" if self.labelled else ""
        if "n" in self.options:
            head += f"{number}{mark}"
        if "b" in self.options:
            head += f"{place}{mark}"
        self._shown.append(head.encode("utf-8", "surrogateescape") + content + self._end)

    def _print_shown(self) -> None:
        if self._shown:
            self.process.stdout.write(b"".join(self._shown))
            self._shown.clear()
