"""Gemini's points: one JSON object with ``"point": [y, x]`` or ``"box_2d": [ymin, xmin, ymax, xmax]``.

Numbers go from 0 to 1000, the height comes first. A list of points, which Gemini answers when it is asked to
point at something, is a tap on its only entry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from collector.agents.translators.coordinates import THOUSAND, AgentScreen
from collector.agents.translators.dialect import Dialect, ReadAction, not_expressible, unknown_action
from collector.agents.translators.errors import Malformed
from collector.agents.translators.texts import (
    json_object,
    milliseconds,
    numbers_of,
    text_of,
    thought_of_json,
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

_TOUCHES = {"tap": Tap, "click": Tap, "double_tap": DoubleTap, "long_press": LongPress}
_MOVES = {"swipe": Swipe, "drag": Drag}
_KEYS = ("back", "home", "enter", "recents")
_MOVE_MS, _WAIT_S = 500, 1
_FIRST_POINT, _LAST_POINT = re.compile(r"\[\s*+\{"), re.compile(r"\}\s*+\]")


def _parse(answer: str, screen: AgentScreen) -> ReadAction:
    values = json_object(answer)
    kind = word(values, "action")
    if kind is None and ("point" in values or "box_2d" in values):
        _check_alone(answer)
        kind = "tap"
    if kind in _TOUCHES:
        place = _place(values, ("point", "box_2d"), screen)
        return ReadAction(_TOUCHES[kind](place.x, place.y))
    if kind in _MOVES:
        start, end = _place(values, ("point",), screen), _place(values, ("end_point",), screen)
        return ReadAction(_MOVES[kind](start.x, start.y, end.x, end.y, _MOVE_MS))
    if kind == "scroll":
        return ReadAction(_scroll(values, screen))
    if kind == "type":
        text = text_of(values, ("text",))
        has_place = any(values.get(name) is not None for name in ("point", "box_2d"))
        return ReadAction(
            Type(text, len(text)), _place(values, ("point", "box_2d"), screen) if has_place else None
        )
    return ReadAction(_without_place(kind, values))


def _check_alone(answer: str) -> None:
    """Raise Malformed for a list of several points, of which none is the one to tap."""
    first = _FIRST_POINT.search(answer)
    last = max((match.end() for match in _LAST_POINT.finditer(answer)), default=0)
    try:
        points = json.loads(answer[first.start() : last]) if first else []
    except ValueError:
        points = []
    if len(points) > 1:
        raise Malformed(_("The answer has several points and no action"))


def _place(values: Mapping[str, Any], names: tuple[str, ...], screen: AgentScreen) -> Point:
    """A place whose numbers come with the height first."""
    given = next((values[name] for name in names if values.get(name) is not None), None)
    if given is None:
        raise Malformed(_("The action has no `{name}`", name=names[0]))
    numbers = numbers_of(given)
    pairs = [numbers[at : at + 2][::-1] for at in range(0, len(numbers), 2)]
    return THOUSAND.to_device([part for pair in pairs for part in pair], screen)


def _scroll(values: Mapping[str, Any], screen: AgentScreen) -> Scroll:
    direction = word(values, "direction")
    if direction not in DIRECTIONS:
        raise Malformed(_("{value} is no direction", value=repr(direction)))
    place = Point(screen.size.width // 2, screen.size.height // 2)
    if values.get("point") is not None:
        place = _place(values, ("point",), screen)
    return Scroll(place.x, place.y, direction)


def _without_place(kind: object, values: Mapping[str, Any]) -> Action:
    if kind in _KEYS:
        return Key(str(kind))
    match kind:
        case "open_app":
            return OpenApp(name=text_of(values, ("text", "app")))
        case "wait":
            return Wait(milliseconds(values.get("seconds") or _WAIT_S, 1000))
        case "answer":
            return Answer(text_of(values, ("text",)))
        case "done":
            return Complete()
        case "ask_user":
            return AskUser(text_of(values, ("text",)))
        case "impossible":
            return Impossible(str(values.get("text") or ""))
        case None:
            raise Malformed(_("The action has no `{name}`", name="action"))
        case _:
            raise unknown_action(kind)


def _compose(action: Action, screen: AgentScreen, thought: str) -> str:
    values = {"thought": thought} if thought else {}
    return json.dumps(values | _values(action, screen), ensure_ascii=False)


def _values(action: Action, screen: AgentScreen) -> dict[str, Any]:
    def place(x: int, y: int) -> list[int]:
        return THOUSAND.from_device(x, y, screen)[::-1]

    match action:
        case Tap() | DoubleTap() | LongPress():
            kind = next(name for name, touch in _TOUCHES.items() if touch is type(action))
            return {"action": kind, "point": place(action.x, action.y)}
        case Swipe() | Drag():
            kind = "swipe" if isinstance(action, Swipe) else "drag"
            ends = {"point": place(action.x1, action.y1), "end_point": place(action.x2, action.y2)}
            return {"action": kind, **ends}
        case Scroll():
            return {"action": "scroll", "direction": action.direction, "point": place(action.x, action.y)}
        case Type() if not action.redacted:
            return {"action": "type", "text": action.text}
        case Key() if action.key in _KEYS:
            return {"action": action.key}
        case OpenApp():
            return {"action": "open_app", "text": action.name or action.package}
        case Wait():
            return {"action": "wait", "seconds": action.duration_ms / 1000}
        case Answer():
            return {"action": "answer", "text": action.text}
        case AskUser():
            return {"action": "ask_user", "text": action.question}
        case Complete() | Impossible():
            return _ending(action)
        case _:
            raise not_expressible(action, "Gemini's points")


def _ending(action: Complete | Impossible) -> dict[str, Any]:
    if isinstance(action, Complete):
        return {"action": "done"}
    return {"action": "impossible", **({"text": action.reason} if action.reason else {})}


DIALECT = Dialect(
    "gemini-points", "Gemini's points, [y, x] from 0 to 1000", THOUSAND, thought_of_json, _parse, _compose,
    y_first=True,
)  # fmt: skip
