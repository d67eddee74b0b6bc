"""An anomaly as its library declares it: what is shown or changed, its answers, what follows, its undo."""

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
    """A shell command as its file writes it, its ``{package}`` and ``{parameter}`` not filled in."""

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
    """One thing that follows an answer: a ``command`` for the device, or only a ``message`` for the log."""

    type: str
    command: ShellCommand | None = None
    message: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class DialogAnswer:
    """A button: the word rules call it by, what stands on it, the event it logs and what follows."""

    name: str
    button: str
    event: str
    follow_ups: tuple[FollowUp, ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class RememberedValue:
    """A text read before the change: what ``command`` prints, or of it the first group of ``pattern``."""

    command: ShellCommand
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class ChangeCheck:
    """What shows that a change is made: ``expect``, a regular expression, is found in what is printed."""

    command: ShellCommand
    expect: str
    once: bool = False
    """It shows that something happened and not that it lasts: an undo does not look at it."""


@dataclass(frozen=True, slots=True)
class NativeCommands:
    """How ``versions`` of Android make the change, show that it is made and take it back.

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
    """What its other languages and forms share."""
    category: str = ""
    """One of :data:`CATEGORIES`; empty where the library, as D-GARA's, names none."""
    language: str = ""
    description: str = ""
    activity: str = ""
    """Activity of the companion app, without its package."""
    parameters: tuple[AnomalyParameter, ...] = ()
    answers: tuple[DialogAnswer, ...] = ()
    events: Mapping[str, tuple[FollowUp, ...]] = field(default_factory=dict)
    """What follows, by answer or ``EVENT:`` and name, as written."""
    event_places: Mapping[str, Place] = field(default_factory=dict)
    undo: tuple[ShellCommand, ...] = ()
    native: tuple[NativeCommands, ...] = ()
    versions: AndroidVersions = ANY_VERSION
    answer: str = ""
    """The answer its author expects, as rules call it; empty where the library names none."""
    place: Place = NOWHERE
    """Where its id stands, or its entry."""
    activity_place: Place = NOWHERE

    @property
    def buttons(self) -> int:
        """How many buttons its dialog offers."""
        return len(self.answers)

    @property
    def declared_answer(self) -> DialogAnswer | None:
        """The button to press where a person is not asked: the author's, else the last that runs nothing.

        None for a dialog that is to be dismissed.
        """
        if self.answer == DISMISS:
            return None
        named = next((answer for answer in self.answers if answer.name == self.answer), None)
        quiet = [answer for answer in self.answers if not any(follow.command for follow in answer.follow_ups)]
        return named or (quiet[-1] if quiet else self.answers[0] if self.answers else None)

    def value(self, name: str) -> str:
        """A parameter as text, empty when there is none."""
        return next((str(parameter.value) for parameter in self.parameters if parameter.name == name), "")

    def commands_for(self, version: int) -> NativeCommands | None:
        """What makes this change on an Android ``version``, None where nothing does."""
        return next((native for native in self.native if version in native.versions), None)

    @property
    def commands(self) -> tuple[ShellCommand, ...]:
        """Every shell command it may run, in the order of the file."""
        follow = [one.command for listed in self.events.values() for one in listed if one.command]
        native = [
            command
            for one in self.native
            for command in (*_read_by(one), *one.apply, *one.undo)
        ]  # fmt: skip
        return tuple(sorted([*follow, *native, *self.undo], key=lambda one: one.place.start))


def _read_by(native: NativeCommands) -> tuple[ShellCommand, ...]:
    return (
        *(entry.command for entry in native.remember.values()),
        *(entry.command for entry in native.verify),
    )


@dataclass(frozen=True)
class AnomalyLibrary:
    """The anomalies of a file, with what is wrong with their grammar."""

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
        """Those of a category and a language; what shows no words belongs to every language."""
        return [
            anomaly
            for anomaly in self.anomalies
            if category in ("", anomaly.category) and (not language or anomaly.language in ("", language))
        ]
