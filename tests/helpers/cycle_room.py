"""A project and agents for cycles: a shop of four screens, whose task is to get a poster into the cart."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.agents.agent import AgentEpisode, Observation
from collector.model.action import Action, Tap
from collector.model.episode import AgentTurn
from collector.model.task import Task
from collector.run.cycle.episode import run_episode
from collector.run.cycle.episode_job import EpisodeJob, EpisodeResult
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.run.events import RunEvent
from collector.run.experiment.model import AgentEntry, Cell, Experiment, PlannedInjection, RunCondition
from collector.run.recomputation.recompute import Recomputation, recompute
from collector.store.checks.check import check_trajectory
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from tests.helpers.cycle_phone import PACKAGE, CyclePhone

SHOP = {
    "front": {"Posters": "posters", "About": "about"},
    "posters": {"Oak": "poster", "Front": "front"},
    "about": {"Front": "front"},
    "poster": {"Add": "cart", "Posters": "posters"},
    "cart": {"Front": "front"},
}
WAY = ("Shop", "Posters", "Oak", "Add")
"""The buttons that do the task, from the home screen."""
TWO_BUTTONS, ONE_BUTTON = "battery_low_double_en", "battery_low_single_en"
RULES = """\
rules:
  - id: at-posters
    conditions: {all: [{type: element_exists, selector: "text='Screen posters'"}]}
    actions: [{type: inject_interference, interference_id: battery_low_double_en}]
  - id: maybe
    once: false
    conditions: {all: [{type: element_exists, selector: "text='Screen poster'"}]}
    actions: [{type: inject_interference, interference_id: storage_full_double_en, trigger_probability: 0.5}]
"""
SUCCESS = """\
in-cart:
  description: A poster is in the cart
  conditions:
    - {type: element_exists, selector: "text='Screen cart'"}
"""
Answer = Action | AgentTurn | BaseException | Callable[[Observation], Any] | object


@dataclass
class ListAgent:
    """Gives ``answers`` one after the other, and the last one ever after."""

    answers: Sequence[Answer]
    at: int = 0
    seen: list[Observation] = field(default_factory=list)
    begun: AgentEpisode | None = None

    def begin(self, episode: AgentEpisode) -> None:
        self.begun = episode

    def act(self, observation: Observation, cancel: threading.Event) -> AgentTurn:
        self.seen.append(observation)
        answer = self.answers[min(self.at, len(self.answers) - 1)]
        self.at += 1
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, Action):
            return AgentTurn(f"step {observation.step}", predicted=answer)
        return answer(observation) if callable(answer) else answer  # type: ignore[return-value]

    def close(self) -> None: ...


def press(label: str) -> Callable[[Observation], AgentTurn]:
    """Tap the button with that text, or the middle of the screen when it is not there."""

    def answer(observation: Observation) -> AgentTurn:
        nodes = (node for node in observation.tree or () if node.get("text") == label and node.bounds)
        node = next(nodes, None)
        place = node.bounds.center if node is not None and node.bounds is not None else None
        return AgentTurn(label, predicted=Tap(place.x, place.y) if place is not None else Tap(54, 150))

    return answer


class CycleRoom:
    """A project in ``folder`` and what its episodes left."""

    def __init__(self, folder: Path) -> None:
        project = Project.create(folder, "Shop")
        task = Task(
            "buy", "Put the oak poster into the cart", app="Shop", package=PACKAGE, rule_key="in-cart",
            target_rule_ids=("at-posters", "maybe"), max_steps=8,
        )  # fmt: skip
        project.save_tasks([task])
        rules = folder / "rules"
        rules.mkdir(exist_ok=True)
        (rules / "injection.yaml").write_text(RULES)
        (rules / "success.yaml").write_text(SUCCESS)
        self.folder, self.project = folder, project
        self.phone = CyclePhone(SHOP)
        self.events: list[RunEvent] = []
        self.attempt = 0

    def run(
        self, answers: Sequence[Answer], condition: RunCondition | None = None, *,
        control: EpisodeControl | None = None, agent: Any = None,
        emit: Callable[[RunEvent], None] | None = None, modality: str = "screenshot+tree", seed: int = 123,
        hold_ms: int = 0, goal_style: str = "", start: str = "", **changes: Any,
    ) -> EpisodeResult:  # fmt: skip
        """Run an episode on the phone; ``changes`` are of the experiment."""
        condition = condition or RunCondition("baseline")
        experiment = Experiment("pilot", ("buy",), (AgentEntry("list", "list"),), (condition,), **changes)
        cell = Cell("buy", "list", condition.id, modality, seed=seed, goal_style=goal_style, start=start)
        job = EpisodeJob(self.folder, experiment, cell, self.attempt, hold_ms)
        self.attempt += 1
        self.agent = agent or ListAgent(answers)

        def note(event: RunEvent) -> None:
            self.events.append(event)
            if emit is not None:
                emit(event)

        return run_episode(job, self.phone.phone, self.agent, note, control, worker="w")

    def stored(self, result: EpisodeResult) -> StoredTrajectory:
        """The run of an episode, which is whole."""
        stored = open_trajectory(self.project.find(result.trajectory))
        assert not stored.problems
        assert check_trajectory(stored.folder) == []
        return stored

    def lines(self, result: EpisodeResult, phase: str = "") -> list[dict[str, Any]]:
        """The lines of the cycle, of one phase or all."""
        events = self.stored(result).events()
        cycle = [dict(line) for line in events if line["kind"] == "cycle"]
        return [line for line in cycle if not phase or line["phase"] == phase]

    def recomputed(self, result: EpisodeResult) -> Recomputation:
        return recompute(self.stored(result), EpisodeProject.load(self.folder))


def planned(anomaly: str, at: int, **changes: Any) -> RunCondition:
    """A condition with one anomaly at a step."""
    return RunCondition("planned", (PlannedInjection(anomaly, at),), **changes)
