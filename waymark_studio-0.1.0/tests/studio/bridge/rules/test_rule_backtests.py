"""Rules are tried behind the window; only the newest question of a kind is answered."""

from __future__ import annotations

import pytest

from collector.hierarchy.parse import parse_tree
from collector.rules.conditions.element_exists import ElementExists
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import WAYMARK, Group, Rule
from collector.rules.grammar.rule_reader import read_rules
from collector.store.project.project import Project
from studio.bridge import JobRunner
from studio.bridge.rules.rule_backtests import RuleBackTests, RuleKey
from tests.helpers.rule_room import INJECTION_TEXT, SUCCESS_TEXT, make_project, results_screen
from tests.helpers.xpath_bombs import SLOW, flat_dump, flat_tree

_SLOW = 20_000
BOUGHT = read_rules(SUCCESS_TEXT).rules[0]
RESULTS = read_rules(INJECTION_TEXT).rules[0]
BOTH = {RuleKey("a.yaml", "on_results"): RESULTS, RuleKey("b.yaml", "bought"): BOUGHT}


@pytest.fixture
def runner(qapp, qtbot):
    job_runner = JobRunner()
    yield job_runner
    job_runner.close()
    job_runner.deleteLater()
    qtbot.wait(0)


@pytest.fixture
def tests(runner, qtbot, tmp_path):
    rule_backtests = RuleBackTests(runner)
    project = make_project(tmp_path / "project")
    with qtbot.waitSignal(rule_backtests.ready, timeout=_SLOW):
        rule_backtests.load(project, project.tasks, (), WAYMARK)
    yield rule_backtests
    rule_backtests.close()
    rule_backtests.deleteLater()


def test_the_corpus_holds_every_recorded_state_of_the_project(tests) -> None:
    assert len(tests.corpus) == 5
    assert tests.semantics == WAYMARK


def test_a_rule_is_tried_on_everything_and_compared(tests, qtbot) -> None:
    with qtbot.waitSignal(tests.tested, timeout=_SLOW) as emitted:
        tests.test(BOUGHT, RESULTS)
    assert emitted.args[0].result.fires == 1
    assert [difference.position for difference in emitted.args[0].differences]


def test_all_rules_are_tried_for_the_list(tests, qtbot) -> None:
    with qtbot.waitSignal(tests.tested_all, timeout=_SLOW) as emitted:
        tests.test_all(BOTH)
    assert [emitted.args[0][key].fires for key in BOTH] == [0, 1]


def test_only_the_newest_of_many_questions_is_answered(tests, qtbot) -> None:
    shown = []
    tests.shown.connect(shown.append)
    for position in (0, 1, 2, 3, 4):
        tests.show(position)
    qtbot.waitUntil(lambda: bool(shown), timeout=_SLOW)
    assert [difference.position for difference in shown] == [4]
    assert (shown[0].trajectory.task_id, shown[0].index, shown[0].count) == ("look", 1, 2)
    assert shown[0].image.width() == 360


def test_a_state_that_is_not_there_is_no_question(tests, runner) -> None:
    tests.show(5)
    tests.show(-1)
    tests.explain(BOUGHT, 99)
    assert runner.jobs == []


def test_an_explanation_says_what_would_change_the_verdict(tests, qtbot) -> None:
    with qtbot.waitSignal(tests.explained, timeout=_SLOW) as emitted:
        tests.explain(RESULTS, 1)
    explained = emitted.args[0]
    assert not explained.proof.holds
    assert explained.state.position == 1
    assert explained.alternatives


def test_a_trajectory_proposes_success_rules_first(tests, qtbot) -> None:
    ref = tests.corpus.state(0).trajectory
    with qtbot.waitSignal(tests.proposed, timeout=_SLOW) as emitted:
        tests.propose(ref, "low_battery")
    kinds = [row.rule.kind for row in emitted.args[0]]
    assert kinds[0] == "success"
    assert kinds == sorted(kinds, reverse=True)


def test_what_is_asked_for_while_the_recordings_are_read_again_is_answered_then(
    tests, qtbot, tmp_path
) -> None:
    """As right after a recording: the catalogue tells a change, and all is read again."""
    ref = tests.corpus.state(0).trajectory
    project = Project.open(tmp_path / "project")
    with qtbot.waitSignal(tests.proposed, timeout=_SLOW) as emitted:
        tests.load(project, project.tasks, (), WAYMARK)
        assert tests.corpus is None
        tests.propose(ref, "low_battery")
    assert emitted.args[0]
    tests.load(None, (), (), WAYMARK)
    tests.propose(ref, "low_battery")
    with qtbot.assertNotEmitted(tests.proposed), qtbot.waitSignal(tests.ready, timeout=_SLOW):
        tests.load(None, (), (), WAYMARK)


def test_nodes_are_answered_with_conditions_even_without_a_project(runner, qtbot, tests) -> None:
    with qtbot.waitSignal(tests.shown, timeout=_SLOW) as emitted:
        tests.show(1)
    view = emitted.args[0].view
    node = next(node for node in view.nodes if node.text == "Sort")
    alone = RuleBackTests(runner)
    with qtbot.waitSignal(alone.suggested, timeout=_SLOW) as found:
        alone.suggest(view, [node])
    assert found.args[0]
    alone.close()
    alone.deleteLater()


def test_closing_answers_nothing_any_more(tests, runner, qtbot) -> None:
    heard = []
    tests.tested_all.connect(heard.append)
    tests.test_all(BOTH)
    tests.close()
    qtbot.waitUntil(lambda: not runner.jobs, timeout=_SLOW)
    assert heard == []
    assert tests.corpus is None


def test_without_a_project_there_is_no_corpus(tests, qtbot) -> None:
    with qtbot.waitSignal(tests.ready, timeout=_SLOW) as emitted:
        tests.load(None, (), (), WAYMARK)
    assert emitted.args == [None]
    assert tests.corpus is None


def test_a_screen_that_is_not_recorded_is_proved_behind_the_window(tests, qtbot) -> None:
    view = StateView(parse_tree(results_screen()), results_screen(), "com.example.shop", ".Results")
    with qtbot.waitSignal(tests.proved, timeout=_SLOW) as emitted:
        tests.prove(RESULTS, view, WAYMARK)
    proved = emitted.args[0]
    assert (proved.proof.holds, proved.asked is view, proved.view is view) == (False, True, False)
    assert proved.proof.parts[0].missing == ("Metro",)
    assert proved.view.nodes == view.nodes


def test_an_explanation_that_nobody_waits_for_is_given_up(tests, runner, qtbot) -> None:
    """Its job ends although the rule would take minutes."""
    screen = StateView(flat_tree(800), flat_dump(800))
    slow = Group(conditions=tuple(ElementExists(selector=f"{SLOW}[{at}]") for at in range(1000)))
    tests.prove(Rule(id="slow", kind="success", conditions=slow), screen, WAYMARK)
    with qtbot.waitSignal(tests.proved, timeout=_SLOW) as emitted:
        tests.prove(BOUGHT, screen, WAYMARK)
    assert emitted.args[0].rule == BOUGHT
    qtbot.waitUntil(lambda: not runner.jobs, timeout=_SLOW)
