"""A person who presses, types and drags at random in every workspace, and notes what should not happen."""

from __future__ import annotations

import random
import re
import time
import traceback
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMenu, QPlainTextEdit, QTextEdit, QWidget

from studio.app.studio import Studio
from studio.commands.command import GLOBAL
from studio.widgets.window_frame.toasts import Toasts

_WORDS = ("shop", "a poster 😀", "kind:run", "键盘", "x" * 80, "- id: one", "0", "-1", "'\"", "state:missed ")
_KEYS = (
    "Return", "Enter", "Escape", "Tab", "Backtab", "Space", "Backspace", "Delete", "Left", "Right", "Up",
    "Down",
    "Home", "End", "PageUp", "PageDown", "F2", "F10", "Menu",
)  # fmt: skip
_CHORDS = ("A", "C", "V", "X", "Z", "Y", "Return", "Space", "Period", "Slash", "Home", "End")
_LEFT_ALONE = {"app.quit", "view.full-screen", "device.start-virtual"}
"""They end the walk, or leave the machine less and less to compute with."""
_BROKEN = re.compile(
    r"Traceback|Error\(|Exception|\bNone\b(?! of )|<\w+ object|\{\w+\}|\\u[0-9a-f]{4}|\[Errno"
)
"""What no message for people holds."""
_START_PHONE, _MOST_PHONES = "device.start-virtual", 2
"""Buttons start virtual phones too; with nine the walk shows how many phones the machine has room for."""
_NO_BUTTON, _LEFT = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
_REMEMBERED = 12
NESTED_MS = 2_000


class RandomPerson:
    """Acts on the widgets in front; ``seed`` repeats a walk as far as the machine does."""

    def __init__(
        self, studio: Studio, qtbot: Any, seed: int, ignored: tuple[str, ...] = (),
        left_alone: Collection[str] = (),
    ) -> None:  # fmt: skip
        """``ignored`` are parts of messages of Qt that a platform of tests gives.

        ``left_alone`` are commands that the person does not run, beside those that end the walk.
        """
        self.studio, self.qtbot = studio, qtbot
        self._left_alone = _LEFT_ALONE | set(left_alone)
        self._draw, self._ignored = random.Random(seed), ignored
        self._acts: deque[str] = deque(maxlen=_REMEMBERED)
        self.count = self._phones = 0
        self._start_phone: Callable[..., object] | None = None
        self._began = 0.0
        self.offences: list[str] = []
        """Messages of Qt, and of the window that are none for people, with what was done before."""
        self.said: set[str] = set()
        """What toasts said."""

    def walk(self, seconds: float, most: int = 1_000_000) -> None:
        """Act for a time, at most so many times; what is open then is closed."""
        with self.listening():
            end = time.monotonic() + seconds
            while time.monotonic() < end and self.count < most:
                self.act()
            self._close_all()

    def _leave_nested(self) -> None:
        """Close what an act waits for, as the message of Qt's file dialog on a missing file."""
        waited = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if waited is not None and time.monotonic() - self._began > NESTED_MS / 1000:
            self._note(f"close {type(waited).__name__}")
            if isinstance(waited, QDialog):
                waited.reject()
            else:
                waited.close()

    def act(self) -> None:
        """Do one thing, and let the window work."""
        self.count += 1
        self._began = time.monotonic()
        handlers = self.studio.commander.handlers
        handlers["app.quit"] = _stay  # a new window has handlers of its own
        if (start := handlers.get(_START_PHONE)) is not None and start is not self._start_phone:
            self._start_phone = handlers[_START_PHONE] = self._few_phones(start)
        popup, dialog = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog):
            keep_files(dialog)
        if popup is not None:
            self._in_menu(popup)
        elif dialog is not None and self._draw.random() < 0.15:
            self._note(f"close {type(dialog).__name__}")
            dialog.close()
        else:
            act = self._draw.choices(
                (self._command, self._click, self._type, self._press, self._chord, self._wheel, self._drag,
                 self._workspace),
                (20, 28, 14, 16, 8, 4, 5, 5),
            )[0]  # fmt: skip
            act(dialog or self.studio.window)
        self.qtbot.wait(self._draw.choice((0, 0, 1, 5, 20)))

    def _few_phones(self, start: Callable[..., object]) -> Callable[..., object]:
        @wraps(start)
        def started(**arguments: str) -> object:
            self._phones += 1
            return start(**arguments) if self._phones <= _MOST_PHONES else None

        return started

    # -- acts ----------------------------------------------------------------
    def _workspace(self, front: QWidget) -> None:
        if front is self.studio.window:
            self._run(self._draw.choice([entry for entry in self._commands() if entry.startswith("view.")]))

    def _command(self, front: QWidget) -> None:
        if front is self.studio.window and (commands := self._commands()):
            self._run(self._draw.choice(commands))

    def _commands(self) -> list[str]:
        commander = self.studio.commander
        return [
            command.id for command in commander.registry
            if command.id not in self._left_alone and command.scope in (GLOBAL, commander.scope)
            and commander.enabled(command.id)
        ]  # fmt: skip

    def _run(self, command: str) -> None:
        self._note(f"run {command}")
        self.studio.window.actions_of_window.run(command)

    def _click(self, front: QWidget) -> None:
        widget, at = self._somewhere(front)
        button = self._draw.choices((_LEFT, Qt.MouseButton.RightButton), (9, 1))[0]
        twice = self._draw.random() < 0.1
        self._note(f"{'double-' if twice else ''}click {button.name} {_named(widget)} {at.toTuple()}")
        (QTest.mouseDClick if twice else QTest.mouseClick)(widget, button, _NO_BUTTON, at)

    def _drag(self, front: QWidget) -> None:
        widget, at = self._somewhere(front)
        to = at + QPoint(self._draw.randint(-200, 200), self._draw.randint(-100, 100))
        self._note(f"drag {_named(widget)} {at.toTuple()} {to.toTuple()}")
        QTest.mousePress(widget, _LEFT, _NO_BUTTON, at)
        QTest.mouseMove(widget, to)
        QTest.mouseRelease(widget, _LEFT, _NO_BUTTON, to)

    def _wheel(self, front: QWidget) -> None:
        widget, at = self._somewhere(front)
        turn = QPoint(0, self._draw.choice((-360, -120, 120, 360)))
        keys = self._draw.choice((_NO_BUTTON, Qt.KeyboardModifier.ControlModifier))
        self._note(f"wheel {_named(widget)} {turn.y()}")
        event = QWheelEvent(
            QPointF(at), QPointF(widget.mapToGlobal(at)), QPoint(), turn, Qt.MouseButton.NoButton, keys,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(widget, event)

    def _type(self, front: QWidget) -> None:
        words, focus = self._draw.choice(_WORDS), QApplication.focusWidget() or front
        self._note(f"type {words[:12]!r} in {_named(focus)}")
        for char in words:
            target = QApplication.focusWidget() or front
            if char.isascii():
                QTest.keyClicks(target, char)
            elif isinstance(target, QTextEdit | QPlainTextEdit) and not target.isReadOnly():
                target.insertPlainText(char)  # QTest cannot press it

    def _press(self, front: QWidget) -> None:
        key, shift = self._draw.choice(_KEYS), self._draw.random() < 0.2
        focus = QApplication.focusWidget() or front
        self._note(f"press {'Shift+' if shift else ''}{key} in {_named(focus)}")
        for _time in range(self._draw.choice((1, 1, 1, 4))):
            focus = QApplication.focusWidget() or front
            QTest.keyClick(
                focus,
                getattr(Qt.Key, f"Key_{key}"),
                Qt.KeyboardModifier.ShiftModifier if shift else _NO_BUTTON,
            )

    def _chord(self, front: QWidget) -> None:
        key, focus = self._draw.choice(_CHORDS), QApplication.focusWidget() or front
        self._note(f"press Ctrl+{key} in {_named(focus)}")
        QTest.keyClick(focus, getattr(Qt.Key, f"Key_{key}"), Qt.KeyboardModifier.ControlModifier)

    def _in_menu(self, popup: QWidget) -> None:
        if isinstance(popup, QMenu) and self._draw.random() < 0.6:
            entries = [
                action for action in popup.actions() if action.isEnabled() and not action.isSeparator()
            ]
            entries = [action for action in entries if action.property("command") not in self._left_alone]
            if entries:
                action = self._draw.choice(entries)
                self._note(f"choose {action.text()!r}")
                popup.setActiveAction(action)
                QTest.keyClick(popup, Qt.Key.Key_Return)
                return
        self._note(f"leave {_named(popup)}")
        QTest.keyClick(popup, Qt.Key.Key_Escape)
        if QApplication.activePopupWidget() is popup:
            popup.close()

    def _somewhere(self, front: QWidget) -> tuple[QWidget, QPoint]:
        """A widget that can be seen, small ones as often as large ones, and a point in it."""
        widgets = front.findChildren(QWidget)
        for _try in range(20):
            widget = self._draw.choice(widgets) if widgets else front
            if widget.isEnabled() and widget.window() is front:
                box = widget.visibleRegion().boundingRect()
                if not box.isEmpty():
                    x, y = self._draw.randrange(box.width()), self._draw.randrange(box.height())
                    at = widget.mapTo(front, box.topLeft() + QPoint(x, y))
                    above = front.childAt(at) or front
                    return above, above.mapFrom(front, at)
        return front, front.rect().center()

    def _close_all(self) -> None:
        while (open_one := QApplication.activePopupWidget() or QApplication.activeModalWidget()) is not None:
            open_one.close()
            self.qtbot.wait(1)

    # -- what is noted -------------------------------------------------------
    def _note(self, act: str) -> None:
        self._acts.append(act)

    def _offend(self, what: str) -> None:
        self.offences.append("\n  ".join([what, *self._acts]))

    @contextmanager
    def listening(self, heard_toast: Callable[[str, str, str], None] | None = None) -> Iterator[None]:
        """Note messages of Qt with the line that caused them, and what toasts say; end what an act waits for.

        ``heard_toast`` gets kind, title and sentence of each toast.
        """

        def heard(kind: QtMsgType, _context: object, message: str) -> None:
            if kind is not QtMsgType.QtDebugMsg and not any(part in message for part in self._ignored):
                frames = [
                    frame for frame in traceback.extract_stack() if "/site-packages/" not in frame.filename
                ]
                lines = [f"{frame.filename.split('/')[-1]}:{frame.lineno}" for frame in frames[-6:-1]]
                self._offend(f"{message} (at {' < '.join(reversed(lines))})")

        show: Callable[..., object] = Toasts.show

        def say(toasts: Toasts, state: str, what: str, why: str = "", **more: Any) -> object:
            self.said.add(f"{state}: {what} | {why}")
            if heard_toast is not None:
                heard_toast(state, what, why)
            if _BROKEN.search(f"{what} {why}"):
                self._offend(f"a toast says {what!r} {why!r}")
            return show(toasts, state, what, why, **more)

        nested = QTimer(interval=NESTED_MS)
        nested.timeout.connect(self._leave_nested)
        nested.start()
        before = qInstallMessageHandler(heard)
        Toasts.show = say  # type: ignore[method-assign, assignment]
        try:
            yield
        finally:
            Toasts.show = show  # type: ignore[method-assign, assignment]
            qInstallMessageHandler(before)
            nested.stop()


def keep_files(dialog: QFileDialog) -> None:
    """Let nobody delete or rename files in it: it leads to every folder of the computer."""
    dialog.setOption(QFileDialog.Option.ReadOnly)


def _stay() -> None:
    """Quit not."""


def _named(widget: QWidget) -> str:
    return f"{type(widget).__name__}({widget.accessibleName()[:20]})"
