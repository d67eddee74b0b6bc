"""The real program without a screen: its arguments follow, and a second socket takes Qt input events.

For machines that cannot have a virtual X server. The window neither knows nor cares: events come
through Qt's own window system interface, as a platform would deliver them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.user_folders import state_folder
from studio.app.single_instance import InstanceServer, Wish, socket_name

HANDS = "-hands"
"""Ending of the name of the second socket."""
_BUTTONS = {1: Qt.MouseButton.LeftButton, 2: Qt.MouseButton.MiddleButton, 3: Qt.MouseButton.RightButton}
_NONE = Qt.KeyboardModifier.NoModifier
_NOTCH = 120


class Fingers:
    """Turns wishes into events. GUI thread only."""

    def __init__(self) -> None:
        self._held: QWindow | None = None
        self._modifiers = _NONE

    def answer(self, wish: Wish) -> object:
        """Do one thing: move, press, release, wheel, key, hold, write or grab."""
        handlers: dict[str, Any] = {
            "move": self._move, "press": self._press, "release": self._release, "wheel": self._wheel,
            "key": self._key, "hold": self._hold, "write": self._write, "grab": self._grab,
        }  # fmt: skip
        handler = handlers.get(str(wish.pop("do", "")))
        if handler is None:
            raise UserError(_("Hands cannot do that"))
        handler(**wish)
        return True

    def _target(self, at: Sequence[int]) -> tuple[QWindow, QPoint]:
        """The window an event at a physical pixel goes to, and where in it, in its own pixels."""
        screen = QGuiApplication.primaryScreen()
        ratio = screen.devicePixelRatio()
        point = QPoint(round(at[0] / ratio), round(at[1] / ratio))
        popup = QApplication.activePopupWidget()
        window = self._held or (popup.windowHandle() if popup else None) or _window_at(point)
        if window is None:
            raise UserError(_("There is no window at {point}", point=f"{at[0]}, {at[1]}"))
        return window, window.mapFromGlobal(point)

    def _move(self, at: Sequence[int]) -> None:
        QTest.mouseMove(*self._target(at))

    def _press(self, at: Sequence[int], button: int) -> None:
        window, point = self._target(at)
        QTest.mousePress(window, _BUTTONS[button], self._modifiers, point)
        self._held = window if window.isVisible() else None

    def _release(self, at: Sequence[int], button: int) -> None:
        window, point = self._target(at)
        self._held = None
        QTest.mouseRelease(window, _BUTTONS[button], self._modifiers, point)

    def _wheel(self, at: Sequence[int], notches: int) -> None:
        window, point = self._target(at)
        QTest.wheelEvent(window, QPointF(point), QPoint(0, notches * _NOTCH))

    def _key(self, chord: str) -> None:
        combination = QKeySequence(chord)[0]  # type: ignore[index]
        key, modifiers = combination.key(), combination.keyboardModifiers()
        if len(chord) == 1:
            QTest.sendKeyEvent(QTest.KeyAction.Click, self._focus(), key, chord, modifiers)
        else:
            QTest.keyClick(self._focus(), key, modifiers)

    def _hold(self, key: str, down: bool) -> None:
        # The only key held in a tour.
        if key != "Alt":
            raise UserError(_("Hands cannot do that"))
        self._modifiers = Qt.KeyboardModifier.AltModifier if down else _NONE
        action = QTest.KeyAction.Press if down else QTest.KeyAction.Release
        QTest.sendKeyEvent(action, self._focus(), Qt.Key.Key_Alt, "", self._modifiers)

    def _write(self, text: str) -> None:
        for character in text:
            QTest.sendKeyEvent(QTest.KeyAction.Click, self._focus(), Qt.Key.Key_unknown, character, _NONE)

    def _focus(self) -> QWindow:
        popup = QApplication.activePopupWidget()
        window = (popup.windowHandle() if popup else None) or QGuiApplication.focusWindow()
        if window is None:
            raise UserError(_("No window has the keyboard"))
        return window

    def _grab(self, place: Sequence[int], path: str) -> None:
        screen = QGuiApplication.primaryScreen()
        ratio = screen.devicePixelRatio()
        left, top, width, height = (round(value / ratio) for value in place)
        if not screen.grabWindow(0, left, top, width, height).save(path):
            raise UserError(_("The picture could not be written: {path}", path=path))


def _window_at(point: QPoint) -> QWindow | None:
    """The window with the keyboard if it lies there, else any; the platform itself does not always know."""
    windows = [QGuiApplication.focusWindow(), *QGuiApplication.topLevelWindows()]
    here = (
        window
        for window in windows
        if window is not None and window.isVisible() and window.geometry().contains(point)
    )
    return next(here, None)


def main(arguments: Sequence[str]) -> int:
    """Run the ``studio`` verb with hands beside it."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = QApplication(["waymark-studio"])
    fingers = InstanceServer(Fingers().answer, app, name=socket_name(state_folder()) + HANDS)
    if not fingers.listen():
        return 1
    from collector.cli.main import main as waymark

    return waymark(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
