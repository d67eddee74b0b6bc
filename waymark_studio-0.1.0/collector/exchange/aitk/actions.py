"""AITK's unified actions (``docs/translator.md`` there) as ours, and ours as the nearest of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collector.model.action import (
    Action,
    Answer,
    Complete,
    DoubleTap,
    Drag,
    Impossible,
    Invalid,
    Key,
    LongPress,
    OpenApp,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
    action_from_dict,
    action_to_dict,
)

DEFAULT_ANSWER = "Operation successful."
"""What AITK's annotator writes when the person typed no answer."""
OWN_ACTION = "waymark_action"
"""Key of a step that we exported: the exact action, where AITK has only one near it; None for no action."""
_KEYS = ("enter", "back", "home")
_DEFAULT_WAIT_S = 3
_SCROLL_PX = 600
"""How far the finger moves in a swipe that stands for a scroll."""
_FINGER = {"down": (0, -1), "up": (0, 1), "right": (-1, 0), "left": (1, 0)}
"""Where the finger moves so that the view of the content moves in a direction."""


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
        return Complete() if answer in ("", DEFAULT_ANSWER) else Answer(answer)
    raise ValueError(f"unknown action {kind!r}")


def own_action(values: object) -> Action | None:
    """The exact action of a step that we exported; None when there is none or it cannot be read."""
    try:
        return action_from_dict(values) if isinstance(values, dict) else None
    except (ValueError, TypeError):
        return None


def _number(value: Any) -> int:
    return round(float(value))


def action_to(action: Action) -> dict[str, Any]:
    """The action as AITK writes it, or the nearest one it has.

    Kinds that AITK has nothing near for are written as we write them: AITK passes over unknown actions.
    """
    match action:
        case Tap() | DoubleTap():
            return {"action": action.kind, "x": action.x, "y": action.y}
        case LongPress():
            return {"action": "long_press", "x": action.x, "y": action.y, "duration": action.duration_ms}
        case Swipe() | Drag():
            return _swipe(action.x1, action.y1, action.x2, action.y2, action.duration_ms)
        case Scroll():
            across, down = _FINGER.get(action.direction, (0, -1))
            x2, y2 = action.x + across * _SCROLL_PX, action.y + down * _SCROLL_PX
            return _swipe(action.x, action.y, max(0, x2), max(0, y2), 1000)
        case _:
            return _without_place_to(action)


def _swipe(x1: int, y1: int, x2: int, y2: int, duration_ms: int) -> dict[str, Any]:
    return {"action": "swipe", "x1": x1, "y1": y1, "x2": x2, "y2": y2, "duration": duration_ms}


def _without_place_to(action: Action) -> dict[str, Any]:
    match action:
        case Type():
            return {"action": "type", "text": action.text}
        case Key() if action.key in _KEYS:
            return {"action": action.key}
        case Wait():
            seconds = action.duration_ms / 1000
            return {"action": "wait", "time": int(seconds) if seconds.is_integer() else seconds}
        case OpenApp():
            return {"action": "open", "app": action.name or action.package}
        case Answer():
            return {"action": "end", "answer": action.text}
        case Complete():
            return {"action": "end", "answer": DEFAULT_ANSWER}
        case Impossible():
            return {"action": "end", "answer": action.reason or "failure"}
        case Invalid():
            return {"action": "end", "answer": action.reason or "unknown action"}
        case _:
            values = action_to_dict(action)
            return {"action": values.pop("kind"), **values}
