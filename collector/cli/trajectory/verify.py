"""``waymark trajectory verify``: check one trajectory."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.finding_output import project_finding_as_dict
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import in_project
from collector.cli.step_numbers import FROM_0, at_step
from collector.cli.trajectory.reference import find
from collector.cli.verb_groups import trajectory
from collector.model.i18n import _, ngettext
from collector.store.checks import check as checking


@trajectory.command()
@click.argument("reference")
@in_project
@json_option
def verify(reference: str, folder: Path, as_json: bool) -> int:
    """Verify the digests and references of one trajectory."""
    place = find(reference, folder)
    problems = checking.check_trajectory(place)
    if as_json:
        print_json({**FROM_0, "folder": str(place), "problems": list(map(project_finding_as_dict, problems))})
        return 1 if problems else 0
    for problem in problems:
        say(f"{problem.severity}:{at_step(problem.steps)} {problem.what} [{problem.code}]")
    say(
        ngettext("{count} problem", "{count} problems", len(problems))
        if problems
        else _("Everything is in order")
    )
    return 1 if problems else 0
