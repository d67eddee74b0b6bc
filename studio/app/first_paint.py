"""Wait until a window has painted for the first time."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

# A window that starts minimised, or on another desktop, does not paint.
LONGEST_WAIT_MS = 500


class FirstPaint(QObject):
    """Emits ``done`` once, when the window is on the screen, or half a second after it was shown."""

    done = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._timer = QTimer(self, singleShot=True, interval=LONGEST_WAIT_MS)
        self._timer.timeout.connect(self._end)
        self._timer.start()
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Paint and watched is self._window:
            # The paint reaches the screen after this event.
            self._timer.start(0)
        return False

    @Slot()
    def _end(self) -> None:
        self._window.removeEventFilter(self)
        self.done.emit()
