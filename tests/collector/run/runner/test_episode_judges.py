"""Judges of an experiment: each episode is judged once it has ended, and no judge ends a run."""

from __future__ import annotations

import dataclasses
import json

import pytest

from collector.project_rules.project_rules import ProjectRules
from collector.run.experiment.reader import read_experiment
from collector.run.experiment.scope import scope_of
from collector.run.runner.stored_episodes import read_episodes
from collector.store.trajectory.judgements import read_judgements
from tests.helpers import chat_server as play
from tests.helpers.chat_server import ChatServer
from tests.helpers.judged_by_model import answering, write_judge
from tests.helpers.scripted_run import CELLS, EXPERIMENT, Script, make_project, make_runner
from tests.helpers.steps import png

JUDGED = dataclasses.replace(EXPERIMENT, judges=("mine",))
SAYS = json.dumps({"reason": "seen", "outcome": "success", "confidence": 1})


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path)


def judge(project, address):
    write_judge(ProjectRules(project), "mine", address, "final", process="none", retries=0)


def run(project, experiment=JUDGED):
    return make_runner(project, 2, Script(picture=png(80, 120, 200)), experiment=experiment).run()


def verdicts(project):
    found = {}
    for episode in read_episodes(project, EXPERIMENT.name):
        for (who, _subject), item in read_judgements(episode.folder).newest().items():
            found[episode.cell, who] = item.verdict
    return found


def test_every_episode_is_judged_once_and_a_run_that_goes_on_judges_what_is_missing(project):
    with ChatServer(answering(lambda _words: SAYS)) as server:
        judge(project, server.address)
        before = run(project, EXPERIMENT)
        assert (before.judged, before.judge_problems, server.requests) == (0, (), [])
        summary = run(project)
        assert (summary.how, summary.judged, summary.judge_problems) == ("finished", len(CELLS), ())
        assert verdicts(project) == {(cell.id, "mine"): "success" for cell in CELLS}
        asked = len(server.requests)
        assert run(project).judged == 0
        assert len(server.requests) == asked


def test_the_episodes_of_the_run_itself_are_judged(project):
    with ChatServer(answering(lambda _words: SAYS)) as server:
        judge(project, server.address)
        assert run(project).judged == len(CELLS)


def test_a_judge_that_fails_is_reported_and_the_run_is_whole(project):
    with ChatServer(play.refusing(500, "broken")) as server:
        judge(project, server.address)
        summary = run(project)
    assert (summary.how, summary.finished, summary.judged) == ("finished", len(CELLS), 0)
    (problem,) = summary.judge_problems
    assert problem.startswith("mine could not judge 6 episodes: The model test-model at")
    assert verdicts(project) == {}


def test_a_judge_that_cannot_be_used_ends_the_run_before_its_first_episode(project):
    write_judge(ProjectRules(project), "mine", "http://127.0.0.1:9/v1", "final")
    path = project.paths.judge("mine")
    path.write_text(path.read_text("utf-8").replace("127.0.0.1:9", "models.example:9"), "utf-8")
    summary = run(project)
    assert (summary.how, summary.finished) == ("failed", 0)
    assert "nobody has allowed this yet" in summary.reason


def test_the_file_names_judges_and_an_unknown_name_is_an_error(project):
    text = "tasks: all\nagents: [golden]\njudges: [rules, a3rm]\n"
    file = read_experiment(text, scope_of(project, {}), "x")
    assert file.experiment.judges == ("a3rm",)
    wrong = read_experiment(text.replace("a3rm", "a3mr"), scope_of(project, {}), "x")
    error = next(item for item in wrong.errors if "judge" in item.what)
    assert (error.what, error.to_do, error.place.line) == ("There is no judge a3mr", "Write a3rm", 3)
