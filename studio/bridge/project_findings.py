"""What is wrong with the files of the open project: checked as a whole, and known of files being edited."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.store.trajectory.recover import recover
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.project_library import ProjectLibrary


class ProjectFindings(QObject):
    """Checks the open project behind the window."""

    checked = Signal(object)
    """A tuple of :class:`~collector.model.finding.Finding`."""
    changed = Signal()
    """:attr:`every` is another, though no check has run."""

    def __init__(self, runner: JobRunner, library: ProjectLibrary, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._library = runner, library
        self._checked: tuple[Finding, ...] = ()
        self._edited: tuple[tuple[str, ...], tuple[Finding, ...]] = ((), ())
        library.opened.connect(self._forget)

    @Slot()
    def _forget(self) -> None:
        self._checked, self._edited = (), ((), ())

    @property
    def every(self) -> tuple[Finding, ...]:
        """What the last check found, and what is known since of files that are edited."""
        files, newer = self._edited
        older = (finding for finding in self._checked if finding.where.partition(":")[0] not in files)
        return (*older, *newer)

    def set_of_files(self, files: Sequence[str], findings: Sequence[Finding]) -> None:
        """Replace what is known of files that are edited; their names are relative to the project."""
        known = (tuple(files), tuple(findings))
        if known != self._edited:
            self._edited = known
            self.changed.emit()

    def check(self) -> Job | None:
        """Verify everything; ``checked`` follows."""
        project = self._library.project
        if project is None:
            return None

        # Imported here, so that the window opens without waiting for the linters.
        from collector.project_check.project_check import check_every_file
        from collector.store.checks.unchanged import UnchangedTrajectories

        def work(job: Job) -> tuple[Finding, ...]:
            count = 0

            def progress(_folder: Path) -> None:
                nonlocal count
                count += 1
                job.report(count)
                if job.cancelled:
                    raise UserError(_("The check was stopped"))

            return tuple(check_every_file(project, progress, UnchangedTrajectories(project)))

        return self._runner.run(
            work, title=_("Check the project"), success=self._take, failure=self._library.failed.emit,
            queue=JobQueue.INDEX,
        )  # fmt: skip

    @Slot(object)
    def _take(self, findings: tuple[Finding, ...]) -> None:
        self._checked = findings
        self.checked.emit(findings)

    def recover(self, place: str) -> Job | None:
        """Repair a trajectory whose recording was cut short, and check the project again."""
        project = self._library.project
        if project is None:
            return None
        folder = project.folder / place
        return self._runner.run(
            lambda _job: recover(folder), title=_("Recover {name}", name=folder.name),
            success=self._recovered, failure=self._library.failed.emit, queue=JobQueue.LONG,
        )  # fmt: skip

    @Slot(object)
    def _recovered(self, _done: object) -> None:
        self._library.refresh()
        self.check()
