"""Illustrations by name: functions that draw into a rectangle, registered by the apps that use them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import skia

from collector.model.byte_bounded_cache import ByteBoundedCache

Draw = Callable[[Any, float, float, str], None]
"""``draw(canvas, width, height, argument)``: fill 0,0 to width,height px with vector drawing."""

_registry: dict[str, Draw] = {}


def picture(name: str) -> Callable[[Draw], Draw]:
    """Register the decorated function as picture ``name``."""

    def register(draw: Draw) -> Draw:
        _registry[name] = draw
        return draw

    return register


class _ImageCache:
    """A least-recently-used cache of drawn images, bounded by their total size. For any thread."""

    def __init__(self, budget: int) -> None:
        self._images: ByteBoundedCache[Any, Any] = ByteBoundedCache(budget, _byte_count)
        self._lock = threading.Lock()

    def get(self, key: Any, make: Callable[[], Any]) -> Any:
        with self._lock:
            image = self._images.get(key)
        if image is None:
            image = make()
            with self._lock:
                self._images.put(key, image)
        return image

    def forget(self) -> None:
        """Drop all images."""
        with self._lock:
            for key in tuple(self._images):
                self._images.pop(key)


def _byte_count(image: Any) -> int:
    return int(image.width()) * int(image.height()) * 4


_cache = _ImageCache(5 * 1024 * 1024)


def draw(canvas: Any, name: str, argument: str, width: int, height: int) -> None:
    """Draw a picture directly onto a canvas, for a part of one too large to cache."""
    draw_picture = _registry.get(name)
    if draw_picture is None:
        canvas.drawRect(skia.Rect.MakeWH(width, height), skia.Paint(Color=0xFFB8C0C4))
    else:
        draw_picture(canvas, float(width), float(height), argument)


def encoded(name: str, argument: str, width: int, height: int, quality: int) -> bytes:
    """The picture as a JPEG of this size, at a ``quality`` of 1 to 100."""
    surface = skia.Surface(width, height)
    draw(surface.getCanvas(), name, argument, width, height)
    return bytes(surface.makeImageSnapshot().encodeToData(skia.kJPEG, quality))


def forget() -> None:
    """Drop the pictures that were drawn; each is drawn again when it is needed."""
    _cache.forget()


def rendered(name: str, argument: str, width: int, height: int, radii: tuple[int, ...] = ()) -> Any:
    """The picture as an image of the given size with rounded corners; grey for an unknown name."""
    key = (name, argument, width, height, radii)
    return _cache.get(key, lambda: _render(name, argument, width, height, radii))


def _render(name: str, argument: str, width: int, height: int, radii: tuple[int, ...]) -> Any:
    surface = skia.Surface(width, height)
    canvas = surface.getCanvas()
    if any(radii):
        shape = skia.RRect()
        shape.setRectRadii(skia.Rect.MakeWH(width, height), [(radius, radius) for radius in radii])
        canvas.clipRRect(shape, True)
    draw(canvas, name, argument, width, height)
    return surface.makeImageSnapshot()
