"""Collect reference cycles on the GUI thread only.

Python collects cycles on the thread that allocates. A QObject in a cycle is then destroyed on a worker
thread: its timers cannot be stopped there, and Qt aborts the program.
"""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QObject, QTimer, Slot

_INTERVAL_MS = 50
# Live objects that one collection visits: 20,000 to 70,000, which takes 5 to 30 ms.
_MANY_NEW = 20_000
_MANY_KEPT = 50_000
_GROWTH = 2
_LEAST_GROWTH = 1_500_000
"""Blocks of memory, 70 bytes each: opening all workspaces takes fewer, and leaves hardly any garbage."""


class GarbageCollector(QObject):
    """Replaces Python's automatic collection while a window runs. Use it on the GUI thread only.

    Objects that live long are frozen (``gc.freeze``), so that a regular collection visits few. Cycles among
    frozen objects are collected by :meth:`collect_all`, and when the memory of Python's objects has doubled,
    by 100 MB at least.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_enabled = False
        self._new = self._kept = 0
        self._blocks = 0
        """Blocks of memory in use when everything was collected last."""
        self._is_grown = False
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self.collect_due)

    def start(self) -> None:
        """Switch Python's automatic collection off; collect by a timer from now on."""
        if not self._timer.isActive():
            self._was_enabled = gc.isenabled()
            gc.disable()
            self.freeze()
            self._timer.start()

    def stop(self) -> None:
        """Collect everything and restore Python's automatic collection."""
        if not self._timer.isActive():
            return
        self._timer.stop()
        gc.unfreeze()
        gc.collect()
        if self._was_enabled:
            gc.enable()

    def freeze(self) -> None:
        """Leave all objects that exist now out of the regular collections."""
        gc.freeze()
        self._blocks = sys.getallocatedblocks()
        self._new = self._kept = 0
        self._is_grown = False

    def collect_all(self) -> None:
        """Collect the frozen objects too: after a window is gone. It takes 0.5 s for 500,000 objects."""
        gc.unfreeze()
        gc.collect()
        self.freeze()

    @Slot()
    def collect_due(self) -> None:
        """Collect when enough objects are new."""
        if self._is_grown:
            self.collect_all()  # in a turn of its own
            return
        count, threshold = gc.get_count()[0], gc.get_threshold()[0]
        if count <= threshold:
            return
        self._new += count
        if self._new < _MANY_NEW:
            gc.collect(0)
            return
        # About as many stay: frozen, the trees that a cache is about to drop would stay for good.
        # gc.get_objects() would count them, but it also holds the tuples that other threads are building, and
        # Python then raises SystemError there.
        self._kept += max(0, self._new - gc.collect())
        self._new = 0
        if self._kept > _MANY_KEPT:
            gc.freeze()
            self._kept = 0
            # gc.get_freeze_count() visits each frozen object, which takes 30 ms; this takes 0.1 ms.
            most = max(self._blocks * _GROWTH, self._blocks + _LEAST_GROWTH)
            self._is_grown = sys.getallocatedblocks() > most
