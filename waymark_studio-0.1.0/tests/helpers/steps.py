"""Small made-up states and steps for tests of the store and what stands on it."""

from __future__ import annotations

import struct
import zlib

from collector.model.action import Action, Tap
from collector.model.geometry import Rect, Size
from collector.model.trajectory import State, Step, Target


def png(width: int = 4, height: int = 8, shade: int = 0) -> bytes:
    """A whole, tiny grey PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = b"".join(b"\0" + bytes([shade]) * width for _ in range(height))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def xml(text: str = "OK", bounds: str = "[0,0][4,8]") -> bytes:
    """A dump of one button."""
    return (
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
        f'<node index="0" text="{text}" resource-id="a:id/ok" class="android.widget.Button" package="a" '
        f'content-desc="" clickable="true" enabled="true" password="false" bounds="{bounds}" /></hierarchy>'
    ).encode()


def step(number: int = 0, action: Action | None = None, **values: object) -> Step:
    """A step as a recorder would hand it over; ``number`` makes it tell itself from others."""
    given: dict[str, object] = {
        "index": 0,
        "t_ms": number * 100,
        "wall_time": "2026-04-12T09:30:15.000+00:00",
        "state": State(
            package="a",
            activity=".Main",
            size=Size(4, 8),
            source={"frame": "scrcpy", "tree": "uiautomator"},
            tree_age_ms=40,
            skew=0.0,
        ),
        "action": action or Tap(number, number),
        "target": Target((0,), Rect(0, 0, 4, 8), ("text='OK'",), {"text": "OK"}),
        "description": f"Tap number {number}",
    }
    return Step(**{**given, **values})  # type: ignore[arg-type]
