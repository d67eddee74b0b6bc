"""The tasks of a project as a queue: grouped by app, filtered, each with how far it is; no drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from collector.model.i18n import _, ngettext
from collector.model.task import Task
from studio.bridge.library import Snapshot

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class QueueGroupRow:
    """The head of an app's tasks."""

    app: str
    done: int
    total: int
    folded: bool


@dataclass(frozen=True, slots=True)
class QueueTaskRow:
    """A task; ``icon`` is the state icon that says how far it is."""

    task: Task
    icon: str
    detail: str
    tip: str = ""


Row = QueueGroupRow | QueueTaskRow


class QueueModel(QAbstractListModel):
    """Rows are group heads and tasks; a folded group keeps its head."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._rows: list[Row] = []
        self._folded: set[str] = set()
        self._filter = ""
        self._only_open = False
        self._recording = ""

    # -- what is shown -------------------------------------------------------
    def set_snapshot(self, snapshot: Snapshot | None) -> None:
        self._snapshot = snapshot
        self._renew()

    def set_filter(self, text: str) -> None:
        """Words that must all be in id, app or instruction."""
        self._filter = text
        self._renew()

    def set_only_open(self, only: bool) -> None:
        """Leave out tasks that are done."""
        self._only_open = only
        self._renew()

    def set_recording(self, task_id: str) -> None:
        """The task a recording runs for; empty for none."""
        if task_id != self._recording:
            self._recording = task_id
            self._renew()

    def fold(self, app: str) -> None:
        """Fold a group, or open it again."""
        self._folded ^= {app}
        self._renew()

    # -- what is known -------------------------------------------------------
    @property
    def tasks(self) -> tuple[Task, ...]:
        return self._snapshot.tasks if self._snapshot is not None else ()

    @property
    def done(self) -> int:
        return sum(1 for task in self.tasks if self.is_done(task))

    def is_done(self, task: Task) -> bool:
        """Whether it has as many golden trajectories as it asks for."""
        return self._golden(task) >= max(1, task.golden_wanted)

    def after(self, task_id: str) -> Task | None:
        """The next task below that is not done, from the top again after the last; None when all are."""
        ordered = [task for tasks in _by_app(self.tasks).values() for task in tasks]
        place = next((number for number, task in enumerate(ordered) if task.id == task_id), -1)
        around = ordered[place + 1 :] + ordered[: place + 1]
        return next((task for task in around if not self.is_done(task)), None)

    def row_of(self, task_id: str) -> int:
        """Where a task stands, -1 when it is filtered out or folded away."""
        for number, row in enumerate(self._rows):
            if isinstance(row, QueueTaskRow) and row.task.id == task_id:
                return number
        return -1

    # -- how -----------------------------------------------------------------
    def _golden(self, task: Task) -> int:
        return self._snapshot.golden.get(task.id, 0) if self._snapshot is not None else 0

    def _renew(self) -> None:
        self.beginResetModel()
        self._rows = []
        for app, tasks in _by_app(self.tasks).items():
            seen = [task for task in tasks if self._is_seen(task)]
            if not seen:
                continue
            done = sum(1 for task in tasks if self.is_done(task))
            folded = app in self._folded
            self._rows.append(QueueGroupRow(app, done, len(tasks), folded))
            if not folded:
                self._rows += [self._task_row(task) for task in seen]
        self.endResetModel()

    def _is_seen(self, task: Task) -> bool:
        if self._only_open and self.is_done(task) and task.id != self._recording:
            return False
        words = f"{task.id} {task.app} {task.instruction}".casefold()
        return all(word in words for word in self._filter.casefold().split())

    def _task_row(self, task: Task) -> QueueTaskRow:
        golden = self._golden(task)
        count = ngettext("{count} golden", "{count} golden", golden) if golden else _("no golden yet")
        problem = self._snapshot.damaged.get(task.id, "") if self._snapshot is not None else ""
        icon = "state-ok" if self.is_done(task) else "state-todo"
        if problem:
            icon = "state-warn"
        if task.id == self._recording:
            icon = "state-rec"
        return QueueTaskRow(task, icon, f"{task.id}  ·  {count}", problem)

    # -- what Qt asks --------------------------------------------------------
    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if isinstance(row, QueueGroupRow):
            return f"{row.app} {row.done} / {row.total}" if role == Qt.ItemDataRole.DisplayRole else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.task.instruction
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(filter(None, (row.task.instruction, row.tip)))
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self._rows[index.row()], QueueGroupRow):
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)


def _by_app(tasks: Sequence[Task]) -> dict[str, list[Task]]:
    """Tasks of each app, apps in the order they first come."""
    found: dict[str, list[Task]] = {}
    for task in tasks:
        found.setdefault(task.app or task.package or _("Any app"), []).append(task)
    return found
