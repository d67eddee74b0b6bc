"""Touch actions with the numbers of Android and scrcpy."""

from __future__ import annotations

from enum import IntEnum


class TouchAction(IntEnum):
    """Kind of an event of one finger (``MotionEvent.ACTION_*``)."""

    DOWN = 0
    UP = 1
    MOVE = 2
    CANCEL = 3
