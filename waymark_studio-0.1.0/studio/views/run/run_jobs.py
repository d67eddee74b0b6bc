"""Runs among the jobs of the window: counted in the rail, with progress and a way to end them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _
from collector.run.control.requests import StopRun
from collector.run.control.run_client import send_request
from collector.store.files.layout import ProjectPaths
from studio.bridge import Job, JobRunner
from studio.bridge.jobs import ExternalJob
from studio.views.run.session import RunSession


class RunJobs(QObject):
    """Shows each run of the project on this computer as a job, whoever started it."""

    def __init__(self, session: RunSession, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._runner = session, runner
        self._jobs: dict[str, ExternalJob] = {}
        session.run_changed.connect(self._follow)
        session.progress_changed.connect(self._report)

    @Slot()
    def _follow(self) -> None:
        runs = self._session.runs
        names = {*runs.running, *([self._session.name] if runs.is_starting else [])}
        for name in sorted(names - set(self._jobs)):
            job = self._jobs[name] = ExternalJob(_("Run of {name}", name=name))
            job.stop_asked.connect(partial(self._stop, name))
            self._runner.show(job)
        for name in sorted(set(self._jobs) - names):
            self._runner.hide(self._jobs.pop(name))
        self._report()

    @Slot()
    def _report(self) -> None:
        """Only of the run that is followed is known how far it is."""
        job, progress = self._jobs.get(self._session.name), self._session.progress
        if (
            job is not None
            and progress.total
            and (job.done, job.total) != (progress.finished, progress.total)
        ):
            job.report(progress.finished, progress.total)

    def _stop(self, name: str) -> None:
        session, folder = self._session, self._session.folder
        if name == session.name and session.is_running:
            session.request(StopRun())
            return
        if folder is None:
            return

        def work(_job: Job) -> None:
            send_request(ProjectPaths(folder), name, StopRun())

        self._runner.run(work, failure=session.failed.emit)

    def close(self) -> None:
        """List none of them any more; they go on."""
        for job in self._jobs.values():
            self._runner.hide(job)
        self._jobs.clear()
