"""Gestures that a check makes, by the shares of the screen at which they begin and end."""

from __future__ import annotations

from collector.device.protocols import InputSink
from collector.device_check.step import CheckStepRun
from collector.model.geometry import Point, Position
from collector.model.phone.touch import TouchAction

BACK = 4
"""Android's code of the key."""
_MOVES = 8
_TAP_S = 0.05


def place(run: CheckStepRun, x: float, y: float) -> Position:
    """A position by its shares of the screen."""
    size = run.display.size
    return Position(Point(round(size.width * x), round(size.height * y)), size)


def tap(run: CheckStepRun, sink: InputSink, x: float, y: float, held_s: float = _TAP_S) -> None:
    """Touch a place for so long."""
    at = place(run, x, y)
    sink.touch(TouchAction.DOWN, 0, at)
    run.wait(held_s)
    sink.touch(TouchAction.UP, 0, at)


def swipe(run: CheckStepRun, sink: InputSink, start: float, end: float, every_s: float = 0.03) -> None:
    """Swipe in the middle of the screen, from one height to another."""
    sink.touch(TouchAction.DOWN, 0, place(run, 0.5, start))
    for move in range(1, _MOVES + 1):
        run.wait(every_s)
        sink.touch(TouchAction.MOVE, 0, place(run, 0.5, start + (end - start) * move / _MOVES))
    sink.touch(TouchAction.UP, 0, place(run, 0.5, end))


def pinch(run: CheckStepRun, sink: InputSink) -> None:
    """Move two fingers apart."""
    for pointer, x in ((0, 0.45), (1, 0.55)):
        sink.touch(TouchAction.DOWN, pointer, place(run, x, 0.5))
    for move in range(1, _MOVES + 1):
        run.wait(0.02)
        for pointer, side in ((0, -1), (1, 1)):
            sink.touch(TouchAction.MOVE, pointer, place(run, 0.5 + side * (0.05 + 0.03 * move), 0.5))
    for pointer, x in ((0, 0.21), (1, 0.79)):
        sink.touch(TouchAction.UP, pointer, place(run, x, 0.5))
