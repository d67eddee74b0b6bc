"""Rules against recordings: what was never seen, and verdicts nobody can mean."""

from __future__ import annotations

from collections.abc import Sequence

from collector.located_yaml.diagnostics import Diagnostic
from collector.model.task import Task
from collector.model.task_parameter import Parameter
from collector.rules.backtest.backtest import BackTest
from collector.rules.columns.corpus import Corpus
from collector.rules.grammar.rule_reader import read_rules
from collector.rules.lint.recorded_checks import RecordedChecks
from tests.helpers.linting import apply_fixes, lint, names
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen


def dump(*texts: str) -> bytes:
    nodes = "".join(
        f'<node index="{at}" text="{text}" resource-id="app:id/n{at}" class="android.widget.TextView" '
        f'package="com.example.shop" content-desc="" checked="false" bounds="[0,{at}0][90,{at}9]"/>'
        for at, text in enumerate(texts)
    )
    return f'<hierarchy rotation="0"><node index="0" text="">{nodes}</node></hierarchy>'.encode()


def recorded(states: str = "") -> RecordedChecks:
    screens = [dump("Home", "Add to cart"), dump("Home", "Added"), dump("Home", "Cart", "Pay")]
    recording = MemoryTrajectory("t", [RecordedScreen(screen) for screen in screens])
    tasks = [Task("t", "Buy", package="com.example.shop", rule_key="done")]
    return RecordedChecks(BackTest(Corpus([recording], tasks=tasks, states=read_rules(states).rules)))


def found_in(text: str, codes: Sequence[str] = ()) -> list[Diagnostic]:
    return [diagnostic for diagnostic in lint(text, recorded=recorded()) if diagnostic.code[1] == "4"]


def injection(condition: str) -> str:
    return (
        f"rules:\n  - id: r\n    conditions:\n      all:\n        - {condition}\n"
        "    actions: [{type: inject_interference, interference_id: a}]\n"
    )


def success(condition: str) -> str:
    return f"done:\n  conditions:\n    - {condition}\n"


def test_a_keyword_nearly_as_on_the_screen_is_told_and_mended() -> None:
    text = injection('{type: semantic_element_exists, keywords: ["Add to chart", Home]}')
    diagnostics = found_in(text)
    assert sorted(names(diagnostics)) == ["W404", "W406"]
    typo = next(diagnostic for diagnostic in diagnostics if diagnostic.code == "W404")
    assert "Add to cart" in typo.what
    fixes = list(apply_fixes(text, [typo]))
    assert [title for _diagnostic, title, _text in fixes] == ["Change to Add to cart", "Remove Add to chart"]
    assert found_in(fixes[0][2]) == []


def test_a_keyword_like_nothing_recorded_is_told() -> None:
    assert "W403" in names(found_in(injection("{type: semantic_element_exists, keywords: [Zebra, Home]}")))


def test_selectors_that_match_nothing_or_too_much_are_told() -> None:
    text = success("{type: element_exists, selector: \"text='Added!'\"}")
    nothing = [diagnostic for diagnostic in found_in(text) if diagnostic.code == "W401"]
    assert len(nothing) == 1
    ((_diagnostic, _title, better),) = apply_fixes(text, nothing)
    assert "W401" not in names(found_in(better))
    many = success("{type: element_text_equals, selector: \"class='android.widget.TextView'\", text: Pay}")
    assert names(found_in(many)) == ["W402"]


def test_a_selector_with_a_parameter_is_looked_for_with_the_values_of_recordings() -> None:
    text = success("{type: element_exists, selector: \"text='{title}'\"}")
    task = Task("t", "Buy", rule_key="done", parameters=(Parameter("title", options=("Pay",)),))
    recording = MemoryTrajectory("t", [RecordedScreen(dump("Home", "Pay"))])
    for values, codes in (({}, []), ({"title": "Pay"}, []), ({"title": "Sell"}, ["W401"])):
        corpus = Corpus([recording], tasks=[task], values=lambda _header, _task, given=values: given)
        found = names(lint(text, recorded=RecordedChecks(BackTest(corpus))))
        assert [code for code in found if code == "W401"] == codes


def test_attributes_activities_and_packages_never_seen_are_told() -> None:
    assert "W410" in names(found_in(success("{type: element_exists, selector: \"hint='Search'\"}")))
    assert "W409" in names(found_in(injection("{type: current_activity_is, value: .MainActivitty}")))
    assert "W409" in names(found_in(injection("{type: current_package_is, value: com.other}")))
    assert "W409" not in names(found_in(injection("{type: current_package_is, value: com.example.shop}")))


def test_injection_rules_that_fire_everywhere_or_nowhere_are_told() -> None:
    everywhere = injection("{type: semantic_element_exists, keywords: [Home]}")
    assert names(found_in(everywhere)) == ["W405"]
    nowhere = injection("{type: min_step, value: 9}")
    assert names(found_in(nowhere)) == ["W406"]


def test_success_rules_true_too_early_or_never_are_told() -> None:
    assert names(found_in(success("{type: element_exists, selector: \"text='Home'\"}"))) == ["W407"]
    assert names(found_in(success("{type: element_exists, selector: \"text='Added'\"}"))) == ["W408"]
    assert found_in(success("{type: element_exists, selector: \"text='Pay'\"}")) == []


def test_states_that_golden_reaches_in_another_order_are_told() -> None:
    text = (
        "states:\n  - {id: paid, task: t, conditions: [{type: element_exists, selector: \"text='Pay'\"}]}\n"
        "  - {id: added, task: t, after: [paid], conditions:"
        " [{type: element_exists, selector: \"text='Added'\"}]}\n"
    )
    diagnostics = [
        diagnostic for diagnostic in lint(text, recorded=recorded(text)) if diagnostic.code == "W411"
    ]
    assert [diagnostic.rule_id for diagnostic in diagnostics] == ["added"]


def test_nothing_is_said_when_nothing_was_recorded() -> None:
    text = injection("{type: semantic_element_exists, keywords: [Zebra]}")
    assert lint(text, recorded=RecordedChecks(BackTest(Corpus(())))) == []
