"""Hands without a screen: Qt's own events, made inside the program by :mod:`studio.app.demo.host`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QImage
from PySide6.QtNetwork import QLocalSocket

from collector.model.i18n import _
from studio.app.demo.errors import TourError
from studio.app.demo.hands import LEFT, Spot
from studio.app.demo.host import HANDS
from studio.app.single_instance import socket_name

_ANSWER_MS = 20_000


class QtHands:
    """Speaks with the second socket of the program that runs in ``home``."""

    name = "Qt events on the offscreen platform"

    def __init__(self, home: Path) -> None:
        self._picture = home / "picture.png"
        self._socket = QLocalSocket()
        self._socket.connectToServer(socket_name(home / "state") + HANDS)
        if not self._socket.waitForConnected(_ANSWER_MS):
            raise TourError(_("The window takes no input events"))

    def move(self, spot: Spot) -> None:
        self._do("move", at=spot)

    def click(self, spot: Spot, button: int = LEFT, times: int = 1) -> None:
        self.move(spot)
        for _number in range(times):
            self._do("press", at=spot, button=button)
            self._do("release", at=spot, button=button)

    def drag(self, path: Sequence[Spot]) -> None:
        self.move(path[0])
        self._do("press", at=path[0], button=LEFT)
        for spot in path[1:]:
            self.move(spot)
        self._do("release", at=path[-1], button=LEFT)

    def wheel(self, spot: Spot, notches: int) -> None:
        self._do("wheel", at=spot, notches=notches)

    def key(self, chord: str) -> None:
        self._do("key", chord=chord)

    def hold(self, key: str, down: bool) -> None:
        self._do("hold", key=key, down=down)

    def write(self, text: str) -> None:
        self._do("write", text=text)

    def picture(self, place: Sequence[int]) -> QImage:
        self._do("grab", place=list(place), path=str(self._picture))
        return QImage(str(self._picture))

    def close(self) -> None:
        self._socket.abort()
        self._picture.unlink(missing_ok=True)

    def _do(self, what: str, **values: object) -> None:
        self._socket.write(json.dumps({"do": what, **values}).encode() + b"\n")
        self._socket.flush()
        while not self._socket.canReadLine():
            if not self._socket.waitForReadyRead(_ANSWER_MS):
                raise TourError(_("An input event could not be made"), _("the window does not answer"))
        answer = json.loads(bytes(self._socket.readLine().data()))
        if "error" in answer:
            raise TourError(_("An input event could not be made"), str(answer["error"]))
