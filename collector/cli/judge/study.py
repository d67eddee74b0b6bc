"""``waymark judge study windows|quality|bias``: the papers' tables about judges, from labels and verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from collector.cli.metrics.output import MetricsOutput, form_of
from collector.cli.option_values import plugin_options, read_option_values
from collector.cli.output import json_option
from collector.cli.progress import indexing_progress, judging_progress
from collector.cli.shared_options import as_person, force_option, project_argument, where_option
from collector.cli.verb_groups import judge
from collector.endpoint.chat_endpoint import EndpointUnavailable
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.verdicts.voted_subject import PEOPLE
from collector.model_judges.asking import LimitReached, Spending
from collector.model_judges.judging_run import JudgingControl
from collector.model_judges.methods.windows_judge import KIND
from collector.project_rules.project_rules import ProjectRules
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project

if TYPE_CHECKING:
    from collector.metrics.judge_studies.quality import StudiedVotes
    from collector.metrics.judge_studies.windows import WindowResult, WindowStudy
    from collector.metrics.report import ReportTable

_FORMATS = ("table", "json", "csv", "md", "latex")


def _numbers(text: str) -> tuple[int, ...]:
    from collector.metrics.judge_studies.windows import screen_counts

    try:
        return screen_counts(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how tables are written."""
    for option in (
        json_option,
        click.option("--standalone", is_flag=True, help="LaTeX as a document of its own, which compiles."),
        click.option("--no-intervals", is_flag=True, help="Numbers alone, without intervals and counts."),
        force_option,
        click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="The file to write."),
        click.option(
            "--format",
            "form",
            type=click.Choice(_FORMATS),
            help="How to print it; by default as the ending of --output says, else a table.",
        ),
        as_person,
        where_option,
    ):
        command = option(command)
    return command


_against = click.option(
    "--against",
    default=PEOPLE,
    show_default=True,
    metavar="WHO",
    help="The judge that counts as right; `people` for what most people say, or what was adjudicated.",
)


def _output(written: dict[str, Any]) -> MetricsOutput:
    path = written["output"]
    form = "json" if written["as_json"] else written["form"] or form_of(path)
    if form not in _FORMATS:
        raise click.UsageError(_("Use one of: {known}", known=", ".join(_FORMATS)))
    return MetricsOutput(form, path, written["replaces"], not written["no_intervals"], written["standalone"])


def _votes(project: Project, catalogue: Catalogue, query: str, against: str) -> StudiedVotes:
    """The votes on the trajectories that fit a query.

    Raises UserError when none fits, and when the reference judged none of them.
    """
    from collector.metrics.judge_studies.studies import require_reference, studied_votes

    catalogue.refresh(indexing_progress())
    folders = {project.folder / row.folder for row in catalogue.find(query)} if query else None
    if folders is not None and not folders:
        raise UserError(_("No trajectory fits {query}", query=query))
    votes = studied_votes(project, against, folders)
    require_reference(votes)
    return votes


def _write(
    output: MetricsOutput, tables: Sequence[ReportTable], project: Project, votes: StudiedVotes, who: str
) -> None:
    """Write tables; those for scripts with the window in which judges part, where ``who`` may know it."""
    from collector.metrics.judge_studies.partings import subject_folders, with_windows, without_subjects
    from collector.review.hidden_trajectories import hidden_trajectories, unseen_trajectories

    if output.form == "json":
        folders = subject_folders(tables)
        hidden = hidden_trajectories(project, folders, who) | unseen_trajectories(project, folders, who)
        tables = with_windows(without_subjects(tables, hidden), votes.subjects)
    output.write(tables, list)


@judge.group()
def study() -> None:
    """The papers' tables about judges, from the labels and verdicts of a project."""


@study.command()
@project_argument
@_against
@_output_options
def quality(folder: Path, against: str, query: str, who: str, **written: Any) -> None:
    """Precision, recall, F1 and accuracy of every judge, with intervals, and tests between judges.

    As A3's Tables 2 and 7 and ProBench's Table 2. The JSON document has the trajectories behind each row.
    """
    from collector.metrics.judge_studies.quality import quality_tables

    output, project = _output(written), Project.open(folder)
    with Catalogue(project) as catalogue:
        votes = _votes(project, catalogue, query, against)
    tables = quality_tables(votes)
    if not tables:
        raise UserError(
            _("No judge judged what {who} judged", who=against), "", _("Judge with `waymark judge run`")
        )
    _write(output, tables, project, votes, who)


@study.command()
@project_argument
@_against
@_output_options
def bias(folder: Path, against: str, query: str, who: str, **written: Any) -> None:
    """SR and ESAR of every agent under every judge, the optimism of judges, and rank agreement.

    As A3's Tables 3 and 6. Optimism is the SR by a judge less the SR by people, of the runs that both judged.
    """
    from collector.metrics.judge_studies.studies import bias_study

    output, project = _output(written), Project.open(folder)
    with Catalogue(project) as catalogue:
        votes = _votes(project, catalogue, query, against)
        tables = bias_study(project, catalogue, votes, catalogue.keys(query))
    if not tables:
        raise UserError(_("No two judges judged runs here"), "", _("Judge with `waymark judge run`"))
    _write(output, tables, project, votes, who)


@study.command()
@project_argument
@click.option(
    "--judge", "judges", multiple=True, required=True, metavar="JUDGE",
    help="A judge whose method is `windows`; repeatable.",
)  # fmt: skip
@click.option("--windows", "windows", default="", metavar="SCREENS",
              help="Windows, with commas between; by default A3's pairs.")  # fmt: skip
@click.option("--intervals", "intervals", default="", metavar="SCREENS",
              help="Intervals, with commas between; by default A3's pairs.")  # fmt: skip
@plugin_options
@click.option("--cost", "only_cost", is_flag=True, help="Say what it takes at most. Nothing is sent.")
@click.option("--limit-usd", type=click.FloatRange(min=0), help="Stop before more than this is spent.")
@_output_options
def windows(
    folder: Path, judges: tuple[str, ...], windows: str, intervals: str, given: tuple[str, ...],
    only_cost: bool, limit_usd: float | None, query: str, who: str, **written: Any,
) -> int:  # fmt: skip
    """Accuracy, calls and USD by window and interval, of the trajectories that people labelled.

    As A3's Table 5. The best setting is marked, and the cheapest within one point of it. Screens are sent
    to the judge's endpoint. Answers are kept, verdicts are not.
    """
    from collector.metrics.judge_studies.windows import WindowStudy, labelled, window_settings
    from collector.review.hidden_trajectories import unseen_trajectories

    output, project = _output(written), ProjectRules.open(folder)
    settings = window_settings(judges, _numbers(windows), _numbers(intervals))
    with Catalogue(project.project) as catalogue:
        truth = labelled(_votes(project.project, catalogue, query, PEOPLE).subjects)
    unseen = unseen_trajectories(
        project.project, {item.folder for item in truth if item.folder is not None}, who
    )
    truth = [item for item in truth if item.folder not in unseen]
    found = WindowStudy(project, settings, truth, read_option_values(KIND.options, given))
    return _price(found, output) if only_cost else _try_windows(found, output, limit_usd, who)


def _price(study: WindowStudy, output: MetricsOutput) -> int:
    from collector.metrics.judge_studies.windows import price_table

    prices = study.prices(judging_progress())
    output.write([price_table(prices)], list)
    return int(any(cost.problems for _setting, cost in prices))


def _try_windows(study: WindowStudy, output: MetricsOutput, limit_usd: float | None, who: str) -> int:
    from collector.metrics.judge_studies.partings import without_subjects
    from collector.metrics.judge_studies.windows import window_table
    from collector.review.hidden_trajectories import hidden_trajectories

    results: list[WindowResult] = []
    stopped: UserError | None = None
    try:
        results.extend(study.results(JudgingControl(Spending(limit_usd)), judging_progress()))
    except (LimitReached, EndpointUnavailable) as error:
        stopped = error
    if results:
        hidden = hidden_trajectories(study.project.project, study.folders, who)
        output.write(without_subjects([window_table(results)], hidden), list)
    if stopped is not None:
        raise stopped
    return int(any(result.problems for result in results))
