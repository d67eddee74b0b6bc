"""``waymark trajectory list``: list and search trajectories."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import indexing_progress
from collector.cli.shared_options import as_person, in_project, where_option
from collector.cli.verb_groups import trajectory
from collector.model.i18n import _
from collector.review.visibility import hide_from_searches
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.catalogue.catalogue_text import agent_of, condition_or_baseline, is_run, outcome_text
from collector.store.catalogue.query import asks_for_staleness
from collector.store.files.layout import is_project
from collector.store.project.project import Project

_LONGEST_ID = 130
"""An id is copied from here: it is never cut."""


@trajectory.command("list")
@click.argument("subject", metavar="[PROJECT]", default="")
@where_option
@as_person
@in_project
@click.option(
    "--limit", type=click.IntRange(1), default=100, show_default=True, help="Trajectories to list at most."
)
@json_option
def list_(subject: str, query: str, who: str, folder: Path, limit: int, as_json: bool) -> None:
    """List trajectories, newest first.

    What others say of a trajectory of which your review is not submitted is neither searched nor shown.

    QUERY is words and key:value, as in `app:Shop status:recovered poster` or
    `agent:x outcome:failure anomaly:low_battery seed:<5`. Columns that are empty for all are left out.

    Keys: id, app, task, level, category, type, app-category, status, kind, who, started, review, experiment,
    cell, agent, model, prompt, condition, modality, variation, language, goal-style, start, offline, outcome,
    reason, claimed, anomaly, verdict, judge, reached, missed, labelled, reviewer, tag; the numbers golden,
    states, steps, actions, buttons, seed, repeat, attempt, tokens, cost, time, met, helped, loop, malformed,
    hallucinated, covered; problem, early, infrastructure, human, disagreement, unsettled, automatic and
    stale, which are yes or no; orders-seen and misled, which are yes, no or a number; text.
    """
    if subject and is_project(Path(subject)):
        folder = Path(subject)
    elif subject and query:
        raise click.UsageError(_("There is no project in {path}", path=subject))
    query = query or ("" if folder == Path(subject) else subject)  # a query without --where, as it was before
    opened = Project.open(folder)
    with Catalogue(opened) as catalogue:
        catalogue.refresh(indexing_progress())
        # What it needs takes long to load: for a project with runs alone.
        if asks_for_staleness(query) or (as_json and catalogue.staleness().cells()):
            from collector.run.results.stale_results import note_stale_results

            note_stale_results(opened, catalogue)
        hide_from_searches(catalogue, opened, who)
        rows = catalogue.find(query, limit=limit)
    if as_json:
        print_json({"project": opened.name, "trajectories": [row.as_dict() for row in rows]})
    elif rows:
        _print_rows(rows)
    else:
        say(_("No trajectory fits"))


_COLUMNS: Mapping[str, Callable[[CatalogueRow], object]] = {
    "TRAJECTORY": lambda row: row.id,
    "TASK": lambda row: row.task,
    "KIND": lambda row: row.kind,
    "WHO": lambda row: row.who,
    "AGENT": agent_of,
    "CONDITION": condition_or_baseline,
    "OUTCOME": outcome_text,
    "STATUS": lambda row: row.status,
    "STEPS": lambda row: row.steps,
    "STARTED": lambda row: row.started[:19],
    "PROBLEMS": lambda row: row.problems or "",
    "EXPERIMENT": lambda row: row.experiment,
    "CELL": lambda row: row.cell,
    "PROMPT": lambda row: row.prompt,
    "MODALITY": lambda row: row.modality,
    "BUTTONS": lambda row: _number(row.buttons),
    "VARIATION": lambda row: row.variation,
    "LANGUAGE": lambda row: row.language,
    "GOAL STYLE": lambda row: row.goal_style,
    "START": lambda row: row.start,
    "OFFLINE": lambda row: row.offline,
    "SEED": lambda row: _number(row.seed),
    "REPEAT": lambda row: _number(row.repeat),
    "ATTEMPT": lambda row: _number(row.attempt),
    "CLAIMED": lambda row: row.claimed,
    "REASON": lambda row: row.reason,
    "TOKENS": lambda row: _number(row.tokens),
    "COST": lambda row: "" if row.cost is None else f"{row.cost:g} {row.currency}".rstrip(),
    "SECONDS": lambda row: "" if row.time_ms is None else f"{row.time_ms / 1000:.1f}",
    "INFRASTRUCTURE": lambda row: row.infrastructure,
    "VERDICTS": lambda row: ", ".join(f"{verdict}={judge}" for verdict, judge in row.verdicts),
}
_ALWAYS = ("TRAJECTORY", "TASK", "KIND", "WHO", "STATUS", "STEPS", "STARTED", "PROBLEMS")
"""These columns are printed even when they are empty; agent, condition and outcome where there are runs."""
_OF_RUNS = ("AGENT", "CONDITION", "OUTCOME")


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _print_rows(rows: Sequence[CatalogueRow]) -> None:
    always = (*_ALWAYS, *_OF_RUNS) if any(map(is_run, rows)) else _ALWAYS
    columns = {title: [text(row) for row in rows] for title, text in _COLUMNS.items()}
    shown = {title: cells for title, cells in columns.items() if title in always or any(cells)}
    print_table(tuple(shown), list(zip(*shown.values(), strict=True)), first=_LONGEST_ID)
