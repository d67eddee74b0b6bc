"""A screenshot as JPEG or PNG."""

from __future__ import annotations

import numpy as np
import skia
from numpy.typing import NDArray

_SMOOTH = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)


def encode_jpeg(rgba: NDArray[np.uint8], scale: float, quality: int) -> bytes:
    """Encode opaque pixels of shape (h, w, 4), made smaller by ``scale``, at a ``quality`` of 1 to 100.

    Skia is loaded already; Pillow would cost a phone eight megabytes.
    """
    image = skia.Image.fromarray(
        rgba, colorType=skia.kRGBA_8888_ColorType, alphaType=skia.kOpaque_AlphaType, copy=False
    )
    if scale != 1:
        size = (max(1, round(image.width() * scale)), max(1, round(image.height() * scale)))
        image = image.resize(*size, _SMOOTH)
    data = image.encodeToData(skia.kJPEG, quality)
    return bytes(data)


def encode_png(rgba: NDArray[np.uint8]) -> bytes:
    """Encode opaque pixels of shape (h, w, 4)."""
    image = skia.Image.fromarray(
        np.ascontiguousarray(rgba), colorType=skia.kRGBA_8888_ColorType, alphaType=skia.kOpaque_AlphaType
    )
    return bytes(image.encodeToData(skia.kPNG, 100))
