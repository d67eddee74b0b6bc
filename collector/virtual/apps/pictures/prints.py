"""Illustrations of the posters the shop sells."""

from __future__ import annotations

from typing import Any

from collector.virtual.apps.pictures.pen import Pen
from collector.virtual.ui.drawing.pictures import picture


@picture("bauhaus")
def _bauhaus(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#F1EAE0")
    pen.circle(42, 40, 22, "#CF4526")
    pen.shape([(26, 84), (44, 50), (62, 84)], "#E9B23C")
    pen.rect(48, 46, 34, 34, "#23407F")


@picture("botanical")
def _botanical(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#ECE6D8")
    pen.line([(50, 92), (50, 26)], "#5C7F57", 2.4)
    for y, turn, length in ((76, 205, 26), (70, -25, 26), (56, 212, 24), (50, -32, 24), (36, 218, 18)):
        pen.leaf(50, y, length, turn, "#7E9F75")
    pen.leaf(50, 32, 20, -78, "#7E9F75")


@picture("fern")
def _fern(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#E4EAE0")
    pen.line([(50, 94), (50, 14)], "#355B43", 1.8)
    for step in range(12):
        y = 88 - step * 6
        length = 34 - step * 2.3
        pen.leaf(50, y, length, -28, "#4F7D5C")
        pen.leaf(50, y, length, 208, "#5F8E6B")


@picture("underground")
def _underground(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#F4F1EA")
    pen.line([(6, 78), (34, 78), (60, 50), (60, 4)], "#2F6F4E", 4)
    pen.line([(20, 4), (20, 40), (50, 70), (96, 70)], "#C33C2B", 4)
    pen.line([(4, 24), (70, 24), (84, 38), (84, 96)], "#27407C", 4)
    pen.line([(40, 96), (40, 56), (74, 22), (96, 22)], "#E2A93B", 4)
    for x, y in ((20, 24), (60, 36), (40, 60), (84, 70), (60, 24)):
        pen.circle(x, y, 4, "#FFFFFF")
        pen.circle(x, y, 4, "#1D2326", 1.6)


@picture("sunrise")
def _sunrise(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#F6D9B8")
    pen.circle(50, 56, 24, "#E4672F")
    for step, color in enumerate(("#F0A25C", "#E4824A", "#CB5F3F", "#A64538", "#7B3336")):
        pen.rect(-60, 62 + step * 9, 220, 9.2, color)


@picture("cat")
def _cat(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#DDD3C4")
    pen.oval(50, 78, 76, 12, "#C8BBA8")
    pen.oval(54, 64, 58, 34, "#3B3F46")
    pen.circle(30, 60, 15, "#3B3F46")
    pen.shape([(17, 54), (18, 38), (29, 47)], "#3B3F46")
    pen.shape([(31, 46), (42, 38), (43, 54)], "#3B3F46")
    pen.line([(22, 61), (26, 63)], "#E6DFD3", 1.4)
    pen.line([(33, 63), (37, 61)], "#E6DFD3", 1.4)
    pen.line([(80, 70), (88, 76), (70, 81), (52, 80)], "#3B3F46", 6)


@picture("waves")
def _waves(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#F2EFE8")
    for step, color in enumerate(("#BCD8E6", "#8DBAD3", "#5A94B8", "#356F99", "#204B73")):
        pen.wave(28 + step * 15, 13, color, phase=step * 13.0, length=46)
