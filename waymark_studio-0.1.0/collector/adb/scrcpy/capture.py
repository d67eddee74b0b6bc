"""What a server captures of the screen: the crop, the orientation and the angle, as options write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from collector.model.geometry import Rect

_INT = re.compile(r"[+-]?\d+")
_ORIENTATION = re.compile(r"(flip)?(0|90|180|270)")
_CODEC_OPTION_TYPES = {"int": int, "long": int, "float": float, "string": str}


class OrientationLock(Enum):
    """Whether the video keeps its orientation while the screen rotates."""

    UNLOCKED = "unlocked"
    INITIAL = "initial"
    """The orientation of the screen at the start is kept."""
    VALUE = "value"
    """The orientation that the option names is kept."""


@dataclass(frozen=True, slots=True)
class CaptureOrientation:
    """Turns of the video against the screen, or against the phone's natural orientation when locked."""

    lock: OrientationLock = OrientationLock.UNLOCKED
    quarter_turns: int = 0
    """Clockwise, after the flip."""
    flipped: bool = False
    """Mirrored left to right."""


AS_THE_SCREEN = CaptureOrientation()
"""The orientation of the screen, whichever it is."""


def parse_int(text: str) -> int:
    """Read an integer as Java does; raise ValueError with Java's sentence."""
    if not _INT.fullmatch(text) or not -(1 << 31) <= int(text) < 1 << 31:
        raise ValueError(f'For input string: "{text}"')
    return int(text)


def parse_crop(text: str) -> Rect | None:
    """Read ``width:height:x:y`` in the phone's natural orientation; None for an empty text or ``-``."""
    if text in ("", "-"):
        return None
    words = text.split(":")
    if len(words) != 4:
        raise ValueError(f'Crop must contains 4 values separated by colons: "{text}"')
    width, height = parse_int(words[0]), parse_int(words[1])
    if width <= 0 or height <= 0:
        raise ValueError(f"Invalid crop size: {width}x{height}")
    x, y = parse_int(words[2]), parse_int(words[3])
    if x < 0 or y < 0:
        raise ValueError(f"Invalid crop offset: {x}:{y}")
    return Rect(x, y, x + width, y + height)


def crop_text(crop: Rect | None) -> str:
    """The crop as an option writes it; ``-`` for none."""
    return f"{crop.width}:{crop.height}:{crop.left}:{crop.top}" if crop else "-"


def parse_capture_orientation(text: str) -> CaptureOrientation:
    """Read ``90``, ``flip180``, ``@270`` (locked) or ``@`` (locked to the orientation at the start)."""
    if not text:
        raise ValueError("Empty capture orientation string")
    if text == "@":
        return CaptureOrientation(OrientationLock.INITIAL)
    name = text.removeprefix("@")
    match = _ORIENTATION.fullmatch(name)
    if not match:
        raise ValueError(f"Unknown orientation: {name}")
    lock = OrientationLock.VALUE if text.startswith("@") else OrientationLock.UNLOCKED
    return CaptureOrientation(lock, int(match[2]) // 90, bool(match[1]))


def parse_locked_orientation(text: str) -> CaptureOrientation:
    """Read the ``lock_video_orientation`` of releases before 3.0: a rotation, -1 for none, -2 for initial."""
    rotation = parse_int(text)
    if rotation == -1:
        return CaptureOrientation()
    if rotation == -2:
        return CaptureOrientation(OrientationLock.INITIAL)
    # A rotation of the display counts counter-clockwise.
    return CaptureOrientation(OrientationLock.VALUE, -rotation % 4)


def parse_codec_options(text: str) -> tuple[tuple[str, int | float | str], ...]:
    """Read ``key[:type]=value,...``; a backslash escapes a comma. Raise ValueError as the server does."""
    parts = re.split(r"(?<!\\),", text) if text else []
    return tuple(_codec_option(part.replace("\\,", ",")) for part in parts)


def _codec_option(text: str) -> tuple[str, int | float | str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError("'=' expected")
    if not name:
        raise ValueError("Key may not be null")
    key, _colon, kind = name.partition(":")
    kind = kind or "int"
    if kind not in _CODEC_OPTION_TYPES:
        raise ValueError(f"Invalid codec option type (int, long, float, str): {kind}")
    read = parse_int if kind == "int" else _CODEC_OPTION_TYPES[kind]
    try:
        return key, read(value)
    except ValueError:
        raise ValueError(f'For input string: "{value}"') from None
