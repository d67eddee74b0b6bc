"""``semantics: waymark``: a rule means what it says; what is lacking is counted."""

from __future__ import annotations

from typing import Any

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.action import Answer, Invalid, Key, OpenApp, Tap, Type
from collector.model.trajectory import Target
from collector.rules.conditions.action_was import ActionWas
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.conditions.element_exists import ElementExists, ElementNotExists
from collector.rules.conditions.element_property import ElementProperty
from collector.rules.conditions.element_text import ElementTextEquals
from collector.rules.conditions.min_step import MinStep
from collector.rules.conditions.semantic_element_exists import SemanticElementExists, keywords_needed
from collector.rules.conditions.state_reached import StateReached
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.proof import ProofOutcome
from collector.rules.evaluation.state_view import BETWEEN, StateView, full_activity, main_package
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.model import WAYMARK, Condition, Group, Rule
from tests.helpers.dumps import hierarchy, node

DUMP = hierarchy(
    node(
        node(text="Title one", resource_id="app:id/title", checked="true"),
        node(text="Title two", resource_id="app:id/title"),
        node(text="购物车", content_desc="ΟΔΟΣ"),
        text="Shop",
    )
).encode()


def view(**given: Any) -> StateView:
    return StateView(parse_tree(DUMP), DUMP, **({"package": "com.shop", "activity": ".Main"} | given))


def holds(condition: Condition, **given: Any) -> bool:
    return prove(condition, view(**given)).holds


def test_every_matching_node_counts_not_the_first_alone() -> None:
    assert holds(ElementTextEquals(selector="resource-id='app:id/title'", text="Title two"))
    assert holds(ElementProperty(selector="class='android.view.View'", attribute="checked", value="true"))


def test_the_root_counts_too() -> None:
    assert holds(ElementExists(selector="text='Shop'"))


def test_keywords_do_not_reach_from_one_node_into_the_next() -> None:
    assert not holds(SemanticElementExists(keywords=("one Title",)))
    assert not holds(SemanticElementExists(keywords=(f"Title one{BETWEEN}",), match_threshold=1.0))
    assert holds(SemanticElementExists(keywords=("TITLE ONE", "οδος", "购物", "id/title")))


@pytest.mark.parametrize(
    ("count", "threshold", "need"),
    [
        *((4, 0.75, 3), (4, 0.5, 2), (3, 0.67, 3), (3, 2 / 3, 2)),
        *((10, 0.1 + 0.2, 3), (4, 0.0, 0), (5, 1.0, 5), (7, 0.3, 3)),
    ],
)
def test_thresholds_forgive_the_rounding_of_floats(count: int, threshold: float, need: int) -> None:
    assert keywords_needed(count, threshold) == need


def test_no_keywords_hold_nowhere_and_a_threshold_of_nothing_everywhere() -> None:
    assert not holds(SemanticElementExists(keywords=(), match_threshold=0.0))
    assert holds(SemanticElementExists(keywords=("absent",), match_threshold=0.0))


@pytest.mark.parametrize("name", [".Main", "Main", "com.shop.Main", "com.shop/.Main"])
def test_an_activity_may_be_named_short_or_in_full(name: str) -> None:
    assert holds(CurrentActivityIs(value=name))
    assert holds(CurrentActivityIs(value=name), activity="com.shop.Main")
    assert not holds(CurrentActivityIs(value=name), activity=".Other")
    assert not holds(CurrentActivityIs(value=""), activity="")


def test_full_names_of_activities() -> None:
    assert full_activity("com.shop", ".a.Main") == "com.shop.a.Main"
    assert full_activity("com.shop", "com.other/.Main") == "com.other.Main"
    assert full_activity("", "Main") == "Main"
    assert full_activity("com.shop", "") == ""


def test_the_package_of_a_dump_is_that_of_most_nodes() -> None:
    assert main_package(["sys", "", "app", "app"]) == "app"
    assert main_package(["a", "b"]) == "a"
    assert main_package([]) == ""


def test_a_missing_attribute_is_no_empty_one() -> None:
    assert not holds(ElementProperty(selector="text='Shop'", attribute="hint", value=""))
    assert holds(ElementProperty(selector="text='Shop'", attribute="content-desc", value=""))


def test_min_step_holds_a_condition_back() -> None:
    condition = ElementExists(selector="text='Shop'", min_step=3)
    early, late = prove(condition, view(step=2)), prove(condition, view(step=3))
    assert (early.holds, early.note, early.outcome) == (False, "too-early", ProofOutcome.NEAR)
    assert late.holds
    assert prove(MinStep(value=3), view(step=3)).holds


@pytest.mark.parametrize(
    ("action", "condition", "expected"),
    [
        (Type("two socks"), ActionWas(action="type", text="sock"), True),
        (Answer("14.90"), ActionWas(action="answer", text="14"), True),
        (Key("back"), ActionWas(action="key", text="back"), True),
        (Key("home"), ActionWas(action="key", text="back"), False),
        (OpenApp("com.shop"), ActionWas(action="open_app", text="com.shop"), True),
        (Invalid("dance()"), ActionWas(action="invalid", text="dance"), True),
        (Invalid("dance()"), ActionWas(action="invalid", text="malformed"), True),
        (Invalid("dance()"), ActionWas(action="invalid", text="hallucinated"), False),
        (Tap(1, 1), ActionWas(action="*"), True),
        (None, ActionWas(action="*"), False),
        (Tap(1, 1), ActionWas(action="type"), False),
    ],
)
def test_actions_are_told_by_kind_and_words(action: Any, condition: ActionWas, expected: bool) -> None:
    assert holds(condition, action=action) == expected


def test_the_touched_node_is_looked_for_in_the_state_before() -> None:
    before = view()
    touched = Target((0, 1), attributes={"text": "stale"}, selectors=("text='stale' within text='x'",))
    after = StateView(action=Tap(1, 1), target=touched, previous=before)
    assert prove(ActionWas(action="tap", selector="text='Title two'"), after).holds
    assert not prove(ActionWas(action="tap", selector="text='stale'"), after).holds
    alone = StateView(action=Tap(1, 1), target=touched)
    assert prove(ActionWas(action="tap", selector="text='stale'"), alone).holds
    assert prove(ActionWas(action="tap", selector="text='stale' within text='x'"), alone).holds
    assert not prove(ActionWas(action="tap", selector="text='Title two'"), StateView(action=Tap(1, 1))).holds


ROW = parse_tree(
    b'<hierarchy rotation="0"><node text="" content-desc="Card" bounds="[0,0][100,40]" clickable="false">'
    b'<node text="" bounds="[0,0][100,20]" clickable="true">'
    b'<node text="Wi-Fi" bounds="[0,0][50,20]" clickable="false"/></node>'
    b'<node text="Off" bounds="[0,20][100,40]" clickable="true"/></node></hierarchy>'
)


@pytest.mark.parametrize(
    ("x", "y", "selector", "expected"),
    [
        (10, 10, "text='Wi-Fi'", True),  # the finger was on a text of the row that was touched
        (80, 10, "text='Wi-Fi'", False),
        (80, 10, "clickable='true'", True),
        (80, 10, "content-desc='Card'", True),  # the row has no words of its own
        (80, 30, "content-desc='Card'", False),
        (80, 30, "text='Off'", True),
        (200, 200, "text='Off'", False),
    ],
)
def test_the_node_under_the_finger_is_known_without_a_recorded_target(
    x: int, y: int, selector: str, expected: bool
) -> None:
    after = StateView(action=Tap(x, y), previous=StateView(ROW))
    assert prove(ActionWas(action="tap", selector=selector), after).holds == expected


def test_a_text_is_typed_into_the_field_that_has_the_focus() -> None:
    tree = parse_tree(
        b'<hierarchy rotation="0"><node text="a"/><node resource-id="x:id/box" focused="true"/></hierarchy>'
    )
    after = StateView(action=Type("lamp"), previous=StateView(tree))
    assert prove(
        ActionWas(action="type", text="lamp", exact=True, selector="resource-id='x:id/box'"), after
    ).holds
    assert not prove(ActionWas(action="type", text="lam", exact=True), after).holds
    assert not prove(ActionWas(action="type", selector="text='a'"), after).holds


def test_nothing_is_known_of_a_screen_without_a_tree() -> None:
    gone = ElementNotExists(selector="text='x'")
    for condition in (
        gone,
        Group(kind="not", conditions=(ABSENT,)),
        Group(conditions=(gone, MinStep(value=0))),
    ):
        assert prove(condition, StateView(ROW)).holds
        unseen = prove(condition, StateView())
        assert (unseen.holds, unseen.unseen) == (False, True)
    either = Group(kind="any", conditions=(gone, MinStep(value=0)))
    assert prove(either, StateView()).holds
    assert not prove(
        Group(conditions=(gone, MinStep(value=9))), StateView()
    ).unseen  # false, whatever was shown


def test_reached_states_are_known_by_name() -> None:
    assert holds(StateReached(state="cart"), reached=frozenset({"cart"}))
    assert not holds(StateReached(state="cart"))


HERE, ABSENT = ElementExists(selector="text='Shop'"), ElementExists(selector="text='x'")


@pytest.mark.parametrize(
    ("kind", "parts", "expected"),
    [
        ("all", (HERE, HERE), ProofOutcome.FIRES),
        ("all", (HERE, ABSENT), ProofOutcome.NEAR),
        ("all", (ABSENT, ABSENT), ProofOutcome.SILENT),
        ("all", (ABSENT,), ProofOutcome.SILENT),
        ("any", (HERE, ABSENT), ProofOutcome.FIRES),
        ("any", (ABSENT, ABSENT), ProofOutcome.SILENT),
        ("any", (ABSENT, Group(conditions=(HERE, ABSENT))), ProofOutcome.NEAR),
        ("any", (), ProofOutcome.SILENT),
        ("not", (ABSENT,), ProofOutcome.FIRES),
        ("not", (HERE, ABSENT), ProofOutcome.SILENT),
        ("not", (), ProofOutcome.FIRES),
    ],
)
def test_groups(kind: str, parts: tuple[Condition, ...], expected: ProofOutcome) -> None:
    assert prove(Group(kind=kind, conditions=parts), view()).outcome is expected


def test_a_rule_with_no_conditions_never_fires() -> None:
    for kind in ("all", "any", "not"):
        rule = Rule(id="r", kind="injection", conditions=Group(kind=kind))
        assert not evaluate(rule, view(), WAYMARK).holds


def test_proofs_name_nodes_counts_and_what_was_there() -> None:
    seen = view()
    two = prove(ElementExists(selector="resource-id='app:id/title'"), seen)
    assert (two.nodes, two.have) == ((1, 2), 2)
    there = prove(ElementNotExists(selector="text='Shop'"), seen)
    assert (there.holds, there.nodes) == (False, (0,))
    other = prove(ElementTextEquals(selector="resource-id='app:id/title'", text="x"), seen)
    assert (other.near, other.actual, other.outcome) == ((1, 2), "Title one", ProofOutcome.NEAR)
    nested = prove(Group(conditions=(HERE, Group(kind="any", conditions=(ABSENT, HERE)))), seen)
    assert [leaf.condition for leaf in nested.leaves()] == [HERE, ABSENT, HERE]
    assert len(list(nested.walk())) == 5
