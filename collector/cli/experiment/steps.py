"""``waymark experiment steps``: how many golden steps agents answered right offline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.shared_options import in_project
from collector.cli.verb_groups import experiment
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.store.project.project import Project

if TYPE_CHECKING:
    from collector.metrics.step_accuracy import StepAccuracy, StepCounts  # loads numpy

_BY = "agent"


@experiment.command()
@click.argument("name", metavar="EXPERIMENT")
@click.option(
    "--by", default=_BY, show_default=True, metavar="DIMENSIONS",
    help="Rows, with commas between.",
)  # fmt: skip
@in_project
@json_option
def steps(name: str, by: str, folder: Path, as_json: bool) -> None:
    """Count the golden steps that the agents of EXPERIMENT answered right offline.

    Step accuracy counts what is right, exact match what the golden step did, type match its type of action,
    grounding accuracy the touches on the right element.

    Dimensions: agent, model, modality, action, app, length, step, task, golden, why.
    """
    from collector.metrics.step_accuracy import as_values, step_accuracy

    quoted = name.replace('"', "")
    dimensions = [word.strip() for word in by.split(",") if word.strip()]
    counted = step_accuracy(Project.open(folder), dimensions, f'experiment:"={quoted}"')
    if not counted.episodes:
        raise UserError(
            _("No golden step was answered in {name}", name=name),
            _("an experiment has `offline` where its agents are asked golden steps"),
            _("Run it with `waymark run {name}`", name=name),
        )  # fmt: skip
    if as_json:
        print_json({"experiment": name, **as_values(counted)})
        return
    print_step_accuracy(counted)


def print_step_accuracy(counted: StepAccuracy) -> None:
    """Print the table, and what cannot be counted."""
    from collector.metrics.step_accuracy import STEP_DIMENSIONS

    titles = [_(STEP_DIMENSIONS[name].title).upper() for name in counted.by]
    header = [*titles, "STEPS", "STEP ACCURACY", "95 %", "EXACT MATCH", "TYPE MATCH", "GROUNDING"]
    print_table(header, [_row(group) for group in counted.groups])
    hidden = sum(group.hidden for group in counted.groups)
    if hidden:
        say(
            ngettext(
                "{count} answer is not counted: the text that was typed there is hidden",
                "{count} answers are not counted: the texts that were typed there are hidden",
                hidden,
            )
        )
    for problem in counted.problems:
        say(problem, err=True)


def _row(group: StepCounts) -> list[object]:
    low, high = group.interval or (None, None)
    interval = f"{low:.0%} - {high:.0%}" if low is not None and high is not None else ""
    return [
        *group.key, group.steps, _percent(group.step_accuracy), interval, _percent(group.exact_match),
        _percent(group.type_match), _percent(group.grounding),
    ]  # fmt: skip


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"
