"""Assistive technology reads the items of painted controls: tabs, segments, legends, lists."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from studio.widgets.badge import Badge
from studio.widgets.controls import SegmentedControl, Tabs
from studio.widgets.reached_states import ReachedState, StateList

Role = QAccessible.Role


@pytest.fixture(autouse=True)
def _reading():
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


def tabs():
    shown = Tabs(["Steps", "Tree", "Details"])
    shown.set_count(1, 7)
    return shown


def segments():
    return SegmentedControl([("form", "Form", ""), ("both", "Both", ""), ("yaml", "YAML", "code")])


def states():
    shown = StateList()
    shown.show_states([ReachedState("Signed in", "state-ok", "step 3"), ReachedState("Paid", "state-todo")])
    return shown


CONTROLS = {
    "tabs": (tabs, (Role.PageTabList, Role.PageTab), ["Steps", "Tree 7", "Details"]),
    "segments": (segments, (Role.Grouping, Role.RadioButton), ["Form", "Both", "YAML"]),
    "states": (states, (Role.List, Role.ListItem), ["Signed in, step 3", "Paid"]),
}


@pytest.mark.parametrize("name", CONTROLS)
@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_a_control_names_its_items_in_their_places(hosted, name, direction):
    make, roles, words = CONTROLS[name]
    control = hosted(make(), 320, 60)
    control.setLayoutDirection(direction)
    spoken = QAccessible.queryAccessibleInterface(control)
    items = [spoken.child(number) for number in range(spoken.childCount())]
    assert (spoken.role(), {item.role() for item in items}) == (roles[0], {roles[1]})
    assert [item.text(QAccessible.Text.Name) for item in items] == words
    for number, item in enumerate(items):
        assert (item.parent(), spoken.indexOfChild(item)) == (spoken, number)
        assert spoken.childAt(*item.rect().center().toTuple()) is item


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_the_item_that_is_clicked_is_the_one_that_is_read(hosted, direction):
    control = hosted(segments(), 320, 30)
    control.setLayoutDirection(direction)
    spoken = QAccessible.queryAccessibleInterface(control)
    place = control.mapFromGlobal(spoken.child(2).rect().center())
    QTest.mouseClick(control, Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert control.current == "yaml"
    assert [spoken.child(number).state().checked for number in range(3)] == [False, False, True]


def test_what_paints_one_thing_has_a_role_and_a_name(hosted):
    badge = Badge()
    badge.set_badge("2 warnings", "state-warn", "warn")
    spoken = QAccessible.queryAccessibleInterface(hosted(badge, 120, 30))
    assert (spoken.role(), spoken.text(QAccessible.Text.Name)) == (Role.StaticText, "2 warnings")
