"""What the camera of the phone sees: a valley with a house behind it, a person in front."""

from __future__ import annotations

from random import Random
from typing import Any

from collector.virtual.apps.pictures.pen import Pen
from collector.virtual.ui.drawing.pictures import picture

NAME = "camera_scene"
FRONT, BACK = "front", "back"
_SKIES = ((6, "#24324A"), (8, "#F2B48A"), (18, "#A9D3EE"), (21, "#E58E6A"), (24, "#1E2A42"))
"""Until which hour the sky has which colour."""
_WALLS = ("#C9D6CF", "#D9CDBD", "#C5CFDC")
_SHIRTS = ("#3D5F93", "#8A4B9C", "#2F7C8A")


def scene(facing: str, seed: int, number: int, hour: int) -> str:
    """The argument of the picture: another ``number`` is another moment."""
    return f"{facing}:{seed}:{number}:{hour}"


@picture(NAME)
def _draw(canvas: Any, width: float, height: float, argument: str) -> None:
    facing, seed, number, hour = (argument.split(":") + ["", "1", "0", "12"][argument.count(":") + 1 :])[:4]
    canvas.save()
    if facing == FRONT:
        _person(Pen(canvas, width, height, Random(f"wall {seed}").choice(_WALLS)), seed, number)
    else:
        sky = next((color for until, color in _SKIES if int(hour) < until), _SKIES[-1][1])
        _valley(Pen(canvas, width, height, sky), seed, number, dark=int(hour) < 6 or int(hour) >= 21)
    canvas.restore()


def _valley(pen: Pen, seed: str, number: str, *, dark: bool) -> None:
    place, moment = Random(f"place {seed}"), Random(f"moment {seed} {number}")
    sun = place.uniform(30, 70)
    pen.circle(sun, 20, 6, "#F4E7C2" if dark else "#FBE08A")
    for _cloud in range(0 if dark else 3):
        x, y = moment.uniform(15, 85), moment.uniform(8, 32)
        for shift, size in ((-5, 5), (0, 7), (6, 5.5)):
            pen.oval(x + shift, y, size * 2, size, "#F7FAFC")
    far, near, grass = ("#1F3346", "#1B3B36", "#16322B") if dark else ("#6F95AE", "#5E8F6B", "#86B06A")
    peak = place.uniform(30, 70)
    pen.shape([(-20, 70), (peak - 30, 44), (peak, 30), (peak + 24, 48), (120, 66), (120, 80), (-20, 80)], far)
    pen.wave(56, 7, near, phase=place.uniform(0, 40), length=66)
    pen.wave(70, 3, grass, phase=place.uniform(0, 30), length=54)
    _house(pen, place.uniform(30, 52), dark=dark)
    for _tree in range(5):
        _tree_at(pen, place.uniform(14, 86), place.uniform(76, 92), dark=dark)
    bird = moment.uniform(20, 80)
    pen.line([(bird, 26), (bird + 2, 24.6), (bird + 4, 26)], "#2B3A46", 0.6)


def _house(pen: Pen, x: float, *, dark: bool) -> None:
    pen.rect(x, 58, 20, 15, "#D8CBB5" if not dark else "#4A4A52")
    pen.shape([(x - 2, 59), (x + 10, 50), (x + 22, 59)], "#A4512F" if not dark else "#4B2E2A")
    pen.rect(x + 3, 63, 4, 4, "#F6DC86" if dark else "#6E8CA0")
    pen.rect(x + 13, 63, 4, 4, "#F6DC86" if dark else "#6E8CA0")
    pen.rect(x + 8.4, 66, 3.6, 7, "#6B4A36")


def _tree_at(pen: Pen, x: float, y: float, *, dark: bool) -> None:
    pen.rect(x - 0.7, y - 4, 1.4, 5, "#5C4632")
    for up, wide in ((4, 5), (7, 4), (10, 2.6)):
        color = "#173A30" if dark else "#2F6B4A"
        pen.shape([(x - wide, y - up + 1), (x, y - up - 5), (x + wide, y - up + 1)], color)


def _person(pen: Pen, seed: str, number: str) -> None:
    who, moment = Random(f"person {seed}"), Random(f"pose {seed} {number}")
    pen.rect(60, 12, 22, 26, "#F4F1EA", 1)
    pen.rect(62, 14, 18, 22, "#8FB7CE")
    lean = moment.uniform(-3, 3)
    pen.oval(48, 104, 74, 50, who.choice(_SHIRTS))
    pen.rect(43 + lean / 2, 66, 11, 18, "#C98F6B", 4)
    pen.oval(48.5 + lean, 52, 30, 38, "#D9A27E")
    pen.oval(48.5 + lean, 38, 33, 20, "#3B2C25")
    for side in (-6, 6):
        pen.circle(48.5 + lean + side, 52, 1.7, "#2B2320")
    smile = moment.uniform(1.5, 3.5)
    pen.line([(43 + lean, 61), (48.5 + lean, 61 + smile), (54 + lean, 61)], "#8C4A3E", 1.2)
