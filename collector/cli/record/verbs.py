"""``waymark record``: record golden trajectories from the phone's own touches, without a window."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option
from collector.cli.shared_options import as_person, device_option, in_project


@click.command()
@click.argument("tasks", metavar="TASK...", nargs=-1, required=True)
@as_person
@in_project
@device_option
@click.option(
    "--until-finish", "by_itself", is_flag=True,
    help="Finish each recording by itself once the rules of its task say that it is done.",
)  # fmt: skip
@click.option(
    "--video", "has_video", is_flag=True,
    help="Record a video beside the steps: the phone's own, with a chapter for each step.",
)  # fmt: skip
@json_option
def record(
    tasks: tuple[str, ...], who: str, folder: Path, serial: str, by_itself: bool, has_video: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Record golden trajectories of tasks, one after the other, without a window.

    What is done on the phone itself becomes steps. Type a letter and Enter: Enter alone finishes, n goes to
    the next task, u undoes, p pauses, q or Ctrl+C keeps the recording unfinished. For several phones start
    it once for each.
    """
    from collector.cli.record.recording import record_tasks

    record_tasks(tasks, who, folder, serial, by_itself=by_itself, has_video=has_video, as_json=as_json)
