"""A project of many runs, with the files that lists and rules look at."""

from __future__ import annotations

import json

from collector.model.episode import Episode, Outcome
from collector.model.trajectory import FINISHED, RUN, TrajectoryHeader
from collector.store.files import layout
from collector.store.files.format_versions import TRAJECTORY
from collector.store.project.project import Project
from collector.store.trajectory import codec
from tests.helpers.steps import step

AGENTS, ANOMALIES = ("x", "y", "z"), ("low_battery", "no_network")
OUTCOMES = ("success", "failure", "uncompleted")


def add_runs(project: Project, count: int, task: str) -> None:
    """Add finished runs of every agent, condition and outcome, newer than anything else, with two steps."""
    lines = (codec.step_to_line(step(number)) for number in range(2))
    steps = b"".join(codec.dump_line({"seq": at + 1, **line, "index": at}) for at, line in enumerate(lines))
    parent = project.paths.trajectories_of(task)
    for number in range(count):
        name = f"run-{number:06}"
        header = TrajectoryHeader(
            name, task, kind=RUN, status=FINISHED, started=f"2126-{number:09}",
            episode=Episode(agent=AGENTS[number % 3], condition=ANOMALIES[number // 3 % 2], seed=number),
            outcome=Outcome(OUTCOMES[number // 6 % 3]),
        )  # fmt: skip
        folder = parent / name
        folder.mkdir(parents=True)
        document = TRAJECTORY.stamp(codec.header_to_document(header))
        (folder / layout.HEADER).write_text(json.dumps(document))
        (folder / layout.STEPS).write_bytes(steps)
