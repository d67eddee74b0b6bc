"""The episodes of an experiment as a list, with a search in the words of the catalogue."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLineEdit

from collector.model.i18n import _, ngettext
from collector.store.catalogue.catalogue_row import CatalogueRow
from rule_editor.widgets.field_names import add_clear_button
from studio.views.run.experiment_page import ExperimentPage
from studio.views.run.session import RunSession
from studio.views.services import WindowServices
from studio.widgets.result_grid.episode_table import EpisodeTable

_PAUSE_MS = 150
_MOST = 250_000
"""Episodes that are read at most."""


class EpisodeList(ExperimentPage):
    """Reads the episodes behind the window while it is on show."""

    def __init__(self, session: RunSession, services: WindowServices) -> None:
        super().__init__(session, _PAUSE_MS)
        self._services, self._trajectories = services, services.trajectories
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Search: agent:gpt outcome:failure early:yes -infrastructure:yes"))
        self.field.setAccessibleName(_("Search episodes"))
        add_clear_button(self.field)
        self.table = EpisodeTable()
        self._lay_out(self.field, 2, 3, self.table)
        self.field.textChanged.connect(self._edited)
        self.table.chosen.connect(self._choose)
        self.table.opened.connect(self._open)
        session.experiment_changed.connect(self._outdate)

    @Slot()
    def _edited(self) -> None:
        self._pause.start()  # a pause in typing, not each key, begins a search

    @Slot()
    def _read(self) -> None:
        name = self._session.name
        if not name:
            self.table.show_rows(())
            return
        self._begin()
        query = f'kind:run experiment:"={name}" {self.field.text()}'
        self._job = self._trajectories.page(query, 0, _MOST, self._show, self._fail)

    def _show(self, page: tuple[int, list[CatalogueRow]]) -> None:
        count, rows = page
        self._say(ngettext("{count} episode", "{count} episodes", count))
        self.table.show_rows(rows)

    def _fail(self, error: Exception) -> None:
        self._say_failure(error, _("The search failed"))

    @Slot(object)
    def _choose(self, row: CatalogueRow) -> None:
        self._session.select_cell(f"{row.cell} / {row.seed or 0} / {row.repeat or 0}")

    @Slot(object)
    def _open(self, row: CatalogueRow) -> None:
        self._services.run_command("review.open", folder=row.folder)
