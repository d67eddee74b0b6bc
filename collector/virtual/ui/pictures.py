"""Illustrations by name: drawing code that fills a rectangle, registered by the apps that use it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import skia

Draw = Callable[[Any, float, float, str], None]
"""``draw(canvas, width, height, argument)``: fill 0,0 to width,height px, in any vector code."""

_registry: dict[str, Draw] = {}


def picture(name: str) -> Callable[[Draw], Draw]:
    """Register the decorated function as the picture ``name``."""

    def register(draw: Draw) -> Draw:
        _registry[name] = draw
        return draw

    return register


def is_registered(name: str) -> bool:
    """Whether some app draws a picture of this name."""
    return name in _registry


@lru_cache(maxsize=256)
def rendered(name: str, argument: str, width: int, height: int) -> Any:
    """The picture as an image of that many px; drawn once. An unknown name gives a grey field."""
    surface = skia.Surface(width, height)
    canvas = surface.getCanvas()
    draw = _registry.get(name)
    if draw is None:
        canvas.clear(0xFFB8C0C4)
    else:
        draw(canvas, float(width), float(height), argument)
    return surface.makeImageSnapshot()
