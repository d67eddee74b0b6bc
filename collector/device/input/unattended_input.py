"""Input for a phone that nobody watches: a scrcpy server without a video, or else the ``input`` command."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from collector.adb.scrcpy.control import ControlMessage
from collector.adb.scrcpy.device_message import DeviceMessage
from collector.device.errors import DeviceError, ScrcpyFailed
from collector.device.input.input_sinks import ScrcpyInput, ShellInput
from collector.device.protocols import Device, InputSink
from collector.device.transport.adb_device import AdbDevice
from collector.device.video.scrcpy_link import ScrcpyLink, emit_messages
from collector.device.video.scrcpy_server_jar import ScrcpyServerJar, find_server_jar
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Position, Size
from collector.model.i18n import _
from collector.model.phone.touch import TouchAction

_ROUNDED = 8
"""Scrcpy before 3.0 rounds the sides of the screen down to a multiple of this, video or not."""
_JOIN = 5.0
_log = logging.getLogger(__name__)


class ControlOnlyScrcpy:
    """A scrcpy server that takes input and encodes nothing; a ScrcpyControl. Blocking."""

    def __init__(self, device: AdbDevice, jar: ScrcpyServerJar) -> None:
        """Raises ScrcpyFailed for a version of scrcpy that always sends a video."""
        if not jar.version.can_leave_video_out:
            raise ScrcpyFailed(
                _("scrcpy {version} cannot run without a video", version=jar.version),
                "",
                _("Install scrcpy 2.1 or newer"),
            )
        self._link = ScrcpyLink(device, jar, has_video=False)
        self.server_lines = self._link.lines
        """Emits each line the server on the phone prints."""
        self.messages: EventEmitter[DeviceMessage] = EventEmitter()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="scrcpy-messages", daemon=True)

    def start(self) -> None:
        """Start the server on the phone; raises DeviceError when it does not answer."""
        self._link.open()
        self._thread.start()

    @property
    def acknowledges_paste(self) -> bool:
        return self._link.version.clipboard_has_sequence

    def input_size(self, screen: Size) -> Size:
        """The display itself; as an old server rounds it, when the server scales touches from it."""
        if not self._link.version.scales_touches_without_video:
            return screen
        return Size(screen.width - screen.width % _ROUNDED, screen.height - screen.height % _ROUNDED)

    def send(self, message: ControlMessage) -> None:
        self._link.send(message)

    def close(self) -> None:
        self._over.set()
        self._link.close()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_JOIN)

    def _listen(self) -> None:
        emit_messages(self._link, self._over, self.messages)


class UnattendedInput:
    """An input sink on scrcpy's control socket. A broken connection is opened again once.

    Without scrcpy, or when it does not come back, input goes through the phone's ``input`` command.
    """

    def __init__(self, device: Device, open_control: Callable[[], ControlOnlyScrcpy]) -> None:
        """``open_control`` starts a server; it raises DeviceError when this phone or computer has none."""
        self._device, self._open_control = device, open_control
        self._control: ControlOnlyScrcpy | None = None
        self._sink: InputSink = self._opened()

    @property
    def name(self) -> str:
        """``scrcpy`` or ``input``: the way that is used now."""
        return self._sink.name

    @property
    def max_pointers(self) -> int:
        return self._sink.max_pointers

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        if action is TouchAction.DOWN:
            self._send(lambda sink: sink.touch(action, pointer, position))
        else:  # the rest of a gesture means nothing to a new connection
            self._sink.touch(action, pointer, position)

    def key(self, code: int, meta: int = 0, held_ms: int = 0) -> None:
        self._send(lambda sink: sink.key(code, meta, held_ms))

    def text(self, text: str) -> None:
        self._send(lambda sink: sink.text(text))

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        self._send(lambda sink: sink.scroll(position, horizontal, vertical))

    def close(self) -> None:
        self._sink.close()
        control, self._control = self._control, None
        if control is not None:
            control.close()

    def _send(self, work: Callable[[InputSink], None]) -> None:
        try:
            work(self._sink)
        except ScrcpyFailed as error:
            _log.info("%s; it is opened again", error)
            self.close()
            self._sink = self._opened()
            work(self._sink)

    def _opened(self) -> InputSink:
        """Scrcpy's control socket, or the ``input`` command when it cannot be opened."""
        control = None
        try:
            control = self._open_control()
            control.start()
        except DeviceError as error:
            _log.info("input goes through the phone's own command: %s", error)
            if control is not None:
                control.close()
            return ShellInput(self._device)
        self._control = control
        return ScrcpyInput(control)


def open_unattended_input(device: AdbDevice, jar: str = "", *, virtual: bool = False) -> UnattendedInput:
    """Open the input of a phone that nobody watches; ``jar`` is a scrcpy server to prefer.

    Raises nothing: a phone that is gone refuses the first input.
    """
    return UnattendedInput(device, lambda: ControlOnlyScrcpy(device, find_server_jar(jar, virtual=virtual)))
