"""AITK's unified actions (``docs/translator.md`` there) as ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collector.model.action import (
    Action,
    Answer,
    Complete,
    DoubleTap,
    Key,
    LongPress,
    OpenApp,
    Swipe,
    Tap,
    Type,
    Wait,
)

_DEFAULT_ANSWER = "Operation successful."
"""What AITK's annotator writes when the person typed no answer."""
_KEYS = ("enter", "back", "home")
_DEFAULT_WAIT_S = 3


def action_from(values: Mapping[str, Any]) -> Action:
    """The action of a ``steps[].action``; raise ValueError when it is unknown or incomplete."""
    kind = str(values.get("action", ""))
    try:
        if kind in ("tap", "long_press", "double_tap"):
            return _touch(kind, values)
        if kind == "swipe":
            duration = int(values.get("duration") or values.get("time") or 1000)
            x1, y1, x2, y2 = (_number(values[name]) for name in ("x1", "y1", "x2", "y2"))
            return Swipe(x1, y1, x2, y2, duration_ms=duration)
        return _without_place(kind, values)
    except (KeyError, TypeError, OverflowError) as error:
        raise ValueError(f"{kind}: {error}") from None


def _touch(kind: str, values: Mapping[str, Any]) -> Action:
    x, y = _number(values["x"]), _number(values["y"])
    if kind == "long_press":
        return LongPress(x, y, duration_ms=int(values.get("duration") or 1000))
    return Tap(x, y) if kind == "tap" else DoubleTap(x, y)


def _without_place(kind: str, values: Mapping[str, Any]) -> Action:
    if kind == "type":
        text = str(values.get("text", ""))
        return Type(text, len(text))
    if kind in _KEYS:
        return Key(kind)
    if kind == "wait":
        seconds = values.get("time", values.get("duration"))
        return Wait(round(1000 * float(_DEFAULT_WAIT_S if seconds is None else seconds)))
    if kind == "open":
        return OpenApp(name=str(values.get("app", "")))
    if kind == "end":
        answer = str(values.get("answer") or "")
        return Complete() if answer in ("", _DEFAULT_ANSWER) else Answer(answer)
    raise ValueError(f"unknown action {kind!r}")


def _number(value: Any) -> int:
    return round(float(value))
