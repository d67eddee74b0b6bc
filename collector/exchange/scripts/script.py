"""What a golden trajectory comes to as a program: what is done, what is waited for, and what must hold."""

from __future__ import annotations

from dataclasses import dataclass, field

from collector.exchange.scripts.locators import Locator
from collector.model.action import Action
from collector.model.geometry import Size


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """One action on the phone."""

    number: int
    """Of its step, from 1."""
    words: str
    """What is done, in one line."""
    action: Action
    screen: Size
    """Size of the recorded screen, in whose pixels the places of the action are."""
    target: tuple[Locator, ...] = ()
    """Ways to find the touched element, best first; empty when only its place is known."""
    label: str = ""
    """The words on the touched element, or on the first that has some inside it."""
    landmark: Locator | None = None
    """An element that the screen before it does not have: once it is there, the screen is."""
    secret: str = ""
    """Of a hidden text: the environment variable that provides it."""


@dataclass(frozen=True, slots=True)
class ScreenFact:
    """Something that must hold on a screen: an element, or the app or activity in front."""

    element: Locator | None = None
    is_absent: bool = False
    """Whether the element must not be there."""
    package: str = ""
    activity: str = ""
    """Its name, short or in full, without the package before a slash."""


@dataclass(frozen=True, slots=True)
class StateCheck:
    """An essential state, or the success of the task, as facts that must hold together."""

    words: str
    """The sentence of the state."""
    facts: tuple[ScreenFact, ...]


@dataclass(frozen=True, slots=True)
class PhoneScript:
    """The program of one trajectory."""

    name: str
    task: str
    instruction: str
    language: str
    package: str
    """Of the app of the task; empty when it names none."""
    parts: tuple[ScriptStep | StateCheck, ...] = field(default=())

    @property
    def secrets(self) -> tuple[str, ...]:
        """Environment variables that must be set."""
        return tuple(
            dict.fromkeys(part.secret for part in self.parts if isinstance(part, ScriptStep) and part.secret)
        )
