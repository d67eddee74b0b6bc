"""``waymark metrics``: the numbers of a project, as a table, a document, or the tables of a paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
from click.core import ParameterSource

from collector.cli.metrics.output import FORMATS, MetricsOutput, form_of
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import indexing_progress
from collector.cli.shared_options import force_option, project_argument, where_option
from collector.cli.verb_groups import metrics
from collector.model.episode_text import condition_name
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.store.project.project import Project

if TYPE_CHECKING:
    from collector.metrics.breakdowns.dimensions import Dimension
    from collector.metrics.comparison import PairedComparison
    from collector.metrics.episode_columns import EpisodeColumns
    from collector.metrics.measure import Measure
    from collector.metrics.rendering.junit_xml import JUnitSuite
    from collector.metrics.report import ReportTable
    from collector.store.catalogue.catalogue import Catalogue

_T = TypeVar("_T")
BY = "agent,condition"
MEASURES_SHOWN = "sr,difference,rsr,esar,steps-ratio,loops,invalid"
VIEWS_SHOWN = ("dgara", "probench", "a3", "openapps", "judges")


@metrics.command()
@project_argument
@click.option("--by", default=BY, show_default=True, metavar="DIMENSIONS", help="Rows, with commas between.")
@click.option(
    "--measures",
    "chosen",
    default=None,
    show_default=f"{MEASURES_SHOWN}, of runs offline their own",
    metavar="MEASURES",
    help="Columns, with commas between; `all` for all.",
)
@where_option
@click.option(
    "--experiment",
    "experiments",
    multiple=True,
    metavar="NAME",
    help="Count the episodes of this experiment alone; repeatable.",
)
@click.option(
    "--no-stale",
    is_flag=True,
    help="Leave out stale results: the agent, the task or the rules changed since.",
)
@click.option("--judge", default="", help="Whose verdicts count; the recorded outcomes by default.")
@click.option(
    "--compare", nargs=2, metavar="A B", help="Compare two queries pair by pair, by the rows of --by."
)
@click.option(
    "--view",
    "--paper",
    "view",
    type=click.Choice(VIEWS_SHOWN),
    help="The tables of a paper, or those about the judges, instead.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="How to print it; by default as the ending of --output says, else a table.",
)
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="The file to write.")
@force_option
@click.option("--no-intervals", is_flag=True, help="Numbers alone, without intervals and counts.")
@click.option("--standalone", is_flag=True, help="LaTeX as a document of its own, which compiles.")
@json_option
def show(
    folder: Path, by: str, chosen: str | None, query: str, experiments: tuple[str, ...], no_stale: bool,
    judge: str, compare: tuple[str, str] | None, view: str | None, form: str | None, output: Path | None,
    replaces: bool, no_intervals: bool, standalone: bool, as_json: bool,
) -> None:  # fmt: skip
    """Show the numbers of a project's runs, with 95 % intervals.

    `waymark metrics PROJECT` is the same. `waymark metrics list` explains DIMENSIONS and MEASURES. QUERY, A
    and B are queries of `waymark trajectory list`. --compare pairs each episode of B with that of A under
    the same circumstances. Episodes that a fault ended are not counted.
    """
    from collector.run.results.stale_results import note_stale_results
    from collector.store.catalogue.catalogue import Catalogue

    if view and compare:
        raise click.UsageError(_("A view compares nothing: leave out --view or --compare"))
    _refuse_ignored(view, compare)
    written = MetricsOutput(
        "json" if as_json else form or form_of(output), output, replaces, not no_intervals, standalone
    )
    project = Project.open(folder)
    with Catalogue(project) as catalogue:
        catalogue.refresh(indexing_progress())
        note_stale_results(project, catalogue)
        table = _of_experiments(_loaded(project, catalogue, query, judge), experiments, project)
        if no_stale:
            table = table.where(table.selected & ~table.stale)
        if not table.selected.any():
            none = _("No run of the project fits the query") if query else _("The project has no runs yet")
            none = _("All runs are stale, and left out") if no_stale and table.stale.any() else none
            say(none, err=True)
        names = _names_of(catalogue, table)
        if compare:
            comparison = _compared(catalogue, table, compare, _dimensions(by))
            reports, suites = _of_comparison(comparison, names)
        else:
            reports = _reports(project, catalogue, table, view, by, chosen)
            faults = _faults_of(catalogue, names)
            suites = lambda: _suites(reports, table, names, faults)  # noqa: E731 - computed for one format alone
        written.write(reports, suites)


def _refuse_ignored(view: str | None, compare: tuple[str, str] | None) -> None:
    """Raise UsageError for an option that would change nothing: numbers would not be those asked for."""
    given = click.get_current_context().get_parameter_source
    for name, option in (("by", "--by"), ("chosen", "--measures")):
        if given(name) is not ParameterSource.COMMANDLINE:
            continue
        if view:
            problem = _("A view has rows and columns of its own: leave out {option}", option=option)
            raise click.UsageError(problem)
        if compare and name == "chosen":
            raise click.UsageError(_("A comparison is of success alone: leave out {option}", option=option))


def _loaded(project: Project, catalogue: Catalogue, query: str, judge: str) -> EpisodeColumns:
    from collector.metrics.episode_columns import RECORDED
    from collector.metrics.loading import judges_of_project, load_episodes

    known = judges_of_project(project, catalogue)
    if judge and judge not in known:
        raise UserError(
            _("Nobody named {judge!r} judged a run of this project", judge=judge),
            "",
            _("Use one of: {known}", known=", ".join(known)),
        )
    return load_episodes(project, query, judge or RECORDED, catalogue)


def _of_experiments(table: EpisodeColumns, names: Sequence[str], project: Project) -> EpisodeColumns:
    """The table with the episodes of these experiments alone; of all when none is named. Raises UserError."""
    import numpy as np

    if not names:
        return table
    column = table.column("experiment")
    known = {table.texts[code] for code in np.unique(column).tolist()} - {""}
    known |= {path.stem for path in project.paths.experiments()}
    for name in names:
        if name not in known:
            raise UserError(
                _("No run of the project is of the experiment {name}", name=name), "",
                _("Use one of: {known}", known=", ".join(sorted(known))) if known else "",
            )  # fmt: skip
    codes = [table.code(name) for name in names]
    return table.where(table.selected & np.isin(column, codes))


def _reports(
    project: Project, catalogue: Catalogue, table: EpisodeColumns, view: str | None, by: str,
    chosen: str | None,
) -> Sequence[ReportTable]:  # fmt: skip
    if view:
        from collector.metrics.views import tables_of_view

        return tables_of_view(view, project, table, catalogue)
    from collector.metrics.pivot import pivot
    from collector.metrics.report import report_of
    from collector.metrics.usual_measures import usual_measures

    measures = _measures(",".join(usual_measures(table)) if chosen is None else chosen)
    return [report_of(pivot(table, _dimensions(by), measures))]


def _compared(
    catalogue: Catalogue, table: EpisodeColumns, queries: tuple[str, str], by: Sequence[Dimension]
) -> PairedComparison:
    import numpy as np

    from collector.metrics.comparison import compare

    first, second = (np.isin(table.keys, catalogue.keys(query)) for query in queries)
    return compare(table, first, second, names=queries, by=by)


def _of_comparison(
    comparison: PairedComparison, name_of: Callable[[int], str]
) -> tuple[Sequence[ReportTable], Callable[[], list[JUnitSuite]]]:
    from collector.metrics.comparison_report import comparison_report
    from collector.metrics.rendering.junit_xml import suites_of_comparison

    report = comparison_report(comparison)
    return [report], lambda: suites_of_comparison(report, comparison, name_of)


def _suites(
    reports: Sequence[ReportTable], table: EpisodeColumns, name_of: Callable[[int], str],
    fault_of: Callable[[int], str],
) -> list[JUnitSuite]:  # fmt: skip
    from collector.metrics.rendering.junit_xml import suites_of_report

    return [suite for report in reports for suite in suites_of_report(report, table, name_of, fault_of)]


def _names_of(catalogue: Catalogue, table: EpisodeColumns) -> Callable[[int], str]:
    """A function that names an episode by its folder below ``trajectories``."""

    folders = cache(lambda: catalogue.folders_of(table.keys.tolist()))

    def name(episode: int) -> str:
        return folders().get(int(table.keys[episode]), "").partition("/")[2]

    return name


def _faults_of(catalogue: Catalogue, name_of: Callable[[int], str]) -> Callable[[int], str]:
    """A function that says which fault ended an episode, in a sentence; empty for an episode without one."""

    @cache
    def faults() -> dict[str, str]:
        rows = catalogue.find("kind:run infrastructure:yes")
        return {row.folder.partition("/")[2]: row.infrastructure for row in rows}

    return lambda episode: faults().get(name_of(episode), "")


def _dimensions(text: str) -> list[Dimension]:
    from collector.metrics.breakdowns.dimensions import DIMENSIONS

    return _chosen(text, DIMENSIONS.get, DIMENSIONS, "--by")


def _measures(text: str) -> list[Measure]:
    from collector.metrics.measures.registry import MEASURES, measure_of

    if text.strip() == "all":
        return list(MEASURES.values())
    chosen = _chosen(text, measure_of, (*MEASURES, "pass@K", "pass^K"), "--measures")
    if not chosen:
        raise click.UsageError(_("--measures names no measure. `waymark metrics list` has them all"))
    return chosen


def _chosen(text: str, find: Callable[[str], _T | None], known: Iterable[str], option: str) -> list[_T]:
    """What the names in ``text`` mean. Raises UsageError, with the ``known`` ones, for any other name."""
    names = dict.fromkeys(name.strip() for name in text.split(",") if name.strip())
    chosen = {name: find(name) for name in names}
    for name, meant in chosen.items():
        if meant is None:
            raise click.UsageError(
                _("{option} has no {name!r}. Use some of: {known}", option=option, name=name,
                  known=", ".join(known))
            )  # fmt: skip
    return [meant for meant in chosen.values() if meant is not None]


@metrics.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List the dimensions and measures, and say how each measure is counted."""
    from collector.metrics.breakdowns.dimensions import DIMENSIONS
    from collector.metrics.measures.registry import MEASURES
    from collector.metrics.measures.repetition import MOST_TRIES

    if as_json:
        print_json(
            {
                "dimensions": [{"id": each.id, "title": _(each.title)} for each in DIMENSIONS.values()],
                "measures": [
                    {
                        "id": each.id, "title": _(each.title), "unit": each.unit.value, "how": _(each.how),
                        "source": each.source,
                    }
                    for each in MEASURES.values()
                ],
            }
        )  # fmt: skip
        return
    print_table(["DIMENSION", "TITLE"], [[each.id, _(each.title)] for each in DIMENSIONS.values()])
    say("")
    for each in MEASURES.values():
        source = f" ({each.source})" if each.source else ""
        say(f"{each.id}: {_(each.title)}{source}")
        say(f"  {_(each.how)}")
    say("")
    say(_("pass@K and pass^K take any number of tries from 1 to {most}.", most=MOST_TRIES))


@metrics.command()
@project_argument
@json_option
def check(folder: Path, as_json: bool) -> None:
    """Compute SR, RSR, ESAR, uncompleted and early stop again from the files alone, and compare.

    Neither the search catalogue nor the code of the tables is used. Exit status: 0 both ways agree, 1 they
    do not, or a trajectory cannot be read.
    """
    from collector.metrics.check import CheckedNumber, check_metrics
    from collector.store.catalogue.catalogue import Catalogue

    project = Project.open(folder)
    with Catalogue(project) as catalogue:
        catalogue.refresh(indexing_progress())
        result = check_metrics(project, catalogue)

    def line(number: CheckedNumber) -> list[object]:
        hits, count = number.from_files
        other = "{}/{}".format(*number.from_catalogue)
        same = _("yes") if number.agrees else _("no")
        return [
            number.agent,
            condition_name(number.condition),
            number.measure,
            f"{hits}/{count}",
            other,
            same,
        ]

    if as_json:
        print_json(
            {
                "episodes": result.episodes,
                "faults": result.faults,
                "agrees": not result.differences,
                "numbers": [
                    {
                        "agent": each.agent, "condition": each.condition, "measure": each.measure,
                        "from_files": list(each.from_files), "from_catalogue": list(each.from_catalogue),
                        "agrees": each.agrees,
                    }
                    for each in result.numbers
                ],
                "damaged": list(result.damaged),
            }
        )  # fmt: skip
    else:
        shown = [number for number in result.numbers if number.from_files[1] or number.from_catalogue[1]]
        print_table(["AGENT", "CONDITION", "MEASURE", "FILES", "CATALOGUE", "SAME"], list(map(line, shown)))
        for sentence in result.damaged:
            say(sentence)
        say(_summary(len(shown), len(result.differences), result.episodes))
    if result.differences or result.damaged:
        raise click.exceptions.Exit(1)


def _summary(numbers: int, differences: int, episodes: int) -> str:
    of_episodes = ngettext("{count} episode", "{count} episodes", episodes)
    if differences:
        return ngettext(
            "{count} number of {episodes} differs", "{count} numbers of {episodes} differ", differences,
            episodes=of_episodes,
        )  # fmt: skip
    return ngettext(
        "{count} number of {episodes} agrees", "All {count} numbers of {episodes} agree", numbers,
        episodes=of_episodes,
    )  # fmt: skip
