"""The menu of conditions at a clicked node: offered, chosen by key or mouse, never over the node."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics

from collector.rules.conditions.current_package_is import CurrentPackageIs
from collector.rules.conditions.element_exists import ElementExists
from collector.rules.suggest.samples import Standing
from collector.rules.suggest.suggestions import Suggestion
from rule_editor.widgets.condition_menu import ConditionMenu

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
STANDING = Standing(1, 1, 0, 3, 1, 1, 0)
OFFERED = [
    Suggestion(
        ElementExists(selector="text='In stock'"), 96, "text='In stock' in item [3]", "6 of 6 runs", STANDING
    ),
    Suggestion(
        ElementExists(selector="id='x'"), 71, "element_exists id/stock", "2 other screens too", STANDING
    ),
    Suggestion(CurrentPackageIs(value="a.b"), 40, "current_package_is a.b", "everywhere", STANDING),
]


@pytest.fixture
def menu(toolkit, qtbot):
    menu = ConditionMenu(toolkit)
    qtbot.addWidget(menu)
    menu.offer("Add a condition for TextView #stock", OFFERED, QPoint(100, 100))
    qtbot.waitExposed(menu)
    return menu


@pytest.mark.parametrize(("keys", "row"), [
    ([Qt.Key.Key_Return], 0),
    ([Qt.Key.Key_Down, Qt.Key.Key_Return], 1),
    ([Qt.Key.Key_Up, Qt.Key.Key_Enter], 2),
    ([Qt.Key.Key_2], 1),
])  # fmt: skip
def test_keys_choose(menu, qtbot, keys, row) -> None:
    with qtbot.waitSignal(menu.chosen) as signal:
        for key in keys:
            qtbot.keyClick(menu, key)
    assert signal.args == [OFFERED[row]]
    assert not menu.isVisible()


def test_a_click_chooses_the_row_under_it(menu, qtbot) -> None:
    with qtbot.waitSignal(menu.chosen) as signal:
        qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.row_rect(1).center())
    assert signal.args == [OFFERED[1]]


@pytest.mark.parametrize("key", [Qt.Key.Key_9, Qt.Key.Key_Escape])
def test_a_key_without_a_row_chooses_nothing(menu, qtbot, key) -> None:
    with qtbot.assertNotEmitted(menu.chosen):
        qtbot.keyClick(menu, key)
    assert menu.isVisible() is (key != Qt.Key.Key_Escape)


def test_the_row_under_the_pointer_is_the_current_one(menu, qtbot) -> None:
    qtbot.mouseMove(menu, menu.row_rect(2).center())
    qtbot.waitUntil(lambda: menu.current == 2)


def test_it_keeps_clear_of_the_node_it_speaks_of(menu) -> None:
    node = QRect(40, 60, 200, 80)
    menu.offer("Again", OFFERED, QPoint(100, 100), node)
    assert not menu.geometry().intersects(node)


def test_it_stays_on_the_screen(menu) -> None:
    room = menu.screen().availableGeometry()
    menu.offer("Corner", OFFERED, room.bottomRight())
    assert room.contains(menu.geometry())


def test_nothing_to_offer_is_said(menu, qtbot) -> None:
    menu.offer("Nothing", [], QPoint(10, 10))
    with qtbot.assertNotEmitted(menu.chosen):
        qtbot.keyClick(menu, Qt.Key.Key_Return)
        qtbot.keyClick(menu, Qt.Key.Key_Down)
    assert menu.grab().width() > 200


def test_a_row_is_a_sentence_with_its_syntax_and_as_wide_as_both_need(menu, toolkit, qtbot) -> None:
    narrow = menu.width()
    selector = "resource-id='com.example.shop:id/row_of_the_first_poster_that_is_on_sale'"
    long = Suggestion(
        ElementExists(selector=selector), 90, f"element_exists {selector}", "6 of 6 runs", STANDING
    )
    assert long.sentence == "There is a node with the id row_of_the_first_poster_that_is_on_sale"
    menu.offer("Long", [long], QPoint(100, 100))
    code = QFontMetrics(toolkit.font("code"))
    assert menu.row_rect(0).width() > code.horizontalAdvance(long.title) > narrow


def test_groups_have_headings_and_rows_keep_their_places_below_them(menu, qtbot) -> None:
    plain = menu.row_rect(2).top()
    menu.offer("Grouped", OFFERED, QPoint(100, 100), group_of=lambda choice: choice.title[:1])
    assert menu.row_rect(2).top() > plain
    with qtbot.waitSignal(menu.chosen) as signal:
        qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.row_rect(2).center())
    assert signal.args == [OFFERED[2]]
