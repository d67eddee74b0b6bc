"""``waymark anomaly solvable``: which tasks stay solvable under which anomalies, and where others stop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.model import Anomaly
from collector.cli.device.phone import injecting, leased_phone, require_trust
from collector.cli.output import error_json, json_option, print_json, print_table, say
from collector.cli.shared_options import device_option, project_argument, trust_option
from collector.cli.trajectory.replay_options import (
    no_record_option,
    options_of,
    solvability_options,
    texts_by_task,
)
from collector.cli.verb_groups import anomaly
from collector.device.device_lease import SOLVABILITY
from collector.judge.evaluation.task_rules import rules_by_task
from collector.model.anomaly_terms import STANDARD_ANSWERS
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.text.step_place import step_index
from collector.replay.phone import opened_phone
from collector.replay.replay_run import SOLVABILITY_EXPERIMENT, ReplayRuns
from collector.replay.solvability.cases import AUTO, BY_RULE, DECLARED, EACH, FIRST
from collector.replay.solvability.check import SolvabilityCheck
from collector.replay.solvability.plan import SolvabilityInput, SolvabilityPlan, read_solvability_input
from collector.replay.solvability.report import as_dict as report_as_dict
from collector.replay.solvability.report import header, result_words, row, summary
from collector.replay.solvability.trials import SolvabilityReport, SolvabilityTrial
from collector.rules.grammar.errors import RuleError
from collector.store.project.project import Project

_PLACES = (AUTO, BY_RULE, FIRST, EACH)
_WIDEST = 240


class _InjectAt(click.ParamType[str]):
    name = "place"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if text in _PLACES:
            return text
        index = step_index(text)
        if index is None:
            known = ", ".join(_PLACES)
            self.fail(_("expected {known} or the number of a step, from 1", known=known), param, ctx)
        return str(index)


@anomaly.command()
@project_argument
@click.option("--task", "task_ids", metavar="ID", multiple=True, help="Only this task; repeatable.")
@click.option(
    "--anomaly", "anomaly_ids", metavar="ID", multiple=True,
    help="Only this anomaly or family; repeatable. By default those the rules name, or the whole library.",
)  # fmt: skip
@click.option(
    "--answer", type=click.Choice([DECLARED, EACH, *STANDARD_ANSWERS]), default=DECLARED, show_default=True,
    help="How to answer dialogs: as their author declares, each answer in turn, or one by name.",
)  # fmt: skip
@click.option(
    "--at", type=_InjectAt(), default=AUTO, show_default=True, metavar="auto|rule|first|each|STEP",
    help="Inject before this step: where the task's rule holds, the first in its app, each, or its number.",
)  # fmt: skip
@device_option
@solvability_options
@trust_option("Trust the project's commands that are not trusted yet.")
@no_record_option
@json_option
def solvable(
    folder: Path, task_ids: tuple[str, ...], anomaly_ids: tuple[str, ...], answer: str, at: str,
    serial: str, wait: float, fresh: bool, texts: tuple[str, ...], trust: bool, no_record: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Replay the golden trajectories of PROJECT under each anomaly; report which tasks stop, and where.

    Each is first replayed without an anomaly. Then a dialog is answered, and the replay goes on: by BACK,
    by reopening the app, by earlier steps. Each replay is recorded as a run. Exit status: 0 every task is
    solvable under every anomaly, 1 some are not, 2 wrong usage.
    """
    common, task_texts = texts_by_task(texts)
    options = options_of(wait, fresh, common)
    source = AnomalySource.open(folder)
    project = source.project
    assert project is not None
    given = _input(project, task_ids)
    _require_tasks(project, task_texts)
    plan = SolvabilityPlan(
        tuple(given.cases), at=at, answer=answer, fresh=fresh,
        by_task={task: _anomalies(task, given, source, anomaly_ids) for task in given.cases},
    )  # fmt: skip
    require_trust(source.trust, plan.commands(given), yes=trust)
    with (
        leased_phone(serial, SOLVABILITY) as device,
        opened_phone(device) as phone,
        injecting(device, source.trust) as session,
    ):
        check = SolvabilityCheck(
            phone, session.injector, rules_by_task(project, given.rules), options,
            texts=lambda task, _golden: task_texts.get(task.id, {}),
            runs=None if no_record else ReplayRuns(project, device, SOLVABILITY_EXPERIMENT),
        )  # fmt: skip
        check.trial_ended.subscribe(_print_trial)
        return _run(check, plan, given, as_json)


def _run(check: SolvabilityCheck, plan: SolvabilityPlan, given: SolvabilityInput, as_json: bool) -> int:
    """Run the check and print its report, also that of a check that ends early."""
    try:
        report = check.run_plan(plan, given)
    except BaseException as error:
        if as_json and isinstance(error, UserError):  # one document, with why it ends there
            say(f"waymark: {error}", err=True)
            print_json(report_as_dict(check.report) | error_json(error))
            return 1
        _print(check.report, as_json)
        raise
    _print(report, as_json)
    return int(not report.is_solvable)


def _input(project: Project, ids: Sequence[str]) -> SolvabilityInput:
    """The tasks named, or all that have a golden trajectory."""
    _require_tasks(project, ids)
    tasks = [task for task in project.tasks if not ids or task.id in ids]
    given = read_solvability_input(project, tasks, without_golden=bool(ids))
    if not given.cases:
        raise RuleError(
            _("The project has no golden trajectory to replay"), "", _("Record one, or import them")
        )
    return given


def _require_tasks(project: Project, ids: Iterable[str]) -> None:
    unknown = sorted(set(ids) - {task.id for task in project.tasks})
    if unknown:
        raise RuleError(_("The project has no task {id}", id=unknown[0]))


def _anomalies(
    task: str, given: SolvabilityInput, source: AnomalySource, ids: Sequence[str]
) -> tuple[Anomaly, ...]:
    """Those named, or those the task's rules name; the whole library when no rule of any task names one."""
    library = source.library.anomalies or builtin_library().anomalies
    if ids:
        families = [[anomaly for anomaly in library if anomaly.family == name] for name in ids]
        return tuple(
            anomaly
            for name, family in zip(ids, families, strict=True)
            for anomaly in (family if family and source.find(name) is None else [source.anomaly(name)])
        )
    if not any(case.rules for case in given.cases.values()):
        return tuple(library)
    return tuple(source.anomaly(name) for name in given.cases[task].named)


def _print_trial(trial: SolvabilityTrial) -> None:
    words = (trial.task, trial.anomaly, trial.answer, result_words(trial), f"{trial.seconds:.0f} s")
    say("  ".join(word for word in words if word), err=True)


def _print(report: SolvabilityReport, as_json: bool) -> None:
    if as_json:
        print_json(report_as_dict(report))
        return
    print_table(header(), [row(trial) for trial in report.trials], last=_WIDEST, wide=2)
    say(summary(report.trials))
