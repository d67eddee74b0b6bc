"""Injection rules and anomalies that got another id, followed in the experiments that name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.located_yaml.yaml_patch.errors import UnsafeEditError
from collector.model.episode import Episode, Outcome
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.rules.grammar.model import INJECTION
from collector.run.experiment.id_renaming import ANOMALY, ExperimentsRenaming, IdRenaming
from collector.run.experiment.reader import read_experiment
from collector.run.experiment.scope import ExperimentScope
from collector.store.project.project import Project

HEAD = (
    "format: waymark-experiment\nversion: 1\ntasks: [low]  # a task of that name\nagents:\n  - golden # low\n"
)


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        (ANOMALY, "- low   # waits\n", "- flat   # waits\n"),
        (ANOMALY, "- 'low'\n- \"low\"\n", "- 'flat'\n- \"flat\"\n"),
        (ANOMALY, "- {id: low, anomaly: low, at: 3} # low\n", "- {id: low, anomaly: flat, at: 3} # low\n"),
        (ANOMALY, "- id: twice\n  anomalies: # both\n    - low # first\n    - {at: 4, anomaly: low}\n",
         "- id: twice\n  anomalies: # both\n    - flat # first\n    - {at: 4, anomaly: flat}\n"),
        (ANOMALY, "- {rules: [low]}\n", "- {rules: [low]}\n"),
        (ANOMALY, "- lowest\n", "- lowest\n"),
        (INJECTION, "- low\n- {rules: [other, low], limit: 2} # two\n",
         "- flat\n- {rules: [other, flat], limit: 2} # two\n"),
        (INJECTION, "- id: one\n  rules: low\n", "- id: one\n  rules: flat\n"),
        (INJECTION, "- {anomaly: low}\n- rules\n- {id: low, rules: all}\n",
         "- {anomaly: low}\n- rules\n- {id: low, rules: all}\n"),
    ],
)  # fmt: skip
def test_only_what_means_it_gets_the_new_id(kind: str, before: str, after: str) -> None:
    assert (
        IdRenaming(kind, "low", "flat").apply(f"{HEAD}conditions:\n{before}") == f"{HEAD}conditions:\n{after}"
    )


@pytest.mark.parametrize(
    ("kind", "new", "before", "after"),
    [
        (ANOMALY, "baseline", "[low]", "[{anomaly: baseline}]"),
        (INJECTION, "rules", "[low]", "[{rules: [rules]}]"),
        (INJECTION, "all", "[{rules: low}]", "[{rules: [all]}]"),
        (INJECTION, "crash", "low", "{rules: [crash]}"),
        (INJECTION, "12", "[low]", '["12"]'),
    ],
)
def test_an_id_that_means_something_else_as_a_word_is_written_so_that_it_does_not(
    kind: str, new: str, before: str, after: str
) -> None:
    renaming = IdRenaming(kind, "low", new, frozenset({"crash"}))
    assert renaming.apply(f"{HEAD}conditions: {before}\n") == f"{HEAD}conditions: {after}\n"


def test_a_word_that_is_an_anomaly_means_no_rule_of_that_name() -> None:
    text = f"{HEAD}conditions: [low, {{rules: [low]}}]\n"
    followed = IdRenaming(INJECTION, "low", "flat", frozenset({"low"})).apply(text)
    assert followed == f"{HEAD}conditions: [low, {{rules: [flat]}}]\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- low  # run\n", "- {id: low, anomaly: flat}  # run\n"),
        ("- {anomaly: low, at: 5}\n", "- {id: low, anomaly: flat, at: 5}\n"),
        ("- anomaly: low # run\n  buttons: 1\n", "- id: low:1\n  anomaly: flat # run\n  buttons: 1\n"),
        ("- {id: mine, anomaly: low}\n", "- {id: mine, anomaly: flat}\n"),
    ],
)
def test_a_condition_that_has_episodes_keeps_its_name(before: str, after: str) -> None:
    followed = IdRenaming(ANOMALY, "low", "flat").apply(
        f"{HEAD}conditions:\n{before}", {"low", "low:1", "mine"}
    )
    assert followed == f"{HEAD}conditions:\n{after}"
    names = [read_experiment(text, ExperimentScope()).experiment.conditions[0].id
             for text in (f"{HEAD}conditions:\n{before}", followed)]  # fmt: skip
    assert names[0] == names[1]


def test_a_text_with_a_slip_is_refused() -> None:
    with pytest.raises(UnsafeEditError):
        IdRenaming(ANOMALY, "low", "flat").apply(f"{HEAD}conditions: [low]\nseeds: [1\n")


def test_all_experiments_of_a_project_follow_and_the_renaming_is_taken_back(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "project", "Room")
    texts = {
        "plain": f"{HEAD}conditions: [baseline, low]  # kept\n",
        "run": f"{HEAD}conditions:\r\n- baseline\r\n- low\r\n",
        "other": f"{HEAD}conditions: [rules]\n",
        "slip": f"{HEAD}conditions: [low]\nseeds: [1\n",
    }
    for name, text in texts.items():
        path = project.paths.experiment(name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    project.paths.experiment("broken").write_bytes(b"\xff low")
    episode = Episode("run", "buy / golden / low / - / - / -", "golden", condition="low", seed=1, repeat=0)
    header = TrajectoryHeader("run-1", "buy", kind=RUN, episode=episode, outcome=Outcome("success"))
    with project.new_trajectory(header) as writer:
        writer.finish()

    def files() -> dict[str, str]:
        return {name: project.paths.experiment(name).read_bytes().decode() for name in texts}

    renaming = ExperimentsRenaming(project, ANOMALY, "low", "flat")
    (problem,) = renaming.rename()
    assert str(problem).startswith("slip.yaml cannot be changed here")
    followed = files()
    assert followed == {
        **texts,
        "plain": f"{HEAD}conditions: [baseline, flat]  # kept\n",
        "run": f"{HEAD}conditions:\r\n- baseline\r\n- {{id: low, anomaly: flat}}\r\n",
    }
    assert renaming.take_back() == ()
    assert files() == texts
    renaming.rename()
    assert files() == followed

    # What was edited meanwhile stays, with the id from before.
    project.paths.experiment("plain").write_text(f"{followed['plain']}budget: 7\n")
    project.paths.experiment("run").unlink()
    assert renaming.take_back() == ()
    assert project.paths.experiment("plain").read_text() == f"{texts['plain']}budget: 7\n"
    assert not project.paths.experiment("run").exists()
