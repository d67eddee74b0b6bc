"""One scrcpy session: the server started on the phone, its sockets, and what flows through them."""

from __future__ import annotations

import contextlib
import logging
import random
import socket
import threading
from pathlib import PurePosixPath

from collector.adb.quoting import join
from collector.adb.scrcpy.control import ControlMessage, encode_control
from collector.adb.scrcpy.options import SERVER_CLASS, ServerOptions, server_arguments
from collector.device.adb_device import AdbDevice
from collector.device.errors import DeviceError, ScrcpyFailed
from collector.device.scrcpy_server_jar import ScrcpyServerJar
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _

REMOTE = PurePosixPath("/data/local/tmp")
_TRIES = 60
_BETWEEN_TRIES = 0.05
_DUMMY_POLL = 0.1
_DUMMY_LOOKS = 50
_JOIN = 5.0
_log = logging.getLogger(__name__)


class ScrcpyLink:
    """Opened by :meth:`open`; ``video`` and ``control`` are its sockets. Closing ends the server too."""

    def __init__(self, device: AdbDevice, jar: ScrcpyServerJar, bit_rate: int) -> None:
        self._device = device
        self.version = version = jar.version
        self._jar = jar.data
        scid = random.getrandbits(31) if version.has_audio else None
        self.options = ServerOptions(
            version=version,
            scid=scid,
            bit_rate=bit_rate,
            tunnel_forward=True,
            audio=False,
            clipboard_autosync=False,
            stay_awake=True,
        )
        self.said: list[str] = []
        """The last lines of the server, for messages."""
        self.told: EventEmitter[str] = EventEmitter()
        """Each line as it comes, on a thread of its own."""
        self._closed = threading.Event()
        self._shell: socket.socket | None = None
        self._log: threading.Thread | None = None
        self.video: socket.socket | None = None
        self.control: socket.socket | None = None

    def open(self) -> None:
        """Start the server and connect; raises ScrcpyFailed with its own words when it will not."""
        target = REMOTE / f"waymark-scrcpy-{self.version}.jar"
        try:
            self._device.push(self._jar, target)
            words = join(("app_process", "/", SERVER_CLASS, *server_arguments(self.options)))
            self._shell = self._device.open(f"exec:CLASSPATH={target} {words} 2>&1")
            log = threading.Thread(target=self._listen, name="scrcpy-log", daemon=True)
            log.start()
            self._log = log
            self.video = self._meet()
            self.control = self._device.open(f"localabstract:{self.options.socket_name}")
        except DeviceError:
            self.close()
            raise
        except OSError as error:
            self.close()
            raise ScrcpyFailed(_("The scrcpy server hung up"), str(error)) from error

    def _meet(self) -> socket.socket:
        """The first socket: connecting through adb always succeeds, so its dummy byte is the proof."""
        for _attempt in range(_TRIES):
            if self._is_hopeless:
                break
            try:
                link = self._device.open(f"localabstract:{self.options.socket_name}")
            except DeviceError:
                self._closed.wait(_BETWEEN_TRIES)
                continue
            if self._is_answered(link):
                return link
            link.close()
            self._closed.wait(_BETWEEN_TRIES)
        raise ScrcpyFailed(
            _("The scrcpy server did not start"),
            self.words,
            _("Another way of mirroring is used; a newer scrcpy server may help"),
        )

    @property
    def _is_hopeless(self) -> bool:
        return self._closed.is_set() or any("ERROR" in line for line in self.said)

    def _is_answered(self, link: socket.socket) -> bool:
        """Whether the dummy byte comes; nobody waits for a server that has said why it will not."""
        link.settimeout(_DUMMY_POLL)
        for _look in range(_DUMMY_LOOKS):
            with contextlib.suppress(TimeoutError):
                return link.recv(1) == b"\0"
            if self._is_hopeless:
                return False
        _log.info("the scrcpy server accepted and then said nothing")
        return False

    @property
    def words(self) -> str:
        """What the server said last, in one line."""
        errors = [line for line in self.said if "ERROR" in line]
        return (errors or self.said or [""])[-1]

    def send(self, message: ControlMessage) -> None:
        """Write one control message; raises OSError when the link is gone."""
        if self.control is not None:
            self.control.sendall(encode_control(self.version, message))

    def close(self) -> None:
        """Hang up; reads on the sockets return at once."""
        self._closed.set()
        for link in (self.control, self.video, self._shell):
            if link is not None:
                with contextlib.suppress(OSError):
                    link.shutdown(socket.SHUT_RDWR)
                link.close()
        if self._log is not None and self._log is not threading.current_thread():
            self._log.join(_JOIN)

    def _listen(self) -> None:
        """The server's output must be read, or the server stops."""
        link, rest = self._shell, b""
        assert link is not None
        link.settimeout(None)
        while True:
            try:
                data = link.recv(4096)
            except OSError:
                return
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                text = line.decode("utf-8", "replace").strip()
                _log.debug("scrcpy server: %s", text)
                self.said = [*self.said[-19:], text]
                self.told.emit(text)
