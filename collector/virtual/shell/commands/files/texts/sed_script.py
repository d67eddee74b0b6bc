"""The commands of a ``sed`` script, with their addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from collector.virtual.shell.commands.files.texts.posix_patterns import expression
from collector.virtual.shell.process import CommandError

_DELIMITED = r"((?:\\.|(?!{0}).)*){0}"
_ADDRESS = re.compile(r"(\d+|\$)|/((?:\\.|\[[^\]]*\]|[^/\\])*)/(I?)|\\(.)")
_PLAIN, _TEXTS, _LABELS, _FILES = "{}=dDgGhHlnNpPqQxF", "aic", "btT", "rw"
_LETTERS = {"n": "\n", "t": "\t", "a": "\a", "f": "\f", "v": "\v", "r": "\r", "e": "\x1b", "b": "\b"}


@dataclass(frozen=True, slots=True)
class Address:
    """A line address: a number (0 is the last line) or a pattern; of the end also so many lines more."""

    number: int
    pattern: re.Pattern[str] | None = None
    more: bool = False

    def at(self, number: int, last: bool, text: str) -> bool:
        if self.pattern is not None:
            return self.pattern.search(text) is not None
        return number == self.number or (last and not self.number)


@dataclass(slots=True)
class SedCommand:
    """One command with its addresses."""

    verb: str
    addresses: tuple[Address, ...] = ()
    negated: bool = False
    pattern: re.Pattern[str] | None = None
    replacement: str = ""
    """What takes the place of the match; of ``y`` the letters."""
    flags: str = ""
    text: str = ""
    """What ``a``, ``i`` and ``c`` print, a label, or the name of a file."""
    end: int = 0
    """Of ``{``: the place of its ``}`` in the script."""
    _until: int | None = field(default=None, repr=False)
    """Within its range: the last line of it, or -1 where a pattern ends it."""

    def applies(self, number: int, last: bool, text: str) -> bool:
        return self._chosen(number, last, text) != self.negated

    @property
    def is_inside(self) -> bool:
        """Whether its range goes on after this line."""
        return self._until is not None

    def _chosen(self, number: int, last: bool, text: str) -> bool:
        if len(self.addresses) < 2:
            return all(address.at(number, last, text) for address in self.addresses)
        start, end = self.addresses
        if self._until is not None:
            if end.pattern is not None:
                self._until = None if end.pattern.search(text) else -1
                return True
            until = self._until
            if number >= until > 0 or (last and not until):
                self._until = None
            return not until or number <= until
        if not start.at(number, last, text):
            return False
        self._until = -1 if end.pattern is not None else number + end.number if end.more else end.number
        if end.pattern is None and (0 < self._until <= number or (last and not self._until)):
            self._until = None
        return True

    def substituted(self, text: str) -> tuple[str, bool]:
        """Apply the substitution to a line; return the new line and whether it matched."""
        assert self.pattern is not None
        nth = re.search(r"\d+", self.flags)
        first, left = int(nth[0]) if nth else 1, 0 if "g" in self.flags else 1
        count, before = 0, -1

        def replace(match: re.Match[str]) -> str:
            nonlocal count, before
            if not match[0] and match.start() == before:
                return ""  # nothing is between it and the match before
            before = match.end()
            count += 1
            if count < first or (left and count > first):
                return match[0]
            return _filled(self.replacement, match)

        text_after = self.pattern.sub(replace, text)
        return text_after, count >= first


def _filled(replacement: str, match: re.Match[str]) -> str:
    def part(group: re.Match[str]) -> str:
        if group[0] == "&":
            return match[0]
        if group[1].isdigit():
            return match[int(group[1])] or ""
        return {"n": "\n", "t": "\t"}.get(group[1], group[1])

    return re.sub(r"\\(.)|&", part, replacement, flags=re.DOTALL)


class SedScript:
    """Parse the commands of a script. Raises CommandError."""

    def __init__(self, text: str, extended: bool) -> None:
        self._text, self._at, self._extended = text, 0, extended

    def commands(self) -> list[SedCommand]:
        found: list[SedCommand] = []
        open_blocks: list[int] = []
        while True:
            self._skip(" \t\n;")
            if self._at >= len(self._text):
                break
            if self._text[self._at] == "#":
                self._at = self._line_end()
                continue
            command = self._command()
            if command.verb == "{":
                open_blocks.append(len(found))
            elif command.verb == "}":
                if not open_blocks:
                    raise CommandError("sed: unexpected }")
                found[open_blocks.pop()].end = len(found)
            found.append(command)
        if open_blocks:
            raise CommandError("sed: no }")
        labels = {command.text for command in found if command.verb == ":"}
        for command in found:
            if command.verb in _LABELS and command.text and command.text not in labels:
                raise CommandError(f"sed: no :{command.text}")
        return found

    def _command(self) -> SedCommand:
        addresses = self._addresses()
        negated = self._text.startswith("!", self._at)
        self._skip("! \t")
        verb = self._text[self._at : self._at + 1]
        self._at += 1
        command = SedCommand(verb, addresses, negated)
        if verb == "s":
            self._substitution(command)
        elif verb == "y":
            self._letters(command)
        elif verb and verb in _TEXTS:
            self._lines(command)
            return command
        elif verb and verb in _LABELS + ":":
            match = re.compile(r"[ \t]*([^;}\n]*)" if verb != ":" else r"[ \t]*([^;\n]*)").match(
                self._text, self._at
            )
            assert match is not None
            command.text, self._at = match[1].strip(), match.end()
        elif verb and verb in _FILES:
            self._skip(" \t")
            command.text, self._at = self._text[self._at : self._line_end()], self._line_end()
        elif not verb or verb not in _PLAIN:
            raise self._bad()
        elif verb in "qQl":
            self._skip("0123456789 \t")
        self._skip(" \t")
        if verb not in "{}" and self._text[self._at : self._at + 1] not in ("", ";", "\n", "}", "#"):
            raise self._bad()
        return command

    def _addresses(self) -> tuple[Address, ...]:
        addresses: list[Address] = []
        while True:
            more = bool(addresses) and self._text.startswith("+", self._at)
            match = _ADDRESS.match(self._text, self._at + more)
            if match is None or (more and not match[1]):
                return tuple(addresses)
            self._at = match.end()
            addresses.append(self._address(match, more=more))
            self._skip(" \t")
            if len(addresses) == 2 or not self._text.startswith(",", self._at):
                return tuple(addresses)
            self._at += 1
            self._skip(" \t")

    def _address(self, match: re.Match[str], *, more: bool) -> Address:
        if match[1]:
            return Address(0 if match[1] == "$" else int(match[1]), more=more)
        if match[4]:
            part = re.compile(_DELIMITED.format(re.escape(match[4])), re.DOTALL).match(self._text, self._at)
            if part is None:
                raise self._bad()
            self._at = part.end()
            return Address(-1, self._compiled(part[1].replace("\\" + match[4], match[4]), ""))
        return Address(-1, self._compiled(match[2].replace("\\/", "/"), match[3]))

    def _parts(self, flags: str) -> tuple[str, str, str]:
        mark = self._text[self._at : self._at + 1]
        if mark in ("", "\n", "\\"):
            raise self._bad()
        part = _DELIMITED.format(re.escape(mark))
        match = re.compile(f"{part}{part}({flags})", re.DOTALL).match(self._text, self._at + 1)
        if match is None:
            raise self._bad()
        self._at = match.end()
        first, second = match[1], match[2]
        if mark not in "|(){}+?.*[]^$":
            first, second = (text.replace("\\" + mark, mark) for text in (first, second))
        return first, second, match[3]

    def _substitution(self, command: SedCommand) -> None:
        source, command.replacement, command.flags = self._parts("[gpiI0-9]*")
        if self._text.startswith("w", self._at):
            command.text = self._text[self._at + 1 : self._line_end()].strip()
            self._at = self._line_end()
        command.pattern = self._compiled(source, command.flags)

    def _letters(self, command: SedCommand) -> None:
        first, second, _flags = self._parts("")
        source, target = (
            re.sub(r"\\(.)", lambda m: _LETTERS.get(m[1], m[1]), text) for text in (first, second)
        )
        if len(source) != len(target):
            raise self._bad()
        command.flags, command.replacement = source, target

    def _lines(self, command: SedCommand) -> None:
        """The text of ``a``, ``i`` or ``c``: on its line, or on those after a backslash."""
        self._skip(" \t")
        if self._text.startswith("\\\n", self._at):
            self._at += 2
        match = re.compile(r"(?:\\.|[^\\\n])*", re.DOTALL).match(self._text, self._at)
        assert match is not None
        self._at = match.end()
        command.text = re.sub(r"\\(.)", lambda m: _LETTERS.get(m[1], m[1]), match[0], flags=re.DOTALL)

    def _compiled(self, source: str, flags: str) -> re.Pattern[str]:
        translated = expression(source, extended=self._extended, fixed=False)
        try:
            return re.compile(translated, re.IGNORECASE if "i" in flags.lower() else 0)
        except re.error:
            raise CommandError(f"sed: bad regex '{source}'") from None

    def _line_end(self) -> int:
        end = self._text.find("\n", self._at)
        return len(self._text) if end < 0 else end

    def _skip(self, letters: str) -> None:
        while self._text[self._at : self._at + 1] and self._text[self._at] in letters:
            self._at += 1

    def _bad(self) -> CommandError:
        return CommandError(f"sed: bad pattern '{self._text}'@{max(1, self._at)}")
