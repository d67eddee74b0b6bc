"""Requests to work behind the window, of which the newest of each kind is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.cancellation import Cancelled
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.while_alive import call_back


@dataclass(frozen=True, slots=True)
class JobAnswer:
    """The result of a job, the request it answers and where it goes."""

    kind: str
    number: int
    deliver: Callable[[Any], object]
    value: Any


class NewestAnswers(QObject):
    """Runs requests as jobs. A newer request of the same kind cancels the one before."""

    failed = Signal(object)
    """The error of a request that no newer one of its kind replaced."""

    def __init__(self, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self._asked: dict[str, int] = {}
        self._jobs: dict[str, Job] = {}

    def ask(
        self, kind: str, work: Callable[[Job], Any], deliver: Callable[[Any], object], *, title: str = "",
        queue: JobQueue = JobQueue.POOL,
    ) -> None:  # fmt: skip
        """Run ``work`` and deliver its result, unless a newer request of its kind came meanwhile.

        A result that is None is not delivered.
        """
        number = self._asked[kind] = self._asked.get(kind, 0) + 1
        if (running := self._jobs.get(kind)) is not None:
            running.cancel()

        def guarded(job: Job) -> JobAnswer:
            try:
                return JobAnswer(kind, number, deliver, None if job.cancelled else work(job))
            except Cancelled:
                return JobAnswer(kind, number, deliver, None)

        self._jobs[kind] = self._runner.run(
            guarded, title=title, success=self._answered, failure=self._failed, queue=queue
        )

    def forget(self) -> None:
        """Cancel all requests."""
        for job in self._jobs.values():
            job.cancel()
        self._jobs.clear()
        self._asked.clear()

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        job = self.sender()
        kind = next((kind for kind, newest in self._jobs.items() if newest is job), None)
        if kind is not None:
            del self._jobs[kind]
            self.failed.emit(error)

    def _answered(self, answer: JobAnswer) -> None:
        if self._asked.get(answer.kind) == answer.number and answer.value is not None:
            del self._jobs[answer.kind]
            call_back(answer.deliver, answer.value)
