"""Illustrations of landscapes: travel posters and the launcher's wallpaper."""

from __future__ import annotations

from typing import Any

from collector.virtual.apps.pictures.pen import Pen
from collector.virtual.ui.drawing.pictures import picture


@picture("alps")
def _alps(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#F3D4B0")
    pen.circle(66, 30, 11, "#E2703A")
    pen.shape([(-40, 104), (30, 42), (100, 104)], "#2E5A70")
    pen.shape([(22, 49), (30, 42), (39, 50), (34, 54), (30, 50), (26, 55)], "#FFFFFF")
    pen.shape([(40, 104), (78, 56), (150, 104)], "#41738A")
    pen.shape([(73, 62), (78, 56), (86, 62), (82, 66), (78, 62)], "#FFFFFF")
    pen.shape([(-60, 104), (8, 78), (60, 104)], "#24465A")


@picture("paris")
def _paris(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#D5E2EA")
    pen.circle(74, 30, 10, "#F3C65C")
    pen.shape([(47, 20), (53, 20), (57, 54), (43, 54)], "#3A4858")
    pen.shape([(42, 57), (58, 57), (60, 65), (40, 65)], "#3A4858")
    pen.shape([(38, 68), (62, 68), (72, 92), (60, 92), (55, 78), (45, 78), (40, 92), (28, 92)], "#3A4858")
    pen.rect(49, 12, 2, 10, "#3A4858")


@picture("night_sea")
def _night_sea(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#213A52")
    pen.circle(70, 28, 9, "#F6E3AE")
    pen.wave(60, 10, "#3C76A6", phase=8, length=62)
    pen.wave(74, 9, "#8EC0DE", phase=34, length=62)


@picture("lighthouse")
def _lighthouse(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#F0C9A4")
    pen.shape([(54, 26), (160, 8), (160, 44)], "#F8E4BE")
    pen.shape([(42, 88), (46, 34), (60, 34), (64, 88)], "#F7F3EC")
    pen.shape([(45, 48), (61, 48), (62, 60), (44, 60)], "#C6402F")
    pen.shape([(43, 72), (63, 72), (64, 84), (42, 84)], "#C6402F")
    pen.rect(44, 24, 18, 10, "#2B3A46")
    pen.rect(48, 26, 10, 6, "#F6DC86")
    pen.shape([(43, 24), (53, 15), (63, 24)], "#C6402F")
    pen.wave(86, 5, "#2C6B83", length=40)


@picture("city_night")
def _city_night(canvas: Any, width: float, height: float, argument: str) -> None:
    pen = Pen(canvas, width, height, "#1C2440")
    pen.circle(74, 22, 8, "#F4E7C2")
    towers = ((2, 46, 16), (20, 34, 14), (36, 54, 12), (50, 28, 16), (68, 48, 14), (84, 38, 16))
    for index, (x, top, wide) in enumerate(towers):
        pen.rect(x, top, wide, 80, ("#34406A", "#2B355A")[index % 2])
        for row in range(int((96 - top) // 9)):
            for column in range(2):
                if (row * 3 + column * 5 + index) % 4:
                    pen.rect(x + 3 + column * (wide - 9), top + 4 + row * 9, 3, 4, "#F2CB6B")


@picture("wallpaper")
def _wallpaper(canvas: Any, width: float, height: float, argument: str) -> None:
    dark = argument == "dark"
    pen = Pen(canvas, width, height, "#141E29" if dark else "#22384E")
    pen.circle(60, 27, 6.6, "#B98A4E" if dark else "#EBB775")
    pen.shape([(0, 120), (36, 33), (72, 120)], "#25404F" if dark else "#335B73")
    pen.shape([(40, 120), (66, 42), (110, 120)], "#223A49" if dark else "#2D5168")
    pen.shape([(10, 120), (42, 53), (86, 120)], "#17293A" if dark else "#1E3447")
