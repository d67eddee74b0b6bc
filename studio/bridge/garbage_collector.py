"""Collect reference cycles on the GUI thread only.

Python collects cycles on the thread that allocates. A QObject in a cycle is then destroyed on a worker
thread: its timers cannot be stopped there, and Qt aborts the program.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

_INTERVAL_MS = 50
# Live objects that one collection visits: 20,000 to 70,000, which takes 5 to 30 ms.
_MANY_NEW = 20_000
_MANY_KEPT = 50_000
_GROWTH = 2


class GarbageCollector(QObject):
    """Replaces Python's automatic collection while a window runs. Use it on the GUI thread only.

    Objects that live long are frozen (``gc.freeze``), so that a regular collection visits few. Cycles among
    frozen objects are collected by :meth:`collect_all`, and whenever the frozen objects have doubled.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_enabled = False
        self._new = self._kept = 0
        self._frozen: int | None = None
        self._added = 0
        """Upper bound of the objects that were frozen since they were counted."""
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
        self._frozen = None  # counted when it is needed: that visits each of them
        self._new = self._kept = self._added = 0

    def collect_all(self) -> None:
        """Collect the frozen objects too: after a window is gone. It may take 100 ms."""
        gc.unfreeze()
        gc.collect()
        self.freeze()

    @Slot()
    def collect_due(self) -> None:
        """Collect when enough objects are new."""
        if self._is_count_due():
            self._count_frozen()  # in a turn of its own
            return
        count, threshold = gc.get_count()[0], gc.get_threshold()[0]
        if count <= threshold:
            return
        self._new += count
        if self._new < _MANY_NEW:
            gc.collect(0)
            return
        self._kept += self._new
        self._new = 0
        gc.collect()
        # An upper bound of the objects that stay. gc.get_objects() would count them, but it also holds the
        # tuples that other threads are building, and Python then raises SystemError there.
        if self._kept > _MANY_KEPT and self._frozen is not None:
            self._freeze_kept()

    def _freeze_kept(self) -> None:
        gc.freeze()
        self._added += self._kept
        self._kept = 0

    def _is_count_due(self) -> bool:
        if self._frozen is None:
            return self._kept > _MANY_KEPT
        return self._added > self._frozen * (_GROWTH - 1)

    def _count_frozen(self) -> None:
        """Count the frozen objects, which takes 20 ms, and collect them too once they have doubled."""
        count = gc.get_freeze_count()
        if self._frozen is None:
            self._frozen = count
            gc.collect(0)
            self._freeze_kept()
        elif count > self._frozen * _GROWTH:
            self.collect_all()
        else:
            self._added = count - self._frozen
