"""A project with trajectories to review, and reviewers whose clock a test sets."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from collector.model.action import Complete
from collector.model.episode import Episode, Outcome
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, RUN, TrajectoryHeader
from collector.model.verdicts.judgement import RULE, Judgement, Subject
from collector.review.reviewing import Reviewing
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements
from tests.helpers.steps import step
from tests.helpers.tasks import put_task

STATES = ("seen", "paid")
START = dt.datetime(2026, 4, 12, 9, 0, tzinfo=dt.UTC)


class TestClock:
    """The time, which goes on when a test says so, and by a millisecond at each question."""

    __test__ = False

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> dt.datetime:
        self.now += dt.timedelta(milliseconds=1)
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += dt.timedelta(seconds=seconds)


class ReviewRoom:
    """A project of runs ``a``, ``b``, ... of the task ``shop``, each judged a failure by rules."""

    def __init__(self, folder: Path, runs: int = 2, goldens: int = 0) -> None:
        self.project = Project.create(folder)
        put_task(self.project, Task("shop", "Buy", essential_states=STATES))
        self.clock = TestClock()
        for number in range(runs):
            self.add(chr(ord("a") + number))
        for number in range(goldens):
            self.add(f"golden-{number}", GOLDEN)

    def add(self, name: str, kind: str = RUN) -> Path:
        is_run = kind == RUN
        header = TrajectoryHeader(name, "shop", kind, episode=Episode(agent="x") if is_run else None)
        with self.project.new_trajectory(header) as writer:
            for number in range(3):
                writer.append(step(number, Complete() if number == 2 else None), b"", b"")
            if is_run:
                writer.update_header(outcome=Outcome("failure"))
            writer.finish()
        if is_run:
            add_judgements(writer.folder, [Judgement("rules", RULE, "1", Subject("task"), "failure")])
        return writer.folder

    def folder(self, name: str) -> Path:
        return self.project.paths.trajectories_of("shop") / name

    def reviewing(self, who: str) -> Reviewing:
        return Reviewing(self.project, who, clock=self.clock)

    def submit(self, who: str, name: str = "a", verdict: str = "success", **more: str) -> None:
        """Review a trajectory and submit it."""
        reviewing = self.reviewing(who)
        reviewing.judge(self.folder(name), verdict, **more)
        reviewing.submit(self.folder(name))
