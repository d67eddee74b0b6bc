"""D-GARA's JSON: ``{"thought", "action", "target", "coords", "input_text"}``, in pixels of the device.

D-GARA taps ``coords`` before it types; the turn keeps that place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from collector.agents.translators.coordinates import PIXELS, AgentScreen
from collector.agents.translators.dialect import Dialect, ReadAction, not_expressible, unknown_action
from collector.agents.translators.errors import Malformed
from collector.agents.translators.texts import json_object, numbers_of, thought_of_json
from collector.model.action import Action, Complete, Key, Swipe, Tap, Type, Wait
from collector.model.geometry import Point
from collector.model.i18n import _

_TAPS, _TEXTS = ("tap", "click"), ("text", "input", "type")
_KEYS = ("back", "home", "enter")
_WAIT_MS, _SWIPE_MS = 1000, 300


def _parse(answer: str, screen: AgentScreen) -> ReadAction:
    return read_decision(json_object(answer), screen)


def read_decision(values: Mapping[str, Any], screen: AgentScreen | None = None) -> ReadAction:
    """The action of a decision, as agents answer it and as D-GARA's logs keep it.

    Without a ``screen`` places are taken as they are. Raises Malformed or Hallucinated.
    """
    kind, coords = values.get("action"), values.get("coords")
    if not isinstance(kind, str) or not kind:
        raise Malformed(_("The action has no `{name}`", name="action"))
    name = kind.lower()
    if name in _TAPS:
        (place,) = _places(coords, 1, screen)
        return ReadAction(Tap(place.x, place.y))
    if name in _TEXTS:
        text = str(values.get("input_text") or "")
        return ReadAction(Type(text, len(text)), _focus(coords, screen))
    if name == "swipe":
        start, end = _places(coords, 2, screen)
        return ReadAction(Swipe(start.x, start.y, end.x, end.y, _SWIPE_MS))
    if name in _KEYS:
        return ReadAction(Key(name))
    if name == "wait":
        return ReadAction(Wait(_WAIT_MS))
    if name == "done":
        return ReadAction(Complete())
    raise unknown_action(kind)


def _focus(coords: object, screen: AgentScreen | None) -> Point | None:
    """Where to tap before text is typed; a log says what was typed, wherever its ``coords`` lie."""
    return _places(coords, 1, screen)[0] if coords and screen is not None else None


def _places(coords: object, count: int, screen: AgentScreen | None) -> list[Point]:
    """Places written ``[x1, y1, x2, y2]`` or ``[[x1, y1], [x2, y2]]``."""
    if not isinstance(coords, (list, tuple)):
        raise Malformed(_("The action has no `{name}`", name="coords"))
    parts: list[Any] = [part for item in coords for part in (item if isinstance(item, list) else [item])]
    flat = numbers_of(parts)
    if len(flat) != 2 * count:
        raise Malformed(_("A swipe takes four numbers") if count > 1 else _("A place takes two numbers"))
    pairs = [flat[at : at + 2] for at in range(0, len(flat), 2)]
    if screen is None:
        return [Point(round(x), round(y)) for x, y in pairs]
    return [PIXELS.to_device(pair, screen) for pair in pairs]


def decision_of(action: Action) -> dict[str, Any] | None:
    """An action in D-GARA's words, its places as they are; None when D-GARA has no word for it."""
    values: dict[str, Any] = {"action": "", "target": "", "coords": []}
    match action:
        case Tap():
            return values | {"action": "tap", "coords": [action.x, action.y]}
        case Swipe():
            return values | {"action": "swipe", "coords": [action.x1, action.y1, action.x2, action.y2]}
        case Type() if not action.redacted:
            return values | {"action": "text", "input_text": action.text}
        case Key() if action.key in _KEYS:
            return values | {"action": action.key}
        case Wait():
            return values | {"action": "wait"}
        case Complete():
            return values | {"action": "done"}
    return None


def _compose(action: Action, _screen: AgentScreen, thought: str) -> str:
    decision = decision_of(action)
    if decision is None:
        raise not_expressible(action, "D-GARA")
    return json.dumps({"thought": thought, **decision, "input_text": decision.get("input_text", "")},
                      ensure_ascii=False)  # fmt: skip


DIALECT = Dialect("dgara", "D-GARA JSON", PIXELS, thought_of_json, _parse, _compose)
