"""A scripted model in the place of a model judge: a trajectory in, judgements with their cost out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.judging import judge_trajectories
from collector.judge.kinds import Judge
from collector.judge.votes.person_verdict import said_by
from collector.judge.votes.votes import quality_rows
from collector.judge.windows import Window, sliding_windows
from collector.model.action import Complete
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.model.usage import Usage
from collector.model.verdicts.judgement import (
    FAILURE,
    MISSED,
    MODEL,
    REACHED,
    STATE,
    SUCCESS,
    TASK,
    WINDOW,
    Judgement,
    Subject,
)
from collector.model.verdicts.voted_subject import voted_subjects
from collector.project_rules.project_rules import ProjectRules
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements, read_judgements
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task

COST = Usage(input_tokens=900, output_tokens=12, cost=0.002, currency="USD", time_ms=800)


@dataclass
class ScriptedModel:
    """Says yes of a window that shows the sentence of a state; a state is reached when any window says so."""

    failing: frozenset[str] = frozenset()
    asked: list[tuple[str, Window]] = field(default_factory=list)
    name: str = "scripted"
    kind: str = MODEL

    def judge(self, trajectory: JudgedTrajectory) -> Iterator[Judgement]:
        if trajectory.header.id in self.failing:
            raise UserError("The model does not answer", "the connection was refused")
        reached = {}
        windows = sliding_windows(len(trajectory.steps), 4, 2)
        for state in trajectory.states:
            for window in windows:
                self.asked.append((state.id, window))
                shown = range(window.first, window.last + 1)
                seen = any(trajectory.view(index).has_keyword(state.description) for index in shown)
                subject = Subject(WINDOW, state.id, window.first, window.last)
                yield Judgement(self.name, self.kind, "m-1", subject, REACHED if seen else MISSED, 0.9,
                                raw="Yes" if seen else "No", usage=COST)  # fmt: skip
                if seen:
                    reached.setdefault(state.id, window.last)
            verdict, at = REACHED if state.id in reached else MISSED, reached.get(state.id)
            yield Judgement(self.name, self.kind, "m-1", Subject(STATE, state.id, at, at), verdict)
        done = len(reached) == len(trajectory.states)
        yield Judgement(self.name, self.kind, "m-1", Subject(TASK), SUCCESS if done else FAILURE)


@pytest.fixture
def project(tmp_path: Path) -> ProjectRules:
    project = Project.create(tmp_path / "p")
    put_task(project, Task("shop", "Buy", essential_states=("seen", "paid")))
    for name, texts in (
        ("good", ["Home", "Poster", "Cart", "Thank you", "End"]),
        ("bad", ["Home", "Poster"]),
    ):
        with project.new_trajectory(TrajectoryHeader(name, "shop", RUN)) as writer:
            for number, text in enumerate(texts):
                writer.append(step(number, Complete() if text == texts[-1] else None), png(), xml(text))
            writer.finish()
    project.paths.rule_file("state").parent.mkdir(exist_ok=True)
    project.paths.rule_file("state").write_text(
        "states: [{id: seen, description: Poster}, {id: paid, description: Thank you}]\n", encoding="utf-8"
    )
    return ProjectRules.open(project.folder)


def test_a_model_judges_windows_and_its_verdicts_are_kept_with_their_cost(project: ProjectRules) -> None:
    model: Judge = ScriptedModel()
    folders = list(project.project.trajectory_folders())
    results = {result.trajectory: result for result in judge_trajectories(project, folders, model)}
    assert {name: result.on_task.verdict for name, result in results.items() if result.on_task} == {
        "good": "success", "bad": "failure",
    }  # fmt: skip
    good = next(folder for folder in folders if folder.name == "good")
    stored = read_judgements(good).judgements
    windows = [item for item in stored if item.subject.kind == WINDOW]
    assert [(item.subject.state, item.subject.first, item.subject.last) for item in windows] == [
        ("seen", 0, 3), ("seen", 1, 4), ("paid", 0, 3), ("paid", 1, 4),
    ]  # fmt: skip
    assert {item.verdict for item in windows} == {REACHED}
    assert (windows[0].usage, windows[0].raw, windows[0].confidence) == (COST, "Yes", 0.9)
    assert (good / "judgements" / "scripted.jsonl").is_file()
    # What it says is not judged again, and is compared like anybody's.
    (said,) = said_by(project, [good], "scripted")
    assert said.on_task is not None
    add_judgements(good, [Judgement("ann", "person", "", Subject(STATE, "paid"), MISSED)])
    votes = voted_subjects("good", "shop", read_judgements(good).newest().values())
    (row,) = quality_rows(votes, ["ann", "scripted"], "ann")
    assert (row.judge, row.quality.false_positives) == ("scripted", 1)


def test_a_judge_that_fails_at_one_trajectory_goes_on_with_the_others(project: ProjectRules) -> None:
    model = ScriptedModel(frozenset({"bad"}))
    results = list(judge_trajectories(project, project.project.trajectory_folders(), model))
    assert {result.trajectory: result.problem for result in results} == {
        "bad": "The model does not answer: the connection was refused", "good": "",
    }  # fmt: skip
    assert model.asked
