"""AITK's ``tasks.jsonl``: one task per line, with the essential states as a list inside a text."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange import source_files
from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.registry import Importer
from collector.exchange.source_model import SourceItem, SourceTasks
from collector.model.i18n import _
from collector.model.task import Task

KEYS = ("name", "task", "level", "category", "max_steps", "app", "app_package")
STATES = ("essential states", "essential_states")


def task_from(values: Mapping[str, Any]) -> Task:
    """A task from a line of ``tasks.jsonl`` or from ``history.json``. Raises ValueError when it is none."""
    name, instruction = values.get("name"), values.get("task")
    if not isinstance(name, str) or not name.strip():
        raise ValueError(_("it has no name"))
    steps = values.get("max_steps")
    return Task(
        id=name.strip(),
        instruction=str(instruction or ""),
        app=str(values.get("app") or ""),
        package=str(values.get("app_package") or ""),
        level=str(values.get("level") or ""),
        category=str(values.get("category") or ""),
        max_steps=steps if isinstance(steps, int) and steps > 0 else 0,
        essential_states=essential_states(next((values[key] for key in STATES if values.get(key)), None)),
    )


def essential_states(value: object) -> tuple[str, ...]:
    """The sentences of a list, or of a list written as a text in JSON or Python.

    Raises ValueError when a text is neither. Nothing is ever executed.
    """
    if value is None:
        return ()
    if isinstance(value, str):
        value = _written_list(value)
    if not isinstance(value, (list, tuple)):
        raise ValueError(_("its essential states are no list"))
    return tuple(str(sentence) for sentence in value)


def _written_list(text: str) -> object:
    for reader in (json.loads, ast.literal_eval):
        try:
            return reader(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def detect(path: Path) -> float:
    """Sure when the first line of a ``.jsonl`` file has a name, a task and a package."""
    for candidate in _candidates(path):
        try:
            first = json.loads(source_files.read_text(candidate).split("\n", 1)[0])
        except (ValueError, RecursionError):
            continue
        if isinstance(first, dict) and {"name", "task", "app_package"} <= first.keys():
            return 0.9 if path.is_file() else 0.5
    return 0.0


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """Read the tasks of every file of this format."""
    for candidate in _candidates(path):
        log.where = candidate.name
        if detect(candidate):
            log.use(candidate)
            yield SourceTasks(candidate.name, list(_tasks(candidate, log)))


def _candidates(path: Path) -> list[Path]:
    return [file for file in source_files.files(path) if file.suffix == ".jsonl"]


def _tasks(path: Path, log: ExchangeLog) -> Iterator[Task]:
    try:
        lines, bad = source_files.read_json_lines(path)
    except ExchangeError as error:
        log.add("record-unreadable", str(error))
        return
    for number in bad:
        log.add("line-unreadable", _("A line is no task and was passed over"), step=number)
    for number, line in enumerate(lines, start=1):
        extra = {key: value for key, value in line.items() if key not in (*KEYS, *STATES)}
        try:
            task = task_from(line)
        except ValueError as error:
            log.add("task-incomplete", _("A task was left out: {why}", why=error), step=number)
            continue
        yield Task(**{**{name: getattr(task, name) for name in Task.__slots__}, "extra": extra})


IMPORTER = Importer("aitk-tasks", "AITK tasks.jsonl", detect, read)
