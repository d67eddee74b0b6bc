"""What an import or an export cannot keep, or could not: a line for each finding, losses first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from collector.exchange.exchange_log import LOSS, sentence_of
from collector.model.finding import Finding
from collector.model.i18n import _, ngettext
from studio.theme import theme
from studio.widgets.tables.spoken_cell import spoken_cell

_MOST = 2000


class FindingTable(QTreeWidget):
    """Hidden without findings."""

    def __init__(self, *, is_narrow: bool = False) -> None:
        """A narrow one says behind each finding where it belongs."""
        super().__init__()
        self._is_narrow = is_narrow
        self.setAccessibleName(_("Findings"))
        self.setColumnCount(2)
        self.setHeaderLabels([_("What"), _("Where")])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(False)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setStretchLastSection(False)
        self.setColumnWidth(1, 220)
        self.setColumnHidden(1, is_narrow)
        self.setHeaderHidden(is_narrow)

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Show findings in their order, losses marked as such."""
        self.setVisible(bool(findings))
        self.clear()
        for finding in findings[:_MOST]:
            where = finding.where.removeprefix("trajectories/")
            said = (
                f"{sentence_of(finding)}  -  {where}" if self._is_narrow and where else sentence_of(finding)
            )
            item = QTreeWidgetItem([said, finding.where])
            item.setIcon(0, theme.icon("state-warn" if finding.severity == LOSS else "state-info"))
            tip = "\n".join(filter(None, (sentence_of(finding), finding.where)))
            item.setToolTip(0, tip if self._is_narrow else sentence_of(finding))
            item.setToolTip(1, finding.where)
            item.setData(1, Qt.ItemDataRole.AccessibleTextRole, spoken_cell(_("Where"), finding.where))
            item.setSizeHint(0, QSize(0, theme.size("row_list")))
            self.addTopLevelItem(item)


def outlook_of(findings: Sequence[Finding], is_all: bool) -> str:
    """How much will be lost, in a sentence; ``is_all`` when everything was looked at."""
    losses = sum(finding.severity == LOSS for finding in findings)
    if not losses:
        return _("Nothing is lost") if is_all else _("Nothing of these is lost")
    return ngettext("{count} thing cannot be kept", "{count} things cannot be kept", losses)


def outcome_of(findings: Sequence[Finding]) -> str:
    """How much was lost, in a sentence."""
    losses = sum(finding.severity == LOSS for finding in findings)
    notes = len(findings) - losses
    if not findings:
        return _("Everything was kept")
    sentence = ngettext(
        "{count} thing could not be kept", "{count} things could not be kept", losses
    ) if losses else _("Nothing was lost")  # fmt: skip
    if notes:
        return ", ".join((sentence, ngettext("{count} thing to know", "{count} things to know", notes)))
    return sentence
