"""ProBench's seven primitives: CLICK, SWIPE, TYPE, ENTER, BACK, COMPLETE and WAIT, in pixels of the device.

The paper prints the names alone. Their arguments are read in parentheses or brackets, or after a colon, and
written as ``CLICK(x, y)``, ``SWIPE(x1, y1, x2, y2)`` and ``TYPE("text")``.
"""

from __future__ import annotations

import json
import re

from collector.agents.translators.coordinates import PIXELS, AgentScreen
from collector.agents.translators.dialect import Dialect, ReadAction, not_expressible, unknown_action
from collector.agents.translators.errors import Malformed
from collector.agents.translators.texts import numbers_of
from collector.model.action import Action, Complete, Key, Swipe, Tap, Type, Wait
from collector.model.i18n import _

_ACTION = re.compile(r"\b([A-Z][A-Z_]{2,})\b[ \t]*(?::[ \t]*)?(\(.*\)|\[.*\]|[^\n]*)", re.DOTALL)
_THOUGHT = re.compile(r"\s*(?:Thought\s*:\s*)?(.*?)\s*(?:\n\s*)?(?:Action\s*:\s*)?\Z", re.DOTALL)
_NAMES = ("CLICK", "SWIPE", "TYPE", "ENTER", "BACK", "COMPLETE", "WAIT")
_FINGER = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
"""Where the finger goes in a swipe that has a direction only."""
_WAIT_MS, _SWIPE_MS = 1000, 300


def _found(answer: str) -> re.Match[str] | None:
    matches = list(_ACTION.finditer(answer))
    named = [match for match in matches if match[1] in _NAMES]
    return named[-1] if named else matches[-1] if matches else None


def _thought(answer: str) -> str:
    match = _found(answer)
    thought = _THOUGHT.match(answer[: match.start()] if match else "")
    return thought[1] if thought else ""


def _parse(answer: str, screen: AgentScreen) -> ReadAction:
    match = _found(answer)
    if match is None:
        raise Malformed(_("The answer has no call of an action"))
    name, rest = match[1], match[2].strip()
    if name == "CLICK":
        place = PIXELS.to_device(numbers_of(rest), screen)
        return ReadAction(Tap(place.x, place.y))
    if name == "SWIPE":
        return ReadAction(_swipe(rest, screen))
    if name == "TYPE":
        text = _text(rest)
        return ReadAction(Type(text, len(text)))
    if name in ("ENTER", "BACK"):
        return ReadAction(Key(name.lower()))
    if name in ("COMPLETE", "WAIT"):
        return ReadAction(Complete() if name == "COMPLETE" else Wait(_WAIT_MS))
    raise unknown_action(name)


def _swipe(rest: str, screen: AgentScreen) -> Swipe:
    size = screen.size
    for direction, (across, down) in _FINGER.items():
        if re.search(rf"\b{direction}\b", rest, re.IGNORECASE):
            x, y, far_x, far_y = size.width // 2, size.height // 2, size.width // 4, size.height // 4
            return Swipe(
                x - across * far_x, y - down * far_y, x + across * far_x, y + down * far_y, _SWIPE_MS
            )
    numbers = numbers_of(rest)
    if len(numbers) != 4:
        raise Malformed(_("A swipe takes four numbers"))
    start, end = PIXELS.to_device(numbers[:2], screen), PIXELS.to_device(numbers[2:], screen)
    return Swipe(start.x, start.y, end.x, end.y, _SWIPE_MS)


def _text(rest: str) -> str:
    inner = rest[1:-1].strip() if rest[:1] + rest[-1:] in ("()", "[]") else rest
    try:
        value = json.loads(inner)
    except ValueError:
        value = None
    if isinstance(value, str):
        return value
    return inner[1:-1] if len(inner) > 1 and inner[0] == inner[-1] and inner[0] in "'\"" else inner


def _compose(action: Action, screen: AgentScreen, thought: str) -> str:
    match action:
        case Tap():
            written = "CLICK({}, {})".format(*PIXELS.from_device(action.x, action.y, screen))
        case Swipe():
            start = PIXELS.from_device(action.x1, action.y1, screen)
            end = PIXELS.from_device(action.x2, action.y2, screen)
            written = "SWIPE({}, {}, {}, {})".format(*start, *end)
        case Type() if not action.redacted:
            written = f"TYPE({json.dumps(action.text, ensure_ascii=False)})"
        case Key() if action.key in ("enter", "back"):
            written = action.key.upper()
        case Wait() | Complete():
            written = "WAIT" if isinstance(action, Wait) else "COMPLETE"
        case _:
            raise not_expressible(action, "ProBench")
    return f"Thought: {thought}\nAction: {written}" if thought else written


DIALECT = Dialect("probench", "ProBench's seven primitives", PIXELS, _thought, _parse, _compose)
