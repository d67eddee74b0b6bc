"""End this process a few seconds after it was asked to quit, whatever its threads do.

A thread that never ends would keep the process for ever: Python waits for its threads. Half a second before
the end a thread ends what must not outlive the process and leaves. If Python cannot run any thread, because
a library holds its lock, the process is ended from outside of Python.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

QUIT_S = 3.0
"""Seconds from the wish to quit to the end of the process."""
_LAST_ACTS_S = 0.5
"""Of these, seconds for the last acts."""
_acts: dict[object, Callable[[], object]] = {}
_armed: _Armed | None = None


class _Armed(NamedTuple):
    disarmed: threading.Event
    report: int
    """Descriptor of the file for the stacks."""


def arm_quit_deadline(
    status: int, said: str = "", report: Path | None = None, seconds: float = QUIT_S
) -> None:
    """End the process with ``status`` after ``seconds`` if it has not ended by itself; once is enough.

    ``said`` is written to stderr then. The stacks of all threads go to the file ``report`` when the process
    is ended from outside of Python, with the status 1. May be called in a handler of a signal.
    """
    global _armed
    if _armed is not None:
        return
    disarmed = threading.Event()
    descriptor = os.open(report or os.devnull, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    _armed = _Armed(disarmed, descriptor)
    faulthandler.dump_traceback_later(seconds, exit=True, file=descriptor)
    threading.Thread(
        target=_wait_and_end, args=(disarmed, seconds, status, said), name="quit deadline", daemon=True
    ).start()


def disarm_quit_deadline() -> None:
    """Let the process go on: what was asked to quit has ended."""
    global _armed
    if _armed is not None:
        faulthandler.cancel_dump_traceback_later()
        _armed.disarmed.set()
        os.close(_armed.report)
        _armed = None


def before_sudden_end(act: Callable[[], object]) -> Callable[[], None]:
    """Call ``act`` before :func:`end_process`, to end another process that would outlive this one.

    Returns a function that takes it back. ``act`` must not wait.
    """
    key = object()
    _acts[key] = act

    def take_back() -> None:
        _acts.pop(key, None)

    return take_back


def end_process(status: int) -> NoReturn:
    """End the process at once with ``status``, and what must not outlive it."""
    for act in list(_acts.values()):
        with contextlib.suppress(Exception):
            act()
    os._exit(status)


def _wait_and_end(disarmed: threading.Event, seconds: float, status: int, said: str) -> None:
    if not disarmed.wait(seconds - _LAST_ACTS_S):
        if said:
            with contextlib.suppress(OSError):
                os.write(2, f"{said}\n".encode())
        end_process(status)
