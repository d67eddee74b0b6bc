"""Parse one word: quotes, escapes, ``$name``, ``${...}``, ``$(...)``, ``$((...))`` and back quotes."""

from __future__ import annotations

import re
from typing import Protocol

from collector.virtual.shell.language.syntax import (
    Arithmetic,
    Literal,
    ParameterExpansion,
    Part,
    Script,
    Substitution,
    Word,
)

_STARTS = "'\"\\$`"
"""What begins a quote or an expansion."""
_ENDS = " \t\r\n;&|()<>"
_NAME = re.compile(r"[A-Za-z_]\w*|\d|[?$!#@*-]", re.ASCII)
_PARAMETER = re.compile(r"[A-Za-z_]\w*|\d+|[?$!#@*-]", re.ASCII)
_OPERATOR = re.compile(r":?[-=+?]|%%|%|##|#|:|//|/[#%]|/|@[#Q]")
_DOLLAR_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "e": "\x1b", "a": "\a"}


_NUMBERED = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4}))")


def _numbered(match: re.Match[str]) -> str:
    """The character of ``\\101``, ``\\x41`` or ``\\u0041``."""
    if match[3]:
        return chr(int(match[3], 16)) if not 0xD800 <= int(match[3], 16) <= 0xDFFF else "\ufffd"
    byte = int(match[1], 8) & 0xFF if match[1] else int(match[2], 16)
    return bytes([byte]).decode("utf-8", "surrogateescape")


class ShellSyntaxError(Exception):
    """A syntax error; the message is what mksh prints after its name.

    ``incomplete`` is true when more lines could complete the text.
    """

    def __init__(self, message: str, *, incomplete: bool = False) -> None:
        super().__init__(message)
        self.incomplete = incomplete


class NestedParser(Protocol):
    """Parse the commands from ``at`` up to a closing bracket, or with ``whole`` up to the end.

    Returns the script, the place of the bracket, and the text without the here-documents that were read.
    """

    def __call__(self, text: str, at: int = 0, *, whole: bool = False) -> tuple[Script, int, str]: ...


class WordReader:
    """Parse words of ``text`` from position ``at``; ``parse`` parses the commands inside ``$(...)``."""

    def __init__(self, text: str, at: int, parse: NestedParser) -> None:
        self.at = at
        self._text = text
        self._parse = parse

    @property
    def text(self) -> str:
        """The text, without the here-documents that were read from it."""
        return self._text

    def word(self) -> Word | None:
        """Parse the word at the current position; None when there is none."""
        parts: list[Part] = []
        start, depth = self.at, 0
        while self.at < len(self._text):
            character = self._text[self.at]
            if character not in _ENDS:
                self._part(parts)
                continue
            # "@(a|b)" is a pattern.
            opens = character == "(" and self.at > start and self._text[self.at - 1] in "?*+@!"
            if not (opens or (depth and character not in "\r\n;&")):
                break
            depth += (character == "(") - (character == ")")
            parts.append(Literal(character))
            self.at += 1
        return Word(tuple(parts)) if self.at > start else None

    def document(self, literal: bool) -> Word:
        """Parse the whole text as a here-document: without quotes, with expansions unless ``literal``."""
        if literal:
            return Word((Literal(self._text, True),))
        parts: list[Part] = []
        while self.at < len(self._text):
            self._inside_quotes(parts, "\\$`")
        return Word(tuple(parts))

    def _part(self, parts: list[Part]) -> None:
        character = self._text[self.at]
        if character == "'":
            end = self._find("'", self.at + 1)
            parts.append(Literal(self._text[self.at + 1 : end], True))
            self.at = end + 1
        elif character == '"':
            self._double_quotes(parts)
        elif character == "\\":
            following = self._text[self.at + 1 : self.at + 2]
            if following != "\n":
                parts.append(Literal(following or "\\", True))
            self.at += 2
        elif character == "$":
            self._dollar(parts, quoted=False)
        elif character == "`":
            self._back_quotes(parts, quoted=False)
        else:
            start = self.at
            while self.at < len(self._text) and self._text[self.at] not in _ENDS + "'\"\\$`":
                self.at += 1
            parts.append(Literal(self._text[start : self.at]))

    def _double_quotes(self, parts: list[Part]) -> None:
        parts.append(Literal("", True))
        self.at += 1
        while True:
            if self.at >= len(self._text):
                raise ShellSyntaxError("no closing quote", incomplete=True)
            if self._text[self.at] == '"':
                self.at += 1
                return
            self._inside_quotes(parts, '\\$`"')

    def _inside_quotes(self, parts: list[Part], special: str) -> None:
        character = self._text[self.at]
        if character == "\\":
            following = self._text[self.at + 1 : self.at + 2]
            if following and following in special:
                parts.append(Literal(following, True))
            elif following != "\n":
                parts.append(Literal("\\" + following, True))
            self.at += 2
        elif character == "$":
            self._dollar(parts, quoted=True)
        elif character == "`":
            self._back_quotes(parts, quoted=True)
        else:
            start = self.at
            while self.at < len(self._text) and self._text[self.at] not in special:
                self.at += 1
            parts.append(Literal(self._text[start : self.at], True))

    def _dollar(self, parts: list[Part], *, quoted: bool) -> None:
        text, at = self._text, self.at
        if text.startswith("$((", at) and (end := self.arithmetic_end(at + 3)) is not None:
            inner = WordReader(text[at + 3 : end], 0, self._parse).document(False)
            parts.append(Arithmetic(inner, quoted))
            self.at = end + 2
        elif text.startswith("$(", at):
            script, end, self._text = self._parse(text, at + 2)
            parts.append(Substitution(script, quoted))
            self.at = end + 1
        elif text.startswith("${", at):
            self._braced(parts, quoted)
        elif text.startswith("$'", at) and not quoted:
            self._dollar_quotes(parts)
        elif match := _NAME.match(text, at + 1):
            parts.append(ParameterExpansion(match[0], quoted=quoted))
            self.at = match.end()
        else:
            parts.append(Literal("$", quoted))
            self.at += 1

    def _dollar_quotes(self, parts: list[Part]) -> None:
        self.at += 2
        characters: list[str] = []
        while not self._text.startswith("'", self.at):
            if self.at >= len(self._text):
                raise ShellSyntaxError("no closing quote", incomplete=True)
            if match := _NUMBERED.match(self._text, self.at):
                characters.append(_numbered(match))
                self.at = match.end()
            elif self._text[self.at] == "\\":
                following = self._text[self.at + 1 : self.at + 2]
                characters.append(_DOLLAR_ESCAPES.get(following, "\\" + following))
                self.at += 2
            else:
                characters.append(self._text[self.at])
                self.at += 1
        self.at += 1
        parts.append(Literal("".join(characters), True))

    def _back_quotes(self, parts: list[Part], *, quoted: bool) -> None:
        end = self.at + 1
        while not self._text.startswith("`", end):
            if end >= len(self._text):
                raise ShellSyntaxError("no closing quote", incomplete=True)
            end += 2 if self._text[end] == "\\" else 1
        escaped = r'\\([$`\\"])' if quoted else r"\\([$`\\])"
        inner = re.sub(escaped, r"\1", self._text[self.at + 1 : end])
        parts.append(Substitution(self._parse(inner, whole=True)[0], quoted))
        self.at = end + 1

    def _braced(self, parts: list[Part], quoted: bool) -> None:
        start = self.at + 2
        end = self._closing_brace(start)
        source = self._text[start:end]
        prefix = ""
        if len(source) > 1 and source[0] in "#!" and _PARAMETER.match(source[1:]):
            prefix = "length" if source[0] == "#" else "names"
            source = source[1:]
        match = _PARAMETER.match(source)
        subscript, rest = _subscript(source[match.end() :]) if match else (None, source)
        operator = _OPERATOR.match(rest)
        if match is None or (rest and (operator is None or prefix)):
            raise ShellSyntaxError(f"${{{self._text[start:end]}}}: bad substitution")
        inside = None if subscript is None else WordReader(subscript, 0, self._parse).document(False)
        name = operator[0] if operator else prefix
        body = rest[operator.end() :] if operator else ""
        first, second = self._operand(name, body, quoted) if operator else (None, None)
        parts.append(ParameterExpansion(match[0], name, first, quoted, inside, second))
        self.at = end + 1

    def _operand(self, operator: str, body: str, quoted: bool) -> tuple[Word, Word | None]:
        """The argument of an operator, and what follows its separator."""
        separator = ":" if operator == ":" else "/" if operator[0] == "/" else ""
        reader = WordReader(body, 0, self._parse)
        # Words of "${x:-'a'}" keep their single quotes; patterns lose them.
        keeps = quoted and operator[-1] in "-=+?"
        first = reader._whole(separator, keeps=keeps)
        if not separator or not reader._text.startswith(separator, reader.at):
            return first, None
        reader.at += 1
        return first, reader._whole("")

    def _whole(self, separator: str, *, keeps: bool = False) -> Word:
        parts: list[Part] = []
        while self.at < len(self._text):
            character = self._text[self.at]
            if separator and character == separator:
                break
            if keeps and character == '"':
                self._double_quotes(parts)
            elif keeps:
                self._inside_quotes(parts, '\\$`"')
            elif character in _ENDS or (separator and character not in _STARTS):
                parts.append(Literal(character))
                self.at += 1
            else:
                self._part(parts)
        return Word(tuple(parts))

    def _find(self, character: str, start: int) -> int:
        end = self._text.find(character, start)
        if end < 0:
            raise ShellSyntaxError("no closing quote", incomplete=True)
        return end

    def _closing_bracket(self, start: int) -> int:
        return self._closing(start, "(", ")")

    def _closing_brace(self, start: int) -> int:
        # Only "${" nests: other braces are characters of a pattern, as in ${LINE#*{* }.
        return self._closing(start, "${", "}")

    def _closing(self, at: int, opening: str, closing: str) -> int:
        depth = 1
        while at < len(self._text):
            character = self._text[at]
            if character == "\\":
                at += 1
            elif character == "'":
                at = self._find("'", at + 1)
            elif character == '"':
                at = self._skip_double_quotes(at + 1)
            elif closing == "}" and self._text.startswith("$(", at):
                at = self._closing_bracket(at + 2)
            elif self._text.startswith(opening, at):
                depth += 1
                at += len(opening) - 1
            elif character == closing:
                depth -= 1
                if not depth:
                    return at
            at += 1
        message = "no closing quote" if closing == "}" else f"syntax error: unmatched '{opening}'"
        raise ShellSyntaxError(message, incomplete=True)

    def _skip_double_quotes(self, at: int) -> int:
        while at < len(self._text) and self._text[at] != '"':
            if self._text[at] == "\\":
                at += 1
            elif self._text.startswith("$(", at):
                at = self._closing_bracket(at + 2)
            at += 1
        return at

    def arithmetic_end(self, start: int) -> int | None:
        """The place of the ``))`` that ends the expression at ``start``; None when it is none."""
        try:
            inner = self._closing_bracket(start)
        except ShellSyntaxError:
            return None
        return inner if self._text.startswith("))", inner) else None


def _subscript(text: str) -> tuple[str | None, str]:
    """Split ``[...]`` off the start of a text; the first is None when there is none."""
    if not text.startswith("["):
        return None, text
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "[") - (character == "]")
        if not depth:
            return text[1:place], text[place + 1 :]
    return None, text
