"""The screen at one moment: its picture and its tree, by reference, and what else was known of it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.model.app_data.collections import AppData
from collector.model.geometry import Rect, Size
from collector.model.tree import Tree


@dataclass(frozen=True, slots=True, eq=False)
class ScreenMoment:
    """A frame and a tree that belong together at ``time_ns``; cheap to make. Observers make them."""

    time_ns: int
    wall_time: dt.datetime
    frame: Frame | None
    snapshot: TreeSnapshot | None
    package: str
    activity: str
    screen: Size
    rotation: int = 0
    frame_source: str = ""
    acted_ns: int = 0
    """When the action before this one ended."""
    skew: float | None = None
    """Share of the screen, 0 to 1, that changed between frame and tree; None when it was not measured."""
    hides_passwords: bool = True
    secure: bool = False
    """Whether the window in front forbids screenshots."""
    keyboard: Rect | None = None
    """Bounds of the phone's soft keyboard; None while it is hidden."""
    pressed_key_visible: bool = False
    """Whether a key of the keyboard may be drawn pressed, which would reveal a letter of a password."""
    input_source: str = ""
    """``getevent`` for touches on the phone itself, empty for the mirror."""
    tool: str = ""
    """What touches when no finger does: ``pen`` or ``eraser``."""

    @property
    def tree(self) -> Tree | None:
        return self.snapshot.tree if self.snapshot is not None else None

    @property
    def xml(self) -> bytes:
        """The dump as the phone sent it; empty without one."""
        return self.snapshot.xml if self.snapshot is not None else b""

    @property
    def apps(self) -> frozenset[str] | None:
        """Packages on the phone; None when its list was not read."""
        return self.snapshot.apps if self.snapshot is not None else None

    @property
    def app_data(self) -> AppData | None:
        """What apps keep for the person; None when the phone does not say it."""
        return self.snapshot.app_data if self.snapshot is not None else None

    @property
    def tree_problem(self) -> str:
        """One sentence on why there is no tree or why it may be wrong; empty otherwise."""
        return self.snapshot.problem if self.snapshot is not None else ""

    def is_same(self, other: ScreenMoment) -> bool:
        """Whether both have the same window and the same tree, byte for byte."""
        return (self.package, self.activity, self.xml) == (other.package, other.activity, other.xml)
