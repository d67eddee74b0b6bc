"""Input driver without a screen: Qt events, made inside the program by
:mod:`studio.app.demo.qt_driver_host`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QImage
from PySide6.QtNetwork import QLocalSocket

from collector.model.i18n import _
from studio.app.demo.errors import TourError
from studio.app.demo.input_driver import LEFT, Pixel
from studio.app.demo.qt_driver_host import SOCKET_SUFFIX
from studio.app.single_instance import socket_name

_ANSWER_MS = 20_000


class QtDriver:
    """Sends requests to the input socket of the program that runs in ``home``."""

    name = "Qt events on the offscreen platform"

    def __init__(self, home: Path) -> None:
        self._image_path = home / "grab.png"
        self._socket = QLocalSocket()
        self._socket.connectToServer(socket_name(home / "state") + SOCKET_SUFFIX)
        if not self._socket.waitForConnected(_ANSWER_MS):
            raise TourError(_("The window takes no input events"))

    def move(self, pixel: Pixel) -> None:
        self._send("move", at=pixel)

    def click(self, pixel: Pixel, button: int = LEFT, times: int = 1) -> None:
        self.move(pixel)
        for _number in range(times):
            self._send("press", at=pixel, button=button)
            self._send("release", at=pixel, button=button)

    def drag(self, path: Sequence[Pixel]) -> None:
        self.move(path[0])
        self._send("press", at=path[0], button=LEFT)
        for pixel in path[1:]:
            self.move(pixel)
        self._send("release", at=path[-1], button=LEFT)

    def wheel(self, pixel: Pixel, notches: int) -> None:
        self._send("wheel", at=pixel, notches=notches)

    def key(self, chord: str) -> None:
        self._send("key", chord=chord)

    def hold(self, key: str, down: bool) -> None:
        self._send("hold", key=key, down=down)

    def write(self, text: str) -> None:
        self._send("write", text=text)

    def resize(self, width: int, height: int) -> None:
        self._send("resize", size=[width, height])

    def grab(self, rectangle: Sequence[int]) -> QImage:
        self._send("grab", rectangle=list(rectangle), path=str(self._image_path))
        return QImage(str(self._image_path))

    def close(self) -> None:
        self._socket.abort()
        self._image_path.unlink(missing_ok=True)

    def _send(self, event: str, **values: object) -> None:
        self._socket.write(json.dumps({"event": event, **values}).encode() + b"\n")
        self._socket.flush()
        while not self._socket.canReadLine():
            if not self._socket.waitForReadyRead(_ANSWER_MS):
                raise TourError(_("An input event could not be made"), _("the window does not answer"))
        answer = json.loads(bytes(self._socket.readLine().data()))
        if "error" in answer:
            raise TourError(_("An input event could not be made"), str(answer["error"]))
