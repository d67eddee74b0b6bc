"""Read an action of the action space from a program. What cannot be done on this screen is no action."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from collector.agents.translators.dialect import ReadAction, unknown_action
from collector.agents.translators.errors import Hallucinated, Malformed
from collector.agents.translators.texts import is_usable
from collector.model.action import (
    ACTIONS,
    DIRECTIONS,
    KEY_NAMES,
    LONGEST_MS,
    Action,
    Answer,
    AskUser,
    Complete,
    DoubleTap,
    Drag,
    Impossible,
    Invalid,
    Key,
    LongPress,
    OpenApp,
    Pinch,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.geometry import Point, Size
from collector.model.i18n import _

_CODE = re.compile(r"code:\d{1,4}")
_MAX_TEXT = 20_000


def read_action(values: object, size: Size) -> ReadAction:
    """The action of ``{"kind": "tap", "x": 5, "y": 6}`` and the like. Raises Malformed or Hallucinated."""
    if not isinstance(values, dict):
        raise Malformed(_("The action is no JSON object"))
    kind = values.get("kind")
    if not isinstance(kind, str):
        raise Malformed(_("The action has no `{name}`", name="kind"))
    if kind not in ACTIONS or kind == Invalid.kind:
        raise unknown_action(kind)
    action = _READERS[kind](_Values(values, size))
    focus = values.get("focus")
    return ReadAction(action, _point(focus, size) if isinstance(action, Type) and focus is not None else None)


def _point(value: object, size: Size) -> Point:
    if not isinstance(value, list) or len(value) != 2:
        raise Malformed(_("A place takes two numbers"))
    values = _Values({"x": value[0], "y": value[1]}, size)
    return Point(*values.place("x", "y"))


class _Values:
    """The values of an action, checked as they are taken."""

    def __init__(self, values: Mapping[str, Any], size: Size) -> None:
        self._values, self._size = values, size

    def number(self, name: str, otherwise: float | None = None) -> float:
        value = self._values.get(name, otherwise)
        if value is None:
            raise Malformed(_("The action has no `{name}`", name=name))
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not is_usable(value):
            raise Malformed(_("{value} is no number", value=repr(value)[:80]))
        return value

    def place(self, x: str, y: str) -> tuple[int, int]:
        across, down = self.number(x), self.number(y)
        if not (0 <= across < self._size.width and 0 <= down < self._size.height):
            raise Hallucinated(_("The place {x}, {y} is not on the screen", x=f"{across:g}", y=f"{down:g}"))
        return int(across), int(down)

    def milliseconds(self, otherwise: int) -> int:
        return round(max(0, min(self.number("duration_ms", otherwise), LONGEST_MS)))

    def text(self, name: str, otherwise: str | None = None) -> str:
        value = self._values.get(name, otherwise)
        if value is None:
            raise Malformed(_("The action has no `{name}`", name=name))
        if not isinstance(value, str) or len(value) > _MAX_TEXT:
            raise Malformed(_("{name} is no text that can be used", name=name))
        return value.encode("utf-8", "replace").decode()


def _moved(kind: type[Swipe | Drag]) -> Callable[[_Values], Action]:
    def read(values: _Values) -> Action:
        return kind(*values.place("x1", "y1"), *values.place("x2", "y2"), values.milliseconds(300))

    return read


def _scroll(values: _Values) -> Scroll:
    direction = values.text("direction")
    if direction not in DIRECTIONS:
        raise Malformed(_("{value} is no direction", value=repr(direction[:80])))
    return Scroll(*values.place("x", "y"), direction)


def _pinch(values: _Values) -> Pinch:
    scale = values.number("scale")
    if not 0.05 <= scale <= 20:
        raise Malformed(_("{value} is no number", value=f"{scale:g}"))
    return Pinch(*values.place("x", "y"), scale, values.milliseconds(400))


def _key(values: _Values) -> Key:
    key = values.text("key")
    if key not in KEY_NAMES and not _CODE.fullmatch(key):
        raise Hallucinated(_("There is no key {name}", name=key[:80]))
    return Key(key, values.milliseconds(0))


def _typed(values: _Values) -> Type:
    text = values.text("text")
    return Type(text, len(text))


def _opened(values: _Values) -> OpenApp:
    app = OpenApp(values.text("package", ""), values.text("name", ""))
    if not app.package and not app.name:
        raise Malformed(_("The action has no `{name}`", name="package"))
    return app


_READERS: Mapping[str, Callable[[_Values], Action]] = {
    Tap.kind: lambda values: Tap(*values.place("x", "y"), values.milliseconds(0)),
    DoubleTap.kind: lambda values: DoubleTap(*values.place("x", "y")),
    LongPress.kind: lambda values: LongPress(*values.place("x", "y"), values.milliseconds(1000)),
    Swipe.kind: _moved(Swipe),
    Drag.kind: _moved(Drag),
    Scroll.kind: _scroll,
    Pinch.kind: _pinch,
    Type.kind: _typed,
    Key.kind: _key,
    OpenApp.kind: _opened,
    Wait.kind: lambda values: Wait(values.milliseconds(1000)),
    Answer.kind: lambda values: Answer(values.text("text")),
    Complete.kind: lambda _values: Complete(),
    Impossible.kind: lambda values: Impossible(values.text("reason", "")),
    AskUser.kind: lambda values: AskUser(values.text("question", "")),
}
