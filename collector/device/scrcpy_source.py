"""The best frame source: scrcpy video, decoded here; its control socket carries input."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable

from collector.adb.scrcpy.control import RESET_VIDEO, ControlMessage
from collector.adb.scrcpy.device_message import DeviceMessage, DeviceMessageError, DeviceMessageReader
from collector.adb.scrcpy.options import DEFAULT_BIT_RATE
from collector.adb.scrcpy.stream import (
    ConfigMerger,
    StreamError,
    StreamReader,
    StreamStart,
    VideoPacket,
    VideoSession,
)
from collector.device.adb_device import AdbDevice
from collector.device.errors import DeviceError, ScrcpyFailed
from collector.device.frame import Frame
from collector.device.frame_decoder import FrameDecoder
from collector.device.scrcpy_link import ScrcpyLink
from collector.device.scrcpy_server_jar import ScrcpyServerJar
from collector.device.video_stats import VideoStats
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Size
from collector.model.i18n import _

_READ = 1 << 20
_FIRST_FRAME = 8.0
_log = logging.getLogger(__name__)


class ScrcpySource:
    """Implement FrameSource with scrcpy. A still screen sends nothing: silence is no failure."""

    name = "scrcpy"

    def __init__(self, device: AdbDevice, jar: ScrcpyServerJar, *, bit_rate: int = DEFAULT_BIT_RATE) -> None:
        self._link = ScrcpyLink(device, jar, bit_rate)
        self.messages: EventEmitter[DeviceMessage] = EventEmitter()
        """Messages of the phone on the control socket, emitted on its reading thread."""
        self._decoder = FrameDecoder(self._frame_decoded)
        self._merger = ConfigMerger()
        self._on_frame: Callable[[Frame], None] | None = None
        self._on_failure: Callable[[Exception], None] | None = None
        self.server_lines = self._link.lines
        """Emits each line the server on the phone prints."""
        self._first = threading.Event()
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []
        self._broken_before = 0

    @property
    def size(self) -> Size:
        """Size of the current frames; touches must name it."""
        return self._decoder.size

    def input_size(self, _screen: Size) -> Size:
        """The size that touches must name: that of the current frames, 0x0 before the first."""
        return self._decoder.size

    @property
    def stats(self) -> VideoStats:
        return self._decoder.stats

    @property
    def version(self) -> str:
        return str(self._link.version)

    @property
    def acknowledges_paste(self) -> bool:
        """Whether the server confirms a pasted text."""
        return self._link.version.clipboard_has_sequence

    def start(self, on_frame: Callable[[Frame], None], on_failure: Callable[[Exception], None]) -> None:
        """Open the session and wait for its first frame; raises DeviceError when none arrives."""
        self._on_frame, self._on_failure = on_frame, on_failure
        self._link.open()
        for name, target in (("scrcpy-video", self._run), ("scrcpy-messages", self._listen)):
            thread = threading.Thread(target=target, name=name, daemon=True)
            thread.start()
            # Only after start(): close() joins every thread in this list, from any thread.
            self._threads.append(thread)
        if not self._first.wait(_FIRST_FRAME) or self._over.is_set():
            why = self._link.last_error
            self.close()
            raise ScrcpyFailed(_("The scrcpy server sent no picture"), why)

    def set_view_size(self, size: Size) -> None:
        """Prepare frames for this size on the source's own thread; 0x0 prepares nothing."""
        self._decoder.view = size

    def close(self) -> None:
        self._over.set()
        # A start that waits for the first frame ends now: the link may have sent nothing yet.
        self._first.set()
        self._link.close()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(5)

    def send(self, message: ControlMessage) -> None:
        """Send a control message; it is dropped when the link is gone, which the video thread reports."""
        with contextlib.suppress(OSError):
            self._link.send(message)

    def _run(self) -> None:
        try:
            self._read()
        except DeviceError as error:
            self._fail(error)
        except (OSError, StreamError) as error:
            self._fail(ScrcpyFailed(_("The video stopped"), str(error)))
        except Exception as error:  # noqa: BLE001 - the end of this thread must be reported
            _log.exception("the video thread failed")
            self._fail(error)

    def _listen(self) -> None:
        """Read the control socket; the server's sender would block otherwise."""
        reader, control = DeviceMessageReader(), self._link.control
        assert control is not None
        try:
            control.settimeout(None)  # fails when the source was closed before this thread began
            while not self._over.is_set() and (data := control.recv(_READ)):
                for message in reader.feed(data):
                    self.messages.emit(message)
        except (OSError, DeviceMessageError) as error:
            _log.info("no more messages of the phone: %s", error)

    def _read(self) -> None:
        video = self._link.video
        assert video is not None
        video.settimeout(None)
        reader = StreamReader(self._link.version, dummy_byte=False)
        while not self._over.is_set():
            data = video.recv(_READ)
            if not data and self._over.is_set():
                return
            if not data:
                raise ScrcpyFailed(_("The video stopped"), self._link.last_error)
            received = time.monotonic_ns()
            units = [unit for item in reader.feed(data) if (unit := self._unit(item)) is not None]
            self._decoder.feed(units, received)
            self._resync()

    def _unit(self, item: StreamStart | VideoSession | VideoPacket) -> tuple[bytes, int | None] | None:
        if not isinstance(item, VideoPacket):
            return None
        merged = self._merger.merge(item)
        return None if merged is None else (merged, item.pts_us)

    def _resync(self) -> None:
        """Ask for a key frame after broken packets, if the server can."""
        broken = self._decoder.stats.broken
        if broken > self._broken_before and self._link.version.can_reset_video:
            self._link.send(RESET_VIDEO)
        self._broken_before = broken

    def _frame_decoded(self, frame: Frame) -> None:
        if self._on_frame is not None and not self._over.is_set():
            self._on_frame(frame)
        self._first.set()

    def _fail(self, error: Exception) -> None:
        is_reported = self._over.is_set()
        self._over.set()
        # A source without a first frame fails in start(), not here.
        if not is_reported and self._first.is_set() and self._on_failure is not None:
            self._on_failure(error)
        self._first.set()
