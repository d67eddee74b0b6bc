"""Hands under X: events by the XTEST extension, pictures of the root window."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence

from PySide6.QtGui import QGuiApplication, QImage

from collector.model.i18n import _
from studio.app.demo.errors import TourError
from studio.app.demo.hands import LEFT, Spot

_KEY_NAMES = {
    "Esc": "Escape", "Enter": "Return", "Del": "Delete", "Space": "space", "?": "question",
    "[": "bracketleft", "]": "bracketright", ",": "comma", ".": "period", "=": "equal", "-": "minus",
    "Ctrl": "ctrl",
    "Shift": "shift",
    "Alt": "alt", "+": "plus", "Backspace": "BackSpace",
}  # fmt: skip
_WHEEL_UP, _WHEEL_DOWN = 4, 5
_LIMIT_S = 30
# A finger moves in steps a phone can follow, one a frame; a key is down as long as a quick typist's.
_DRAG_STEP_S = "0.016"
_TYPE_STEP_MS = "15"
_STRANGE_STEP_MS = "120"


class XHands:
    """Moves the pointer and presses the keys of the display in ``environment``."""

    name = "XTEST events under Xvfb"

    def __init__(self, environment: dict[str, str]) -> None:
        os.environ.update(environment, QT_QPA_PLATFORM="xcb")
        self._environment = dict(os.environ)
        self._eye = QGuiApplication(["waymark-demo"])

    def move(self, spot: Spot) -> None:
        self._do("mousemove", *_words(spot))

    def click(self, spot: Spot, button: int = LEFT, times: int = 1) -> None:
        self._do("mousemove", *_words(spot), "click", "--repeat", str(times), "--delay", "60", str(button))

    def drag(self, path: Sequence[Spot]) -> None:
        words = ["mousemove", *_words(path[0]), "mousedown", "1"]
        for spot in path[1:]:
            words += ["sleep", _DRAG_STEP_S, "mousemove", *_words(spot)]
        self._do(*words, "sleep", _DRAG_STEP_S, "mouseup", "1")

    def wheel(self, spot: Spot, notches: int) -> None:
        button = _WHEEL_UP if notches > 0 else _WHEEL_DOWN
        self._do(
            "mousemove", *_words(spot), "click", "--repeat", str(abs(notches)), "--delay", "16", str(button)
        )

    def key(self, chord: str) -> None:
        self._do("key", _keysyms(chord))

    def hold(self, key: str, down: bool) -> None:
        self._do("keydown" if down else "keyup", _keysyms(key))

    def write(self, text: str) -> None:
        # A letter no key writes is put on a spare key first, and the window has to learn of that.
        delay = _TYPE_STEP_MS if text.isascii() else _STRANGE_STEP_MS
        self._do("type", "--delay", delay, "--", text)

    def picture(self, place: Sequence[int]) -> QImage:
        return self._eye.primaryScreen().grabWindow(0, *place).toImage()

    def close(self) -> None:
        self._eye.shutdown()

    def _do(self, *words: str) -> None:
        done = subprocess.run(
            ["xdotool", *words],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=_LIMIT_S,
            check=False,
        )
        if done.returncode != 0:
            raise TourError(_("An input event could not be made"), done.stderr.strip().splitlines()[-1])


def _words(spot: Spot) -> tuple[str, str]:
    return str(spot[0]), str(spot[1])


def _keysyms(chord: str) -> str:
    """``Ctrl+Shift+C`` as X names its keys: ``ctrl+shift+c``."""
    keys = re.split(r"\+(?=.)", chord)
    return "+".join(_KEY_NAMES.get(key, key.lower() if len(key) == 1 else key) for key in keys)
