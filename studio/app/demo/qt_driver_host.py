"""Run the real program without a screen, with a second socket that accepts input events.

For machines without a virtual X server. The events enter through Qt's window system interface,
as those of a platform do, so the window behaves as usual.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from collector.host.user_folders import state_folder
from collector.model.errors import UserError
from collector.model.i18n import _
from studio.app.single_instance import InstanceServer, WindowRequest, socket_name

SOCKET_SUFFIX = "-driver"
"""Ending of the name of the second socket."""
_BUTTONS = {1: Qt.MouseButton.LeftButton, 2: Qt.MouseButton.MiddleButton, 3: Qt.MouseButton.RightButton}
_NONE = Qt.KeyboardModifier.NoModifier
_NOTCH = 120
_KEYBOARD_MS, _LOOK_MS = 5000, 20
"""For how long a window with the keyboard is waited for."""


class QtInput:
    """Turns requests into Qt events. Use it on the GUI thread only."""

    def __init__(self) -> None:
        self._pressed_window: QWindow | None = None
        self._modifiers = _NONE
        self._popup: QWidget | None = None

    def answer(self, request: WindowRequest) -> object:
        """Handle one request: move, press, release, wheel, key, hold, write, resize or grab."""
        handlers: dict[str, Any] = {
            "move": self._move, "press": self._press, "release": self._release, "wheel": self._wheel,
            "key": self._key, "hold": self._hold, "write": self._write, "grab": self._grab,
            "resize": self._resize,
        }  # fmt: skip
        handler = handlers.get(str(request.pop("event", "")))
        if handler is None:
            raise UserError(_("This input event is not supported"))
        handler(**request)
        return True

    def _target(self, at: Sequence[int]) -> tuple[QWindow, QPoint]:
        """The window that gets an event at a physical pixel, and the point in its own coordinates."""
        screen = QGuiApplication.primaryScreen()
        ratio = screen.devicePixelRatio()
        point = QPoint(round(at[0] / ratio), round(at[1] / ratio))
        window = self._pressed_window or self._popup_window() or _window_at(point)
        if window is None:
            raise UserError(_("There is no window at {point}", point=f"{at[0]}, {at[1]}"))
        return window, window.mapFromGlobal(point)

    def _move(self, at: Sequence[int]) -> None:
        QTest.mouseMove(*self._target(at))

    def _press(self, at: Sequence[int], button: int) -> None:
        window, point = self._target(at)
        QTest.mousePress(window, _BUTTONS[button], self._modifiers, point)
        self._pressed_window = window if window.isVisible() else None

    def _release(self, at: Sequence[int], button: int) -> None:
        window, point = self._target(at)
        self._pressed_window = None
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
        # The tour holds no other key.
        if key != "Alt":
            raise UserError(_("This input event is not supported"))
        self._modifiers = Qt.KeyboardModifier.AltModifier if down else _NONE
        action = QTest.KeyAction.Press if down else QTest.KeyAction.Release
        QTest.sendKeyEvent(action, self._focus(), Qt.Key.Key_Alt, "", self._modifiers)

    def _write(self, text: str) -> None:
        for character in text:
            QTest.sendKeyEvent(QTest.KeyAction.Click, self._focus(), Qt.Key.Key_unknown, character, _NONE)

    def _resize(self, size: Sequence[int]) -> None:
        ratio = QGuiApplication.primaryScreen().devicePixelRatio()
        self._focus().resize(round(size[0] / ratio), round(size[1] / ratio))

    def _popup_window(self) -> QWindow | None:
        """The window of the popup that is open; None for none.

        The popup is kept: once nothing in Python names a popup that Qt made, as the list of a combo box, the
        object of its window is gone with it.
        """
        self._popup = QApplication.activePopupWidget()
        return self._popup.windowHandle() if self._popup is not None else None

    def _focus(self) -> QWindow:
        """The window with the keyboard, waited for: while one closes, the next may not have it yet."""
        for _number in range(_KEYBOARD_MS // _LOOK_MS):
            window = self._popup_window() or QGuiApplication.focusWindow()
            if window is not None and isValid(window):
                return window
            _activate_front()
            QTest.qWait(_LOOK_MS)
        raise UserError(_("No window has the keyboard"))

    def _grab(self, rectangle: Sequence[int], path: str) -> None:
        screen = QGuiApplication.primaryScreen()
        ratio = screen.devicePixelRatio()
        left, top, width, height = (round(value / ratio) for value in rectangle)
        if not screen.grabWindow(0, left, top, width, height).save(path):
            raise UserError(_("The picture could not be written: {path}", path=path))


def _activate_front() -> None:
    """Give the keyboard to the window in front, as a window manager does when another one closes."""
    windows = [QGuiApplication.modalWindow(), *QGuiApplication.topLevelWindows()]
    kinds = (Qt.WindowType.Window, Qt.WindowType.Dialog)
    for window in windows:
        if window is not None and isValid(window) and window.isVisible() and window.type() in kinds:
            window.requestActivate()
            return


def _window_at(point: QPoint) -> QWindow | None:
    """The visible window at a point, the focused one first, then a modal one.

    The offscreen platform does not always know.
    """
    first = [QGuiApplication.focusWindow(), QGuiApplication.modalWindow()]
    windows = [*first, *QGuiApplication.topLevelWindows()]
    matches = (
        window
        for window in windows
        if window is not None and isValid(window) and window.isVisible() and window.geometry().contains(point)
    )
    return next(matches, None)


def main(arguments: Sequence[str]) -> int:
    """Run the ``studio`` verb beside the input socket."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = QApplication(["waymark-studio"])
    server = InstanceServer(QtInput().answer, app, name=socket_name(state_folder()) + SOCKET_SUFFIX)
    if not server.listen():
        return 1
    from collector.cli.main import main as waymark

    return waymark(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
