"""``waymark run``: run an experiment, or go on with it where it was."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option
from collector.cli.run.executor_names import EXECUTORS
from collector.cli.shared_options import devices_option, in_project, trust_option, workers_option
from collector.model.episode import AGAIN, AGAIN_ALL
from collector.model.i18n import _


@click.command()
@click.argument("reference", metavar="EXPERIMENT")
@in_project
@click.option("--dry-run", is_flag=True, help="Say what would be run, and end.")
@click.option("--resume", is_flag=True, help="Keep finished episodes and run the others: the default.")
@click.option(
    "--again",
    type=click.Choice(AGAIN),
    is_flag=False,
    flag_value=AGAIN_ALL,
    default=None,
    help="Run finished episodes again, and put the old ones into the trash: those that are stale, those "
    "that failed or were not completed, or all.",
)
@devices_option
@workers_option
@click.option(
    "--executor",
    "kind",
    type=click.Choice(EXECUTORS),
    default=None,
    help="Run episodes in this process, in a process for each phone (the default for several), or on the "
    "machines of a Ray cluster.",
)
@click.option(
    "--ray-address",
    default="",
    metavar="HOST:PORT",
    help="The head of the Ray cluster; the one that runs here by default, `local` to start one here.",
)
@click.option(
    "--hold",
    type=click.FloatRange(0, 60),
    default=0,
    metavar="SECONDS",
    help="Seconds to wait before each action, so that people who watch see where it will be.",
)
@click.option(
    "--fail-fast/--no-fail-fast",
    "fail_fast",
    default=None,
    help="End the run when an agent meets the same fault three times in a row: by default before its first "
    "result, with --fail-fast at any time. Before the first episode every agent is started once. "
    "--no-fail-fast does neither.",
)
@trust_option("Trust the programs of its agents without a question.")
@json_option
def run(
    reference: str, folder: Path, dry_run: bool, resume: bool, again: str | None, devices: str,
    workers: int | None, kind: str | None, ray_address: str, hold: float, fail_fast: bool | None,
    trust: bool, as_json: bool,
) -> int:  # fmt: skip
    """Run EXPERIMENT, a YAML file or the name of one of the project's, or go on with it where it was.

    Finished episodes are not run again. One that a fault ended is tried again, and counts for no agent. A
    finished episode is stale when what made it is other now; that is said, with the reason. Ctrl+C ends the
    run cleanly, a second one at once. `waymark experiment attach` shows a run.

    With --json each event is a document on a line: first the plan, at the end the summary. Exit status: 0
    every episode has an outcome, 1 some have none, 2 wrong usage, 130 stopped.
    """
    if resume and again:
        raise click.UsageError(_("--resume keeps finished episodes, and --again does not: choose one"))
    # Only here: `waymark --help` imports this module, and agents, phones and judges take their time.
    from collector.cli.run.experiment import RunRequest, run_experiment

    hold_ms = round(1000 * hold)
    phones = (devices, workers or 0, kind or "", ray_address)
    request = RunRequest(
        reference, folder, phones, hold_ms, again or "", fail_fast, dry_run=dry_run, trust=trust,
        as_json=as_json,
    )  # fmt: skip
    return run_experiment(request)
