"""The tab Health below the tasks: what was found, how much was looked at, and the button that looks anew."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from collector.model.i18n import _, ngettext
from collector.project_health.health_finding import HealthReport
from studio.bridge.project_health import ProjectHealth
from studio.views.project.health.health_entries import health_entries
from studio.views.project.health.health_list import HealthList
from studio.widgets.controls import Button, Label
from studio.widgets.report_pages import ReportPages

_MOST_OPEN = 8
"""A kind with more findings is folded at first."""


class HealthPanel(QWidget):
    """Shows the newest report of the project's health."""

    asked = Signal()
    """The health is to be told, first or anew."""
    counted = Signal(object)
    """How many findings there are; None while nobody looked."""

    def __init__(self, health: ProjectHealth) -> None:
        super().__init__()
        self._health = health
        self._shown: HealthReport | None = None
        self._folded: set[str] = set()
        self.list = HealthList()
        self.summary = Label("", "name")
        self.note = Label("", "body", "text-2", cut=True)
        self.again = Button(_("Look again"), "refresh", "outlined", small=True)
        self.begin = Button(_("Health of the project"), "check", "outlined")
        self._pages = ReportPages(self.begin)
        self._pages.head.addWidget(self.summary)
        self._pages.head.addWidget(self.note, 1)
        self._pages.head.addWidget(self.again)
        self._pages.body.addWidget(self.list, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._pages)
        self.again.clicked.connect(self.asked)
        self.begin.clicked.connect(self.asked)
        self.list.fold_asked.connect(self._fold)
        health.changed.connect(self.renew)
        self.renew()

    # -- what is shown -------------------------------------------------------
    @Slot()
    def renew(self) -> None:
        """Show the newest report, or how to get one."""
        health, report = self._health, self._health.report
        self._pages.show_report(report is not None)
        for button in (self.again, self.begin):
            button.setEnabled(not health.is_looking)
        self._pages.set_words(
            _("The index is read...") if health.is_looking else
            _("See which tasks, states, anomalies and judges tell nothing, and which successes look wrong. "
              "Only what is recorded is looked at; nothing is changed.")
        )  # fmt: skip
        if report is not None and report is not self._shown:
            self._folded = {name for name, count in report.counts.items() if count > _MOST_OPEN}
        self._shown = report
        self.counted.emit(None if report is None else sum(report.counts.values()))
        if report is None:
            self.list.show_entries(())
            return
        self.summary.setText(_summary(report))
        self.note.setText(self._note(report))
        self._show_entries(report)

    def _note(self, report: HealthReport) -> str:
        if self._health.is_looking:
            return _("The index is read...")
        looked = _(
            "{runs} runs and {goldens} goldens were looked at", runs=report.runs, goldens=report.goldens
        )
        outdated = _("the project was changed since") if self._health.is_outdated else ""
        hidden = ngettext(
            "{count} more about what you review blind", "{count} more about what you review blind",
            report.hidden,
        ) if report.hidden else ""  # fmt: skip
        return "; ".join(filter(None, (looked, hidden, outdated)))

    def _show_entries(self, report: HealthReport) -> None:
        self.list.show_entries(health_entries(report, self._folded))

    @Slot(str)
    def _fold(self, kind: str) -> None:
        self._folded ^= {kind}
        if self._shown is not None:
            row = next(
                at for at, entry in enumerate(self.list.entries) if entry.is_head and entry.kind == kind
            )
            self._show_entries(self._shown)
            self.list.show_row(row)


def _summary(report: HealthReport) -> str:
    total, kinds = sum(report.counts.values()), len(report.counts)
    if not total:
        return _("Nothing was found")
    found = ngettext("{count} finding", "{count} findings", total)
    return _("{found} of {kinds} kinds", found=found, kinds=kinds) if kinds > 1 else found
