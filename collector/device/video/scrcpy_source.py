"""The best frame source: scrcpy video, decoded here; its control socket carries input."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from collector.adb.scrcpy.control import RESET_VIDEO, ControlMessage
from collector.adb.scrcpy.device_message import DeviceMessage
from collector.adb.scrcpy.options import DEFAULT_BIT_RATE
from collector.adb.scrcpy.stream import (
    ConfigMerger,
    StreamError,
    StreamReader,
    StreamStart,
    VideoPacket,
    VideoSession,
)
from collector.device.errors import DeviceError, ScrcpyFailed
from collector.device.frame import Frame
from collector.device.transport.adb_device import AdbDevice
from collector.device.video.frame_decoder import FrameDecoder
from collector.device.video.scrcpy_link import ScrcpyLink, emit_messages
from collector.device.video.scrcpy_server_jar import ScrcpyServerJar
from collector.device.video.video_limits import PacketLimit, PictureLimit
from collector.device.video_stats import VideoStats
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Size
from collector.model.i18n import _

_READ = 1 << 17
"""Bytes asked for at once: they are set aside for each phone while it sends nothing."""
_FIRST_FRAME = 8.0
_CODEC = "h264"
"""What the server is asked for, by default, and what is decoded here."""
_ASK_EVERY_S = 0.5
_log = logging.getLogger(__name__)


class ScrcpySource:
    """Implement FrameSource with scrcpy. A still screen sends nothing: silence is no failure."""

    name = "scrcpy"

    def __init__(self, device: AdbDevice, jar: ScrcpyServerJar, *, bit_rate: int = DEFAULT_BIT_RATE) -> None:
        self._link = ScrcpyLink(device, jar, bit_rate)
        self.messages: EventEmitter[DeviceMessage] = EventEmitter()
        """Messages of the phone on the control socket, emitted on its reading thread."""
        self._decoder = FrameDecoder(self._frame_decoded)
        self.encoded = self._decoder.encoded
        """Emits each picture of the video as it arrived, on the reading thread."""
        self._merger = ConfigMerger()
        self._on_frame: Callable[[Frame], None] | None = None
        self._on_failure: Callable[[Exception], None] | None = None
        self.server_lines = self._link.lines
        """Emits each line the server on the phone prints."""
        self._first = threading.Event()
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []
        self._error: Exception | None = None
        self._broken_before, self._asked_at = 0, 0.0

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
            why = str(self._error or self._link.last_error)
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
        self._on_frame = self._on_failure = None  # else source and session keep each other

    def send(self, message: ControlMessage) -> None:
        """Send a control message; it is dropped when the link is gone, which the video thread reports."""
        if self._over.is_set():
            return
        try:
            self._link.send(message)
        except TimeoutError:
            self._fail(ScrcpyFailed(_("The phone takes no input"), _("Its control connection is blocked")))
        except OSError as error:
            _log.debug("a control message was dropped: %s", error)

    def ask_key_frame(self) -> None:
        """Ask for a picture that needs no earlier one. Older servers send one every ten seconds only."""
        if self._link.version.can_reset_video:
            self.send(RESET_VIDEO)

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
        finally:
            self._decoder.close()

    def _listen(self) -> None:
        emit_messages(self._link, self._over, self.messages)

    def _read(self) -> None:
        video = self._link.video
        assert video is not None
        reader = StreamReader(self._link.version, dummy_byte=False)
        packets, pictures = PacketLimit(video), PictureLimit()
        while not self._over.is_set():
            data = packets.receive(_READ)
            if not data and self._over.is_set():
                return
            if not data:
                raise ScrcpyFailed(_("The video stopped"), self._link.last_error)
            received = time.monotonic_ns()
            items = list(reader.feed(data))
            packets.note(ended=bool(items), begun=reader.has_begun)
            self._decoder.feed([unit for item in items if (unit := self._unit(item)) is not None], received)
            if items:
                pictures.note(self._decoder.stats.frames)
            self._resync()

    def _unit(self, item: StreamStart | VideoSession | VideoPacket) -> tuple[bytes, int | None] | None:
        if isinstance(item, StreamStart) and item.codec != _CODEC:
            raise StreamError(f"the video is {item.codec}, not {_CODEC}")
        if not isinstance(item, VideoPacket):
            return None
        merged = self._merger.merge(item)
        return None if merged is None else (merged, item.pts_us)

    def _resync(self) -> None:
        """Ask for a key frame after broken packets, if the server can, and not more often than it helps."""
        broken, now = self._decoder.stats.broken, time.monotonic()
        if broken == self._broken_before or now - self._asked_at < _ASK_EVERY_S:
            return
        self._broken_before, self._asked_at = broken, now
        if self._link.version.can_reset_video:
            self._link.send(RESET_VIDEO)

    def _frame_decoded(self, frame: Frame) -> None:
        on_frame = self._on_frame
        if on_frame is not None and not self._over.is_set():
            on_frame(frame)
        self._first.set()

    def _fail(self, error: Exception) -> None:
        is_reported, self._error = self._over.is_set(), self._error or error
        self._over.set()
        # A source without a first frame fails in start(), not here.
        on_failure = self._on_failure
        if not is_reported and self._first.is_set() and on_failure is not None:
            on_failure(error)
        self._first.set()
