"""Recorded screenshots as pictures that an app can show."""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import skia

from collector.virtual.ui.drawing.pictures import picture

RECORDED = "recorded"
"""The name of the picture; its argument is a key of :func:`add_pictures`."""
_MOST_DECODED = 4
_readers: dict[str, Callable[[], Any]] = {}
_decoded: OrderedDict[str, Any] = OrderedDict()
_lock = threading.Lock()
_numbers = itertools.count(1)


def add_pictures(readers: list[Callable[[], Any]]) -> list[str]:
    """Make pictures known that are read when they are first drawn; return their keys.

    A reader returns pixels, uint8, height x width x 3, or None for a picture that cannot be read.
    """
    phone = next(_numbers)
    keys = [f"{phone}:{number}" for number in range(len(readers))]
    _readers.update(zip(keys, readers, strict=True))
    return keys


@picture(RECORDED)
def _draw(canvas: Any, width: float, height: float, argument: str) -> None:
    image = _image(argument)
    if image is None:
        canvas.drawRect(skia.Rect.MakeWH(width, height), skia.Paint(Color=0xFF9AA3A8))
        return
    options = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)
    whole = skia.Rect.MakeWH(image.width(), image.height())
    is_same_size = (image.width(), image.height()) == (width, height)
    target = skia.Rect.MakeWH(width, height)
    canvas.drawImageRect(image, whole, target, skia.SamplingOptions() if is_same_size else options)


def _image(key: str) -> Any:
    """The picture; None for a missing one, or one that cannot be decoded."""
    with _lock:
        if key not in _decoded:
            pixels = _readers[key]()
            _decoded[key] = None if pixels is None else _with_alpha(pixels)
            while len(_decoded) > _MOST_DECODED:
                _decoded.popitem(last=False)
        _decoded.move_to_end(key)
        return _decoded[key]


def _with_alpha(pixels: Any) -> Any:
    whole = np.full((*pixels.shape[:2], 4), 255, np.uint8)
    whole[..., :3] = pixels
    return skia.Image.fromarray(whole, colorType=skia.kRGBA_8888_ColorType)
