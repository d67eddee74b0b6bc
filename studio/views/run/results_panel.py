"""The results of an experiment below the tiles: as a grid of cells, as a list, and as rates."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout

from collector.model.i18n import N_, _, join_sentences, ngettext
from collector.run.results.result_grid import ResultGrid
from collector.run.results.result_rows import ResultOrder
from collector.store.trajectory.fingerprint import part_titles
from rule_editor.widgets.popup_menu import PopupMenu
from studio.views.context_menu import ContextMenu
from studio.views.run.answers_page import AnswersPage
from studio.views.run.episode_list import EpisodeList
from studio.views.run.session import RunSession
from studio.views.services import WindowServices
from studio.widgets.controls import Button, Label, SegmentedControl, header_row
from studio.widgets.result_grid.grid_view import ResultGridView
from studio.widgets.result_grid.legend import ResultLegend
from studio.widgets.result_grid.rate_table import RateTable

GRID, LIST, RATES = "grid", "list", "rates"
CELL_MENU = (("run.open-episode", "run.show-log"),)
_ORDERS = {
    ResultOrder.TASK: N_("task"),
    ResultOrder.NAME: N_("name"),
    ResultOrder.WORST: N_("lowest success"),
    ResultOrder.BEST: N_("highest success"),
}


class ResultsPanel(QFrame):
    """Shows the cells of the experiment in hand with their outcomes, and follows the session."""

    def __init__(self, session: RunSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        self.grid_view = ResultGridView()
        self.episodes = EpisodeList(session, services)
        self.rates = RateTable()
        self.answers = AnswersPage(session, services)
        self.legend = ResultLegend()
        self.count = Label("", "body", "text-2")
        self.forms = SegmentedControl(
            [(GRID, _("Grid"), "table"), (LIST, _("List"), "list"), (RATES, _("Rates"), "metrics")]
        )
        self.order = Button(opens=True)
        self._pages = QStackedWidget()
        self._rates_are_old = True
        self._lay_out()
        self._connect()
        self._show_order()
        self._show_experiment()

    def _lay_out(self) -> None:
        head, row = header_row("section_header", spacing=10)
        row.addWidget(Label(_("Results"), "heading"))
        row.addWidget(self.count)
        row.addSpacing(6)
        row.addWidget(self.legend, 1)
        row.addStretch(0)
        row.addWidget(self.forms)
        row.addWidget(self.order)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._pages, 1)
        for page in (self.grid_view, self.episodes, self.rates, self.answers):
            self._pages.addWidget(page)

    def _connect(self) -> None:
        session, view = self._session, self.grid_view
        session.experiment_chosen.connect(self._show_experiment)
        session.experiment_changed.connect(self._show_experiment)
        session.cells_changed.connect(self._show_cells)
        session.run_changed.connect(self._show_all_cells)
        session.cell_selected.connect(self._show_selected)
        view.chosen.connect(session.select_cell)
        view.opened.connect(self._open)
        self.legend.filtered.connect(view.set_statuses)
        self.forms.chosen.connect(self.show_form)
        self.order.clicked.connect(self._open_orders)
        ContextMenu(view, CELL_MENU, self._services, view.choose_at)
        for form in (GRID, LIST, RATES):
            self._services.commander.handle(f"run.show-{form}", lambda form=form: self.show_form(form))

    # -- what is shown -------------------------------------------------------
    @Slot(str)
    def show_form(self, form: str) -> None:
        """Show the results as ``grid``, ``list`` or ``rates``."""
        self.forms.set_current(form)
        self._show_page()
        self.legend.setVisible(form == GRID)
        self.order.setVisible(form == GRID)
        self.episodes.set_active(form == LIST)
        self._show_rates()

    def _show_page(self) -> None:
        """Show the page of the form; the rates of golden steps asked offline are those of answers."""
        is_offline, form = self._session.is_offline, self.form
        pages = {GRID: self.grid_view, LIST: self.episodes, RATES: self.answers if is_offline else self.rates}
        self._pages.setCurrentWidget(pages[form])
        self.answers.set_active(form == RATES and is_offline)

    @property
    def form(self) -> str:
        """How the results are shown."""
        return self.forms.current

    @Slot()
    def _show_experiment(self) -> None:
        session = self._session
        self.grid_view.show_grid(ResultGrid(session.cells, session.progress.cells))
        self.grid_view.set_current(session.selected_cell)
        self._show_page()
        self._counted()

    @Slot(object)
    def _show_cells(self, cell_ids: frozenset[str]) -> None:
        self.grid_view.update_cells(cell_ids)
        self._counted()

    @Slot()
    def _show_all_cells(self) -> None:
        """A run began or ended: cells wait again whose episodes ended without a word."""
        self._show_cells(frozenset(cell.id for cell in self._session.cells))

    def _counted(self) -> None:
        grid, progress = self.grid_view.grid, self._session.progress
        self.legend.set_counts(grid.counts())
        words = _("{done} of {total}", done=progress.finished, total=progress.total) if grid.total else ""
        widths = {len({(c.seed, c.repeat) for c in grid.columns if c.group == column.group})
                  for column in grid.columns[:1]}  # fmt: skip
        seeds = next(iter(widths), 1)
        if words and seeds > 1:
            words += ", " + ngettext("{count} episode a condition", "{count} episodes a condition", seeds)
        stale = grid.stale
        if stale:
            words += ", " + ngettext("{count} stale", "{count} stale", len(stale))
        self.count.setText(words)
        changed = part_titles(part for parts in stale.values() for part in parts)
        since = _("Since they were run, {parts} changed. Run > Run stale results again", parts=changed)
        self.count.setToolTip(join_sentences(words, since if stale else ""))
        self._rates_are_old = True
        self._show_rates()

    def _show_rates(self) -> None:
        if self._rates_are_old and self.form == RATES:
            self.rates.show_rates(self.grid_view.grid.rates())
            self._rates_are_old = False

    # -- choosing ------------------------------------------------------------
    @Slot(str)
    def _show_selected(self, cell_id: str) -> None:
        """Mark the selected cell; that of a selected phone changes by itself, and scrolls nothing."""
        self.grid_view.set_current(cell_id, reveals=not self._session.follows_worker)

    @Slot(str)
    def _open(self, cell_id: str) -> None:
        self._session.select_cell(cell_id)
        self._services.run_command("run.open-episode")

    @Slot()
    def _open_orders(self) -> None:
        menu = PopupMenu(self)
        for order, words in _ORDERS.items():
            action = menu.addAction(_(words))
            action.setCheckable(True)
            action.setChecked(order is self.grid_view.rows.order)
            action.setData(order)
        menu.triggered.connect(self._sort)
        menu.popup(self.order.mapToGlobal(QPoint(0, self.order.height())))

    @Slot(QAction)
    def _sort(self, action: QAction) -> None:
        self.grid_view.set_order(ResultOrder(action.data()))
        self._show_order()

    def _show_order(self) -> None:
        self.order.set_face(_("Sort: {order}", order=_(_ORDERS[self.grid_view.rows.order])))
