"""Put single tasks into the file of a project."""

from __future__ import annotations

from collector.model.task import Task
from collector.store.project.project import Project


def put_task(project: Project, task: Task) -> None:
    """Add a task, or replace the one with its id."""
    tasks = [task if known.id == task.id else known for known in project.tasks]
    project.save_tasks(tasks if project.task(task.id) else [*tasks, task])
