"""The episodes of an experiment as a list, with a search in the words of the catalogue."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.store.catalogue.catalogue_row import CatalogueRow
from rule_editor.widgets.field_names import add_clear_button
from studio.bridge.jobs import Job
from studio.views.run.session import RunSession
from studio.views.services import WindowServices
from studio.widgets.controls import Label
from studio.widgets.result_grid.episode_table import EpisodeTable

_PAUSE_MS = 150
_MOST = 250_000
"""Episodes that are read at most."""


class EpisodeList(QFrame):
    """Reads the episodes behind the window while it is on show."""

    def __init__(self, session: RunSession, services: WindowServices) -> None:
        super().__init__()
        self._session, self._services = session, services
        self._is_active, self._is_old = False, True
        self._job: Job | None = None
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Search: agent:gpt outcome:failure early:yes -infrastructure:yes"))
        self.field.setAccessibleName(_("Search episodes"))
        add_clear_button(self.field)
        self.note = Label("", "caption", "text-2", cut=True)
        self.table = EpisodeTable()
        row = QHBoxLayout()
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(12)
        row.addWidget(self.field, 2)
        row.addWidget(self.note, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.table, 1)
        self._trajectories = services.trajectories
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._read)
        self.field.textChanged.connect(self._edited)
        self.table.chosen.connect(self._choose)
        self.table.opened.connect(self._open)
        session.experiment_chosen.connect(self._outdate)
        session.experiment_changed.connect(self._outdate)
        session.cells_changed.connect(self._outdate)
        session.project_library.changed.connect(self._outdate)

    def set_active(self, active: bool) -> None:
        """Follow what is stored while the list is on show."""
        self._is_active = active
        if active and self._is_old:
            self._read()

    @Slot()
    def _edited(self) -> None:
        self._pause.start()  # a pause in typing, not each key, begins a search

    @Slot()
    def _outdate(self) -> None:
        self._is_old = True
        if self._is_active and not self._pause.isActive():
            self._pause.start()

    @Slot()
    def _read(self) -> None:
        name = self._session.name
        if not name:
            self.table.show_rows(())
            return
        self._is_old = False
        if self._job is not None and not self._job.finished:
            self._job.cancel()
        query = f'kind:run experiment:"={name}" {self.field.text()}'
        self._job = self._trajectories.page(query, 0, _MOST, self._show, self._fail)

    def _show(self, page: tuple[int, list[CatalogueRow]]) -> None:
        count, rows = page
        self.note.set_tone("text-2")
        self.note.setText(ngettext("{count} episode", "{count} episodes", count))
        self.table.show_rows(rows)

    def _fail(self, error: Exception) -> None:
        self.note.set_tone("err")
        self.note.setText(str(error) if isinstance(error, UserError) else _("The search failed"))

    @Slot(object)
    def _choose(self, row: CatalogueRow) -> None:
        self._session.select_cell(f"{row.cell} / {row.seed or 0} / {row.repeat or 0}")

    @Slot(object)
    def _open(self, row: CatalogueRow) -> None:
        self._services.run_command("review.open", folder=row.folder)
