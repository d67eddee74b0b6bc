"""End this process a few seconds after it was asked to quit, whatever its threads do.

The seconds are those of a machine without other work: on a loaded one they are longer by as much as the load.
Whoever gets on with the end says so, and the seconds begin anew, up to :data:`LONGEST_S` in all.

A thread that never ends would keep the process for ever: Python waits for its threads. Half a second before
the end a thread ends what must not outlive the process and leaves. If Python cannot run any thread, because
a library holds its lock, the process is ended from outside of Python.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from collector.host.machine_load import slowness

QUIT_S = 3.0
"""Seconds from the wish to quit to the end of the process, on a machine without other work."""
LONGEST_S = 30.0
"""Seconds after which the process ends in any case."""
_TICK_S = 0.1
_LAST_ACTS_S = 0.5
"""Of these, seconds for the last acts."""
_acts: dict[object, Callable[[], object]] = {}
_armed: _Armed | None = None


@dataclass(eq=False)
class _Armed:
    seconds: float
    report: int
    """Descriptor of the file for the stacks."""
    left: float = field(init=False)
    """Seconds that are left on a machine without other work."""
    end: float = field(init=False)
    """The moment of the monotonic clock at which the process ends in any case."""
    disarmed: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._lock = threading.RLock()  # a signal may arm in the middle of anything
        self.left = self.seconds
        self.end = time.monotonic() + self.seconds * LONGEST_S / QUIT_S

    def watch_from_outside(self, slowed: float) -> None:
        """Let a thread of C end the process when Python runs no thread any more."""
        seconds = min(max(self.left, _LAST_ACTS_S) * slowed, max(_TICK_S, self.end - time.monotonic()))
        with self._lock:
            if not self.disarmed.is_set():
                faulthandler.dump_traceback_later(seconds, exit=True, file=self.report)

    def disarm(self) -> None:
        with self._lock:
            self.disarmed.set()
            faulthandler.cancel_dump_traceback_later()
            os.close(self.report)

    def pass_tick(self, slowed: float) -> bool:
        """Count a moment that has passed; whether the last acts are due."""
        self.left -= _TICK_S / slowed
        return self.left <= _LAST_ACTS_S or time.monotonic() >= self.end - _LAST_ACTS_S


def arm_quit_deadline(
    status: int, said: str = "", report: Path | None = None, seconds: float = QUIT_S
) -> None:
    """End the process with ``status`` after ``seconds`` if it has not ended by itself; once is enough.

    On a loaded machine, and after :func:`delay_quit_deadline`, it is later, by at most ten times.
    ``said`` is written to stderr then, and the stacks of all threads to the file ``report``. Ended from
    outside of Python the process says nothing, and its status is 1. May be called in a handler of a signal.
    """
    global _armed
    if _armed is not None:
        return
    descriptor = os.open(report or os.devnull, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    _armed = _Armed(seconds, descriptor)
    _armed.watch_from_outside(slowness())
    threading.Thread(
        target=_wait_and_end, args=(_armed, status, said), name="quit deadline", daemon=True
    ).start()


def delay_quit_deadline(seconds: float = QUIT_S) -> None:
    """Let at least ``seconds`` be left, up to :data:`LONGEST_S` in all: the end of this process gets on.

    It does nothing before the process was asked to quit. Any thread may call it.
    """
    armed = _armed
    if armed is not None:
        armed.left = max(armed.left, seconds)


def disarm_quit_deadline() -> None:
    """Let the process go on: what was asked to quit has ended."""
    global _armed
    if _armed is not None:
        _armed.disarm()
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


def _wait_and_end(armed: _Armed, status: int, said: str) -> None:
    slowed = slowness()
    while not armed.disarmed.wait(_TICK_S):
        if armed.pass_tick(slowed):
            with contextlib.suppress(OSError):
                faulthandler.dump_traceback(armed.report)
            if said:
                with contextlib.suppress(OSError):
                    os.write(2, f"{said}\n".encode())
            end_process(status)
        slowed = slowness()
        armed.watch_from_outside(slowed)
