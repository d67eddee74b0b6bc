"""UI-TARS: ``Thought: ...`` and ``Action: click(start_box='(x,y)')``.

Version 1.5 gives pixels of the resized image, version 1.0 gives 0 to 1000 between ``<|box_start|>`` and
``<|box_end|>``. Points may also be written ``<point>x y</point>``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from collector.agents.translators.coordinates import (
    IMAGE,
    THOUSAND,
    AgentScreen,
    CoordinateSpace,
    smart_resize,
)
from collector.agents.translators.dialect import Dialect, ReadAction, not_expressible, unknown_action
from collector.agents.translators.errors import Malformed
from collector.agents.translators.texts import (
    between,
    call_in,
    milliseconds,
    numbers_of,
    quoted,
    text_of,
    word,
)
from collector.model.action import (
    DIRECTIONS,
    Action,
    Answer,
    AskUser,
    Complete,
    DoubleTap,
    Drag,
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

_THOUGHT, _ACTION = re.compile(r"(?:Thought|Action_Summary)\s*+:"), re.compile(r"Action\s*+:")
_BOXES = re.compile(r"<\|box_start\|>|<\|box_end\|>")
_START = ("start_box", "start_point", "point", "box")
_END = ("end_box", "end_point")
_TOUCHES = {"click": Tap, "left_single": Tap, "left_double": DoubleTap, "long_press": LongPress}
_KEYS = {"press_back": "back", "press_home": "home", "press_enter": "enter"}
_PRESS_MS, _MOVE_MS, _WAIT_S = 1000, 500, 5


def _thought(answer: str) -> str:
    return between(answer, _THOUGHT, _ACTION)


def _parse(space: CoordinateSpace, answer: str, screen: AgentScreen) -> ReadAction:
    name, values = call_in(_BOXES.sub("", answer.rpartition("Action:")[2] or answer))
    if name in _TOUCHES:
        place = _place(space, values, _START, screen)
        if name != "long_press":
            return ReadAction(_TOUCHES[name](place.x, place.y))
        press = milliseconds(values["time"]) if values.get("time") else _PRESS_MS
        return ReadAction(LongPress(place.x, place.y, press))
    if name in ("scroll", "drag", "swipe", "select"):
        return ReadAction(_moved(space, name, values, screen))
    return ReadAction(_without_place(name, values))


def _place(
    space: CoordinateSpace, values: Mapping[str, Any], names: tuple[str, ...], screen: AgentScreen
) -> Point:
    given = next((values[name] for name in names if values.get(name) is not None), None)
    if given is None:
        raise Malformed(_("The action has no `{name}`", name=names[0]))
    return space.to_device(numbers_of(given), screen)


def _moved(space: CoordinateSpace, name: str, values: Mapping[str, Any], screen: AgentScreen) -> Action:
    if any(values.get(end) is not None for end in _END):
        start, end = _place(space, values, _START, screen), _place(space, values, _END, screen)
        made = Drag if name in ("drag", "select") else Swipe
        return made(start.x, start.y, end.x, end.y, _MOVE_MS)
    direction = word(values, "direction")
    if direction not in DIRECTIONS:
        raise Malformed(_("{value} is no direction", value=repr(direction)))
    middle = Point(screen.size.width // 2, screen.size.height // 2)
    has_place = any(values.get(start) for start in _START)
    place = _place(space, values, _START, screen) if has_place else middle
    return Scroll(place.x, place.y, direction)


def _without_place(name: str, values: Mapping[str, Any]) -> Action:
    if name in _KEYS:
        return Key(_KEYS[name])
    match name:
        case "type":
            text = text_of(values, ("content", "text"))
            return Type(text, len(text))
        case "open_app":
            return OpenApp(name=text_of(values, ("app_name", "app")))
        case "wait":
            return Wait(milliseconds(values.get("time") or _WAIT_S, 1000))
        case "finished":
            text = str(values.get("content") or "")
            return Answer(text) if text else Complete()
        case "call_user":
            return AskUser(str(values.get("content") or ""))
        case _:
            raise unknown_action(name)


def _compose(space: CoordinateSpace, box: str, action: Action, screen: AgentScreen, thought: str) -> str:
    written = _written(partial(_box, space, box, screen), action)
    return f"Thought: {thought}\nAction: {written}" if thought else f"Action: {written}"


def _box(space: CoordinateSpace, box: str, screen: AgentScreen, x: int, y: int) -> str:
    across, down = space.from_device(x, y, screen)
    return box.format(x=across, y=down)


def _written(box: Any, action: Action) -> str:
    match action:
        case Tap() | DoubleTap():
            name = "click" if isinstance(action, Tap) else "left_double"
            return f"{name}(start_box='{box(action.x, action.y)}')"
        case LongPress():
            return f"long_press(start_box='{box(action.x, action.y)}', time='{action.duration_ms}')"
        case Swipe() | Drag():
            name = "drag" if isinstance(action, Drag) else "scroll"
            ends = box(action.x1, action.y1), box(action.x2, action.y2)
            return f"{name}(start_box='{ends[0]}', end_box='{ends[1]}')"
        case Scroll():
            return f"scroll(start_box='{box(action.x, action.y)}', direction='{action.direction}')"
        case Type() if not action.redacted:
            return f"type(content={quoted(action.text)})"
        case Key() if action.key in _KEYS.values():
            return f"press_{action.key}()"
        case OpenApp():
            return f"open_app(app_name={quoted(action.name or action.package)})"
        case Wait():
            return f"wait(time='{action.duration_ms / 1000:g}')"
        case Answer():
            return f"finished(content={quoted(action.text)})"
        case Complete():
            return "finished(content='')"
        case AskUser() | Impossible():  # one word for both: who calls the user may also give up
            said = action.question if isinstance(action, AskUser) else action.reason
            return f"call_user(content={quoted(said)})" if said else "call_user()"
        case _:
            raise not_expressible(action, "UI-TARS")


UI_TARS_15 = Dialect(
    "ui-tars-1.5", "UI-TARS 1.5", IMAGE, _thought,
    partial(_parse, IMAGE), partial(_compose, IMAGE, "({x},{y})"),
    partial(smart_resize, factor=28, min_pixels=100 * 28 * 28, max_pixels=16384 * 28 * 28),
)  # fmt: skip
UI_TARS = Dialect(
    "ui-tars", "UI-TARS 1.0", THOUSAND, _thought,
    partial(_parse, THOUSAND), partial(_compose, THOUSAND, "<|box_start|>({x},{y})<|box_end|>"),
)  # fmt: skip
