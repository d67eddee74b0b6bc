"""The unified action space: a superset of AITK's, ProBench's and AndroidControl's.

Coordinates are device pixels of the rotation the state was taken in; durations
are milliseconds. One frozen class per action, identified by ``kind``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from collector.model.geometry import Point

KEY_NAMES = (
    "enter", "back", "home", "recents", "power", "volume_up", "volume_down", "delete", "tab",
    "escape", "menu", "search", "up", "down", "left", "right", "paste", "copy", "cut", "select_all",
)  # fmt: skip
"""Keys that have a name; any other Android key is ``code:<number>``."""

DIRECTIONS = ("up", "down", "left", "right")
FingerPath = tuple[tuple[int, int, int], ...]
"""``(t_ms, x, y)`` of a finger, from the first touch-down of its gesture."""
HELD_FROM_MS = 500
"""A key that is held so long is pressed long: Android's own time is 400 to 500 ms."""
LONGEST_MS = 3_600_000
"""No wait and no gesture takes longer, whatever an agent or a file asks for."""


@dataclass(frozen=True, slots=True)
class Action:
    """Base of all actions; never instantiated."""

    kind: ClassVar[str] = ""

    @property
    def point(self) -> Point | None:
        """Where the finger first touched, for actions that touch."""
        return None


@dataclass(frozen=True, slots=True)
class _At(Action):
    x: int
    y: int

    @property
    def point(self) -> Point:
        return Point(self.x, self.y)


@dataclass(frozen=True, slots=True)
class Tap(_At):
    """A tap at a point; ``duration_ms`` is the time between down and up."""

    kind: ClassVar[str] = "tap"
    duration_ms: int = 0


@dataclass(frozen=True, slots=True)
class DoubleTap(_At):
    """Two taps at a point within the platform's double-tap time."""

    kind: ClassVar[str] = "double_tap"


@dataclass(frozen=True, slots=True)
class LongPress(_At):
    """A finger held at a point for ``duration_ms``."""

    kind: ClassVar[str] = "long_press"
    duration_ms: int = 1000


@dataclass(frozen=True, slots=True)
class _FromTo(Action):
    x1: int
    y1: int
    x2: int
    y2: int
    duration_ms: int = 300
    path: FingerPath = field(default=())
    """Path of the finger: ``(t_ms, x, y)`` from touch-down; empty when only the ends are known."""

    @property
    def point(self) -> Point:
        return Point(self.x1, self.y1)

    @property
    def end(self) -> Point:
        return Point(self.x2, self.y2)


@dataclass(frozen=True, slots=True)
class Swipe(_FromTo):
    """A swipe from one point to another."""

    kind: ClassVar[str] = "swipe"


@dataclass(frozen=True, slots=True)
class Drag(_FromTo):
    """A swipe that begins with a long press, which moves the item under the finger."""

    kind: ClassVar[str] = "drag"


@dataclass(frozen=True, slots=True)
class Scroll(_At):
    """Scroll at a point; ``direction`` is where the view of the content moves."""

    kind: ClassVar[str] = "scroll"
    direction: str = "down"


@dataclass(frozen=True, slots=True)
class Pinch(_At):
    """Fingers around a point; ``scale`` over 1 spreads them. ``fingers`` has the path of each, if known"""

    kind: ClassVar[str] = "pinch"
    scale: float = 1.0
    duration_ms: int = 400
    fingers: tuple[FingerPath, ...] = field(default=())
    """Path of each finger from down to up, two or more, on one clock; empty when only the scale is known.
    A scale of about 1 tells that they tapped, turned or moved side by side."""


@dataclass(frozen=True, slots=True)
class Type(Action):
    """Text typed into the focused field. When ``redacted``, neither ``text`` nor its ``length`` is kept."""

    kind: ClassVar[str] = "type"
    text: str = ""
    length: int = 0
    redacted: bool = False

    def __post_init__(self) -> None:
        if self.redacted:  # how long a password is helps to guess it
            object.__setattr__(self, "text", "")
            object.__setattr__(self, "length", 0)


@dataclass(frozen=True, slots=True)
class Key(Action):
    """A key of :data:`KEY_NAMES`, or ``code:<number>`` for any other Android key.

    ``duration_ms`` is how long it is held; 0 for a short press.
    """

    kind: ClassVar[str] = "key"
    key: str = "enter"
    duration_ms: int = 0


@dataclass(frozen=True, slots=True)
class OpenApp(Action):
    """An app started by its package; when that is empty, by the app of the phone that ``name`` means."""

    kind: ClassVar[str] = "open_app"
    package: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Do nothing for ``duration_ms``."""

    kind: ClassVar[str] = "wait"
    duration_ms: int = 1000


@dataclass(frozen=True, slots=True)
class Answer(Action):
    """The answer to a task that asks for one."""

    kind: ClassVar[str] = "answer"
    text: str = ""


@dataclass(frozen=True, slots=True)
class Complete(Action):
    """The person or agent says the task is done."""

    kind: ClassVar[str] = "complete"


@dataclass(frozen=True, slots=True)
class Impossible(Action):
    """The person or agent says the task cannot be done."""

    kind: ClassVar[str] = "impossible"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AskUser(Action):
    """A question to the user, who may answer it; the phone is not touched."""

    kind: ClassVar[str] = "ask_user"
    question: str = ""


COMPLETION_SIGNALS = (Answer, Complete, Impossible)
"""Actions that say that the task is done, or cannot be."""

MALFORMED, HALLUCINATED = "malformed", "hallucinated"
"""Why an answer is no action: it cannot be read, or it is well-formed and asks for what is not there."""


@dataclass(frozen=True, slots=True)
class Invalid(Action):
    """An agent's answer that is no action. Nothing was executed."""

    kind: ClassVar[str] = "invalid"
    raw: str = ""
    """The answer as received."""
    problem: str = MALFORMED
    """MALFORMED or HALLUCINATED."""
    reason: str = ""
    """For people, in a sentence."""


NOT_ON_PHONE = (Invalid, AskUser, *COMPLETION_SIGNALS)
"""Actions that do nothing to the phone."""

ACTIONS: dict[str, type[Action]] = {
    cls.kind: cls
    for cls in (
        Tap,
        DoubleTap,
        LongPress,
        Swipe,
        Drag,
        Scroll,
        Pinch,
        Type,
        Key,
        OpenApp,
        Wait,
        Answer,
        Complete,
        Impossible,
        AskUser,
        Invalid,
    )
}


_PATHS = ("path", "fingers")
_LEFT_OUT = {**dict.fromkeys(ACTIONS, _PATHS), Key.kind: ("duration_ms",)}
"""Fields that are not written when they are empty or 0."""
_FIELDS = {kind: tuple(item.name for item in fields(cls)) for kind, cls in ACTIONS.items()}


def action_to_dict(action: Action) -> dict[str, Any]:
    """Return a mapping with ``kind`` first, for JSON; empty paths and short presses of keys are left out."""
    # Their fields are numbers, texts and tuples of these: nothing that asdict would have to copy.
    values = {name: getattr(action, name) for name in _FIELDS[action.kind]}
    for name in _LEFT_OUT[action.kind]:
        if not values.get(name, True):
            del values[name]
    return {"kind": action.kind, **values}


def action_from_dict(values: dict[str, Any]) -> Action:
    """Return the action a mapping describes.

    Unknown keys, which a later version may have written, are ignored.
    Raises ValueError when ``kind`` is unknown or a needed field is missing.
    """
    kind = values.get("kind")
    cls = ACTIONS.get(str(kind))
    if cls is None:
        raise ValueError(f"unknown action kind {kind!r}; known: {', '.join(sorted(ACTIONS))}")
    known = _FIELDS[cls.kind]
    given = {name: value for name, value in values.items() if name in known}
    if "path" in given:
        given["path"] = _path(given["path"])
    if "fingers" in given:
        given["fingers"] = tuple(_path(path) for path in given["fingers"])
    try:
        return cls(**given)
    except TypeError as error:
        raise ValueError(f"action {kind!r} is incomplete: {error}") from None


def _path(samples: Iterable[Iterable[Any]]) -> FingerPath:
    return tuple((int(t_ms), int(x), int(y)) for t_ms, x, y in samples)
