"""What a library declares of an anomaly: its dialog or change, answers, follow-ups and undo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from collector.located_yaml.diagnostics import NOWHERE, Diagnostic, Place
from collector.model.anomaly_terms import DISMISS

COMPANION_KIND = "companion"
"""A dialog of the companion app."""
NATIVE = "native"
"""A change of the device's own state, made by shell commands."""
KINDS = (COMPANION_KIND, NATIVE)

CATEGORIES = ("System Resource", "System Network", "App Malfunction", "Permission Control", "UX Disruption")
"""The five of D-GARA's paper."""


@dataclass(frozen=True, slots=True)
class AndroidVersions:
    """Android versions from ``lowest`` to ``highest``, both included; 0 leaves that end open."""

    lowest: int = 0
    highest: int = 0

    def __contains__(self, version: int) -> bool:
        return version >= self.lowest and (not self.highest or version <= self.highest)

    def __str__(self) -> str:
        if self.highest:
            return str(self.lowest) if self.lowest == self.highest else f"{self.lowest}-{self.highest}"
        return f"{self.lowest}+" if self.lowest else ""


ANY_VERSION = AndroidVersions()


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """A shell command as its file writes it, with ``{package}`` and ``{parameter}`` not filled in."""

    text: str
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class AnomalyParameter:
    """A value an anomaly takes: an extra of the dialog, or a name its commands use."""

    name: str
    type: str
    value: str | int | float | bool
    lowest: float | None = None
    highest: float | None = None
    description: str = ""
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What follows an answer: a ``command`` for the device, or only a ``message`` for the log."""

    type: str
    command: ShellCommand | None = None
    message: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class DialogAnswer:
    """A button of a dialog: its name in rules, its label, the event it logs and its follow-ups."""

    name: str
    button: str
    event: str
    follow_ups: tuple[FollowUp, ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class RememberedValue:
    """A text read before the change: what ``command`` prints, or the first group of ``pattern`` in it."""

    command: ShellCommand
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class ChangeCheck:
    """Shows that a change is made: the output of ``command`` matches the regular expression ``expect``."""

    command: ShellCommand
    expect: str
    once: bool = False
    """It shows that something happened, not that it lasts: an undo ignores it."""


@dataclass(frozen=True, slots=True)
class NativeCommands:
    """The commands that make, check and undo the change on some ``versions`` of Android.

    ``remember`` names texts that are read before the change, for ``apply`` and ``undo`` to use.
    """

    versions: AndroidVersions
    apply: tuple[ShellCommand, ...]
    undo: tuple[ShellCommand, ...] = ()
    remember: Mapping[str, RememberedValue] = field(default_factory=dict)
    verify: tuple[ChangeCheck, ...] = ()


@dataclass(frozen=True)
class Anomaly:
    """One entry of a library."""

    id: str
    kind: str = COMPANION_KIND
    family: str = ""
    """The name that its other languages and forms share."""
    category: str = ""
    """One of :data:`CATEGORIES`; empty where the library, as D-GARA's, names none."""
    language: str = ""
    description: str = ""
    activity: str = ""
    """Activity of the companion app, without its package."""
    parameters: tuple[AnomalyParameter, ...] = ()
    answers: tuple[DialogAnswer, ...] = ()
    events: Mapping[str, tuple[FollowUp, ...]] = field(default_factory=dict)
    """The follow-ups by answer, or by ``EVENT:`` and the name of an event, as written."""
    event_places: Mapping[str, Place] = field(default_factory=dict)
    undo: tuple[ShellCommand, ...] = ()
    native: tuple[NativeCommands, ...] = ()
    versions: AndroidVersions = ANY_VERSION
    answer: str = ""
    """The answer its author expects, by its name in rules; empty when the library names none."""
    risk: str = ""
    """One of :data:`collector.model.risk.RISKS`, when an agent should stop or ask there; empty for none."""
    unsafe: tuple[str, ...] = ()
    """The answers that are unsafe, as the library names them."""
    place: Place = NOWHERE
    """The place of its id, or of its entry."""
    activity_place: Place = NOWHERE

    @property
    def buttons(self) -> int:
        """How many buttons its dialog offers."""
        return len(self.answers)

    @property
    def declared_answer(self) -> DialogAnswer | None:
        """The button to press when nobody is asked: the author's, or the last one that runs no command.

        None for a dialog that is to be dismissed.
        """
        if self.answer == DISMISS:
            return None
        named = next((answer for answer in self.answers if answer.name == self.answer), None)
        quiet = [answer for answer in self.answers if not any(follow.command for follow in answer.follow_ups)]
        return named or (quiet[-1] if quiet else self.answers[0] if self.answers else None)

    @property
    def unsafe_answers(self) -> tuple[str, ...]:
        """The answers that are unsafe: those named, else all of a risk but the declared one."""
        if self.unsafe or not self.risk:
            return self.unsafe
        declared = self.declared_answer
        return tuple(answer.name for answer in self.answers if answer is not declared)

    def value(self, name: str) -> str:
        """The value of a parameter as text; empty when there is none."""
        return next((str(parameter.value) for parameter in self.parameters if parameter.name == name), "")

    def commands_for(self, version: int) -> NativeCommands | None:
        """The commands for an Android ``version``; None when there are none."""
        return next((native for native in self.native if version in native.versions), None)

    @property
    def commands(self) -> tuple[ShellCommand, ...]:
        """Every shell command it may run, in the order of the file."""
        follow = [
            follow_up.command
            for follow_ups in self.events.values()
            for follow_up in follow_ups
            if follow_up.command
        ]
        native = [
            command
            for commands in self.native
            for command in (*_read_by(commands), *commands.apply, *commands.undo)
        ]
        return tuple(sorted([*follow, *native, *self.undo], key=lambda command: command.place.start))


def _read_by(native: NativeCommands) -> tuple[ShellCommand, ...]:
    return (
        *(entry.command for entry in native.remember.values()),
        *(entry.command for entry in native.verify),
    )


@dataclass(frozen=True)
class AnomalyLibrary:
    """The anomalies of a file, with the diagnostics of its grammar."""

    anomalies: tuple[Anomaly, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    path: str = ""

    @cached_property
    def _by_id(self) -> dict[str, Anomaly]:
        return {anomaly.id: anomaly for anomaly in reversed(self.anomalies)}

    def get(self, anomaly_id: str) -> Anomaly | None:
        """The first anomaly of that id."""
        return self._by_id.get(anomaly_id)

    def select(self, category: str = "", language: str = "") -> list[Anomaly]:
        """The anomalies of a category and a language; one without words belongs to every language."""
        return [
            anomaly
            for anomaly in self.anomalies
            if category in ("", anomaly.category) and (not language or anomaly.language in ("", language))
        ]
