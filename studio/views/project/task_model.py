"""The tasks that fit the search, as a table model; it sorts what it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from collector.model.i18n import N_, _
from collector.model.task import LEVELS
from studio.views.project.relative_time import when
from studio.views.project.task_filter import Part, matching
from studio.views.project.task_rows import STATES, TaskTableRow
from studio.widgets.task_text import level_text

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole
_NOBODY = QModelIndex()


@dataclass(frozen=True, slots=True)
class Column:
    """``text`` is what is read aloud and copied, ``order`` what it is sorted by."""

    key: str
    title: str
    width: int
    text: Callable[[TaskTableRow], str]
    order: Callable[[TaskTableRow], Any]
    right: bool = False


def _level(row: TaskTableRow) -> tuple[int, str]:
    level = row.task.level
    return (LEVELS.index(level) if level in LEVELS else len(LEVELS), level)


COLUMNS = (
    Column("check", "", 36, lambda _row: "", lambda _row: 0),
    Column("task", N_("Task"), 112, lambda row: row.task.id, lambda row: row.task.id.casefold()),
    Column("instruction", N_("Instruction"), 420, lambda row: row.task.instruction,
           lambda row: row.task.instruction.casefold()),
    Column("level", N_("Level"), 76, lambda row: level_text(row.task.level), _level),
    Column("golden", N_("Golden"), 92, lambda row: f"{row.golden} / {row.task.golden_wanted}",
           lambda row: (row.golden - row.task.golden_wanted, row.golden)),
    Column("rules", N_("Rules"), 52, lambda row: str(len(row.task.target_rule_ids)),
           lambda row: len(row.task.target_rule_ids), right=True),
    Column("states", N_("States"), 60, lambda row: str(len(row.task.essential_states)),
           lambda row: len(row.task.essential_states), right=True),
    Column("review", N_("Review"), 108, lambda row: row.review_words, lambda row: row.review),
    Column("problems", N_("Problems"), 190, lambda row: row.problem,
           lambda row: (STATES.index(row.state), row.problem)),
    Column("changed", N_("Changed"), 84, lambda row: when(row.changed), lambda row: row.changed, right=True),
)  # fmt: skip


class TaskModel(QAbstractTableModel):
    """``rows`` are shown; ``count`` is how many there are without the search."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[TaskTableRow] = []
        self._parts: list[Part] = []
        self.rows: list[TaskTableRow] = []
        self._column, self._order = 0, Qt.SortOrder.AscendingOrder

    @property
    def count(self) -> int:
        return len(self._all)

    def show_rows(self, rows: Sequence[TaskTableRow]) -> None:
        """Show other tasks; the search stays."""
        self._all = list(rows)
        self._renew()

    def search(self, parts: Sequence[Part]) -> None:
        """Show only the tasks that fit."""
        self._parts = list(parts)
        self._renew()

    def row_of(self, task_id: str) -> int:
        """Where a task stands; -1 when it is not shown."""
        return next((number for number, row in enumerate(self.rows) if row.task.id == task_id), -1)

    def _renew(self) -> None:
        rows = self._sorted(matching(self._all, self._parts))
        if [row.task.id for row in rows] == [row.task.id for row in self.rows]:
            # The same tasks in the same places: selection and scroll position stay.
            self.rows = rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(COLUMNS) - 1))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def _sorted(self, rows: list[TaskTableRow]) -> list[TaskTableRow]:
        """By the column clicked; column 0 keeps the order of the file."""
        if self._column <= 0:
            return rows
        return sorted(
            rows, key=COLUMNS[self._column].order, reverse=self._order == Qt.SortOrder.DescendingOrder
        )

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._column, self._order = column, order
        before = [row.task.id for row in self.rows]
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        self.rows = self._sorted(matching(self._all, self._parts))
        places = {row.task.id: number for number, row in enumerate(self.rows)}
        moved = [self.index(places[before[one.row()]], one.column()) for one in old]
        self.changePersistentIndexList(old, moved)
        self.layoutChanged.emit()

    # -- the model -----------------------------------------------------------
    def rowCount(self, parent: Index = _NOBODY) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOBODY) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _(COLUMNS[section].title)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row, column = self.rows[index.row()], COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role == Qt.ItemDataRole.ToolTipRole and column.key in ("instruction", "problems"):
            return column.text(row) or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return row if role == ROW else None
