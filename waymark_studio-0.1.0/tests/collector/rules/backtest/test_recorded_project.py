"""From a project on disk to a back-test: what the store hands over is what rules are tried on."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.model.action import Tap
from collector.model.task import Task
from collector.model.trajectory import State, TrajectoryHeader
from collector.rules.backtest.backtest import BackTest
from collector.rules.columns.corpus import Corpus
from collector.rules.columns.dump_cache import DumpCache
from collector.rules.columns.dump_columns import DumpColumns
from collector.rules.grammar.rule_reader import read_rules
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml

RULES = read_rules(
    """
bought:
  conditions:
    - {type: element_exists, selector: "text='Thanks'"}
    - {type: current_package_is, value: a}
    - {type: action_was, action: tap, selector: "text='Pay'"}
"""
).rules


@pytest.fixture
def project(tmp_path: Path) -> Project:
    created = Project.create(tmp_path / "p")
    created.save_tasks([Task("shop-1", "Buy", rule_key="bought"), Task("shop-2", "Look")])
    for task, words in (("shop-1", ("Shop", "Pay", "Thanks")), ("shop-2", ("Shop", "Thanks"))):
        with created.new_trajectory(TrajectoryHeader("", task, who="lin")) as writer:
            for number, word in enumerate(words):
                last = number == len(words) - 1
                state = State(package="a", activity=".Main")
                writer.append(step(number, state=state, action=None if last else Tap(1, 1)), png(), xml(word))
            writer.finish()
    return created


def test_rules_are_tried_on_what_a_project_recorded(project: Project) -> None:
    corpus = Corpus(project.open_trajectories(), tasks=project.tasks)
    with DumpCache(project.paths.dump_cache) as warm:
        test = BackTest(corpus, dumps=DumpColumns(warm))
        result = test.run(RULES[0])
    assert [(row.trajectory.task_id, row.trajectory.who, row.outcomes) for row in result.rows] == [
        ("shop-1", "lin", b"\0\0\2"), ("shop-2", "lin", b"\0\1"),
    ]  # fmt: skip
    assert (result.wrong, result.missed) == (0, 0)
    picture = corpus.view(0).picture()
    assert picture is not None
    assert picture.shape == (8, 4, 3)


def test_what_was_recorded_is_named_by_the_hash_on_disk(project: Project) -> None:
    """So that a second run of the program finds its dumps in the cache without reading one."""
    with DumpCache(project.paths.dump_cache) as warm:
        BackTest(Corpus(project.open_trajectories()), dumps=DumpColumns(warm)).prepare()
    for dump in project.paths.trajectories.rglob("*.xml"):
        dump.unlink()
    with DumpCache(project.paths.dump_cache) as warm:
        test = BackTest(Corpus(project.open_trajectories()), dumps=DumpColumns(warm))
        verdicts = test.verdicts(RULES[0].conditions.conditions[0])
    assert verdicts.holds.tolist() == [False, False, True, False, True]
