"""The screen as it was when a person touched it: references to what was at hand, nothing copied."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.model.geometry import Rect, Size
from collector.model.tree import Tree


@dataclass(frozen=True, slots=True, eq=False)
class ScreenMoment:
    """The newest frame and tree at ``time_ns``, and what was known of the screen; cheap to make."""

    time_ns: int
    wall_time: dt.datetime
    frame: Frame | None
    snapshot: TreeSnapshot | None
    package: str
    activity: str
    screen: Size
    rotation: int
    frame_source: str
    acted_ns: int = 0
    """When the action before this one ended."""
    regions: tuple[Rect, ...] = ()
    """Regions a person marked as private, in device pixels."""
    hides_passwords: bool = True
    secure: bool = False
    """Whether the window in front forbids screenshots."""
    keyboard: Rect | None = None
    """Bounds of the phone's soft keyboard; None while it is hidden."""
    pressed_key_visible: bool = False
    """Whether a key of the keyboard may be drawn pressed, which would reveal a letter of a password."""
    input_source: str = ""
    """``getevent`` for touches on the phone itself, empty for the mirror."""

    @property
    def tree(self) -> Tree | None:
        return self.snapshot.tree if self.snapshot is not None else None
