"""The second best frame source: ``screenrecord``, restarted when it ends or the screen rotates."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Callable

from collector.device.device_info import Display, read_display
from collector.device.errors import CallCancelled, CaptureFailed, DeviceError
from collector.device.frame import Frame
from collector.device.transport.adb_device import AdbDevice
from collector.device.video.frame_decoder import FrameDecoder
from collector.device.video.video_limits import PictureLimit
from collector.device.video_stats import VideoStats
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.text.one_line import one_line

LIMIT = 170.0
"""Seconds of one recording; phones limit it to 180."""
_COMMAND = "exec:screenrecord --output-format=h264 --bit-rate 8000000 --time-limit 180 -"
_READ = 1 << 18
_SHORTEST = 1.0
"""Seconds of a recording that ended by itself; one that ends sooner failed, and would end as soon again."""
_FIRST_FRAME = 6.0
_QUIET = 0.05
_LOOK_EVERY = 1.0
_JOIN = 5.0
_log = logging.getLogger(__name__)


class ScreenrecordSource:
    """Implement FrameSource with ``screenrecord``; input goes through the ``input`` command."""

    name = "screenrecord"

    def __init__(self, device: AdbDevice, limit: float = LIMIT) -> None:
        self._device = device
        self._limit = limit
        self._decoder = FrameDecoder(self._frame_decoded)
        self.encoded = self._decoder.encoded
        """Emits each picture of the video as it arrived, on the recording thread."""
        self._link: socket.socket | None = None
        self._display = Display(Size(0, 0))
        self._on_frame: Callable[[Frame], None] = lambda _frame: None
        self._on_failure: Callable[[Exception], None] = lambda _error: None
        self._first = threading.Event()
        self._over = threading.Event()
        self._renewed = False
        self._threads: list[threading.Thread] = []
        self._error: Exception | None = None

    @property
    def size(self) -> Size:
        return self._decoder.size

    @property
    def stats(self) -> VideoStats:
        return self._decoder.stats

    def start(self, on_frame: Callable[[Frame], None], on_failure: Callable[[Exception], None]) -> None:
        """Begin recording and wait for the first frame; raises DeviceError when none arrives."""
        self._on_frame, self._on_failure = on_frame, on_failure
        self._display = read_display(self._device, self._over)
        self._link = self._device.open(_COMMAND, cancel=self._over)
        for name, target in (("screenrecord", self._run), ("screenrecord watch", self._watch)):
            thread = threading.Thread(target=target, name=name, daemon=True)
            thread.start()
            # Only after start(): close() joins every thread in this list, from any thread.
            self._threads.append(thread)
        if not self._first.wait(_FIRST_FRAME) or self._over.is_set():
            why = str(self._error or "")
            self.close()
            raise CaptureFailed(_("The phone's screen recorder gave no picture"), why)

    def set_view_size(self, size: Size) -> None:
        self._decoder.view = size

    def ask_key_frame(self) -> None:
        """Begin another recording, which begins with a picture that needs no earlier one."""
        self._renewed = True

    def close(self) -> None:
        self._over.set()
        self._hang_up()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(_JOIN)

    def _run(self) -> None:
        try:
            while not self._over.is_set():
                self._record()
                if self._over.is_set():
                    return
                self._renewed = False
                self._hang_up()
                self._link = self._device.open(_COMMAND, cancel=self._over)
                self._decoder.restart()
        except (DeviceError, OSError) as error:
            self._fail(error)
        except Exception as error:  # noqa: BLE001 - the end of this thread must be reported
            _log.exception("the recording thread failed")
            self._fail(error)
        finally:
            self._decoder.close()

    def _record(self) -> None:
        """Read one recording to its end; raises CaptureFailed when it ends without a frame."""
        link, before, began = self._link, self._decoder.stats.frames, time.monotonic()
        assert link is not None
        output, pictures, until = b"", PictureLimit(), began + self._limit
        while not self._over.is_set() and not self._renewed and time.monotonic() < until:
            link.settimeout(_QUIET)
            try:
                data = link.recv(_READ)
            except TimeoutError:
                # The parser holds a frame back until the next one begins; a still screen has no next one.
                self._decoder.feed(self._decoder.parse(b""), time.monotonic_ns())
                continue
            if not data:
                is_short = time.monotonic() - began < _SHORTEST
                if (is_short or self._decoder.stats.frames == before) and not self._over.is_set():
                    raise CaptureFailed(_("The phone's screen recorder stopped"), _last_line(output))
                return
            output = (output + data)[:400] if self._decoder.stats.frames == before else b""
            self._decoder.feed(self._decoder.parse(data), time.monotonic_ns())
            pictures.note(self._decoder.stats.frames)

    def _watch(self) -> None:
        """Restart when the screen rotates: a recording keeps the size it began with."""
        while not self._over.wait(_LOOK_EVERY):
            try:
                now = read_display(self._device, self._over)
            except CallCancelled:
                return
            except DeviceError as error:
                self._fail(error)
                return
            if now != self._display and not now.size.is_empty:
                self._display, self._renewed = now, True

    def _frame_decoded(self, frame: Frame) -> None:
        if not self._over.is_set() and not self._renewed:
            self._on_frame(frame)
        self._first.set()

    def _fail(self, error: Exception) -> None:
        is_reported, self._error = self._over.is_set(), error
        self._over.set()
        # A source without a first frame fails in start(), not here.
        if not is_reported and self._first.is_set():
            self._on_failure(error)
        self._first.set()

    def _hang_up(self) -> None:
        link = self._link
        if link is not None:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
            link.close()


def _last_line(output: bytes) -> str:
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return one_line(lines[-1], 200) if lines else ""
