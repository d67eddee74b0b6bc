"""``waymark judge list`` and ``run``: the kinds of judges, and their verdicts or those of people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from collector.cli.judge.judged_reference import judged, judged_argument
from collector.cli.option_values import option_facts, plugin_options, read_option_values
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import judging_progress
from collector.cli.review.blind_output import hidden_trajectories
from collector.cli.shared_options import as_person, in_project
from collector.cli.trajectory.reference import require_visible
from collector.cli.verb_groups import judge
from collector.judge.judging import JudgedResult, judge_trajectories
from collector.judge.kinds import COSTS, NEEDS, RULES, JudgeKind
from collector.judge.registry import BUILT_IN, RULES_JUDGE, create_judge, find_judge_kind, judge_kinds
from collector.judge.votes.person_verdict import said_by
from collector.located_yaml.codes import CODES
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.judgement import REACHED, STATE, UNDECIDED, Judgement
from collector.model.trajectory import TrajectoryHeader
from collector.project_rules.project_rules import ProjectRules
from collector.states.work_files.blindness import sees_every_trajectory, visible_trajectories
from collector.store.files.errors import StoreError
from collector.store.trajectory.judgement_codec import judgement_to_line
from collector.store.trajectory.reader import read_header

_NO_YAML = CODES["yaml-syntax"].code


@judge.command(name="list")
@json_option
def list_judges(as_json: bool) -> None:
    """List the kinds of judges with their options: the built-in ones, and those of installed packages."""
    loaded = judge_kinds()
    if as_json:
        print_json({"judges": list(map(_kind_as_dict, loaded.kinds.values())), "problems": loaded.problems})
        return
    rows = [
        (kind.id, _(kind.title), _(COSTS[kind.cost]), ", ".join(_(NEEDS[need]) for need in kind.needs))
        for kind in loaded.kinds.values()
    ]
    print_table((_("Judge"), _("Title"), _("Cost"), _("Needs")), rows)
    for kind in loaded.kinds.values():
        for option in kind.options:
            say(f"\n{kind.id} -o {option.name}=...  ({option_facts(option)})\n    {_(option.description)}")
    for problem in loaded.problems:
        say(problem, err=True)


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
@click.option("--dry-run", is_flag=True, help="Do not store the verdicts.")
@as_person
@in_project
@json_option
def run(
    reference: str, judge_name: str, given: tuple[str, ...], again: str, dry_run: bool, who: str,
    folder: Path, as_json: bool,
) -> int:  # fmt: skip
    """Judge a trajectory, or all of a project, and store the verdicts beside them.

    What others said of trajectories of which you have not submitted your review is not shown. As an operator
    you do not see the other's golden trajectories before you sign your proposal.
    """
    project, folders = _of(reference, folder, who)
    kind = find_judge_kind(judge_name)
    if kind is not None:
        if RULES in kind.needs:
            _say_errors(project)
        chosen = create_judge(judge_name, project.project, read_option_values(kind.options, given))
        results, show = [], judging_progress()
        anew = again == "all"
        for result in judge_trajectories(project, folders, chosen, keep=not dry_run, anew=anew):
            results.append(result)
            show(len(results), len(folders))
    elif given:
        raise click.UsageError(_("--option goes with a judge of `waymark judge list`"))
    else:
        results = list(said_by(project, folders, judge_name))
        if judge_name != who:
            hidden = hidden_trajectories(project.project, [result.folder for result in results], who)
            results = [result for result in results if result.folder not in hidden]
    if as_json:
        print_json({"judge": judge_name, "trajectories": [_as_dict(result) for result in results]})
    else:
        _print_results(results, in_full=len(folders) == 1)
    return 1 if any(result.problem for result in results) else 0


def _say_errors(project: ProjectRules) -> None:
    """Say what cannot be judged. Raises UserError for a file of which nothing can be read."""
    for error in project.errors():
        where = f"{error.path}:{error.place.line}"
        if error.code == _NO_YAML:
            raise UserError(
                _("{where}: {what}", where=where, what=error.what),
                _("Without its rules the verdicts would be wrong"),
                _("Correct the line, and judge again"),
            )
        say(_("{where}: {what}. What it concerns is not judged", where=where, what=error.what), err=True)


def _of(reference: str, folder: Path, who: str) -> tuple[ProjectRules, list[Path]]:
    """The project, and the trajectories that are named and that ``who`` may see. Raises UserError."""
    found, trajectory = judged(reference, folder)
    project = ProjectRules(found)
    if trajectory is not None:
        require_visible(trajectory, who)
        return project, [trajectory]
    folders = list(project.project.trajectory_folders())
    if sees_every_trajectory(project.project, who):  # or each header is read twice
        return project, folders
    is_visible = visible_trajectories(project.project, who)
    return project, [folder for folder in folders if _may_see(folder, is_visible)]


def _may_see(folder: Path, is_visible: Callable[[TrajectoryHeader], bool]) -> bool:
    """Whether a trajectory is shown; one whose header cannot be read is, with what is wrong with it."""
    try:
        return is_visible(read_header(folder))
    except StoreError:
        return True


def _as_dict(result: JudgedResult) -> dict[str, Any]:
    return {
        "trajectory": result.trajectory,
        "task": result.task,
        "folder": str(result.folder),
        "problem": result.problem,
        "judgements": [judgement_to_line(item) for item in result.judgements],
    }


def _print_results(results: Sequence[JudgedResult], *, in_full: bool) -> None:
    if in_full:
        for result in results:
            for item in result.judgements:
                say(_line(item))
    else:
        rows = [(result.task, result.trajectory, *_counts(result)) for result in results]
        print_table(("TASK", "TRAJECTORY", "VERDICT", "STATES", "REASON"), rows)
    for result in results:
        if result.problem:
            say(f"{result.trajectory}: {result.problem}", err=True)
    judged = sum(not result.problem for result in results)
    say(ngettext("{count} trajectory judged", "{count} trajectories judged", judged))


def _counts(result: JudgedResult) -> tuple[str, str, str]:
    states = [item for item in result.judgements if item.subject.kind == STATE]
    reached = sum(item.verdict == REACHED for item in states)
    task = result.on_task
    if task is None:
        return UNDECIDED, "-", result.problem
    return task.verdict, f"{reached}/{len(states)}", task.reason


def _line(item: Judgement) -> str:
    at = f" @{item.subject.first + 1}" if item.subject.first is not None else ""
    return f"{item.verdict:<12}{item.subject.state or item.subject.kind}{at}  {item.reason}"
