"""The design tokens: all colours, sizes, fonts and durations of the window, from one file."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from collector.model.resources import asset

SCHEMES = ("dark", "light")
_RGBA = re.compile(r"rgba\((\d+),\s*(\d+),\s*(\d+),\s*([\d.]+)\)")


def parse_color(text: str) -> tuple[int, int, int, int]:
    """Red, green, blue and alpha, 0..255, of ``#RRGGBB`` or ``rgba(r,g,b,0..1)``."""
    match = _RGBA.fullmatch(text)
    if match:
        return int(match[1]), int(match[2]), int(match[3]), round(float(match[4]) * 255)
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16), 255


@dataclass(frozen=True)
class Tokens:
    """The token file; lengths are logical pixels, durations milliseconds."""

    data: Mapping[str, Any]

    def colors(self, scheme: str) -> Mapping[str, str]:
        """Colour texts by name for ``dark`` or ``light``."""
        return self.data["color"][scheme]  # type: ignore[no-any-return]

    def overlays(self) -> Mapping[str, str]:
        """Colours drawn over phone pixels, the same in both schemes."""
        return {name: text for name, text in self.data["overlay"].items() if name != "_"}

    def size(self, name: str) -> int:
        """A length such as ``toolbar``; raises KeyError for an unknown name."""
        return int(self.data["size"][name])

    def panel(self, name: str) -> Mapping[str, int]:
        """``default``, ``min`` and perhaps ``max`` width of a named panel."""
        return self.data["panel"][name]  # type: ignore[no-any-return]

    def group(self, name: str) -> Mapping[str, Any]:
        """A whole group, as in ``group("timeline")``."""
        return self.data[name]  # type: ignore[no-any-return]


@functools.cache
def tokens() -> Tokens:
    """The tokens shipped with the studio."""
    return Tokens(json.loads(asset("style", "tokens.json").read_text(encoding="utf-8")))
