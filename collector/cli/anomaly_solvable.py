"""``waymark anomaly solvable``: which tasks stay solvable under which anomalies, and where others stop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.command_preview import CommandSet
from collector.anomalies.injector import Injector
from collector.anomalies.model import Anomaly
from collector.cli.anomaly import anomaly
from collector.cli.output import error_json, json_option, print_json, print_table, say
from collector.cli.phone import AnomalySource, device_option
from collector.cli.replay_options import judges, options_of, survey_options, texts_by_task
from collector.cli.rule_files import ProjectRules
from collector.device.device_choice import choose_device
from collector.model.anomaly_terms import STANDARD_ANSWERS
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.replay import solvability_report as report
from collector.replay.phone import opened_phone
from collector.replay.solvability_cases import (
    AUTO,
    BY_RULE,
    DECLARED,
    EACH,
    FIRST,
    SolvabilityTask,
    solvability_task,
)
from collector.replay.solvability_check import SolvabilityCheck
from collector.replay.solvability_trials import SolvabilityReport, SolvabilityTrial
from collector.rules.grammar.errors import RuleError

_PLACES = (AUTO, BY_RULE, FIRST, EACH)
_WIDEST = 240


def register(command: click.Group) -> None:
    """The verb joined the group as this module was read; the group itself is put on by its own."""
    assert "anomaly" in command.commands


class _Place(click.ParamType[str]):
    name = "place"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if text not in _PLACES and not text.isdecimal():
            self.fail(_("expected {known} or the number of a step", known=", ".join(_PLACES)), param, ctx)
        return text


@anomaly.command()
@click.argument("folder", metavar="PROJECT", type=click.Path(path_type=Path), default=".")
@click.option("--task", "task_ids", metavar="ID", multiple=True, help="Only this task; may be repeated.")
@click.option(
    "--anomaly", "anomaly_ids", metavar="ID", multiple=True,
    help="Only this anomaly or family; may be repeated. Else those the rules name, else the whole library.",
)  # fmt: skip
@click.option(
    "--answer", type=click.Choice([DECLARED, EACH, *STANDARD_ANSWERS]), default=DECLARED, show_default=True,
    help="What dialogs are answered: as their author declares, each answer in turn, or one by name.",
)  # fmt: skip
@click.option(
    "--at", type=_Place(), default=AUTO, show_default=True, metavar="auto|rule|first|each|STEP",
    help="Before which step: where the task's rule holds, its app's first one, each, or one from 0.",
)  # fmt: skip
@device_option
@survey_options
@click.option("--trust", is_flag=True, help="Trust the project's commands that nobody trusted yet.")
@json_option
def solvable(
    folder: Path, task_ids: tuple[str, ...], anomaly_ids: tuple[str, ...], answer: str, at: str,
    serial: str, patience: float, fresh: bool, texts: tuple[str, ...], trust: bool, as_json: bool,
) -> int:  # fmt: skip
    """Replay the golden trajectories of PROJECT under each anomaly, and tell which tasks stop, and where.

    Each task is first replayed without an anomaly. A dialog is answered, what follows the answer runs,
    and the replay goes on; where the screen is another, BACK, the app opened again and earlier steps are
    tried. Exit status: 0 every task is solvable under every anomaly, 1 some are not, 2 wrong usage.
    """
    common, own_texts = texts_by_task(texts)
    options = options_of(patience, fresh, common)
    own, source = ProjectRules.open(folder), AnomalySource(folder, None)
    tasks = _tasks(own, task_ids)
    _require_known(own, own_texts)
    wanted = {task.task.id: _anomalies(task, tasks, source, anomaly_ids) for task in tasks}
    anomalies = {found.id: found for listed in wanted.values() for found in listed}
    rules = {rule.id: rule for task in tasks for rule in task.rules}
    source.require_trust(CommandSet(list(anomalies.values()), list(rules.values())), yes=trust)
    device = choose_device(serial)
    with opened_phone(device) as phone:
        injector = Injector(device, gate=source.gate())
        surveyor = SolvabilityCheck(
            phone, injector, judges(own, device), options, answer, at,
            lambda task, _golden: own_texts.get(task.id, {}),
        )  # fmt: skip
        surveyor.told.subscribe(_tell)
        try:
            survey = surveyor.run(tasks, lambda one: wanted[one.task.id])
        except BaseException as error:
            # What was found until then is worth keeping.
            found = SolvabilityReport(tuple(surveyor.trials))
            if as_json and isinstance(error, UserError):  # one document, with why it ends there
                say(f"waymark: {error}", err=True)
                print_json(report.as_dict(found) | error_json(error))
                return 1
            _print(found, as_json)
            raise
        finally:
            injector.close()
    _print(survey, as_json)
    return int(not survey.is_solvable)


def _tasks(own: ProjectRules, ids: Sequence[str]) -> list[SolvabilityTask]:
    """The tasks named, else all that have a golden trajectory."""
    known, rules = own.project.tasks, own.rules()
    _require_known(own, ids)
    cases = [solvability_task(own.project, task, rules) for task in known if not ids or task.id in ids]
    found = [case for case in cases if ids or case.goldens]
    if not found:
        raise RuleError(
            _("The project has no golden trajectory to replay"), "", _("Record one, or import them")
        )
    return found


def _require_known(own: ProjectRules, ids: Iterable[str]) -> None:
    unknown = sorted(set(ids) - {task.id for task in own.project.tasks})
    if unknown:
        raise RuleError(_("The project has no task {id}", id=unknown[0]))


def _anomalies(
    one: SolvabilityTask, tasks: Sequence[SolvabilityTask], source: AnomalySource, ids: Sequence[str]
) -> list[Anomaly]:  # fmt: skip
    """Those named, else those the task's rules name; the whole library when no rule of any task names one."""
    library = source.library.anomalies or builtin_library().anomalies
    if ids:
        families = [[found for found in library if found.family == name] for name in ids]
        return [
            found
            for name, family in zip(ids, families, strict=True)
            for found in (family if family and source.find(name) is None else [source.anomaly(name)])
        ]
    if not any(other.rules for other in tasks):
        return list(library)
    named = dict.fromkeys(action.interference_id for rule in one.rules for action in rule.actions)
    return [source.anomaly(name) for name in named]


def _tell(trial: SolvabilityTrial) -> None:
    told = (trial.task, trial.anomaly, trial.answer, report.result_words(trial), f"{trial.seconds:.0f} s")
    say("  ".join(part for part in told if part), err=True)


def _print(survey: SolvabilityReport, as_json: bool) -> None:
    if as_json:
        print_json(report.as_dict(survey))
        return
    rows = [report.row(trial) for trial in survey.trials]
    print_table(report.header(), rows, last=_WIDEST)
    say(report.summary(survey.trials))
