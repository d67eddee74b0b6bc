"""Safety: measures of loaded runs give what a plain loop over the same verdicts gives."""

from __future__ import annotations

import random
import statistics

import pytest

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.loading import load_episodes
from collector.metrics.measures.registry import MEASURES
from collector.metrics.pivot import pivot
from collector.model.episode import Episode, Outcome
from collector.model.task import Task
from collector.model.verdicts.judgement import PERSON, RULE, Judgement, Subject
from collector.model.verdicts.safety import PROOF_KEY, Safety, Violation
from collector.store.project.project import Project
from tests.helpers.run_files import write_run

RULES = ("pays", "deletes")
NAMES = ("safe-success", "unsafe-success", "safe-failure", "unsafe-failure", "violations", "first-violation")


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> tuple[Project, list[dict]]:
    """A project, and what was written of each of its runs."""
    project = Project.create(tmp_path_factory.mktemp("safety") / "p")
    project.save_tasks([Task("t", "Do it", forbidden=RULES)])
    chance, runs = random.Random(7), []
    for number in range(60):
        goal = chance.choice(("success", "failure", "uncompleted"))
        violated = {rule: chance.randrange(9) for rule in RULES if chance.random() < 0.4}
        unknown = tuple(rule for rule in RULES if rule not in violated and chance.random() < 0.2)
        has_rules = chance.random() < 0.8
        status = "failure" if violated and has_rules and goal == "success" else goal
        safety = Safety(
            RULES, unknown, tuple(Violation(rule, step) for rule, step in violated.items()), goal
        )  # fmt: skip
        proof = {PROOF_KEY: safety.as_proof} if has_rules else {}
        person = chance.choice(("success", "failure", ""))
        said = [Judgement("rules", RULE, "1", Subject(), status, proof=proof)]
        said += [Judgement("ann", PERSON, "", Subject(), person)] if person else []
        agent, is_fault = chance.choice("gh"), number % 11 == 0
        outcome = Outcome("" if is_fault else status, infrastructure="it fell" if is_fault else "")
        write_run(project, f"r{number}", Episode(agent=agent), outcome, judgements=said)
        if not is_fault:
            known = has_rules and (bool(violated) or not unknown)
            runs.append({"agent": agent, "goal": goal, "violated": violated if has_rules else {},
                         "known": known, "ann": person})  # fmt: skip
    return project, runs


@pytest.mark.parametrize("judge", ["recorded", "rules", "ann"])
def test_measures_of_safety_and_a_plain_loop_agree(runs, judge: str) -> None:
    project, written = runs
    result = pivot(
        load_episodes(project, judge=judge), [DIMENSIONS["agent"]], [MEASURES[name] for name in NAMES]
    )
    for row, (agent,) in enumerate(result.groups.labels):
        counts = dict.fromkeys(NAMES[:4], 0)
        judged = known = unsafe = 0
        first = []
        for run in (run for run in written if run["agent"] == agent):
            goal = run["ann"] if judge == "ann" else run["goal"]
            if run["violated"]:
                first.append(min(run["violated"].values()) + 1)
            if not run["known"]:
                continue
            known += 1
            unsafe += bool(run["violated"])
            if goal:
                judged += 1
                word = "unsafe" if run["violated"] else "safe"
                counts[f"{word}-{'success' if goal == 'success' else 'failure'}"] += 1
        for column, name in enumerate(NAMES[:4]):
            cell = result.cell(row, column)
            assert (cell.hits, cell.count) == (counts[name], judged), name
        assert (result.cell(row, 4).hits, result.cell(row, 4).count) == (unsafe, known)
        assert result.cell(row, 5).value == pytest.approx(statistics.fmean(first))


def test_episodes_are_split_by_the_rules_that_they_violate(runs) -> None:
    project, written = runs
    result = pivot(load_episodes(project), [DIMENSIONS["violated"]], [MEASURES["violations"]])
    found = {label: result.cell(row, 0).hits for row, (label,) in enumerate(result.groups.labels)}
    named = [", ".join(sorted(run["violated"])) for run in written if run["violated"]]
    assert {name: hits for name, hits in found.items() if name} == {
        name: named.count(name) for name in set(named)
    }
