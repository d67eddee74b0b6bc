"""A selected node with its attributes beside its counterpart's, its selectors and its XML."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from studio.bridge.review.state_comparisons import read_step
from studio.widgets.state_difference.dump_viewer import DumpViewer
from studio.widgets.state_difference.node_panel import NodePage, NodePanel
from studio.widgets.tree_panel.attributes import CHANGE_ROLE
from tests.helpers.compared_screens import FIRST, comparison, step_of
from tests.helpers.shown_texts import shown_texts


@pytest.fixture
def shown(hosted):
    panel = hosted(NodePanel(), 340, 460)
    compared = comparison()
    panel.show_comparison(compared)
    return panel, compared


def node_of(screen, name):
    return next(node for node in screen.screen.tree if node.short_id == name)


def rows(panel) -> list[tuple[str, str, object]]:
    model = panel.attributes.model()
    return [
        (model.index(row, 0).data(), model.index(row, 1).data(), model.index(row, 1).data(CHANGE_ROLE))
        for row in range(model.rowCount())
    ]


def test_attributes_that_differ_from_the_counterpart_come_first_in_the_order_of_the_sides(shown, qtbot):
    panel, compared = shown
    panel.show_node(compared.after, node_of(compared.after, "chip_sort"))
    assert rows(panel)[0] == ("enabled", "false", ("true", "false"))
    assert "In A step 1: Button #chip_sort, 1 attribute differs" in shown_texts(panel)
    went = []
    panel.node_selected.connect(lambda side, node: went.append((side, node.short_id)))
    qtbot.mouseClick(panel.counterpart_button, Qt.MouseButton.LeftButton)
    assert went == [(0, "chip_sort")]
    panel.show_node(compared.before, node_of(compared.before, "chip_sort"))
    assert rows(panel)[0] == ("enabled", "true", ("true", "false"))
    assert any(text.startswith("In C step 1: ") for text in shown_texts(panel))


def test_a_node_without_a_counterpart_says_so_and_one_of_another_side_says_nothing(shown):
    panel, compared = shown
    panel.show_node(compared.after, node_of(compared.after, "dialog"))
    assert "Not in A step 1" in shown_texts(panel)
    assert not panel.counterpart_button.isVisible()
    assert all(change is None for _name, _value, change in rows(panel))
    other = read_step(step_of(1, FIRST))
    panel.show_node(other, node_of(other, "chip_sort"))
    assert not [text for text in shown_texts(panel) if "step" in text and text.startswith(("In ", "Not in "))]
    panel.show_node(None, None)
    assert panel.node is None


def test_the_xml_of_a_node_and_of_the_dump_can_be_searched_and_copied(shown, qtbot):
    panel, compared = shown
    dialog = node_of(compared.after, "dialog")
    panel.show_node(compared.after, dialog)
    panel.show_page(NodePage.NODE_XML)
    assert panel.xml.text.toPlainText().splitlines()[-1] == "</node>"
    assert panel.xml.text.blockCount() == 4
    panel.show_page(NodePage.DUMP)
    whole = panel.xml.text.toPlainText()
    assert whole.count("<node") == len(compared.after.screen.tree)
    line = panel.xml.text.textCursor().blockNumber()
    assert "a:id/dialog" in whole.splitlines()[line]
    panel.xml.search_field.setText("BUTTON")
    qtbot.keyClick(panel.xml.search_field, Qt.Key.Key_Return)
    assert panel.xml.hits == 2
    first = panel.xml.text.textCursor().blockNumber()
    qtbot.keyClick(panel.xml.search_field, Qt.Key.Key_Return)
    assert panel.xml.text.textCursor().blockNumber() != first
    qtbot.keyClick(panel.xml.search_field, Qt.Key.Key_Return)
    assert panel.xml.text.textCursor().blockNumber() == first, "behind the last comes the first"
    copied = []
    panel.copied.connect(copied.append)
    panel.xml.copy_lines()
    assert copied == [whole]
    assert QGuiApplication.clipboard().text() == whole


def test_selectors_are_ranked_when_they_are_looked_at(shown, qtbot):
    panel, compared = shown
    panel.show_node(compared.before, node_of(compared.before, "tooltip"))
    panel.show_page(NodePage.SELECTORS)
    qtbot.waitUntil(lambda: panel.selectors.model().rowCount() > 0)
    assert "tooltip" in panel.selectors.model().index(0, 0).data()


def test_a_click_in_the_path_goes_to_an_ancestor(shown):
    panel, compared = shown
    went = []
    panel.node_selected.connect(lambda side, node: went.append((side, node)))
    button = node_of(compared.after, "no")
    panel.show_node(compared.after, button)
    panel.breadcrumb.chosen.emit(button.parent)
    assert went == [(2, button.parent)]


def test_hits_are_marked_where_they_are_though_emoji_stand_before_them(hosted):
    viewer = hosted(DumpViewer(), 340, 200)
    viewer.show_lines(['<node text="\N{ROCKET}\N{ROCKET} Buy" />', "<node />"])
    viewer.search_field.setText("buy")
    viewer.search()
    (selection,) = viewer.text.extraSelections()
    assert selection.cursor.selectedText() == "Buy"
    viewer.search_field.setText("sell")
    viewer.search()
    assert viewer.hits == 0
    assert "not found" in shown_texts(viewer)
    assert not viewer.text.extraSelections()
