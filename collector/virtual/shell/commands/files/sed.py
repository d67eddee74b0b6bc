"""``sed``: select lines by number or pattern; substitute, print or delete them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from collector.virtual.shell.commands.files.posix_patterns import expression
from collector.virtual.shell.commands.files.text import read_lines
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_DELIMITED = r"((?:\\.|(?!{0}).)*){0}"
_ADDRESS = re.compile(r"(\d+|\$)|/((?:\\.|[^/\\])*)/(I?)")


@dataclass(frozen=True, slots=True)
class Address:
    """A line address: a number (0 is the last line) or a pattern."""

    number: int
    pattern: re.Pattern[str] | None = None

    def at(self, number: int, last: bool, text: str) -> bool:
        if self.pattern is not None:
            return self.pattern.search(text) is not None
        return number == self.number or (last and not self.number)


@dataclass(slots=True)
class SedCommand:
    """One command with its addresses; ``inside`` while the current line is within its range."""

    verb: str
    addresses: tuple[Address, ...] = ()
    negated: bool = False
    pattern: re.Pattern[str] | None = None
    replacement: str = ""
    flags: str = ""
    inside: bool = False

    def applies(self, number: int, last: bool, text: str) -> bool:
        return self._chosen(number, last, text) != self.negated

    def _chosen(self, number: int, last: bool, text: str) -> bool:
        if len(self.addresses) < 2:
            return all(address.at(number, last, text) for address in self.addresses)
        start, end = self.addresses
        if self.inside:
            self.inside = not end.at(number, last, text) and not (end.number and number > end.number)
            return not (end.pattern is None and end.number and number > end.number)
        is_start = start.at(number, last, text)
        self.inside = is_start and (end.pattern is not None or not end.number or end.number > number)
        return is_start

    def substituted(self, text: str) -> tuple[str, bool]:
        """Apply the substitution to a line; return the new line and whether it matched."""
        assert self.pattern is not None
        nth = re.search(r"\d+", self.flags)
        first, left = int(nth[0]) if nth else 1, 0 if "g" in self.flags else 1
        count = 0

        def replace(match: re.Match[str]) -> str:
            nonlocal count
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

    return re.sub(r"\\(.)|&", part, replacement)


class _Script:
    """Parse the commands of a script."""

    def __init__(self, text: str, extended: bool) -> None:
        self._text, self._at, self._extended = text, 0, extended

    def commands(self) -> Iterator[SedCommand]:
        while True:
            self._skip(" \t\n;")
            if self._at >= len(self._text):
                return
            yield self._command()

    def _command(self) -> SedCommand:
        addresses: list[Address] = []
        while match := _ADDRESS.match(self._text, self._at):
            self._at = match.end()
            addresses.append(self._address(match))
            self._skip(" \t")
            if len(addresses) == 2 or not self._text.startswith(",", self._at):
                break
            self._at += 1
            self._skip(" \t")
        negated = self._text.startswith("!", self._at)
        self._skip("! \t")
        verb = self._text[self._at : self._at + 1]
        self._at += 1
        command = SedCommand(verb, tuple(addresses), negated)
        if verb == "s":
            self._substitution(command)
        elif verb not in ("p", "d", "q", "="):
            raise self._bad()
        self._skip(" \t")
        if self._text[self._at : self._at + 1] not in ("", ";", "\n"):
            raise self._bad()
        return command

    def _address(self, match: re.Match[str]) -> Address:
        if match[1]:
            return Address(0 if match[1] == "$" else int(match[1]))
        return Address(-1, self._compiled(match[2].replace("\\/", "/"), match[3]))

    def _substitution(self, command: SedCommand) -> None:
        mark = self._text[self._at : self._at + 1]
        if mark in ("", "\n", "\\"):
            raise self._bad()
        part = _DELIMITED.format(re.escape(mark))
        match = re.compile(f"{part}{part}([gpiI0-9]*)", re.DOTALL).match(self._text, self._at + 1)
        if match is None:
            raise self._bad()
        self._at = match.end()
        source, command.replacement, command.flags = match[1], match[2], match[3]
        if mark not in "|(){}+?.*[]^$":
            source = source.replace("\\" + mark, mark)
            command.replacement = command.replacement.replace("\\" + mark, mark)
        command.pattern = self._compiled(source, command.flags)

    def _compiled(self, source: str, flags: str) -> re.Pattern[str]:
        translated = expression(source, extended=self._extended, fixed=False)
        try:
            return re.compile(translated, re.IGNORECASE if "i" in flags.lower() else 0)
        except re.error:
            raise CommandError(f"sed: bad regex '{source}'") from None

    def _skip(self, letters: str) -> None:
        while self._text[self._at : self._at + 1] and self._text[self._at] in letters:
            self._at += 1

    def _bad(self) -> CommandError:
        return CommandError(f"sed: bad pattern '{self._text}'@{max(1, self._at)}")


@command("sed")
def sed(process: Process) -> int:
    """``s///``, ``p``, ``d``, ``q`` and ``=``, addressed by line numbers, patterns and ranges."""
    letters, scripts, operands = _arguments(process.arguments)
    if not scripts:
        if not operands:
            raise CommandError("sed: no pattern")
        scripts.append(operands.pop(0))
    commands = list(_Script("\n".join(scripts), bool(letters & {"E", "r"})).commands())
    if "i" not in letters:
        for part in _edited(commands, read_lines(process, operands), "n" in letters):
            process.out(part)
        return 0
    for name in operands:
        edited = "".join(_edited(commands, read_lines(process, [name]), "n" in letters))
        process.machine.files.write(process.path(name), edited.encode("utf-8", "surrogateescape"))
    return 0


def _arguments(words: list[str]) -> tuple[set[str], list[str], list[str]]:
    """The option letters, the ``-e`` scripts and the operands."""
    letters: set[str] = set()
    scripts: list[str] = []
    operands: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word == "-":
            operands.append(word)
            continue
        for place, letter in enumerate(word[1:], 2):
            if letter == "e":
                if not word[place:] and not rest:
                    raise CommandError('sed: Missing argument to -e (see "sed --help")')
                scripts.append(word[place:] or rest.pop(0))
                break
            if letter not in "nEriszu":
                raise CommandError(f"sed: Unknown option '{letter}' (see \"sed --help\")")
            letters.add(letter)
    return letters, scripts, operands


def _edited(commands: list[SedCommand], lines: list[bytes], quiet: bool) -> Iterator[str]:
    """The output lines, each with its line end."""
    for number, line in enumerate(lines, 1):
        whole_line = line.decode("utf-8", "surrogateescape")
        text, end = whole_line.removesuffix("\n"), "\n" if whole_line.endswith("\n") else ""
        printed, left = True, False
        for step in commands:
            if not step.applies(number, number == len(lines), text):
                continue
            if step.verb == "s":
                text, replaced = step.substituted(text)
                if replaced and "p" in step.flags:
                    yield text + end
            elif step.verb == "p":
                yield text + end
            elif step.verb == "=":
                yield f"{number}\n"
            else:
                printed, left = printed and step.verb != "d", step.verb == "q"
                break
        if printed and not quiet:
            yield text + end
        if left:
            return
