"""AutoGLM: ``<think>...</think><answer>do(action="Tap", element=[x, y])</answer>``, in 0 to 1000."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from collector.agents.translators.coordinates import THOUSAND, AgentScreen
from collector.agents.translators.dialect import Dialect, ReadAction, not_expressible, unknown_action
from collector.agents.translators.errors import Malformed
from collector.agents.translators.texts import call_in, milliseconds, numbers_of, tagged, text_of, word
from collector.model.action import (
    Action,
    Answer,
    AskUser,
    Complete,
    DoubleTap,
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

_TOUCHES = {"Tap": Tap, "Double Tap": DoubleTap, "Long Press": LongPress}
_KEYS = {"Back": "back", "Home": "home", "Enter": "enter"}
_MOVE_MS = 500


def _thought(answer: str) -> str:
    thought = tagged(answer, "think")
    if thought is None:
        thought = answer if "<answer>" in answer else ""
    return thought.split("<answer>", 1)[0].strip()


def _parse(answer: str, screen: AgentScreen) -> ReadAction:
    name, values = call_in(tagged(answer, "answer") or answer.rpartition("</think>")[2])
    if name == "finish":
        text = str(values.get("message") or "")
        return ReadAction(Answer(text) if text else Complete())
    if name != "do":
        raise unknown_action(name)
    kind = word(values, "action")
    if kind in _TOUCHES:
        place = _place(values, "element", screen)
        return ReadAction(_TOUCHES[kind](place.x, place.y))
    if kind == "Swipe":
        start, end = _place(values, "start", screen), _place(values, "end", screen)
        return ReadAction(Swipe(start.x, start.y, end.x, end.y, _MOVE_MS))
    return ReadAction(_without_place(kind, values))


def _place(values: Mapping[str, Any], name: str, screen: AgentScreen) -> Point:
    if values.get(name) is None:
        raise Malformed(_("The action has no `{name}`", name=name))
    return THOUSAND.to_device(numbers_of(values[name]), screen)


def _without_place(kind: object, values: Mapping[str, Any]) -> Action:
    if kind in _KEYS:
        return Key(_KEYS[str(kind)])
    match kind:
        case "Type" | "Type_Name":
            text = text_of(values, ("text",))
            return Type(text, len(text))
        case "Launch":
            return OpenApp(name=text_of(values, ("app",)))
        case "Wait":
            return Wait(milliseconds(values.get("duration") or 1, 1000))
        case "Take_over" | "Interact":
            return AskUser(str(values.get("message") or ""))
        case None:
            raise Malformed(_("The action has no `{name}`", name="action"))
        case _:
            raise unknown_action(kind)


def _compose(action: Action, screen: AgentScreen, thought: str) -> str:
    return f"<think>{thought}</think>\n<answer>{_written(action, screen)}</answer>"


def _written(action: Action, screen: AgentScreen) -> str:
    def do(kind: str, **values: object) -> str:
        words = "".join(f", {name}={json.dumps(value, ensure_ascii=False)}" for name, value in values.items())
        return f'do(action="{kind}"{words})'

    match action:
        case Tap() | DoubleTap() | LongPress():
            kind = next(name for name, made in _TOUCHES.items() if made is type(action))
            return do(kind, element=THOUSAND.from_device(action.x, action.y, screen))
        case Swipe():
            start = THOUSAND.from_device(action.x1, action.y1, screen)
            return do("Swipe", start=start, end=THOUSAND.from_device(action.x2, action.y2, screen))
        case Type() if not action.redacted:
            return do("Type", text=action.text)
        case Key() if action.key in _KEYS.values():
            return do(action.key.capitalize())
        case OpenApp():
            return do("Launch", app=action.name or action.package)
        case Wait():
            return do("Wait", duration=f"{action.duration_ms / 1000:g} seconds")
        case Answer() | Complete():
            text = action.text if isinstance(action, Answer) else ""
            return f"finish(message={json.dumps(text, ensure_ascii=False)})"
        case AskUser() | Impossible():  # it has one word for both
            said = action.question if isinstance(action, AskUser) else action.reason
            return do("Take_over", message=said)
        case _:
            raise not_expressible(action, "AutoGLM")


DIALECT = Dialect("autoglm", "AutoGLM", THOUSAND, _thought, _parse, _compose)
