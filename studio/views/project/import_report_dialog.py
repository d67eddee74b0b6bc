"""The dialog after an import: what was imported, and one line for each finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from collector.exchange.exchange_log import LOSS, sentence_of
from collector.model.i18n import _, ngettext
from studio.theme import theme
from studio.widgets.controls import Label
from studio.widgets.dialog import Dialog

if TYPE_CHECKING:
    from collector.exchange.importing import ImportResult

_MOST = 2000


class ImportReportDialog(Dialog):
    """Lists the findings of an import, losses first."""

    def __init__(self, result: ImportResult, parent: QWidget) -> None:
        super().__init__(
            _("The import is done"), _("Close"), parent, sentence=result.importer.title, width=760
        )
        self.no.hide()
        self.body.addWidget(Label(self._summary_of(result), "body", "text", wrap=True))
        losses, notes = len(result.losses), len(result.findings) - len(result.losses)
        if not result.findings:
            self.body.addWidget(Label(_("Everything was kept"), "body", "ok"))
            return
        sentence = ngettext(
            "{count} thing could not be kept", "{count} things could not be kept", losses
        ) if losses else _("Nothing was lost")  # fmt: skip
        if notes:
            sentence = ", ".join(
                (sentence, ngettext("{count} thing to know", "{count} things to know", notes))
            )
        self.body.addWidget(Label(sentence, "body", "warn" if losses else "ok"))
        self.table = self._table(result)
        self.body.addWidget(self.table, 1)
        self.resize(860, min(560, 210 + theme.size("row_list") * min(len(result.findings), 20)))

    def _summary_of(self, result: ImportResult) -> str:
        trajectories = ngettext("{count} trajectory", "{count} trajectories", len(result.folders))
        tasks = ngettext("{count} new task", "{count} new tasks", len(result.tasks))
        return _("Kept: {trajectories}, {tasks}", trajectories=trajectories, tasks=tasks)

    def _table(self, result: ImportResult) -> QTreeWidget:
        table = QTreeWidget()
        table.setColumnCount(2)
        table.setHeaderLabels([_("What"), _("Where")])
        table.setRootIsDecorated(False)
        table.setUniformRowHeights(False)
        table.setWordWrap(True)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        ordered = sorted(result.findings, key=lambda finding: finding.severity != LOSS)
        for finding in ordered[:_MOST]:
            lost = finding.severity == LOSS
            item = QTreeWidgetItem([sentence_of(finding), finding.where])
            item.setIcon(0, theme.icon("state-warn" if lost else "state-info"))
            item.setToolTip(0, sentence_of(finding))
            item.setToolTip(1, finding.where)
            item.setSizeHint(0, QSize(0, theme.size("row_list")))
            table.addTopLevelItem(item)
        table.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.header().setStretchLastSection(False)
        table.setColumnWidth(1, 220)
        return table
