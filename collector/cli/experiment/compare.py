"""``waymark experiment compare``: is an experiment, run twice, the same both times?"""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import in_project
from collector.cli.verb_groups import experiment as experiment_group
from collector.model.i18n import _, ngettext
from collector.run.runner.run_comparison import ComparedRuns, compare_runs
from collector.store.project.project import Project


@experiment_group.command()
@click.argument("experiment")
@click.argument("other", type=click.Path(exists=True, file_okay=False, path_type=Path))
@in_project
@json_option
def compare(experiment: str, other: Path, folder: Path, as_json: bool) -> int:
    """Compare the run of EXPERIMENT with that in OTHER, a copy of the project in which it was run again.

    Outcomes, actions, decisions, injections and validations are compared. Exit status 1 when any differs.
    """
    compared = compare_runs(Project.open(folder), Project.open(other), experiment)
    if as_json:
        print_json(_as_dict(compared))
    else:
        _print(compared)
    return 0 if compared.are_same else 1


def _print(compared: ComparedRuns) -> None:
    for mismatch in compared.mismatches:
        say(f"{mismatch.cell}: {mismatch}")
    for cell in compared.only_first:
        say(f"{cell}: " + _("the other run has not finished it"))
    for cell in compared.only_second:
        say(f"{cell}: " + _("only the other run has finished it"))
    same = compared.count - compared.different_cells
    say(
        ngettext(
            "{same} of {count} episode is the same in both runs",
            "{same} of {count} episodes are the same in both runs",
            compared.count,
            same=same,
        )
    )


def _as_dict(compared: ComparedRuns) -> dict[str, object]:
    return {
        "compared": compared.count, "same": compared.are_same,
        "only_first": list(compared.only_first), "only_second": list(compared.only_second),
        "differences": [
            {"cell": item.cell, "what": item.what, "number": item.number, "first": item.first,
             "second": item.second}
            for item in compared.mismatches
        ],
    }  # fmt: skip
