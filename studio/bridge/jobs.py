"""Background jobs: a pool for parallel work, and one serial thread for the store."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

_log = logging.getLogger(__name__)
Work = Callable[["Job"], Any]


class Job(QObject):
    """One piece of work. Signals arrive on the GUI thread; exactly one of the three ends it.

    The work gets the job: it calls ``report`` and asks ``cancelled``.
    """

    succeeded = Signal(object)
    failed = Signal(object)
    stopped = Signal()
    progressed = Signal(object)
    _ended = Signal(object, object)

    def __init__(self, title: str, parent: QObject | None = None, *, serial: bool = False) -> None:
        super().__init__(parent)
        self.title = title
        self.serial = serial
        self.done = 0
        self.total = 0
        self._cancel = threading.Event()
        self._ended.connect(self._report_end, Qt.ConnectionType.QueuedConnection)
        self.finished = False

    @property
    def cancelled(self) -> bool:
        """Whether the job was asked to stop. Any thread."""
        return self._cancel.is_set()

    def cancel(self) -> None:
        """Ask the work to stop; it ends with ``stopped`` unless it was done before it noticed."""
        self._cancel.set()

    def report(self, done: int, total: int = 0) -> None:
        """Report progress. Any thread."""
        self.done, self.total = done, total
        self.progressed.emit((done, total))

    def run(self, work: Work) -> None:
        """On the worker's thread."""
        if self.cancelled:
            self._ended.emit(None, None)
            return
        try:
            result = work(self)
        except Exception as error:  # noqa: BLE001 - handed to the GUI thread, which shows it
            _log.info("%s failed: %s", self.title, traceback.format_exc())
            self._ended.emit(None, error)
        else:
            self._ended.emit(result, None)

    @Slot(object, object)
    def _report_end(self, result: object, error: Exception | None) -> None:
        self.finished = True
        if error is not None:
            self.failed.emit(error)
        elif self.cancelled:
            self.stopped.emit()
        else:
            self.succeeded.emit(result)


class JobRunner(QObject):
    """Starts jobs and owns them while they run. GUI thread only.

    ``unhandled`` carries the error of a job nobody gave a ``failure`` for.
    """

    changed = Signal()
    unhandled = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(4, thread_name_prefix="work")
        self._serial = ThreadPoolExecutor(1, thread_name_prefix="store")
        self.jobs: list[Job] = []

    def run(
        self,
        work: Work,
        *,
        title: str = "",
        success: Callable[[Any], object] | None = None,
        failure: Callable[[Exception], object] | None = None,
        serial: bool = False,
    ) -> Job:
        """Run ``work(job)`` behind; ``success(result)`` or ``failure(error)`` come on the GUI thread.

        Hand over bound methods of QObjects. ``serial`` keeps store work in order.
        A ``title`` makes the job visible in the rail.
        """
        job = Job(title, self, serial=serial)
        self.jobs.append(job)
        if success is not None:
            job.succeeded.connect(success)
        job.failed.connect(failure if failure is not None else self.unhandled)
        job.succeeded.connect(self._settle)
        job.failed.connect(self._settle)
        job.stopped.connect(self._settle)
        (self._serial if serial else self._pool).submit(job.run, work)
        self.changed.emit()
        return job

    @property
    def titled(self) -> list[Job]:
        """Jobs a person may want to see."""
        return [job for job in self.jobs if job.title]

    def close(self) -> None:
        """Cancel parallel jobs, finish serial ones, and wait for both; their results are dropped."""
        for job in self.jobs:
            job.blockSignals(True)  # who asked may be gone by the time the answer is taken from the queue
            # What was asked of the store is done to the end: nothing recorded is lost.
            if not job.serial:
                job.cancel()
        self._serial.shutdown(wait=True)
        self._pool.shutdown(wait=True, cancel_futures=True)

    @Slot()
    def _settle(self) -> None:
        for job in [job for job in self.jobs if job.finished]:
            self.jobs.remove(job)
            job.deleteLater()
        self.changed.emit()
