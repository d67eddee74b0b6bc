"""Conditions: ``test``, ``[ ... ]`` and ``[[ ... ]]``."""

from __future__ import annotations

import re
import stat
from typing import Protocol

from collector.virtual.shell.files import FileEntry, Files
from collector.virtual.shell.language.arithmetic import ExpansionError, Variables, calculate
from collector.virtual.shell.language.expansion import Expander
from collector.virtual.shell.language.syntax import Literal, Word
from collector.virtual.shell.pipes import Streams
from collector.virtual.shell.terminal.terminal import Terminal

_NUMERIC = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
BINARY = frozenset({"=", "==", "!=", "<", ">", "-nt", "-ot", "-ef"}) | _NUMERIC
_UNARY = re.compile(r"-[abcdefghknoprstuvwxzGHLNOS]")


class TestError(Exception):
    """A condition cannot be evaluated; the message is what the shell prints."""


class TestingShell(Variables, Protocol):
    """The shell whose variables, options and files a condition asks about."""

    options: set[str]

    def variable(self, name: str) -> str | None: ...

    def place(self, name: str) -> str: ...


class ShellComparison:
    """Evaluates single tests on expanded texts."""

    def __init__(self, shell: TestingShell, files: Files, streams: Streams) -> None:
        self._shell = shell
        self._files = files
        self._streams = streams

    def binary(self, left: str, operator: str, right: str) -> bool:
        """Whether two texts, numbers or files compare so; ExpansionError for what is no number."""
        if operator in ("=", "==", "!="):
            return (left == right) == (operator != "!=")
        if operator in ("<", ">"):
            return left < right if operator == "<" else left > right
        if operator in _NUMERIC:
            first, second = calculate(left, self._shell), calculate(right, self._shell)
            return {
                "-eq": first == second,
                "-ne": first != second,
                "-lt": first < second,
                "-le": first <= second,
                "-gt": first > second,
                "-ge": first >= second,
            }[operator]
        one, other = self._entry(left), self._entry(right)
        if operator == "-ef":
            return one is not None and one is other
        newer, older = (one, other) if operator == "-nt" else (other, one)
        return newer is not None and (older is None or newer.mtime > older.mtime)

    def unary(self, operator: str, operand: str) -> bool:
        """Whether a text, an option, a descriptor or a file is so."""
        if operator == "-t":
            streams = {"0": self._streams.stdin, "1": self._streams.stdout, "2": self._streams.stderr}
            return isinstance(streams.get(operand), Terminal)
        if operator in ("-z", "-n"):
            return bool(operand) == (operator == "-n")
        if operator == "-o":
            return operand in self._shell.options
        if operator == "-v":
            return self._shell.variable(operand) is not None
        entry = self._entry(operand, follow=operator not in ("-L", "-h"))
        return entry is not None and _entry_is(operator, entry)

    def _entry(self, name: str, *, follow: bool = True) -> FileEntry | None:
        try:
            return self._files.entry(self._shell.place(name), follow=follow) if name else None
        except OSError:
            return None


class BracketCondition:
    """Evaluates ``[[ ... ]]``: patterns on the right, no splitting, ``&&`` and ``||`` stop early."""

    def __init__(self, shell: TestingShell, expander: Expander, comparison: ShellComparison) -> None:
        self._shell = shell
        self._expander = expander
        self._comparison = comparison
        self._tokens: list[Word | str] = []
        self._skips = 0

    def status(self, tokens: tuple[Word | str, ...]) -> int:
        """0 when the condition holds, 1 when not; ExpansionError when it is malformed."""
        self._tokens = list(tokens)
        result = self._either()
        if self._tokens:
            raise self._unexpected()
        return int(not result)

    def _unexpected(self) -> ExpansionError:
        if not self._tokens:
            return ExpansionError("syntax error: unexpected EOF")
        first = self._tokens[0]
        shown = first if isinstance(first, str) else self._expander.text(first)
        return ExpansionError(f"syntax error: unexpected operator/operand '{shown}'")

    def _either(self) -> bool:
        result = self._both()
        while self._tokens[:1] == ["||"]:
            self._tokens.pop(0)
            self._skips += result
            right = self._both()
            self._skips -= result
            result = result or right
        return result

    def _both(self) -> bool:
        result = self._not()
        while self._tokens[:1] == ["&&"]:
            self._tokens.pop(0)
            self._skips += not result
            right = self._not()
            self._skips -= not result
            result = result and right
        return result

    def _not(self) -> bool:
        if self._tokens[:1] == ["!"]:
            self._tokens.pop(0)
            return not self._not()
        if self._tokens[:1] == ["("]:
            self._tokens.pop(0)
            result = self._either()
            if self._tokens[:1] != [")"]:
                raise self._unexpected()
            self._tokens.pop(0)
            return result
        return self._single()

    def _single(self) -> bool:
        if not self._tokens or isinstance(self._tokens[0], str):
            raise self._unexpected()
        first = self._tokens.pop(0)
        assert isinstance(first, Word)
        following = self._tokens[0] if self._tokens else None
        operator = following if isinstance(following, str) else _plain(following)
        if operator in BINARY:
            self._tokens.pop(0)
            return self._binary(first, operator)
        if _UNARY.fullmatch(_plain(first)) and isinstance(following, Word):
            self._tokens.pop(0)
            return not self._skips and self._comparison.unary(_plain(first), self._expander.text(following))
        return not self._skips and bool(self._expander.text(first))

    def _binary(self, left: Word, operator: str) -> bool:
        right = self._tokens.pop(0) if self._tokens else None
        if not isinstance(right, Word):
            raise self._unexpected()
        if self._skips:
            return False
        text = self._expander.text(left)
        if operator in ("=", "==", "!="):
            return self._expander.matches(text, right) == (operator != "!=")
        return self._comparison.binary(text, operator, self._expander.text(right))


def _plain(word: Word | str | None) -> str:
    """The text of a word without quotes and expansions; else empty."""
    if not isinstance(word, Word) or len(word.parts) != 1:
        return ""
    part = word.parts[0]
    return part.text if isinstance(part, Literal) and not part.quoted else ""


class PlainCondition:
    """Evaluates the arguments of ``test``; precedence: or, and, not, single test."""

    def __init__(self, name: str, words: list[str], comparison: ShellComparison) -> None:
        self._name = name
        self._words = words
        self._comparison = comparison

    def value(self) -> bool:
        """Whether it holds; TestError with mksh's message when it is malformed."""
        if not self._words:
            return False
        if len(self._words) == 1:
            return bool(self._words[0])
        if len(self._words) == 3 and self._words[1] in BINARY:
            return self._comparison.binary(*self._words)
        result = self._either()
        if self._words:
            raise self._unexpected()
        return result

    def _unexpected(self) -> TestError:
        return TestError(f"{self._name}: {self._words[0]}: unexpected operator/operand")

    def _either(self) -> bool:
        result = self._both()
        while self._words[:1] == ["-o"]:
            self._words.pop(0)
            result = self._both() or result
        return result

    def _both(self) -> bool:
        result = self._not()
        while self._words[:1] == ["-a"]:
            self._words.pop(0)
            result = self._not() and result
        return result

    def _not(self) -> bool:
        if self._words[:1] == ["!"] and len(self._words) > 1:
            self._words.pop(0)
            return not self._not()
        if self._words[:1] == ["("] and len(self._words) > 2:
            self._words.pop(0)
            result = self._either()
            if self._words[:1] != [")"]:
                raise TestError(f"{self._name}: missing )")
            self._words.pop(0)
            return result
        return self._single()

    def _single(self) -> bool:
        words = self._words
        if not words:
            raise TestError(f"{self._name}: missing argument")
        if len(words) >= 2 and words[1] in BINARY:
            if len(words) < 3:
                raise TestError(f"{self._name}: {words[1]}: missing second argument")
            left, operator, right = words[:3]
            del words[:3]
            return self._comparison.binary(left, operator, right)
        if len(words) >= 2 and _UNARY.fullmatch(words[0]):
            operator, operand = words[:2]
            del words[:2]
            return self._comparison.unary(operator, operand)
        return bool(words.pop(0))


def _entry_is(operator: str, entry: FileEntry) -> bool:
    answers = {
        "-d": entry.is_directory,
        "-f": stat.S_ISREG(entry.mode),
        "-L": entry.is_link,
        "-h": entry.is_link,
        "-p": stat.S_ISFIFO(entry.mode),
        "-b": stat.S_ISBLK(entry.mode),
        "-c": stat.S_ISCHR(entry.mode),
        "-S": stat.S_ISSOCK(entry.mode),
        "-s": entry.size > 0,
        "-r": bool(entry.mode & 0o444),
        "-w": bool(entry.mode & 0o222),
        "-x": bool(entry.mode & 0o111),
        "-u": bool(entry.mode & stat.S_ISUID),
        "-g": bool(entry.mode & stat.S_ISGID),
        "-k": bool(entry.mode & stat.S_ISVTX),
    }
    return answers.get(operator, True)
