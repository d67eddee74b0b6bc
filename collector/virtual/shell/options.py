"""Parse options as the phone's tools do: clustered letters, values, ``--`` and operands."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.shell.process import CommandError


@dataclass(frozen=True, slots=True)
class CommandOptions:
    """The given options with their values, and the operands."""

    given: dict[str, str]
    operands: list[str]

    def __contains__(self, name: str) -> bool:
        return name in self.given

    def get(self, name: str, default: str = "") -> str:
        return self.given.get(name, default)

    def number(self, name: str, default: int, command: str) -> int:
        """The value as an integer; CommandError with toybox's message otherwise."""
        text = self.given.get(name)
        if text is None:
            return default
        try:
            return int(text)
        except ValueError:
            raise CommandError(f"{command}: not integer: {text}") from None


def read_options(
    command: str, arguments: list[str], flags: str, valued: str = "", *, until_operand: bool = False
) -> CommandOptions:
    """Parse arguments like ``-la file``; an unknown option raises CommandError with toybox's message.

    ``flags`` and ``valued`` are letters; long options appear as ``--name`` in the result. With
    ``until_operand`` the options end at the first operand, which is a command with options of its own.
    """
    given: dict[str, str] = {}
    operands: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            operands += rest
            break
        if not word.startswith("-") or word == "-":
            operands.append(word)
            if until_operand:
                operands += rest
                break
            continue
        if word.startswith("--"):
            name, _, value = word.partition("=")
            given[name] = value
            continue
        letters = word[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in valued:
                if not letters and not rest:
                    raise CommandError(f'{command}: Missing argument to -{letter} (see "{command} --help")')
                given[letter] = letters or rest.pop(0)
                break
            if letter not in flags:
                raise CommandError(f"{command}: Unknown option '{letter}' (see \"{command} --help\")")
            given[letter] = ""
    return CommandOptions(given, operands)
