"""Background jobs: a pool for parallel work, a thread for edits of the store, and one for its long work."""

from __future__ import annotations

import enum
import logging
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from types import MethodType
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance, Slot
from shiboken6 import isValid

from collector.host.quit_deadline import LONGEST_S, delay_quit_deadline
from collector.model.cancellation import Cancelled, cancellable
from collector.model.errors import UserError

_log = logging.getLogger(__name__)


class JobQueue(enum.Enum):
    """Where a job runs. Closing the runner waits for all queues."""

    POOL = "pool"
    """Beside other jobs; cancelled when the runner closes."""
    STORE = "store"
    """In order, and quick: what was edited must be on the disk at once. Finished when the runner closes."""
    LONG = "long"
    """In order, and takes its time, as an import does. Finished when the runner closes."""
    INDEX = "index"
    """As LONG, but cancelled when the runner closes: it only reads what is on the disk."""


Work = Callable[["Job"], Any]


class Job(QObject):
    """One piece of work. Signals arrive on the GUI thread; exactly one of the three ends it.

    The work gets the job: it calls ``report`` and asks ``cancelled``.
    """

    succeeded = Signal(object)
    failed = Signal(object)
    stopped = Signal()
    progressed = Signal(object)

    def __init__(
        self,
        title: str,
        parent: QObject | None = None,
        work: Work | None = None,
        *,
        queue: JobQueue = JobQueue.POOL,
        saves: bool = False,
    ) -> None:
        super().__init__(parent)
        self.title = title
        self.queue = queue
        self.saves = saves
        """Whether the job writes what a person edited."""
        self.done = 0
        self.total = 0
        self._cancel = threading.Event()
        self.finished = False
        # Kept here and nowhere on the worker's thread: the work and the frames of its error can hold the last
        # reference to an object of Qt, which crashes the process when another thread than its own ends it.
        self._work = work
        self._result: object = None
        self._error: Exception | None = None

    @property
    def cancelled(self) -> bool:
        """Whether the job was asked to stop. Any thread."""
        return self._cancel.is_set()

    @property
    def cancel_event(self) -> threading.Event:
        """Set once the job was asked to stop, for calls that wait. Any thread."""
        return self._cancel

    def cancel(self) -> None:
        """Ask the work to stop; it ends with ``stopped`` unless it was done before it noticed."""
        self._cancel.set()

    def report(self, done: int, total: int = 0) -> None:
        """Report progress. Any thread."""
        self.done, self.total = done, total
        self.progressed.emit((done, total))

    def run(self, keep_report: Callable[[Exception, str], object]) -> None:
        """Do the work, on the worker's thread, and keep its result or its error for :meth:`end`.

        ``keep_report`` gets an error that is a bug, and where it happened. The computations raise Cancelled
        once the job is, see :mod:`collector.model.cancellation`.
        """
        if self.cancelled or self._work is None:
            return
        try:
            with cancellable(self._cancel.is_set):
                self._result = self._work(self)
        except Cancelled:
            pass
        except Exception as error:  # noqa: BLE001 - handed to the GUI thread, which shows it
            if isinstance(error, UserError):
                _log.info("%s failed: %s", self.title, traceback.format_exc())
            else:
                keep_report(error, f"a job of the window {self.title}".rstrip())
            self._error = error

    def end(self) -> None:
        """Emit how the job ended, and let go of its work. GUI thread only."""
        result, error = self._result, self._error
        self._work = self._result = self._error = None
        self.finished = True
        if error is not None:
            self.failed.emit(error)
        elif self.cancelled:
            self.stopped.emit()
        else:
            self.succeeded.emit(result)


class ExternalJob(Job):
    """Work of another process that is shown among the jobs. It goes on when the window is closed."""

    stop_asked = Signal()
    """A person cancelled it."""

    def cancel(self) -> None:
        """Say that a person wants it to end; whoever shows it asks its process."""
        if not self.cancelled:
            super().cancel()
            self.stop_asked.emit()


class JobRunner(QObject):
    """Starts jobs and owns them while they run. GUI thread only.

    ``unhandled`` carries the error of a job nobody gave a ``failure`` for.
    """

    changed = Signal()
    unhandled = Signal(object)
    mended = Signal(object)
    """An error that somebody reported and that is over."""
    closing = Signal()
    """The last moment to run something; :attr:`is_closing` is set."""
    # The runner reports the end, and not the job, and by a number: the GUI thread deletes a job when its end
    # has arrived. A thread that still held it would free it at the same time, which crashes the process.
    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keep_report: Callable[[Exception, str], object] = _log_bug
        """Gets, on the worker's thread, the error of a job that is a bug, and where it happened."""
        self.is_closing = threading.Event()
        """Set once the window closes: work for it must not wait for a phone that is silent."""
        self._pool = ThreadPoolExecutor(4, thread_name_prefix="work")
        self._store = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._long = ThreadPoolExecutor(1, thread_name_prefix="long")
        self._executors = {
            JobQueue.POOL: self._pool,
            JobQueue.STORE: self._store,
            JobQueue.LONG: self._long,
            JobQueue.INDEX: self._long,
        }
        self.jobs: list[Job] = []
        self._numbers = count()
        self._started: dict[int, Job] = {}
        """The jobs whose end has not arrived, by their numbers."""
        self._leaving: list[Job] = []
        """Those that Qt is to delete."""
        self._ended.connect(self._report_end, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        work: Work,
        *,
        title: str = "",
        success: Callable[[Any], object] | None = None,
        failure: Callable[[Exception], object] | None = None,
        queue: JobQueue = JobQueue.POOL,
        saves: bool = False,
    ) -> Job:
        """Run ``work(job)`` behind; ``success(result)`` or ``failure(error)`` come on the GUI thread.

        Hand over methods of objects of Qt, which end with them; what else touches one goes through
        :func:`~studio.bridge.while_alive.while_alive`. A ``title`` makes the job visible in the rail.
        ``saves`` says that the job writes what a person edited, see :attr:`saving`.
        """
        answered = _receiver(success) if success is not None else None
        refused = _receiver(failure) if failure is not None else self.unhandled
        job = Job(title, self, work, queue=queue, saves=saves)
        self.jobs.append(job)
        if answered is not None:
            job.succeeded.connect(answered)
        job.failed.connect(refused)
        job.succeeded.connect(self._settle)
        job.failed.connect(self._settle)
        job.stopped.connect(self._settle)
        number = next(self._numbers)
        self._started[number] = job
        if self._executors[queue] is self._long:
            # Long work reads what was edited before it was asked for.
            edited = self._store.submit(_nothing)
            self._long.submit(self._work_after, edited, number)
        else:
            self._executors[queue].submit(self._work, number)
        self.changed.emit()
        return job

    def show(self, job: ExternalJob) -> None:
        """List work of another process until :meth:`hide`."""
        job.setParent(self)
        self.jobs.append(job)
        self.changed.emit()

    def hide(self, job: ExternalJob) -> None:
        """List it no more: its process ended, or nobody follows it."""
        self.jobs.remove(job)
        job.deleteLater()
        self.changed.emit()

    @property
    def titled(self) -> list[Job]:
        """Jobs a person may want to see."""
        return [job for job in self.jobs if job.title]

    @property
    def is_idle(self) -> bool:
        """Whether no thread works on a job. Jobs of other processes do not count."""
        return not self._started

    @property
    def saving(self) -> bool:
        """Whether something that a person edited is on its way to the disk."""
        return any(job.saves for job in self.jobs)

    def close(self) -> None:
        """Cancel what can be done again, finish what writes, and wait for all; results are dropped."""
        self.is_closing.set()
        self.closing.emit()
        for job in self.jobs:
            job.blockSignals(True)  # who asked may be gone by the time the answer is taken from the queue
            # What was asked of the store is done to the end: nothing recorded is lost.
            if job.queue in (JobQueue.POOL, JobQueue.INDEX) and not isinstance(job, ExternalJob):
                job.cancel()
        if self.saving:
            delay_quit_deadline(LONGEST_S)
        self._store.shutdown(wait=True)
        self._long.shutdown(wait=True)
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _work(self, number: int) -> None:
        """On the worker's thread, which lets go of the job before its end is reported."""
        self._started[number].run(self.keep_report)
        delay_quit_deadline()
        self._ended.emit(number)

    def _work_after(self, before: Future[None], number: int) -> None:
        before.result()
        self._work(number)

    @Slot(object)
    def _report_end(self, number: int) -> None:
        self._started.pop(number).end()

    @Slot()
    def _settle(self) -> None:
        # Held until Qt has deleted them: when a wrapper goes within the deletion, shiboken still uses it.
        self._leaving = [job for job in self._leaving if isValid(job)]
        for job in [job for job in self.jobs if job.finished]:
            self.jobs.remove(job)
            self._leaving.append(job)
            job.deleteLater()
        self.changed.emit()


def _receiver(handler: Callable[[Any], object]) -> Any:
    """The signal of a ``signal.emit``, else the handler.

    Qt ends a connection to a signal with the signal's object; a connection to ``emit`` outlives it, and then
    fails with "Signal source has been deleted". A method of an object that is none of Qt's outlives every
    dialog that it fills: that is refused at once, and not when somebody closes the dialog in time.
    """
    source = getattr(handler, "__self__", None)
    if isinstance(handler, MethodType) and not isinstance(source, QObject):
        raise TypeError(
            f"{handler.__qualname__} is no method of an object of Qt: hand it over by while_alive"
        )
    return source if isinstance(source, SignalInstance) else handler


def _log_bug(error: Exception, where: str) -> None:
    _log.info("%s failed: %s", where, "".join(traceback.format_exception(error)))


def _nothing() -> None:
    """Take a place in a queue."""
