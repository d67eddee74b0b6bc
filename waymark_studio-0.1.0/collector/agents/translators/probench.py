"""ProBench's seven primitives: CLICK, SWIPE, TYPE, ENTER, BACK, COMPLETE and WAIT, in pixels of the device.

The paper prints the names alone. Their arguments are read in parentheses or brackets, or after a colon, and
written as ``CLICK(x, y)``, ``SWIPE(x1, y1, x2, y2)`` and ``TYPE("text")``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from collector.agents.translators.coordinates import PIXELS, AgentScreen
from collector.agents.translators.dialect import Dialect, ReadAction, not_expressible, unknown_action
from collector.agents.translators.errors import Malformed
from collector.agents.translators.texts import numbers_of
from collector.model.action import Action, Complete, Key, Swipe, Tap, Type, Wait
from collector.model.i18n import _

_NAME = re.compile(r"\b([A-Z][A-Z_]{2,}+)\b[ \t]*+(?::[ \t]*+)?")
_CLOSING = {"(": ")", "[": "]"}
_THOUGHT, _ACTION = re.compile(r"Thought\s*+:"), re.compile(r"Action\s*+:\Z")
_NAMES = ("CLICK", "SWIPE", "TYPE", "ENTER", "BACK", "COMPLETE", "WAIT")
_FINGER = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
"""Where the finger goes in a swipe that has a direction only."""
_WAIT_MS, _SWIPE_MS = 1000, 300


@dataclass(frozen=True, slots=True)
class _Call:
    """A word in capitals with what follows it; ``start`` is its place in the answer."""

    start: int
    name: str
    rest: str


def _found(answer: str) -> _Call | None:
    """The last call of a primitive; without any, the last word that is written as one."""
    last = named = None
    for call in _calls(answer):
        last = call
        named = call if call.name in _NAMES else named
    return named or last


def _calls(answer: str) -> Iterator[_Call]:
    lasts = {opening: answer.rfind(closing) for opening, closing in _CLOSING.items()}
    at = 0
    while match := _NAME.search(answer, at):
        start = match.end()
        at = lasts.get(answer[start : start + 1], -1) + 1
        if at <= start:  # no parentheses, or none that close: the rest of the line
            line = answer.find("\n", start)
            at = line if line >= 0 else len(answer)
        yield _Call(match.start(), match[1], answer[start:at].strip())


def _thought(answer: str) -> str:
    call = _found(answer)
    before = answer[: call.start].strip() if call else ""
    label = _THOUGHT.match(before)
    before = before[label.end() :] if label else before
    action = _ACTION.search(before)
    return (before[: action.start()] if action else before).strip()


def _parse(answer: str, screen: AgentScreen) -> ReadAction:
    call = _found(answer)
    if call is None:
        raise Malformed(_("The answer has no call of an action"))
    name, rest = call.name, call.rest
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
