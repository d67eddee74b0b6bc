"""``echo``, ``print`` and ``printf``."""

from __future__ import annotations

import re

from collector.virtual.shell.language.control_flow import NAME
from collector.virtual.shell.language.redirection import stream_of
from collector.virtual.shell.pipes import Writer
from collector.virtual.shell.process import CommandError, Process, encode
from collector.virtual.shell.registry import command

_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b",
          "f": "\f", "v": "\v"}  # fmt: skip
_ESCAPE = re.compile(
    r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|0[0-7]{0,3}|[1-7][0-7]{0,2}|.)", re.DOTALL
)
_DIRECTIVE = re.compile(r"%([-+ 0#']*)(\*|\d+)?(?:\.(\*|\d+)?)?(?:hh|ll|[hljzt])?(.?)", re.DOTALL)
_WIDEST = 1 << 20


@command("echo")
def echo(process: Process) -> int:
    """Print the arguments; ``-n`` without a line end, ``-E`` without escapes."""
    words = process.arguments
    newline, escapes = True, True
    while words and re.fullmatch(r"-[neE]+", words[0]):
        newline = newline and "n" not in words[0]
        for letter in words[0]:
            escapes = letter == "e" if letter in "eE" else escapes
        words = words[1:]
    text, ends = " ".join(words), False
    if escapes:
        text, ends = unescape(text, octal=False)
    process.out(text + ("\n" if newline and not ends else ""))
    return 0


@command("print")
def print_(process: Process) -> int:
    """Print as Korn shells do: ``-r`` raw, ``-n`` no line end, ``-l`` a line each, ``-u`` a descriptor."""
    words = list(process.arguments)
    letters, target = "", "1"
    while words and re.fullmatch(r"-[nrlNRps]*(u\d*)?|--", words[0]) and words[0] != "-":
        word = words.pop(0)
        if word == "--":
            break
        flags, descriptor, number = word[1:].partition("u")
        letters += flags
        if descriptor:
            target = number or (words.pop(0) if words else "1")
    if words[:1] == ["-"]:
        words.pop(0)
    stream = stream_of(process.streams, int(target)) if target.isdecimal() else None
    if "p" in letters:
        coprocess = process.shell.coprocess
        if coprocess is None or coprocess.job.ended.is_set():
            raise CommandError(f"{NAME}: print: -p: no coprocess")
        stream = coprocess.to_it
    if not isinstance(stream, Writer):
        raise CommandError(f"{NAME}: print: {target}: bad file descriptor")
    separator = "\n" if "l" in letters else "\0" if "N" in letters else " "
    text, ends = separator.join(words), False
    if "r" not in letters and "R" not in letters:
        text, ends = unescape(text, octal=False)
    try:
        stream.write(encode(text + ("" if "n" in letters or ends else "\0" if "N" in letters else "\n")))
    except BrokenPipeError:
        if "p" not in letters:
            raise
        raise CommandError(f"{NAME}: print: -p: no coprocess") from None
    return 0


def unescape(text: str, *, octal: bool = True) -> tuple[str, bool]:
    r"""Replace backslash escapes; the second tells whether ``\c`` ended the text.

    ``octal`` allows ``\101`` beside ``\0101``.
    """
    end = re.match(r"((?:[^\\]|\\[^c])*)\\c", text, re.DOTALL)
    data = b"".join(
        piece if isinstance(piece, bytes) else encode(piece)
        for piece in _unescaped(end[1] if end else text, octal)
    )
    return data.decode("utf-8", "surrogateescape"), bool(end)


def _unescaped(text: str, octal: bool) -> list[str | bytes]:
    pieces: list[str | bytes] = []
    at = 0
    for match in _ESCAPE.finditer(text):
        plain = not octal and match[1][0] in "1234567"
        pieces += [text[at : match.start()], match[0] if plain else _character(match[1])]
        at = match.end()
    return [*pieces, text[at:]]


def _character(escape: str) -> str | bytes:
    kind, digits = escape[0], escape[1:]
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind == "x" and digits:
        return bytes([int(digits, 16)])
    if kind in "uU" and digits:
        value = int(digits, 16)
        return chr(value) if value < 0xD800 or 0xDFFF < value < 0x11_0000 else "\ufffd"
    if kind in "01234567":
        return bytes([int(escape, 8) & 0xFF])
    return "\\" + escape


@command("printf")
def printf(process: Process) -> int:
    """Print by a format, repeated while arguments remain, as toybox does."""
    words = process.arguments[process.arguments[:1] == ["--"] :]
    if not words:
        raise CommandError('printf: Needs 1 argument (see "printf --help")')
    pattern, *values = words
    formatter = _Formatter(process, pattern, values)
    return formatter.run()


class _Ended(Exception):  # noqa: N818 - control flow, not an error
    r"""``\c`` ends all output."""


class _Formatter:
    def __init__(self, process: Process, pattern: str, values: list[str]) -> None:
        self._process = process
        self._pattern = pattern
        self._values = values
        self._used = 0
        self._status = 0

    def run(self) -> int:
        """Print; return the exit status."""
        try:
            while True:
                before = self._used
                self._once()
                if self._used >= len(self._values) or self._used == before:
                    return self._status
        except _Ended:
            return self._status

    def _once(self) -> None:
        at = 0
        pattern = self._pattern
        while at < len(pattern):
            if pattern[at] == "%":
                match = _DIRECTIVE.match(pattern, at)
                assert match
                at = match.end()
                self._directive(match)
                continue
            end = pattern.find("%", at)
            end = len(pattern) if end < 0 else end
            self._escaped(pattern[at:end])
            at = end

    def _escaped(self, text: str) -> None:
        shown, ends = unescape(text)
        self._process.out(shown)
        if ends:
            raise _Ended

    def _next(self) -> str:
        self._used += 1
        return self._values[self._used - 1] if self._used <= len(self._values) else ""

    def _directive(self, match: re.Match[str]) -> None:
        flags, kind = match[1].replace("'", ""), match[4]
        if kind == "%":
            self._process.out("%")
            return
        width = str(self._integer(self._next())) if match[2] == "*" else match[2] or ""
        precision = match[3]
        if precision == "*":
            precision = str(max(0, self._integer(self._next())))
        dotted = "." in match[0]
        if int(width or 0) > _WIDEST or int(precision or 0) > _WIDEST:
            raise CommandError("printf: bad width")
        shape = f"%{flags}{width}" + (f".{precision or 0}" if dotted else "")
        if not kind or kind not in "sbcdiuxXofFeEgGaA":
            raise CommandError(f"printf: bad %{kind}@{match.end(4)}")
        self._process.out(self._shown(shape, kind, self._next()))

    def _shown(self, shape: str, kind: str, value: str) -> str:
        if kind == "c":
            return (shape.partition(".")[0] + "s") % value[:1]
        if kind == "s":
            return (shape + "s") % value
        if kind == "b":
            text, ends = unescape(value)
            if ends:
                self._process.out((shape + "s") % text)
                raise _Ended
            return (shape + "s") % text
        if kind in "fFeEgG":
            return (shape + kind) % self._float(value)
        if kind in "aA":
            return self._float(value).hex()
        number = self._integer(value, kind)
        if kind in "uxXo" and number < 0:
            number += 1 << 64
        # "#o" of C begins with 0, that of Python with 0o.
        text = (shape + ("d" if kind in "iu" else kind)) % number
        return text.replace("0o", "0") if kind == "o" else text

    def _bad(self, kind: str, value: str) -> None:
        self._process.err(f"printf: bad %{kind} {value}")
        self._status = 1

    def _integer(self, value: str, kind: str = "d") -> int:
        if value[:1] in ("'", '"'):
            return ord(value[1]) if len(value) > 1 else 0
        match = re.match(r"\s*([-+]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)?", value)
        assert match
        digits = match[2] or ""
        if match.end() != len(value) or (not digits and value):
            self._bad(kind, value)
        base = 16 if digits[:2].lower() == "0x" else 8 if digits[:1] == "0" else 10
        number = int(digits, base) if digits else 0
        number = -number if match[1] == "-" else number
        return max(-(1 << 63), min(number, (1 << 64) - 1))

    def _float(self, value: str) -> float:
        try:
            return float(value or 0)
        except ValueError:
            self._bad("f", value)
            return 0.0
