"""A run on two machines of a Ray cluster, one of which dies: the same outcomes as on this computer alone."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
import threading
from pathlib import Path

import pytest

from collector.agents.registry import agent_kinds
from collector.cli.device.virtual_phones import VirtualPhones
from collector.device.transport.adb_server import AdbServer
from collector.model.task import RESET_PHONE
from collector.run.experiment.matrix import cells
from collector.run.experiment.model import AgentEntry, Experiment
from collector.run.runner.cell_queue import Backoff
from collector.run.runner.experiment_runner import ExperimentRunner, RunnerOptions
from collector.run.runner.stored_episodes import read_episodes
from collector.run.workers.local_worker import LocalExecutor
from collector.run.workers.ray_cluster import PHONE_RESOURCE
from collector.run.workers.ray_worker import RayExecutor, RayOptions
from collector.store.checks.check import check_project
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory

SAMPLE = Path(__file__).parents[2] / "assets" / "sample"
EXPERIMENT = Experiment(
    "machines", ("home-01", "settings-03"), (AgentEntry("golden", "golden"),), seeds=(1, 2), budget=8,
    reset=RESET_PHONE,
)  # fmt: skip
STORE_BYTES = 80 << 20
ATTEMPTS = 3

pytestmark = [
    pytest.mark.skipif(
        importlib.util.find_spec("ray") is None,
        reason="Ray is not installed: pip install waymark-studio[ray]",
    ),
    pytest.mark.timeout(300),
    pytest.mark.shared_threads("ray", "Thread-", "adb"),
    pytest.mark.filterwarnings(
        "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning"
    ),
]


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    # A machine of Ray dies when its helpers do not answer within 15 s, and is waited for a little longer.
    monkeypatch.setenv("RAY_raylet_start_wait_time_s", "25")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    AdbServer().ensure()
    return tmp_path


@pytest.fixture
def cluster(home):
    """A head with a phone, and another machine with one."""
    from ray.cluster_utils import Cluster

    # Sockets lie in it, whose paths may not be long.
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
    node = {"num_cpus": 1, "resources": {PHONE_RESOURCE: 1}, "object_store_memory": STORE_BYTES}
    head = {**node, "include_dashboard": False, "temp_dir": folder}
    cluster = None
    try:
        for _attempt in range(ATTEMPTS):
            cluster = Cluster()
            try:
                cluster.add_node(**head)
                cluster.add_node(**node)
                break
            except Exception as error:  # Ray raises nothing narrower
                why = str(error)
                cluster.shutdown()
                cluster = None
        if cluster is None:
            pytest.skip(f"Ray does not start here, as on a computer that is too busy: {why}")
        yield cluster
    finally:
        if cluster is not None:
            cluster.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


def project_in(folder: Path) -> Project:
    """The sample, with a golden trajectory of each task of the experiment and nothing else."""
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("trajectories"))
    for task in EXPERIMENT.tasks:
        shutil.copytree(SAMPLE / "trajectories" / task, folder / "trajectories" / task)
    return Project.open(folder)


def runner_of(project, executor, listener=lambda _event: None):
    matrix = tuple(cells(EXPERIMENT, agent_kinds().kinds))
    options = RunnerOptions(backoff=Backoff(first_s=0.1, longest_s=0.5))
    return ExperimentRunner(
        project, EXPERIMENT, matrix, executor, options, listener=listener
    )  # fmt: skip


def finished(project):
    """By cell: status, actions, and the settings of each finished episode."""
    episodes = [episode for episode in read_episodes(project, EXPERIMENT.name) if episode.is_finished]
    assert len({episode.cell for episode in episodes}) == len(episodes), "no cell twice"
    return {
        episode.cell: (
            episode.outcome.status,
            [step.action for step in open_trajectory(episode.folder).trajectory.steps],
            episode.fingerprint,
        )
        for episode in episodes
    }


def test_a_machine_dies_and_the_outcomes_are_those_of_one_computer(home, cluster, capfd):
    alone = project_in(home / "alone")
    summary = runner_of(alone, LocalExecutor(VirtualPhones(1), 1)).run()
    assert (summary.how, summary.finished) == ("finished", 4)

    project = project_in(home / "many")
    events, began, dead = [], {}, threading.Event()

    def watch(event):
        events.append(event)
        if event.kind == "episode_began":
            began.setdefault(event.worker, event)
            if len(began) == 2 and not dead.is_set():
                dead.set()
                # Its process is killed, as by a power cut.
                threading.Thread(
                    target=cluster.remove_node, args=(machines[0],), kwargs={"allow_graceful": False}
                ).start()

    machines = [node for node in cluster.list_all_nodes() if node is not cluster.head_node]
    executor = RayExecutor(project.folder, VirtualPhones(2), RayOptions(cluster.address))
    try:
        assert executor.count == 2
        runner = runner_of(project, executor, watch)
        summary = runner.run()
    finally:
        executor.close()
    assert dead.is_set()
    assert (summary.how, summary.finished, summary.not_run) == ("finished", 4, ())
    assert summary.faults >= 1
    assert any("was lost" in event.infrastructure for event in events if event.kind == "episode_ended")
    assert finished(project) == finished(alone)
    assert {status for status, _actions, _plan in finished(project).values()} == {"success"}
    assert [finding for finding in check_project(project) if finding.severity == "problem"] == []
    assert {event.kind for event in events} >= {
        "phase_changed",
        "screen_observed",
        "action_predicted",
        "step_done",
    }
    assert capfd.readouterr().out == "", "a run prints nothing of Ray's"
    copies = home / "home" / "cache" / "projects-of-workers"
    assert len([path for path in copies.glob("project-*") if path.is_dir()]) <= 1, (
        "but that of the dead machine"
    )
