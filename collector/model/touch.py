"""What a finger does, with the numbers Android and scrcpy use for it."""

from __future__ import annotations

from enum import IntEnum


class TouchAction(IntEnum):
    """One event of one finger (``MotionEvent.ACTION_*``)."""

    DOWN = 0
    UP = 1
    MOVE = 2
    CANCEL = 3
