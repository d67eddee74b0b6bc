"""Hide things in the trajectories of the project behind the window, count where a rule holds, and search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject

from collector.model.errors import UserError
from collector.model.geometry import Rect
from collector.model.i18n import _
from collector.store.project.project import Project
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.trajectories.project_trajectories import ProjectTrajectories
from studio.bridge.while_alive import call_back, while_alive

if TYPE_CHECKING:  # what reads trees and pictures takes its time to load, and the start does not wait
    from collector.redaction_rules.audit import AuditResult
    from collector.redaction_rules.project_redaction import ProjectRedactionReport, RedactedTrajectory
    from collector.redaction_rules.redaction_rule import RedactionRule
    from collector.redaction_rules.rule_choice import RuleReach

Failure = Callable[[Exception], object]
T = TypeVar("T")


class Redactions(QObject):
    """GUI thread only. Whoever has a trajectory open closes it before something is hidden in it."""

    def __init__(
        self, runner: JobRunner, library: ProjectLibrary, trajectories: ProjectTrajectories,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._runner, self._library, self._trajectories = runner, library, trajectories
        self._counting: Job | None = None

    @property
    def project(self) -> Project:
        """The open project. Raises UserError without one."""
        if self._library.project is None:
            raise UserError(_("No project is open"))
        return self._library.project

    def rules(self, success: Callable[[list[RedactionRule]], object], failure: Failure) -> None:
        """Read the rules of the project."""
        folder = self.project.folder

        def work(_job: Job) -> list[RedactionRule]:
            from collector.redaction_rules.rule_file import redaction_of

            return list(redaction_of(folder))

        self._runner.run(work, success=success, failure=failure)

    def count(self, rule: RedactionRule, folder: Path | None, success: Callable[[RuleReach], object]) -> None:
        """Count the screens on which a rule hides something, in one trajectory or in all."""
        self.stop_counting()
        project = self.project

        def work(job: Job) -> RuleReach:
            from collector.redaction_rules.rule_choice import reach_of

            return reach_of(project, rule, folder, job.report)

        self._counting = self._runner.run(work, success=success, failure=_ignore)

    def stop_counting(self) -> None:
        """Let a count that is under way not arrive."""
        if self._counting is not None and not self._counting.finished:
            self._counting.cancel()
        self._counting = None

    def hide_on_screen(
        self, folder: Path, step: int, places: tuple[Rect, ...], success: Callable[[int], object],
        failure: Failure,
    ) -> None:  # fmt: skip
        """Cover places of one screen; ``success`` gets how many other steps were redacted with it."""

        def work() -> int:
            from collector.store.redaction.step_redaction import StepRedaction

            redaction = StepRedaction(folder, step, places)
            others = len(redaction.others)
            redaction.apply()
            return others

        self._change(work, folder, success, failure)

    def hide_in_trajectory(
        self, folder: Path, rule: RedactionRule, success: Callable[[RedactedTrajectory], object],
        failure: Failure,
    ) -> None:  # fmt: skip
        """Hide by a rule in one trajectory."""
        project = self.project

        def work() -> RedactedTrajectory:
            from collector.redaction_rules.rule_choice import hide_by

            return hide_by(project, folder, rule)

        self._change(work, folder, success, failure)

    def add_rule(self, rule: RedactionRule, success: Callable[[object], object], failure: Failure) -> None:
        """Add a rule to those of the project."""
        project = self.project

        def work(_job: Job) -> None:
            from collector.redaction_rules.rule_choice import add_rule

            add_rule(project, rule)

        self._runner.run(work, success=success, failure=failure, queue=JobQueue.STORE, saves=True)

    def remove_rule(self, name: str, success: Callable[[object], object], failure: Failure) -> None:
        """Take a rule out of those of the project."""
        project = self.project

        def work(_job: Job) -> None:
            from collector.redaction_rules.rule_choice import remove_rule

            remove_rule(project, name)

        self._runner.run(work, success=success, failure=failure, queue=JobQueue.STORE, saves=True)

    def look(self, success: Callable[[ProjectRedactionReport], object], failure: Failure) -> None:
        """Find out what the rules would hide in what was recorded."""
        project = self.project

        def work(job: Job) -> ProjectRedactionReport:
            from collector.redaction_rules.project_redaction import ProjectRedaction

            return ProjectRedaction(project).look(job.report)

        self._run(_("Read what the redaction rules hide"), work, success, failure, JobQueue.INDEX)

    def apply(
        self, success: Callable[[ProjectRedactionReport, AuditResult], object], failure: Failure
    ) -> None:
        """Hide what the rules hide in all that was recorded, and find out where else it is written."""
        project = self.project
        for folder in project.trajectory_folders():
            self._trajectories.leaving.emit(folder)

        def work(job: Job) -> tuple[ProjectRedactionReport, AuditResult]:
            from collector.redaction_rules.audit import RedactionAudit
            from collector.redaction_rules.project_redaction import ProjectRedaction

            report = ProjectRedaction(project).apply(job.report)
            return report, RedactionAudit(project).own_files()

        def done(result: tuple[ProjectRedactionReport, AuditResult]) -> None:
            self._library.refresh()
            call_back(success, *result)

        self._run(
            _("Apply the redaction rules"), work, while_alive(self._library, done), failure, JobQueue.LONG
        )

    def check(self, success: Callable[[AuditResult], object], failure: Failure) -> None:
        """Search all files of the project for what is hidden."""
        project = self.project

        def work(job: Job) -> AuditResult:
            from collector.redaction_rules.audit import RedactionAudit

            searched = 0

            def show(_name: str) -> None:
                nonlocal searched
                searched += 1
                job.report(searched)

            return RedactionAudit(project).project(show)

        self._run(_("Search all files for what is hidden"), work, success, failure, JobQueue.INDEX)

    def _run(
        self, title: str, work: Callable[[Job], T], success: Callable[[T], object], failure: Failure,
        queue: JobQueue,
    ) -> None:  # fmt: skip
        self._runner.run(work, title=title, success=success, failure=failure, queue=queue)

    def _change(
        self, work: Callable[[], T], folder: Path, success: Callable[[T], object], failure: Failure
    ) -> None:
        self._trajectories.leaving.emit(folder)

        def done(result: T) -> None:
            self._library.refresh()
            call_back(success, result)

        self._runner.run(
            lambda _job: work(), success=while_alive(self._library, done), failure=failure,
            queue=JobQueue.STORE, saves=True,
        )  # fmt: skip


def _ignore(_error: Exception) -> None:
    """Nobody waits for a count that failed."""
