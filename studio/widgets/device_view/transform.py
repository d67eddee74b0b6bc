"""Convert between the three spaces of a mirror: device pixels, frame pixels and logical view pixels.

Arithmetic without Qt. The layout uses *physical* screen pixels (logical pixels times the display's ratio) as
integers, so that everything drawn is on the pixel grid at any ratio.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from collector.model.geometry import Point, Position, Rect, Size

MIN_SCALE = 0.05
MAX_SCALE = 16.0


@dataclass(frozen=True, slots=True)
class ViewTransform:
    """Position and scale of the phone's screen in a view.

    ``screen`` is in device pixels of the current rotation, ``view`` the widget's size in
    physical pixels, ``scale`` physical pixels per device pixel (1 = "1:1"), ``left, top`` the
    picture's corner in physical pixels of the view.
    """

    screen: Size
    view: Size
    ratio: float = 1.0
    """Physical pixels per logical pixel: 1, 1.5, 2, ..."""
    scale: float = 1.0
    left: int = 0
    top: int = 0

    @classmethod
    def fit(cls, screen: Size, view: Size, ratio: float = 1.0, margin: int = 0) -> ViewTransform:
        """Fit the whole screen into the centre of the view; ``margin`` in physical pixels."""
        room = Size(max(1, view.width - 2 * margin), max(1, view.height - 2 * margin))
        across = room.width / max(1, screen.width)
        down = room.height / max(1, screen.height)
        return cls(screen, view, ratio, _bounded(min(across, down))).centred()

    def centred(self) -> ViewTransform:
        """Centre the picture in the view at the same scale."""
        image = self.image
        return replace(
            self,
            left=math.floor((self.view.width - image.width) / 2),
            top=math.floor((self.view.height - image.height) / 2),
        )

    @property
    def image(self) -> Size:
        """Size of the picture in physical pixels, to which a decoder should scale.

        A shrunk one has an even height: FFmpeg converts another in three times the time.
        """
        width, height = round(self.screen.width * self.scale), round(self.screen.height * self.scale)
        if height < self.screen.height:
            height -= height % 2
        return Size(max(1, width), max(1, height))

    @property
    def image_rect(self) -> Rect:
        """The picture in physical pixels of the view."""
        image = self.image
        return Rect(self.left, self.top, self.left + image.width, self.top + image.height)

    def to_device(self, x: float, y: float) -> Point:
        """Device pixel under a logical point of the view; may lie off the screen."""
        image = self.image
        return Point(
            math.floor((x * self.ratio - self.left) * self.screen.width / image.width),
            math.floor((y * self.ratio - self.top) * self.screen.height / image.height),
        )

    def position_at(self, x: float, y: float) -> Position | None:
        """The device pixel under a logical point, or None beside the picture."""
        point = self.to_device(x, y)
        inside = 0 <= point.x < self.screen.width and 0 <= point.y < self.screen.height
        return Position(point, self.screen) if inside else None

    def clamped_position(self, x: float, y: float) -> Position:
        """The device pixel nearest to a logical point: a drag beyond the screen stays at its edge."""
        point = self.to_device(x, y)
        return Position(
            Point(
                min(max(point.x, 0), self.screen.width - 1),
                min(max(point.y, 0), self.screen.height - 1),
            ),
            self.screen,
        )

    def to_view(self, point: Point) -> tuple[float, float]:
        """Logical position of the centre of a device pixel."""
        image = self.image
        x = self.left + (point.x + 0.5) * image.width / self.screen.width
        y = self.top + (point.y + 0.5) * image.height / self.screen.height
        return x / self.ratio, y / self.ratio

    def to_physical(self, rect: Rect) -> Rect:
        """A device rectangle on the view's pixel grid; adjacent rectangles stay adjacent."""
        image = self.image
        across, down = image.width / self.screen.width, image.height / self.screen.height
        return Rect(
            self.left + round(rect.left * across),
            self.top + round(rect.top * down),
            self.left + round(rect.right * across),
            self.top + round(rect.bottom * down),
        )

    def zoomed(self, scale: float, x: float, y: float) -> ViewTransform:
        """Change the scale and keep the device pixel under the logical point ``(x, y)`` in place."""
        scale = _bounded(scale)
        image = self.image
        px, py = x * self.ratio, y * self.ratio
        across = (px - self.left) / image.width
        down = (py - self.top) / image.height
        grown = replace(self, scale=scale)
        return replace(
            grown,
            left=round(px - across * grown.image.width),
            top=round(py - down * grown.image.height),
        ).kept_in_sight()

    def panned(self, dx: float, dy: float) -> ViewTransform:
        """Move by logical pixels, but never out of view."""
        return replace(
            self,
            left=self.left + round(dx * self.ratio),
            top=self.top + round(dy * self.ratio),
        ).kept_in_sight()

    def resized(self, view: Size, ratio: float) -> ViewTransform:
        """Keep scale and centre in a view of another size."""
        return replace(
            self,
            view=view,
            ratio=ratio,
            left=self.left + round((view.width - self.view.width) / 2),
            top=self.top + round((view.height - self.view.height) / 2),
        ).kept_in_sight()

    def kept_in_sight(self) -> ViewTransform:
        """Centre a picture smaller than the view on that axis; leave no gap beside a larger one."""
        image = self.image
        return replace(
            self,
            left=_scrolled(self.left, image.width, self.view.width),
            top=_scrolled(self.top, image.height, self.view.height),
        )


def _scrolled(start: int, length: int, room: int) -> int:
    if length <= room:
        return (room - length) // 2
    return min(0, max(room - length, start))


def _bounded(scale: float) -> float:
    return min(MAX_SCALE, max(MIN_SCALE, scale))
