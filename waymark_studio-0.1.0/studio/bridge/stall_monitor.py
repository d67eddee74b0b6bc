"""Measure stalls of the GUI thread and log them."""

from __future__ import annotations

import logging
import time

from PySide6.QtCore import QObject, Qt, QTimer, Slot

_log = logging.getLogger(__name__)
STALL_MS = 50
_BEAT_MS = 20


class StallMonitor(QObject):
    """A heartbeat timer in the event loop: a late beat is a stall."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.worst_ms = 0.0
        """The longest stall since :meth:`start`."""
        self.count = 0
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_BEAT_MS)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        self.worst_ms, self.count = 0.0, 0
        self._last = time.monotonic()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    @Slot()
    def _beat(self) -> None:
        now = time.monotonic()
        late = (now - self._last) * 1000 - _BEAT_MS
        self._last = now
        self.worst_ms = max(self.worst_ms, late)
        if late > STALL_MS:
            self.count += 1
            _log.info("the window stood still for %.0f ms", late)
