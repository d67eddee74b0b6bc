"""Execute the actions of the action space on a phone, with their timing."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Protocol

from collector.adb.keys import action_key
from collector.device.apps.app_names import AppNotFound, find_app
from collector.device.apps.installed_app import InstalledApp
from collector.device.errors import CallCancelled, DeviceError
from collector.device.protocols import InputSink
from collector.hierarchy.captions import caption
from collector.model.action import (
    LONGEST_MS,
    Action,
    Answer,
    AskUser,
    Complete,
    DoubleTap,
    Drag,
    FingerPath,
    Impossible,
    Invalid,
    Key,
    LongPress,
    OpenApp,
    Pinch,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.geometry import Point, Position, Size
from collector.model.i18n import _
from collector.model.phone.touch import TouchAction

TAP_MS = 60
"""A tap holds the finger at least so long."""
_BETWEEN_TAPS_MS = 90
_MOST_MOVES = 4000
_MOVE_EVERY_MS = 16
_LIFT_MS = 600
"""How long a finger lies until what is under it moves with it."""
_SPREAD = 0.3
"""Share of the screen's width between two fingers that lie apart."""
_TURNS = 3
"""Of the wheel in one recorded scroll: about half a screen."""
_WHEEL = {"up": (0, 1), "down": (0, -1), "right": (1, 0), "left": (-1, 0)}
_Way = Sequence[tuple[int, Point]]
"""Milliseconds from touch-down, and where the finger is then."""


class ActionRefused(DeviceError):  # noqa: N818 - as the other states of a phone
    """This phone cannot do the action."""


class ActionNeedsSetup(ActionRefused):
    """The action can be done once a person provides what it needs: a hidden text, a second finger."""


class Pace(Protocol):
    """The time in which gestures are drawn."""

    @property
    def now(self) -> float:
        """Seconds since some moment."""

    def wait(self, seconds: float) -> None:
        """Let so much time pass. May raise CallCancelled."""


class OpenableApps(Protocol):
    """The apps of a phone."""

    @property
    def installed(self) -> Sequence[InstalledApp]:
        """Those with an icon. May raise DeviceError."""

    def start(self, package: str) -> bool:
        """Start an app; False when there is none. Raises ValueError for no package, and DeviceError."""


class ActionExecutor:
    """Blocking. Raises DeviceError, ActionRefused, and CallCancelled when the pace is cancelled."""

    def __init__(self, apps: OpenableApps, sink: InputSink, pace: Pace, pen: InputSink | None = None) -> None:
        """``pen`` draws what a pen drew; without one a finger does."""
        self._apps, self._sink, self._pace, self._pen = apps, sink, pace, pen

    def do(self, action: Action, screen: Size, *, erase: int = 0, tool: str = "") -> Action:
        """Do ``action``, its places in pixels of ``screen``; ``erase`` characters go before text is typed.

        ``tool`` is what drew it, as the extra key of its step says; empty for a finger. Return the action as
        it was done: of an app that only had a name, with its package.
        """
        if tool and self._pen is not None:
            return ActionExecutor(self._apps, self._pen, self._pace).do(action, screen, erase=erase)
        match action:
            case Tap():
                self._draw(screen, _hold(action.point, max(TAP_MS, action.duration_ms)))
            case LongPress():
                self._draw(screen, _hold(action.point, action.duration_ms))
            case DoubleTap():
                self._draw(screen, _hold(action.point, TAP_MS))
                self._wait(_BETWEEN_TAPS_MS)
                self._draw(screen, _hold(action.point, TAP_MS))
            case Swipe() | Drag():
                self._draw(screen, _way_of(action))
            case Pinch():
                self._pinch(action, screen)
            case Scroll():
                across, up = _WHEEL[action.direction]
                self._sink.scroll(Position(action.point, screen), across * _TURNS, up * _TURNS)
            case OpenApp():
                return self._open(action)
            case _:
                self._without_place(action, erase)
        return action

    def key(self, name: str, held_ms: int = 0) -> None:
        """Press a key of the action space, and hold it so long."""
        try:
            code, meta = action_key(name)
        except ValueError as error:
            raise ActionRefused(_("This key cannot be pressed"), str(error)) from None
        self._sink.key(code, meta, held_ms)

    def _without_place(self, action: Action, erase: int) -> None:
        match action:
            case Type():
                for _press in range(erase):
                    self.key("delete")
                if action.text:
                    self._sink.text(action.text)
            case Key():
                self.key(action.key, action.duration_ms)
            case Wait():
                self._wait(action.duration_ms)
            case Answer() | Complete() | Impossible() | AskUser():
                pass  # an answer of the agent, nothing to do on the phone
            case Invalid():
                why = action.reason or _("nothing was done when it was recorded")
                raise ActionRefused(_("An invalid action cannot be replayed: {why}", why=why))
            case _:
                raise ActionRefused(_("This action cannot be replayed: {action}", action=caption(action)))

    def _open(self, action: OpenApp) -> OpenApp:
        if not action.package:
            action = dataclasses.replace(action, package=self._package_of(action.name))
        try:
            known = self._apps.start(action.package)
        except ValueError as error:
            raise ActionRefused(_("The app cannot be opened"), str(error)) from None
        if not known:
            raise ActionRefused(_("The phone has no app {name}", name=action.package))
        return action

    def _package_of(self, name: str) -> str:
        """The package of the installed app that ``name`` means."""
        try:
            return find_app(name, self._apps.installed).package
        except AppNotFound as error:
            raise ActionRefused(error.what) from None

    def _pinch(self, action: Pinch, screen: Size) -> None:
        needed = max(2, len(action.fingers))
        if self._sink.max_pointers < needed:
            raise ActionNeedsSetup(
                _("This gesture takes {count} fingers", count=needed),
                _("The phone is touched with {count} at most", count=self._sink.max_pointers),
                _("Install scrcpy's server, or choose its path with SCRCPY_SERVER_PATH"),
            )
        if action.fingers:
            self._draw_fingers(screen, action.fingers)
            return
        wide = _SPREAD * min(screen.width, screen.height)
        begin, end = (wide / action.scale, wide) if action.scale > 1 else (wide, wide * action.scale)
        ways = []
        for side in (-1, 1):
            ends = [Point(action.x + round(side * half / 2), action.y) for half in (begin, end)]
            ways.append(_line(ends[0], ends[1], action.duration_ms))
        self._draw(screen, *ways)

    def _draw(self, screen: Size, *ways: _Way) -> None:
        """Draw with a finger a way; all ways last equally long and have as many points."""
        began, last = self._pace.now, [way[0][1] for way in ways]
        self._touch(TouchAction.DOWN, last, screen)
        try:
            for moments in zip(*(way[1:] for way in ways), strict=True):
                self._wait(moments[0][0] - (self._pace.now - began) * 1000)
                if [point for _ms, point in moments] != last:
                    last = [point for _ms, point in moments]
                    self._touch(TouchAction.MOVE, last, screen)
        except CallCancelled:
            self._touch(TouchAction.CANCEL, last, screen)
            raise
        self._touch(TouchAction.UP, last, screen)

    def _draw_fingers(self, screen: Size, fingers: Sequence[FingerPath]) -> None:
        """Draw each finger along its path, each down and up at its own time."""
        began, down = self._pace.now, dict[int, Point]()
        try:
            for t_ms, action, pointer, point in _events_of(fingers):
                self._wait(t_ms - (self._pace.now - began) * 1000)
                if down.get(pointer) == point and action is TouchAction.MOVE:
                    continue
                self._sink.touch(action, pointer, Position(point, screen))
                down[pointer] = point
                if action is TouchAction.UP:
                    del down[pointer]
        except CallCancelled:
            for pointer, point in down.items():
                self._sink.touch(TouchAction.CANCEL, pointer, Position(point, screen))
            raise

    def _touch(self, action: TouchAction, points: Sequence[Point], screen: Size) -> None:
        for pointer, point in enumerate(points):
            self._sink.touch(action, pointer, Position(point, screen))

    def _wait(self, ms: float) -> None:
        self._pace.wait(max(0.0, min(ms, LONGEST_MS) / 1000))


def _events_of(fingers: Sequence[FingerPath]) -> list[tuple[int, TouchAction, int, Point]]:
    """Milliseconds, what happens, which finger and where, in time. A finger is down from its first sample."""
    events = []
    for pointer, path in enumerate(fingers):
        last = len(path) - 1
        for number, (t_ms, x, y) in enumerate(path):
            action = TouchAction.MOVE if number else TouchAction.DOWN
            events.append((t_ms, action, pointer, Point(x, y)))
            if number == last:
                events.append((t_ms, TouchAction.UP, pointer, Point(x, y)))
    return sorted(events, key=lambda event: event[0])


def _hold(point: Point, ms: int) -> _Way:
    return (0, point), (min(ms, LONGEST_MS), point)


def _way_of(action: Swipe | Drag) -> _Way:
    if len(action.path) > 1:
        return [(t_ms, Point(x, y)) for t_ms, x, y in action.path]
    way = _line(Point(action.x1, action.y1), action.end, action.duration_ms)
    if isinstance(action, Drag):
        return [way[0], *((_LIFT_MS + ms, point) for ms, point in way)]
    return way


def _line(start: Point, end: Point, ms: int) -> _Way:
    ms = min(ms, LONGEST_MS)
    count = min(max(1, ms // _MOVE_EVERY_MS), _MOST_MOVES)
    return [
        (
            ms * number // count,
            Point(
                start.x + round((end.x - start.x) * number / count),
                start.y + round((end.y - start.y) * number / count),
            ),
        )
        for number in range(count + 1)
    ]
