"""Tasks and their activities: the stack, and what BACK uncovers."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from collector.virtual.ui.app import Activity, App
from collector.virtual.ui.effects import ActivityResult, Component, Intent
from collector.virtual.ui.events import Event

NEW_TASK = 0x10000000
"""``Intent.FLAG_ACTIVITY_NEW_TASK``."""
REORDER_TO_FRONT = 0x00020000
"""``Intent.FLAG_ACTIVITY_REORDER_TO_FRONT``: an activity that is open in the task comes to its top."""
ProofOutcome = Literal["started", "brought_to_front", "delivered", "not_found", "not_exported"]
LaunchState = Literal["COLD", "WARM", "HOT", "UNKNOWN"]


@dataclass(frozen=True, slots=True)
class StartResult:
    """The result of starting an activity."""

    outcome: ProofOutcome
    component: Component | None
    launch_state: LaunchState = "UNKNOWN"
    total_ms: int = 0


@dataclass(slots=True, eq=False)
class ActivityRecord:
    """One open activity."""

    number: int
    app: App[Any]
    activity: Activity
    extras: Mapping[str, object]
    intent: Intent
    token: str = ""
    asker: tuple[App[Any], Event] | None = None
    """The app that asked for a result, and the event that brings it."""
    result: ActivityResult = field(default_factory=ActivityResult)

    @property
    def component(self) -> Component:
        return self.app.component(self.activity)


@dataclass(slots=True, eq=False)
class ActivityTask:
    """A back stack: the last record is on top."""

    number: int
    package: str
    records: list[ActivityRecord] = field(default_factory=list)

    def record_of(self, activity: Activity) -> ActivityRecord | None:
        """The open activity of that kind."""
        return next((record for record in self.records if record.activity is activity), None)


class Activities:
    """All tasks; the foreground task is last."""

    def __init__(self) -> None:
        self.tasks: list[ActivityTask] = []
        self._numbers = itertools.count(1)
        self._task_numbers = itertools.count(1)

    def copied(self) -> list[ActivityTask]:
        """All tasks as they are; they stay so when activities open and close."""
        return _copies(self.tasks)

    def restore(self, tasks: Sequence[ActivityTask]) -> None:
        """Have these tasks in place of all others."""
        self.tasks[:] = _copies(tasks)

    @property
    def top(self) -> ActivityRecord | None:
        return self.tasks[-1].records[-1] if self.tasks else None

    @property
    def records(self) -> list[ActivityRecord]:
        """Every open activity, the foreground one first."""
        return [record for task in reversed(self.tasks) for record in reversed(task.records)]

    @property
    def visible(self) -> list[ActivityRecord]:
        """The visible activities: the top one and those below dialogs; bottom first."""
        visible_records: list[ActivityRecord] = []
        for record in self.records:
            visible_records.append(record)
            if not record.activity.dialog:
                break
        return visible_records[::-1]

    def task_of(self, package: str) -> ActivityTask | None:
        return next((task for task in reversed(self.tasks) if task.package == package), None)

    def open(self, app: App[Any], activity: Activity, intent: Intent, new_task: bool) -> ProofOutcome:
        """Open an activity in the foreground task, or with ``new_task`` in the task of its package."""
        task = self.task_of(app.package) if new_task or not self.tasks else self.tasks[-1]
        if task is None:
            task = ActivityTask(next(self._task_numbers), app.package)
            self.tasks.append(task)
        elif task.records:
            moved = self.tasks[-1] is not task
            self.to_front(task)
            top = task.records[-1]
            anew = bool(activity.again_with) and activity.again_with in intent.extras
            if top.activity is activity and top.app is app and activity.single_top and not anew:
                if activity.takes_new_intents:
                    top.extras = dict(intent.extras) or top.extras
                    top.intent = intent
                reordered = bool(intent.flags & REORDER_TO_FRONT)
                return "brought_to_front" if moved and not reordered else "delivered"
            if intent.flags & REORDER_TO_FRONT and (known := task.record_of(activity)) is not None:
                task.records.remove(known)
                task.records.append(known)
                known.extras, known.intent = dict(intent.extras) or known.extras, intent
                return "delivered"
            launching = activity.launcher and "android.intent.category.LAUNCHER" in intent.categories
            if launching and new_task:
                return "brought_to_front"
        number = next(self._numbers)
        token = f"{(number * 2654435761) & 0xFFFFFFF:07x}"
        task.records.append(ActivityRecord(number, app, activity, dict(intent.extras), intent, token))
        return "started"

    def apart(self, app: App[Any], activity: Activity, intent: Intent) -> ActivityRecord:
        """A screen in no task: one that an app shows over others."""
        return ActivityRecord(next(self._numbers), app, activity, dict(intent.extras), intent)

    def to_front(self, task: ActivityTask) -> None:
        self.tasks.remove(task)
        self.tasks.append(task)

    def finish(self, record: ActivityRecord) -> None:
        for task in list(self.tasks):
            if record in task.records:
                task.records.remove(record)
                if not task.records:
                    self.tasks.remove(task)

    def remove_package(self, package: str) -> None:
        """Close all activities of a package."""
        for task in list(self.tasks):
            task.records = [record for record in task.records if record.app.package != package]
            if not task.records:
                self.tasks.remove(task)


def _copies(tasks: Sequence[ActivityTask]) -> list[ActivityTask]:
    return [replace(task, records=[replace(record) for record in task.records]) for task in tasks]
