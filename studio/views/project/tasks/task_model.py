"""Qt model of the task table: the tasks that match the search, sorted by a column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from collector.model.essential_state import STATUSES
from collector.model.i18n import N_, _
from collector.model.task import LEVELS, Task, category_text
from collector.model.verdicts.state_progress import status_text
from studio.views.project.relative_time import relative_time
from studio.views.project.tasks.task_filter import FilterTerm, matching
from studio.views.project.tasks.task_rows import STATES, TaskTableRow
from studio.widgets.captions.task_text import level_text, value_text
from studio.widgets.tables.spoken_cell import spoken_cell

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole
_NOBODY = QModelIndex()


@dataclass(frozen=True, slots=True)
class TaskColumn:
    """One column: ``text`` of a cell, and the key ``order`` that rows are sorted by."""

    key: str
    title: str
    width: int
    text: Callable[[TaskTableRow], str]
    order: Callable[[TaskTableRow], Any]
    right: bool = False
    optional: bool = False
    """Hidden until the person shows it."""


def answer_text(task: Task) -> str:
    """Who or what judges the answer: the expected answer, or a person."""
    if task.expected_answer is not None:
        return f"{value_text(task.expected_answer.rule)}: {task.expected_answer.summary}"
    return _("a person judges") if task.human_validation else ""


def _level(row: TaskTableRow) -> tuple[int, str]:
    level = row.task.level
    return (LEVELS.index(level) if level in LEVELS else len(LEVELS), level)


def states_text(row: TaskTableRow) -> str:
    """The number of essential states, split by who judges them, and their status."""
    states = row.states
    if not states.count:
        return "0"
    both = states.by_rules and states.by_people
    number = f"{states.by_rules} + {states.by_people}" if both else str(states.count)
    return f"{number} · {status_text(states.status)}" if states.status else number


def _states_order(row: TaskTableRow) -> tuple[int, bool, int]:
    states = row.states
    stage = STATUSES.index(states.status) if states.status in STATUSES else -1
    return (stage if states.count else -2, row.has_verified_states, states.count)


COLUMNS = (
    TaskColumn("check", "", 36, lambda _row: "", lambda _row: 0),
    TaskColumn("task", N_("Task"), 112, lambda row: row.task.id, lambda row: row.task.id.casefold()),
    TaskColumn("instruction", N_("Instruction"), 420, lambda row: row.task.instruction,
               lambda row: row.task.instruction.casefold()),
    TaskColumn("level", N_("Level"), 76, lambda row: level_text(row.task.level), _level),
    TaskColumn("golden", N_("Golden"), 92, lambda row: row.golden_words,
               lambda row: (row.golden - row.task.golden_wanted, row.golden)),
    TaskColumn("rules", N_("Rules"), 52, lambda row: str(row.rule_count),
               lambda row: row.rule_count, right=True),
    TaskColumn("states", N_("States"), 128, states_text, _states_order),
    TaskColumn("review", N_("Review"), 108, lambda row: row.review_words, lambda row: row.review),
    TaskColumn("problems", N_("Problems"), 190, lambda row: row.problem,
               lambda row: (STATES.index(row.state), row.problem)),
    TaskColumn("changed", N_("Changed"), 96, lambda row: relative_time(row.changed),
               lambda row: row.changed, right=True),
    TaskColumn("type", N_("Type"), 76, lambda row: value_text(row.task.type),
               lambda row: row.task.type, optional=True),
    TaskColumn("category", N_("Category"), 132, lambda row: category_text(row.task.category),
               lambda row: category_text(row.task.category).casefold(), optional=True),
    TaskColumn("language", N_("Language"), 76, lambda row: row.task.language, lambda row: row.task.language,
               optional=True),
    TaskColumn("app-category", N_("App category"), 108, lambda row: row.task.app_category,
               lambda row: row.task.app_category.casefold(), optional=True),
    TaskColumn("answer", N_("Expected answer"), 120, lambda row: answer_text(row.task),
               lambda row: answer_text(row.task), optional=True),
)  # fmt: skip


class TaskModel(QAbstractTableModel):
    """``rows`` are the tasks shown; ``count`` is their number without the search."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[TaskTableRow] = []
        self._terms: list[FilterTerm] = []
        self.rows: list[TaskTableRow] = []
        self._column, self._order = 0, Qt.SortOrder.AscendingOrder

    @property
    def count(self) -> int:
        return len(self._all)

    def show_rows(self, rows: Sequence[TaskTableRow]) -> None:
        """Replace the tasks; the search stays."""
        self._all = list(rows)
        self._update_rows()

    def search(self, terms: Sequence[FilterTerm]) -> None:
        """Show the tasks that match all terms."""
        self._terms = list(terms)
        self._update_rows()

    def row_of(self, task_id: str) -> int:
        """Return the row of a task; -1 when it is not shown."""
        return next((number for number, row in enumerate(self.rows) if row.task.id == task_id), -1)

    def _update_rows(self) -> None:
        rows = self._sorted(matching(self._all, self._terms))
        if [row.task.id for row in rows] == [row.task.id for row in self.rows]:
            # Same tasks in the same rows: keep selection and scroll position.
            self.rows = rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(COLUMNS) - 1))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def _sorted(self, rows: list[TaskTableRow]) -> list[TaskTableRow]:
        """Sort by the column that was clicked; column 0 keeps the order of the file."""
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
        self.rows = self._sorted(matching(self._all, self._terms))
        places = {row.task.id: number for number, row in enumerate(self.rows)}
        moved = [self.index(places[before[index.row()]], index.column()) for index in old]
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
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.AccessibleTextRole:
            return _(COLUMNS[section].title) or _("Selection")
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row, column = self.rows[index.row()], COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.task.id if column.key == "check" else spoken_cell(_(column.title), column.text(row))
        if role == Qt.ItemDataRole.ToolTipRole and column.key == "states":
            return "\n".join(row.states.sentences())
        if role == Qt.ItemDataRole.ToolTipRole and column.key in ("instruction", "problems"):
            return column.text(row) or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return row if role == ROW else None
