"""Commands of imports and exports: they ask in dialogs, show how far the work is, and then its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from studio.bridge.desktop import open_on_desktop
from studio.bridge.jobs import Job
from studio.bridge.project_exchange import OfferedFormat, ProjectExchange
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.review.work_selection import WorkSelection
from studio.commands.commander import Commander
from studio.views.exchange.exchange_report_dialog import ExchangeReportDialog
from studio.views.exchange.export_dialog import ExportDialog
from studio.views.exchange.import_dialog import ImportDialog
from studio.views.exchange.progress_dialog import ProgressDialog
from studio.widgets.window_frame.toasts import Toasts

if TYPE_CHECKING:
    from collector.exchange.exchange_reports import ExchangeReport
    from collector.exchange.exports.exporting import ExportChoice


class ExchangeController(QObject):
    """Belongs to a window; :meth:`attach` names it, and only then anything is shown."""

    def __init__(
        self, commander: Commander, library: ProjectLibrary, exchange: ProjectExchange,
        selection: WorkSelection, parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._library, self._exchange, self._selection = library, exchange, selection
        self._query, self._trajectory = "", ""
        """What the export that was asked for finds, or the folder of its one trajectory."""
        self._paths: list[Path] = []
        for command, handler in (
            ("project.import-reports", self._read_import_reports),
            ("project.export", self.export),
            ("project.export-reports", self._read_export_reports),
        ):
            commander.handle(command, handler)
        exchange.begun.connect(self._begun)
        exchange.imported.connect(self._imported)
        exchange.import_reports_read.connect(self._show_import_reports)
        exchange.import_formats_read.connect(self._ask_how_to_import)
        exchange.export_formats_read.connect(self._ask_for_export)
        exchange.exported.connect(self._exported)
        exchange.export_reports_read.connect(self._show_export_reports)

    def attach(self, window: QWidget, toasts: Toasts) -> None:
        """Set the window for dialogs and toasts."""
        self._window, self._toasts = window, toasts

    @Slot(object)
    def _begun(self, job: Job) -> None:
        ProgressDialog(job, self._window)

    # -- importing ---------------------------------------------------------------
    def ask_to_import(self, paths: list[Path]) -> None:
        """Ask as which format files and folders are imported, and show what they bring."""
        self._paths = paths
        self._exchange.read_formats(of_exports=False)

    @Slot(object)
    def _ask_how_to_import(self, offered: list[OfferedFormat]) -> None:
        paths, self._paths = self._paths, []
        if paths and self._library.snapshot is not None:
            dialog = ImportDialog(self._exchange, offered, paths, self._window)
            dialog.accepted_with.connect(self._import)
            dialog.open()

    @Slot(list, str)
    def _import(self, paths: list[Path], format_id: str) -> None:
        for path in paths:
            self._exchange.import_path(path, format_id)

    @Slot(object)
    def _imported(self, report: ExchangeReport) -> None:
        self._show(_("The import is done"), [report])

    def _read_import_reports(self) -> None:
        self._exchange.read_reports()

    @Slot(object)
    def _show_import_reports(self, reports: list[ExchangeReport]) -> None:
        if reports:
            self._show(_("Reports of imports"), reports)
        else:
            self._toasts.show(
                "info", _("Nothing was imported into this project yet"), _("Use Import... in the File menu")
            )

    # -- exporting ---------------------------------------------------------------
    def export(
        self, path: str = "", format: str = "", replace: str = "", where: str = "", trajectory: str = ""  # noqa: A002 - its name
    ) -> None:  # fmt: skip
        """Export to ``path`` as ``format``, or ask; ``replace`` is ``yes`` to replace an export.

        Of the project what the query ``where`` finds, or the one in the folder ``trajectory``.
        """
        if path and format:
            from collector.exchange.exports.exporting import ExportChoice
            from collector.exchange.exports.selection import Selection

            chosen = Selection(where=where, trajectories=(trajectory,) if trajectory else ())
            choice = ExportChoice(chosen, replace=replace == "yes")
            self._exchange.export(Path(path).expanduser(), format, choice)
            return
        self._query, self._trajectory = where, trajectory
        self._exchange.read_formats(of_exports=True)

    @Slot(object)
    def _ask_for_export(self, offered: list[OfferedFormat]) -> None:
        snapshot = self._library.snapshot
        if snapshot is None:
            return
        front = self._trajectory or self._in_front(snapshot.folder)
        dialog = ExportDialog(
            self._exchange, offered, snapshot.folder, self._window, query=self._query,
            tasks=self._selection.selected_tasks, front=front, begins_in_front=bool(self._trajectory),
        )  # fmt: skip
        dialog.accepted_with.connect(self._export_chosen)
        dialog.open()

    def _in_front(self, project: Path) -> str:
        """The folder of the trajectory that the person looks at, relative to the project; empty for none."""
        folder = self._selection.front_folder
        if folder is None or not folder.is_relative_to(project):
            return ""
        return folder.relative_to(project).as_posix()

    @Slot(str, object, object)
    def _export_chosen(self, format_id: str, path: Path, choice: ExportChoice) -> None:
        self._exchange.export(path, format_id, choice)

    @Slot(object)
    def _exported(self, report: ExchangeReport) -> None:
        self._show(_("The export is done"), [report])

    def _read_export_reports(self) -> None:
        self._exchange.read_reports(of_exports=True)

    @Slot(object)
    def _show_export_reports(self, reports: list[ExchangeReport]) -> None:
        if reports:
            self._show(_("Reports of exports"), reports)
        else:
            self._toasts.show(
                "info", _("This project was not exported yet"), _("Use Export... in the File menu")
            )

    def _show(self, title: str, reports: list[ExchangeReport]) -> None:
        dialog = ExchangeReportDialog(title, reports, self._window)
        dialog.folder_asked.connect(self._show_folder)
        dialog.open()

    @Slot(object)
    def _show_folder(self, path: Path) -> None:
        """Show an export, or a folder of the project, in the file manager; of a file the folder around it."""
        if (snapshot := self._library.snapshot) is not None:
            path = snapshot.folder / path
        if not open_on_desktop(path if path.is_dir() else path.parent):
            self._toasts.show(
                "warn", _("No program of this computer opens {name}", name=path.name), str(path)
            )
