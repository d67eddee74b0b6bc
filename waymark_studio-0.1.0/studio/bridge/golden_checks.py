"""Check golden trajectories behind the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from collector.model.i18n import _
from collector.project_rules.project_rules import ProjectRules
from collector.states.golden_check import CheckedGolden, check_goldens
from collector.store.project.project import Project
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.newest_answers import NewestAnswers


class GoldenChecks(QObject):
    """Judges what is on the disk, behind the edits that are on their way there."""

    checked = Signal(object)
    """A list of :class:`CheckedGolden`."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)

    def check(self, project: Project, person: str, task_id: str = "") -> None:
        """Check the goldens of a task, or of all tasks, that a person may see; ``checked`` follows."""

        def work(job: Job) -> list[CheckedGolden]:
            return list(check_goldens(ProjectRules(project), person, task_id, lambda: job.cancelled))

        title = _("Check golden trajectories")
        self._answers.ask("check", work, self.checked.emit, title=title, queue=JobQueue.INDEX)

    def forget(self) -> None:
        """Cancel what was asked."""
        self._answers.forget()
