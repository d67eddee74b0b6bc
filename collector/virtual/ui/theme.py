"""The palette of an app: Material-like colour roles, with a dark palette derived from the light one."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace
from functools import lru_cache

ROLES = (
    "primary", "on_primary", "container", "on_container", "surface", "surface_container",
    "outline", "text", "text_2", "error",
)  # fmt: skip


LUMINANCE = (0.2126, 0.7152, 0.0722)
"""How bright red, green and blue are, as sRGB has it."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours by role, each ``#RRGGBB``."""

    primary: str
    container: str
    on_container: str
    surface: str
    surface_container: str
    outline: str
    text: str = "#191C1E"
    text_2: str = "#49535A"
    on_primary: str = "#FFFFFF"
    error: str = "#BA1A1A"
    dark: bool = False
    light: Theme | None = None
    """Of a dark palette, the one that it was made of."""

    def color(self, name: str) -> int:
        """A role or ``#RRGGBB`` / ``#AARRGGBB`` as 0xAARRGGBB; ``role@0.5`` is half transparent."""
        return _resolve(self, name)

    def to_dark(self) -> Theme:
        """The dark palette with the same hues."""
        return self if self.dark else _darkened(self)

    def to_light(self) -> Theme:
        """The palette that this dark one was made of."""
        return self.light or self

    def with_colours(self, colours: tuple[tuple[str, str], ...]) -> Theme:
        """This palette with some of its roles replaced."""
        return _recoloured(self, colours) if colours else self


@lru_cache(maxsize=1024)
def _resolve(theme: Theme, name: str) -> int:
    name, _at, share = name.partition("@")
    text = getattr(theme, name) if name in ROLES else name
    if not text.startswith("#") or len(text) not in (7, 9):
        raise ValueError(f"not a colour: {name!r} (expected a role or #RRGGBB)")
    value = int(text[1:], 16)
    if len(text) == 7:
        value |= 0xFF000000
    if share:
        value = (value & 0xFFFFFF) | round((value >> 24) * float(share)) << 24
    return value


@lru_cache(maxsize=64)
def _recoloured(theme: Theme, colours: tuple[tuple[str, str], ...]) -> Theme:
    return replace(theme, **dict(colours))  # type: ignore[arg-type]


@lru_cache(maxsize=4096)
def faded(color: int, saturation: float) -> int:
    """0xAARRGGBB with less of its colour; at 0 it is grey, as bright as before."""
    parts = [(color >> shift) & 255 for shift in (16, 8, 0)]
    grey = sum(share * part for share, part in zip(LUMINANCE, parts, strict=True))
    red, green, blue = (round(grey + (part - grey) * saturation) for part in parts)
    return (color & 0xFF000000) | red << 16 | green << 8 | blue


@lru_cache(maxsize=64)
def _darkened(theme: Theme) -> Theme:
    return replace(
        theme,
        primary=_lit(theme.primary, 0.78, 0.9),
        on_primary=_lit(theme.primary, 0.14),
        container=_lit(theme.primary, 0.25, 0.75),
        on_container=_lit(theme.container, 0.9),
        surface=_lit(theme.surface_container, 0.075, 0.35),
        surface_container=_lit(theme.surface_container, 0.13, 0.35),
        outline=_lit(theme.outline, 0.29, 0.6),
        text="#E2E5E8",
        text_2="#A9B3BA",
        error="#FFB4AB",
        dark=True,
        light=theme,
    )


def _lit(color: str, lightness: float, saturation: float = 1.0) -> str:
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, _lightness, chroma = colorsys.rgb_to_hls(red, green, blue)
    channels = colorsys.hls_to_rgb(hue, lightness, min(1.0, chroma) * saturation)
    return "#" + "".join(f"{round(channel * 255):02X}" for channel in channels)


SETTINGS = Theme("#3D5F93", "#D6E3FF", "#001B3D", "#F8F9FC", "#EDEFF5", "#C4C9D3")
SHOP = Theme("#00687A", "#CDEBF2", "#002F38", "#F7F9FA", "#ECF1F3", "#C3CBCF")
TODO = Theme("#6A4FA3", "#E9DDFF", "#24005B", "#FBF8FD", "#F1ECF6", "#CBC4D2")
MESSENGER = Theme("#1F6B3B", "#CDEBD3", "#00210D", "#F7FAF6", "#EBF1EA", "#C2CABF")
CALENDAR = Theme("#2B5FA8", "#D5E3FF", "#001B3D", "#FAFBFF", "#EBEFF7", "#C3C8D2")
CODE = Theme("#36618E", "#D2E4FF", "#001D36", "#FAFBFC", "#EEF1F4", "#C4C9CF")
MAPS = Theme("#1F6B6A", "#CDEBEA", "#00201F", "#F8FAFA", "#EAF0F0", "#C2CAC9")
START_PAGE = Theme("#7A4B1E", "#FFDDC2", "#2D1600", "#FFFBF8", "#F6EEE8", "#D3C4B8")
BROWSER = Theme("#2F5DA8", "#D8E2FF", "#001A41", "#FBFCFF", "#ECF0F8", "#C4C8D2")
