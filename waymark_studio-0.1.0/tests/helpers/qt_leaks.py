"""Detect running QThreads and active QTimers that a test leaves behind.

Their ``start`` is wrapped once, so that a report names the line that started the thing.
Nothing here imports Qt: it looks only when the tests have loaded it.
"""

from __future__ import annotations

import sys
import traceback
import weakref
from collections.abc import Callable
from typing import Any

GRACE_MS = 5000
_started: list[tuple[weakref.ref[Any], str]] = []
_watching = False


def qt_core() -> Any | None:
    """Return PySide6.QtCore when a test module has loaded it."""
    return sys.modules.get("PySide6.QtCore")


def watch() -> None:
    """Start to record every started QThread and QTimer; further calls do nothing."""
    global _watching
    core = qt_core()
    if core is None or _watching:
        return
    _watching = True
    for kind in (core.QThread, core.QTimer):
        kind.start = _noting(kind.start)


def _noting(start: Callable[..., Any]) -> Callable[..., Any]:
    def noting(self: Any, *args: Any) -> Any:
        if type(self).__name__ != "QtPoolThread":
            caller = traceback.extract_stack(limit=2)[0]
            _started.append((weakref.ref(self), f"{caller.filename}:{caller.lineno}"))
        return start(self, *args)

    return noting


def leaks() -> list[str]:
    """Report running QThreads and active QTimers, after deferred deletions."""
    core = qt_core()
    application = core.QCoreApplication.instance() if core else None
    if core is None or application is None:
        return []
    core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete)
    reports = []
    if not core.QThreadPool.globalInstance().waitForDone(GRACE_MS):
        reports.append("work in the global QThreadPool outlived the test")
    for reference, place in _started:
        thing = reference()
        if thing is None or not sys.modules["shiboken6"].isValid(thing):
            continue
        if isinstance(thing, core.QThread):
            if thing.isRunning() and not thing.wait(GRACE_MS):
                reports.append(f"{type(thing).__name__} started at {place} still runs")
        elif thing.isActive():
            reports.append(f"{type(thing).__name__} started at {place} is still active")
            thing.stop()
    _started.clear()
    return reports
