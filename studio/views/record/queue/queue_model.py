"""Qt model of the recording queue: tasks grouped by app and filtered, each with its progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from collector.model.i18n import _, ngettext
from collector.model.task import Task
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from collector.store.tasks.recording_queue import is_recorded, tasks_by_app
from studio.widgets.captions.task_text import instruction_text

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class QueueGroupRow:
    """The heading over the tasks of one app."""

    app: str
    done: int
    total: int
    folded: bool
    is_known: bool = True
    """Whether the trajectories were read: before that ``done`` says nothing."""

    @property
    def count(self) -> str:
        """How many of the tasks are done, as on show."""
        return f"{self.done} / {self.total}" if self.is_known else str(self.total)


@dataclass(frozen=True, slots=True)
class QueueTaskRow:
    """One task. ``icon`` names the state icon of its progress."""

    task: Task
    icon: str
    detail: str
    tip: str = ""
    is_recorded: bool = False
    """Whether it is the task of the recording."""


QueueRow = QueueGroupRow | QueueTaskRow


class QueueModel(QAbstractListModel):
    """A list of headings and tasks; a folded group shows its heading alone."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._snapshot: ProjectSnapshot | None = None
        self._rows: list[QueueRow] = []
        self._folded: set[str] = set()
        self._filter = ""
        self._only_open = False
        self._recording, self._paused = "", False
        self._elsewhere: frozenset[str] = frozenset()

    # -- content ---------------------------------------------------------------
    def set_snapshot(self, snapshot: ProjectSnapshot | None) -> None:
        self._snapshot = snapshot
        self._renew()

    def set_filter(self, text: str) -> None:
        """Show the tasks whose id, app and instruction contain every word of ``text``."""
        self._filter = text
        self._renew()

    def set_only_open(self, only: bool) -> None:
        """Hide tasks that have their golden trajectories."""
        self._only_open = only
        self._renew()

    def set_recording(self, task_id: str) -> None:
        """Mark the task that is being recorded; empty for none."""
        if task_id != self._recording:
            self._recording = task_id
            self._renew()

    def set_recorded_elsewhere(self, task_ids: frozenset[str]) -> None:
        """Mark the tasks that are recorded on phones that are not in front."""
        if task_ids != self._elsewhere:
            self._elsewhere = task_ids
            self._renew()

    def set_paused(self, paused: bool) -> None:
        """Say whether the recording is paused."""
        if paused != self._paused:
            self._paused = paused
            self._renew()

    def fold(self, app: str) -> None:
        """Fold or unfold the group of an app."""
        self._folded ^= {app}
        self._renew()

    # -- queries ---------------------------------------------------------------
    @property
    def tasks(self) -> tuple[Task, ...]:
        return self._snapshot.tasks if self._snapshot is not None else ()

    @property
    def knows_trajectories(self) -> bool:
        """Whether the trajectories of the tasks were read."""
        return self._snapshot is not None and self._snapshot.knows_trajectories

    @property
    def done(self) -> int:
        """Number of tasks that have their golden trajectories."""
        return sum(is_recorded(task, self._golden) for task in self.tasks)

    def row_of(self, task_id: str) -> int:
        """Return the row of a task; -1 when it is filtered out or folded away."""
        for number, row in enumerate(self._rows):
            if isinstance(row, QueueTaskRow) and row.task.id == task_id:
                return number
        return -1

    # -- rows ------------------------------------------------------------------
    @property
    def _golden(self) -> Mapping[str, int]:
        return self._snapshot.golden if self._snapshot is not None else {}

    def _renew(self) -> None:
        self.beginResetModel()
        self._rows = []
        for app, tasks in tasks_by_app(self.tasks).items():
            shown = [task for task in tasks if self._is_shown(task)]
            if not shown:
                continue
            done = sum(is_recorded(task, self._golden) for task in tasks)
            folded = app in self._folded
            self._rows.append(QueueGroupRow(app, done, len(tasks), folded, self.knows_trajectories))
            if not folded:
                self._rows += [self._task_row(task) for task in shown]
        self.endResetModel()

    def _is_shown(self, task: Task) -> bool:
        is_active = task.id == self._recording or task.id in self._elsewhere
        if self._only_open and is_recorded(task, self._golden) and not is_active:
            return False
        words = f"{task.id} {task.app} {task.instruction}".casefold()
        return all(word in words for word in self._filter.casefold().split())

    def _task_row(self, task: Task) -> QueueTaskRow:
        golden = self._golden.get(task.id, 0)
        count = ngettext("{count} golden", "{count} golden", golden) if golden else _("no golden yet")
        runs = self._snapshot.runs.get(task.id, 0) if self._snapshot is not None else 0
        parts = [task.id, count] if self.knows_trajectories else [task.id]
        if runs:
            parts.append(ngettext("{count} run", "{count} runs", runs))
        problem = self._snapshot.damaged.get(task.id, "") if self._snapshot is not None else ""
        icon = "state-ok" if is_recorded(task, self._golden) else "state-todo"
        if problem:
            icon = "state-warn"
        if task.id in self._elsewhere:
            icon = "state-rec"
        if task.id == self._recording:
            icon = "pause" if self._paused else "state-rec"
        recorded = task.id == self._recording
        return QueueTaskRow(task, icon, "  ·  ".join(parts), problem, recorded)

    # -- QAbstractListModel ----------------------------------------------------
    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if isinstance(row, QueueGroupRow):
            return f"{row.app} {row.count}" if role == Qt.ItemDataRole.DisplayRole else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return instruction_text(row.task)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(filter(None, (instruction_text(row.task), row.tip)))
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self._rows[index.row()], QueueGroupRow):
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)
