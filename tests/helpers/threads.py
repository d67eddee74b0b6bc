"""A thread that outlives the test that started it is a failure, daemon or not."""

from __future__ import annotations

import sys
import threading
import time
import traceback

GRACE_SECONDS = 5.0
# The timer of pytest-timeout and the pipes of xdist live as long as they need to.
OF_THE_RUNNER = ("pytest_timeout", "execnet")


def leaked_threads(before: set[threading.Thread], tolerated: tuple[str, ...] = ()) -> list[str]:
    """Threads started since ``before`` that did not end within the grace, each with where it stands.

    ``tolerated`` are name prefixes, for fixtures that live longer than one test.
    """
    deadline = time.monotonic() + GRACE_SECONDS
    reports = []
    for thread in threading.enumerate():
        # A dummy stands for a thread of Qt's or of C's making; Qt's own are watched in qt_leaks.
        if thread in before or isinstance(thread, threading._DummyThread):
            continue
        if thread.name.startswith(OF_THE_RUNNER + tolerated):
            continue
        _join(thread, deadline)
        if thread.is_alive():
            reports.append(_report(thread))
    return reports


def _report(thread: threading.Thread) -> str:
    frame = sys._current_frames().get(thread.ident or 0)
    where = "".join(traceback.format_stack(frame)[-3:]) if frame else "(already ending)\n"
    return f"thread {thread.name!r} (daemon={thread.daemon}) outlived the test, at\n{where}"


def _join(thread: threading.Thread, deadline: float) -> None:
    """Wait for the end of a thread, also of one Python lists while it is still being started."""
    while True:
        try:
            thread.join(max(0.0, deadline - time.monotonic()))
        except RuntimeError:
            if time.monotonic() > deadline:
                return
            time.sleep(0.001)
        else:
            return
