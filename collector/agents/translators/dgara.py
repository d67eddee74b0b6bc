"""D-GARA's JSON: ``{"thought", "action", "target", "coords", "input_text"}``, in pixels of the device.

D-GARA taps ``coords`` before it types; the turn keeps that place.
"""

from __future__ import annotations

import json
from typing import Any

from collector.agents.translators.coordinates import PIXELS, AgentScreen
from collector.agents.translators.dialect import Dialect, ReadAction, not_expressible, unknown_action
from collector.agents.translators.errors import Malformed
from collector.agents.translators.texts import json_object, numbers_of
from collector.model.action import Action, Complete, Key, Swipe, Tap, Type, Wait
from collector.model.i18n import _

_TAPS, _TEXTS = ("tap", "click"), ("text", "input", "type")
_KEYS = ("back", "home", "enter")
_WAIT_MS, _SWIPE_MS = 1000, 300


def _thought(answer: str) -> str:
    try:
        return str(json_object(answer).get("thought") or "")
    except Malformed:
        return ""


def _parse(answer: str, screen: AgentScreen) -> ReadAction:
    values = json_object(answer)
    kind, coords = values.get("action"), values.get("coords")
    if not isinstance(kind, str) or not kind:
        raise Malformed(_("The action has no `{name}`", name="action"))
    name = kind.lower()
    if name in _TAPS:
        place = PIXELS.to_device(_flat(coords), screen)
        return ReadAction(Tap(place.x, place.y))
    if name in _TEXTS:
        text = str(values.get("input_text") or "")
        return ReadAction(Type(text, len(text)), PIXELS.to_device(_flat(coords), screen) if coords else None)
    if name == "swipe":
        flat = _flat(coords)
        if len(flat) != 4:
            raise Malformed(_("A swipe takes four numbers"))
        start, end = PIXELS.to_device(flat[:2], screen), PIXELS.to_device(flat[2:], screen)
        return ReadAction(Swipe(start.x, start.y, end.x, end.y, _SWIPE_MS))
    if name in _KEYS:
        return ReadAction(Key(name))
    if name == "wait":
        return ReadAction(Wait(_WAIT_MS))
    if name == "done":
        return ReadAction(Complete())
    raise unknown_action(kind)


def _flat(coords: object) -> list[float]:
    """Numbers written ``[x1, y1, x2, y2]`` or ``[[x1, y1], [x2, y2]]``."""
    if not isinstance(coords, (list, tuple)):
        raise Malformed(_("The action has no `{name}`", name="coords"))
    parts: list[Any] = [part for item in coords for part in (item if isinstance(item, list) else [item])]
    return numbers_of(parts)


def _compose(action: Action, screen: AgentScreen, thought: str) -> str:
    values: dict[str, Any] = {"thought": thought, "action": "", "target": "", "coords": [], "input_text": ""}
    match action:
        case Tap():
            values |= {"action": "tap", "coords": PIXELS.from_device(action.x, action.y, screen)}
        case Swipe():
            start = PIXELS.from_device(action.x1, action.y1, screen)
            end = PIXELS.from_device(action.x2, action.y2, screen)
            values |= {"action": "swipe", "coords": [*start, *end]}
        case Type() if not action.redacted:
            values |= {"action": "text", "input_text": action.text}
        case Key() if action.key in _KEYS:
            values["action"] = action.key
        case Wait() | Complete():
            values["action"] = "wait" if isinstance(action, Wait) else "done"
        case _:
            raise not_expressible(action, "D-GARA")
    return json.dumps(values, ensure_ascii=False)


DIALECT = Dialect("dgara", "D-GARA JSON", PIXELS, _thought, _parse, _compose)
