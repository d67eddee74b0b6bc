"""An XPath that takes too many steps on a screen: nothing is known there, and everything says why."""

from __future__ import annotations

import pytest

from collector.hierarchy.parse import parse_tree
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.rule_judge import RuleJudge
from collector.model.action import Tap
from collector.model.task import Task
from collector.model.trajectory import RUN
from collector.model.verdicts.judgement import UNDECIDED
from collector.rules.backtest.backtest import BackTest
from collector.rules.columns.corpus import Corpus
from collector.rules.conditions.action_was import ActionWas
from collector.rules.conditions.element_exists import ElementExists, ElementNotExists
from collector.rules.conditions.element_text import ElementTextEquals
from collector.rules.conditions.text_matches import TextMatches
from collector.rules.conditions.text_similar import TextSimilar
from collector.rules.evaluation.explanation import reason
from collector.rules.evaluation.proof import TOO_MANY_STEPS
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.model import SUCCESS, Condition, Group, Rule
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.judged import states_of
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen
from tests.helpers.xpath_bombs import SLOW, bomb, flat_dump

_LARGE, _SMALL = flat_dump(800), flat_dump(8)
_CONDITIONS = (
    ElementExists(selector=SLOW),
    ElementNotExists(selector=SLOW),
    ElementTextEquals(selector=SLOW, text="Row 1"),
    TextMatches(selector=SLOW, pattern="Row"),
    TextSimilar(selector=SLOW, text="Row"),
)


@pytest.fixture(scope="module")
def view() -> StateView:
    """One for all, so that the path is tried once."""
    return StateView(parse_tree(_LARGE), _LARGE)


@pytest.fixture(scope="module")
def trajectory() -> MemoryTrajectory:
    screens = [RecordedScreen(_SMALL, Tap(1, 2)), RecordedScreen(_LARGE, None)]
    return MemoryTrajectory("t", screens, RUN)


@pytest.mark.parametrize("condition", _CONDITIONS, ids=lambda condition: condition.type)
def test_neither_a_condition_nor_its_opposite_holds(condition: Condition, view: StateView) -> None:
    proof = prove(condition, view)
    opposite = prove(Group(kind="not", conditions=(condition,)), view)
    assert (proof.holds, proof.note, opposite.holds) == (False, TOO_MANY_STEPS, False)
    assert reason(proof, view) == "Its XPath takes too many steps on this screen and was given up"


def test_the_node_of_the_last_action_is_not_known_either(view: StateView) -> None:
    after = StateView(view.tree, view.xml, step=2, action=Tap(5, 5), previous=view)
    assert prove(ActionWas(action="tap", selector=SLOW), after).note == TOO_MANY_STEPS


@pytest.mark.parametrize(
    ("condition", "kind"),
    [(_CONDITIONS[0], "not"), (_CONDITIONS[1], "all"), (_CONDITIONS[-1], "not")],
    ids=lambda value: value if isinstance(value, str) else value.type,
)
def test_a_back_test_says_the_same_of_each_state(
    condition: Condition, kind: str, trajectory: MemoryTrajectory
) -> None:
    group = Group(kind=kind, conditions=(condition,))
    test = BackTest(Corpus([trajectory]))
    verdicts = test.run(Rule(id="slow", kind=SUCCESS, conditions=group)).verdicts
    proofs = [prove(group, test.corpus.view(position)) for position in range(2)]
    assert verdicts.holds.tolist() == [proof.holds for proof in proofs]
    assert verdicts.unseen is not None
    assert verdicts.unseen.tolist() == [False, True] == [proof.unseen for proof in proofs]


def test_a_judge_leaves_open_what_it_cannot_know(trajectory: MemoryTrajectory) -> None:
    condition = f'conditions: [{{type: element_exists, selector: "{SLOW}"}}]'
    rules = states_of(f"- {{id: far, {condition}}}")
    last = MemoryTrajectory("t", [RecordedScreen(_LARGE, None)], RUN, status="finished")
    judged = JudgedTrajectory.of(last, [Task("t", "Do", essential_states=("far",))], rules)
    found = {item.subject.state or "task": item for item in RuleJudge().judge(judged)}
    assert found["far"].verdict == UNDECIDED
    assert "takes too many steps" in found["far"].reason
    assert found["task"].reason.endswith("The XPath of far takes too many steps on the screens")


def test_a_rule_with_a_bomb_is_named_with_line_and_reason() -> None:
    text = f'done:\n  conditions:\n  - {{type: element_exists, selector: "{bomb(8)}"}}\n'
    (diagnostic,) = read_rules(text, kind=SUCCESS).diagnostics
    assert (diagnostic.code, diagnostic.place.line) == ("W107", 3)
    assert diagnostic.what == "The XPath is too complex"
    assert diagnostic.why.startswith("8 searches of the screen are inside one another; at most 4")
