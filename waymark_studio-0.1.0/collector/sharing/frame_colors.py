"""The colours of pictures and videos that are shared: the design tokens, in dark or light."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Literal

from collector.model.resources import asset

Theme = Literal["dark", "light"]
THEMES: tuple[Theme, ...] = ("dark", "light")
_RGBA = re.compile(r"rgba\((\d+),\s*(\d+),\s*(\d+),\s*([\d.]+)\)")


class FrameColors:
    """Colours by the name of their token, as 0xAARRGGBB."""

    def __init__(self, theme: Theme) -> None:
        tokens = json.loads(asset("style", "tokens.json").read_text(encoding="utf-8"))
        overlay = {f"overlay {name}": value for name, value in tokens["overlay"].items() if name != "_"}
        colors = {**tokens["color"][theme], **overlay}
        self._values = {name: _argb(value) for name, value in colors.items()}

    def __getitem__(self, name: str) -> int:
        return self._values[name]


@lru_cache(maxsize=2)
def frame_colors(theme: Theme) -> FrameColors:
    """The colours of a theme, read once."""
    return FrameColors(theme)


def _argb(value: str) -> int:
    rgba = _RGBA.fullmatch(value)
    if rgba is None:
        return 0xFF000000 | int(value.removeprefix("#"), 16)
    red, green, blue = (int(part) for part in rgba.groups()[:3])
    return round(255 * float(rgba[4])) << 24 | red << 16 | green << 8 | blue
