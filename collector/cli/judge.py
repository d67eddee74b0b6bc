"""``waymark judge``: verdicts by rules, and how far judges agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.verb_groups import judge
from collector.judge.agreement import Quality
from collector.judge.judging import JudgedResult, judge_trajectories
from collector.judge.rule_judge import RULES_JUDGE, RuleJudge
from collector.judge.votes import QualityRow, VotedSubject, agreement_rows, quality_rows, voted_subjects
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.judgement import REACHED, STATE, UNDECIDED, Judgement
from collector.project_rules.project_rules import ProjectRules
from collector.store.judgement_codec import judgement_to_line
from collector.store.judgements import read_judgements
from collector.store.layout import is_project, is_trajectory, project_around

_MEASURES = ("precision", "recall", "f1", "accuracy")


@judge.command()
@click.argument("path", metavar="TRAJECTORY|PROJECT", type=click.Path(path_type=Path), default=".")
@click.option(
    "--judge",
    "judge_name",
    default=RULES_JUDGE,
    show_default=True,
    help="rules: judge now. Another name: show what that person or model said.",
)
@click.option("--dry-run", is_flag=True, help="Do not store the verdicts.")
@json_option
def run(path: Path, judge_name: str, dry_run: bool, as_json: bool) -> int:
    """Judge a trajectory, or all of a project, and store the verdicts beside them."""
    project, folders = _of(path)
    if judge_name == RULES_JUDGE:
        by_rules = RuleJudge(project.project.semantics, project.images)
        results = list(judge_trajectories(project, folders, by_rules, keep=not dry_run))
    else:
        results = _said_by(judge_name, folders)
    if as_json:
        print_json({"judge": judge_name, "trajectories": [_as_dict(result) for result in results]})
    else:
        _print_results(results, in_full=len(folders) == 1)
    return 1 if any(result.problem for result in results) else 0


@judge.command("agreement")
@click.argument("path", metavar="PROJECT", type=click.Path(path_type=Path), default=".")
@json_option
def agreement_(path: Path, as_json: bool) -> None:
    """How far the judges of a project agree: percent, Cohen's kappa for two, Fleiss' for more."""
    subjects, judges = _votes(path)
    rows = agreement_rows(subjects, judges)
    disputed = [subject for subject in subjects if subject.is_disputed]
    if as_json:
        print_json({"agreement": list(map(asdict, rows)), "disagreements": list(map(asdict, disputed))})
        return
    if not rows:
        say(_("No two judges judged the same yet"))
        return
    print_table(
        ("JUDGES", "ON", "OF", "SUBJECTS", "PERCENT", "KAPPA"),
        [
            (
                ", ".join(row.judges), row.kind, row.of or _("all"), row.agreement.subjects,
                _number(row.agreement.percent, 1), _number(row.agreement.kappa, 3),
            )
            for row in rows
        ],
    )  # fmt: skip
    for subject in disputed:
        votes = ", ".join(f"{name}: {verdict}" for name, verdict in sorted(subject.votes.items()))
        say(f"{subject.task}/{subject.trajectory} {subject.state}".rstrip() + f"  {votes}")


@judge.command("quality")
@click.argument("path", metavar="PROJECT", type=click.Path(path_type=Path), default=".")
@click.option("--against", required=True, metavar="WHO", help="The judge that counts as right.")
@json_option
def quality_(path: Path, against: str, as_json: bool) -> None:
    """Precision, recall, F1 and accuracy of every judge against one, as A3's Table 2."""
    subjects, judges = _votes(path)
    if against not in judges:
        raise UserError(
            _("{name} judged nothing in this project", name=against),
            "",
            _("Name one of: {known}", known=", ".join(judges) or "-"),
        )
    rows = quality_rows(subjects, judges, against)
    if as_json:
        print_json({"against": against, "quality": list(map(_quality_as_dict, rows))})
        return
    print_table(
        ("JUDGE", "ON", "SUBJECTS", *map(str.upper, _MEASURES)),
        [(row.judge, row.kind, row.quality.subjects, *_percents(row.quality)) for row in rows],
    )


def _quality_as_dict(row: QualityRow) -> dict[str, Any]:
    counts = asdict(row.quality)
    measured = {name: getattr(row.quality, name) for name in _MEASURES}
    return {"judge": row.judge, "on": row.kind, "subjects": row.quality.subjects, **counts, **measured}


def _percents(quality: Quality) -> list[str]:
    values = [getattr(quality, name) for name in _MEASURES]
    return [_number(None if value is None else 100 * value, 1) for value in values]


def _of(path: Path) -> tuple[ProjectRules, list[Path]]:
    """The project and the trajectories that ``path`` names."""
    around = path if is_project(path) else project_around(path)
    if around is None:
        raise UserError(
            _("{path} is neither a project nor a trajectory of one", path=path),
            "",
            _("Name the folder of a project, or of a trajectory in it"),
        )
    project = ProjectRules.open(around)
    return project, [path] if is_trajectory(path) else list(project.project.trajectory_folders())


def _votes(path: Path) -> tuple[list[VotedSubject], list[str]]:
    _project, folders = _of(path)
    subjects: list[VotedSubject] = []
    for folder in folders:
        given = read_judgements(folder).newest().values()
        subjects += voted_subjects(folder.name, folder.parent.name, given)
    return subjects, sorted({name for subject in subjects for name in subject.votes})


def _said_by(name: str, folders: Iterable[Path]) -> list[JudgedResult]:
    results = []
    for folder in folders:
        given = [item for (who, _subject), item in read_judgements(folder).newest().items() if who == name]
        if given:
            results.append(JudgedResult(folder, folder.name, folder.parent.name, tuple(given)))
    return results


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
    at = f" @{item.subject.first}" if item.subject.first is not None else ""
    return f"{item.verdict:<12}{item.subject.state or item.subject.kind}{at}  {item.reason}"


def _number(value: float | None, places: int) -> str:
    return "-" if value is None else f"{value:.{places}f}"
