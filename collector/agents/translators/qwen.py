"""Qwen's ``mobile_use`` tool calls: Qwen2.5-VL in pixels of the resized image, Qwen3-VL in 0 to 1000.

``<tool_call>{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [x, y]}}</tool_call>``.
InfiGUI-R1, UI-Genie and GUI-Owl answer as Qwen2.5-VL does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from collector.adb.keys import CODES
from collector.agents.translators.coordinates import (
    IMAGE,
    THOUSAND,
    AgentScreen,
    CoordinateSpace,
    smart_resize,
)
from collector.agents.translators.dialect import Dialect, ReadAction, not_expressible, unknown_action
from collector.agents.translators.errors import Hallucinated, Malformed
from collector.agents.translators.texts import between, json_object, milliseconds, numbers_of, tagged, text_of
from collector.model.action import (
    KEY_NAMES,
    Action,
    Answer,
    AskUser,
    Complete,
    Impossible,
    Key,
    LongPress,
    OpenApp,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.geometry import Point
from collector.model.i18n import _

_BUTTONS = {"Back": "back", "Home": "home", "Enter": "enter", "Menu": "recents"}
_STATUS = {"success": Complete(), "failure": Impossible()}
_PRESS_MS, _SWIPE_MS, _WAIT_S = 1000, 500, 3
_SWIPES = {
    "up": (0.5, 0.75, 0.5, 0.25), "down": (0.5, 0.25, 0.5, 0.75),
    "left": (0.8, 0.5, 0.2, 0.5), "right": (0.2, 0.5, 0.8, 0.5),
}  # fmt: skip
"""Of a swipe with a direction only: where the finger goes down and up, in shares of the screen."""
_THOUGHT, _ACTION = re.compile(r"Thought\s*+:"), re.compile(r"(?<!\s)[^\S\n]*+\n\s*+Action\s*+:")


def _thought(answer: str) -> str:
    for tag in ("think", "thinking"):
        if thought := tagged(answer, tag):
            return thought.split("<tool_call>", 1)[0].strip()
    before = answer.split("<tool_call>", 1)[0]
    if _THOUGHT.search(before):
        return between(before, _THOUGHT, _ACTION)
    return before.strip() if "<tool_call>" in answer else ""


def _arguments(answer: str) -> Mapping[str, Any]:
    call = tagged(answer, "tool_call")
    if call is None:
        raise Malformed(_("The answer has no `{name}`", name="<tool_call>"))
    arguments = json_object(call).get("arguments")
    if isinstance(arguments, str):
        arguments = json_object(arguments)
    if not isinstance(arguments, dict):
        raise Malformed(_("The action has no `{name}`", name="arguments"))
    return arguments


def _parse(space: CoordinateSpace, answer: str, screen: AgentScreen) -> ReadAction:
    values = _arguments(answer)
    kind = values.get("action")
    if kind in ("click", "long_press"):
        place = _place(space, values, "coordinate", screen)
        if kind == "click":
            return ReadAction(Tap(place.x, place.y))
        return ReadAction(LongPress(place.x, place.y, _milliseconds(values, _PRESS_MS)))
    if kind == "swipe":
        return ReadAction(_swipe(space, values, screen))
    return ReadAction(_without_place(kind, values))


def _place(space: CoordinateSpace, values: Mapping[str, Any], name: str, screen: AgentScreen) -> Point:
    if values.get(name) is None:
        raise Malformed(_("The action has no `{name}`", name=name))
    return space.to_device(numbers_of(values[name]), screen)


def _swipe(space: CoordinateSpace, values: Mapping[str, Any], screen: AgentScreen) -> Swipe:
    duration = _milliseconds(values, _SWIPE_MS)
    if values.get("coordinate2") is None and isinstance(values.get("direction"), str):
        if values["direction"] not in _SWIPES:
            raise Malformed(_("{value} is no direction", value=repr(values["direction"])))
        x1, y1, x2, y2 = _SWIPES[values["direction"]]
        across, down = screen.size.width, screen.size.height
        return Swipe(round(x1 * across), round(y1 * down), round(x2 * across), round(y2 * down), duration)
    start = _place(space, values, "coordinate", screen)
    end = _place(space, values, "coordinate2", screen)
    return Swipe(start.x, start.y, end.x, end.y, duration)


def _milliseconds(values: Mapping[str, Any], otherwise: int) -> int:
    """``time`` is in seconds."""
    seconds = values.get("time", values.get("duration"))
    if seconds is None:
        return otherwise
    return milliseconds(seconds, 1000)


def _without_place(kind: object, values: Mapping[str, Any]) -> Action:
    match kind:
        case "type":
            text = text_of(values, ("text",))
            return Type(text, len(text))
        case "key":
            return _key(text_of(values, ("text", "key")))
        case "system_button":
            button = text_of(values, ("button",))
            if button.capitalize() not in _BUTTONS:
                raise Hallucinated(_("There is no key {name}", name=button))
            return Key(_BUTTONS[button.capitalize()])
        case "open":
            return OpenApp(name=text_of(values, ("text", "app")))
        case "wait":
            return Wait(_milliseconds(values, 1000 * _WAIT_S))
        case "answer":
            return Answer(text_of(values, ("text", "answer")))
        case "ask_user":  # as MobileWorld and MAI-UI extend the tool
            return AskUser(text_of(values, ("text", "question")))
        case "terminate":
            status = text_of(values, ("status",))
            if status not in _STATUS:
                raise Hallucinated(_("There is no status {name}", name=status))
            return _STATUS[status]
        case None:
            raise Malformed(_("The action has no `{name}`", name="action"))
        case _:
            raise unknown_action(kind)


def _key(name: str) -> Key:
    plain = name.lower().removeprefix("keycode_")
    if plain in KEY_NAMES:
        return Key(plain)
    if (code := CODES.get(plain.upper())) is None:
        raise Hallucinated(_("There is no key {name}", name=name))
    return Key(f"code:{code}")


def _compose(space: CoordinateSpace, action: Action, screen: AgentScreen, thought: str) -> str:
    call = {"name": "mobile_use", "arguments": _written(space, action, screen)}
    written = f"<tool_call>\n{json.dumps(call, ensure_ascii=False)}\n</tool_call>"
    return f"Thought: {thought}\n{written}" if thought else written


def _written(space: CoordinateSpace, action: Action, screen: AgentScreen) -> dict[str, Any]:
    match action:
        case Tap():
            return {"action": "click", "coordinate": space.from_device(action.x, action.y, screen)}
        case LongPress():
            place = space.from_device(action.x, action.y, screen)
            return {"action": "long_press", "coordinate": place, "time": action.duration_ms / 1000}
        case Swipe():
            start = space.from_device(action.x1, action.y1, screen)
            end = space.from_device(action.x2, action.y2, screen)
            return {"action": "swipe", "coordinate": start, "coordinate2": end}
        case Type() if not action.redacted:
            return {"action": "type", "text": action.text}
        case Key():
            button = next((name for name, key in _BUTTONS.items() if key == action.key), None)
            if button is None:
                return {"action": "key", "text": _key_text(action)}
            return {"action": "system_button", "button": button}
        case OpenApp():
            return {"action": "open", "text": action.name or action.package}
        case Wait():
            return {"action": "wait", "time": action.duration_ms / 1000}
        case Answer():
            return {"action": "answer", "text": action.text}
        case AskUser():
            return {"action": "ask_user", "text": action.question}
        case Complete() | Impossible():
            return {"action": "terminate", "status": "success" if action == Complete() else "failure"}
        case _:
            raise not_expressible(action, "mobile_use")


def _key_text(action: Key) -> str:
    code = action.key.removeprefix("code:")
    if code == action.key:
        return action.key
    name = next((name for name, number in CODES.items() if str(number) == code), None)
    if name is None:
        raise not_expressible(action, "mobile_use")
    return name.lower()


QWEN25 = Dialect(
    "qwen2.5-vl", "Qwen2.5-VL mobile_use", IMAGE, _thought,
    partial(_parse, IMAGE), partial(_compose, IMAGE),
    partial(smart_resize, factor=28, min_pixels=56 * 56, max_pixels=14 * 14 * 4 * 1280),
)  # fmt: skip
QWEN3 = Dialect(
    "qwen3-vl", "Qwen3-VL mobile_use", THOUSAND, _thought,
    partial(_parse, THOUSAND), partial(_compose, THOUSAND),
    partial(smart_resize, factor=32, min_pixels=64 * 64, max_pixels=16 * 16 * 4 * 1280),
)  # fmt: skip
GUI_OWL = replace(QWEN25, id="gui-owl", title="GUI-Owl mobile_use")
