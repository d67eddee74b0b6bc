"""The health of the open project, told behind the window; and what it can mend by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.i18n import _
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.project_library import ProjectLibrary

if TYPE_CHECKING:
    from collector.project_health.health_finding import HealthReport


class ProjectHealth(QObject):
    """Owns the newest report. GUI thread only; the work is done by jobs."""

    changed = Signal()
    """:attr:`report` or :attr:`is_looking` is another."""
    judged = Signal(int)
    """So many trajectories were judged again by the rules."""
    prepared = Signal(object)
    """Name of the experiment of random runs that is ready; empty where no task can be judged."""

    def __init__(self, runner: JobRunner, library: ProjectLibrary, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._library = runner, library
        self._job: Job | None = None
        self._seen: object = None
        """Tasks, states and numbers of trajectories that the report is about."""
        self.report: HealthReport | None = None
        """None until it was asked for."""
        self.is_outdated = False
        """Whether the project has other tasks or trajectories than the report is about."""
        library.opened.connect(self._forget)
        library.changed.connect(self._outdate)

    @property
    def is_looking(self) -> bool:
        """Whether the health is being told."""
        return self._job is not None

    @Slot()
    def _forget(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self._job = self.report = None
        self.is_outdated = False
        self.changed.emit()

    @Slot()
    def _outdate(self) -> None:
        if self.report is not None and self.is_outdated is not (self._now() != self._seen):
            self.is_outdated = not self.is_outdated
            self.changed.emit()

    def _now(self) -> object:
        snapshot = self._library.snapshot
        return None if snapshot is None else (snapshot.tasks, snapshot.states, snapshot.kinds)

    def look(self) -> None:
        """Tell the health anew; ``changed`` follows, twice."""
        project, who = self._library.project, self._library.person
        if project is None or self._job is not None:
            return

        def work(job: Job) -> HealthReport:
            # Imported here, so that the window opens without waiting for the linters and numpy.
            from collector.project_health.health import check_health
            from collector.store.catalogue.catalogue import Catalogue

            with Catalogue(project) as catalogue:
                catalogue.refresh(job.report)
                return check_health(project, catalogue, who=who)

        self._job = self._runner.run(
            work,
            title=_("Health of the project"),
            success=self._take,
            failure=self._fail,
            queue=JobQueue.INDEX,
        )
        self._job.stopped.connect(self._cancelled)
        self.changed.emit()

    @Slot(object)
    def _take(self, report: HealthReport) -> None:
        self._job, self.report, self.is_outdated = None, report, False
        self._seen = self._now()
        self.changed.emit()

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self._job = None
        self._library.failed.emit(error)
        self.changed.emit()

    @Slot()
    def _cancelled(self) -> None:
        if self._job is not None and self._job.cancelled:  # and none that was begun since
            self._job = None
            self.changed.emit()

    def prepare_runs(self) -> None:
        """Make the experiment of random runs, or add the tasks that it lacks; ``prepared`` follows."""
        project = self._library.project
        if project is None:
            return

        def work(_job: Job) -> str:
            from collector.project_health.phone_runs import prepare_random_runs

            return prepare_random_runs(project)

        self._runner.run(
            work, success=self.prepared.emit, failure=self._library.failed.emit, queue=JobQueue.STORE
        )

    def judge_again(self, query: str) -> None:
        """Let the rules judge what a query finds; ``judged`` follows, and the health is told anew."""
        project = self._library.project
        if project is None:
            return

        def work(job: Job) -> int:
            from collector.judge.judging import judge_trajectories
            from collector.judge.registry import RULES_JUDGE, create_judge
            from collector.project_rules.project_rules import ProjectRules
            from collector.store.catalogue.catalogue import Catalogue

            with Catalogue(project) as catalogue:
                catalogue.refresh()
                folders = [project.folder / folder for folder in catalogue.folders(query)]
            judge, count = create_judge(RULES_JUDGE, project), 0
            results = judge_trajectories(
                ProjectRules(project), folders, judge, is_cancelled=lambda: job.cancelled
            )
            for result in results:
                count += not result.problem
                job.report(count, len(folders))
            return count

        self._runner.run(
            work, title=_("Judge again"), success=self._judged, failure=self._library.failed.emit,
            queue=JobQueue.LONG,
        )  # fmt: skip

    @Slot(object)
    def _judged(self, count: int) -> None:
        self.judged.emit(count)
        self._library.refresh()
        self.look()
