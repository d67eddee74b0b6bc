"""A run of an agent for tests: every kind of turn, an anomaly with its answer, and three judges."""

from __future__ import annotations

from pathlib import Path

from collector.model import action as actions
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.essential_state import EssentialState
from collector.model.geometry import Size
from collector.model.task import Task
from collector.model.trajectory import RUN, State, Step, TrajectoryHeader
from collector.model.usage import Usage
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.judgements import add_judgements
from tests.helpers.dumps import hierarchy, node
from tests.helpers.steps import png

EPISODE = Episode(
    agent="OpenAI", model="UI-TARS-7B", condition="low_battery", modality="screenshot+tree", buttons=2,
    seed=123, repeat=1,
)  # fmt: skip
OUTCOME = Outcome("failure", "The cart is empty", "complete", True, "", Usage(1200, 80, 0.04, "USD", 9000))
STATES = {"sorted": "Sorted by price", "in-stock": "Only in stock", "in-cart": "The poster is in the cart"}
"""Essential states of the task by id."""
INVALID = actions.Invalid("sort <b>it</b>", "malformed", "The answer has no action")
_SIZE = Size(40, 80)


def _step(slot: int, action: actions.Action | None, turn: AgentTurn | None, text: str = "") -> Step:
    return Step(slot, slot * 1000, "", State(size=_SIZE), action, None, text, agent=turn)


def run_steps() -> list[Step]:
    """A plain tap, one executed elsewhere than predicted, an invalid action, the claim, the final state."""
    usage, times = Usage(600, 40, 0.002, "USD", 2600), {"think": 2600, "act": 120}
    return [
        _step(0, actions.Tap(4, 8), AgentTurn("Open the <b>shop</b>", '{"action": "click"}',
              actions.Tap(4, 8, 90), usage, times), "Tap 'Shop'"),
        _step(1, actions.Tap(10, 20), AgentTurn("Sort by price", "", actions.Tap(34, 52)), "Tap 'Sort'"),
        _step(2, INVALID, AgentTurn("", INVALID.raw, INVALID), "Invalid action"),
        _step(3, actions.Complete(), AgentTurn("Done", "", actions.Complete()), "Task complete"),
        _step(4, None, None),
    ]  # fmt: skip


def run_judgements() -> list[Judgement]:
    """A rule and a person disagree; the rule saw one state and missed two."""
    return [
        Judgement("rules", "rule", "3f0a", Subject("state", "sorted", 1, 1), "reached"),
        Judgement("rules", "rule", "3f0a", Subject("state", "in-stock"), "missed"),
        Judgement("rules", "rule", "3f0a", Subject("state", "in-cart"), "missed"),
        Judgement("rules", "rule", "3f0a", Subject(), "failure", 0.9, "2 states were missed", {"a": 1}),
        Judgement("sara", "person", "", Subject(), "uncompleted", reason="It stopped"),
    ]


def write_run(project: Project, run_id: str = "run-1", task_id: str = "shop-1") -> Path:
    """The run in a project, whose task is added when it is not there."""
    if project.task(task_id) is None:
        task = Task(task_id, "Buy the cheapest poster", app="Shop", essential_states=tuple(STATES))
        states = [StateChange(None, EssentialState(name, sentence)) for name, sentence in STATES.items()]
        project.save_tasks([*project.tasks, task], states=states)
    header = TrajectoryHeader(run_id, task_id, kind=RUN, episode=EPISODE, outcome=OUTCOME)
    with project.new_trajectory(header) as writer:
        for step in run_steps():
            writer.append(step, png(40, 80), hierarchy(node()).encode())
        for t_ms, line in (
            (900, {"transition": "injected"}),
            (1400, {"transition": "answered", "answer": "deny", "button": "Ignore"}),
        ):
            writer.event("anomaly", t_ms, injection="x", anomaly="low_battery", **line)
        writer.finish()
    add_judgements(writer.folder, run_judgements())
    return writer.folder
