"""A rule written as plain values and read again is the same rule, whatever is in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.rules.conditions.element_property import ElementPropertyContains
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.grammar.model import INJECTION, STATE, SUCCESS, Injection, Rule
from collector.rules.grammar.plain import plain_rule
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers import libyaml
from tests.helpers.rule_strategies import INJECTION_RULES, STATE_RULES, SUCCESS_RULES

SHARED = Path(__file__).parents[5] / "shared"
ROOTS = {INJECTION: "rules", STATE: "states"}


def written(rules: list[Rule], *, flow: bool | None = None) -> str:
    kind = rules[0].kind
    plain = (
        {rule.id: plain_rule(rule) for rule in rules}
        if kind == SUCCESS
        else {ROOTS[kind]: [plain_rule(rule) for rule in rules]}
    )
    text: str = libyaml.safe_dump(plain, sort_keys=False, default_flow_style=flow)
    return text


@pytest.mark.parametrize("flow", [False, True, None])
@pytest.mark.parametrize("strategy", [INJECTION_RULES, SUCCESS_RULES, STATE_RULES])
@settings(max_examples=60)
@given(data=st.data())
def test_read_after_writing_is_the_same(
    strategy: st.SearchStrategy[Rule], flow: bool | None, data: st.DataObject
) -> None:
    rules = data.draw(st.lists(strategy, min_size=1, max_size=3, unique_by=lambda rule: rule.id))
    file = read_rules(written(rules, flow=flow), kind=rules[0].kind)
    assert list(file.rules) == rules
    again = read_rules(written(list(file.rules), flow=flow), kind=rules[0].kind)
    assert again.rules == file.rules


@pytest.mark.parametrize(
    ("name", "kind"), [("d-gara/rules.yaml", INJECTION), ("d-gara/success_conditions.yaml", SUCCESS)]
)
def test_published_rules_are_read_without_loss(name: str, kind: str) -> None:
    path = SHARED / "data" / name
    if not path.exists():
        pytest.skip("needs ../shared/data")
    text = path.read_text("utf-8")
    file = read_rules(text, path.name)
    loaded = libyaml.safe_load(text)
    plain = loaded["rules"] if kind == INJECTION else list(loaded.values())
    assert file.kind == kind
    assert [rule.raw for rule in file.rules] == plain
    again = read_rules(written(list(file.rules)), kind=kind)
    assert again.rules == file.rules
    assert not [
        diagnostic
        for diagnostic in file.diagnostics
        if diagnostic.code in ("W101", "W102", "W103", "W104", "W105")
    ]


def _indented(number: int, indents: list[int]) -> str:
    """A listing of the paper; the text file has lost its indentation, not its words."""
    path = SHARED / "seeds" / "d-gara.txt"
    if not path.exists():
        pytest.skip("needs ../shared/seeds")
    lines = path.read_text("utf-8").splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(f"Listing {number} ")) + 1
    bodies = [line[len(str(at)) :].strip() for at, line in enumerate(lines[start:][: len(indents)], start=1)]
    return "".join(f"{' ' * indent}{body}\n" for indent, body in zip(indents, bodies, strict=True))


@pytest.mark.parametrize("follow_up", [2, 6])
def test_the_papers_injection_listing(follow_up: int) -> None:
    """``follow_up`` stands on the rule or on its action."""
    text = _indented(1, [0, 2, 4, 6, 8, 8, 2, 4, 6, follow_up, follow_up + 2, follow_up + 2])
    file = read_rules(text)
    (rule,) = file.rules
    (clause,) = rule.conditions.conditions
    assert (file.kind, rule.id, file.diagnostics) == (INJECTION, "rule_drive_permission", ())
    assert clause == SemanticElementExists(
        keywords=("Drive", "Nearby", "Metro", "Mine"), match_threshold=0.75
    )
    follows = {"accept": "redirect_to_settings", "deny": "terminate_app"}
    assert rule.actions == (Injection(interference_id="location_permission_dialog", follow_up=follows),)


def test_the_papers_success_listing() -> None:
    file = read_rules(_indented(2, [0, 2, 4, 6, 6, 6]))
    (rule,) = file.rules
    assert (file.kind, rule.id, file.diagnostics) == (SUCCESS, "task_drive_like_video", ())
    selector = "resource-id=tv.app:id/like_button"
    assert rule.conditions.conditions == (
        ElementPropertyContains(selector=selector, attribute="content-desc", value="Liked"),
    )
