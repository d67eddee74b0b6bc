"""A project as a folder that D-GARA's own code reads: task list, rules, library, recordings and runs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from collector.exchange.dgara import folder
from collector.exchange.dgara import layout as names
from collector.exchange.dgara.collected_export import export_collected, goldens
from collector.exchange.dgara.library_export import export_library
from collector.exchange.dgara.rules_export import ExportedRules, export_rules
from collector.exchange.dgara.runs_export import export_runs, task_ids_of
from collector.exchange.dgara.tasks import numbers_of, to_entry
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.fixed_tasks import fixed_tasks
from collector.exchange.format import FOR_BENCHMARKS, RULES, TASKS, TRAJECTORIES, VERDICTS, Format
from collector.model.i18n import N_, _
from collector.project_rules.project_rules import ProjectRules
from collector.rules.backtest.backtest import BackTest
from collector.rules.columns.corpus import Corpus
from collector.rules.grammar.model import DGARA, INJECTION, SUCCESS, WAYMARK, Rule
from collector.rules.grammar.rule_reader import read_rules
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory

_AT_ONCE = 64
"""Golden trajectories that rules are tried on together."""


def write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    """Write everything of ``part`` that D-GARA has a place for into the new folder ``path``."""
    path.mkdir(exist_ok=True)
    project = part.project
    tasks = {task.id: task for task in fixed_tasks(part.tasks, log)}
    own = list(tasks)
    numbers = numbers_of([*own, *sorted(task_ids_of(part).difference(own))], log)
    rules = export_rules(project, log)
    library = export_library(project, rules.rules, list(tasks.values()), log)
    log.where = names.TASKS
    entries = [to_entry(task, numbers[task.id], log) for task in tasks.values()]
    log.written.tasks += own
    for name, data in (
        (names.TASKS, json.dumps(entries, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n"),
        (names.RULES, rules.injection.data),
        (names.SUCCESS, rules.success.data),
        (names.LIBRARY, library.data),
    ):
        target = path / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(data)
    (path / names.COLLECTED).mkdir(exist_ok=True)
    export_collected(part, tasks, numbers, path / names.COLLECTED, log)
    export_runs(part, tasks, numbers, path / names.RUNS, log)
    log.where = ""
    if not project.reset.is_empty:
        log.add("reset-lost", _("D-GARA resets nothing before a task, as the project's `reset` does"))
    if project.semantics == WAYMARK and log.written.rules:
        own_log = ExchangeLog()  # what is left out was said
        folders = (folder for _task, folder in goldens(part, own_log))
        report_other_verdicts(project, folders, rules, log)
        text = _("D-GARA reads rules by its own rules: `semantics: dgara` in project.yaml shows its verdicts")
        log.add("semantics", text, severity=NOTE)


def report_other_verdicts(
    project: Project, folders: Iterable[Path], exported: ExportedRules, log: ExchangeLog
) -> None:
    """Report each rule whose verdict differs between this project and what D-GARA makes of the export.

    ``folders`` are those of golden trajectories; few are in memory at a time.
    """
    written = [
        rule
        for file, kind in ((exported.injection, INJECTION), (exported.success, SUCCESS))
        for rule in read_rules(file.data.decode(), kind=kind).rules
    ]
    own = ProjectRules(project)
    originals = {(rule.kind, rule.id): rule for rule in own.rules()}
    pairs = [(original, rule) for rule in written if (original := originals.get((rule.kind, rule.id)))]
    remaining = iter(folders)
    while pairs and (some := list(islice(remaining, _AT_ONCE))):
        corpus = Corpus(map(open_trajectory, some), tasks=project.tasks, states=())
        if not len(corpus):
            continue
        here, there = own.back_test(WAYMARK, corpus), own.back_test(DGARA, corpus)
        for original, rule in list(pairs):
            if _differ(here, original, there, rule):
                pairs.remove((original, rule))
                text = _(
                    "D-GARA judges a rule differently on recorded states; `waymark rules compare` shows where"
                )
                log.add("verdict-differs", text, step=rule.id)


def _differ(here: BackTest, original: Rule, there: BackTest, written: Rule) -> bool:
    return bool((here.run(original).verdicts.holds != there.run(written).verdicts.holds).any())


FORMAT = Format(
    id="dgara",
    title=N_("D-GARA folder with tasks, rules, recordings and runs"),
    use=FOR_BENCHMARKS,
    holds=(TRAJECTORIES, TASKS, RULES, VERDICTS),
    files=N_("D-GARA-152.json, ReactBench/, SuccessValidator/, Collected_trajs/ and LOGFINAL/"),
    detect=folder.detect,
    read=folder.read,
    write=write,
    entries=names.ENTRIES,
    licence=N_("D-GARA names no licence"),
)
