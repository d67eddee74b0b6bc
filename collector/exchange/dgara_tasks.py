"""D-GARA's task file (``D-GARA-152.json``): a list of ids, descriptions, packages and rule ids."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from collector.exchange import source_files
from collector.exchange.errors import ExchangeError
from collector.exchange.import_log import ImportLog
from collector.exchange.source_model import Importer, SourceItem, SourceTasks
from collector.model.i18n import _
from collector.model.task import Task

_KEYS = ("id", "description", "app", "rule_key", "target_rule_ids")


def detect(path: Path) -> float:
    """Sure when a JSON list begins with a mapping that has ``description`` and ``rule_key``."""
    for candidate in _candidates(path):
        entries = _entries(candidate)
        if entries and {"id", "description", "rule_key"} <= entries[0].keys():
            return 0.9 if path.is_file() else 0.5
    return 0.0


def read(path: Path, report: ImportLog) -> Iterator[SourceItem]:
    """The tasks of every fitting file."""
    for candidate in _candidates(path):
        entries = _entries(candidate)
        if not entries or not {"id", "description"} <= entries[0].keys():
            continue
        report.where = candidate.name
        report.use(candidate)
        tasks = []
        for number, entry in enumerate(entries, start=1):
            if isinstance(entry.get("description"), str) and entry.get("id") is not None:
                tasks.append(_task(entry))
            else:
                report.add("task-incomplete", _("A task without id or description was left out"), step=number)
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
    rules = entry.get("target_rule_ids") or ()
    return Task(
        id=str(entry["id"]),
        instruction=entry["description"],
        package=str(entry.get("app") or ""),
        rule_key=str(entry.get("rule_key") or ""),
        target_rule_ids=tuple(map(str, rules)) if isinstance(rules, list) else (str(rules),),
        extra={key: value for key, value in entry.items() if key not in _KEYS},
    )


IMPORTER = Importer("dgara-tasks", "D-GARA task list", detect, read)
