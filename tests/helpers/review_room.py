"""A small project with a golden trajectory, a baseline and an interrupted run, and somebody in Review."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from collector.model.action import Action, Complete, Tap
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.essential_state import EssentialState
from collector.model.geometry import Size
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, RUN, State, Step, TrajectoryHeader
from collector.model.verdicts.judgement import RULE
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.judgements import add_judgements
from tests.helpers.dumps import hierarchy, node
from tests.helpers.rule_room import Room
from tests.helpers.run_files import anomaly_event, says
from tests.helpers.steps import png

TASK = "shop-1"
STATES = {"searched": "Posters searched", "in-cart": "The poster is in the cart"}
ANOMALY = "low_battery"
SIZE = Size(40, 80)
PATH = (("Shop", Tap(4, 8)), ("Search", Tap(10, 20)), ("Results", Tap(10, 60)), ("Cart", None))
"""What the golden trajectory shows and does."""


def screen(title: str, *, package: str = "com.example.shop") -> bytes:
    """A dump with a title and a list."""
    rows = [node(text=f"{title} {row}", bounds=f"[0,{10 * row}][40,{10 * row + 9}]") for row in range(1, 5)]
    head = node(text=title, resource_id="com.example.shop:id/title", bounds="[0,0][40,9]")
    return hierarchy(node(head, *rows, bounds="[0,0][40,80]", package=package)).encode()


def write_trajectory(
    project: Project, header: TrajectoryHeader, path: tuple[tuple[str, Action | None], ...], *,
    events: tuple[dict[str, Any], ...] = (), thought: str = "",
) -> Path:  # fmt: skip
    """Write a trajectory of titled screens, a second a step; each screen has a colour of its own."""
    with project.new_trajectory(header) as writer:
        for at, (title, action) in enumerate(path):
            turn = AgentTurn(f"{thought} {title}") if thought and action is not None else None
            step = Step(at, at * 1000, "", State(size=SIZE), action, None, agent=turn)
            package = "com.example.adbsmarttest" if title == "Battery" else "com.example.shop"
            shade = 30 * sum(map(ord, title)) % 250
            writer.append(step, png(40, 80, shade), screen(title, package=package))
        for event in events:
            writer.event(event["kind"], event["t_ms"], **{
                key: value for key, value in event.items() if key not in ("kind", "t_ms")})  # fmt: skip
        writer.finish()
    return writer.folder


def make_review_project(folder: Path) -> dict[str, Path]:
    """``golden``, ``baseline`` and ``interrupted`` -> their folders. The interruption is at step 3."""
    project = Project.create(folder, "Review")
    project.save_tasks(
        [Task(TASK, "Buy a poster", "Shop", essential_states=tuple(STATES))],
        states=[StateChange(None, EssentialState(name, text)) for name, text in STATES.items()],
    )
    run_path = (*PATH[:3], ("Cart", Complete()))
    interrupted = (*PATH[:2], ("Battery", Tap(20, 70)), *run_path[2:])
    events = (
        anomaly_event("injected", 1900, ANOMALY),
        anomaly_event("answered", 2400, ANOMALY, answer="deny", button="Ignore"),
    )
    baseline = Episode(agent="careful", seed=1)
    found = {
        "golden": write_trajectory(project, TrajectoryHeader("golden-1", TASK, GOLDEN, "lin"), PATH),
        "baseline": write_trajectory(
            project, TrajectoryHeader("baseline", TASK, RUN, episode=baseline, outcome=Outcome("success")),
            run_path, thought="I see",
        ),
        "interrupted": write_trajectory(
            project,
            TrajectoryHeader(
                "interrupted", TASK, RUN, episode=Episode(agent="careful", seed=1, condition=ANOMALY),
                outcome=Outcome("failure", "The cart is empty"),
            ),
            interrupted, events=events, thought="Now",
        ),
    }  # fmt: skip
    add_judgements(found["interrupted"], says("rules", RULE, "failure", searched=1, in_cart=False))
    add_judgements(found["baseline"], says("rules", RULE, "success", searched=1, in_cart=3))
    return found


class ReviewRoom(Room):
    """The Review workspace of a built window."""

    def __init__(self, studio: Any, qtbot: Any, folder: Path, folders: dict[str, Path]) -> None:
        super().__init__(studio, qtbot, folder)
        self.folders = folders

    @property
    def workspace(self) -> Any:
        return self.studio.window.workspace("review")

    def open(self, name: str = "interrupted", step: str = "") -> None:
        """Open a trajectory as Project and Run do, and wait until it is aligned."""
        self.studio.commander.run("review.open", folder=str(self.folders[name]), step=step)
        self.until(lambda: self.session.is_aligned)
        self.until(lambda: any(side.judgements for side in self.workspace.work.sides))

    def texts(self, side: int) -> list[str]:
        """The head and the facts of a column."""
        column = self.workspace.columns.columns[side]
        labels = (column.title, column.detail, column.step_number, column.caption, column.action)
        return [label.text() for label in labels]
