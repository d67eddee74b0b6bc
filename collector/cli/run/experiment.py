"""What ``waymark run`` does: open the experiment and its phones, say the plan, run it, and sum it up."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from collector.agents.registry import agent_kinds
from collector.cli.agent.trust import require_agents_trusted
from collector.cli.diagnostic_output import print_diagnostics
from collector.cli.json_lines import JsonLines, json_lines_alone
from collector.cli.progress import indexing_progress
from collector.cli.run.display import RunDisplay, display_for
from collector.cli.run.phones import executor_of
from collector.cli.run.report import plan_as_dict, print_summary, say_plan, summary_as_dict
from collector.host.malloc import limit_malloc
from collector.host.quit_deadline import arm_quit_deadline, disarm_quit_deadline, end_process
from collector.model.i18n import N_, _
from collector.project_rules.project_rules import ProjectRules
from collector.run.experiment.estimate import Estimate, estimate, groups_of, measured_episodes
from collector.run.experiment.files import (
    ExperimentError,
    check_experiment,
    find_experiment,
    project_around_file,
)
from collector.run.experiment.matrix import cells
from collector.run.experiment.model import Cell, Experiment
from collector.run.experiment.scope import scope_of
from collector.run.runner.experiment_runner import ExperimentRunner, RunnerOptions
from collector.run.runner.fail_fast import ALWAYS, FIRST_CELLS, NEVER
from collector.run.runner.run_summary import STOPPED
from collector.run.workers.worker import Executor
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project

STOPPED_STATUS = 130
_LATE = N_("The run did not stop in time and was ended. What is recorded is kept; what ran is tried again")


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a person typed."""

    reference: str
    """File or name of the experiment."""
    folder: Path
    """Of the project, unless the file of the experiment lies in another."""
    phones: tuple[str, int, str, str]
    """Devices, workers, executor and address of the Ray cluster, as :func:`executor_of` takes them."""
    hold_ms: int = 0
    again: str = ""
    """Finished cells to run again, one of ``episode.AGAIN``."""
    fail_fast: bool | None = None
    """None for the usual: before the first result of an agent."""
    dry_run: bool = False
    trust: bool = False
    as_json: bool = False
    tasks: tuple[str, ...] = ()
    """Ids of the tasks whose cells are run; empty for all."""


def run_experiment(request: RunRequest) -> int:
    """Run an experiment; the exit status. Raises UserError."""
    limit_malloc()
    project, path = _located(request.reference, request.folder)
    ProjectRules(project).require_readable()  # else finished episodes would be done again without verdicts
    kinds = agent_kinds().kinds
    experiment = _checked(path, project)
    chosen = frozenset(request.tasks) or frozenset(experiment.tasks)
    matrix = tuple(cell for cell in cells(experiment, kinds) if cell.task in chosen)
    devices, workers, kind, ray_address = request.phones
    with json_lines_alone() if request.as_json else nullcontext() as lines:
        executor = executor_of(experiment, devices, workers, kind, project.folder, ray_address)
        try:
            with closing(executor):
                return _run(request, project, experiment, matrix, executor, lines)
        finally:
            disarm_quit_deadline()


def _run(
    request: RunRequest, project: Project, experiment: Experiment, matrix: Sequence[Cell],
    executor: Executor, lines: JsonLines | None,
) -> int:  # fmt: skip
    """Say the plan, run it, and say what came of it; the exit status."""
    display = display_for(lines)
    when = {None: FIRST_CELLS, True: ALWAYS, False: NEVER}[request.fail_fast]
    options = RunnerOptions(request.hold_ms, request.again, fail_fast=when)
    runner = _runner(project, experiment, matrix, executor, options, display)
    plan = runner.plan()
    taken = _estimate(project, experiment, executor.count, plan.missing)
    if lines is not None:
        lines.print(plan_as_dict(experiment, plan, taken))
    else:
        say_plan(experiment, plan, taken)
    if request.dry_run:
        return 0
    require_agents_trusted(project, experiment, trust=request.trust)
    with display, _stopping(runner):
        summary = runner.run()
    if lines is not None:
        lines.print(summary_as_dict(summary))
    else:
        print_summary(summary, is_offline=experiment.offline is not None)
        if experiment.offline is not None and summary.finished:
            _print_answers(project, experiment)
    if summary.how == STOPPED:
        return STOPPED_STATUS
    return int(bool(summary.not_run))


def _print_answers(project: Project, experiment: Experiment) -> None:
    """Print how many golden steps each agent answered right."""
    from collector.cli.experiment.steps import print_step_accuracy
    from collector.metrics.step_accuracy import step_accuracy

    print_step_accuracy(step_accuracy(project, ("agent",), f'experiment:"={experiment.name}"'))


def _checked(path: Path, project: Project) -> Experiment:
    """The experiment of a file. Raises ExperimentError after all that is wrong with it is said."""
    checked = check_experiment(path, scope_of(project, agent_kinds().kinds))
    if len(checked.errors) > 1:
        print_diagnostics(checked.errors, err=True)
        raise ExperimentError(
            _("The experiment {name} cannot be run", name=checked.experiment.name or path.stem),
            _("the errors above are in its file"),
            _("Correct them, and check it with `waymark experiment check`"),
        )
    return checked.require()


def _located(reference: str, folder: Path) -> tuple[Project, Path]:
    """The project and the file of an experiment. Raises UserError."""
    around = project_around_file(Path(reference)) if Path(reference).is_file() else None
    project = around or Project.open(folder)
    return project, find_experiment(project, reference)


def _runner(
    project: Project, experiment: Experiment, matrix: Sequence[Cell], executor: Executor,
    options: RunnerOptions, display: RunDisplay,
) -> ExperimentRunner:  # fmt: skip
    return ExperimentRunner(
        project, experiment, matrix, executor, options,
        listener=display.show, progress=indexing_progress(),
    )  # fmt: skip


def _estimate(project: Project, experiment: Experiment, phones: int, left: Iterable[Cell]) -> Estimate:
    with Catalogue(project) as catalogue:
        measured = measured_episodes(
            catalogue, [entry.id for entry in experiment.agents], offline=experiment.offline is not None
        )
    tasks = {task.id: task for task in project.tasks}
    return estimate(experiment, agent_kinds().kinds, tasks, phones, measured, groups_of(left))


@contextmanager
def _stopping(runner: ExperimentRunner) -> Iterator[None]:
    """Let the first signal end the run cleanly but within seconds, and the second one at once."""
    asked = False

    def stop(_number: int, _frame: object) -> None:
        nonlocal asked
        if asked:
            # Phones and worker processes end with this process; episodes that were running are tried again.
            end_process(STOPPED_STATUS)
        asked = True
        arm_quit_deadline(STOPPED_STATUS, _(_LATE))
        runner.stop()

    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    numbers = [number for name in names if (number := getattr(signal, name, None)) is not None]
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
