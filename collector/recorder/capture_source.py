"""What the recorder needs of a device session: its newest picture and tree, and a way to act."""

from __future__ import annotations

from typing import Protocol

from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.model.geometry import Position, Rect, Size
from collector.model.touch import TouchAction


class CaptureSource(Protocol):
    """A live device. Nothing here waits: pictures and trees are those at hand, actions are sent on."""

    def newest_frame(self) -> Frame | None: ...

    def newest_tree(self) -> TreeSnapshot | None: ...

    def refresh_tree(self) -> None:
        """Ask for a new tree; it appears in :meth:`newest_tree` when the phone has given it."""

    def foreground(self) -> tuple[str, str]:
        """Package and activity in front, as last known."""

    @property
    def screen_size(self) -> Size:
        """The display in its present rotation, in the pixels trees and actions use."""

    @property
    def rotation(self) -> int: ...

    @property
    def density(self) -> int: ...

    @property
    def frame_source(self) -> str:
        """Name of what gives the pictures, as in ``scrcpy``."""

    @property
    def secure(self) -> bool:
        """Whether the window in front forbids pictures, as last known."""

    @property
    def keyboard(self) -> Rect | None:
        """Where the phone's own keyboard lies, as last known; None while it is hidden."""

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None: ...

    def key(self, name: str) -> None: ...

    def text(self, text: str) -> None: ...

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None: ...

    def open_app(self, package: str) -> None: ...
