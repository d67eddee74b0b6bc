"""Files and catalogue give the same counts of runs that are drawn at random, whatever judges said of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.metrics.check import check_metrics
from collector.model.action import Tap
from collector.model.episode import ACTING_PERSON, Episode, Outcome
from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.model.verdicts.judgement import MODEL, PERSON, RULE, VERDICTS, Judgement, Subject
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.reviews.labels import Labels
from tests.helpers.person_files import write_labels
from tests.helpers.run_files import anomaly_event, write_run
from tests.helpers.steps import step

TASKS = ("t0", "t1")
OUTCOMES = (
    Outcome("success"), Outcome("failure", claimed="complete"), Outcome("uncompleted"),
    Outcome("uncompleted", early_stop=True), Outcome(), Outcome(claimed="answer"), None,
    Outcome(infrastructure="The phone was lost"),
    Outcome(infrastructure="A person stopped the episode", stopped=True),
)  # fmt: skip
STATUSES = (*["finished"] * 5, "imported", "recording", "recovered")


def drawn_states(draw: random.Random) -> list[EssentialState]:
    """States of two tasks and of none, with alternatives of each other; some are optional."""
    states = []
    for task in (*TASKS, ""):
        ids = [f"{task or 'any'}-{number}" for number in range(draw.randint(0, 4))]
        for name in ids:
            others = [other for other in draw.sample(ids, min(2, len(ids))) if other != name]
            alternatives = tuple(others) if draw.random() < 0.4 else ()
            states.append(EssentialState(name, "", task, (), draw.random() < 0.3, alternatives))
    return states


def drawn_judgements(draw: random.Random, states: list[str]) -> Iterator[Judgement]:
    for who, kind in (("rules", RULE), ("ann", PERSON), ("bo", PERSON), ("qwen", MODEL)):
        if draw.random() < 0.5:
            continue
        if draw.random() < 0.6:
            yield Judgement(who, kind, "", Subject(), draw.choice(VERDICTS["task"]))
        for state in states:
            if draw.random() < 0.6:
                yield Judgement(who, kind, "", Subject("state", state), draw.choice(VERDICTS["state"]))
    if draw.random() < 0.2:
        yield Judgement("cy", PERSON, "", Subject(), draw.choice(VERDICTS["task"]), settles=True)


@pytest.mark.parametrize("seed", [1, 2])
def test_files_and_catalogue_agree(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    project = Project.create(tmp_path / "p")
    states = drawn_states(draw)
    ids = [state.id for state in states]
    project.save_tasks([Task(task, "Do it") for task in TASKS], states=[StateChange(None, s) for s in states])
    for number in range(40):
        episode = Episode(
            draw.choice(["e", "f"]), agent=draw.choice(["a", "b"]), condition=draw.choice(["", "", "low"]),
            variation=draw.choice(["", "dark"]), seed=draw.choice([None, 1]), attempt=draw.choice([None, 1]),
        )  # fmt: skip
        folder = write_run(
            project, f"{number:02}", episode, draw.choice(OUTCOMES), task=draw.choice([*TASKS, "gone"]),
            steps=[step(0, Tap(1, 1), extra={ACTING_PERSON: "ann"} if draw.random() < 0.1 else {})],
            events=[anomaly_event("injected", 50)] if draw.random() < 0.4 else [],
            judgements=list(drawn_judgements(draw, ids)), status=draw.choice(STATUSES),
        )  # fmt: skip
        if draw.random() < 0.3:
            labels = Labels(draw.choice(["ann", "zoe"])).with_missed(*draw.sample(ids, len(ids) // 2))
            write_labels(folder, labels)
    result = check_metrics(project)
    assert result.differences == ()
    assert sum(number.from_files[1] for number in result.numbers) > 20
