"""A project's rules, corpus and back-tests are made in one place, for the command line and the window."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.model.cancellation import Cancelled
from collector.model.task import Task
from collector.project_rules.project_rules import ProjectRules
from collector.rules.grammar.model import DGARA, SUCCESS, WAYMARK
from collector.rules.grammar.rule_reader import read_rules
from collector.rules.suggest.rule_proposals import propose_rules
from collector.rules.suggest.samples import samples_of
from collector.store.files.layout import LIBRARY_FILE
from tests.helpers.rule_room import make_project

STATES = """states:
  - {id: in_cart, conditions: [{type: element_exists, selector: "text='Cart (1)'"}]}
"""


@pytest.fixture
def project_rules(tmp_path: Path) -> ProjectRules:
    return ProjectRules(make_project(tmp_path / "project"))


def test_the_rules_are_those_of_every_file_and_the_project_is_found_around_a_path(
    project_rules: ProjectRules,
) -> None:
    folder = project_rules.project.folder
    assert {rule.id for rule in project_rules.rules()} >= {"on_results", "bought"}
    assert project_rules.tasks_path == folder / "tasks.yaml"
    assert project_rules.library_path == folder / LIBRARY_FILE
    (folder / LIBRARY_FILE).unlink()
    assert project_rules.library_path is None
    around = ProjectRules.around(folder / "rules" / "success.yaml")
    assert around is not None
    assert around.project.folder == folder.resolve()
    assert ProjectRules.around(folder) is None


def test_a_back_test_runs_on_everything_recorded_under_either_semantics(
    project_rules: ProjectRules,
) -> None:
    test = project_rules.back_test(WAYMARK)
    assert len(test.corpus) == 5
    bought = next(rule for rule in project_rules.rules() if rule.id == "bought")
    assert test.run(bought).fires == 1
    again = project_rules.back_test(DGARA, test.corpus)
    assert (again.corpus, again.semantics) == (test.corpus, DGARA)


def test_unsaved_rules_and_tasks_replace_those_on_the_disk(project_rules: ProjectRules) -> None:
    states = read_rules(STATES).rules
    corpus = project_rules.corpus([*states, *project_rules.rules()], [Task("look", "Another text")])
    assert corpus.essential_states == tuple(states)
    assert corpus.tasks["look"].instruction == "Another text"
    assert project_rules.corpus().essential_states == ()
    assert set(project_rules.corpus().tasks) == {"buy", "look"}


def test_a_prepared_back_test_reads_all_dumps_through_the_cache_of_the_project(
    project_rules: ProjectRules,
) -> None:
    corpus = project_rules.corpus()
    calls: list[tuple[int, int]] = []
    project_rules.prepared_back_test(
        WAYMARK, corpus, lambda done, total: calls.append((done, total)), lambda: False
    )
    assert calls[-1][0] == calls[-1][1] > 0
    assert project_rules.project.paths.dump_cache.is_file()
    project_rules.project.paths.dump_cache.unlink()
    with pytest.raises(Cancelled):
        project_rules.prepared_back_test(
            WAYMARK, project_rules.corpus(), lambda _done, _total: None, lambda: True
        )


def test_a_recorded_trajectory_suggests_rules_success_rules_first(project_rules: ProjectRules) -> None:
    corpus = project_rules.corpus()
    samples = samples_of(corpus)
    assert [sample.last for sample in samples] == [
        state.index == len(corpus.positions_of(corpus.locate(state.position)[0])) - 1 for state in corpus
    ]
    recorded = corpus.state(0).trajectory
    proposals = propose_rules(samples, recorded.id, recorded.task_id, "low_battery")
    assert proposals[0].rule.kind == SUCCESS
    assert proposals[0].rule.id == f"{recorded.task_id}_done"
    assert sum(proposal.rule.kind == SUCCESS for proposal in proposals) <= 4
