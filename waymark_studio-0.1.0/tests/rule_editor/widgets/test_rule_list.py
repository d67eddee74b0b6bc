"""The list keeps its place while what it lists changes under it, and answers keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from rule_editor.widgets.rule_list import RuleList, RuleListEntry, RuleState

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
GROUPS = (("injection", "Injection rules"), ("success", "Success rules"))
ENTRIES = (
    RuleListEntry("shop_wifi_on_home", "injection", RuleState.CLEAN, "14"),
    RuleListEntry("shop_lowbatt_on_results", "injection", RuleState.ERROR, "17"),
    RuleListEntry("msg_location_on_chat", "injection", RuleState.NEVER, "0"),
    RuleListEntry("shop_14_cheapest_in_cart", "success", RuleState.WARNING, "2"),
)


@pytest.fixture
def rules(toolkit, qtbot):
    rule_list = RuleList(toolkit)
    qtbot.addWidget(rule_list)
    rule_list.resize(244, 500)
    rule_list.set_entries(GROUPS, ENTRIES)
    rule_list.show()
    qtbot.waitExposed(rule_list)
    return rule_list


def row(rules: RuleList, group: int, place: int):
    model = rules.view.model()
    return model.index(place, 0, model.index(group, 0))


def click(rules: RuleList, qtbot, index) -> None:
    qtbot.mouseClick(
        rules.view.viewport(), Qt.MouseButton.LeftButton, pos=rules.view.visualRect(index).center()
    )


def test_a_click_and_the_arrows_choose(rules, qtbot) -> None:
    with qtbot.waitSignal(rules.chosen) as signal:
        click(rules, qtbot, row(rules, 0, 1))
    assert signal.args == ["injection", "shop_lowbatt_on_results"]
    with qtbot.waitSignal(rules.chosen) as signal:
        qtbot.keyClick(rules.view, Qt.Key.Key_Down)
    assert signal.args == ["injection", "msg_location_on_chat"]


def test_the_current_rule_stays_when_the_entries_change(rules, qtbot) -> None:
    rules.set_current("injection", "shop_lowbatt_on_results")
    with qtbot.assertNotEmitted(rules.chosen):
        rules.set_entries(GROUPS, (RuleListEntry("a_new_one", "injection", RuleState.DRAFT), *ENTRIES))
    assert rules.current is not None
    assert rules.current.id == "shop_lowbatt_on_results"


def test_the_filter_looks_at_names_and_states(rules, qtbot) -> None:
    qtbot.keyClicks(rules.filter, "shop")
    assert rules.shown == ["shop_wifi_on_home", "shop_lowbatt_on_results", "shop_14_cheapest_in_cart"]
    rules.filter.setText("never")
    assert rules.shown == ["msg_location_on_chat"]


def test_a_click_on_a_heading_folds_its_group_and_it_stays_folded(rules, qtbot) -> None:
    head = rules.view.model().index(0, 0)
    click(rules, qtbot, head)
    assert not rules.view.isExpanded(rules.view.model().index(0, 0))
    rules.set_entries(GROUPS, ENTRIES[:3])
    assert not rules.view.isExpanded(rules.view.model().index(0, 0))


@pytest.mark.parametrize(("key", "signal"), [
    (Qt.Key.Key_F2, "rename_wanted"), (Qt.Key.Key_Delete, "delete_wanted"),
])  # fmt: skip
def test_keys_ask_for_what_they_stand_for(rules, qtbot, key, signal) -> None:
    rules.set_current("success", "shop_14_cheapest_in_cart")
    with qtbot.waitSignal(getattr(rules, signal)) as signal:
        qtbot.keyClick(rules.view, key)
    assert signal.args == ["success", "shop_14_cheapest_in_cart"]


def test_setting_the_current_rule_tells_nobody(rules, qtbot) -> None:
    with qtbot.assertNotEmitted(rules.chosen):
        rules.set_current("injection", "shop_wifi_on_home")
        rules.set_current("injection", "no such rule")
    assert rules.current is None
