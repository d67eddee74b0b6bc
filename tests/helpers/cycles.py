"""Collect reference cycles between tests, on the main thread.

Otherwise any thread of a later test may destroy the objects of a window, and Qt aborts the process.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

_WINDOWS = 24
"""Windows that may end before their cycles are collected together: each time every object is visited."""
_FULL_EVERY = 200
"""Collections of the middle generation after which the oldest is collected too."""
_FROZEN = 2_000_000
_ended = 0


@contextmanager
def collected_together() -> Iterator[None]:
    """Postpone the full collection with which a window ends, to be one for several windows.

    No other thread can be the one that collects meanwhile: Python's automatic collection is off.
    """
    global _ended
    with mock.patch.object(gc, "collect"):
        yield
    gc.disable()
    _ended += 1


def freeze_tests() -> None:
    """Leave all modules and tests out of every collection, which would visit two million objects each time.

    A window freezes and unfreezes all objects of its process. Here it does neither: the tests would be
    visited again, and what an earlier test left would never be collected.
    """
    gc.collect()
    gc.freeze()
    if "PySide6.QtCore" in sys.modules:
        from studio.bridge import garbage_collector

        vars(garbage_collector)["gc"] = _GcWithoutFreezing()


class _GcWithoutFreezing:
    """The module ``gc``, in which all that is frozen stays so.

    A window freezes what its regular collections have kept, so that the next ones do not visit it again. Here
    these collections leave out the oldest generation instead, where the same objects are.
    """

    def __init__(self) -> None:
        self._is_whole = False

    def __getattr__(self, name: str) -> Any:
        return getattr(gc, name)

    def freeze(self) -> None:
        self._is_whole = False

    def unfreeze(self) -> None:
        self._is_whole = True

    def get_freeze_count(self) -> int:
        """No window of a test comes near to as many: to count them would visit all modules and tests."""
        return _FROZEN

    def collect(self, generation: int = 2) -> int:
        return gc.collect(generation if self._is_whole else min(generation, 1))


@contextmanager
def real_freezing() -> Iterator[None]:
    """A window's collector freezes as it does in the program."""
    from studio.bridge import garbage_collector

    with mock.patch.object(garbage_collector, "gc", gc):
        yield
    gc.collect(1)  # as the collector ended, it collected all: what came since is young
    gc.freeze()


def collect_due() -> None:
    """Collect what Python would have collected; its automatic collection stays off once Qt is loaded."""
    global _ended
    if "PySide6.QtCore" not in sys.modules:
        return
    gc.disable()
    counts, thresholds = gc.get_count(), (*gc.get_threshold()[:2], _FULL_EVERY)
    due = max((each for each in range(3) if counts[each] > thresholds[each]), default=-1)
    if _ended >= _WINDOWS:
        due = 2
    if due == 2:
        _ended = 0
    if due >= 0:
        gc.collect(due)
