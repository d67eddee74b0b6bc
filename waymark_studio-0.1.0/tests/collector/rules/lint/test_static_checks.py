# ruff: noqa: E501 - rules stand on one line
"""What the linter says about a rule by itself, and that its quick fixes mend just that."""

from __future__ import annotations

from collections import Counter
from textwrap import dedent, indent

import pytest

from collector.rules.grammar.model import DGARA, WAYMARK
from tests.helpers.linting import apply_fixes, lint, names


def injection(
    conditions: str, action: str = "{type: inject_interference, interference_id: a}", more: str = ""
) -> str:
    listed = indent(dedent(conditions).strip(), " " * 8)
    return f"rules:\n  - id: r\n{more}    conditions:\n      all:\n{listed}\n    actions:\n      - {action}\n"


def success(conditions: str) -> str:
    return f"done:\n  conditions:\n{indent(dedent(conditions).strip(), ' ' * 4)}\n"


KEYWORDS = "- {type: semantic_element_exists, keywords: %s}"
EXISTS = '- {type: element_exists, selector: "%s"}\n- {type: min_step, value: 3}'

CASES = {
    "no keywords": ("W302", injection(KEYWORDS % "[]")),
    "a share of nothing": ("W301", injection(
        "- {type: semantic_element_exists, keywords: [a1, b2], match_threshold: 0}")),
    "an empty keyword": ("W301", injection(KEYWORDS % '["", Buy]')),
    "a keyword twice": ("W303", injection(KEYWORDS % "[Buy, Sell, buy]")),
    "a keyword in block style twice": ("W303", injection(
        "- type: semantic_element_exists\n  keywords:\n    - Buy\n    - Sell\n    - Buy  # again")),
    "a keyword in another": ("W303", injection(KEYWORDS % '["Add to cart", Add, Shop]')),
    "no chance": ("W304", injection(KEYWORDS % "[Buy]", "{type: inject_interference, interference_id: a,"
                                    " trigger_probability: 0}")),
    "from the first step": ("W301", injection("- {type: min_step, value: 1}\n" + KEYWORDS % "[Buy]")),
    "any of nothing": ("W302", injection("- any: []\n" + KEYWORDS % "[Buy]")),
    "none of nothing": ("W301", injection("- not: []\n" + KEYWORDS % "[Buy]")),
    "a pattern for anything": ("W301", injection("- {type: text_matches, pattern: '.*'}\n" + KEYWORDS % "[Buy]")),
    "any picture": ("W301", injection("- {type: image_matches, image: a.png, threshold: 0}\n" + KEYWORDS % "[B]")),
    "contains nothing": ("W301", success(
        "- {type: element_text_contains, selector: \"text='a'\", text: ''}\n- {type: min_step, value: 2}")),
    "no such attribute": ("W305", success(EXISTS % "resourceId='app:id/x'")),
    "no such attribute by its other name": ("W305", success(EXISTS % "contentDescription='x'")),
    "no such attribute in XPath": ("W305", success(EXISTS % "//node[@contentdesc='x']")),
    "no such property": ("W305", success(
        "- {type: element_property, selector: \"text='a'\", attribute: is_checked, value: 'true'}")),
    "a flag in capitals": ("W309", success(EXISTS % "checked='True'")),
    "a flag that is no flag": ("W309", success(
        "- {type: element_property, selector: \"text='a'\", attribute: checked, value: 'yes'}")),
    "two packages": ("W306", success(
        "- {type: current_package_is, value: com.a}\n- {type: current_package_is, value: com.b}")),
    "two activities": ("W306", success(
        "- {type: current_activity_is, value: .A}\n- {type: current_activity_is, value: com.x.B}")),
    "an activity of another app": ("W306", success(
        "- {type: current_package_is, value: com.a}\n- {type: current_activity_is, value: com.b/.A}")),
    "there and not there": ("W306", success(
        "- {type: element_exists, selector: \"text='a'\"}\n- {type: element_not_exists, selector: \"text='a'\"}")),
    "a condition and its negation": ("W306", injection(
        "- {type: element_exists, selector: \"text='a'\"}\n- not:\n    - {type: element_exists, selector: \"text='a'\"}")),
    "deep in alternatives": ("W306", injection(
        "- {type: current_package_is, value: com.a}\n- any:\n    - {type: current_package_is, value: com.b}\n"
        "    - {type: min_step, value: 4}")),
    "another text than asked for": ("W306", success(
        "- {type: element_text_equals, selector: \"text='Cart'\", text: Card}\n- {type: min_step, value: 2}")),
    "a condition twice": ("W310", injection(KEYWORDS % "[Buy]" + "\n" + KEYWORDS % "[Buy]")),
    "no answer": ("W311", injection(KEYWORDS % "[Buy]", "{type: inject_interference, interference_id: a,"
                                    " follow_up: {acept: home}}")),
    "a follow-up that is hidden": ("W311", injection(
        KEYWORDS % "[Buy]", "{type: inject_interference, interference_id: a, follow_up: {deny: back}}",
        "    follow_up: {accept: home}\n")),
}  # fmt: skip


@pytest.mark.parametrize(("code", "text"), CASES.values(), ids=CASES)
def test_a_fault_is_found_once_and_where_it_stands(code: str, text: str) -> None:
    diagnostics = [diagnostic for diagnostic in lint(text) if diagnostic.code == code]
    assert len(diagnostics) == 1
    diagnostic = diagnostics[0]
    assert diagnostic.rule_id in ("r", "done")
    assert diagnostic.what.rstrip(".") == diagnostic.what != ""
    before = text[: diagnostic.place.start]
    assert (diagnostic.place.line, diagnostic.place.column) == (
        before.count("\n") + 1,
        len(before) - before.rfind("\n"),
    )
    assert text[diagnostic.place.start : diagnostic.place.end].strip()


FIXABLE = {key: case for key, case in CASES.items() if key != "no keywords"}


@pytest.mark.parametrize("semantics", [WAYMARK, DGARA])
@pytest.mark.parametrize(("code", "text"), FIXABLE.values(), ids=FIXABLE)
def test_a_quick_fix_mends_its_fault_and_breaks_nothing(code: str, text: str, semantics: str) -> None:
    before = lint(text, semantics=semantics)
    fixes = list(apply_fixes(text, [diagnostic for diagnostic in before if diagnostic.code == code]))
    assert fixes
    for diagnostic, title, better in fixes:
        after = lint(better, semantics=semantics)
        gone = Counter(names(before)) - Counter(names(after))
        new = Counter(names(after)) - Counter(names(before))
        assert gone[diagnostic.code], title
        assert not new, f"{title}: {[finding.sentence for finding in after]}"


def test_sound_rules_are_left_alone() -> None:
    text = injection(
        "- {type: semantic_element_exists, keywords: [Drive, Nearby, Metro, Mine], match_threshold: 0.75}\n"
        "- {type: current_activity_is, value: .Map}"
    )
    assert lint(text) == []
    assert lint(text, semantics=DGARA) == []
    both = success(
        "- {type: element_exists, selector: \"class='a' and text='b'\"}\n"
        "- {type: current_activity_is, value: .A}\n- {type: current_activity_is, value: com.x.A}\n"
        "- {type: element_property_contains, selector: \"text='a'\", attribute: content-desc, value: b}"
    )
    assert [diagnostic.code for diagnostic in lint(both)] == ["W308"]


DGARA_CASES = {
    "unquoted": ("W312", success("- {type: element_exists, selector: resource-id=a:id/b}"), 1),
    "contains": ("W312", success("- {type: element_exists, selector: \"content-desc*='is saved to'\"}"), 0),
    "absent by an unread selector": (
        "W307", success("- {type: element_not_exists, selector: \"text*='a'\"}"), 0),
    "several attributes": ("W307", success("- {type: element_exists, selector: \"class='a' and text='b'\"}"), 1),
    "first of many": ("W307", success(
        "- {type: element_text_contains, selector: \"class='android.widget.TextView'\", text: a}"), 0),
    "a bare true": ("W312", success(
        "- {type: element_property, selector: \"text='a'\", attribute: checked, value: true}"), 1),
    "a bare number": ("W312", success("- {type: element_text_equals, selector: \"index='1'\", text: 5}"), 1),
    "unknown to the validator": ("W312", success(
        "- {type: text_matches, pattern: '[0-9]+ results'}\n- {type: element_exists, selector: \"text='a'\"}"), 1),
    "min_step in success": ("W308", success(
        "- {type: element_exists, selector: \"text='a'\", min_step: 2}"), 1),
    "threshold of the paper": ("W307", injection(
        "- {type: semantic_element_exists, keywords: [a1, b2], threshold: 0.5}"), 1),
    "a keyword that is a number": ("W312", injection(KEYWORDS % "[5, b]"), 1),
    "unknown to the engine": ("W308", injection(
        "- {type: element_exists, selector: \"text='a'\"}\n" + KEYWORDS % "[a]"), 1),
    "follow_up of the paper": ("W308", injection(
        KEYWORDS % "[a]", more="    follow_up: {accept: home, deny: back}\n"), 0),
    "any at the top": ("W307", "rules:\n  - id: r\n    conditions:\n      any:\n        - "
                       + (KEYWORDS % "[a]")[2:] + "\n    actions:\n      - {type: inject_interference, interference_id: a}\n", 0),
    "a list in an injection rule": ("W312", "rules:\n  - id: r\n    conditions:\n      "
                       + KEYWORDS % "[a]" + "\n    actions:\n      - {type: inject_interference, interference_id: a}\n", 0),
}  # fmt: skip


@pytest.mark.parametrize(("code", "text", "fixes"), DGARA_CASES.values(), ids=DGARA_CASES)
def test_what_dgara_reads_otherwise_is_told_and_mended(code: str, text: str, fixes: int) -> None:
    before = lint(text, semantics=DGARA)
    diagnostics = [diagnostic for diagnostic in before if diagnostic.code == code]
    assert len(diagnostics) == 1
    tried = list(apply_fixes(text, diagnostics))
    assert len(tried) == fixes
    for _one, title, better in tried:
        after = lint(better, semantics=DGARA)
        assert code not in names(after), title
        assert set(names(after)) <= {*names(before), "W307"}, title


def test_a_rule_of_the_superset_is_told_once_where_dgara_does_not_judge() -> None:
    text = injection("- any:\n    - {type: text_matches, pattern: a1}\n    - {type: min_step, value: 3}")
    diagnostics = lint(text)
    assert names(diagnostics) == ["W308"]
    assert "any, text_matches, min_step" in diagnostics[0].what


def test_attributes_that_were_recorded_are_possible() -> None:
    from collector.rules.grammar.rule_text import rule_text
    from collector.rules.lint.rule_linter import static_checks

    file = rule_text(success(EXISTS % "my-attr='x'"))
    assert "W305" in [static_check.code for static_check in static_checks(file)]
    assert "W305" not in [
        static_check.code for static_check in static_checks(file, seen=frozenset({"my-attr"}))
    ]
