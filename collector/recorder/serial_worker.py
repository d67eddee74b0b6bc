"""One thread that does jobs in the order they were given: the only one that touches the writer."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

_log = logging.getLogger(__name__)


class SerialWorker:
    """A serial job queue. ``submit`` never waits; ``failed`` is told of a job that raised."""

    def __init__(self, name: str, failed: Callable[[Exception], None]) -> None:
        self._failed = failed
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[], None]) -> None:
        self._jobs.put(job)

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until all that was submitted before is done; False when ``timeout`` seconds went by first."""
        done = threading.Event()
        self.submit(done.set)
        return done.wait(timeout)

    def close(self) -> None:
        """Do what was submitted, then end. May be called twice."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception as error:  # noqa: BLE001 - one bad job must not end the thread of all later ones
                _log.exception("a recorder's job failed")
                self._failed(error)
