"""Taps on the phone's soft keyboard: which gestures press its keys, and the typing runs they make."""

from __future__ import annotations

from collections import deque

from collector.model.action import Swipe
from collector.model.geometry import Point, Rect
from collector.model.tree import Node
from collector.recorder.gestures import BASE_DPI, Gesture
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.typing.field_reading import SETTLE_NS, FieldReading, read_field
from collector.recorder.typing.typing_run import TypingRun

_ACTION_ZONE = (0.8, 0.66)
"""Where the action key begins, as shares of the keyboard's width and height."""
_EDGE_DP = 24
_TRAVEL_DP = 48


def is_key_press(gesture: Gesture, keyboard: Rect | None, moment: ScreenMoment, density: int) -> bool:
    """Whether a gesture is meant for the keyboard: it began there and is no gesture of the system."""
    if keyboard is None or not keyboard.contains(gesture.down):
        return False
    action, dp = gesture.action, max(density, 1) / BASE_DPI
    if not isinstance(action, Swipe):
        return True
    across, up = abs(action.x2 - action.x1), action.y1 - action.y2
    at_bottom = gesture.down.y >= moment.screen.height - _EDGE_DP * dp
    at_side = gesture.down.x < _EDGE_DP * dp or gesture.down.x >= moment.screen.width - _EDGE_DP * dp
    goes_home = at_bottom and up > _TRAVEL_DP * dp
    goes_back = at_side and across > max(_TRAVEL_DP * dp, abs(up))
    return not goes_home and not goes_back


def is_action_key(point: Point, keyboard: Rect) -> bool:
    """Whether keyboards have Enter there: at the right end of the lowest row."""
    x_share, y_share = _ACTION_ZONE
    return (
        point.x >= keyboard.left + x_share * keyboard.width
        and point.y >= keyboard.top + y_share * keyboard.height
    )


class SoftKeyboardTyping:
    """The open typing run and those that wait for a reading, in order. The recorder's lock guards it."""

    def __init__(self) -> None:
        self._open: TypingRun | None = None
        self._waiting: deque[TypingRun] = deque()
        self._newest: FieldReading | None = None
        """The newest reading of any run: the next run begins with it."""
        self._last_field: FieldReading | None = None
        """The field as the newest resolved run left it."""
        self._observed_ns = 0

    @property
    def is_open(self) -> bool:
        return self._open is not None

    @property
    def is_waiting(self) -> bool:
        """Whether readings are awaited."""
        return self._open is not None or bool(self._waiting)

    def press(
        self, moment: ScreenMoment, gesture: Gesture, keyboard: Rect, touched: Node | None = None
    ) -> TypingRun | None:
        """Take one press. Returns the run it began, None when it continued the open one."""
        action_key = is_action_key(gesture.down, keyboard)
        run = self._open
        if run is not None and (action_key or run.is_action_key):
            self.close(gesture.started_ns)
            run = None
        new_run = None
        if run is None:
            new_run = run = self._open = TypingRun(moment, action_key, self._before(moment), touched)
        run.press(gesture.finished_ns)
        return new_run

    def close(self, limit_ns: int) -> None:
        """Something else is done at ``limit_ns``: later trees say nothing about what was typed before."""
        if self._open is not None:
            self._open.limit_ns = limit_ns
            self._waiting.append(self._open)
            self._open = None

    def observe(self, reading: FieldReading) -> None:
        """Take a reading of the phone's newest tree; the same one may be given again."""
        if reading.started_ns <= self._observed_ns:
            return
        self._observed_ns = reading.started_ns
        for run in (*self._waiting, *([self._open] if self._open is not None else [])):
            run.observe(reading)
        if self.is_waiting:
            self._newest = reading

    def ready(self, run: TypingRun, now_ns: int) -> bool:
        """Whether a run can be resolved now; if so, an open run ends."""
        if not run.is_ready(now_ns):
            return False
        self.resolve(run)
        return True

    def resolve(self, run: TypingRun) -> None:
        """Take a run out, so that its outcome can be told from those before it."""
        if run is self._open:
            self._open = None
        else:
            self._waiting.remove(run)
        last_field = self._last_field
        if last_field is not None and (run.before is None or last_field.is_same_field(run.before)):
            # Text that is accounted for is not counted again, however the trees overlap in time.
            run.before, run.before_is_text = last_field, True

    def set_last_field(self, reading: FieldReading | None) -> None:
        """Remember the field as the run just resolved left it; None when that is not known."""
        self._last_field = reading

    def wants_tree(self, now_ns: int) -> bool:
        """Whether a run has settled and no tree was begun since, so that one should be requested."""
        run = self._open or (self._waiting[-1] if self._waiting else None)
        if run is None or run.is_complete or run.limit_ns is not None:
            return False
        return now_ns - run.last_ns >= SETTLE_NS

    def _before(self, moment: ScreenMoment) -> FieldReading | None:
        """The field before the first press, if a tree was at hand."""
        snapshot = moment.snapshot
        fresh = read_field(snapshot) if snapshot is not None else None
        newest = self._newest
        if newest is None or newest.finished_ns > moment.time_ns:
            return fresh
        return fresh if fresh is not None and fresh.started_ns >= newest.started_ns else newest
