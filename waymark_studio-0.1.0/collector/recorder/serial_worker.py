"""A thread that runs jobs one after another; the only thread that uses the trajectory writer."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

_log = logging.getLogger(__name__)


class SerialWorker:
    """A serial job queue. ``submit`` never blocks; ``on_error`` gets the exception of a job that fails."""

    def __init__(self, name: str, on_error: Callable[[Exception], None]) -> None:
        self._on_error = on_error
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[], None]) -> None:
        self._jobs.put(job)

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until all jobs submitted so far are done; False when ``timeout`` seconds pass first."""
        done = threading.Event()
        self.submit(done.set)
        return done.wait(timeout)

    def close(self) -> None:
        """Run the submitted jobs, then end the thread. May be called twice."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception as error:  # noqa: BLE001 - a failing job must not stop the later ones
                _log.exception("a job of the recorder failed")
                self._on_error(error)
