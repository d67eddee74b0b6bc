"""The commands that copy the tables on show, and write them to a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from collector.metrics.rendering.csv_text import as_csv
from collector.metrics.rendering.json_document import table_document
from collector.metrics.rendering.latex_text import as_latex
from collector.metrics.rendering.markdown_text import as_markdown
from collector.metrics.report import ReportTable
from collector.model.i18n import N_, _
from studio.bridge.jobs import Job
from studio.views.metrics.session import MetricsSession
from studio.views.services import WindowServices
from studio.widgets.commands.command_menu import CommandMenu
from studio.widgets.controls import Button
from studio.widgets.dialogs.file_dialog import dress_file_dialog

_COPIED = {
    "markdown": N_("The table is copied as Markdown"),
    "csv": N_("The table is copied as CSV"),
    "latex": N_("The table is copied as LaTeX"),
}
_TEXTS: dict[str, Callable[[Sequence[ReportTable]], str]] = {
    "markdown": as_markdown, "csv": as_csv, "latex": as_latex,
}  # fmt: skip
_ENDINGS = {".md": "markdown", ".csv": "csv", ".tex": "latex", ".json": "json"}
_KINDS = "Markdown (*.md);;CSV (*.csv);;LaTeX (*.tex);;JSON (*.json)"


class TableController(QObject):
    """Texts are those that the command line writes; they are made behind the window."""

    def __init__(
        self, session: MetricsSession, services: WindowServices, button: Button, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._services, self._button = session, services, button
        self.dialog: QFileDialog | None = None
        handle = services.commander.handle
        handle("metrics.copy", self._open_menu)
        for form in _COPIED:
            handle(f"metrics.copy-{form}", partial(self.copy, form))
        handle("metrics.export", self._ask_for_file)

    def _open_menu(self) -> None:
        commands = [[f"metrics.copy-{form}" for form in _COPIED]]
        menu: QMenu = CommandMenu(
            self._services.commander, commands, self._services.run_command, self._button
        )
        menu.popup(self._button.mapToGlobal(QPoint(0, self._button.height())))

    @property
    def _reports(self) -> tuple[ReportTable, ...]:
        return tuple(table.report for table in self._session.tables)

    def copy(self, form: str) -> None:
        """Copy all tables on show as ``markdown``, ``csv`` or ``latex``."""
        reports = self._reports

        def work(_job: Job) -> tuple[str, str]:
            return form, _TEXTS[form](reports)

        self._services.tasks.run(work, success=self._copied, failure=self._services.toasts.show_error)

    @Slot(object)
    def _copied(self, result: tuple[str, str]) -> None:
        form, text = result
        QGuiApplication.clipboard().setText(text)
        self._services.toasts.show("ok", _(_COPIED[form]))

    def _ask_for_file(self) -> None:
        dialog = self.dialog = QFileDialog(self._button.window(), _("Export the numbers"), "metrics", _KINDS)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("md")
        dress_file_dialog(dialog)
        dialog.filterSelected.connect(self._ending_chosen)
        dialog.fileSelected.connect(self.write)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(str)
    def _ending_chosen(self, kind: str) -> None:
        if self.dialog is not None:
            self.dialog.setDefaultSuffix(kind.partition("*.")[2].rstrip(")"))

    @Slot(str)
    def write(self, path: str) -> None:
        """Write all tables on show to a file, in the format that its ending names; Markdown by default."""
        reports, form = self._reports, _ENDINGS.get(Path(path).suffix.lower(), "markdown")

        def work(_job: Job) -> str:
            Path(path).write_text(_text(form, reports), "utf-8", newline="")
            return path

        self._services.tasks.run(work, success=self._written, failure=self._services.toasts.show_error)

    @Slot(object)
    def _written(self, path: str) -> None:
        self._services.toasts.show("ok", _("The numbers are written"), path)


def _text(form: str, reports: Sequence[ReportTable]) -> str:
    if form != "json":
        return _TEXTS[form](reports)
    document = {"tables": [table_document(report) for report in reports]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
