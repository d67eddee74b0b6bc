"""What a person types while a verb runs: lines of the standard input, and Ctrl+C."""

from __future__ import annotations

import queue
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from collector.host.ending_signals import ENDING_SIGNALS

STOP = "stop"
"""What Ctrl+C and SIGTERM mean."""


class TypedLines:
    """The lines that were typed, in order."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def next(self, seconds: float) -> str | None:
        """The next line, without spaces and in small letters; None when none came."""
        try:
            return self._lines.get(timeout=seconds)
        except queue.Empty:
            return None

    def put(self, line: str) -> None:
        self._lines.put(line.strip().lower())

    def read(self) -> None:
        """Read the standard input until it ends."""
        for line in sys.stdin:
            self.put(line)


@contextmanager
def typed_lines() -> Iterator[TypedLines]:
    """Listen to the terminal; a signal that ends a program becomes :data:`STOP`."""
    typed = TypedLines()
    before = {number: signal.signal(number, lambda *_arguments: typed.put(STOP)) for number in ENDING_SIGNALS}
    threading.Thread(target=typed.read, name="typed lines", daemon=True).start()
    try:
        yield typed
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
