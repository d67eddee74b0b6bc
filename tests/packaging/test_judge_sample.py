"""The verdicts of the sample's simulated judge: that they say what they are, and come by the recipe."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from collector.metrics.statistics.intervals import wilson_intervals
from collector.model.action import Answer
from collector.model.resources import asset
from collector.model.verdicts.judgement import REACHED, STATE, TASK, WINDOW, Judgement, Subject
from collector.model_judges.asked_questions import asked_questions
from collector.model_judges.judge_files import named_model_judge, read_judge_file
from collector.model_judges.judging_run import JudgingControl, judge_by_models
from collector.project_rules.project_rules import ProjectRules
from collector.store.project.project import Project
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.chat_server import ChatServer
from tests.helpers.sample_facts import STATE_FACTS, SampleScreen
from tests.helpers.scripts import script

simulated_model = script("packaging/sample", "simulated_model")
judge_sample = script("packaging/sample", "judge_sample")
NAME, SHORTEST = "simulated", "shop-11-lin"


def _verdicts(folder: Path) -> list[Judgement]:
    return [item for item in read_judgements(folder).judgements if item.judge == NAME]


@pytest.fixture(scope="module")
def sample() -> Project:
    return Project.open(asset("sample"))


@pytest.fixture
def copied(tmp_path: Path) -> Project:
    """The sample with one task and no answer kept, as somebody has it who copied it."""
    folder = tmp_path / "sample"
    shutil.copytree(asset("sample"), folder, ignore=shutil.ignore_patterns("trajectories", ".cache"))
    shutil.copytree(asset("sample") / "trajectories/shop-11", folder / "trajectories/shop-11")
    return Project.open(folder)


def test_trajectories_have_verdicts_of_the_judge_as_it_is_and_it_says_that_no_model_looked(
    sample: Project,
) -> None:
    file = read_judge_file(NAME, sample)
    assert file is not None
    assert "no real model looked at the screens" in file.description
    version = named_model_judge(NAME, sample, sends=False).version
    assert "no-real-model" in version
    folders = judge_sample.judged_folders(sample)
    assert len(folders) == len(list(sample.trajectory_folders())) - 32
    for folder in folders:
        verdicts = _verdicts(folder)
        assert {item.version for item in verdicts} == {version}, folder
        assert [item.subject.kind for item in verdicts].count(TASK) == 1
        assert {item.proof["model"] for item in verdicts if item.raw} == {simulated_model.MODEL}


def test_its_mistakes_are_as_frequent_as_the_simulated_model_says(sample: Project) -> None:
    overlooked, imagined = list[bool](), list[bool]()
    for folder in sample.trajectory_folders():
        stored = open_trajectory(folder)
        screens = [
            SampleScreen(stored.tree(step) or b"", step.state.package, step.state.activity)
            for step in stored.steps
        ]
        answers = {at: step.action for at, step in enumerate(stored.steps) if isinstance(step.action, Answer)}
        windows = [item for item in _verdicts(folder) if item.subject.kind == WINDOW]
        for state in {item.subject.state for item in windows}:
            asked = [item for item in windows if item.subject.state == state]
            shown = [_shows(state, screens, answers, item.subject) for item in asked]
            if any(shown):
                overlooked.append(all(item.verdict != REACHED for item in asked))
            if not shown[0]:
                imagined.append(asked[0].verdict == REACHED)
    for mistakes, rate in ((overlooked, simulated_model.OVERLOOKS), (imagined, simulated_model.IMAGINES)):
        low, high = wilson_intervals(np.array([sum(mistakes)]), np.array([len(mistakes)]))
        assert low[0] <= rate <= high[0], (sum(mistakes), len(mistakes))
        assert sum(mistakes) > 1


def _shows(state: str, screens: Sequence[SampleScreen], answers: dict[int, Answer], window: Subject) -> bool:
    """Whether a screen of a window shows a state, or the answer that was given on it."""
    assert window.first is not None
    assert window.last is not None
    places = range(window.first, window.last + 1)
    looks = [screens[at] for at in places]
    looks += [replace(screens[at], led_here=answers[at]) for at in places if at in answers]
    return any(map(STATE_FACTS[state].seen, looks))


def test_the_verdicts_are_those_of_the_recipe(copied: Project) -> None:
    folder = copied.find(SHORTEST)
    shipped = _verdicts(folder)
    with ChatServer(simulated_model.SimulatedModel(copied)) as server:
        simulated = named_model_judge(NAME, copied, {"base_url": server.address}, sends=False)
        (result,) = judge_by_models(ProjectRules(copied), [folder], simulated, JudgingControl(), keep=False)
    assert result.problem == ""
    said = [
        [(item.subject, item.verdict, item.reason, item.confidence, item.raw, item.proof.get("words"))
         for item in judgements]
        for judgements in (result.judgements, shipped)
    ]  # fmt: skip
    assert said[0] == said[1]
    assert [item.verdict for item in shipped if item.subject.kind == STATE]


def test_its_questions_are_shown_where_no_answer_is_kept(copied: Project) -> None:
    folder = copied.find(SHORTEST)
    judge = named_model_judge(NAME, copied, sends=False)
    asked = asked_questions(ProjectRules(copied), folder, judge)
    windows = [item for item in _verdicts(folder) if item.subject.kind == WINDOW]
    assert [item.reply.raw for item in asked] == [item.raw for item in windows]
    said = [verdict.verdict for item in asked for verdict in item.verdicts.values()]
    assert said == [item.verdict for item in windows]
    assert asked[0].reply.usage == windows[0].usage
    assert not copied.paths.cache.exists()
    # They belong to the judge, the words and the state as they are now.
    other = named_model_judge(NAME, copied, {"window": 2}, sends=False)
    assert asked_questions(ProjectRules(copied), folder, other) == []
    states = copied.paths.rule_file("state")
    text = states.read_text(encoding="utf-8")
    states.write_text(text.replace("Botanical prints are searched", "Prints are found"), encoding="utf-8")
    left = asked_questions(ProjectRules(Project.open(copied.folder)), folder, judge)
    assert 0 < len(left) < len(asked)
    assert "shop-11-1" not in {state for item in left for state in item.question.states}
    assert json.loads(left[0].reply.raw)["reached"] in {"yes", "no"}
