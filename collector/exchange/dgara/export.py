"""A project as a folder that D-GARA's own code reads: task list, rules, library, recordings and runs."""

from __future__ import annotations

import json
from pathlib import Path

from collector.exchange.dgara import layout as names
from collector.exchange.dgara.collected_export import export_collected, golden_by_task
from collector.exchange.dgara.library_export import export_library
from collector.exchange.dgara.rules_export import export_rules
from collector.exchange.dgara.runs_export import export_runs, run_task_ids
from collector.exchange.dgara.tasks import numbers_of, to_entry
from collector.exchange.dgara.verdicts import report_other_verdicts
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.registry import Exporter
from collector.model.i18n import _
from collector.rules.grammar.model import WAYMARK
from collector.store.project.project import Project


def write(project: Project, path: Path, log: ExchangeLog) -> None:
    """Write everything of ``project`` that D-GARA has a place for into the new folder ``path``."""
    path.mkdir()
    goldens = golden_by_task(project, log)
    log.where = ""
    numbers = numbers_of([*(task.id for task in project.tasks), *goldens, *run_task_ids(project)], log)
    rules = export_rules(project, log)
    library = export_library(project, rules.rules, project.tasks, log)
    log.where = names.TASKS
    entries = [to_entry(task, numbers[task.id], log) for task in project.tasks]
    log.written.tasks += [task.id for task in project.tasks]
    for name, data in (
        (names.TASKS, json.dumps(entries, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n"),
        (names.RULES, rules.injection.data),
        (names.SUCCESS, rules.success.data),
        (names.LIBRARY, library.data),
    ):
        target = path / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(data)
    (path / names.COLLECTED).mkdir()
    export_collected(project, goldens, numbers, path / names.COLLECTED, log)
    export_runs(project, numbers, path / names.RUNS, log)
    log.where = ""
    if not project.reset.is_empty:
        log.add("reset-lost", _("D-GARA resets nothing before a task, as the project's `reset` does"))
    if project.semantics == WAYMARK and log.written.rules:
        report_other_verdicts(project, goldens.values(), rules, log)
        text = _("D-GARA reads rules by its own rules: `semantics: dgara` in project.yaml shows its verdicts")
        log.add("semantics", text, severity=NOTE)


EXPORTER = Exporter(
    "dgara", "D-GARA folder with tasks, rules, recordings and runs", write, entries=names.ENTRIES
)
