"""One scrcpy session: start the server on the phone and connect its sockets, with or without a video."""

from __future__ import annotations

import contextlib
import logging
import random
import socket
import threading
import time
from pathlib import PurePosixPath

from collector.adb.quoting import join
from collector.adb.scrcpy.control import ControlMessage, encode_control
from collector.adb.scrcpy.device_message import DeviceMessage, DeviceMessageError, DeviceMessageReader
from collector.adb.scrcpy.options import DEFAULT_BIT_RATE, SERVER_CLASS, ServerOptions, server_arguments
from collector.device.errors import DeviceError, ScrcpyFailed
from collector.device.transport.adb_device import AdbDevice
from collector.device.video.scrcpy_server_jar import ScrcpyServerJar
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from collector.model.text.one_line import one_line

REMOTE = PurePosixPath("/data/local/tmp")
_START_S = 8.0
"""How long the server on the phone may take to accept the first connection and to answer on it."""
_BETWEEN_TRIES = 0.05
_DUMMY_POLL = 0.1
_SEND_S = 5.0
"""How long a control message may wait for a phone that reads none."""
_MESSAGES = 1 << 16
_LONGEST_LINE = 4096
_LOG_BYTES_A_SECOND = 200_000
_JOIN = 5.0
_log = logging.getLogger(__name__)


class ScrcpyLink:
    """A running scrcpy server; ``video`` and ``control`` are its sockets. Closing it ends the server.

    A server for input alone has no video socket; only a version that ``can_leave_video_out`` can be that.
    """

    def __init__(
        self,
        device: AdbDevice,
        jar: ScrcpyServerJar,
        bit_rate: int = DEFAULT_BIT_RATE,
        *,
        has_video: bool = True,
    ) -> None:
        self._device = device
        self.version = version = jar.version
        self._jar = jar.data
        scid = random.getrandbits(31) if version.has_audio else None
        self.options = ServerOptions(
            version=version,
            scid=scid,
            bit_rate=bit_rate,
            tunnel_forward=True,
            video=has_video,
            audio=False,
            send_device_meta=has_video,  # it would come before the messages on the control socket
            clipboard_autosync=False,
            stay_awake=True,
        )
        self.last_lines: list[str] = []
        """The last lines the server printed, for error messages."""
        self.lines: EventEmitter[str] = EventEmitter()
        """Emits each line the server prints, on a thread of its own."""
        self._closed = threading.Event()
        self._shell: socket.socket | None = None
        self._log: threading.Thread | None = None
        self.video: socket.socket | None = None
        self.control: socket.socket | None = None

    def open(self) -> None:
        """Start the server and connect; raises ScrcpyFailed with the server's output."""
        target = REMOTE / f"waymark-scrcpy-{self.version}.jar"
        try:
            self._device.push(self._jar, target, cancel=self._closed)
            words = join(("app_process", "/", SERVER_CLASS, *server_arguments(self.options)))
            self._shell = self._opened(f"exec:CLASSPATH={target} {words} 2>&1")
            log = threading.Thread(target=self._listen, name="scrcpy-log", daemon=True)
            log.start()
            self._log = log
            first = self._connect_first()
            if self.options.video:
                self.video = first
                self.control = self._opened(f"localabstract:{self.options.socket_name}")
            else:
                self.control = first
            self.control.settimeout(_SEND_S)
        except DeviceError:
            self.close()
            raise
        except OSError as error:
            self.close()
            raise ScrcpyFailed(_("The scrcpy server hung up"), str(error)) from error

    def _connect_first(self) -> socket.socket:
        """Connect the first socket. Connecting through adb always succeeds; the dummy byte proves it."""
        end = time.monotonic() + _START_S
        while not self._has_failed and time.monotonic() < end:
            try:
                link = self._opened(f"localabstract:{self.options.socket_name}")
            except DeviceError:
                self._closed.wait(_BETWEEN_TRIES)
                continue
            if self._is_answered(link, end):
                return link
            link.close()
            self._closed.wait(_BETWEEN_TRIES)
        raise ScrcpyFailed(
            _("The scrcpy server did not start"),
            self.last_error,
            _("Another way of mirroring is used; a newer scrcpy server may help")
            if self.options.video
            else _("The phone is touched by its `input` command; a newer scrcpy server may help"),
        )

    def _opened(self, service: str) -> socket.socket:
        return self._device.open(service, _START_S, self._closed)

    @property
    def _has_failed(self) -> bool:
        return self._closed.is_set() or any("ERROR" in line for line in self.last_lines)

    def _is_answered(self, link: socket.socket, end: float) -> bool:
        """Whether the dummy byte arrives by ``end``; stops waiting when the server has printed an error."""
        link.settimeout(_DUMMY_POLL)
        while time.monotonic() < end:
            with contextlib.suppress(TimeoutError):
                return link.recv(1) == b"\0"
            if self._has_failed:
                return False
        _log.info("the scrcpy server accepted and then sent nothing")
        return False

    @property
    def last_error(self) -> str:
        """The last error line of the server, or its last line."""
        errors = [line for line in self.last_lines if "ERROR" in line]
        return (errors or self.last_lines or [""])[-1]

    def send(self, message: ControlMessage) -> None:
        """Write one control message; raises OSError when the link is gone, TimeoutError when it is stuck."""
        if self.control is not None:
            self.control.sendall(encode_control(self.version, message))

    def close(self) -> None:
        """Close all sockets; pending reads return at once."""
        self._closed.set()
        for link in (self.control, self.video, self._shell):
            if link is not None:
                with contextlib.suppress(OSError):
                    link.shutdown(socket.SHUT_RDWR)
                link.close()
        if self._log is not None and self._log is not threading.current_thread():
            self._log.join(_JOIN)

    def _listen(self) -> None:
        """Read the server's output; it would block otherwise."""
        link, rest = self._shell, b""
        assert link is not None
        while True:
            try:
                link.settimeout(None)  # fails when the link was closed before this thread began
                data = link.recv(4096)
            except OSError:
                return
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[-_LONGEST_LINE:]
            # A server that prints without an end is read slowly, and waits.
            self._closed.wait(len(data) / _LOG_BYTES_A_SECOND)
            for line in lines:
                text = one_line(line.decode("utf-8", "replace"), _LONGEST_LINE)
                _log.debug("scrcpy server: %s", text)
                self.last_lines = [*self.last_lines[-19:], text]
                self.lines.emit(text)


def emit_messages(link: ScrcpyLink, over: threading.Event, messages: EventEmitter[DeviceMessage]) -> None:
    """Emit what the phone says on the control socket, until its end or until ``over`` is set.

    Somebody has to read it: the server's sender would block otherwise.
    """
    reader, control = DeviceMessageReader(), link.control
    assert control is not None
    try:
        while data := _received(control, over):
            for message in reader.feed(data):
                messages.emit(message)
    except (OSError, DeviceMessageError) as error:
        _log.debug("no more messages of the phone: %s", error)


def _received(control: socket.socket, over: threading.Event) -> bytes:
    """Wait for messages on a control socket; nothing at its end and once ``over`` is set.

    A phone that sends without an end is read slowly, and waits. Raises OSError.
    """
    while not over.is_set():
        with contextlib.suppress(TimeoutError):
            data = control.recv(_MESSAGES)
            if len(data) == _MESSAGES:
                over.wait(_BETWEEN_TRIES)
            return data
    return b""
