"""Import into the open project and export it, behind the window, with reports that are kept."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QImage

from collector.model.cancellation import check_cancelled
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from studio.bridge.jobs import Job, JobQueue, JobRunner, Work
from studio.bridge.pictures import image_or_null
from studio.bridge.project_library import ProjectLibrary, read_whole

if TYPE_CHECKING:
    from collector.exchange.exchange_reports import ExchangeReport
    from collector.exchange.exports.export_preview import ExportPreview
    from collector.exchange.exports.exporting import ExportChoice
    from collector.exchange.format import Format
    from collector.exchange.format_sample import FormatSample
    from collector.exchange.imports.import_preview import ImportPreview
    from collector.model.dataset.split import Split
    from collector.store.project.copies import BroughtIn
    from collector.store.project.project import Project


@dataclass(frozen=True, slots=True)
class OfferedFormat:
    """A format in a dialog."""

    format: Format
    missing: str
    """One sentence for a package that is not installed; empty when nothing is missing."""
    group: str
    """Title of the group that it is listed in."""


@dataclass(frozen=True, slots=True)
class ExchangeLook:
    """What an export or an import would come to, and the picture of its first sample."""

    preview: ExportPreview | ImportPreview
    image: QImage
    """Null without a picture."""


class TargetUse(enum.Enum):
    """What is where an export shall be written."""

    FREE = enum.auto()
    REPLACEABLE = enum.auto()
    """A file, or an earlier export of the format."""
    TAKEN = enum.auto()


class ProjectExchange(QObject):
    """Long work in its queue. Formats and reports are imported in jobs: the window opens without them."""

    imported = Signal(object)
    """The :class:`~collector.exchange.exchange_reports.ExchangeReport` of an import."""
    import_reports_read = Signal(object)
    """The reports of the imports into the project, newest first."""
    export_formats_read = Signal(object)
    """The formats a project can be exported to, each an :class:`OfferedFormat`."""
    import_formats_read = Signal(object)
    """The formats that can be imported, each an :class:`OfferedFormat`."""
    begun = Signal(object)
    """The Job of an import or an export that began."""
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

        return self._begin(
            work, title=_("Import {name}", name=path.name), success=self._imported,
            failure=self._import_failed,
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
            from collector.redaction_rules.project_redaction import bring_in_redacted
            from collector.run.experiment.named_files import files_of_experiments

            def progress(done: int, total: int) -> None:
                job.report(done, total)
                if job.cancelled:
                    raise UserError(_("It was stopped"), _("what was brought in before is kept"))

            brought = bring_in_redacted(project, copy, progress, files_of_experiments)
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

    def export(self, path: Path, format_id: str, choice: ExportChoice) -> Job | None:
        """Export the project; ``exported`` follows."""
        project = self._library.project
        if project is None:
            return None

        def work(job: Job) -> ExchangeReport:
            from collector.exchange.exchange_reports import export_with_report

            def progress(_name: str, count: int, total: int) -> None:
                job.report(count - 1, total)
                if job.cancelled:
                    raise UserError(_("The export was stopped"), _("nothing was written"))

            _note_stale(project, choice)
            return export_with_report(project, path, format_id, choice, progress=progress)[1]

        return self._begin(
            work, title=_("Export to {name}", name=path.name), success=self.exported.emit,
            failure=self._library.failed.emit,
        )  # fmt: skip

    def _begin(
        self, work: Work, *, title: str, success: Callable[[Any], object],
        failure: Callable[[Exception], object],
    ) -> Job:  # fmt: skip
        job = self._runner.run(work, title=title, success=success, failure=failure, queue=JobQueue.LONG)
        self.begun.emit(job)
        return job

    def read_formats(self, *, of_exports: bool) -> Job | None:
        """Load the formats; ``export_formats_read`` or ``import_formats_read`` follows."""
        if self._library.project is None:
            return None

        def work(_job: Job) -> list[OfferedFormat]:
            # They load every format.
            from collector.exchange.registry import of_each_use, read_formats, written_formats

            known = written_formats() if of_exports else read_formats()
            return [
                OfferedFormat(entry, entry.missing, group)
                for group, entries in of_each_use(known.values())
                for entry in entries
            ]

        read = self.export_formats_read if of_exports else self.import_formats_read
        return self._runner.run(work, success=read.emit, failure=self._library.failed.emit)

    def preview_export(
        self, format_id: str, choice: ExportChoice, most: int | None,
        success: Callable[[ExchangeLook], object], failure: Callable[[Exception], object],
    ) -> Job | None:  # fmt: skip
        """Look at the first ``most`` trajectories of an export, or at all, without writing anything."""
        project = self._library.project
        if project is None:
            return None

        def work(job: Job) -> ExchangeLook:
            from collector.exchange.exports.export_preview import preview_export

            def progress(_name: str, count: int, total: int) -> None:
                job.report(count - 1, total)
                check_cancelled()

            _note_stale(project, choice)
            found = preview_export(project, format_id, choice, most=most, progress=progress)
            return ExchangeLook(found, _image_of(found.sample))

        return self._runner.run(work, success=success, failure=failure)

    def preview_import(
        self, path: Path, format_id: str, most: int | None,
        success: Callable[[ExchangeLook], object], failure: Callable[[Exception], object],
    ) -> Job | None:  # fmt: skip
        """Look at the first ``most`` items of a source, or at all, without changing the project."""
        project = self._library.project
        if project is None:
            return None

        def work(job: Job) -> ExchangeLook:
            from collector.exchange.imports.import_preview import preview_import

            def progress(_name: str, count: int, share: float) -> None:
                job.report(count, round(count / share) if share else 0)
                check_cancelled()

            found = preview_import(project, path, format_id, most=most, progress=progress)
            return ExchangeLook(found, _image_of(found.sample))

        return self._runner.run(work, success=success, failure=failure)

    def check_target(
        self, format_id: str, path: Path, split: Split | None, success: Callable[[TargetUse], object]
    ) -> Job:
        """Look at what is where an export shall be written."""

        def work(_job: Job) -> TargetUse:
            from collector.exchange.exports.exporting import is_taken, may_replace, written_format

            if not is_taken(path):
                return TargetUse.FREE
            is_such = may_replace(written_format(format_id), path, split)
            return TargetUse.REPLACEABLE if is_such else TargetUse.TAKEN

        return self._runner.run(work, success=success, failure=self._library.failed.emit)

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


def _image_of(sample: FormatSample | None) -> QImage:
    return image_or_null(sample.picture if sample is not None else None)


def _note_stale(project: Project, choice: ExportChoice) -> None:
    """Note which results are stale where a search asks for it."""
    from collector.store.catalogue.query import asks_for_staleness

    if asks_for_staleness(choice.selection.where):
        from collector.run.results.stale_results import note_stale_results
        from collector.store.catalogue.catalogue import Catalogue

        with Catalogue(project) as catalogue:
            catalogue.refresh()
            note_stale_results(project, catalogue)
