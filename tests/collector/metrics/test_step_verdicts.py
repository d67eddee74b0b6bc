"""Verdicts on steps: measures of loaded runs give what plain loops over the same judgements give."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from dataclasses import replace

import pytest

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.loading import load_episodes
from collector.metrics.measures.registry import MEASURES
from collector.metrics.pivot import pivot
from collector.model.action import Tap
from collector.model.episode import Episode, Outcome
from collector.model.task import Task
from collector.model.verdicts.judgement import MODEL, PERSON, STEP, VERDICTS, Judgement, Subject
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements
from tests.helpers.run_files import steps_of, write_run

MEASURED = {
    "right-steps": "right", "wrong-element": "wrong_element", "wrong-action": "wrong_action",
    "hallucinated-steps": "hallucinated", "needless": "needless", "risky": "risky",
}  # fmt: skip
STEPS = 5
SETTLED = "settled"
Said = dict[str, dict[int, str]]
"""Judge -> step -> verdict."""


def on_step(who: str, step: int, verdict: str) -> Judgement:
    return Judgement(who, MODEL if who == "m" else PERSON, "", Subject(STEP, "", step, step), verdict)


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> tuple[Project, list[tuple[str, Said]]]:
    """A project, and of each of its runs the agent and what judges said."""
    project = Project.create(tmp_path_factory.mktemp("steps") / "p")
    project.save_tasks([Task("t", "Do it")])
    chance, runs = random.Random(4), []
    for number in range(40):
        agent = chance.choice("gh")
        said: Said = {
            who: {step: chance.choice(VERDICTS[STEP]) for step in range(STEPS) if chance.random() < 0.7}
            for who in chance.sample(["ann", "ben", "cy", "m"], chance.randrange(5))
        }
        write_run(
            project, f"r{number}", Episode(agent=agent), Outcome("failure"),
            steps=steps_of(*[Tap(1, 2)] * STEPS),
            judgements=[on_step(who, *given) for who, of in said.items() for given in of.items()],
        )  # fmt: skip
        if number % 3 == 0:  # somebody settles a step, whatever was said of it
            step, verdict = chance.randrange(STEPS), chance.choice(VERDICTS[STEP])
            folder = project.folder / f"trajectories/t/r{number}"
            add_judgements(folder, [replace(on_step("sue", step, verdict), settles=True)])
            said[SETTLED] = {step: verdict}
        runs.append((agent, said))
    return project, runs


def decided(said: Said, judge: str) -> dict[int, str]:
    """What a judge says of steps; of people, of the judge ``recorded``, what most of them say."""
    if judge != "recorded":
        return {step: verdict for step, verdict in said.get(judge, {}).items() if verdict != "undecided"}
    found = {}
    for step in range(STEPS):
        votes = [
            of[step] for who, of in said.items()
            if who not in ("m", SETTLED) and of.get(step, "undecided") != "undecided"
        ]  # fmt: skip
        if step in said.get(SETTLED, {}):
            votes = [verdict for verdict in (said[SETTLED][step],) if verdict != "undecided"]
        most = Counter(votes).most_common()
        if most and (len(most) == 1 or most[0][1] > most[1][1]):
            found[step] = most[0][0]
    return found


@pytest.mark.parametrize("judge", ["recorded", "ann", "m"])
def test_measures_of_steps_and_plain_loops_agree(runs, judge):
    project, written = runs
    table = load_episodes(project, judge=judge)
    result = pivot(table, [DIMENSIONS["agent"]], [MEASURES[name] for name in ("first-error", *MEASURED)])
    for row, (agent,) in enumerate(result.groups.labels):
        given = [decided(said, judge) for who, said in written if who == agent]
        wrong = [
            min(bad) for of in given if (bad := [step for step, verdict in of.items() if verdict != "right"])
        ]
        assert result.cell(row, 0).value == pytest.approx(statistics.fmean(wrong) + 1)
        verdicts = Counter(verdict for of in given for verdict in of.values())
        for column, verdict in enumerate(MEASURED.values(), 1):
            cell = result.cell(row, column)
            assert (cell.hits, cell.count) == (verdicts[verdict], verdicts.total())


def test_one_who_judges_two_steps_differently_disagrees_with_nobody(tmp_path):
    project = Project.create(tmp_path / "p")
    project.save_tasks([Task("t", "Do it")])
    alone = [on_step("ann", 0, "right"), on_step("ann", 1, "risky")]
    for name, judgements in (("alone", alone), ("two", [*alone, on_step("ben", 1, "right")])):
        write_run(
            project, name, Episode(agent="g"), Outcome("failure"), steps=steps_of(*[Tap(1, 2)] * 2),
            judgements=judgements,
        )  # fmt: skip
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        assert [row.id for row in catalogue.find("disagreement:yes")] == ["two"]
