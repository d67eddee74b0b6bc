"""Detect threads that outlive the test that started them, daemons included."""

from __future__ import annotations

import sys
import threading
import time
import traceback

GRACE_SECONDS = 5.0
# Threads of pytest-timeout and xdist may outlive a test.
OF_THE_RUNNER = ("pytest_timeout", "execnet")


def leaked_threads(before: set[threading.Thread], tolerated: tuple[str, ...] = ()) -> list[str]:
    """Report threads started since ``before`` that did not end within the grace time, with their stacks.

    ``tolerated`` are name prefixes, for fixtures that live longer than one test.
    """
    deadline = time.monotonic() + GRACE_SECONDS
    reports = []
    for thread in threading.enumerate():
        # A dummy represents a thread started by Qt or C; qt_leaks checks those of Qt.
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
