"""The registry: every command by id, its keys (defaults and custom ones), and conflicts between keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from studio.commands.command import GLOBAL, Command
from studio.commands.keys import anywhere, is_typed, normalise, this_system
from studio.commands.tables.edits import EDIT_COMMANDS
from studio.commands.tables.labels import LABEL_COMMANDS
from studio.commands.tables.metrics import METRICS_COMMANDS
from studio.commands.tables.phones import PHONES_COMMANDS
from studio.commands.tables.project import PROJECT_COMMANDS
from studio.commands.tables.record import RECORD_COMMANDS
from studio.commands.tables.review import REVIEW_COMMANDS
from studio.commands.tables.reviewer import REVIEWER_COMMANDS
from studio.commands.tables.rules import RULES_COMMANDS
from studio.commands.tables.run import RUN_COMMANDS
from studio.commands.tables.states import STATES_COMMANDS
from studio.commands.tables.window import WINDOW_COMMANDS

ALL_COMMANDS = (
    *WINDOW_COMMANDS, *PROJECT_COMMANDS, *RECORD_COMMANDS, *PHONES_COMMANDS, *EDIT_COMMANDS, *RULES_COMMANDS,
    *STATES_COMMANDS, *LABEL_COMMANDS, *RUN_COMMANDS, *REVIEW_COMMANDS, *REVIEWER_COMMANDS, *METRICS_COMMANDS,
)  # fmt: skip
# Pairs that share keys on purpose: their when-clauses are never true together.
SHARED_KEYS = frozenset(
    {
        frozenset({"states.send-to-audit", "labels.submit"}),
        frozenset({"rules.duplicate", "anomaly.duplicate"}),
        frozenset({"rules.rename", "anomaly.rename"}),
        frozenset({"rules.delete", "anomaly.delete"}),
        frozenset({"rules.new", "variation.new"}),
        frozenset({"rules.delete", "variation.delete"}),
        frozenset({"anomaly.delete", "variation.delete"}),
    },
)


@dataclass(frozen=True)
class KeyConflict:
    """Two commands that the same chord would run."""

    keys: str
    first: str
    second: str


class Registry:
    """Every command, with the keys that the person chose for some of them."""

    def __init__(self, commands: Iterable[Command] = ALL_COMMANDS, system: str | None = None) -> None:
        self._commands = {command.id: command for command in commands}
        self._system = system or this_system()
        self._custom_keys: dict[str, tuple[str, ...]] = {}
        self._anywhere: dict[str, tuple[str, ...]] = {}
        self._by_chord: dict[str, list[Command]] = {}

    def __iter__(self) -> Iterator[Command]:
        return iter(self._commands.values())

    def __getitem__(self, command_id: str) -> Command:
        return self._commands[command_id]

    def __contains__(self, command_id: object) -> bool:
        return command_id in self._commands

    def bind(self, custom_keys: Mapping[str, Iterable[str]]) -> None:
        """Replace the custom keys (command id to chords); unknown ids are ignored."""
        self._custom_keys = {
            command_id: tuple(normalise(keys) for keys in chords)
            for command_id, chords in custom_keys.items()
            if command_id in self._commands
        }
        self._anywhere.clear()
        self._by_chord.clear()

    def keys(self, command_id: str) -> tuple[str, ...]:
        """Chords that run the command; the first is the one shown."""
        if command_id in self._custom_keys:
            return self._custom_keys[command_id]
        return self.default_keys(command_id)

    def default_keys(self, command_id: str) -> tuple[str, ...]:
        shortcut = self._commands[command_id].shortcut
        return shortcut.on(self._system) if shortcut else ()

    def anywhere_keys(self, command_id: str) -> tuple[str, ...]:
        """Chords that run the command wherever the keyboard is: ``Alt+R`` for ``R``, and ``Ctrl+K`` itself.

        A chord that another command has as its own key is left to that command.
        """
        chords = self._anywhere.get(command_id)
        if chords is None:
            keys = self.keys(command_id)
            given = {key: anywhere(key, self._system) for key in keys}
            chords = tuple(
                chord for key, chord in given.items()
                if not is_typed(key) or not self.others_with(command_id, chord)
            )  # fmt: skip
            self._anywhere[command_id] = chords
        return chords

    def shown_keys(self, command_id: str) -> str:
        """The chord that menus and tooltips show, or an empty text."""
        return next(iter(self.keys(command_id)), "")

    def conflicts(self) -> list[KeyConflict]:
        """Pairs of commands that the same chord would run in the same workspace."""
        conflicts: list[KeyConflict] = []
        by_chord: dict[str, list[Command]] = {}
        for command in self:
            for keys in self.keys(command.id):
                conflicts += [
                    KeyConflict(keys, other.id, command.id)
                    for other in by_chord.get(keys, ())
                    if _conflict(other, command)
                ]
                by_chord.setdefault(keys, []).append(command)
        return conflicts

    def others_with(self, command_id: str, keys: str) -> list[Command]:
        """Other commands that these keys already run where ``command_id`` works."""
        command = self[command_id]
        return [
            other
            for other in self._with_chord(normalise(keys))
            if other.id != command_id and _conflict(other, command)
        ]

    def _with_chord(self, chord: str) -> list[Command]:
        """The commands that a chord runs somewhere, in table order."""
        if not self._by_chord:
            for command in self:
                for keys in dict.fromkeys(self.keys(command.id)):
                    self._by_chord.setdefault(keys, []).append(command)
        return self._by_chord.get(chord, [])

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


def _conflict(first: Command, second: Command) -> bool:
    if frozenset({first.id, second.id}) in SHARED_KEYS:
        return False
    return first.scope == second.scope or GLOBAL in (first.scope, second.scope)
