"""UI-Venus: ``<think>...</think><action>Click(box=(x, y))</action>``, in pixels of the resized image."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from collector.agents.translators.coordinates import IMAGE, AgentScreen, smart_resize
from collector.agents.translators.dialect import Dialect, ReadAction, not_expressible, unknown_action
from collector.agents.translators.errors import Malformed
from collector.agents.translators.texts import (
    call_in,
    milliseconds,
    numbers_of,
    quoted,
    tagged,
    text_of,
    word,
)
from collector.model.action import (
    Action,
    Answer,
    Complete,
    Drag,
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

_KEYS = {"PressBack": "back", "PressHome": "home", "PressEnter": "enter", "PressRecent": "recents"}
_SWIPES = {
    "up": (0.5, 0.75, 0.5, 0.25), "down": (0.5, 0.25, 0.5, 0.75),
    "left": (0.8, 0.5, 0.2, 0.5), "right": (0.2, 0.5, 0.8, 0.5),
}  # fmt: skip
"""Of a scroll with a direction only: where the finger goes down and up, in shares of the screen."""
_PRESS_MS, _MOVE_MS, _WAIT_S = 1000, 500, 3
_BARE_TEXT = re.compile(r"(?<!\w)(\w++)=(?!['\"(\[])([^,()]*+)")
"""An argument without quotes, as in ``direction=down``."""


def _thought(answer: str) -> str:
    return (tagged(answer, "think") or "").split("<action>", 1)[0].strip()


def _parse(answer: str, screen: AgentScreen) -> ReadAction:
    written = tagged(answer, "action")
    if written is None:
        raise Malformed(_("The answer has no `{name}`", name="<action>"))
    name, values = call_in(_BARE_TEXT.sub(r"\1='\2'", written) if "'" not in written else written)
    if name in ("Click", "LongPress"):
        place = _place(values, "box", screen)
        return ReadAction(
            Tap(place.x, place.y) if name == "Click" else LongPress(place.x, place.y, _PRESS_MS)
        )
    if name in ("Drag", "Scroll"):
        return ReadAction(_moved(name, values, screen))
    return ReadAction(_without_place(name, values))


def _place(values: Mapping[str, Any], name: str, screen: AgentScreen) -> Point:
    if not values.get(name):
        raise Malformed(_("The action has no `{name}`", name=name))
    return IMAGE.to_device(numbers_of(values[name]), screen)


def _moved(name: str, values: Mapping[str, Any], screen: AgentScreen) -> Action:
    if name == "Scroll" and not (values.get("start") and values.get("end")):
        direction = word(values, "direction")
        if direction not in _SWIPES:
            raise Malformed(_("{value} is no direction", value=repr(direction)))
        x1, y1, x2, y2 = _SWIPES[direction]
        across, down = screen.size.width, screen.size.height
        return Swipe(round(x1 * across), round(y1 * down), round(x2 * across), round(y2 * down), _MOVE_MS)
    start, end = _place(values, "start", screen), _place(values, "end", screen)
    return (Drag if name == "Drag" else Swipe)(start.x, start.y, end.x, end.y, _MOVE_MS)


def _without_place(name: str, values: Mapping[str, Any]) -> Action:
    if name in _KEYS:
        return Key(_KEYS[name])
    match name:
        case "Type":
            text = text_of(values, ("content",))
            return Type(text, len(text))
        case "Launch":
            return OpenApp(name=text_of(values, ("app",)))
        case "Wait":
            return Wait(milliseconds(values.get("time") or _WAIT_S, 1000))
        case "Finished" | "CallUser":
            text = str(values.get("content") or "")
            return Answer(text) if text else Complete()
        case _:
            raise unknown_action(name)


def _compose(action: Action, screen: AgentScreen, thought: str) -> str:
    written = f"<action>{_written(action, screen)}</action>"
    return f"<think>{thought}</think>\n{written}" if thought else written


def _written(action: Action, screen: AgentScreen) -> str:
    def place(x: int, y: int) -> str:
        return "({}, {})".format(*IMAGE.from_device(x, y, screen))

    match action:
        case Tap() | LongPress():
            name = "Click" if isinstance(action, Tap) else "LongPress"
            return f"{name}(box={place(action.x, action.y)})"
        case Swipe() | Drag():
            ends = f"start={place(action.x1, action.y1)}, end={place(action.x2, action.y2)}"
            return f"Drag({ends})" if isinstance(action, Drag) else f"Scroll({ends}, direction='')"
        case Type() if not action.redacted:
            return f"Type(content={quoted(action.text)})"
        case Key() if action.key in _KEYS.values():
            return f"{next(name for name, key in _KEYS.items() if key == action.key)}()"
        case OpenApp():
            return f"Launch(app={quoted(action.name or action.package)})"
        case Wait():
            return "Wait()"
        case Answer() | Complete():
            return f"Finished(content={quoted(action.text if isinstance(action, Answer) else '')})"
        case _:
            raise not_expressible(action, "UI-Venus")


DIALECT = Dialect(
    "ui-venus", "UI-Venus", IMAGE, _thought, _parse, _compose,
    partial(smart_resize, factor=28, min_pixels=56 * 56, max_pixels=784_000),
)  # fmt: skip
