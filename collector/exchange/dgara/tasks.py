"""``D-GARA-152.json``: ids, descriptions, packages and rule ids."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.fixed_tasks import fixed_tasks
from collector.exchange.format import FOR_BENCHMARKS, TASKS, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.model import SourceItem, SourceTasks
from collector.model.i18n import N_, _
from collector.model.task import PLACEHOLDER, Task
from collector.store.files.disk import Disk

_TELLING_KEYS = {"id", "description", "rule_key"}
_KEYS = ("id", "description", "app", "rule_key", "target_rule_ids")
_EXPORTED = ("id", "instruction", "package", "rule_key", "target_rule_ids", "human_validation", "extra")


def detect(path: Path) -> float:
    """Sure when a JSON list begins with a mapping that has ``description`` and ``rule_key``."""
    for candidate in _candidates(path):
        entries = _entries(candidate)
        if entries and entries[0].keys() >= _TELLING_KEYS:
            return 0.9 if path.is_file() else 0.5
    return 0.0


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """Read the tasks of every file of this format."""
    for candidate in _candidates(path):
        entries = _entries(candidate)
        if not entries or not {"id", "description"} <= entries[0].keys():
            continue
        log.where = candidate.name
        log.use(candidate)
        tasks = []
        for number, entry in enumerate(entries, start=1):
            task_id = entry.get("id")
            if isinstance(entry.get("description"), str) and type(task_id) in (str, int, float):
                tasks.append(_task(entry))
            else:
                log.add("task-incomplete", _("A task without id or description was left out"), step=number)
        yield SourceTasks(candidate.name, tasks)


def _candidates(path: Path) -> list[Path]:
    return [file for file in source_files.files(path) if file.suffix == ".json"]


def _entries(path: Path) -> list[dict[str, Any]]:
    if not source_files.read_text(path, 64).lstrip().startswith("["):
        return []
    try:
        entries = source_files.read_json(path)
    except ExchangeError:
        return []
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _task(entry: dict[str, Any]) -> Task:
    rules = entry.get("target_rule_ids") or []
    is_judged = entry.get("rule_key") == PLACEHOLDER
    return Task(
        id=str(entry["id"]),
        instruction=entry["description"],
        package=str(entry.get("app") or ""),
        rule_key="" if is_judged else str(entry.get("rule_key") or ""),
        human_validation=is_judged,
        target_rule_ids=tuple(map(str, rules)) if isinstance(rules, list) else (str(rules),),
        extra={key: value for key, value in entry.items() if key not in _KEYS},
    )


def write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    """Write the tasks of ``part`` as one JSON list."""
    log.add(
        "tasks-only",
        _("The format holds tasks alone; trajectories, rules and anomalies are only in the project"),
        severity=NOTE,
    )
    numbers = numbers_of([task.id for task in part.tasks], log)
    entries = [to_entry(task, numbers[task.id], log) for task in fixed_tasks(part.tasks, log)]
    log.written.tasks += [task.id for task in part.tasks]
    Disk().write(path, json.dumps(entries, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n")


def numbers_of(task_ids: Iterable[str], log: ExchangeLog) -> dict[str, int]:
    """The number of each task: its id when that is one, else the next free one, which goes into the log.

    D-GARA compares the ids of its tasks with numbers and ends at any other id.
    """
    task_ids = list(dict.fromkeys(task_ids))
    numbers = {task_id: int(task_id) for task_id in task_ids if _is_plain_number(task_id)}
    free = max(numbers.values(), default=0)
    for task_id in task_ids:
        if task_id not in numbers:
            free += 1
            numbers[task_id] = free
            text = _("D-GARA's tasks have numbers; these got new ones")
            log.add("task-numbered", text, step=f"{task_id} > {free}")
    return numbers


def to_entry(task: Task, number: int, log: ExchangeLog) -> dict[str, Any]:
    """A task as an entry of the list; what it has no key for goes into the log."""
    for name in _lost_fields(task):
        log.add("field-lost", _("The format has no place for `{name}`", name=name), step=task.id)
    return {
        "id": number,
        "description": task.instruction,
        "app": task.package,
        "rule_key": task.rule_key or (PLACEHOLDER if task.human_validation else ""),
        "target_rule_ids": list(task.target_rule_ids),
        **{key: value for key, value in task.extra.items() if key not in _KEYS and _is_json(value)},
    }


def _lost_fields(task: Task) -> Sequence[str]:
    unset = Task(id="", instruction="")
    lost = [
        field.name
        for field in fields(Task)
        if field.name not in _EXPORTED and getattr(task, field.name) != getattr(unset, field.name)
    ]
    if task.human_validation and task.rule_key:  # one key says both
        lost.append("human_validation")
    return [*lost, *(key for key, value in task.extra.items() if key in _KEYS or not _is_json(value))]


def _is_plain_number(text: str) -> bool:
    """Whether ``text`` is the usual form of a number, so that it reads back the same."""
    return text.isascii() and text.isdigit() and len(text) < 16 and str(int(text)) == text


def _is_json(value: object) -> bool:
    """Whether JSON gives ``value`` back unchanged; YAML has dates and other kinds that it does not."""
    try:
        return bool(json.loads(json.dumps(value, allow_nan=False)) == value)
    except (TypeError, ValueError, RecursionError):
        return False


FORMAT = Format(
    id="dgara-tasks",
    title=N_("D-GARA task list"),
    use=FOR_BENCHMARKS,
    holds=(TASKS,),
    files=N_("A JSON list: ids, instructions, packages, rule keys and target rules"),
    detect=detect,
    read=read,
    write=write,
    ending=".json",
    licence=N_("D-GARA names no licence"),
)
