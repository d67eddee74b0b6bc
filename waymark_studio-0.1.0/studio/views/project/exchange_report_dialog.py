"""The report of an import or export: what came over, and a line per finding; earlier ones can be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from collector.exchange.exchange_log import LOSS, sentence_of
from collector.model.i18n import _, ngettext
from studio.theme import theme
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog

if TYPE_CHECKING:
    from collector.exchange.exchange_reports import ExchangeReport

_MOST = 2000


class ExchangeReportDialog(Dialog):
    """Lists the findings of the first of ``reports``, losses first; of several, another can be chosen."""

    def __init__(self, title: str, reports: Sequence[ExchangeReport], parent: QWidget) -> None:
        self._reports = list(reports)
        super().__init__(title, _("Close"), parent, width=760)
        self.no.hide()
        self.choice = QComboBox()
        self.choice.setAccessibleName(_("Export") if reports[0].is_export else _("Import"))
        for report in self._reports:
            self.choice.addItem(f"{_time_of(report)}  {report.source}")
        self.choice.setVisible(len(self._reports) > 1)
        self.format = Label("", "body", "text-2", wrap=True)
        self.summary = Label("", "body", "text", wrap=True)
        self.outcome = Label("", "body")
        self.table = _table()
        for widget in (self.choice, self.format, self.summary, self.outcome):
            self.body.addWidget(widget)
        self.body.addWidget(self.table, 1)
        self.copy = QPushButton(_("Copy report"))
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(self._copy)
        self.add_left(self.copy)
        self.choice.currentIndexChanged.connect(self._show)
        self._show(0)
        most = max(len(report.findings) for report in self._reports)
        self.resize(860, min(560, 290 + theme.size("row_list") * min(most, 20)))

    @property
    def report(self) -> ExchangeReport:
        """The report that is shown."""
        return self._reports[max(self.choice.currentIndex(), 0)]

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
        self.outcome.setText(_result_of(report))
        self.outcome.set_tone("warn" if losses else "ok")
        self.table.setVisible(bool(report.findings))
        self.table.clear()
        for finding in report.ordered[:_MOST]:
            lost = finding.severity == LOSS
            item = QTreeWidgetItem([sentence_of(finding), finding.where])
            item.setIcon(0, theme.icon("state-warn" if lost else "state-info"))
            item.setToolTip(0, sentence_of(finding))
            item.setToolTip(1, finding.where)
            item.setSizeHint(0, QSize(0, theme.size("row_list")))
            self.table.addTopLevelItem(item)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.text)
        self.copy.setText(_("Copied"))


def _result_of(report: ExchangeReport) -> str:
    """How much was lost, in a sentence."""
    losses, notes = len(report.losses), len(report.findings) - len(report.losses)
    if not report.findings:
        return _("Everything was kept")
    sentence = ngettext(
        "{count} thing could not be kept", "{count} things could not be kept", losses
    ) if losses else _("Nothing was lost")  # fmt: skip
    if notes:
        return ", ".join((sentence, ngettext("{count} thing to know", "{count} things to know", notes)))
    return sentence


def _time_of(report: ExchangeReport) -> str:
    moment = QDateTime.fromString(report.at, Qt.DateFormat.ISODate).toLocalTime()
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)


def _table() -> QTreeWidget:
    table = QTreeWidget()
    table.setColumnCount(2)
    table.setHeaderLabels([_("What"), _("Where")])
    table.setRootIsDecorated(False)
    table.setUniformRowHeights(False)
    table.setWordWrap(True)
    table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    table.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    table.header().setStretchLastSection(False)
    table.setColumnWidth(1, 220)
    return table
