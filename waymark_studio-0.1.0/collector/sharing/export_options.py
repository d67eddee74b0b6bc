"""How an export looks and how long it takes to watch."""

from __future__ import annotations

from dataclasses import dataclass

from collector.sharing.frame_colors import Theme

RECORDED, FIXED = "recorded", "fixed"
TIMINGS = (RECORDED, FIXED)


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of pictures, videos and reports; the HTML page needs none."""

    theme: Theme = "dark"
    timing: str = RECORDED
    """``recorded``: each slot as long as its longest step took, within limits; or ``fixed``."""
    seconds: float = 1.5
    """How long a slot is shown with fixed timing."""
    speed: float = 1.0
    """Of recorded timing."""
    height: int = 600
    """Of a screen in a video or GIF, in pixels."""
    with_pictures: bool = True
    """Whether a Markdown report has pictures in a folder beside it."""
