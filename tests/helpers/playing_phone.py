"""Phones that play recordings, and hands that do on them what was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from collector.adb.keys import action_key
from collector.model.action import (
    Action,
    DoubleTap,
    Drag,
    Key,
    LongPress,
    OpenApp,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.transition_graph import TransitionGraph
from collector.virtual.recorded.off_path import OffPathKind
from collector.virtual.recorded.recorded_phone import first_screen, recorded_apps, usual_density
from collector.virtual.system.phone import Phone, PhoneProfile, TouchAction
from collector.virtual.system.phone_state.phone_time import SimulatedTime


@contextmanager
def playing(graph: TransitionGraph, off_path: OffPathKind = "count") -> Iterator[Phone]:
    """A phone of simulated time: nothing happens by itself."""
    profile = PhoneProfile(
        size=min(graph.start.size, graph.start.size.transposed), density=usual_density(graph),
        apps=recorded_apps(graph, off_path), starts_with=first_screen(graph), caret_blinks=False,
    )  # fmt: skip
    phone = Phone(profile, SimulatedTime())
    try:
        yield phone
    finally:
        phone.close()


_FINGER = {"up": (0, 90), "down": (0, -90), "left": (90, 0), "right": (-90, 0)}
"""Where the finger moves in px, by where the view does."""


def do(phone: Phone, action: Action | None) -> None:
    """Do what was recorded as a person, or a program over ADB, would."""
    match action:
        case Tap() | DoubleTap():
            for _time in range(1 + isinstance(action, DoubleTap)):
                swipe(phone, (action.x, action.y), (action.x, action.y))
            phone.pass_time(0.5)  # two taps at one place would be a double tap
        case LongPress():
            swipe(phone, (action.x, action.y), (action.x, action.y), rest=1.0)
        case Swipe() | Drag():
            rest = 1.0 if isinstance(action, Drag) else 0.0
            swipe(phone, (action.x1, action.y1), (action.x2, action.y2), rest)
        case Scroll():
            across, down = _FINGER[action.direction]
            swipe(phone, (action.x, action.y), (action.x + across, action.y + down))
        case Type():
            for letter in action.text:
                phone.commit_text(letter)
        case Key(duration_ms=held) if held:
            code = action_key(action.key)[0]
            phone.key(code, True)
            phone.pass_time(held / 1000)
            phone.key(code, False)
        case Key():
            phone.key(action_key(action.key)[0])
        case OpenApp():
            phone.launch(action.package)
        case Wait():
            phone.pass_time(action.duration_ms / 1000 + 0.1)


def swipe(phone: Phone, start: tuple[float, float], end: tuple[float, float], rest: float = 0.0) -> None:
    phone.touch(TouchAction.DOWN, 0, *start)
    phone.pass_time(rest)
    if start != end:
        for part in (0.3, 0.6, 1.0):
            x, y = (before + part * (after - before) for before, after in zip(start, end, strict=True))
            phone.touch(TouchAction.MOVE, 0, x, y)
    phone.touch(TouchAction.UP, 0, *end)
