"""AgentCPM-GUI: one compact JSON object such as ``{"thought": "...", "POINT": [x, y]}``, in 0 to 1000."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from collector.agents.translators.coordinates import THOUSAND, AgentScreen
from collector.agents.translators.dialect import Dialect, ReadAction, not_expressible, unknown_action
from collector.agents.translators.errors import Hallucinated, Malformed
from collector.agents.translators.texts import (
    json_object,
    milliseconds,
    numbers_of,
    text_of,
    thought_of_json,
    word,
)
from collector.model.action import (
    Action,
    AskUser,
    Complete,
    Impossible,
    Key,
    LongPress,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.geometry import Point
from collector.model.i18n import _

_KEYS = {"HOME": "home", "BACK": "back", "ENTER": "enter", "APPSELECT": "recents"}
_STATUS = {"finish": Complete(), "satisfied": Complete(), "impossible": Impossible()}
_GOING_ON = ("start", "continue")
_NEEDS_A_PERSON = ("interrupt", "need_feedback")
_FINGER = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_REACH = 0.4
"""How far a swipe with a direction goes, as a share of the screen."""
_PRESS_FROM_MS, _SWIPE_MS = 400, 500
"""A point with a longer ``duration`` is a long press."""


def _parse(answer: str, screen: AgentScreen) -> ReadAction:
    values = json_object(answer)
    if values.get("POINT") is not None:
        return ReadAction(_at_point(values, screen))
    if values.get("PRESS") is not None:
        name = text_of(values, ("PRESS",))
        if name.upper() not in _KEYS:
            raise Hallucinated(_("There is no key {name}", name=name))
        return ReadAction(Key(_KEYS[name.upper()]))
    if values.get("TYPE") is not None:
        text = text_of(values, ("TYPE",))
        return ReadAction(Type(text, len(text)))
    status = word(values, "STATUS")
    if status in _STATUS:
        return ReadAction(_STATUS[str(status)])
    if status in _NEEDS_A_PERSON:
        return ReadAction(AskUser(thought_of_json(answer)))
    if values.get("duration") is not None:
        return ReadAction(Wait(milliseconds(values["duration"])))
    if status is not None and status not in _GOING_ON:
        raise Hallucinated(_("There is no status {name}", name=repr(status)))
    unknown = [name for name in values if name.isupper() and name != "STATUS"]
    if unknown:
        raise unknown_action(unknown[0])
    raise Malformed(_("The answer has no call of an action"))


def _at_point(values: Mapping[str, Any], screen: AgentScreen) -> Action:
    start = THOUSAND.to_device(numbers_of(values["POINT"]), screen)
    to = values.get("to")
    if isinstance(to, str):
        return _swipe(start, to, screen)
    if to is not None:
        end = THOUSAND.to_device(numbers_of(to), screen)
        return Swipe(start.x, start.y, end.x, end.y, _SWIPE_MS)
    if values.get("duration") is not None and (held := milliseconds(values["duration"])) >= _PRESS_FROM_MS:
        return LongPress(start.x, start.y, held)
    return Tap(start.x, start.y)


def _swipe(start: Point, direction: str, screen: AgentScreen) -> Swipe:
    if direction not in _FINGER:
        raise Malformed(_("{value} is no direction", value=repr(direction)))
    across, down = _FINGER[direction]
    width, height = screen.size.width, screen.size.height
    x = min(max(round(start.x + across * _REACH * width), 0), width - 1)
    y = min(max(round(start.y + down * _REACH * height), 0), height - 1)
    return Swipe(start.x, start.y, x, y, _SWIPE_MS)


def _compose(action: Action, screen: AgentScreen, thought: str) -> str:
    values: dict[str, Any] = {"thought": thought} if thought else {}
    match action:
        case Tap():
            values["POINT"] = THOUSAND.from_device(action.x, action.y, screen)
        case LongPress():
            values["POINT"] = THOUSAND.from_device(action.x, action.y, screen)
            values["duration"] = max(_PRESS_FROM_MS, action.duration_ms)
        case Swipe():
            values["POINT"] = THOUSAND.from_device(action.x1, action.y1, screen)
            values["to"] = THOUSAND.from_device(action.x2, action.y2, screen)
        case Key() if action.key in _KEYS.values():
            values["PRESS"] = next(name for name, key in _KEYS.items() if key == action.key)
        case Type() if not action.redacted:
            values["TYPE"] = action.text
        case Wait():
            values["duration"] = action.duration_ms
        case AskUser() if action.question in ("", thought):  # what it asks is its thought
            values["STATUS"] = "need_feedback"
        case Complete() | Impossible():
            values["STATUS"] = "finish" if isinstance(action, Complete) else "impossible"
        case _:
            raise not_expressible(action, "AgentCPM-GUI")
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


DIALECT = Dialect("agentcpm-gui", "AgentCPM-GUI", THOUSAND, thought_of_json, _parse, _compose)
