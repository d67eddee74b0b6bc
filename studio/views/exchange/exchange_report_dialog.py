"""The report of an import or export: what came over, and a line per finding; earlier ones can be chosen."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from collector.model.i18n import _
from rule_editor.widgets.combo_box import ComboBox
from studio.theme import theme
from studio.views.exchange.finding_table import FindingTable, outcome_of
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog

if TYPE_CHECKING:
    from collector.exchange.exchange_reports import ExchangeReport


class ExchangeReportDialog(Dialog):
    """Lists the findings of the first of ``reports``, losses first; of several, another can be chosen."""

    folder_asked = Signal(object)
    """The Path that an export was written to, or the one in the project that holds what was imported."""

    def __init__(self, title: str, reports: Sequence[ExchangeReport], parent: QWidget) -> None:
        self._reports = list(reports)
        super().__init__(title, _("Close"), parent, width=760)
        self.no.hide()
        self.choice = ComboBox()
        self.choice.setAccessibleName(_("Export") if reports[0].is_export else _("Import"))
        for report in self._reports:
            self.choice.addItem(f"{_time_of(report)}  {report.source}")
        self.choice.setVisible(len(self._reports) > 1)
        self.format = Label("", "body", "text-2", wrap=True)
        self.summary = Label("", "body", "text", wrap=True)
        self.outcome = Label("", "body")
        self.table = FindingTable()
        for widget in (self.choice, self.format, self.summary, self.outcome):
            self.body.addWidget(widget)
        self.body.addWidget(self.table, 1)
        self.copy = QPushButton(_("Copy report"))
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(self._copy)
        self.add_left(self.copy)
        self.show_folder = QPushButton(_("Show folder"))
        self.show_folder.setAutoDefault(False)
        self.show_folder.clicked.connect(self._ask_folder)
        self.add_left(self.show_folder)
        self.choice.currentIndexChanged.connect(self._show)
        self._show(0)
        most = max(len(report.findings) for report in self._reports)
        self.resize(860, min(560, 290 + theme.size("row_list") * min(most, 20)))

    @property
    def report(self) -> ExchangeReport:
        """The report that is shown."""
        return self._reports[max(self.choice.currentIndex(), 0)]

    @property
    def folder(self) -> str:
        """What :attr:`folder_asked` shows; relative to the project, and empty without a trajectory."""
        report = self.report
        if report.is_export:
            return report.source
        return posixpath.commonpath(report.trajectories) if report.trajectories else ""

    @Slot(int)
    def _show(self, _index: int) -> None:
        report = self.report
        losses = len(report.losses)
        self.format.setText(report.title)
        self.summary.setText(
            _("Exported to {place}: {summary}", place=report.source, summary=report.summary)
            if report.is_export
            else _("Imported: {summary}", summary=report.summary)
        )
        self.outcome.setText(outcome_of(report.findings))
        self.outcome.set_tone("warn" if losses else "ok")
        self.table.setVisible(bool(report.findings))
        self.table.show_findings(report.ordered)
        self.show_folder.setVisible(bool(self.folder))

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.text)
        self.copy.setText(_("Copied"))

    @Slot()
    def _ask_folder(self) -> None:
        self.folder_asked.emit(Path(self.folder))


def _time_of(report: ExchangeReport) -> str:
    moment = QDateTime.fromString(report.at, Qt.DateFormat.ISODate).toLocalTime()
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)
