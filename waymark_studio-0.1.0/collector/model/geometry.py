"""Points, sizes and rectangles in device pixels.

Coordinates of video frames, overridden displays and rotated screens differ, and mixing them fails silently.
Therefore every coordinate that crosses a package boundary is a :class:`Position`, which names its screen.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

_BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")


@dataclass(frozen=True, slots=True, order=True)
class Size:
    """Width and height in pixels."""

    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"

    @classmethod
    def parse(cls, text: str) -> Size:
        """Read ``1080x2400``; raise ValueError on anything else."""
        match = re.fullmatch(r"\s*(\d+)\s*[x×]\s*(\d+)\s*", text)
        if not match:
            raise ValueError(f"not a size: {text!r} (expected WIDTHxHEIGHT, as in 1080x2400)")
        return cls(int(match[1]), int(match[2]))

    @property
    def transposed(self) -> Size:
        return Size(self.height, self.width)

    @property
    def is_empty(self) -> bool:
        return self.width <= 0 or self.height <= 0

    @property
    def area(self) -> int:
        """How many pixels it has."""
        return self.width * self.height


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """A point in device pixels of the current rotation."""

    x: int
    y: int

    def distance_to(self, other: Point) -> float:
        return math.hypot(self.x - other.x, self.y - other.y)


@dataclass(frozen=True, slots=True)
class Position:
    """A point and the size of the screen it was taken on."""

    point: Point
    screen: Size

    def on(self, screen: Size) -> Point:
        """The point at this place of a screen of another size."""
        if screen == self.screen or self.screen.is_empty:
            return self.point
        return Point(
            round(self.point.x * screen.width / self.screen.width),
            round(self.point.y * screen.height / self.screen.height),
        )


@dataclass(frozen=True, slots=True, order=True)
class Rect:
    """Half-open rectangle: ``left <= x < right`` and ``top <= y < bottom``, in device pixels."""

    left: int
    top: int
    right: int
    bottom: int

    def __str__(self) -> str:
        return f"[{self.left},{self.top}][{self.right},{self.bottom}]"

    @classmethod
    def parse(cls, text: str) -> Rect:
        """Read Android's ``[l,t][r,b]``; raise ValueError on anything else."""
        match = _BOUNDS.fullmatch(text.strip())
        if not match:
            raise ValueError(f"not bounds: {text!r} (expected [left,top][right,bottom])")
        return cls(*map(int, match.groups()))

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def size(self) -> Size:
        return Size(self.width, self.height)

    @property
    def area(self) -> int:
        return max(0, self.width) * max(0, self.height)

    @property
    def is_empty(self) -> bool:
        return self.right <= self.left or self.bottom <= self.top

    @property
    def center(self) -> Point:
        return Point((self.left + self.right) // 2, (self.top + self.bottom) // 2)

    def contains(self, point: Point) -> bool:
        return self.left <= point.x < self.right and self.top <= point.y < self.bottom

    def encloses(self, other: Rect) -> bool:
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )

    def intersection(self, other: Rect) -> Rect | None:
        """Return the common part, or None when the rectangles share no pixel."""
        common = Rect(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )
        return None if common.is_empty else common

    def translated(self, dx: int, dy: int) -> Rect:
        return Rect(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)
