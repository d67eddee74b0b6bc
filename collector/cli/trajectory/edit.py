"""``waymark trajectory``: split, join, trim, drop, insert, replace-state."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from collector.cli.output import json_option
from collector.cli.shared_options import as_person, device_option, in_project
from collector.cli.step_numbers import StepNumber
from collector.cli.trajectory.edit_output import bytes_of, make_or_show
from collector.cli.trajectory.reference import find_in_project
from collector.cli.verb_groups import trajectory

if TYPE_CHECKING:
    from collector.recorder.screen_moment import ScreenMoment

_DRY_RUN = click.option(
    "--dry-run", "only_shown", is_flag=True, help="Only print the steps before and after; change nothing."
)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


def _edit_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every edit."""
    return as_person(in_project(_DRY_RUN(json_option(verb))))


@trajectory.command()
@click.argument("reference")
@click.argument("step", type=StepNumber())
@click.option("--task", "task_id", default="", help="Task of the second part; that of the first by default.")
@_edit_options
def split(
    reference: str, step: int, task_id: str, who: str, folder: Path, only_shown: bool, as_json: bool
) -> None:
    """Split a golden trajectory: STEP is the first step of the second part.

    Labels, comments and bookmarks go with their steps; reviews and verdicts stay with the whole in the
    trash, from where `undo` brings it back.
    """
    from collector.recording.edits.split_and_join import SplitTrajectory

    project, place = find_in_project(reference, folder)
    edit = SplitTrajectory(project, place, who, step, task_id)
    make_or_show(project, edit, only_shown=only_shown, as_json=as_json)


@trajectory.command()
@click.argument("reference")
@click.argument("other")
@_edit_options
def join(reference: str, other: str, who: str, folder: Path, only_shown: bool, as_json: bool) -> None:
    """Join two golden trajectories: the steps of OTHER follow those of REFERENCE, and it is of that task.

    Both go to the trash, from where `undo` brings them back.
    """
    from collector.recording.edits.split_and_join import JoinTrajectories

    project, place = find_in_project(reference, folder)
    edit = JoinTrajectories(project, place, who, find_in_project(other, folder)[1])
    make_or_show(project, edit, only_shown=only_shown, as_json=as_json)


@trajectory.command()
@click.argument("reference")
@click.argument("first", type=StepNumber())
@click.argument("last", type=StepNumber())
@_edit_options
def trim(
    reference: str, first: int, last: int, who: str, folder: Path, only_shown: bool, as_json: bool
) -> None:
    """Keep the steps from FIRST to LAST of a golden trajectory, as `show` numbers them."""
    from collector.recording.edits.step_edits import TrimSteps

    project, place = find_in_project(reference, folder)
    edit = TrimSteps(project, place, who, first, last + 1)
    make_or_show(project, edit, only_shown=only_shown, as_json=as_json)


@trajectory.command()
@click.argument("reference")
@click.argument("steps", metavar="STEP...", type=StepNumber(), nargs=-1, required=True)
@_edit_options
def drop(
    reference: str, steps: tuple[int, ...], who: str, folder: Path, only_shown: bool, as_json: bool
) -> None:
    """Delete steps of a golden trajectory, as `show` numbers them; `undo` brings them back."""
    from collector.recording.edits.step_edits import DropSteps

    project, place = find_in_project(reference, folder)
    make_or_show(project, DropSteps(project, place, who, steps), only_shown=only_shown, as_json=as_json)


@trajectory.command()
@click.argument("reference")
@click.argument("step", type=StepNumber())
@click.argument("other")
@click.argument("first", type=StepNumber(), default=1)
@click.argument("last", type=StepNumber(), required=False)
@_edit_options
def insert(
    reference: str, step: int, other: str, first: int, last: int | None, who: str, folder: Path,
    only_shown: bool, as_json: bool,
) -> None:  # fmt: skip
    """Insert steps of OTHER, all or from FIRST to LAST, before STEP of a golden trajectory.

    A final state is left out: nothing is done on it. It says when the screens differ where the steps meet.
    """
    from collector.recording.edits.step_edits import InsertSteps

    project, place = find_in_project(reference, folder)
    source = find_in_project(other, folder)[1]
    stop = last + 1 if last is not None else None
    edit = InsertSteps(project, place, who, step, source, first, stop)
    make_or_show(project, edit, only_shown=only_shown, as_json=as_json)


@trajectory.command("replace-state")
@click.argument("reference")
@click.argument("step", type=StepNumber())
@click.option("--screenshot", type=_FILE, metavar="FILE", help="Picture that the step shows.")
@click.option("--tree", type=_FILE, metavar="FILE", help="UI tree of the step, as a phone dumps it.")
@_edit_options
@device_option
def replace_state(
    reference: str, step: int, screenshot: Path | None, tree: Path | None, who: str, folder: Path,
    only_shown: bool, as_json: bool, serial: str,
) -> None:  # fmt: skip
    """Replace the screen of one step of a golden trajectory by files, without any by that of the phone.

    The action stays; its target and the caption are made anew from the new tree. Passwords are hidden as
    while recording.
    """
    from collector.recorder.file_moment import moment_of_files
    from collector.recording.edits.step_edits import ReplaceState, step_to_replace

    project, place = find_in_project(reference, folder)
    stored, old = step_to_replace(project, place, who, step)
    if screenshot is None and tree is None:
        moment = _screen_of_phone(serial)
    else:
        moment = moment_of_files(stored, old, bytes_of(screenshot), bytes_of(tree))
    edit = ReplaceState(project, place, who, step, moment)
    make_or_show(project, edit, only_shown=only_shown, as_json=as_json)


def _screen_of_phone(serial: str) -> ScreenMoment:
    """The screen of the phone, once it is at rest."""
    from collector.cli.device.phone import leased_phone
    from collector.recorder.observer import Observer
    from collector.replay.phone import opened_phone

    with leased_phone(serial, "") as device, opened_phone(device) as phone:
        return Observer(phone.device, phone.trees, threading.Event(), phone.pictures).look()
