"""Close the window on Ctrl+C, SIGTERM and SIGHUP as its close button does."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier, Slot

from collector.host.ending_signals import ENDING_SIGNALS

# A terminal that is closed, and a session that ends, send SIGHUP.
_SIGNALS = ENDING_SIGNALS if sys.platform == "win32" else (*ENDING_SIGNALS, signal.SIGHUP)


class SignalWatcher(QObject):
    """Calls ``leave`` on the GUI thread when a signal arrives. Close it before the interpreter exits.

    ``caught`` is called at once, in the handler of the signal, also while the GUI thread is busy.
    """

    def __init__(
        self, leave: Callable[[], object], caught: Callable[[], object], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._leave, self._on_signal = leave, caught
        self._reader, self._writer = socket.socketpair()
        for end in (self._reader, self._writer):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._woken)
        signal.set_wakeup_fd(self._writer.fileno())
        self._before = {number: signal.signal(number, self._caught) for number in _SIGNALS}

    def close(self) -> None:
        """Restore the signal handlers that were set before."""
        signal.set_wakeup_fd(-1)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._notifier.setEnabled(False)
        self._reader.close()
        self._writer.close()

    def _caught(self, _number: int, _frame: object) -> None:
        # The byte that Python writes to the wake-up socket calls _woken on the GUI thread.
        self._on_signal()

    @Slot()
    def _woken(self) -> None:
        self._reader.recv(64)
        self._leave()
