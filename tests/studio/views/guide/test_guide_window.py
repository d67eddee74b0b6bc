"""The guide in its window: contents, search, links, and the way back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from collector.guide.guide import CONTENTS, read_guide
from collector.guide.search import GuideIndex
from collector.model.resources import guide_folder
from studio.theme import theme
from studio.views.guide.guide_window import GuideWindow

RECORDING, REVIEWING = "docs/guide/recording.md", "docs/guide/reviewing.md"
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.fixture(scope="module")
def read():
    guide = read_guide(guide_folder())
    return guide, GuideIndex(guide)


@pytest.fixture
def window(qtbot, dressed, read):
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(1280, 720)
    window = GuideWindow(*read, host)
    window.show_page(CONTENTS)
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.close()


def entries(window: GuideWindow) -> list[QTreeWidgetItem]:
    tops = [window.list.topLevelItem(row) for row in range(window.list.topLevelItemCount())]
    return [top.child(row) for top in tops for row in range(top.childCount())]


def links(window: GuideWindow) -> list[str]:
    """Where the links of the page lead, in order."""
    found, block = [], window.view.document().begin()
    while block.isValid():
        words = block.begin()
        while not words.atEnd():
            found += [words.fragment().charFormat().anchorHref()]
            words += 1
        block = block.next()
    return [link for link in found if link]


def test_the_contents_open_a_page_by_click_and_by_key(window, qtbot):
    entry = next(entry for entry in entries(window) if entry.text(0) == "Recording")
    window.list.scrollToItem(entry)
    place = window.list.visualItemRect(entry).center()
    QTest.mouseClick(window.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.title.text() == "Recording"
    QTest.keyClick(window.list, Qt.Key.Key_Down)
    QTest.keyClick(window.list, Qt.Key.Key_Return)
    assert window.title.text() == window.list.currentItem().text(0) != "Recording"


def test_links_lead_to_headings_and_pages_and_back_leads_to_where_they_were(window, qtbot):
    window.show_page("docs/guide/rules.md")
    bar = window.view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 400)
    bar.setValue(300)
    window.view.link_followed.emit("recording.md")
    assert (window.title.text(), bar.value()) == ("Recording", 0)
    QTest.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert (window.title.text(), bar.value()) == ("Rules", 300)
    QTest.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert window.title.text() == "Recording"
    assert not window.forward.isEnabled()
    QTest.mouseClick(window.home, Qt.MouseButton.LeftButton)
    assert window.title.text() == "Documentation"
    assert "guide/recording.md" in links(window)


def test_a_link_to_a_heading_brings_it_to_the_top(window):
    heading = "Explanation"
    window.show_page(CONTENTS, heading.lower())
    cursor = window.view.textCursor()
    assert cursor.block().text() == heading
    assert 0 <= window.view.cursorRect(cursor).top() < window.view.viewport().height()


def test_a_search_lists_sections_and_marks_the_words(window, qtbot):
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is window.search
    QTest.keyClicks(window.search, "verdicts by keyboard")
    assert entries(window)
    QTest.keyClick(window.search, Qt.Key.Key_Return)
    assert window.view.extraSelections()
    QTest.keyClicks(window.search, " no-such-word")
    assert entries(window) == []
    assert window.nothing.isVisible()
    window.search.clear()
    assert "Recording" in [entry.text(0) for entry in entries(window)]
    assert not window.nothing.isVisible()


def test_a_picture_is_never_wider_than_the_page(window, qtbot, read):
    window.show_page("docs/guide/rules.md")
    image = QTextDocument.ResourceType.ImageResource.value
    name = QUrl("../images/rules.png")
    for width in (1200, 700):
        window.resize(width, 600)
        qtbot.waitUntil(lambda: window.view.document().resource(image, name) is not None)
        picture = window.view.document().resource(image, name)
        assert 0 < picture.width() <= window.view.viewport().width()


def test_another_theme_colours_the_page_again_where_it_is(window, qtbot):
    window.show_page(REVIEWING)
    bar = window.view.verticalScrollBar()
    bar.setValue(120)
    before = theme.scheme
    theme.use("light" if before == "dark" else "dark")
    link = next(iter(links(window)))
    assert link
    assert bar.value() == 120
    theme.use(before)


def test_a_link_out_of_the_guide_is_asked_for(window, qtbot):
    with qtbot.waitSignal(window.address_asked) as asked:
        window.view.link_followed.emit("https://example.com/a")
    assert asked.args == ["https://example.com/a"]
