"""Keep the summaries of a project's tasks in its cache.

A listing of tasks is a new process each time; to load and read the rules takes longer than the rest of it.
"""

from __future__ import annotations

import json
import logging
from dataclasses import asdict
from pathlib import Path
from typing import Any

from collector.judge.progress.task_summary import TaskSummary
from collector.model.errors import UserError
from collector.store.files.disk import Disk
from collector.store.project.project import Project

_log = logging.getLogger(__name__)
_FORMAT = 2
"""Raise it when an summary is computed otherwise, the version of rules included."""


def task_summaries(project: Project) -> dict[str, TaskSummary]:
    """By id of each task its essential states, read again when a rule file or a task changed.

    Raises RuleError when a rule file cannot be read.
    """
    rule_files = project.paths.rule_files()
    if not rule_files and not any(task.essential_states for task in project.tasks):
        return {}
    path = project.paths.task_summary_cache
    key = [_FORMAT, project.semantics, *map(_stamp, [project.paths.tasks, *rule_files])]
    known = _read(path, key)
    if known is None:
        from collector.judge.progress.task_summaries import summaries_by_rules  # loads the rules

        known = summaries_by_rules(project)
        _keep(path, key, known)
    return known


def _stamp(path: Path) -> list[object]:
    try:
        status = path.stat()
    except OSError:
        return [path.name]
    return [path.name, status.st_mtime_ns, status.st_size]


def _read(path: Path, key: list[object]) -> dict[str, TaskSummary] | None:
    try:
        document = json.loads(path.read_bytes())
        if document["key"] != key:
            return None
        return {
            task: TaskSummary(**{name: _value(value) for name, value in values.items()})
            for task, values in document["tasks"].items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None  # none yet, or not ours: it is made again


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _keep(path: Path, key: list[object], summaries: dict[str, TaskSummary]) -> None:
    document = {"key": key, "tasks": {task: asdict(summary) for task, summary in summaries.items()}}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        Disk().write(path, json.dumps(document, ensure_ascii=False).encode())
    except (OSError, UserError):
        _log.info("the summaries of tasks are not kept", exc_info=True)
