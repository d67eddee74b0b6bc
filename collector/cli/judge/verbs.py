"""``waymark judge list`` and ``run``: the kinds of judges, and their verdicts or those of people."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from collector.cli.judge.judged_reference import chosen_options, chosen_trajectories, judged_argument
from collector.cli.judge.printed_verdicts import PrintedVerdicts
from collector.cli.option_values import plugin_options, read_option_values
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import judging_progress
from collector.cli.shared_options import as_person, in_project, project_argument
from collector.cli.verb_groups import judge
from collector.endpoint.chat_endpoint import EndpointUnavailable
from collector.judge.judging import JudgedResult, judge_trajectories
from collector.judge.kinds import COSTS, NEEDS, RULES, Judge, JudgeKind
from collector.judge.registry import BUILT_IN, RULES_JUDGE, judge_kinds
from collector.judge.votes.person_verdict import said_by
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model_judges.asking import LimitReached, Spending
from collector.model_judges.combined_judge import CombinedJudge
from collector.model_judges.judge_files import JudgeFile, judge_files, named_judge, options_of
from collector.model_judges.judging_run import JudgingControl, judge_by_models
from collector.model_judges.model_judge import ModelJudge
from collector.project_rules.project_rules import ProjectRules
from collector.store.files.layout import is_project
from collector.store.project.project import Project


@judge.command(name="list")
@project_argument
@json_option
def list_judges(folder: Path, as_json: bool) -> None:
    """List the judges that have a file, and the kinds of judges with their options.

    Files are the studio's, and those of a project in its folder judges/. Kinds are built in or come with
    installed packages.
    """
    loaded = judge_kinds()
    files = judge_files(Project.open(folder) if is_project(folder) else None)
    if as_json:
        print_json(
            {
                "judges": list(map(_kind_as_dict, loaded.kinds.values())),
                "files": list(map(_file_as_dict, files)),
                "problems": loaded.problems,
            }
        )
        return
    rows = [
        (
            file.name,
            file.method or "-",
            _("studio") if file.is_built_in else _("project"),
            file.shown_description,
        )
        for file in files
    ]
    print_table((_("Judge"), _("Method"), _("From"), _("What it does")), rows)
    say("")
    kinds = [
        (kind.id, _(kind.title), _(COSTS[kind.cost]), ", ".join(_(NEEDS[need]) for need in kind.needs))
        for kind in loaded.kinds.values()
    ]
    print_table((_("Method"), _("Title"), _("Cost"), _("Needs")), kinds)
    say(_("`waymark judge show METHOD` lists the options of a method"))
    for problem in (*loaded.problems, *(file.problem for file in files if file.problem)):
        say(problem, err=True)


def _file_as_dict(file: JudgeFile) -> dict[str, Any]:
    return {
        "name": file.name, "method": file.method, "description": file.description,
        "built_in": file.is_built_in, "options": dict(file.options), "problem": file.problem,
    }  # fmt: skip


def _kind_as_dict(kind: JudgeKind) -> dict[str, Any]:
    return {
        "id": kind.id, "title": _(kind.title), "description": _(kind.description),
        "built_in": kind.id in BUILT_IN, "cost": kind.cost, "needs": kind.needs,
        "options": [option.as_dict() for option in kind.options],
    }  # fmt: skip


@judge.command()
@judged_argument
@click.option(
    "--judge",
    "judge_name",
    default=RULES_JUDGE,
    show_default=True,
    help="One of `judge list` judges now. Another name: what that person or model said, with the verdict of "
    "the labels.",
)
@plugin_options
@click.option(
    "--again",
    type=click.Choice(["changed", "all"]),
    default="changed",
    show_default=True,
    help="By rules: judge what changed since it was judged, or all of it. Other judges judge all.",
)
@chosen_options
@click.option("--limit-usd", type=click.FloatRange(min=0), help="Stop before more than this is spent.")
@click.option("--dry-run", is_flag=True, help="Do not store the verdicts.")
@as_person
@in_project
@json_option
def run(
    reference: str, judge_name: str, given: tuple[str, ...], again: str, task: str, agent: str,
    only_undecided: bool, limit_usd: float | None, dry_run: bool, who: str, folder: Path, as_json: bool,
) -> int:  # fmt: skip
    """Judge a trajectory, or all of a project, and store the verdicts beside them.

    A judge by a model sends screens to its endpoint; what was asked before is not sent again. What is
    hidden from you, as a reviewer or an operator, is not shown.
    """
    project, folders = chosen_trajectories(reference, folder, who, judge_name, task, agent, only_undecided)
    kind = options_of(judge_name, project.project)
    control = JudgingControl(Spending(limit_usd))
    if kind is None and given:
        raise click.UsageError(_("--option goes with a judge of `waymark judge list`"))
    with contextlib.closing(PrintedVerdicts(folders, as_json=as_json)) as printed:
        stopped: UserError | None = None
        if kind is None:
            _note_said(printed, project, folders, judge_name, who)
        else:
            if RULES in kind.needs:
                _say_errors(project)
            chosen = named_judge(judge_name, project.project, read_option_values(kind.options, given))
            results = _judged(project, folders, chosen, control, keep=not dry_run, anew=again == "all")
            stopped = _note_judged(printed, results, len(folders))
        if as_json:
            why = str(stopped) if stopped is not None else ""
            printed.print_json({"judge": judge_name}, {**_spent_as_dict(control.spending), "stopped": why})
        else:
            printed.print_text()
            _print_spent(control.spending)
    if stopped is not None:
        say(f"waymark: {stopped}", err=True)
    return 1 if printed.failed or stopped is not None else 0


def _note_said(
    printed: PrintedVerdicts, project: ProjectRules, folders: Sequence[Path], judge: str, who: str
) -> None:
    """Take what a person or a model said, without what is hidden from ``who``."""
    from collector.review.hidden_trajectories import hidden_trajectories

    for result in said_by(project, folders, judge):
        if judge == who or not hidden_trajectories(project.project, [result.folder], who):
            printed.note(result)


def _note_judged(printed: PrintedVerdicts, results: Iterator[JudgedResult], count: int) -> UserError | None:
    """Take verdicts as they are made; the error that ended the run early, or None."""
    show = judging_progress()
    try:
        for number, result in enumerate(results, start=1):
            if result.is_attempt or count == 1:
                printed.note(result)
            show(number, count)
    except (LimitReached, EndpointUnavailable) as error:
        return error
    return None


def _judged(
    project: ProjectRules, folders: Sequence[Path], judge: Judge, control: JudgingControl, *, keep: bool,
    anew: bool,
) -> Iterator[JudgedResult]:  # fmt: skip
    """The verdicts of a judge, several trajectories at once when it asks models."""
    if isinstance(judge, ModelJudge | CombinedJudge):
        return judge_by_models(project, folders, judge, control, keep=keep)
    return judge_trajectories(project, folders, judge, keep=keep, anew=anew)


def _spent_as_dict(spending: Spending) -> dict[str, Any]:
    return {"asked": spending.asked, "kept": spending.kept, "usd": spending.usd}


def _print_spent(spending: Spending) -> None:
    if not spending.asked and not spending.kept:
        return
    said = _("Questions asked: {asked}, answered before: {kept}", asked=spending.asked, kept=spending.kept)
    say(said + (", " + _("{usd} USD", usd=f"{spending.usd:.4f}") if spending.usd else ""))


def _say_errors(project: ProjectRules) -> None:
    """Say what cannot be judged. Raises UserError for a file of which nothing can be read."""
    project.require_readable()
    for error in project.errors():
        where = f"{error.path}:{error.place.line}"
        say(_("{where}: {what}. What it concerns is not judged", where=where, what=error.what), err=True)
