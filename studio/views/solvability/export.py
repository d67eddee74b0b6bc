"""Copy the results of a solvability check as a table, or save them as CSV or JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from collector.model.i18n import _
from collector.replay.solvability.report import as_csv, as_dict, as_markdown
from collector.replay.solvability.trials import SolvabilityReport, SolvabilityTrial
from rule_editor.widgets.popup_menu import PopupMenu
from studio.bridge import JobRunner
from studio.bridge.jobs import Job
from studio.theme import theme
from studio.widgets.dialogs.file_dialog import dress_file_dialog
from studio.widgets.window_frame.toasts import Toasts

COPY_MARKDOWN, COPY_CSV, SAVE_JSON, SAVE_CSV = "copy-markdown", "copy-csv", "save-json", "save-csv"


class SolvabilityExport(QObject):
    """Offers a menu; files are written off the GUI thread."""

    def __init__(self, runner: JobRunner, toasts: Toasts, host: QWidget) -> None:
        super().__init__(host)
        self._runner, self._toasts, self._host = runner, toasts, host
        self._trials: tuple[SolvabilityTrial, ...] = ()
        self._text = ""

    def menu(self, trials: Sequence[SolvabilityTrial]) -> QMenu:
        """Return a menu of the ways to copy and save ``trials``."""
        self._trials = tuple(trials)
        menu = PopupMenu(self._host)
        for key, icon, words in (
            (COPY_MARKDOWN, "copy", _("Copy as Markdown")),
            (COPY_CSV, "copy", _("Copy as CSV")),
            (SAVE_CSV, "down", _("Save as CSV...")),
            (SAVE_JSON, "down", _("Save as JSON...")),
        ):
            menu.addAction(theme.icon(icon), words).setData(key)
        menu.triggered.connect(self._chosen)
        return menu

    @Slot(QAction)
    def _chosen(self, action: QAction) -> None:
        self.take(str(action.data()))

    def take(self, key: str) -> None:
        """Copy or save in one of the four ways."""
        if key == COPY_MARKDOWN:
            self._copy(as_markdown(self._trials))
        elif key == COPY_CSV:
            self._copy(as_csv(self._trials))
        elif key == SAVE_CSV:
            self._save(as_csv(self._trials), "solvability.csv", "CSV (*.csv)")
        else:
            text = json.dumps(as_dict(SolvabilityReport(self._trials)), ensure_ascii=False, indent=2)
            self._save(f"{text}\n", "solvability.json", "JSON (*.json)")

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._toasts.show("ok", _("The solvability results are copied"))

    def _save(self, text: str, name: str, kind: str) -> None:
        self._text = text
        dialog = QFileDialog(self._host, _("Save the solvability results"), name, kind)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(Path(name).suffix[1:])
        dress_file_dialog(dialog)
        dialog.fileSelected.connect(self.write)
        dialog.open()

    @Slot(str)
    def write(self, path: str) -> None:
        """Write the chosen text to a file."""
        text = self._text

        def work(_job: Job) -> str:
            Path(path).write_text(text, "utf-8", newline="")
            return path

        self._runner.run(work, success=self._written, failure=self._toasts.show_error)

    @Slot(object)
    def _written(self, path: str) -> None:
        self._toasts.show("ok", _("The solvability results are saved"), path)
