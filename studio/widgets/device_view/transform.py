"""Between the three spaces of a mirror: device pixels, frame pixels and logical pixels of the view.

Pure arithmetic, no Qt. Inside, everything is laid out in *physical* screen pixels
(logical pixels times the display's ratio), as whole numbers, so that what is drawn
lies on the pixel grid at any ratio.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from collector.model.geometry import Point, Position, Rect, Size

MIN_SCALE = 0.05
MAX_SCALE = 16.0


@dataclass(frozen=True, slots=True)
class ViewTransform:
    """Where the phone's screen lies in a view.

    ``screen`` is in device pixels of the current rotation, ``view`` the widget's size in
    physical pixels, ``scale`` physical pixels a device pixel (1 = "1:1"), ``left, top`` the
    picture's corner in physical pixels of the view.
    """

    screen: Size
    view: Size
    ratio: float = 1.0
    """Physical pixels a logical pixel: 1, 1.5, 2, ..."""
    scale: float = 1.0
    left: int = 0
    top: int = 0

    @classmethod
    def fit(cls, screen: Size, view: Size, ratio: float = 1.0, margin: int = 0) -> ViewTransform:
        """The whole screen as large as the view allows, in its centre; ``margin`` in physical pixels."""
        room = Size(max(1, view.width - 2 * margin), max(1, view.height - 2 * margin))
        across = room.width / max(1, screen.width)
        down = room.height / max(1, screen.height)
        return cls(screen, view, ratio, _bounded(min(across, down))).centred()

    def centred(self) -> ViewTransform:
        """The same scale with the picture in the middle of the view."""
        image = self.image
        return replace(
            self,
            left=math.floor((self.view.width - image.width) / 2),
            top=math.floor((self.view.height - image.height) / 2),
        )

    @property
    def image(self) -> Size:
        """Size of the picture in physical pixels; what a decoder should scale to."""
        return Size(
            max(1, round(self.screen.width * self.scale)), max(1, round(self.screen.height * self.scale))
        )

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
        """The device pixel nearest to a logical point: a finger dragged off the glass stays at its edge."""
        point = self.to_device(x, y)
        return Position(
            Point(
                min(max(point.x, 0), self.screen.width - 1),
                min(max(point.y, 0), self.screen.height - 1),
            ),
            self.screen,
        )

    def to_view(self, point: Point) -> tuple[float, float]:
        """Logical place of the middle of a device pixel."""
        image = self.image
        x = self.left + (point.x + 0.5) * image.width / self.screen.width
        y = self.top + (point.y + 0.5) * image.height / self.screen.height
        return x / self.ratio, y / self.ratio

    def to_physical(self, rect: Rect) -> Rect:
        """A device rectangle on the view's pixel grid; neighbours that touch still touch."""
        image = self.image
        across, down = image.width / self.screen.width, image.height / self.screen.height
        return Rect(
            self.left + round(rect.left * across),
            self.top + round(rect.top * down),
            self.left + round(rect.right * across),
            self.top + round(rect.bottom * down),
        )

    def frame_to_device(self, point: Point, frame: Size) -> Point:
        """A pixel of a video frame of another size as the device pixel it shows."""
        return Position(point, frame).on(self.screen)

    def device_to_frame(self, point: Point, frame: Size) -> Point:
        """The pixel of a video frame that shows a device pixel."""
        return Position(point, self.screen).on(frame)

    def zoomed(self, scale: float, x: float, y: float) -> ViewTransform:
        """Another scale with the place under the logical point ``(x, y)`` kept where it is."""
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
        """Moved by logical pixels, but never out of sight."""
        return replace(
            self,
            left=self.left + round(dx * self.ratio),
            top=self.top + round(dy * self.ratio),
        ).kept_in_sight()

    def resized(self, view: Size, ratio: float) -> ViewTransform:
        """The same scale in a view of another size, around the same middle."""
        return replace(
            self,
            view=view,
            ratio=ratio,
            left=self.left + round((view.width - self.view.width) / 2),
            top=self.top + round((view.height - self.view.height) / 2),
        ).kept_in_sight()

    def kept_in_sight(self) -> ViewTransform:
        """Smaller than the view: centred on that axis. Larger: no gap at an edge it could fill."""
        image = self.image
        return replace(
            self,
            left=_kept(self.left, image.width, self.view.width),
            top=_kept(self.top, image.height, self.view.height),
        )


def _kept(start: int, length: int, room: int) -> int:
    if length <= room:
        return (room - length) // 2
    return min(0, max(room - length, start))


def _bounded(scale: float) -> float:
    return min(MAX_SCALE, max(MIN_SCALE, scale))
