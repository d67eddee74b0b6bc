"""A small project with a golden trajectory and two runs, whose exports for viewers are compared with it."""

from __future__ import annotations

from pathlib import Path

from collector.model.action import Action, Answer, Complete, Swipe, Tap, Type
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.expected_answer import ExpectedAnswer
from collector.model.geometry import Size
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, RUN, State, Step, TrajectoryHeader
from collector.model.usage import Usage
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from tests.helpers.steps import png, xml

WALL = "2026-04-12T09:30:15.000+00:00"
USAGE = Usage(100, 10, 0.5, "USD", 900)
ACTIONS: tuple[Action, ...] = (Tap(1, 2), Swipe(1, 2, 3, 4), Type("héllo", 5), Answer("42"), Complete())


def viewed_project(folder: Path) -> Project:
    """The project: task `t` with a person's `g`, and the runs `r0`, a success, and `r1`, a failure."""
    project = Project.create(folder)
    answer = ExpectedAnswer(("42",))
    project.save_tasks([Task("t", "Find the number", app="Shop", level="easy", expected_answer=answer)])
    for name, kind in (("g", GOLDEN), ("r0", RUN), ("r1", RUN)):
        is_run = kind == RUN
        status = {"r0": "success", "r1": "failure"}.get(name, "")
        header = TrajectoryHeader(
            name, "t", kind, who="lin", instruction="Find the number", note="=a note",
            software={"waymark": "1.2"}, started=WALL,
            episode=Episode("e", agent="bot", model="m-1", seed=3) if is_run else None,
            outcome=Outcome(status, reason="as seen", usage=USAGE) if is_run else None,
        )  # fmt: skip
        with project.new_trajectory(header) as writer:
            for index, action in enumerate((*ACTIONS, None)):
                turn = AgentTurn("I think", f"do {index}", action, USAGE) if is_run and action else None
                state = State(package="a", activity=".Main", size=Size(4, 8))
                step = Step(index, 1000 * index, WALL, state, action, agent=turn)
                writer.append(step, png(shade=index), xml(f"{name} {index}"))
            writer.finish()
        judgements = [
            Judgement("rules", "rule", "1", Subject(), "success" if name != "r1" else "failure", reason="ok"),
            Judgement("lin", "person", "", Subject(), "undecided"),
            Judgement("rules", "rule", "1", Subject("state", "found", 3, 3), "reached"),
        ]
        add_judgements(writer.folder, judgements)
    return project


def viewed_trajectories(project: Project) -> dict[str, StoredTrajectory]:
    """Its trajectories by the names they have in exports."""
    folders = project.trajectory_folders()
    return {f"{folder.parent.name}/{folder.name}": open_trajectory(folder) for folder in folders}
