"""Expand words to arguments: parameters, substitutions, field splitting and file patterns."""

from __future__ import annotations

import re
from typing import Protocol

from collector.virtual.shell.files import Files
from collector.virtual.shell.language.arithmetic import ExpansionError, Variables, calculate
from collector.virtual.shell.language.braces import expand_braces
from collector.virtual.shell.language.patterns import Pieces, is_pattern, matcher
from collector.virtual.shell.language.syntax import (
    Arithmetic,
    Literal,
    ParameterExpansion,
    Part,
    Script,
    Substitution,
    Word,
)

_MAX_MATCHES = 20_000
_BLANKS = " \t\n"


class Scope(Variables, Protocol):
    """The parts of a shell that expansion uses."""

    @property
    def arguments(self) -> list[str]: ...

    @property
    def directory(self) -> str: ...

    @property
    def options(self) -> set[str]: ...

    def variable(self, name: str) -> str | None: ...

    def set_variable(self, name: str, value: str) -> None: ...

    def elements(self, name: str) -> dict[int, str]: ...

    def capture(self, script: Script) -> str: ...


class Expander:
    """Expands the words of one shell."""

    def __init__(self, scope: Scope, files: Files) -> None:
        self._scope = scope
        self._files = files

    def arguments(self, words: tuple[Word, ...]) -> list[str]:
        """Expand each word to arguments: none, one or several."""
        arguments: list[str] = []
        for word in words:
            for each in expand_braces(word):
                arguments += self._fields(each)
        return arguments

    def text(self, word: Word) -> str:
        """Expand a word without splitting: the value of an assignment or the target of a redirect."""
        return "".join(text for text, _quoted in self._pieces(word))

    def matches(self, text: str, pattern: Word) -> bool:
        """Whether a ``case`` pattern matches all of ``text``; quoted characters match literally."""
        return matcher(self._pieces(pattern)).match(text) is not None

    def calculate(self, expression: Word) -> int:
        """The value of an arithmetic expression."""
        return calculate(self.text(expression), self._scope)

    def index(self, subscript: Word) -> int:
        """The place in an array."""
        return self.calculate(subscript) & 0xFFFF_FFFF

    def _pieces(self, word: Word) -> list[tuple[str, bool]]:
        pieces: list[tuple[str, bool]] = []
        for part in _with_home(word, self._scope.variable("HOME") or "/").parts:
            texts = self._part(part)
            joiner = self._joiner() if isinstance(part, ParameterExpansion) and _all(part) == "*" else " "
            for number, piece in enumerate(texts):
                if number and isinstance(part, ParameterExpansion) and _all(part):
                    pieces.append((joiner, True))
                pieces.append(piece)
        return pieces

    def _fields(self, word: Word) -> list[str]:
        fields: list[list[tuple[str, bool]]] = []
        opened = False
        ifs = self._separators()
        for part in _with_home(word, self._scope.variable("HOME") or "/").parts:
            several = isinstance(part, ParameterExpansion) and bool(_all(part)) and part.operator != "length"
            texts = self._part(part)
            if several and _quoted_star(part):
                texts = [(self._joiner().join(text for text, _quoted in texts), True)]
            for number, (text, quoted) in enumerate(texts):
                if number and several:
                    opened = False
                whole = quoted or isinstance(part, Literal)
                for place, piece in enumerate([text] if whole else _split(text, ifs)):
                    if place:
                        opened = False
                    if piece is None or (not piece and whole and not quoted):
                        continue
                    if not opened:
                        fields.append([])
                        opened = True
                    fields[-1].append((piece, quoted))
        return [name for field in fields for name in self._matches(field)]

    def _separators(self) -> str:
        value = self._scope.variable("IFS")
        return _BLANKS if value is None else value

    def _joiner(self) -> str:
        return self._separators()[:1]

    def _part(self, part: Part) -> list[tuple[str, bool]]:
        if isinstance(part, Literal):
            return [(part.text, part.quoted)]
        if isinstance(part, Substitution):
            return [(self._scope.capture(part.script).rstrip("\n"), part.quoted)]
        if isinstance(part, Arithmetic):
            return [(str(self.calculate(part.expression)), part.quoted)]
        return self._parameter(part)

    def _parameter(self, part: ParameterExpansion) -> list[tuple[str, bool]]:
        name = part.name
        if part.operator == "names":
            return self._names(part)
        if _all(part):
            return self._several(part)
        value = self._scope.variable(name)
        if part.subscript is not None:
            value = self._scope.element(name, self.index(part.subscript))
        if part.operator == "length":
            self._require_set(name, value)
            return [(str(len(value or "")), part.quoted)]
        if part.operator and part.operator[-1] in "-=+?" and part.argument is not None:
            return self._default(part, value)
        self._require_set(name, value)
        return [(self._changed(value or "", part), part.quoted)]

    def _require_set(self, name: str, value: str | None) -> None:
        if value is None and "nounset" in self._scope.options and name not in "@*!-":
            raise ExpansionError(f"{name}: parameter not set")

    def _names(self, part: ParameterExpansion) -> list[tuple[str, bool]]:
        if _all(part):
            return [(str(index), part.quoted) for index in sorted(self._scope.elements(part.name))]
        return [(part.name, part.quoted)]

    def _several(self, part: ParameterExpansion) -> list[tuple[str, bool]]:
        if part.name in "@*":
            values = self._scope.arguments
        else:
            elements = self._scope.elements(part.name)
            values = [elements[index] for index in sorted(elements)]
        if part.operator == "length":
            return [(str(len(values)), part.quoted)]
        kind = part.operator[-1:]
        if part.argument is not None and kind and kind in "-=+?":
            missing = not values or (part.operator[0] == ":" and not any(values))
            if (kind == "+") == missing:
                return [] if missing else [(value, part.quoted) for value in values]
            return self._argument(part)
        if part.operator in (":", "/", "//", "/#", "/%"):
            raise ExpansionError(f"${{{part.name}{part.operator}}}: bad substitution")
        return [(self._changed(value, part), part.quoted) for value in values]

    def _changed(self, value: str, part: ParameterExpansion) -> str:
        operator, argument = part.operator, part.argument
        if not operator or argument is None:
            return value
        if operator == ":":
            return self._slice(value, argument, part.replacement)
        if operator == "@Q":
            return quoted_word(value)
        if operator[0] == "/":
            replacement = self.text(part.replacement) if part.replacement else ""
            return _replaced(value, operator, self._pieces(argument), replacement)
        if operator[0] in "#%":
            return _trim(value, operator, self._pieces(argument))
        raise ExpansionError(f"${{{part.name}{operator}}}: bad substitution")

    def _slice(self, value: str, start_word: Word, length_word: Word | None) -> str:
        start = self.calculate(start_word)
        start = max(0, len(value) + start) if start < 0 else start
        if length_word is None:
            return value[start:]
        length = self.calculate(length_word)
        return (
            value[start : start + length] if length >= 0 else value[start : max(start, len(value) + length)]
        )

    def _argument(self, part: ParameterExpansion) -> list[tuple[str, bool]]:
        pieces = self._pieces(part.argument or Word(()))
        return [(text, True) for text, _ in pieces] if part.quoted else pieces

    def _default(self, part: ParameterExpansion, value: str | None) -> list[tuple[str, bool]]:
        missing = value is None or (part.operator.startswith(":") and not value)
        kind = part.operator[-1]
        if kind == "+":
            return [("", part.quoted)] if missing else self._argument(part)
        if not missing:
            return [(value or "", part.quoted)]
        if kind == "-":
            return self._argument(part)
        text = self.text(part.argument or Word(()))
        if kind == "?":
            raise ExpansionError(f"{part.name}: {text or 'parameter null or not set'}")
        if part.subscript is not None:
            self._scope.set_element(part.name, self.index(part.subscript), text)
        else:
            self._scope.set_variable(part.name, text)
        return [(text, part.quoted)]

    def _matches(self, field: Pieces) -> list[str]:
        plain = "".join(text for text, _quoted in field)
        if "noglob" in self._scope.options or not is_pattern(field):
            return [plain]
        return self._glob(field) or [plain]

    def _glob(self, field: Pieces) -> list[str]:
        names: list[list[tuple[str, bool]]] = [[]]
        for text, quoted in field:
            first, *rest = text.split("/")
            names[-1].append((first, quoted))
            names += [[(name, quoted)] for name in rest]
        paths = [""]
        for number, name in enumerate(names):
            if number and not any(text for text, _quoted in name):
                if number == len(names) - 1:
                    return [f"{path}/" for path in paths]
                continue
            if not number and not any(text for text, _quoted in name):
                paths = ["/"]
                continue
            paths = [child for base in paths for child in self._children(base, name)][:_MAX_MATCHES]
        return paths

    def _children(self, base: str, pattern: Pieces) -> list[str]:
        prefix = base if base in ("", "/") else base + "/"
        place = base if base.startswith("/") else f"{self._scope.directory.rstrip('/')}/{base}"
        plain = "".join(text for text, _quoted in pattern)
        if not is_pattern(pattern):
            return [prefix + plain] if self._files.exists(f"{place}/{plain}") else []
        try:
            names = [name for name, _entry in self._files.list(place)]
        except OSError:
            return []
        match = matcher(pattern).match
        hidden = plain.startswith(".")
        return [prefix + name for name in names if (hidden or name[0] != ".") and match(name)]


def quoted_word(value: str) -> str:
    """The word as it could be typed: in quotes only when it needs them."""
    if re.fullmatch(r"[\w@%+=:,./-]+", value, re.ASCII) and not re.match(r"\w+=", value, re.ASCII):
        return value
    if re.search(r"[\x00-\x1f\x7f]", value):
        special = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\a": "\\a", "\b": "\\b", "\x1b": "\\E",
                   "\f": "\\f", "\v": "\\v", "'": "\\'", "\\": "\\\\"}  # fmt: skip
        inner = "".join(special.get(c) or (f"\\{ord(c):03o}" if ord(c) < 32 else c) for c in value)
        return f"$'{inner}'"
    parts = value.split("'")
    return "\\'".join(f"'{part}'" if part or len(parts) == 1 else "" for part in parts)


def _all(part: ParameterExpansion) -> str:
    """``@`` or ``*`` when the parameter stands for several values; else empty."""
    if part.name in ("@", "*"):
        return part.name
    first = part.subscript.parts[0] if part.subscript and len(part.subscript.parts) == 1 else None
    return first.text if isinstance(first, Literal) and first.text in ("@", "*") else ""


def _quoted_star(part: Part) -> bool:
    return isinstance(part, ParameterExpansion) and part.quoted and _all(part) == "*"


def _split(text: str, separators: str) -> list[str | None]:
    """Split by IFS; None stands for a boundary without a field beside it.

    Blanks around and between fields are dropped; each other separator ends a field, which may be empty.
    """
    if not separators:
        return [text or None]
    blanks = "".join(character for character in separators if character in _BLANKS)
    others = "".join(character for character in separators if character not in _BLANKS)
    if not others:
        return [piece or None for piece in re.split(f"[{blanks}]+", text)]
    blank = f"[{re.escape(blanks)}]*" if blanks else ""
    source = rf"{blank}[{re.escape(others)}]{blank}" + (f"|[{re.escape(blanks)}]+" if blanks else "")
    pieces: list[str | None] = list(re.split(source, text.lstrip(blanks)))
    if pieces[-1] == "":
        pieces[-1] = None
    return pieces


def _with_home(word: Word, home: str) -> Word:
    """Replace ``~`` at the start of a word by the home folder."""
    first = word.parts[0] if word.parts else None
    if not isinstance(first, Literal) or first.quoted or first.text[:1] != "~":
        return word
    if first.text != "~" and first.text[:2] != "~/":
        return word
    if first.text == "~" and len(word.parts) > 1:
        return word
    text = home if first.text == "~" else home.rstrip("/") + first.text[1:]
    return Word((Literal(text, True), *word.parts[1:]))


def _trim(value: str, operator: str, pieces: Pieces) -> str:
    match = matcher(pieces).match
    lengths = range(len(value) + 1)
    if operator[0] == "#":
        order = lengths if operator == "#" else reversed(lengths)
        return next((value[n:] for n in order if match(value[:n])), value)
    order = lengths if operator == "%%" else reversed(lengths)
    return next((value[:n] for n in order if match(value[n:])), value)


def _replaced(value: str, operator: str, pieces: Pieces, replacement: str) -> str:
    """``${value/pattern/replacement}``: the longest match at each place."""
    if not any(text for text, _quoted in pieces):
        return value
    match = matcher(pieces).match
    result, at = "", 0
    while at <= len(value):
        if operator == "/%" and not match(value[at:]):
            result += value[at : at + 1]
            at += 1
            continue
        end = next((end for end in range(len(value), at, -1) if match(value[at:end])), None)
        if end is not None:
            result, at = result + replacement, end
            if operator != "//":
                return result + value[at:]
        elif operator == "/#":
            return value
        else:
            result += value[at : at + 1]
            at += 1
    return result
