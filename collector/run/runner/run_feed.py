"""Events of a run on their way to the log, to those who watch from other processes, and to the terminal."""

from __future__ import annotations

import dataclasses
import logging
import threading
from collections.abc import Callable

from collector.run.control.run_log import RunLog
from collector.run.control.run_server import RunServer
from collector.run.events import RunEvent
from collector.store.writer import now

_log = logging.getLogger(__name__)


class RunFeed:
    """Publishes events in one order for all. Thread-safe; never waits for anybody who watches."""

    def __init__(self, log: RunLog, server: RunServer, listener: Callable[[RunEvent], None]) -> None:
        """``listener`` is called on the thread that publishes, with one event at a time."""
        self._log, self._server, self._listener = log, server, listener
        self._lock = threading.Lock()

    def publish(self, event: RunEvent) -> None:
        """Tell everybody; an event without a time gets that of now."""
        with self._lock:
            timed = event if event.time else dataclasses.replace(event, time=now())
            self._log.add(timed)
            self._server.publish(timed)
            try:
                self._listener(timed)
            except Exception:  # noqa: BLE001 - a terminal that is gone must not end the run
                _log.exception("a listener failed on %r", timed.kind)
