"""What a person has seen of the noise of a phone: elements that came, were uncovered or moved."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import NamedTuple

from collector.virtual.ui.events import Event

UNCOVER, DODGE = "noise.uncover", "noise.dodge"
"""Events that the phone keeps from the app; their key is the name of the element."""
NOISE_EVENTS = (UNCOVER, DODGE)
_After = Callable[[float, Callable[[], None]], int]


class NoisyElement(NamedTuple):
    """An element of an app, the same on every phone."""

    package: str
    activity: str
    name: str


class NoiseProgress:
    """The noise of one phone as it goes on. The phone's lock protects it."""

    def __init__(self, after: _After, changed: Callable[[], None]) -> None:
        """``after(seconds, run)`` calls ``run`` later; ``changed`` is called when screens are others now."""
        self._after, self._changed = after, changed
        self.version = 0
        """Higher after each change: views of the noise before it are out of date."""
        self._inputs = 0
        self._missing: dict[NoisyElement, int] = {}
        """The number of the input after which an element is there."""
        self._late: dict[NoisyElement, int] = {}
        """The number of the timer after which an element that comes late is there."""
        self._timers = itertools.count()
        self._arrived: set[NoisyElement] = set()
        self._done: set[NoisyElement] = set()

    def forget(self, package: str = "") -> None:
        """Begin anew, of one package or of all."""
        for known in (self._missing, self._late):
            for element in [item for item in known if package in ("", item.package)]:
                del known[element]
        for seen in (self._arrived, self._done):
            seen.difference_update([item for item in seen if package in ("", item.package)])
        self.version += 1

    def note_input(self) -> None:
        """Count a touch or a key: elements that are missing come back by it."""
        self._inputs += 1
        if self._inputs in self._missing.values():
            self._change()

    def is_missing(self, element: NoisyElement, inputs: int) -> bool:
        """Whether an element that is to be missing still is; it comes after so many inputs."""
        return self._inputs < self._missing.setdefault(element, self._inputs + inputs)

    def is_late(self, element: NoisyElement, seconds: float) -> bool:
        """Whether an element that is to come late is not there yet; the first question starts its time."""
        if element in self._arrived:
            return False
        if element not in self._late:
            number = self._late[element] = next(self._timers)
            self._after(seconds, lambda: self._arrive(element, number))
        return True

    def _arrive(self, element: NoisyElement, number: int) -> None:
        if self._late.get(element) == number:  # else it was forgotten, and perhaps begun anew
            self._arrived.add(element)
            self._change()

    def is_done(self, element: NoisyElement) -> bool:
        """Whether a moving element has moved, or the cover of a covered one is away."""
        return element in self._done

    def touched(self, package: str, activity: str, event: Event) -> None:
        """A person touched the cover of an element, or one that moves."""
        self._done.add(NoisyElement(package, activity, str(event.key)))
        self._change()

    def _change(self) -> None:
        self.version += 1
        self._changed()
