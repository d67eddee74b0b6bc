"""List model of steps; recorded ones are inserted one by one, without a reset."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from collector.model.i18n import _
from collector.model.message import in_language
from collector.model.trajectory import Step
from studio.widgets.captions.next_place import next_place_sentence
from studio.widgets.captions.step_text import (
    StepBadge,
    action_detail,
    action_icon,
    seconds_after,
    step_badges,
    step_caption,
    thought_line,
)
from studio.widgets.wrapped_text import tooltip_text

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class StepRow:
    """Content of a row; ``icon`` is empty for the row that waits for the next action."""

    number: int
    caption: str
    detail: str = ""
    icon: str = ""
    badges: tuple[StepBadge, ...] = ()
    thumb: Hashable | None = None
    is_paused: bool = False
    thought: str = ""
    """What an agent thought, on one line."""

    @property
    def is_waiting(self) -> bool:
        return not self.icon


class StepListModel(QAbstractListModel):
    """Emits an edited caption, which comes back with :meth:`replace`."""

    caption_edited = Signal(int, str)
    """Emits the row and its new caption."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._trajectory = ""
        self._steps: list[Step] = []
        self._waiting, self._paused = False, False
        self._replaced: int | None = None
        self._inserts: int | None = None

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
        """Insert a step."""
        self.beginInsertRows(QModelIndex(), row, row)
        self._steps.insert(row, step)
        self.endInsertRows()
        self._emit_changed(row)

    def replace(self, row: int, step: Step) -> None:
        """Replace a step by a changed version."""
        self._steps[row] = step
        self._emit_changed(row, row + 1)

    def remove(self, row: int) -> None:
        """Remove a step."""
        self.beginRemoveRows(QModelIndex(), row, row)
        del self._steps[row]
        self.endRemoveRows()
        self._emit_changed(row)

    def set_waiting(self, waiting: bool, *, paused: bool = False) -> None:
        """Show or hide the last row, which waits for the next action, or for the end of a pause."""
        if paused != self._paused:
            self._paused = paused
            self._emit_changed(len(self._steps))
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

    def set_replaced(self, row: int | None, inserts: int | None = None) -> None:
        """Mark the step that the next action replaces, or comes before; None for none."""
        if (row, inserts) != (self._replaced, self._inserts):
            self._replaced, self._inserts = row, inserts
            self._emit_changed(0)

    def _emit_changed(self, first: int, last: int | None = None) -> None:
        end = self.rowCount() - 1 if last is None else min(last, self.rowCount() - 1)
        if first <= end:
            self.dataChanged.emit(self.index(first), self.index(end))

    def thumb_key(self, step: Step) -> Hashable | None:
        """Key of a thumbnail: the id of the trajectory and the screenshot file."""
        return (self._trajectory, step.state.screenshot) if step.state.screenshot else None

    def row(self, number: int) -> StepRow:
        """Content of row ``number``, from 0."""
        if number == len(self._steps):
            sentence = _("Paused: nothing is recorded") if self._paused else _("Waiting for your next action")
            if not self._paused:
                sentence = next_place_sentence(self._replaced, self._inserts) or sentence
            return StepRow(number + 1, sentence, is_paused=self._paused)
        step = self._steps[number]
        before = self._steps[number - 1] if number else None
        badges = step_badges(step)
        if number == self._replaced:
            badges = [StepBadge(_("replaced next"), "refresh", "warn"), *badges]
        if number == self._inserts:
            badges = [StepBadge(_("insert before"), "plus", "warn"), *badges]
        return StepRow(
            number + 1,
            step_caption(step),
            " · ".join(filter(None, (action_detail(step.action), self._gap(step, before)))),
            action_icon(step.action),
            tuple(badges),
            self.thumb_key(step),
            thought=thought_line(step),
        )

    def _gap(self, step: Step, before: Step | None) -> str:
        """The time since the step before; empty in a trajectory whose source had no times."""
        has_times = len(self._steps) == 1 or self._waiting or self._steps[-1].t_ms > 0
        return seconds_after(step, before) if has_times else ""

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
            return self._tooltip(index.row())
        return row if role == ROW_ROLE else None

    def _tooltip(self, number: int) -> str:
        """The tooltip: caption, problem, intention and note."""
        if number >= len(self._steps):
            return ""
        step = self._steps[number]
        thought = step.agent.thought if step.agent is not None else ""
        parts = (step_caption(step), thought, in_language(step.state.problem), step.intention, step.note)
        return tooltip_text("\n".join(part for part in parts if part))

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
