"""A judge with known errors, played by an answering server, and a project of labelled runs for it."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

from collector.model.task import Task
from collector.model.verdicts.judgement import (
    FAILURE,
    MISSED,
    REACHED,
    STATE,
    SUCCESS,
    TASK,
    Judgement,
    Subject,
)
from collector.project_rules.project_rules import ProjectRules
from collector.store.trajectory.judgements import add_judgements
from tests.helpers.chat_server import ChatServer
from tests.helpers.judged_by_model import STATES, add_run, judged_project, write_judge
from tests.helpers.tasks import put_task

STATES_APART = STATES.replace(", after: [found]", "")
PLACES = {"found": "Poster", "paid": "Paid"}
RUNS = range(1, 25)
SENSITIVITY, FALSE_ALARMS = 7 / 8, 1 / 4


class Simulated:
    """A judge that sees seven of eight reached states, and one of four that are not; half are reached."""

    def __init__(self) -> None:
        keys = [(run, state) for run in RUNS for state in PLACES]
        random.Random(28).shuffle(keys)
        half = len(keys) // 2
        self.truth = {key: number < half for number, key in enumerate(keys)}
        self.says = {
            key: number % 8 > 0 if self.truth[key] else number % 4 == 0 for number, key in enumerate(keys)
        }

    def screens(self, run: int) -> list[str]:
        shown = [place for state, place in PLACES.items() if self.truth[run, state]]
        return [f"{text} r{run}" for text in ("Home", *shown, "End")]

    def answer(self, words: str) -> str:
        state = "found" if "The poster is found" in words else "paid"
        found = re.search(r"CLICK (?:Home|Poster|Paid) r(\d+)", words)
        if found is None:
            return "<answer>no</answer>"
        run = int(found[1])
        place = PLACES[state] if self.truth[run, state] else "Home"
        says = self.says[run, state] and f"CLICK {place} r{run}" in words
        return f"<answer>{'yes' if says else 'no'}</answer>"


def label(project: ProjectRules, run: str, reached: dict[str, int | None]) -> None:
    """Say as a person at which step a run reached each state, if it did; with all the task is a success."""
    given = [
        Judgement("ann", "person", "", Subject(STATE, state, step, step), MISSED if step is None else REACHED)
        for state, step in reached.items()
    ]
    whole = FAILURE if None in reached.values() else SUCCESS
    of_task = Judgement("ann", "person", "", Subject(TASK), whole)
    add_judgements(project.project.find(run), [*given, of_task])


def simulated_project(folder: Path, simulated: Simulated, server: ChatServer) -> ProjectRules:
    """Labelled runs of two agents, half of them of a task that is process-related, and a judge ``mine``."""
    project = judged_project(folder, simulated.screens(1), states=STATES_APART)
    pay = Task("pay", "Pay for it", app="Shop", essential_states=tuple(PLACES), type="process")
    put_task(project.project, pay)
    shop = project.project.task("shop")
    assert shop is not None
    put_task(project.project, replace(shop, type="state"))
    for run in RUNS:
        screens = simulated.screens(run)
        if run > 1:
            task, agent = ("pay", "beta") if run % 2 else ("shop", "alpha")
            add_run(project.project, f"r{run}", screens, task=task, agent=agent)
        steps = [screens.index(text) if (text := f"{place} r{run}") in screens else None
                 for place in PLACES.values()]  # fmt: skip
        label(project, f"r{run}", dict(zip(PLACES, steps, strict=True)))
    write_judge(project, "mine", server.address, prompt="a3rm", price_input=1.0, price_output=1.0)
    return ProjectRules.open(folder)
