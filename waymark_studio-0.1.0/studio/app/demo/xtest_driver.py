"""Input driver for X: events by the XTEST extension, screenshots of the root window."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Sequence

from PySide6.QtGui import QGuiApplication, QImage

from collector.host.programs import run_program
from collector.model.i18n import _
from studio.app.demo.errors import TourError
from studio.app.demo.input_driver import LEFT, Pixel
from studio.app.demo.spare_keys import SpareKeys

_KEY_NAMES = {
    "Esc": "Escape", "Enter": "Return", "Del": "Delete", "Space": "space", "?": "question",
    "[": "bracketleft", "]": "bracketright", ",": "comma", ".": "period", "=": "equal", "-": "minus",
    "Ctrl": "ctrl",
    "Shift": "shift",
    "Alt": "alt", "+": "plus", "/": "slash", "Backspace": "BackSpace",
}  # fmt: skip
_WHEEL_UP, _WHEEL_DOWN = 4, 5
_LIMIT_S = 30
_WINDOW = "Waymark Studio$"
"""What the titles of the window end with, and no title of a dialog."""
# A drag moves once per frame, so that the phone can follow it; keys come as fast as from a quick typist.
_DRAG_STEP_S = "0.016"
_TYPE_STEP_MS = "15"


class XTestDriver:
    """Moves the pointer and presses the keys of the X display that ``environment`` names."""

    name = "XTEST events under Xvfb"

    def __init__(self, environment: dict[str, str]) -> None:
        os.environ.update(environment, QT_QPA_PLATFORM="xcb")
        self._application = QGuiApplication(["waymark-demo"])
        self._keys = SpareKeys()

    def move(self, pixel: Pixel) -> None:
        self._send("mousemove", *_arguments(pixel))

    def click(self, pixel: Pixel, button: int = LEFT, times: int = 1) -> None:
        self._send(
            "mousemove", *_arguments(pixel), "click", "--repeat", str(times), "--delay", "60", str(button)
        )

    def drag(self, path: Sequence[Pixel]) -> None:
        arguments = ["mousemove", *_arguments(path[0]), "mousedown", "1"]
        for pixel in path[1:]:
            arguments += ["sleep", _DRAG_STEP_S, "mousemove", *_arguments(pixel)]
        self._send(*arguments, "sleep", _DRAG_STEP_S, "mouseup", "1")

    def wheel(self, pixel: Pixel, notches: int) -> None:
        button = _WHEEL_UP if notches > 0 else _WHEEL_DOWN
        self._send(
            "mousemove",
            *_arguments(pixel),
            "click",
            "--repeat",
            str(abs(notches)),
            "--delay",
            "16",
            str(button),
        )

    def key(self, chord: str) -> None:
        self._send("key", _keysyms(chord))

    def hold(self, key: str, down: bool) -> None:
        self._send("keydown" if down else "keyup", _keysyms(key))

    def write(self, text: str) -> None:
        for piece in self._keys.pieces(text):
            self._keys.prepare(piece)
            # xdotool is given the codes: it does not find every key that was added, and would add it again.
            for spare, characters in itertools.groupby(piece, lambda letter: self._keys.code(letter) > 0):
                if spare:
                    codes = [str(self._keys.code(character)) for character in characters]
                    self._send("key", "--delay", _TYPE_STEP_MS, *codes)
                else:
                    self._send("type", "--delay", _TYPE_STEP_MS, "--", "".join(characters))

    def resize(self, width: int, height: int) -> None:
        self._send("search", "--onlyvisible", "--name", _WINDOW, "windowsize", str(width), str(height))

    def grab(self, rectangle: Sequence[int]) -> QImage:
        return self._application.primaryScreen().grabWindow(0, *rectangle).toImage()

    def close(self) -> None:
        self._keys.close()
        self._application.shutdown()

    def _send(self, *arguments: str) -> None:
        result = run_program(["xdotool", *arguments], seconds=_LIMIT_S)
        if result.returncode != 0:
            said = result.stderr.decode("utf-8", "replace").strip().splitlines()
            raise TourError(_("An input event could not be made"), said[-1] if said else "")


def _arguments(pixel: Pixel) -> tuple[str, str]:
    return str(pixel[0]), str(pixel[1])


def _keysyms(chord: str) -> str:
    """Translate a chord to the key names of X: ``Ctrl+Shift+C`` to ``ctrl+shift+c``."""
    keys = re.split(r"\+(?=.)", chord)
    return "+".join(_KEY_NAMES.get(key, key.lower() if len(key) == 1 else key) for key in keys)
