"""toybox's programs that make or count: ``mktemp``, ``truncate``, ``unlink``, ``cksum``, ``expr``."""

from __future__ import annotations

import random
import re
import string
import uuid

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_LARGEST = 1 << 26
"""Files of the phone stay in the computer's memory."""


@command("mktemp")
def mktemp(process: Process) -> int:
    """Make a file, with ``-d`` a folder, whose name ends in random letters, and print it."""
    options = read_options("mktemp", process.arguments, "dqut", "p")
    template = options.operands[0] if options.operands else "tmp.XXXXXXXXXX"
    marks = len(template) - len(template.rstrip("X"))
    if marks < 2:
        raise CommandError(f"mktemp: need XX in template {template}")
    letters = "".join(random.choices(string.ascii_letters + string.digits, k=marks))
    folder = options.get("p") or (
        "" if options.operands else process.environment.get("TMPDIR", "/data/local/tmp")
    )
    name = template[:-marks] + letters
    shown = f"{folder}/{name}" if folder and "/" not in template else name
    try:
        if "u" not in options and "d" in options:
            process.machine.files.make_directory(process.path(shown))
        elif "u" not in options:
            process.machine.files.write(process.path(shown), b"")
    except OSError as error:
        kind = "directory" if "d" in options else "file"
        raise CommandError(f"mktemp: Failed to create {kind} {shown}: {reason(error)}") from None
    process.line(shown)
    return 0


@command("mkfifo")
def mkfifo(process: Process) -> int:
    """Make named pipes, with ``-m`` of a mode."""
    options = read_options("mkfifo", process.arguments, "", "mZ")
    if not options.operands:
        raise CommandError('mkfifo: Needs 1 argument (see "mkfifo --help")')
    text, status = options.get("m") or "644", 0
    if not re.fullmatch("[0-7]{1,4}", text):
        raise CommandError(f"mkfifo: bad mode '{text}'")
    for name in options.operands:
        try:
            process.machine.files.make_pipe(process.path(name), int(text, 8))
        except OSError as error:
            process.err(f"mkfifo: {name}: {reason(error)}")
            status = 1
    return status


def _size(command: str, text: str) -> int:
    match = re.fullmatch(r"(\d+)([kmg]?)b?", text.lower())
    if match is None:
        raise CommandError(f"{command}: not integer: {text}")
    return int(match[1]) * _UNITS[match[2]]


@command("truncate", "fallocate")
def truncate(process: Process) -> int:
    """Give files a size: ``truncate -s SIZE``, which may begin with + or -, or ``fallocate -l SIZE``."""
    is_growing = process.name == "fallocate"
    options = read_options(process.name, process.arguments, "c", "lo" if is_growing else "s")
    text = options.get("l" if is_growing else "s")
    if not text or not options.operands:
        raise CommandError(f'{process.name}: Needs 1 argument (see "{process.name} --help")')
    for name in options.operands:
        path = process.path(name)
        data = process.machine.files.read(path) if process.machine.files.exists(path) else b""
        size = _size(process.name, text.lstrip("+-"))
        size = len(data) + size if text[0] == "+" else len(data) - size if text[0] == "-" else size
        if size > _LARGEST:
            raise CommandError(f"{process.name}: '{name}': No space left on device")
        if is_growing and size <= len(data):
            continue
        process.machine.files.write(path, data[: max(size, 0)].ljust(max(size, 0), b"\0"))
    return 0


@command("unlink")
def unlink(process: Process) -> int:
    """Delete one file."""
    if len(process.arguments) != 1:
        raise CommandError('unlink: Need 1 argument (see "unlink --help")')
    name = process.arguments[0]
    try:
        process.machine.files.remove(process.path(name))
    except OSError as error:
        raise CommandError(f"unlink: couldn't unlink '{name}': {reason(error)}") from None
    return 0


@command("uuidgen")
def uuidgen(process: Process) -> int:
    """Print a random UUID."""
    process.line(str(uuid.uuid4()))
    return 0


@command("factor")
def factor(process: Process) -> int:
    """Print prime factors."""
    for word in process.arguments or process.input().decode().split():
        if not word.isdecimal() or int(word) >= 1 << 40:
            process.err(f"factor: {word}: not integer")
            continue
        rest, found, prime = int(word), [], 2
        while prime * prime <= rest:
            while rest % prime == 0:
                found.append(prime)
                rest //= prime
            prime += 1
        process.line(f"{word}:" + "".join(f" {one}" for one in [*found, *([rest] if rest > 1 else [])]))
    return 0


@command("cksum")
def cksum(process: Process) -> int:
    """Print POSIX's checksum and the size."""
    for name in process.arguments or ["-"]:
        data = process.input() if name == "-" else process.machine.files.read(process.path(name))
        sized = data + len(data).to_bytes((len(data).bit_length() + 7) // 8, "little")
        register = 0
        for byte in sized:
            register ^= byte << 24
            for _bit in range(8):
                register = (register << 1) ^ (0x04C11DB7 if register & 0x80000000 else 0)
            register &= 0xFFFFFFFF
        process.line(f"{register ^ 0xFFFFFFFF} {len(data)}" + (f" {name}" if name != "-" else ""))
    return 0


@command("expr")
def expression(process: Process) -> int:
    """Calculate, compare and match; 0 and the empty text are a failure."""
    words = list(process.arguments)
    if not words:
        raise CommandError('expr: Needs 1 argument (see "expr --help")', 2)
    value = _Expression(words).value()
    process.line(value)
    return int(value in ("", "0"))


class _Expression:
    """A recursive descent over the arguments of ``expr``."""

    _LEVELS = (("|",), ("&",), ("=", "!=", "<", "<=", ">", ">=", "=="), ("+", "-"), ("*", "/", "%"), (":",))

    def __init__(self, words: list[str]) -> None:
        self._words = words

    def value(self) -> str:
        """The whole expression. Raises CommandError."""
        value = self._level(0)
        if self._words:
            raise self._error()
        return value

    def _level(self, level: int) -> str:
        if level == len(self._LEVELS):
            return self._single()
        left = self._level(level + 1)
        while self._words and self._words[0] in self._LEVELS[level]:
            left = self._apply(left, self._words.pop(0), self._level(level + 1))
        return left

    def _single(self) -> str:
        if not self._words:
            raise self._error()
        word = self._words.pop(0)
        if word != "(":
            return word
        value = self._level(0)
        if not self._words or self._words.pop(0) != ")":
            raise self._error()
        return value

    @staticmethod
    def _error() -> CommandError:
        return CommandError("expr: syntax error", 2)

    def _apply(self, left: str, operator: str, right: str) -> str:
        if operator == "|":
            return left if left not in ("", "0") else right
        if operator == "&":
            return left if {left, right}.isdisjoint(("", "0")) else "0"
        if operator == ":":
            return _matched(left, right)
        numbers = [int(text) for text in (left, right) if re.fullmatch(r"-?\d+", text)]
        if operator in self._LEVELS[2]:
            pair = numbers if len(numbers) == 2 else [left, right]
            order = (pair[0] > pair[1]) - (pair[0] < pair[1])  # type: ignore[operator]
            holds = {"=": order == 0, "==": order == 0, "!=": order != 0, "<": order < 0,
                     "<=": order <= 0, ">": order > 0, ">=": order >= 0}  # fmt: skip
            return str(int(holds[operator]))
        if len(numbers) != 2:
            raise CommandError("expr: non-integer argument", 2)
        return str(_calculated(numbers[0], operator, numbers[1]))


def _calculated(left: int, operator: str, right: int) -> int:
    if operator in "/%" and not right:
        raise CommandError("expr: division by zero", 2)
    if operator == "/":
        return int(left / right)
    if operator == "%":
        return left - right * int(left / right)
    return {"+": left + right, "-": left - right, "*": left * right}[operator]


def _matched(text: str, pattern: str) -> str:
    r"""What ``\(...\)`` matched, or the length of the match from the beginning."""
    try:
        match = re.match(_translated(pattern), text)
    except re.error:
        raise CommandError(f"expr: bad regex '{pattern}'", 2) from None
    if match is None:
        return "" if r"\(" in pattern else "0"
    return match[1] or "" if match.re.groups else str(match.end())


def _translated(pattern: str) -> str:
    """A basic regular expression of POSIX as one of Python."""
    return re.sub(
        r"\\?[(){}|+?]", lambda found: found[0][1:] if found[0][0] == "\\" else f"\\{found[0]}", pattern
    )
