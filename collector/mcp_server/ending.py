"""Ctrl+C and SIGTERM end a server: its phones are switched off first."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator

from collector.host.ending_signals import ENDING_SIGNALS


@contextlib.contextmanager
def on_signals(end: Callable[[], object]) -> Iterator[None]:
    """While it lasts, call ``end`` in the event loop that runs when the process is asked to end.

    Works on every system, as the handlers of an event loop do not. For the main thread.
    """
    loop = asyncio.get_running_loop()
    before = [
        signal.signal(number, lambda *_arguments: loop.call_soon_threadsafe(end)) for number in ENDING_SIGNALS
    ]
    try:
        yield
    finally:
        for number, handler in zip(ENDING_SIGNALS, before, strict=True):
            signal.signal(number, handler)
