"""Protocols of a phone: its commands, pictures, trees, input, and what it shows now."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from collector.device.snapshot import TreeSnapshot
from collector.device.transport.shell_result import ShellResult
from collector.device.video_stats import VideoStats
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Position, Rect, Size
from collector.model.phone.touch import TouchAction
from collector.pictures.encoded_picture import EncodedPicture

if TYPE_CHECKING:
    from collector.device.frame import Frame  # loads cv2

Cancel = threading.Event
"""Set it from any thread to make the call that holds it raise CallCancelled."""


class Device(Protocol):
    """Commands and files of one phone. Every call ends: with a result, a DeviceError or ``cancel``."""

    @property
    def serial(self) -> str: ...

    def shell(
        self, command: str | Sequence[str], *, timeout: float = ..., cancel: Cancel | None = None
    ) -> ShellResult:
        """Run a command. A sequence is quoted word by word; a string is passed to the shell as it is."""

    def exec_out(
        self, command: str | Sequence[str], *, timeout: float = ..., cancel: Cancel | None = None
    ) -> bytes:
        """Return standard output as raw bytes."""

    def push(
        self, data: bytes | Iterable[bytes], target: PurePosixPath, *, timeout: float = ...,
        cancel: Cancel | None = None,
    ) -> None:  # fmt: skip
        """Write a file on the phone, whole or in parts of at most 64 KiB; ``timeout`` is for a stall."""


class FrameSource(Protocol):
    """Deliver frames on a thread of its own from ``start`` until ``close``."""

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> Size:
        """Size of the current frames; 0x0 before the first."""

    @property
    def stats(self) -> VideoStats: ...

    def start(self, on_frame: Callable[[Frame], None], on_failure: Callable[[Exception], None]) -> None:
        """Begin, or raise DeviceError. ``on_failure`` is called once if the source stops by itself."""

    def set_view_size(self, size: Size) -> None:
        """Prepare frames for this size on the source's own thread; 0x0 prepares nothing."""

    def close(self) -> None: ...


@runtime_checkable
class VideoSource(Protocol):
    """A frame source whose frames come from an encoded video."""

    @property
    def encoded(self) -> EventEmitter[EncodedPicture]:
        """Emits each picture as it arrived, on the source's own thread."""

    def ask_key_frame(self) -> None:
        """Ask for a picture that needs no earlier one; it may be ignored, and never waits for the picture."""


class TreeSource(Protocol):
    """Read the UI hierarchy of the window in front."""

    @property
    def name(self) -> str: ...

    def snapshot(self, cancel: Cancel) -> TreeSnapshot:
        """Read the tree now; raise DumpFailed rather than return an older tree."""

    def close(self) -> None:
        """Release the UiAutomation connection; a phone allows only one at a time."""


class InputSink(Protocol):
    """Inject touches, keys and text into the phone. Calls wait until the input is sent."""

    @property
    def name(self) -> str: ...

    @property
    def max_pointers(self) -> int:
        """Number of simultaneous touch pointers; touches of further pointers are dropped."""

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None: ...

    def key(self, code: int, meta: int = 0, held_ms: int = 0) -> None:
        """Press a key, and lift it after so long."""

    def text(self, text: str) -> None: ...

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None: ...

    def close(self) -> None: ...


class InputTarget(Protocol):
    """Accept a person's input: a phone, or a recorder that passes it on. Every method returns at once."""

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        """Send one event of one pointer."""

    def key(self, name: str, held_ms: int = 0) -> None:
        """Press a key of :data:`collector.model.action.KEY_NAMES`, ``select_all`` or ``code:<number>``.

        ``held_ms`` is how long it stays down; 0 for a short press.
        """

    def text(self, text: str) -> None:
        """Type text into the focused field."""

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        """Turn the wheel by notches; positive is right and up."""

    def open_app(self, app: str) -> None:
        """Start an app by its package, or by a name that means exactly one app of the phone."""


class PhoneScreen(Protocol):
    """What a phone shows, as last known. Readable from any thread; nothing waits for the phone."""

    def newest_frame(self) -> Frame | None: ...

    def newest_tree(self) -> TreeSnapshot | None: ...

    def foreground(self) -> tuple[str, str]:
        """Return package and activity in front when the newest tree was read."""

    @property
    def screen_size(self) -> Size:
        """The display in its present rotation, in the pixels trees and actions use."""

    @property
    def rotation(self) -> int:
        """Quarter turns, 0 to 3."""

    @property
    def density(self) -> int:
        """Dots per inch as ``wm density`` says, overrides included."""

    @property
    def frame_source(self) -> str:
        """Name of the frame source in use, as in ``scrcpy``; empty when there is none."""

    @property
    def secure(self) -> bool:
        """Whether the window in front is protected (FLAG_SECURE), so that its frames are black."""

    @property
    def keyboard(self) -> Rect | None:
        """Frame of the soft keyboard; None while it is hidden."""
