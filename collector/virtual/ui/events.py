"""Events a widget sends to its app."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Event:
    """An event that an app's ``update`` receives.

    ``name`` is the kind of event, ``key`` its target (set by the view, as in ``Event("open",
    product.id)``), ``value`` the input (new text, on or off, a number), filled in when the event is
    sent.
    """

    name: str
    key: object = None
    value: object = None
    at_ms: int = 0
    """When it was sent, in ms since 1970 by the phone's clock; only apps that ask for the time are told."""

    def with_value(self, value: object) -> Event:
        """A copy of the event with the input value."""
        return replace(self, value=value)


TAP, DOUBLE_TAP, LONG_PRESS, SWIPE, DRAG = "tap", "double_tap", "long_press", "swipe", "drag"


@dataclass(frozen=True, slots=True)
class WholeGesture:
    """What one finger did from touching a widget to leaving it; places are shares of width and height."""

    kind: str
    """TAP, DOUBLE_TAP (after the TAP of each of the two), LONG_PRESS, SWIPE, or DRAG (after a long press)."""
    start: tuple[float, float]
    end: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Trace:
    """A place of a finger on a widget that follows it, or how it left."""

    at: tuple[float, float] | None = None
    """In shares of its width and height; None once the finger is gone."""
    lifted: bool = False
    """Whether it was lifted; one that the system took away means nothing."""


@dataclass(frozen=True, slots=True)
class Pinch:
    """A pinch or drag step on a widget; positions are shares of its width and height."""

    scale: float = 1.0
    """Change of the distance between the fingers; 1 for a drag with one finger."""
    center: tuple[float, float] = (0.5, 0.5)
    """The point between the fingers before the step."""
    moved: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Drag:
    """A step of a finger that picked a widget up by a long press."""

    moved: tuple[float, float] = (0.0, 0.0)
    """Distance in dp from where the finger went down."""
    dropped: bool = False
    """The finger was lifted here; a cancelled gesture drops where it began."""
