"""AndroidWorld's JSON actions, as M3A and T3A answer: ``Reason: ...`` and ``Action: {"action_type": ...}``.

Elements are named by the number that the agent was shown (``index``), or by pixels. AndroidWorld taps a field
before it types into it; the turn keeps that place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from collector.adb.keys import CODES
from collector.agents.translators.coordinates import PIXELS, AgentScreen
from collector.agents.translators.dialect import Dialect, ReadAction, not_expressible, unknown_action
from collector.agents.translators.errors import Hallucinated, Malformed
from collector.agents.translators.texts import between, json_object, number, text_of, word
from collector.model.action import (
    DIRECTIONS,
    Action,
    Answer,
    AskUser,
    Complete,
    DoubleTap,
    Impossible,
    Key,
    LongPress,
    OpenApp,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.geometry import Point
from collector.model.i18n import _

_REASON, _ACTION = re.compile(r"Reason:"), re.compile(r"(?<!\s)[^\S\n]*+\n\s*+Action:")
_TOUCHES = {"click": Tap, "double_tap": DoubleTap, "long_press": LongPress}
_KEYS = {"navigate_home": "home", "navigate_back": "back", "keyboard_enter": "enter"}
_STATUS = {"complete": Complete(), "infeasible": Impossible()}
_WAIT_MS, _SWIPE_MS = 1000, 500
_SWIPES = {
    "down": (0.5, 0, 0.5, 1),
    "up": (0.5, 1, 0.5, 0),
    "left": (0, 0.5, 1, 0.5),
    "right": (1, 0.5, 0, 0.5),
}
"""Where AndroidWorld's executor puts the finger down and up, in shares of the screen."""


def _thought(answer: str) -> str:
    return between(answer, _REASON, _ACTION)


def _parse(answer: str, screen: AgentScreen) -> ReadAction:
    values = json_object(answer.rpartition("Action:")[2] or answer)
    kind = word(values, "action_type")
    if kind in _TOUCHES:
        place = _place(values, screen)
        return ReadAction(_TOUCHES[kind](place.x, place.y))
    if kind == "input_text":
        text = text_of(values, ("text",))
        has_place = any(values.get(name) is not None for name in ("index", "x", "y"))
        return ReadAction(Type(text, len(text)), _place(values, screen) if has_place else None)
    if kind in ("scroll", "swipe"):
        return ReadAction(_moved(kind, values, screen))
    if kind == "press_keyboard" or (kind is None and values.get("keycode")):
        return ReadAction(_keycode(text_of(values, ("keycode",))))
    return ReadAction(_without_place(kind, values))


def _place(values: Mapping[str, Any], screen: AgentScreen) -> Point:
    if values.get("index") is None:
        return PIXELS.to_device([number(values.get("x")), number(values.get("y"))], screen)
    index = int(number(values["index"]))
    if not 0 <= index < len(screen.elements):
        raise Hallucinated(_("There is no element {index} on the screen", index=index))
    return screen.elements[index].center


def _moved(kind: str, values: Mapping[str, Any], screen: AgentScreen) -> Action:
    direction = word(values, "direction")
    if direction not in DIRECTIONS:
        raise Malformed(_("{value} is no direction", value=repr(direction)))
    size = screen.size
    if kind == "scroll":
        given = values.get("index") is not None
        place = _place(values, screen) if given else Point(size.width // 2, size.height // 2)
        return Scroll(place.x, place.y, direction)
    x1, y1, x2, y2 = _SWIPES[direction]
    across, down = size.width - 1, size.height - 1
    return Swipe(round(x1 * across), round(y1 * down), round(x2 * across), round(y2 * down), _SWIPE_MS)


def _keycode(name: str) -> Key:
    code = CODES.get(name.removeprefix("KEYCODE_"))
    if code is None:
        raise Hallucinated(_("There is no key {name}", name=name))
    return Key(f"code:{code}")


def _without_place(kind: object, values: Mapping[str, Any]) -> Action:
    if kind in _KEYS:
        return Key(_KEYS[str(kind)])
    if kind == "open_app":
        return OpenApp(name=text_of(values, ("app_name",)))
    if kind == "wait":
        return Wait(_WAIT_MS)
    if kind == "answer":
        return Answer(text_of(values, ("text",)))
    if kind == "ask_user":  # MobileWorld's word beside those of AndroidWorld
        return AskUser(text_of(values, ("text",)))
    if kind == "status":
        status = text_of(values, ("goal_status",))
        if status not in _STATUS:
            raise Hallucinated(_("There is no status {name}", name=status))
        return _STATUS[status]
    if kind is None:
        raise Malformed(_("The action has no `{name}`", name="action_type"))
    raise unknown_action(kind)


def _compose(action: Action, screen: AgentScreen, thought: str) -> str:
    written = json.dumps(_values(action, screen), ensure_ascii=False)
    return f"Reason: {thought}\nAction: {written}" if thought else f"Action: {written}"


def _values(action: Action, screen: AgentScreen) -> dict[str, Any]:
    match action:
        case Tap() | DoubleTap() | LongPress():
            kind = next(name for name, made in _TOUCHES.items() if made is type(action))
            return {"action_type": kind, **_named_place(action.x, action.y, screen)}
        case Scroll():
            centre = (screen.size.width // 2, screen.size.height // 2)
            place = {} if (action.x, action.y) == centre else _named_place(action.x, action.y, screen)
            if "x" in place:
                raise not_expressible(action, "AndroidWorld")
            return {"action_type": "scroll", "direction": action.direction, **place}
        case Type() if not action.redacted:
            return {"action_type": "input_text", "text": action.text}
        case Key() if action.key in _KEYS.values():
            return {"action_type": next(name for name, key in _KEYS.items() if key == action.key)}
        case OpenApp():
            return {"action_type": "open_app", "app_name": action.name or action.package}
        case Wait():
            return {"action_type": "wait"}
        case Answer():
            return {"action_type": "answer", "text": action.text}
        case AskUser():
            return {"action_type": "ask_user", "text": action.question}
        case Complete():
            return {"action_type": "status", "goal_status": "complete"}
        case Impossible():
            return {"action_type": "status", "goal_status": "infeasible"}
        case _:
            raise not_expressible(action, "AndroidWorld")


def _named_place(x: int, y: int, screen: AgentScreen) -> dict[str, int]:
    """The number of the element whose middle a place is, otherwise the place."""
    for index, element in enumerate(screen.elements):
        if (element.center.x, element.center.y) == (x, y):
            return {"index": index}
    return {"x": x, "y": y}


DIALECT = Dialect("android-world", "AndroidWorld JSON (M3A, T3A)", PIXELS, _thought, _parse, _compose)
