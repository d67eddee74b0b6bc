"""Who answers the agents of an experiment: the key ``user``, its mistakes, and what has to be allowed."""

from __future__ import annotations

import pytest

from collector.asking.user_choice import UserChoice
from collector.consent.transfer import Transfer
from collector.run.experiment.agent_demands import experiment_demands
from collector.run.experiment.lint import lint
from tests.collector.run.experiment.scopes import experiment_scope, read

HEAD = "tasks: [shop-1]\nagents: [golden]\n"
MODEL = {"model": "m", "base_url": "http://127.0.0.1:9/v1", "key_env": "PLAY_KEY"}


@pytest.mark.parametrize(
    ("written", "choice"),
    [
        ("", UserChoice()),
        ("user: person", UserChoice("person")),
        ("user: {who: person, within_s: 5, unanswered: end}", UserChoice("person", 5, "end")),
        ("user: {model: m, base_url: 'http://127.0.0.1:9/v1', key_env: PLAY_KEY}",
         UserChoice("model", options=MODEL)),
        ("user: {who: model, options: {model: m, base_url: 'http://127.0.0.1:9/v1', key_env: PLAY_KEY}}",
         UserChoice("model", options=MODEL)),
    ],
)  # fmt: skip
def test_who_answers_is_read(written: str, choice: UserChoice) -> None:
    scope = experiment_scope()
    file = read(HEAD + written, scope)
    assert lint(file, scope) == ()
    assert file.experiment.user == choice
    assert UserChoice.read(choice.as_dict()) == choice


@pytest.mark.parametrize(
    ("written", "code", "says"),
    [
        ("user: persn", "unknown-type", "Nobody called persn answers an agent"),
        ("user: [person]", "wrong-shape", "user is a word or a mapping"),
        ("user: model", "bad-option", "needs the option model"),
        ("user: {who: model, model: m, modl: x}", "bad-option", "has no option modl"),
        ("user: {who: replies, within_s: 5}", "unknown-setting", "within_s has no effect here"),
        ("user: {who: person, within_s: 0}", "out-of-range", "within_s is 0"),
        ("user: {who: person, model: m}", "unknown-setting", "no key model here"),
        ("user: {model: m, api_key: sk-abcdefghijklmnopqrstuvwx}", "secret-in-file", "looks like a key"),
    ],
)
def test_what_is_wrong_with_it_is_said_at_its_place(written: str, code: str, says: str) -> None:
    scope = experiment_scope()
    found = [(item.code, item.what, item.place.line) for item in lint(read(HEAD + written, scope), scope)]
    assert any(says in what and line == 3 for _code, what, line in found), found


def test_what_is_sent_to_a_model_that_plays_the_user_is_allowed_first(tmp_path) -> None:
    from collector.store.project.project import Project

    project = Project.create(tmp_path / "p")
    scope = experiment_scope()
    experiment = read(f"{HEAD}user: {{model: m, base_url: 'http://127.0.0.1:9/v1'}}", scope).experiment
    (demand,) = [demand for demand in experiment_demands(project, experiment) if demand.transfers]
    assert demand.transfers == (Transfer("http://127.0.0.1:9", sends="questions"),)
    assert "what agents ask" in demand.transfers[0].sentences()[0]
