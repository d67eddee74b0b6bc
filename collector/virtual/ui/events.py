"""Events a widget sends to its app."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, as an app's ``update`` receives it.

    ``name`` says what, ``key`` which one (set by the view, as in ``Event("open", product.id)``),
    ``value`` what the person did (new text, on or off, a number), filled in when the event is sent.
    """

    name: str
    key: object = None
    value: object = None

    def carrying(self, value: object) -> Event:
        """The same event with what the person did."""
        return replace(self, value=value)


@dataclass(frozen=True, slots=True)
class Pinch:
    """What fingers did to a widget since the last one; places are shares of its width and height."""

    scale: float = 1.0
    """How much farther apart they are; 1 for one finger that drags."""
    center: tuple[float, float] = (0.5, 0.5)
    """Between them, before they moved."""
    moved: tuple[float, float] = (0.0, 0.0)
