"""``waymark run``: run an experiment, or go on with it where it was."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import click

from collector.agents.registry import agent_kinds
from collector.cli.agent_trust import require_agents_trusted
from collector.cli.output import json_option
from collector.cli.progress import indexing_progress
from collector.cli.run_display import RunDisplay, display_for, print_line
from collector.cli.run_phones import EXECUTORS, executor_of
from collector.cli.run_report import plan_as_dict, print_summary, say_plan, summary_as_dict
from collector.model.i18n import _
from collector.run.experiment.estimate import Estimate, estimate, measured_episodes
from collector.run.experiment.files import find_experiment, open_experiment, project_around_file
from collector.run.experiment.matrix import cells
from collector.run.experiment.model import Cell, Experiment
from collector.run.runner.experiment_runner import ExperimentRunner, RunnerOptions
from collector.run.runner.run_summary import STOPPED
from collector.run.workers.worker import Executor
from collector.store.catalogue import Catalogue
from collector.store.project import Project

STOPPED_STATUS = 130


@click.command()
@click.argument("reference", metavar="EXPERIMENT")
@click.option(
    "--project",
    "folder",
    type=click.Path(path_type=Path),
    default=None,
    help="The project's folder; the one around the file, or the current one, by default.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be run, and end.")
@click.option("--resume", is_flag=True, help="Keep finished episodes and run the others: the default.")
@click.option("--again", is_flag=True, help="Run finished episodes again; the old ones go to the trash.")
@click.option(
    "--devices",
    default="",
    metavar="SERIALS|connected|virtual:N|avd:NAME:N",
    help="Phones to use: serials with commas between them, all connected ones, N virtual ones, or N "
    "emulators with copies of an image. The experiment's by default, else a virtual one.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=None,
    help="Episodes to run at a time; as many as there are phones by default.",
)
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
    "hold_ms",
    type=click.IntRange(0, 60_000),
    default=0,
    metavar="MS",
    help="Wait before each action, so that people who watch see where it will be.",
)
@click.option("--trust", is_flag=True, help="Trust the programs of its agents without a question.")
@json_option
def run(
    reference: str, folder: Path | None, dry_run: bool, resume: bool, again: bool, devices: str,
    workers: int | None, kind: str | None, ray_address: str, hold_ms: int, trust: bool, as_json: bool,
) -> int:  # fmt: skip
    """Run EXPERIMENT, a YAML file or the name of one of the project's, or go on with it where it was.

    Episodes that are finished are not run again, whatever ended the run before. A fault of a phone, of a
    network or of an agent's server ends no episode for good: it is tried again, and counts for no agent.
    Ctrl+C ends the run cleanly, and a second one at once. The window and `waymark experiment attach` show
    the run while it goes on.

    With --json each event is a document on a line of its own: first the plan, at the end the summary.
    Exit status: 0 every episode has an outcome, 1 some have none, 2 wrong usage, 130 stopped.
    """
    if resume and again:
        raise click.UsageError(_("--resume keeps finished episodes, and --again does not: choose one"))
    project, path = _located(reference, folder)
    kinds = agent_kinds().kinds
    experiment = open_experiment(path, project, kinds)
    matrix = tuple(cells(experiment, kinds))
    executor = executor_of(experiment, devices, workers or 0, kind or "", project.folder, ray_address)
    with closing(executor):
        return _run(
            project,
            experiment,
            matrix,
            executor,
            RunnerOptions(hold_ms, again),
            dry_run=dry_run,
            trust=trust,
            as_json=as_json,
        )


def _run(
    project: Project, experiment: Experiment, matrix: Sequence[Cell], executor: Executor,
    options: RunnerOptions, *, dry_run: bool, trust: bool, as_json: bool,
) -> int:  # fmt: skip
    """Say the plan, run it, and say what came of it; the exit status."""
    display = display_for(as_json=as_json)
    runner = _runner(project, experiment, matrix, executor, options, display)
    plan, taken = runner.plan(), _estimate(project, experiment, executor.count)
    if as_json:
        print_line(plan_as_dict(experiment, plan, taken))
    else:
        say_plan(experiment, plan, taken)
    if dry_run:
        return 0
    require_agents_trusted(project, experiment, trust=trust)
    with display, _stopping(runner):
        summary = runner.run()
    if as_json:
        print_line(summary_as_dict(summary))
    else:
        print_summary(summary)
    if summary.how == STOPPED:
        return STOPPED_STATUS
    return int(bool(summary.not_run))


def _located(reference: str, folder: Path | None) -> tuple[Project, Path]:
    """The project and the file of an experiment. Raises UserError."""
    if folder is None and Path(reference).is_file():
        around = project_around_file(Path(reference))
        if around is not None:
            return around, Path(reference)
    project = Project.open(folder or Path())
    return project, find_experiment(project, reference)


def _runner(
    project: Project, experiment: Experiment, matrix: Sequence[Cell], executor: Executor,
    options: RunnerOptions, display: RunDisplay,
) -> ExperimentRunner:  # fmt: skip
    return ExperimentRunner(
        project, experiment, matrix, executor, options,
        listener=display.show, progress=indexing_progress(),
    )  # fmt: skip


def _estimate(project: Project, experiment: Experiment, phones: int) -> Estimate:
    with Catalogue(project) as catalogue:
        measured = measured_episodes(catalogue, [entry.id for entry in experiment.agents])
    tasks = {task.id: task for task in project.tasks}
    return estimate(experiment, agent_kinds().kinds, tasks, phones, measured)


@contextmanager
def _stopping(runner: ExperimentRunner) -> Iterator[None]:
    """Let the first signal end the run cleanly, and the second one at once."""
    asked = False

    def stop(_number: int, _frame: object) -> None:
        nonlocal asked
        if asked:
            # Phones and worker processes end with this process; episodes that were running are tried again.
            os._exit(STOPPED_STATUS)
        asked = True
        runner.stop()

    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    numbers = [number for name in names if (number := getattr(signal, name, None)) is not None]
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
