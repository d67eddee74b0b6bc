"""Recorded screens as a graph: which action led from which screen to which, and in which recordings.

Testing tools call it a UI transition graph (UTG). It is plain data, so that what builds it from trajectories
and what plays it as a phone need not know each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from collector.model.action import Action
from collector.model.app_data.collections import AppData
from collector.model.geometry import Rect, Size


@dataclass(frozen=True, slots=True, order=True)
class RecordedMoment:
    """A place in a recording."""

    recording: int
    """Its number in :attr:`TransitionGraph.recordings`, from 0."""
    step: int
    """Index of the step whose state this is."""


@dataclass(frozen=True, slots=True)
class TextArea:
    """A text field of a recorded screen, in px of that screen."""

    bounds: Rect
    focused: bool = False
    password: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class GraphScreen:
    """One screen of the graph. Its coordinates are px of :attr:`size`."""

    number: int
    """Its place in :attr:`TransitionGraph.screens`, from 0."""
    package: str
    activity: str
    """Full name of the class; empty when it was not recorded."""
    size: Size
    picture: Callable[[], Any]
    """Reads the pixels of the screenshot, uint8, height x width x 3; None when there is none."""
    tree: Callable[[], bytes]
    """Reads the hierarchy as uiautomator's XML; no bytes when there is none."""
    fields: tuple[TextArea, ...] = ()
    secure: bool = False
    moments: tuple[RecordedMoment, ...] = ()
    """The recorded states that are this screen, the first one first."""

    @property
    def is_landscape(self) -> bool:
        return self.size.width > self.size.height


@dataclass(frozen=True, slots=True, eq=False)
class Transition:
    """An action that was recorded on a screen, and the screen it led to."""

    number: int
    """Its place in :attr:`TransitionGraph.transitions`, from 0."""
    source: int
    target: int
    action: Action
    """As recorded, in px of the source's size."""
    description: str
    """The action in words, with what it touched."""
    area: Rect | None = None
    """Bounds of the node that was touched, or of what scrolls around it; None when no tree says."""
    moments: tuple[RecordedMoment, ...] = ()
    """The recorded states in which the action was done."""


@dataclass(frozen=True)
class TransitionGraph:
    """All screens and transitions of one or several recordings."""

    recordings: tuple[str, ...]
    """Ids of the trajectories."""
    screens: tuple[GraphScreen, ...]
    transitions: tuple[Transition, ...]
    paths: tuple[tuple[int, ...], ...] = ()
    """Of each recording the transitions of its steps, in order."""
    launchers: frozenset[str] = field(default_factory=frozenset)
    """Packages whose screens are home screens."""
    app_data: Callable[[RecordedMoment], AppData | None] = lambda _moment: None
    """Reads what apps kept for the person in a recorded state; None where it was not recorded."""

    language: str = ""
    """Tag of the language of the phone on which the first recording was made; empty when nobody knows it."""

    @cached_property
    def leaving(self) -> dict[int, tuple[Transition, ...]]:
        """The transitions of each screen that has any."""
        found: dict[int, list[Transition]] = {}
        for transition in self.transitions:
            found.setdefault(transition.source, []).append(transition)
        return {number: tuple(leaving) for number, leaving in found.items()}

    @cached_property
    def has_app_data(self) -> bool:
        """Whether every recording says what apps kept for the person when it began."""
        starts = (RecordedMoment(recording, 0) for recording in range(len(self.recordings)))
        return all(self.app_data(start) is not None for start in starts)

    @property
    def start(self) -> GraphScreen:
        """The screen on which the first recording begins."""
        return self.screens[0]

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages of the screens, in the order in which they were recorded."""
        return tuple(dict.fromkeys(screen.package for screen in self.screens))
