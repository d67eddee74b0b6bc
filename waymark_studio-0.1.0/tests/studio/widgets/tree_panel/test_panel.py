"""The tree panel: shared selection, search and copying."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from collector.hierarchy.parse import parse_tree
from studio.widgets.node_selection import NodeSelection
from studio.widgets.tree_panel.panel import TreePanel
from studio.widgets.tree_panel.selectors import copy_rect
from tests.helpers import dumps
from tests.helpers.sample_screen import sample_tree

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(hosted):
    selection = NodeSelection()
    selection.set_tree(sample_tree())
    return hosted(TreePanel(selection), 400, 900)


def named(panel: TreePanel, name: str):
    return next(node for node in panel.selection.tree if node.short_id == name)


def row_of(panel: TreePanel, name: str) -> QPoint:
    return panel.tree.visualRect(panel.tree.nodes.index_of(named(panel, name))).center()


def test_a_row_clicked_is_the_node_selected(panel):
    QTest.mouseClick(panel.tree.viewport(), LEFT, pos=row_of(panel, "cart"))
    assert panel.selection.selected is named(panel, "cart")
    QTest.keyClick(panel.tree, Qt.Key.Key_Up)
    assert panel.selection.selected is named(panel, "query")


def test_a_node_selected_elsewhere_is_shown_in_the_tree(panel):
    node = panel.selection.tree.nodes[-1]
    panel.selection.select(node)
    index = panel.tree.currentIndex()
    assert panel.tree.nodes.node(index) is node
    assert panel.tree.viewport().rect().intersects(panel.tree.visualRect(index))


def test_a_hovered_row_is_told(panel):
    QTest.mouseMove(panel.tree.viewport(), row_of(panel, "query"))
    assert panel.selection.hovered is named(panel, "query")


@pytest.mark.parametrize(
    ("query", "count"),
    [("poster", 7), ("text='$9.50'", 1), ("//node[@class='android.widget.Button']", 2), ("#", 0)],
)
def test_a_search_lights_and_counts_what_it_finds(panel, query, count):
    QTest.keyClicks(panel.search_field, query)
    assert len(panel.selection.hits) == count
    assert (str(count) if count else "Nothing found") in panel.status.text


def test_enter_goes_from_hit_to_hit_and_round(panel):
    QTest.keyClicks(panel.search_field, "price")
    seen = []
    for _press in range(len(panel.selection.hits) + 1):
        QTest.keyClick(panel.search_field, Qt.Key.Key_Return)
        seen.append(panel.selection.selected)
    assert tuple(seen[:-1]) == panel.selection.hits
    assert seen[-1] is seen[0]


def test_a_query_that_cannot_be_read_says_why(panel):
    QTest.keyClicks(panel.search_field, "//node[")
    assert panel.selection.hits == ()
    assert "cannot be read" in panel.status.text


def test_narrowing_shows_the_hits_and_their_ancestors_alone(panel):
    QTest.keyClicks(panel.search_field, "cart")
    whole = panel.tree.nodes.rowCount(panel.tree.nodes.index_of(named(panel, "toolbar")))
    QTest.mouseClick(panel.narrow_button, LEFT)
    model = panel.tree.nodes
    assert whole == 3
    assert model.rowCount(model.index_of(named(panel, "toolbar"))) == 1
    assert not model.index_of(named(panel, "query")).isValid()
    QTest.mouseClick(panel.narrow_button, LEFT)
    assert model.index_of(named(panel, "query")).isValid()


def test_attribute_values_are_copied_by_a_click_and_by_keys(panel):
    panel.selection.select(named(panel, "title"))
    table, copied = panel.attributes, []
    panel.copied.connect(copied.append)
    cell = table.visualRect(table.attributes.index(0, 1)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=cell)
    assert QGuiApplication.clipboard().text() == "Paris street poster"
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert copied == ["Paris street poster", "com.example.shop:id/title"]


def test_selectors_are_ranked_and_copied(panel, qtbot):
    panel.selection.select(named(panel, "cart"))
    qtbot.waitUntil(lambda: len(panel.selectors.entries) > 0)
    first = panel.selectors.model().index(0, 0)
    assert "cart" in first.data()
    at = copy_rect(panel.selectors.visualRect(first)).center()
    QTest.mouseClick(panel.selectors.viewport(), LEFT, pos=at)
    assert QGuiApplication.clipboard().text() == first.data()


def line_of(crumb):
    return [QPoint(x, crumb.height() // 2) for x in range(crumb.width())]


def names(crumb):
    """The nodes that are named, from the left."""
    return list(dict.fromkeys(filter(None, map(crumb.node_at, line_of(crumb)))))


def test_the_breadcrumb_leads_up(panel):
    panel.selection.select(named(panel, "title"))
    crumb = panel.breadcrumb
    node = names(crumb)[-2]
    at = next(at for at in line_of(crumb) if crumb.node_at(at) is node)
    QTest.mouseClick(crumb, LEFT, pos=at)
    assert panel.selection.selected is node
    assert node.short_id == "item"


def test_a_narrow_breadcrumb_keeps_the_nearest_parts(panel):
    panel.selection.select(named(panel, "title"))
    panel.breadcrumb.resize(120, 32)
    shown = names(panel.breadcrumb)
    assert shown[-1] is named(panel, "title")
    assert shown[0].parent is not None, "the first ones are left out"
    assert panel.breadcrumb.node_at(QPoint(119, 16)) is None, "the last one ends before the edge"


def test_the_age_of_the_tree_is_said(panel):
    panel.set_freshness(0.3, fresh=True)
    assert panel.status.text == "47 nodes · uiautomator fresh, 0.3 s old"
    panel.set_freshness(1.4, stale=True)
    assert panel.status.text.endswith("stale, 1.4 s old")


def test_refresh_is_asked_of_the_owner(panel, qtbot):
    with qtbot.waitSignal(panel.refresh_requested):
        QTest.mouseClick(panel.refresh_button, LEFT)


def test_a_new_tree_keeps_search_and_selection(panel):
    panel.selection.select(named(panel, "cart"))
    QTest.keyClicks(panel.search_field, "cart")
    panel.selection.set_tree(sample_tree())
    assert [node.short_id for node in panel.selection.hits] == ["cart"]
    assert panel.selection.selected is named(panel, "cart")
    panel.selection.set_tree(None)
    assert panel.selection.selected is None
    assert panel.status.text.startswith("No tree yet")


def test_with_nothing_selected_the_panel_says_what_to_do_and_shows_no_headings(panel):
    assert not panel.attributes.isVisible()
    assert any("Click a node" in label.text() for label in panel.findChildren(QLabel) if label.isVisible())
    panel.selection.select(named(panel, "query"))
    assert panel.attributes.isVisible()
    panel.selection.set_tree(None)
    assert not panel.attributes.isVisible()


def test_deep_trees_leave_room_for_words(panel):
    assert panel.tree.indentation() == 16
    deep = dumps.node(text="At the very bottom")
    for _level in range(14):
        deep = dumps.node(deep)
    panel.selection.set_tree(parse_tree(dumps.hierarchy(deep)))
    last = panel.tree.visualRect(panel.tree.nodes.index_of(panel.selection.tree.nodes[-1]))
    assert last.left() <= 150
