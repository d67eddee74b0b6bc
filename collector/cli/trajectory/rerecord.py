"""``waymark trajectory rerecord``: record a golden trajectory on from a step, or steps before it."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option
from collector.cli.shared_options import as_person, device_option, in_project
from collector.cli.step_numbers import StepNumber
from collector.cli.trajectory.reference import find_in_project
from collector.cli.verb_groups import trajectory


@trajectory.command()
@click.argument("reference")
@click.argument("step", type=StepNumber())
@click.option("--insert", "inserts", is_flag=True, help="Record steps before STEP; STEP and the rest stay.")
@as_person
@in_project
@device_option
@json_option
def rerecord(
    reference: str, step: int, inserts: bool, who: str, folder: Path, serial: str, as_json: bool
) -> None:
    """Record a golden trajectory again from STEP on, on the phone, which is brought to where it begins.

    Then STEP and all after it are deleted, and what is done on the phone takes their place; `undo` brings
    them back.
    """
    from collector.cli.record.recording import record_again

    project, place = find_in_project(reference, folder)
    record_again(project, place, who, serial, step, inserts=inserts, as_json=as_json)
