"""Steps as rows; live ones are inserted one by one, never by a reset."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from collector.model.i18n import _
from collector.model.trajectory import Step
from studio.widgets.step_text import (
    Badge,
    action_detail,
    action_icon,
    seconds_after,
    step_badges,
    step_caption,
)

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class StepRow:
    """What a row shows; ``icon`` is empty for the row that waits for the next action."""

    number: int
    caption: str
    detail: str = ""
    icon: str = ""
    badges: tuple[Badge, ...] = ()
    thumb: Hashable | None = None

    @property
    def is_waiting(self) -> bool:
        return not self.icon


class StepListModel(QAbstractListModel):
    """Holds no truth: an edited caption is told, and comes back with :meth:`replace`."""

    caption_edited = Signal(int, str)
    """Row and new caption, as the person left it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._trajectory = ""
        self._steps: list[Step] = []
        self._waiting = False

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(self._steps)

    def set_steps(self, trajectory: str, steps: Sequence[Step]) -> None:
        """Show another trajectory; ``trajectory`` is its id and part of each thumbnail's key."""
        self.beginResetModel()
        self._trajectory, self._steps = trajectory, list(steps)
        self.endResetModel()

    def append(self, step: Step) -> None:
        self.insert(len(self._steps), step)

    def insert(self, row: int, step: Step) -> None:
        """Put a step in; the numbers of those after it grow."""
        self.beginInsertRows(QModelIndex(), row, row)
        self._steps.insert(row, step)
        self.endInsertRows()
        self._tell_changed(row)

    def replace(self, row: int, step: Step) -> None:
        """The same step with another caption, badge or picture."""
        self._steps[row] = step
        self._tell_changed(row, row + 1)

    def remove(self, row: int) -> None:
        """Take a step out; the numbers of those after it shrink."""
        self.beginRemoveRows(QModelIndex(), row, row)
        del self._steps[row]
        self.endRemoveRows()
        self._tell_changed(row)

    def set_waiting(self, waiting: bool) -> None:
        """Whether a last row says that the next action is awaited."""
        if waiting == self._waiting:
            return
        end = len(self._steps)
        if waiting:
            self.beginInsertRows(QModelIndex(), end, end)
            self._waiting = True
            self.endInsertRows()
        else:
            self.beginRemoveRows(QModelIndex(), end, end)
            self._waiting = False
            self.endRemoveRows()

    def _tell_changed(self, first: int, last: int | None = None) -> None:
        end = self.rowCount() - 1 if last is None else min(last, self.rowCount() - 1)
        if first <= end:
            self.dataChanged.emit(self.index(first), self.index(end))

    def thumb_key(self, step: Step) -> Hashable | None:
        """Key of a step's picture: its trajectory's id and its file."""
        return (self._trajectory, step.state.screenshot) if step.state.screenshot else None

    def row(self, number: int) -> StepRow:
        """What row ``number``, from 0, shows."""
        if number == len(self._steps):
            return StepRow(number + 1, _("Waiting for your next action"))
        step = self._steps[number]
        before = self._steps[number - 1] if number else None
        return StepRow(
            number + 1,
            step_caption(step),
            f"{action_detail(step.action)} · {seconds_after(step, before)}",
            action_icon(step.action),
            tuple(step_badges(step)),
            self.thumb_key(step),
        )

    # -- what Qt asks --------------------------------------------------------
    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self._steps) + self._waiting

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.row(index.row())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row.caption
        if role == Qt.ItemDataRole.AccessibleTextRole:
            badges = ", ".join(badge.text for badge in row.badges)
            return ", ".join(filter(None, (str(row.number), row.caption, row.detail, badges)))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._hint(index.row())
        return row if role == ROW_ROLE else None

    def _hint(self, number: int) -> str:
        """What a row has no room for: what went wrong, what was meant, what was noted."""
        if number >= len(self._steps):
            return ""
        step = self._steps[number]
        parts = (step_caption(step), step.state.problem, step.intention, step.note)
        return "\n".join(part for part in parts if part)

    def setData(  # noqa: N802 - Qt's name
        self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        text = str(value).strip()
        if role != Qt.ItemDataRole.EditRole or not text or text == self.row(index.row()).caption:
            return False
        self.caption_edited.emit(index.row(), text)
        return True

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid() or index.row() >= len(self._steps):
            return Qt.ItemFlag.ItemIsEnabled if index.isValid() else Qt.ItemFlag.NoItemFlags
        shown = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return shown | Qt.ItemFlag.ItemIsEditable
