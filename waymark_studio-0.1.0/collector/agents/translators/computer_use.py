"""Computer-use actions of Anthropic, OpenAI and Google, as far as they apply to a phone.

Anthropic's and OpenAI's give pixels of the image that was sent, Google's 0 to 1000. An agent of these says
that it is done by a message without an action, which is its answer. Actions of a mouse that a finger has
nothing for, such as a right click, are hallucinated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from collector.agents.translators.coordinates import IMAGE, THOUSAND, AgentScreen, CoordinateSpace
from collector.agents.translators.dialect import Dialect, ReadAction, not_expressible, unknown_action
from collector.agents.translators.errors import Hallucinated, Malformed
from collector.agents.translators.texts import json_object, milliseconds, number, numbers_of, text_of
from collector.model.action import (
    DIRECTIONS,
    Action,
    Answer,
    DoubleTap,
    Drag,
    Key,
    LongPress,
    OpenApp,
    Scroll,
    Tap,
    Type,
    Wait,
)
from collector.model.geometry import Point
from collector.model.i18n import _

_KEYS = {
    "return": "enter", "enter": "enter", "backspace": "delete", "delete": "delete", "tab": "tab",
    "escape": "escape", "esc": "escape", "up": "up", "down": "down", "left": "left", "right": "right",
    "arrowup": "up", "arrowdown": "down", "arrowleft": "left", "arrowright": "right", "ctrl+a": "select_all",
    "ctrl+c": "copy", "ctrl+v": "paste", "ctrl+x": "cut", "control+a": "select_all", "control+c": "copy",
    "control+v": "paste", "control+x": "cut",
}  # fmt: skip
"""Keys of a keyboard as the keys of the action space; ``home`` is the start of a line there."""
_WRITTEN_KEYS = {"enter": "enter", "delete": "backspace", "tab": "tab", "escape": "escape", "up": "up"}
_MOVE_MS, _PRESS_MS, _NOTCH = 500, 1000, 100
_Values = Mapping[str, Any]
_Reader = Callable[[_Values, AgentScreen], ReadAction]


def _thought(answer: str) -> str:
    start = answer.find("{")
    return answer[:start].removesuffix("```json\n").strip() if start >= 0 else ""


def _parse(
    read: Callable[[_Values, AgentScreen], ReadAction],
    inner: tuple[str, ...],
    answer: str,
    screen: AgentScreen,
) -> ReadAction:
    if "{" not in answer:
        if not answer.strip():
            raise Malformed(_("The answer is empty"))
        return ReadAction(Answer(answer.strip()))
    values = json_object(answer)
    for name in inner:
        if isinstance(values.get(name), dict):
            values = values[name]
    return read(values, screen)


def _compose(
    write: Callable[[Action, AgentScreen], dict[str, Any]], action: Action, screen: AgentScreen, thought: str
) -> str:
    if isinstance(action, Answer) and action.text.strip() == action.text != "" and "{" not in action.text:
        if thought:  # it would be read as part of the answer
            raise not_expressible(action, "computer use with a thought")
        return action.text
    written = json.dumps(write(action, screen), ensure_ascii=False)
    return f"{thought}\n{written}" if thought else written


def _key(name: str) -> Key:
    plain = name.strip().lower()
    if plain not in _KEYS:
        raise Hallucinated(_("There is no key {name}", name=name))
    return Key(_KEYS[plain])


def _typed(text: str, focus: Point | None = None) -> ReadAction:
    return ReadAction(Type(text, len(text)), focus)


def _scroll(place: Point, direction: object) -> ReadAction:
    if direction not in DIRECTIONS:
        raise Malformed(_("{value} is no direction", value=repr(direction)))
    return ReadAction(Scroll(place.x, place.y, str(direction)))


def _centre(screen: AgentScreen) -> Point:
    return Point(screen.size.width // 2, screen.size.height // 2)


def _xy(space: CoordinateSpace, values: _Values, x: str, y: str, screen: AgentScreen) -> Point:
    return space.to_device([number(values.get(x)), number(values.get(y))], screen)


def _anthropic(values: _Values, screen: AgentScreen) -> ReadAction:
    kind = values.get("action")

    def place(name: str = "coordinate") -> Point:
        return IMAGE.to_device(numbers_of(values.get(name)), screen)

    match kind:
        case "left_click" | "double_click":
            return ReadAction((Tap if kind == "left_click" else DoubleTap)(place().x, place().y))
        case "left_click_drag":
            start, end = place("start_coordinate"), place()
            return ReadAction(Drag(start.x, start.y, end.x, end.y, _MOVE_MS))
        case "scroll":
            return _scroll(place(), values.get("scroll_direction"))
        case "type":
            return _typed(text_of(values, ("text",)))
        case "key":
            return ReadAction(_key(text_of(values, ("text",))))
        case "wait":
            return ReadAction(Wait(milliseconds(values.get("duration") or 1, 1000)))
        case "screenshot":
            return ReadAction(Wait(0))
        case None:
            raise Malformed(_("The action has no `{name}`", name="action"))
        case _:
            raise unknown_action(kind)


def _openai(values: _Values, screen: AgentScreen) -> ReadAction:
    kind = values.get("type")
    match kind:
        case "click" if values.get("button", "left") != "left":
            raise unknown_action(f"click {values.get('button')}")
        case "click" | "double_click":
            place = _xy(IMAGE, values, "x", "y", screen)
            return ReadAction((Tap if kind == "click" else DoubleTap)(place.x, place.y))
        case "drag":
            path = values.get("path")
            if (
                not isinstance(path, list)
                or len(path) < 2
                or not all(isinstance(part, dict) for part in path)
            ):
                raise Malformed(_("The action has no `{name}`", name="path"))
            start, end = (_xy(IMAGE, part, "x", "y", screen) for part in (path[0], path[-1]))
            return ReadAction(Drag(start.x, start.y, end.x, end.y, _MOVE_MS))
        case "scroll":
            across, down = number(values.get("scroll_x") or 0), number(values.get("scroll_y") or 0)
            sideways = "right" if across > 0 else "left"
            direction = ("down" if down > 0 else "up") if abs(down) >= abs(across) else sideways
            return _scroll(_xy(IMAGE, values, "x", "y", screen), direction)
        case "type":
            return _typed(text_of(values, ("text",)))
        case "keypress":
            keys = values.get("keys")
            return ReadAction(_key("+".join(map(str, keys)) if isinstance(keys, list) else str(keys)))
        case "wait" | "screenshot":
            return ReadAction(Wait(1000 if kind == "wait" else 0))
        case None:
            raise Malformed(_("The action has no `{name}`", name="type"))
        case _:
            raise unknown_action(kind)


def _google(values: _Values, screen: AgentScreen) -> ReadAction:
    name, given = values.get("name"), values.get("args")
    words: _Values = given if isinstance(given, dict) else {}
    match name:
        case "click_at" | "long_press_at":
            place = _xy(THOUSAND, words, "x", "y", screen)
            action = Tap(place.x, place.y) if name == "click_at" else LongPress(place.x, place.y, _PRESS_MS)
            return ReadAction(action)
        case "type_text_at":
            focus = _xy(THOUSAND, words, "x", "y", screen) if words.get("x") is not None else None
            return _typed(text_of(words, ("text",)), focus)
        case "scroll_document" | "scroll_at":
            place = _centre(screen) if name == "scroll_document" else _xy(THOUSAND, words, "x", "y", screen)
            return _scroll(place, words.get("direction"))
        case "drag_and_drop":
            start = _xy(THOUSAND, words, "x", "y", screen)
            end = _xy(THOUSAND, words, "destination_x", "destination_y", screen)
            return ReadAction(Drag(start.x, start.y, end.x, end.y, _MOVE_MS))
        case "key_combination":
            return ReadAction(_key(text_of(words, ("keys",))))
        case "go_back" | "go_home":
            return ReadAction(Key(name.removeprefix("go_")))
        case "open_app":
            return ReadAction(OpenApp(name=text_of(words, ("app_name",))))
        case "wait_5_seconds":
            return ReadAction(Wait(5000))
        case None:
            raise Malformed(_("The action has no `{name}`", name="name"))
        case _:
            raise unknown_action(name)


def _to_anthropic(action: Action, screen: AgentScreen) -> dict[str, Any]:
    match action:
        case Tap() | DoubleTap():
            kind = "left_click" if isinstance(action, Tap) else "double_click"
            return {"action": kind, "coordinate": IMAGE.from_device(action.x, action.y, screen)}
        case Drag():
            start = IMAGE.from_device(action.x1, action.y1, screen)
            end = IMAGE.from_device(action.x2, action.y2, screen)
            return {"action": "left_click_drag", "start_coordinate": start, "coordinate": end}
        case Scroll():
            place = IMAGE.from_device(action.x, action.y, screen)
            amount = {"scroll_direction": action.direction, "scroll_amount": 5}
            return {"action": "scroll", "coordinate": place, **amount}
        case Type() if not action.redacted:
            return {"action": "type", "text": action.text}
        case Key() if action.key in _WRITTEN_KEYS:
            return {"action": "key", "text": _WRITTEN_KEYS[action.key]}
        case Wait():
            return {"action": "wait", "duration": action.duration_ms / 1000}
        case _:
            raise not_expressible(action, "Anthropic's computer use")


def _to_openai(action: Action, screen: AgentScreen) -> dict[str, Any]:
    def place(x: int, y: int) -> dict[str, int]:
        return dict(zip("xy", IMAGE.from_device(x, y, screen), strict=True))

    match action:
        case Tap():
            return {"type": "click", **place(action.x, action.y), "button": "left"}
        case DoubleTap():
            return {"type": "double_click", **place(action.x, action.y)}
        case Drag():
            return {"type": "drag", "path": [place(action.x1, action.y1), place(action.x2, action.y2)]}
        case Scroll():
            across = {"right": _NOTCH, "left": -_NOTCH}.get(action.direction, 0)
            down = {"down": _NOTCH, "up": -_NOTCH}.get(action.direction, 0)
            return {"type": "scroll", **place(action.x, action.y), "scroll_x": across, "scroll_y": down}
        case Type() if not action.redacted:
            return {"type": "type", "text": action.text}
        case Key() if action.key in _WRITTEN_KEYS:
            return {"type": "keypress", "keys": [_WRITTEN_KEYS[action.key].upper()]}
        case Wait():
            return {"type": "wait"}
        case _:
            raise not_expressible(action, "OpenAI's computer use")


def _to_google(action: Action, screen: AgentScreen) -> dict[str, Any]:
    def place(x: int, y: int, names: tuple[str, str] = ("x", "y")) -> dict[str, int]:
        return dict(zip(names, THOUSAND.from_device(x, y, screen), strict=True))

    match action:
        case Tap() | LongPress():
            name = "click_at" if isinstance(action, Tap) else "long_press_at"
            return {"name": name, "args": place(action.x, action.y)}
        case Drag():
            ends = place(action.x1, action.y1)
            ends |= place(action.x2, action.y2, ("destination_x", "destination_y"))
            return {"name": "drag_and_drop", "args": ends}
        case Scroll():
            return {"name": "scroll_at", "args": {**place(action.x, action.y), "direction": action.direction}}
        case Type() if not action.redacted:
            return {"name": "type_text_at", "args": {"text": action.text}}
        case Key() if action.key in ("back", "home"):
            return {"name": f"go_{action.key}", "args": {}}
        case Key() if action.key in _WRITTEN_KEYS:
            return {"name": "key_combination", "args": {"keys": _WRITTEN_KEYS[action.key]}}
        case OpenApp():
            return {"name": "open_app", "args": {"app_name": action.name or action.package}}
        case Wait():
            return {"name": "wait_5_seconds", "args": {}}
        case _:
            raise not_expressible(action, "Google's computer use")


ANTHROPIC = Dialect(
    "anthropic-computer-use", "Anthropic's computer use", IMAGE, _thought,
    partial(_parse, _anthropic, ("input",)), partial(_compose, _to_anthropic),
)  # fmt: skip
OPENAI = Dialect(
    "openai-computer-use", "OpenAI's computer use", IMAGE, _thought,
    partial(_parse, _openai, ("action",)), partial(_compose, _to_openai),
)  # fmt: skip
GOOGLE = Dialect(
    "google-computer-use", "Google's computer use, with the functions of a phone", THOUSAND, _thought,
    partial(_parse, _google, ("functionCall", "function_call")), partial(_compose, _to_google),
)  # fmt: skip
