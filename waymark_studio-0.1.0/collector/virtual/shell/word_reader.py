"""Parse one word: quotes, escapes, ``$name``, ``${...}``, ``$(...)``, ``$((...))`` and back quotes."""

from __future__ import annotations

import re
from collections.abc import Callable

from collector.virtual.shell.syntax import (
    Arithmetic,
    Literal,
    ParameterExpansion,
    Part,
    Script,
    Substitution,
    Word,
)

_ENDS = " \t\r\n;&|()<>"
_NAME = re.compile(r"[A-Za-z_]\w*|\d|[?$!#@*-]")
_BRACED = re.compile(r"(#?)([A-Za-z_]\w*|\d+|[?$!#@*-])(:?[-=+?]|%%|%|##|#|:|/)?")
_DOLLAR_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "e": "\x1b", "a": "\a"}


class ShellSyntaxError(Exception):
    """A syntax error; the message is what mksh prints after its name.

    ``incomplete`` is true when more lines could complete the text.
    """

    def __init__(self, message: str, *, incomplete: bool = False) -> None:
        super().__init__(message)
        self.incomplete = incomplete


class WordReader:
    """Parse words of ``text`` from position ``at``; ``parse`` parses the commands inside ``$(...)``."""

    def __init__(self, text: str, at: int, parse: Callable[[str], Script]) -> None:
        self.at = at
        self._text = text
        self._parse = parse

    def word(self) -> Word | None:
        """Parse the word at the current position; None when there is none."""
        parts: list[Part] = []
        start = self.at
        while self.at < len(self._text) and self._text[self.at] not in _ENDS:
            self._part(parts)
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
        if text.startswith("$((", at) and (end := self._arithmetic_end(at + 3)) is not None:
            inner = WordReader(text[at + 3 : end], 0, self._parse).document(False)
            parts.append(Arithmetic(inner, quoted))
            self.at = end + 2
        elif text.startswith("$(", at):
            end = self._closing_bracket(at + 2)
            parts.append(Substitution(self._parse(text[at + 2 : end]), quoted))
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
            if self._text[self.at] == "\\":
                following = self._text[self.at + 1 : self.at + 2]
                characters.append(_DOLLAR_ESCAPES.get(following, "\\" + following))
                self.at += 2
            else:
                characters.append(self._text[self.at])
                self.at += 1
        self.at += 1
        parts.append(Literal("".join(characters), True))

    def _back_quotes(self, parts: list[Part], *, quoted: bool) -> None:
        end = self._find("`", self.at + 1)
        parts.append(Substitution(self._parse(self._text[self.at + 1 : end]), quoted))
        self.at = end + 1

    def _braced(self, parts: list[Part], quoted: bool) -> None:
        match = _BRACED.match(self._text, self.at + 2)
        end = self._closing_brace(self.at + 2)
        if match is None or match.end() > end:
            raise ShellSyntaxError(f"{self._text[self.at : end + 1]}: bad substitution")
        length, name, operator = match[1], match[2], match[3] or ""
        argument = WordReader(self._text[match.end() : end], 0, self._parse)._whole() if operator else None
        parts.append(ParameterExpansion(name, "length" if length else operator, argument, quoted))
        self.at = end + 1

    def _whole(self) -> Word:
        parts: list[Part] = []
        while self.at < len(self._text):
            if self._text[self.at] in _ENDS:
                parts.append(Literal(self._text[self.at]))
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
        raise ShellSyntaxError(f"syntax error: '{closing}' expected", incomplete=True)

    def _skip_double_quotes(self, at: int) -> int:
        while at < len(self._text) and self._text[at] != '"':
            if self._text[at] == "\\":
                at += 1
            elif self._text.startswith("$(", at):
                at = self._closing_bracket(at + 2)
            at += 1
        return at

    def _arithmetic_end(self, start: int) -> int | None:
        try:
            inner = self._closing_bracket(start)
        except ShellSyntaxError:
            return None
        return inner if self._text.startswith("))", inner) else None
