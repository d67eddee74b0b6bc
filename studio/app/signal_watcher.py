"""Ctrl+C and SIGTERM close the window as its close button does."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier, Slot


class SignalWatcher(QObject):
    """Wakes the event loop when a signal arrives; call ``close`` before the interpreter leaves."""

    def __init__(self, leave: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._leave = leave
        self._ours, self._theirs = socket.socketpair()
        for end in (self._ours, self._theirs):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._woken)
        signal.set_wakeup_fd(self._theirs.fileno())
        numbers = [signal.SIGINT, signal.SIGTERM] if sys.platform != "win32" else [signal.SIGINT]
        self._before = {number: signal.signal(number, self._caught) for number in numbers}

    def close(self) -> None:
        """Give the signals back."""
        signal.set_wakeup_fd(-1)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._notifier.setEnabled(False)
        self._ours.close()
        self._theirs.close()

    def _caught(self, _number: int, _frame: object) -> None:
        # The byte written to the wake-up socket does the work, on the GUI thread.
        return

    @Slot()
    def _woken(self) -> None:
        self._ours.recv(64)
        self._leave()
