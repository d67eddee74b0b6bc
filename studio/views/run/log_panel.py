"""The panel with the log of the selected episode."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.run.results.episode_log import LogLine, live_log
from collector.run.results.result_grid import cell_text, result_text
from studio.bridge.runs.episode_logs import EpisodeLogs
from studio.theme import theme
from studio.views.run.session import RunSession
from studio.views.services import WindowServices
from studio.widgets.controls import EmptyState, Label, surface
from studio.widgets.episode_log.view import EpisodeLogView
from studio.widgets.icon_button import IconButton


class LogPanel(QFrame):
    """Shows the log of the selected cell: of its stored episode, while it is written, too."""

    step_opened = Signal(int)
    """A step, from 1, to open in Review."""

    def __init__(self, session: RunSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        self._logs = EpisodeLogs(services.tasks, self)
        self.view = EpisodeLogView()
        self.title = Label(_("Log"), "heading", cut=True)
        self.outcome = Label("", "caption", "text-2", cut=True)
        self.copy = IconButton("copy", _("Copy the chosen lines, or all"), size=24)
        self._empty = EmptyState(*_words_without_cell(has_worker=False), icon="list")
        self._lay_out()
        self.copy.clicked.connect(self.view.copy)
        self.view.step_opened.connect(self.step_opened)
        self._logs.read.connect(self._show_lines)
        self._logs.failed.connect(services.toasts.show_error)
        session.cell_selected.connect(self._show_cell)
        session.cells_changed.connect(self._cells_changed)
        session.log_changed.connect(self._log_changed)
        session.worker_selected.connect(self._worker_selected)
        session.experiment_changed.connect(self._show_cell)

    def _lay_out(self) -> None:
        head = surface("bar", "bottom")
        head.setFixedHeight(theme.size("panel_header"))
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 0, 6, 0)
        row.addWidget(self.title, 1)
        row.addWidget(self.copy)
        log = QWidget()
        column = QVBoxLayout(log)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        second = QHBoxLayout()
        second.setContentsMargins(12, 6, 12, 6)
        second.addWidget(self.outcome)
        column.addLayout(second)
        column.addWidget(self.view, 1)
        pages = QWidget()
        self._stack = QStackedLayout(pages)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(log)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(head)
        whole.addWidget(pages, 1)

    @property
    def folder(self) -> Path | None:
        """The folder of the trajectory of the selected cell; None without one."""
        return self._session.trajectory_folder(self._session.selected_cell)

    # -- what is shown -------------------------------------------------------
    @Slot()
    def _show_cell(self) -> None:
        cell_id = self._session.selected_cell
        cell = self._session.cell(cell_id) if cell_id else None
        self._stack.setCurrentIndex(int(bool(cell_id)))
        self._empty.set_words(*_words_without_cell(has_worker=bool(self._session.selected_worker)))
        self.title.setText(cell_text(cell) if cell is not None else _("Log"))
        self.title.setToolTip(self.title.text())
        self._show_outcome()
        self.view.show_lines(())
        if cell_id and self.folder is None:
            self._show_lines(None)
        self._logs.follow(self.folder)

    @Slot()
    def _worker_selected(self) -> None:
        self._empty.set_words(*_words_without_cell(has_worker=bool(self._session.selected_worker)))

    def _show_outcome(self) -> None:
        result = self._session.result(self._session.selected_cell)
        words = result_text(result)
        self.outcome.setText(words)
        self.outcome.setToolTip(words)

    @Slot(object)
    def _cells_changed(self, cell_ids: frozenset[str]) -> None:
        if self._session.selected_cell in cell_ids:
            self._show_outcome()
            self._logs.follow(self.folder)

    @Slot(str)
    def _log_changed(self, cell_id: str) -> None:
        if cell_id and cell_id == self._session.selected_cell:
            if self.folder is None:
                self._show_lines(None)
            self._logs.look_again()

    @Slot(object)
    def _show_lines(self, lines: list[LogLine] | None) -> None:
        """Show what is stored; what the runner said when nothing is, as of a run on another computer."""
        if lines is None:
            lines = live_log(self._session.progress.log_of(self._session.selected_cell))
        self.view.show_lines(lines)

    def close_panel(self) -> None:
        """Read no more."""
        self._logs.close()


def _words_without_cell(*, has_worker: bool) -> tuple[str, str]:
    """Why no log is shown, and what to do."""
    if has_worker:
        return _("This phone has run no episode yet"), _("Its log appears here as soon as one begins")
    return _("No episode is selected"), _("Select a cell of the results or a phone")
