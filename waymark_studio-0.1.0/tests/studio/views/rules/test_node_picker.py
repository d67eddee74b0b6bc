"""Pointing at the screen: one node, several with Ctrl, a part of it with Shift, and all of it by key."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from studio.views.conditions.node_picker import NodePicker
from studio.widgets.device_view.view import DeviceView, MirrorMode
from studio.widgets.node_selection import NodeSelection
from tests.helpers.sample_screen import sample_frame, sample_tree

_LEFT = Qt.MouseButton.LeftButton
_CTRL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Pointed:
    """A device view in Inspect mode, and what pointing at it told."""

    def __init__(self, view: DeviceView) -> None:
        self.view, self.tree = view, view.selection.tree
        self.picker = NodePicker(view)
        self.picked: list[tuple[object, QPoint]] = []
        self.regions: list[object] = []
        self.picker.picked.connect(lambda nodes, at: self.picked.append((nodes, at)))
        self.picker.region.connect(lambda rect, _at: self.regions.append(rect))

    def node(self, name: str):
        return next(node for node in self.tree if node.short_id == name)

    def spot(self, name: str) -> QPoint:
        return self.picker.node_rect(self.node(name)).center()

    @property
    def names(self) -> list[list[str]]:
        return [[node.short_id for node in nodes] for nodes, _at in self.picked]


@pytest.fixture
def pointed(dressed, qtbot):
    selection = NodeSelection()
    view = DeviceView(selection)
    qtbot.addWidget(view)
    view.resize(540, 1200)
    view.set_mode(MirrorMode.INSPECT)
    view.show()
    view.show_frame(sample_frame())
    selection.set_tree(sample_tree())
    return Pointed(view)


def test_a_click_picks_the_node_under_it(pointed) -> None:
    QTest.mouseClick(pointed.view, _LEFT, pos=pointed.spot("chip_sort"))
    assert pointed.names == [["chip_sort"]]


def test_ctrl_gathers_several_and_takes_one_back(pointed) -> None:
    for name in ("chip_sort", "cart", "chip_filter", "cart"):
        QTest.mouseClick(pointed.view, _LEFT, _CTRL, pointed.spot(name))
    assert pointed.names == []
    assert {node.short_id for node in pointed.view.selection.hits} == {"chip_sort", "chip_filter"}
    QTest.keyRelease(pointed.view, Qt.Key.Key_Control)
    assert pointed.names[-1] == ["chip_sort", "chip_filter"]
    assert [node.short_id for node in pointed.picker.nodes] == ["chip_sort", "chip_filter"]
    QTest.mouseClick(pointed.view, _LEFT, pos=pointed.spot("cart"))
    assert pointed.names[-1] == ["cart"]
    assert pointed.picker.nodes == ()


def test_a_drag_with_shift_is_a_part_of_the_screen_in_its_own_pixels(pointed) -> None:
    box = pointed.picker.node_rect(pointed.node("chip_sort"))
    QTest.mousePress(pointed.view, _LEFT, _SHIFT, box.topLeft())
    QTest.mouseMove(pointed.view, box.bottomRight())
    QTest.mouseRelease(pointed.view, _LEFT, _SHIFT, box.bottomRight())
    (region,) = pointed.regions
    bounds = pointed.node("chip_sort").bounds
    assert abs(region.left - bounds.left) <= 3
    assert abs(region.bottom - bounds.bottom) <= 6
    assert pointed.picked == []


def test_a_drag_too_short_to_mean_a_part_is_nothing(pointed) -> None:
    at = pointed.spot("chip_sort")
    QTest.mousePress(pointed.view, _LEFT, _SHIFT, at)
    QTest.mouseRelease(pointed.view, _LEFT, _SHIFT, at + QPoint(2, 1))
    assert pointed.regions == []
    assert pointed.picked == []


def test_enter_picks_what_is_selected_at_its_place(pointed) -> None:
    pointed.view.selection.select(pointed.node("cart"))
    QTest.keyClick(pointed.view, Qt.Key.Key_Return)
    assert pointed.names == [["cart"]]
    assert pointed.picked[0][1] == pointed.view.mapToGlobal(pointed.spot("cart"))


def test_in_interact_mode_nothing_is_picked(pointed) -> None:
    pointed.view.set_mode(MirrorMode.INTERACT)
    QTest.mouseClick(pointed.view, _LEFT, pos=pointed.spot("chip_sort"))
    assert pointed.picked == []


def test_another_screen_forgets_what_was_gathered(pointed) -> None:
    QTest.mouseClick(pointed.view, _LEFT, _CTRL, pointed.spot("cart"))
    pointed.view.selection.set_tree(sample_tree())
    assert pointed.picker.nodes == ()
