"""Import into the open project and export it, behind the window, with reports that are kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.project_library import ProjectLibrary, read_whole

if TYPE_CHECKING:
    from collector.exchange.exchange_reports import ExchangeReport
    from collector.exchange.format import Format
    from collector.store.project.copies import BroughtIn


class ProjectExchange(QObject):
    """Long work in its queue. Formats and reports are imported in jobs: the window opens without them."""

    imported = Signal(object)
    """The :class:`~collector.exchange.exchange_reports.ExchangeReport` of an import."""
    import_reports_read = Signal(object)
    """The reports of the imports into the project, newest first."""
    export_formats_read = Signal(object)
    """The formats a project can be exported to, each a :class:`~collector.exchange.format.Format`."""
    exported = Signal(object)
    """The report of an export."""
    brought_in = Signal(object)
    """The :class:`~collector.store.project.copies.BroughtIn` of a copy."""
    export_reports_read = Signal(object)
    """The reports of the exports of the project, newest first."""

    def __init__(self, runner: JobRunner, library: ProjectLibrary, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._library = runner, library

    def import_path(self, path: Path, format_id: str = "auto") -> Job | None:
        """Import a folder, file or zip; ``imported`` follows."""
        project = self._library.project
        if project is None:
            return None

        def work(job: Job) -> tuple[ExchangeReport, ProjectSnapshot]:
            from collector.exchange.exchange_reports import import_with_report

            def progress(_name: str, count: int, share: float) -> None:
                job.report(count, round(count / share) if share else 0)
                if job.cancelled:
                    raise UserError(_("The import was stopped"), _("what was imported before is kept"))

            _result, report = import_with_report(project, path, format_id, progress=progress)
            return report, read_whole(project)

        return self._runner.run(
            work, title=_("Import {name}", name=path.name), success=self._imported,
            failure=self._import_failed, queue=JobQueue.LONG,
        )  # fmt: skip

    @Slot(object)
    def _imported(self, result: tuple[ExchangeReport, ProjectSnapshot]) -> None:
        report, snapshot = result
        self._library.take(snapshot)
        if report.rules or report.tasks:  # with the tasks come essential states
            self._library.reload_asked.emit()
        self.imported.emit(report)

    @Slot(object)
    def _import_failed(self, error: Exception) -> None:
        self._library.failed.emit(error)
        self._library.refresh()  # what came in before the failure stays

    def bring_in(self, copy: Path) -> Job | None:
        """Bring in what somebody did in a copy of the project; ``brought_in`` follows."""
        project = self._library.project
        if project is None:
            return None

        def work(job: Job) -> tuple[BroughtIn, ProjectSnapshot]:
            from collector.run.experiment.named_files import files_of_experiments
            from collector.store.project.copies import bring_in

            def progress(done: int, total: int) -> None:
                job.report(done, total)
                if job.cancelled:
                    raise UserError(_("It was stopped"), _("what was brought in before is kept"))

            brought = bring_in(project, copy, progress, named=files_of_experiments)
            return brought, read_whole(project)

        return self._runner.run(
            work, title=_("Bring in {name}", name=copy.name), success=self._brought_in,
            failure=self._import_failed, queue=JobQueue.LONG,
        )  # fmt: skip

    @Slot(object)
    def _brought_in(self, result: tuple[BroughtIn, ProjectSnapshot]) -> None:
        brought, snapshot = result
        self._library.take(snapshot)
        self._library.reload_asked.emit()
        self.brought_in.emit(brought)

    def export(self, path: Path, format_id: str, *, replace: bool = False) -> Job | None:
        """Export the project; ``exported`` follows. With ``replace`` an earlier export may be replaced."""
        project = self._library.project
        if project is None:
            return None

        def work(job: Job) -> ExchangeReport:
            from collector.exchange.exchange_reports import export_with_report
            from collector.exchange.exporting import ExportChoice

            def progress(_name: str, count: int, total: int) -> None:
                job.report(count, total)
                if job.cancelled:
                    raise UserError(_("The export was stopped"), _("nothing was written"))

            return export_with_report(
                project, path, format_id, ExportChoice(replace=replace), progress=progress
            )[1]

        return self._runner.run(
            work, title=_("Export to {name}", name=path.name), success=self.exported.emit,
            failure=self._library.failed.emit, queue=JobQueue.LONG,
        )  # fmt: skip

    def read_export_formats(self) -> Job | None:
        """Load the formats of exports; ``export_formats_read`` follows."""
        if self._library.project is None:
            return None

        def work(_job: Job) -> list[Format]:
            from collector.exchange.registry import written_formats  # it loads every format

            return list(written_formats().values())

        return self._runner.run(
            work, success=self.export_formats_read.emit, failure=self._library.failed.emit,
            queue=JobQueue.LONG,
        )  # fmt: skip

    def read_reports(self, *, of_exports: bool = False) -> Job | None:
        """Read the reports of earlier imports or exports; ``import_reports_read`` or the other follows."""
        project = self._library.project
        if project is None:
            return None

        def work(_job: Job) -> list[ExchangeReport]:
            from collector.exchange.exchange_reports import read_reports

            return read_reports(project, of_exports=of_exports)

        read = self.export_reports_read if of_exports else self.import_reports_read
        return self._runner.run(
            work, success=read.emit, failure=self._library.failed.emit, queue=JobQueue.LONG
        )
