"""Illustrations of household articles and book covers."""

from __future__ import annotations

from typing import Any

from collector.virtual.apps.pictures.pen import Pen
from collector.virtual.ui.drawing.pictures import picture


def _framed(canvas: Any, width: float, height: float, wood: str) -> None:
    pen = Pen(canvas, width, height, "#E9ECEE")
    pen.rect(24, 14, 52, 72, wood, 1)
    pen.rect(30, 20, 40, 60, "#FBFAF7")
    pen.circle(50, 44, 11, "#D9A066")
    pen.shape([(34, 74), (48, 54), (58, 64), (66, 56), (66, 74)], "#5E7F8C")


@picture("frame")
def _frame(canvas: Any, width: float, height: float, argument: str) -> None:
    _framed(canvas, width, height, "#B98B57")


@picture("frame_black")
def _frame_black(canvas: Any, width: float, height: float, argument: str) -> None:
    _framed(canvas, width, height, "#23272B")


@picture("hanger")
def _hanger(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#EEF0EC")
    pen.line([(30, 24), (50, 10), (70, 24)], "#8C7A5E", 1.4)
    pen.rect(26, 24, 48, 5, "#B98B57", 1)
    pen.rect(29, 29, 42, 52, "#F8F4EA")
    pen.circle(50, 54, 13, "#C9583B")
    pen.rect(26, 81, 48, 5, "#B98B57", 1)


@picture("lamp")
def _lamp(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#F4EDE1")
    pen.shape([(58, 42), (78, 30), (96, 86), (34, 86)], "#FBE7B4")
    pen.line([(38, 84), (30, 52), (62, 32)], "#2E4A4F", 3)
    pen.shape([(56, 40), (66, 22), (82, 32), (74, 48)], "#D1603A")
    pen.oval(38, 86, 30, 7, "#2E4A4F")


@picture("towel")
def _towel(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#F0EEEA")
    pen.rect(26, 14, 48, 74, "#FCFCFB", 1)
    for step in range(5):
        pen.rect(29 + step * 9.5, 14, 3, 74, "#8FB3D6")
    for step in range(7):
        pen.rect(26, 19 + step * 10, 48, 3, "#5C8CBE")


@picture("mug")
def _mug(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#E7E3DB")
    pen.circle(70, 54, 13, "#6F8791", 5)
    pen.rect(28, 34, 42, 46, "#87A0A8", 6)
    pen.rect(28, 62, 42, 18, "#D7CFC0", 6)
    pen.oval(49, 35, 42, 8, "#4F3B2F")


@picture("vase")
def _vase(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#EFE6DD")
    pen.line([(50, 44), (44, 12)], "#6D8A62", 1.6)
    pen.line([(51, 44), (62, 16)], "#6D8A62", 1.6)
    pen.leaf(46, 26, 14, 200, "#88A67C")
    pen.leaf(58, 28, 14, -20, "#88A67C")
    pen.circle(44, 12, 5, "#E3B5A0")
    pen.circle(62, 15, 5, "#D98A74")
    pen.shape([(43, 42), (58, 42), (66, 66), (60, 90), (41, 90), (35, 66)], "#B66F4A")


@picture("candle")
def _candle(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#E3E6E1")
    pen.oval(50, 30, 8, 15, "#F3B54A")
    pen.oval(50, 33, 4, 8, "#FBE6A8")
    pen.line([(50, 44), (50, 38)], "#3B3A37", 1.4)
    pen.rect(32, 44, 36, 42, "#F7F1E4", 4)
    pen.rect(32, 58, 36, 16, "#7A5B42")


@picture("cushion")
def _cushion(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#ECEAE6")
    pen.rect(20, 24, 60, 54, "#C98F36", 12)
    pen.line([(26, 32), (74, 70)], "#B27B2A", 1.2)
    pen.line([(74, 32), (26, 70)], "#B27B2A", 1.2)
    pen.circle(50, 51, 3, "#8F611E")


@picture("wall_clock")
def _wall_clock(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#DCE4E6")
    pen.circle(50, 50, 32, "#FBFBF9")
    pen.circle(50, 50, 32, "#2C3A40", 3)
    for x, y in ((50, 24), (76, 50), (50, 76), (24, 50)):
        pen.circle(x, y, 1.8, "#2C3A40")
    pen.line([(50, 50), (50, 32)], "#2C3A40", 2.6)
    pen.line([(50, 50), (64, 58)], "#C9522F", 2)


def _book(canvas: Any, width: float, height: float, cover: str, mark: str) -> None:
    pen = Pen(canvas, width, height, "#ECEEF0")
    pen.rect(30, 14, 44, 72, "#F8F6F0", 2)
    pen.rect(27, 14, 44, 70, cover, 2)
    pen.rect(27, 14, 4, 70, mark)
    pen.circle(52, 42, 11, mark)
    pen.rect(40, 62, 24, 3, mark)
    pen.rect(44, 68, 16, 2, mark)


@picture("book_orange")
def _book_orange(canvas: Any, width: float, height: float, argument: str) -> None:
    _book(canvas, width, height, "#D8653A", "#F6DDA6")


@picture("book_green")
def _book_green(canvas: Any, width: float, height: float, argument: str) -> None:
    _book(canvas, width, height, "#3F6E50", "#CFE3C4")


@picture("book_blue")
def _book_blue(canvas: Any, width: float, height: float, argument: str) -> None:
    _book(canvas, width, height, "#2E4F80", "#E4C76C")


@picture("book_red")
def _book_red(canvas: Any, width: float, height: float, argument: str) -> None:
    _book(canvas, width, height, "#97333A", "#F0D9C0")
