"""Crash reports in the window: those since the last start are said, and all can be read."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from collector.crash_reports.crash_reports import (
    CrashReport,
    delete_reports,
    read_reports,
    report_of,
    was_reported,
)
from collector.model.i18n import _, ngettext
from studio.app.main_window.window import MainWindow
from studio.bridge import Job, JobRunner
from studio.commands.commander import Commander
from studio.settings import Settings
from studio.views.crash_report_dialog import CrashReportDialog
from studio.views.desktop_toast import open_or_say
from studio.widgets.window_frame.toasts import Remark

_LAST_SEEN = "window.last-crash-report"


class CrashReportController(QObject):
    """Handles ``help.crash-reports``. Nothing leaves the computer, whatever a person presses."""

    def __init__(
        self, commander: Commander, settings: Settings, tasks: JobRunner, folder: Path, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._settings, self._tasks, self._folder = settings, tasks, folder
        commander.handle("help.crash-reports", self.show_reports)

    def attach(self, window: MainWindow) -> None:
        """Set the window for toasts and the dialog."""
        self._window = window
        window.toasts.remark_of_bug = self._remark

    def start(self) -> None:
        """Say what was reported since the last start."""
        seen = str(self._settings[_LAST_SEEN])
        self._tasks.run(partial(_read, self._folder, seen), success=self._say)

    def _remark(self, error: Exception) -> Remark:
        """What is said of the report of an error that happened just now."""
        if report_of(error) is not None:
            return Remark(_("A report of it stays on this computer"), _("Show report"), self.show_reports)
        return Remark(_("No report of it could be written") if was_reported(error) else "")

    @Slot()
    def show_reports(self) -> None:
        """Read the reports and show the newest."""
        self._tasks.run(partial(_read, self._folder, ""), success=self._open)

    @Slot(object)
    def _say(self, reports: list[CrashReport]) -> None:
        if not reports:
            return
        self._settings.set(_LAST_SEEN, reports[0].name)
        count = len(reports)
        self._window.toasts.show(
            "warn",
            ngettext(
                "An error happened since the last start",
                "{count} errors happened since the last start",
                count,
            ),
            _("{error}. A report of it stays on this computer: nothing was sent", error=reports[0].error),
            action=_("Show report"),
            act=self.show_reports,
        )

    @Slot(object)
    def _open(self, reports: list[CrashReport]) -> None:
        dialog = CrashReportDialog(reports, self._window)
        dialog.delete_asked.connect(self._delete)
        dialog.folder_asked.connect(self._open_folder)
        dialog.open()

    @Slot(object)
    def _delete(self, report: CrashReport) -> None:
        self._tasks.run(partial(_forget, report))

    @Slot()
    def _open_folder(self) -> None:
        open_or_say(self._window.services, self._folder)


def _read(folder: Path, after: str, _job: Job) -> list[CrashReport]:
    return read_reports(folder, after)


def _forget(report: CrashReport, _job: Job) -> None:
    delete_reports([report])
