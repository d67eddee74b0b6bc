"""The spaces agents give places in, and their conversion to pixels of the device: once, and explicitly."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from collector.agents.translators.errors import Hallucinated, Malformed
from collector.model.geometry import Point, Rect, Size
from collector.model.i18n import _

_NO_SIZE = Size(0, 0)
_MAX_RATIO = 200
_EDGE = 0.002
"""How far beyond its space a place may lie, as a share: models write 1000 for the last of 1000 places."""


@dataclass(frozen=True, slots=True)
class AgentScreen:
    """The screen an answer is about."""

    size: Size
    """In pixels of the device."""
    image: Size = _NO_SIZE
    """Of the image as the model saw it, after all resizing; 0x0 when it saw the screen itself."""
    elements: tuple[Rect, ...] = ()
    """The elements that were numbered for the agent, from 0, in pixels of the device."""


@dataclass(frozen=True, slots=True)
class CoordinateSpace:
    """A space of coordinates, from 0 to its extent."""

    name: str
    extent_of: Callable[[AgentScreen], Size] | None = None
    """None for a space that is the same for every screen, ``side`` wide and high."""
    side: float = 0

    def extent(self, screen: AgentScreen) -> tuple[float, float]:
        """Width and height of the space, for a screen."""
        if self.extent_of is None:
            return self.side, self.side
        size = self.extent_of(screen)
        return size.width, size.height

    def to_device(self, numbers: Sequence[object], screen: AgentScreen) -> Point:
        """The pixel of the device for a point, or for the middle of a box of four numbers.

        Raises Malformed when it is neither, Hallucinated when it lies outside the screen.
        """
        x, y = _middle(numbers)
        width, height = self.extent(screen)
        if not (-_EDGE * width <= x <= (1 + _EDGE) * width and -_EDGE * height <= y <= (1 + _EDGE) * height):
            raise Hallucinated(_("The place {x}, {y} is not on the screen", x=f"{x:g}", y=f"{y:g}"))
        return Point(
            min(max(round(x * screen.size.width / width), 0), screen.size.width - 1),
            min(max(round(y * screen.size.height / height), 0), screen.size.height - 1),
        )

    def from_device(self, x: int, y: int, screen: AgentScreen) -> list[int]:
        """The coordinates of a pixel of the device."""
        width, height = self.extent(screen)
        return [round(x * width / screen.size.width), round(y * height / screen.size.height)]


def _middle(numbers: Sequence[object]) -> tuple[float, float]:
    values = [number for number in numbers if isinstance(number, (int, float)) and math.isfinite(number)]
    if len(values) != len(numbers) or len(values) not in (2, 4):
        raise Malformed(_("A place takes two numbers"))
    if len(values) == 4:
        return (values[0] + values[2]) / 2, (values[1] + values[3]) / 2
    return values[0], values[1]


def _screen_size(screen: AgentScreen) -> Size:
    return screen.size


def _image_size(screen: AgentScreen) -> Size:
    return screen.size if screen.image.is_empty else screen.image


PIXELS = CoordinateSpace("device pixels", _screen_size)
IMAGE = CoordinateSpace("pixels of the resized image", _image_size)
THOUSAND = CoordinateSpace("0 to 1000", side=1000)


def smart_resize(size: Size, *, factor: int, min_pixels: int, max_pixels: int) -> Size:
    """The size that the image processors of Qwen's family give an image.

    Both sides become multiples of ``factor``, and their product lies between the limits. Raises ValueError
    for an image over 200 times as long as wide.
    """
    width, height = size.width, size.height
    if min(width, height) < 1 or max(width, height) > _MAX_RATIO * min(width, height):
        raise ValueError(f"no image for a model: {width}x{height}")
    new = [max(factor, round(side / factor) * factor) for side in (width, height)]
    if new[0] * new[1] > max_pixels:
        scale = math.sqrt(width * height / max_pixels)
        new = [max(factor, math.floor(side / scale / factor) * factor) for side in (width, height)]
    elif new[0] * new[1] < min_pixels:
        scale = math.sqrt(min_pixels / (width * height))
        new = [math.ceil(side * scale / factor) * factor for side in (width, height)]
    return Size(*new)
