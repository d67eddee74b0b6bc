"""``waymark review steps``: what people and judges say of the steps of a project's trajectories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import indexing_progress
from collector.cli.review.options import reviewing_in
from collector.cli.shared_options import as_person, project_argument, where_option
from collector.cli.step_numbers import FROM_0
from collector.cli.verb_groups import review
from collector.model.episode_text import verdict_text
from collector.model.i18n import _, ngettext
from collector.model.verdicts.judgement import STEP, VERDICTS
from collector.review.judged_steps import JudgedStep, judged_steps
from collector.review.visibility import hide_from_searches
from collector.states.work_files.blindness import visible_folders
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project
from collector.store.trajectory.judgement_codec import judgement_to_line

_LONGEST = 100


@review.command()
@project_argument
@where_option
@click.option("--verdict", type=click.Choice(VERDICTS[STEP]), help="Only the steps with this verdict.")
@click.option("--judge", default="", metavar="NAME", help="Only what this person or judge says.")
@click.option(
    "--first-errors", is_flag=True, help="Of each trajectory and judge only the first step that is wrong."
)
@as_person
@json_option
def steps(
    folder: Path, query: str, verdict: str | None, judge: str, first_errors: bool, who: str, as_json: bool
) -> None:
    """List what was said of the steps of trajectories: right, wrong element, wrong action, and so on.

    What others say of a trajectory of which you have not submitted your review is not shown.
    """
    project = Project.open(folder)
    found = [
        item
        for item in judged_steps(reviewing_in(folder, who), _chosen(project, query, who))
        if verdict in (None, item.judgement.verdict)
        and judge in ("", item.judgement.judge)
        and (item.is_first_error or not first_errors)
    ]
    if as_json:
        print_json({**FROM_0, "project": project.name, "steps": list(map(_as_dict, found))})
        return
    if not found:
        say(_("Nobody said anything of a step that fits"))
        return
    header = ("TRAJECTORY", "STEP", "VERDICT", "WHO", "ACTION", "REASON")
    print_table(header, list(map(_cells, found)), last=_LONGEST)
    verdicts = ngettext("{count} verdict", "{count} verdicts", len(found))
    count = len({item.folder for item in found})
    said = ngettext(
        "{verdicts} on steps of {count} trajectory", "{verdicts} on steps of {count} trajectories", count,
        verdicts=verdicts,
    )  # fmt: skip
    say(said)


def _chosen(project: Project, query: str, who: str) -> list[Path]:
    """The folders that fit a query and that the person may see, in the order of the project."""
    visible = visible_folders(project, who)
    if not query:
        return list(visible)
    with Catalogue(project) as catalogue:
        catalogue.refresh(indexing_progress())
        hide_from_searches(catalogue, project, who)
        fitting = {project.folder / row.folder for row in catalogue.find(query)}
    return [folder for folder in visible if folder in fitting]


def _cells(item: JudgedStep) -> tuple[object, ...]:
    said = item.judgement
    verdict = verdict_text(said.verdict)
    if item.is_first_error:
        verdict = _("{verdict} (first error)", verdict=verdict)
    who = _("{who}, adjudicated", who=said.judge) if said.settles else said.judge
    where = f"{item.folder.parent.name}/{item.folder.name}"
    return where, item.index + 1, verdict, who, item.action or "-", said.reason


def _as_dict(item: JudgedStep) -> dict[str, Any]:
    return {
        "trajectory": item.folder.name,
        "task": item.task,
        "folder": str(item.folder),
        "step": item.index,
        "action": item.action,
        "first_error": item.is_first_error,
        "judgement": judgement_to_line(item.judgement),
    }
