"""The registry: every command by id, its keys with the person's own bindings, and clashes between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from studio.commands.command import GLOBAL, Command
from studio.commands.keys import normalise, this_system
from studio.commands.rules_table import RULES_COMMANDS
from studio.commands.shell_table import SHELL_COMMANDS
from studio.commands.workspace_table import PROJECT_COMMANDS, RECORD_COMMANDS

ALL_COMMANDS = (*SHELL_COMMANDS, *PROJECT_COMMANDS, *RECORD_COMMANDS, *RULES_COMMANDS)
# Pairs that share keys on purpose: their when-clauses are never true together.
INTENDED = frozenset(
    {
        frozenset({"edit.undo", "record.undo"}),
        frozenset({"edit.redo", "record.redo"}),
        frozenset({"edit.undo", "rules.undo"}),
        frozenset({"edit.redo", "rules.redo"}),
        frozenset({"rules.duplicate", "anomaly.duplicate"}),
        frozenset({"rules.rename", "anomaly.rename"}),
        frozenset({"rules.delete", "anomaly.delete"}),
    },
)


@dataclass(frozen=True)
class Clash:
    """Two commands one chord would run."""

    keys: str
    first: str
    second: str


class Registry:
    """Read-only table plus the bindings a person chose (command id to chords)."""

    def __init__(self, commands: Iterable[Command] = ALL_COMMANDS, system: str | None = None) -> None:
        self._commands = {command.id: command for command in commands}
        self._system = system or this_system()
        self._own: dict[str, tuple[str, ...]] = {}

    def __iter__(self) -> Iterator[Command]:
        return iter(self._commands.values())

    def __getitem__(self, command_id: str) -> Command:
        return self._commands[command_id]

    def __contains__(self, command_id: object) -> bool:
        return command_id in self._commands

    def bind(self, own: Mapping[str, Iterable[str]]) -> None:
        """Replace the person's bindings; ids this version does not know are left aside."""
        self._own = {
            one: tuple(normalise(keys) for keys in chords)
            for one, chords in own.items()
            if one in self._commands
        }

    def keys(self, command_id: str) -> tuple[str, ...]:
        """Chords that run the command, the shown one first."""
        if command_id in self._own:
            return self._own[command_id]
        return self.default_keys(command_id)

    def default_keys(self, command_id: str) -> tuple[str, ...]:
        shortcut = self._commands[command_id].shortcut
        return shortcut.on(self._system) if shortcut else ()

    def shown_keys(self, command_id: str) -> str:
        """The first chord, or nothing."""
        return next(iter(self.keys(command_id)), "")

    def clashes(self) -> list[Clash]:
        """Pairs of commands that can be reached at once by the same chord."""
        found: list[Clash] = []
        taken: dict[str, list[Command]] = {}
        for command in self:
            for keys in self.keys(command.id):
                found += [
                    Clash(keys, other.id, command.id)
                    for other in taken.get(keys, ())
                    if _meet(other, command)
                ]
                taken.setdefault(keys, []).append(command)
        return found

    def others_with(self, command_id: str, keys: str) -> list[Command]:
        """Other commands these keys already run where ``command_id`` works."""
        wanted, chord = self[command_id], normalise(keys)
        return [
            other
            for other in self
            if other.id != command_id and chord in self.keys(other.id) and _meet(other, wanted)
        ]

    def menu(self, name: str) -> list[list[Command]]:
        """Commands of a menu by group, in table order."""
        groups: dict[str, list[Command]] = {}
        for command in self:
            menu, _, group = command.menu.partition("/")
            if menu == name:
                groups.setdefault(group, []).append(command)
        return list(groups.values())

    def toolbar(self, scope: str) -> list[Command]:
        """Commands with a button in the toolbar of a workspace, in table order."""
        return [command for command in self if command.toolbar and command.scope == scope]


def _meet(one: Command, other: Command) -> bool:
    if frozenset({one.id, other.id}) in INTENDED:
        return False
    return one.scope == other.scope or GLOBAL in (one.scope, other.scope)
