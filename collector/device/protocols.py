"""What the rest of the studio may expect of a phone: four small capabilities, each replaceable."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Protocol

from collector.device.frame import Frame
from collector.device.shell_result import ShellResult
from collector.device.snapshot import TreeSnapshot
from collector.device.video_stats import VideoStats
from collector.model.geometry import Position, Size
from collector.model.touch import TouchAction

Cancel = threading.Event
"""Set it from any thread and the call it was given to raises CallCancelled soon."""


class Device(Protocol):
    """Commands and files of one phone. Every call ends: by its result, a DeviceError or ``cancel``."""

    @property
    def serial(self) -> str: ...

    def shell(
        self, command: str | Sequence[str], *, timeout: float = ..., cancel: Cancel | None = None
    ) -> ShellResult:
        """Run a command; a sequence is quoted word by word, a string is the caller's own shell text."""

    def exec_out(
        self, command: str | Sequence[str], *, timeout: float = ..., cancel: Cancel | None = None
    ) -> bytes:
        """Standard output, byte for byte."""

    def push(self, data: bytes, target: PurePosixPath, *, timeout: float = ...) -> None: ...


class FrameSource(Protocol):
    """Gives pictures, newest first, on its own thread, from ``start`` until ``close``."""

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> Size:
        """Size of the pictures given now; 0x0 before the first."""

    @property
    def stats(self) -> VideoStats: ...

    def start(self, on_frame: Callable[[Frame], None], on_failure: Callable[[Exception], None]) -> None:
        """Begin; raises DeviceError when it cannot. ``on_failure`` is told once if it stops by itself."""

    def set_view_size(self, size: Size) -> None:
        """Prepare frames for this size on the source's own thread; 0x0 prepares nothing."""

    def close(self) -> None: ...


class TreeSource(Protocol):
    """Gives the UI hierarchy of the window in front."""

    @property
    def name(self) -> str: ...

    def snapshot(self, cancel: Cancel) -> TreeSnapshot:
        """A tree asked for now; raises DumpFailed, never hands out an older one."""

    def close(self) -> None:
        """Let go of the phone's automation, of which there is one."""


class InputSink(Protocol):
    """Puts touches, keys and text into the phone."""

    @property
    def name(self) -> str: ...

    @property
    def fingers(self) -> int:
        """How many can lie on the screen at once; touches of further pointers are not sent."""

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None: ...

    def key(self, code: int, meta: int = 0) -> None: ...

    def text(self, text: str) -> None: ...

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None: ...

    def close(self) -> None: ...
