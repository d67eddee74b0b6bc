"""Tables of console commands: find one in a line, run it, and print its help.

As ``find_command``, ``control_client_do_command``, ``do_help`` and ``dump_help`` of the emulator's
console.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from collector.virtual.console.emulator import Emulator

OK = "OK\n"
MISSING, BAD = "missing sub-command", " bad sub-command"
_UNKNOWN = "unknown command, try 'help'"


class ConsoleError(Exception):
    """The console's reason after ``KO: ``; ``before`` are the lines in front of it."""

    def __init__(self, reason: str, before: str = "") -> None:
        super().__init__(reason)
        self.before = before

    @property
    def answer(self) -> str:
        return f"{self.before}KO: {self}\n"


class Silence(Exception):  # noqa: N818 - the console's answer without its end
    """The emulator writes ``written`` and neither OK nor KO: some of its commands fail, or succeed, so."""

    def __init__(self, written: str) -> None:
        super().__init__(written)
        self.written = written


Run = Callable[[Emulator, str], str]
"""Called with what follows the command's name, empty for nothing; returns the lines before the OK.

Raises ConsoleError, or Silence.
"""


@dataclass(frozen=True, slots=True)
class ConsoleCommand:
    """One command, or a group of them."""

    names: str
    """With ``|`` between several."""
    abstract: str
    description: str = ""
    """What help prints of it, with the end of its line; the abstract where there is none."""
    run: Run | None = None
    subcommands: tuple[ConsoleCommand, ...] = ()

    def help(self, prefix: str) -> str:
        """What ``help`` prints; ``prefix`` stands in front of the names of subcommands."""
        text = self.description or f"{self.abstract}\n"
        if self.subcommands:
            rows = (f"   {prefix} {command.names:<15}  {command.abstract}\n" for command in self.subcommands)
            text += f"\navailable sub-commands:\n{''.join(rows)}\n"
        return text


Commands = tuple[ConsoleCommand, ...]


def find_command(line: str, commands: Commands) -> tuple[ConsoleCommand | None, str]:
    """The command at the beginning of a line, and what follows the spaces after its name."""
    name, _space, rest = line.partition(" ")
    found = next((command for command in commands if name in command.names.split("|")), None)
    return found, rest.lstrip(" ")


def answer(line: str, commands: Commands, emulator: Emulator) -> str:
    """Run a line; what the console writes, nearly always with ``OK`` or ``KO: reason`` as its last line."""
    try:
        return _run(line, commands, emulator) + OK
    except Silence as silence:
        return silence.written
    except ConsoleError as error:
        return error.answer


def _run(line: str, commands: Commands, emulator: Emulator) -> str:
    command, rest = find_command(line, commands)
    if command is None:
        raise ConsoleError(_UNKNOWN)
    while command.run is None:
        if not rest:
            raise ConsoleError(MISSING, command.help(""))
        found, after = find_command(rest, command.subcommands)
        if found is None:
            raise ConsoleError(BAD, command.help(""))
        command, rest = found, after
    return command.run(emulator, rest)


def list_commands(commands: Commands) -> str:
    """What ``help`` prints without a command."""
    names = "".join(f"    {command.names}\n" for command in commands)
    return (
        f"Android console commands:\n{names}\nTry 'help-verbose' for more description\n"
        "Try 'help <command>' for command-specific help\n"
    )


def describe_commands(commands: Commands) -> str:
    """What ``help-verbose`` prints."""
    rows = "".join(f"    {command.names:<15}  {command.abstract}\n" for command in commands)
    return f"Android console command help:\n\n{rows}\ntry 'help <command>' for command-specific help\n"


def help_of(words: str, commands: Commands) -> str:
    """What ``help`` prints of a command. Raises ConsoleError for an unknown one."""
    rest = words
    while True:
        command, after = find_command(rest, commands)
        if command is None:
            raise ConsoleError("unknown command", f"{list_commands(commands)}\n")
        if not after or not command.subcommands:
            return command.help(words)
        commands, rest = command.subcommands, after
