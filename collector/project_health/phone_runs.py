"""Record what the health of a project needs and nobody recorded: replays of goldens, and random runs.

Both leave runs of the project, which the report is then told from, as from any other run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from collector.agents.registry import agent_kinds
from collector.judge.evaluation.task_rules import TaskRules, rules_by_task
from collector.model.episode_text import BASELINE
from collector.model.i18n import _
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import RESET_PHONE
from collector.model.trajectory import TrajectoryHeader
from collector.project_rules.project_rules import ProjectRules
from collector.replay.outcomes import ReplayResult, ReplayStatus, why_of
from collector.replay.phone import opened_phone
from collector.replay.redacted_text import redacted_steps
from collector.replay.replay import Replay
from collector.replay.replay_options import ReplayOptions
from collector.replay.replay_run import ReplayRuns
from collector.replay.solvability.trial_run import TrialRun
from collector.reset.phone_reset import reset_phone
from collector.reset.reset_plan import plan_reset, require_trust
from collector.reset.reset_record import ResetPlan
from collector.run.experiment.edits import set_value
from collector.run.experiment.files import check_experiment, new_experiment
from collector.run.experiment.scope import scope_of
from collector.run.experiment.template import new_text
from collector.run.phones.provider import RunPhone
from collector.store.files.disk import Disk
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory

RANDOM_EXPERIMENT = "health-random"
"""Name of the experiment of random runs."""
REPLAYS_EXPERIMENT = "replays"
"""The experiment that the runs of replays belong to, as `waymark trajectory replay` leaves them."""
MOST_GOLDENS = 3
"""So many goldens of a task are replayed, the newest ones."""


@dataclass(frozen=True, slots=True)
class ReplayedGolden:
    """What became of the replay of a golden."""

    task: str
    golden: str
    is_done: bool
    why: str
    """Why it ended where it did, or why it was not replayed."""
    run: str = ""
    """Id of the run it left; empty when it was not replayed, or could not be recorded."""


# -- random runs -------------------------------------------------------------
def prepare_random_runs(project: Project) -> str:
    """Write the experiment of random runs, or add the tasks that it lacks; its name, empty without a task.

    Each task that a rule can judge is tried as often as the thresholds of the project ask for.
    """
    scope = scope_of(project, agent_kinds().kinds)
    tasks = [task.id for task in project.tasks if scope.can_judge(task)]
    if not tasks:
        return ""
    path = project.paths.experiment(RANDOM_EXPERIMENT)
    if not path.is_file():
        seeds = range(DEFAULT_SEED, DEFAULT_SEED + project.health.runs)
        what = _("Random actions, for the health of the project: who does a task by chance shows a weak rule")
        new_experiment(project, RANDOM_EXPERIMENT, new_text(tasks, "", ["monkey"], [BASELINE], seeds, what))
        return RANDOM_EXPERIMENT
    listed = check_experiment(path, scope).experiment.tasks
    if lacking := [task for task in tasks if task not in listed]:
        text = path.read_text(encoding="utf-8")
        Disk().write(path, set_value(text, "tasks", [*listed, *lacking]).encode())
    return RANDOM_EXPERIMENT


# -- replays of goldens --------------------------------------------------------
def replay_goldens(
    project: Project, phone: RunPhone, tasks: Collection[str],
    ended: Callable[[ReplayedGolden], None] = lambda _replayed: None,
) -> list[ReplayedGolden]:  # fmt: skip
    """Replay the newest goldens of ``tasks``, of all for none, each on a phone as it was recorded on.

    Each leaves a run. Those whose texts were redacted, and those of another kind of phone, are not replayed.
    Raises DeviceError when the phone goes away, UserError when it cannot be reset.
    """
    rules_of = rules_by_task(project, ProjectRules(project).rules())
    runs = ReplayRuns(project, phone.device, REPLAYS_EXPERIMENT)
    done: list[ReplayedGolden] = []
    for stored in newest_goldens(project, tasks):
        header = stored.header
        if why := why_not_replayable(stored, is_virtual=phone.is_virtual):
            replayed = ReplayedGolden(header.task_id, header.id, False, why)
        else:
            _reset(project, phone, header)
            replayed = _replayed(project, phone, stored, runs, rules_of)
        done.append(replayed)
        ended(replayed)
    return done


def newest_goldens(project: Project, tasks: Collection[str]) -> Iterator[StoredTrajectory]:
    """The goldens that are replayed of ``tasks``, of all for none: of each task the newest first."""
    for task in project.tasks:
        if tasks and task.id not in tasks:
            continue
        stored = list(project.open_trajectories(folders=project.trajectory_folders(task.id)))
        goldens = [item for item in stored if item.header.is_golden]
        goldens.sort(key=lambda item: (item.header.started, item.header.id), reverse=True)
        yield from goldens[:MOST_GOLDENS]


def why_not_replayable(stored: StoredTrajectory, *, is_virtual: bool) -> str:
    """Why a golden is not tried on a virtual phone, or on another; empty when it is."""
    if redacted_steps(stored.steps):
        return _("Texts of it were redacted: `waymark trajectory replay --text` types them")
    if bool(stored.header.device.get("virtual")) != is_virtual:
        return _("It was recorded on another kind of phone")
    return ""


def _reset(project: Project, phone: RunPhone, header: TrajectoryHeader) -> None:
    """Make a virtual phone as the one of the recording was; of another one reset what its task says."""
    if phone.is_virtual:
        reset_phone(phone.device, ResetPlan(RESET_PHONE, setup=setup_of(header)))
        return
    plan = plan_reset(project, project.task(header.task_id))
    if plan is not None and plan.kind != RESET_PHONE:
        require_trust(project, plan)
        reset_phone(phone.device, plan)


def setup_of(header: TrajectoryHeader) -> PhoneSetup:
    """Seed, language and screen of the virtual phone that a trajectory was recorded on, as far as it says."""
    device = header.device
    given = {"seed": device.get("seed"), "locale": device.get("language"), "size": device.get("size"),
             "density": device.get("density")}  # fmt: skip
    setup = PhoneSetup()
    for option, value in given.items():
        try:
            setup = replace(setup, **_read(option, value)) if value not in (None, "") else setup
        except ValueError:
            continue  # of another kind of phone, or written by hand
    return setup


def _read(option: str, value: object) -> dict[str, Any]:
    read = PhoneSetup.parse([f"--{option}", str(value)])
    return {option: getattr(read, option)}


def _replayed(
    project: Project, phone: RunPhone, stored: StoredTrajectory, runs: ReplayRuns,
    rules_of: Callable[[str], TaskRules],
) -> ReplayedGolden:  # fmt: skip
    task, header = project.task(stored.header.task_id), stored.header
    options = ReplayOptions(app=task.package if task is not None else "")
    with opened_phone(phone.device) as opened:
        run = TrialRun.begin(runs, header.task_id, header.id, None, ())
        replay = Replay(stored, opened, options, rules_of(header.task_id), run=run.recorded)
        with run.cancelled_by_an_exception(replay):
            result: ReplayResult = replay.run()
        run.end(result, replay)
    is_done = result.status is ReplayStatus.DONE
    return ReplayedGolden(header.task_id, header.id, is_done, why_of(result), run.id)
