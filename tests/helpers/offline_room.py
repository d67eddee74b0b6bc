"""Golden trajectories of the shop in memory, and agents that are asked their steps offline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from collector.model.action import Action
from collector.model.trajectory import FINISHED, TrajectoryHeader
from collector.run.cycle.episode_job import EpisodeJob, EpisodeResult
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.run.experiment.model import AgentEntry, AskedGolden, Cell, Experiment
from collector.run.offline.offline_episode import run_offline_episode
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from tests.helpers.cycle_room import CycleRoom, ListAgent, press


class OfflineRoom:
    """A project whose task has golden trajectories, and what agents answered to their steps."""

    def __init__(self, room: CycleRoom) -> None:
        self.room, self.project, self.folder = room, room.project, room.folder
        self.attempt = 0

    def golden(self, name: str, labels: Sequence[str], last: Sequence[Action] = ()) -> StoredTrajectory:
        """Record the buttons of ``labels`` as a person's finished trajectory; ``last`` come after them."""
        run = self.room.stored(self.room.run([*map(press, labels), *last], budget=len(labels) + len(last)))
        header = TrajectoryHeader(name, "buy", who="lin", device=run.header.device)
        with self.project.new_trajectory(header) as writer:
            for step in run.steps:
                bare = replace(step, agent=None, extra={})
                writer.append(bare, run.screenshot(step), run.tree(step))
            writer.finish()
            writer.update_header(status=FINISHED)
        return open_trajectory(self.project.find(f"buy/{name}"))

    def ask(
        self, golden: str, answers: Sequence[Any], *, control: EpisodeControl | None = None,
        name: str = "off", agent: Any = None, emit: Any = lambda _event: None, **of_cell: Any,
    ) -> EpisodeResult:  # fmt: skip
        """Ask an agent, which gives ``answers``, the steps of a golden trajectory."""
        entry = AgentEntry("list", "list")
        experiment = Experiment(name, ("buy",), (entry,), offline=(AskedGolden("buy", golden, 5),))
        cell = Cell("buy", "list", "baseline", "screenshot+tree", seed=1, offline=golden, **of_cell)
        job = EpisodeJob(self.folder, experiment, cell, self.attempt)
        self.agent = agent or ListAgent(answers)
        return run_offline_episode(job, self.agent, emit, control, worker="w")

    def stored(self, result: EpisodeResult) -> StoredTrajectory:
        """The run, which is whole."""
        return self.room.stored(result)
