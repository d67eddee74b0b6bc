"""The list of an experiment's episodes: sortable, and fluent with hundreds of thousands of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from collector.model.episode_text import condition_name, fault_text, verdict_text
from collector.model.i18n import N_, _
from collector.model.reasons.stored_reasons import shown_reason
from collector.store.catalogue.catalogue_row import CatalogueRow
from studio.widgets.captions.verdict_text import verdict_icon, verdict_tone
from studio.widgets.tables.cell_table import CellDelegate, CellModel, TableCell, TableColumn
from studio.widgets.tables.table_view import TableView


@dataclass(frozen=True, slots=True)
class EpisodeColumn:
    """A column: what it shows of an episode, and the value it is sorted by."""

    title: str
    width: int
    cell: Callable[[CatalogueRow], TableCell]
    key: Callable[[CatalogueRow], object]
    at_right: bool = False
    is_rare: bool = False
    """Whether it is left out when no episode has a value: the reason has the room then."""


def outcome_text(row: CatalogueRow) -> str:
    """The outcome of an episode in words; a fault of the infrastructure is none."""
    if row.stopped:
        return _("stopped")
    if row.infrastructure:
        return _("fault of the machine")
    if row.status == "recording":
        return _("running")
    if row.offline:
        return _("answered")
    words = verdict_text(row.outcome)
    return _("{outcome}, stopped early", outcome=words) if row.early_stop else words


def _outcome(row: CatalogueRow) -> TableCell:
    if row.infrastructure:
        icon, tone = ("stop", "text-2") if row.stopped else ("power", "warn")
        return TableCell(outcome_text(row), "text-2", icon=icon, icon_tone=tone,
                         tip=fault_text(row.infrastructure))  # fmt: skip
    tone = verdict_tone(row.outcome) or "text-2"
    icon = "check" if row.offline else verdict_icon(row.outcome)
    return TableCell(
        outcome_text(row),
        tone,
        icon=icon,
        tip=shown_reason(row.reason),
    )


def _number(value: float | None, pattern: str = "{:,.0f}") -> TableCell:
    return TableCell(pattern.format(value) if value is not None else "", "text-2", at_right=True)


def _reason(row: CatalogueRow) -> TableCell:
    return TableCell(fault_text(row.infrastructure) or shown_reason(row.reason), "text-2")


def order_text(row: CatalogueRow) -> str:
    """What became of the orders that the variation planted; empty where it planted none."""
    if row.misled:
        return _("misled")
    if row.misled is None and row.orders_seen is None:
        return ""
    return _("not seen") if row.orders_seen == 0 else _("not followed")


def _orders(row: CatalogueRow) -> TableCell:
    text = order_text(row)
    if not row.misled:
        return TableCell(text, "text-2")
    tip = _("The agent did what a text of the variation ordered it to do")
    return TableCell(text, "warn", icon="state-warn", tip=tip)


def _seconds(row: CatalogueRow) -> TableCell:
    return TableCell(
        _("{seconds} s", seconds=f"{row.duration_ms / 1000:.1f}") if row.duration_ms else "", "text-2",
        at_right=True,
    )  # fmt: skip


COLUMNS = (
    EpisodeColumn(
        N_("Task"), 110, lambda row: TableCell(row.task, role="name"), lambda row: row.task.casefold()
    ),
    EpisodeColumn(N_("Agent"), 110, lambda row: TableCell(row.agent), lambda row: row.agent.casefold()),
    EpisodeColumn(
        N_("Condition"), 130, lambda row: TableCell(condition_name(row.condition)), lambda row: row.condition
    ),
    EpisodeColumn(N_("Seed"), 56, lambda row: _number(row.seed, "{:d}"), lambda row: row.seed or 0, True),
    EpisodeColumn(
        N_("Attempt"), 64, lambda row: _number((row.attempt or 0) + 1), lambda row: row.attempt or 0,
        at_right=True, is_rare=True,
    ),
    EpisodeColumn(N_("Outcome"), 150, _outcome, outcome_text),
    EpisodeColumn(N_("Orders"), 110, _orders, order_text, is_rare=True),
    EpisodeColumn(N_("Reason"), 0, _reason, lambda row: (row.infrastructure or row.reason).casefold()),
    EpisodeColumn(N_("Steps"), 56, lambda row: _number(row.steps), lambda row: row.steps, True),
    EpisodeColumn(N_("Time"), 72, _seconds, lambda row: row.duration_ms, True),
    EpisodeColumn(
        N_("Tokens"), 80, lambda row: _number(row.tokens), lambda row: row.tokens or 0,
        at_right=True, is_rare=True,
    ),
    EpisodeColumn(
        N_("Cost"), 72, lambda row: _number(row.cost, "{:.4f}"), lambda row: row.cost or 0.0,
        at_right=True, is_rare=True,
    ),
    EpisodeColumn(
        N_("Started"), 130, lambda row: TableCell(row.started[:16].replace("T", " "), "text-2"),
        lambda row: row.started,
    ),
)  # fmt: skip

_STARTED, _WIDE = len(COLUMNS) - 1, 1000
"""The column that a narrow table leaves out, and the width from which on it is shown."""


class EpisodeModel(CellModel):
    """The rows of the catalogue; a cell is computed when it is painted."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.columns = [
            TableColumn(_(column.title), column.width, at_right=column.at_right) for column in COLUMNS
        ]
        self.rows: list[CatalogueRow] = []
        self._by, self._descending = -1, False

    def set_rows(self, rows: Sequence[CatalogueRow]) -> None:
        """Show other rows in the order that was chosen."""
        self.beginResetModel()
        self.rows = list(rows)
        self._sort()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 keeps the order of the catalogue for rows that come later."""
        self.beginResetModel()
        self._by, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self._sort()
        self.endResetModel()

    def _sort(self) -> None:
        if 0 <= self._by < len(COLUMNS):
            self.rows.sort(key=COLUMNS[self._by].key, reverse=self._descending)  # type: ignore[arg-type]

    def row_count(self) -> int:
        return len(self.rows)

    def cell(self, row: int, column: int) -> TableCell:
        return COLUMNS[column].cell(self.rows[row])


class EpisodeTable(TableView):
    """Emits the :class:`CatalogueRow` of an episode when it is chosen, and when it is opened."""

    chosen = Signal(object)
    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_("Episodes"), "row_list", parent=parent)
        self.episodes = EpisodeModel(self)
        self.setModel(self.episodes)
        self.setItemDelegate(CellDelegate(self))
        header = self.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.sortIndicatorChanged.connect(self._sort)
        for number, column in enumerate(COLUMNS):
            if column.width:
                header.resizeSection(number, column.width)
            else:
                header.setSectionResizeMode(number, QHeaderView.ResizeMode.Stretch)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Leave out when episodes were started where the reason would have no room."""
        super().resizeEvent(event)
        self.setColumnHidden(_STARTED, self.width() < _WIDE)

    def show_rows(self, rows: Sequence[CatalogueRow]) -> None:
        """Show episodes; the chosen one stays chosen, without a signal."""
        with_id = self._current_folder()
        self._is_showing = True
        self.episodes.set_rows(rows)
        for number, column in enumerate(COLUMNS):
            if column.is_rare:
                self.setColumnHidden(number, not any(column.key(row) for row in rows))
        self._select(with_id)
        self._is_showing = False

    def _current_folder(self) -> str:
        index = self.currentIndex()
        return self.episodes.rows[index.row()].folder if index.isValid() else ""

    def _select(self, folder: str) -> None:
        for number, row in enumerate(self.episodes.rows if folder else ()):
            if row.folder == folder:
                self.choose(number)
                return

    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        folder = self._current_folder()
        self._is_showing = True
        self.episodes.sort(column, order)
        self._select(folder)
        self._is_showing = False

    def choose_index(self, index: QModelIndex) -> None:
        self.chosen.emit(self.episodes.rows[index.row()])

    def open_index(self, index: QModelIndex) -> None:
        self.opened.emit(self.episodes.rows[index.row()])
