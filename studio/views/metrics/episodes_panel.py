"""The panel with a number, how it is counted, and exactly the episodes behind it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.metrics.rendering.number_text import interval_text
from collector.model.i18n import _, ngettext
from collector.store.catalogue_row import CatalogueRow
from studio.theme import theme
from studio.views.metrics.episode_list import BehindList
from studio.views.metrics.session import MetricsSession, ShownNumber
from studio.views.services import WindowServices
from studio.widgets.controls import EmptyState, Label, surface

_NOBODY = np.empty(0, np.int64)


class EpisodesPanel(QFrame):
    """Follows the number that the session shows."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        self.title = Label("", "heading")
        self.detail = Label("", "body", "text-2", cut=True)
        self.figure = Label("", "figure")
        self.outcomes = Label("", "body", "text-2", wrap=True)
        self.how = Label("", "body", wrap=True)
        self.count = Label("", "body", "text-2", cut=True)
        self.list = BehindList(services.tasks)
        self._pages = QStackedWidget()
        self._lay_out()
        self.list.opened.connect(self._open)
        session.number_changed.connect(self.show_number)
        self.show_number()

    def _lay_out(self) -> None:
        head = surface("panel", "bottom")
        head.setFixedHeight(theme.size("toolbar"))
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 0, 6, 0)
        row.setSpacing(8)
        row.addWidget(self.title)
        row.addWidget(self.detail, 1)
        number = surface("panel", "bottom")
        inside = QVBoxLayout(number)
        inside.setContentsMargins(12, 12, 12, 12)
        inside.setSpacing(8)
        for label in (self.figure, self.outcomes, Label(_("How it is counted"), "body", "text-2"), self.how):
            inside.addWidget(label)
        episodes = surface("panel", "bottom")
        episodes.setFixedHeight(theme.size("panel_header"))
        line = QHBoxLayout(episodes)
        line.setContentsMargins(12, 0, 12, 0)
        line.setSpacing(8)
        line.addWidget(Label(_("Episodes"), "heading"))
        line.addWidget(self.count, 1)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(number)
        column.addWidget(episodes)
        column.addWidget(self.list, 1)
        empty = EmptyState(
            _("No number is selected"), _("Select a number to see its episodes"), icon="metrics"
        )
        self._pages.addWidget(empty)
        self._pages.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(head)
        whole.addWidget(self._pages, 1)

    @Slot()
    def show_number(self) -> None:
        """Show the number of the session."""
        number, table = self._session.number, self._session.columns
        self._pages.setCurrentIndex(int(number is not None))
        self.title.setText(number.title if number is not None else _("Episodes"))
        self.detail.setText(number.detail if number is not None else "")
        if number is None or table is None:
            self.list.episodes.show(None, _NOBODY)
            return
        self._show_facts(number, table)
        behind = number.cell.behind if number.cell.behind is not None else _NOBODY
        self.count.setText(ngettext("{count} episode", "{count} episodes", len(behind)))
        self.list.episodes.show(self._session.project_library.project, table.keys[behind])

    def _show_facts(self, number: ShownNumber, table: EpisodeColumns) -> None:
        cell = number.cell.number
        words = (
            str(cell.count) if cell.hits is None else _("{hits} of {count}", hits=cell.hits, count=cell.count)
        )
        self.figure.setText(words)
        behind = number.cell.behind if number.cell.behind is not None else _NOBODY
        self.outcomes.setText(_outcomes_text(table, behind))
        interval = interval_text(cell, number.unit)
        sentence = _("95 % interval {interval} (Wilson).", interval=interval) if interval else ""
        self.how.setText(" ".join(filter(None, (number.how, sentence, number.cell.note))))

    def _open(self, row: CatalogueRow) -> None:
        folder = self._session.folder
        if folder is not None:
            self._services.run_command("record.open-trajectory", folder=str(folder / row.folder))


def _outcomes_text(table: EpisodeColumns, behind: Ints) -> str:
    """How the episodes ended, by the judge in use."""
    counts = [
        int(np.count_nonzero(mask[behind]))
        for mask in (table.is_success, table.is_failure, table.is_uncompleted)
    ]
    return _(
        "{success} success, {failure} failure, {uncompleted} uncompleted",
        success=counts[0], failure=counts[1], uncompleted=counts[2],
    )  # fmt: skip
