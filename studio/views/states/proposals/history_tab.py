"""The History tab: who proposed, agreed and audited the states, and when."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, Qt, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.states.work_history import HistoryEntry, history_of
from studio.views.project.relative_time import relative_time
from studio.views.services import WindowServices
from studio.views.states.session import StatesSession
from studio.widgets.controls import Label
from studio.widgets.tables.act_list import ActEntry, ActList

_ICONS = {"proposal": "edit", "definition": "users", "audit": "check"}


class HistoryTab(QStackedWidget):
    """Lists what was done, the newest first; an entry about a state leads to it."""

    count_changed = Signal(object)
    """How many acts there are; None for none."""

    def __init__(self, session: StatesSession, services: WindowServices) -> None:
        super().__init__()
        self._session = session
        self._reviews = services.state_reviews
        self.list = ActList(_("History of the states"))
        empty = QWidget()
        column = QVBoxLayout(empty)
        column.addWidget(
            Label(_("Nothing has happened yet"), "body", "text-3"), 0, Qt.AlignmentFlag.AlignCenter
        )
        self.addWidget(empty)
        self.addWidget(self.list)
        self._reviews.changed.connect(self.refresh)
        self.list.opened.connect(self._open)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what is known now, as far as the person may see it."""
        review = self._reviews.review
        entries = history_of(review.work, review.person) if review is not None else []
        self.list.show_entries([_entry(entry) for entry in reversed(entries)])
        self.setCurrentIndex(int(bool(entries)))
        self.count_changed.emit(len(entries) or None)

    @Slot(object)
    def _open(self, entry: ActEntry) -> None:
        if entry.subject:
            self._session.select(entry.subject, follow=True)


def _entry(entry: HistoryEntry) -> ActEntry:
    moment = QDateTime.fromString(entry.time, Qt.DateFormat.ISODateWithMs).toLocalTime()
    exact = moment.toString("yyyy-MM-dd HH:mm:ss") if moment.isValid() else entry.time
    relative = relative_time(entry.time)
    when = f"{exact} · {relative}" if relative and relative not in exact else exact
    return ActEntry(_ICONS.get(entry.stage, "clock"), entry.sentence, when, entry.sentence, entry.state)
