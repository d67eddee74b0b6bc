"""The back-test of many recordings keeps few steps and trees in memory, and finds what it found with all."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from collector.model.resources import asset
from collector.project_rules import reopened_trajectories
from collector.project_rules.project_rules import ProjectRules
from collector.project_rules.recording_choice import RecordingChoice
from collector.project_rules.reopened_trajectories import OpenTrajectories
from collector.rules.backtest.backtest import BackTest
from collector.rules.columns import kept_views
from collector.rules.columns.corpus import Corpus
from collector.rules.grammar.model import STATE
from collector.rules.lint.recorded_vocabulary import RecordedVocabulary
from collector.store.project.project import Project

_FEW = 30


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The sample without its pictures."""
    folder = tmp_path_factory.mktemp("reopened") / "sample"
    pictures = shutil.ignore_patterns("*.png", "*.webp", "*.jpg", "*.mkv")
    shutil.copytree(asset("sample"), folder, ignore=pictures)
    return Project.open(folder)


def test_results_are_those_of_steps_that_stay_in_memory(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = ProjectRules(project)
    rules = own.rules()
    states = [rule for rule in rules if rule.kind == STATE]
    whole = BackTest(Corpus(project.open_trajectories(), tasks=project.tasks, states=states))
    monkeypatch.setattr(reopened_trajectories, "MOST_STEPS", _FEW)
    monkeypatch.setattr(kept_views, "KEPT_VIEWS", _FEW)
    few = BackTest(own.corpus(choice=RecordingChoice(None)))
    assert few.corpus.trajectories == whole.corpus.trajectories
    for rule in rules[::3]:
        result = few.run(rule)
        assert list(result.rows) == list(whole.run(rule).rows), rule.id
        assert (result.fires, result.wrong) == (
            sum(row.fires for row in result.rows), sum(len(row.wrong) for row in result.rows),
        )  # fmt: skip
    last = len(whole.corpus) - 1
    assert (few.corpus.step(last), few.corpus.xml(last)) == (whole.corpus.step(last), whole.corpus.xml(last))


def test_only_so_many_steps_stay_open(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reopened_trajectories, "MOST_STEPS", _FEW)
    others = OpenTrajectories()
    stored = list(project.open_trajectories())
    kept = [others.keep(item) for item in stored]
    assert [len(item.steps) for item in kept] == [len(item.steps) for item in stored]
    still_open = [item for item, one in zip(stored, kept, strict=True) if one.stored is item]
    assert still_open == []  # each pass reads all of them anew
    assert kept[-1].stored is kept[-1].stored
    long = max(stored, key=lambda item: len(item.steps))
    assert others.keep(long).stored is others.of(long.folder)


def test_a_trajectory_that_is_gone_has_empty_states(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reopened_trajectories, "MOST_STEPS", 1)
    shutil.copytree(project.folder, tmp_path / "copy")
    own = ProjectRules.open(tmp_path / "copy")
    corpus = own.corpus(choice=RecordingChoice(None))
    first = own.project.trajectory_folders()
    shutil.rmtree(next(first))
    assert (corpus.step(0).state.tree, corpus.xml(0), corpus.view(0).tree) == ("", b"", None)
    assert corpus.screenshot(0) is None
    assert corpus.key(0) != ""  # as it was when all were read


def test_the_vocabulary_is_that_of_all_nodes(project: Project) -> None:
    test = ProjectRules(project).back_test("waymark")
    words = RecordedVocabulary(test)
    nodes = [node for state in test.corpus for node in state.view().nodes]
    for name in ("text", "content-desc", "resource-id", "class", "package"):
        values = list(dict.fromkeys(value for node in nodes if (value := node.attributes.get(name))))
        assert [value for value in test.states().values(name) if value] == values, name
    everything = {name for node in nodes for name in node.attributes}
    assert words.attributes == everything
    assert words.packages == tuple(
        dict.fromkeys(state.step.state.package for state in test.corpus if state.step.state.package)
    )
