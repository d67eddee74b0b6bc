"""The list of all trajectories reads pages, and searches as the command line does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.catalogue.query import KEYS, QueryError
from studio.views.project.recent_trajectories import RecentCards
from studio.views.project.trajectory_list_dialog import TrajectoryListDialog
from studio.views.project.trajectory_model import PAGE, TrajectoryModel
from studio.widgets.thumbnail_cache import ThumbnailCache
from tests.helpers.shown_texts import says

# The plugin without a screen says so of every dialog.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


def row(number: int) -> CatalogueRow:
    return CatalogueRow(f"trajectories/t/{number}", str(number), "t", "golden", "lin", "finished", "", "",
               "2026-01-01T00:00:00+00:00", 1000, number, 0, "")  # fmt: skip


class FakeLibrary(QObject):
    """Answers when the test says so."""

    changed = Signal(object)

    def __init__(self, count):
        super().__init__()
        self.rows = [row(number) for number in range(count)]
        self.asked = []

    def page(self, text, offset, limit, success, failure):
        self.asked.append((text, offset, success, failure))
        return self

    def answer(self):
        text, offset, success, failure = self.asked.pop(0)
        if text.startswith("nonsense:"):
            failure(QueryError("There is no search key nonsense"))
        else:
            matches = [row for row in self.rows if text in row.id]
            success((len(matches), matches[offset : offset + PAGE]))


def test_pages_come_as_they_are_scrolled_to(dressed, qtmodeltester):
    library = FakeLibrary(3 * PAGE - 10)
    model = TrajectoryModel(library)
    model.search("")
    library.answer()
    assert (model.rowCount(), model.canFetchMore(QModelIndex())) == (PAGE, True)
    model.fetchMore(QModelIndex())
    assert not model.canFetchMore(QModelIndex()), "one page at a time"
    library.answer()
    model.fetchMore(QModelIndex())
    library.answer()
    assert (model.rowCount(), model.canFetchMore(QModelIndex())) == (3 * PAGE - 10, False)
    qtmodeltester.check(model)


def test_a_search_made_while_one_runs_comes_next_and_only_the_last_counts(dressed):
    library = FakeLibrary(30)
    model = TrajectoryModel(library)
    for query in ("", "1", "12"):
        model.search(query)
    while library.asked:
        library.answer()
    assert [model.row(model.index(number, 0)).id for number in range(model.rowCount())] == ["12"]


def test_the_list_opens_the_chosen_one_and_says_what_is_wrong_with_a_query(dressed, qtbot):
    library, host, opened = FakeLibrary(3), QWidget(), []
    qtbot.addWidget(host)
    dialog = TrajectoryListDialog(library, library, host)
    dialog.opened.connect(opened.append)
    library.answer()
    dialog.open()
    assert not dialog.yes.isEnabled()
    QTest.keyClick(dialog.field, Qt.Key.Key_Down)  # from the search into the list
    assert dialog.yes.isEnabled()
    dialog.table.selectRow(1)
    dialog.field.setText("nonsense:1")
    library.changed.emit(None)  # searches at once
    library.answer()
    assert says(dialog, "no search key")
    dialog.accept()
    assert [row.id for row in opened] == ["1"]


@pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing the keyboard", extend=True)
def test_several_that_are_selected_are_practised_on_together(dressed, qtbot):
    library, host, asked = FakeLibrary(3), QWidget(), []
    qtbot.addWidget(host)
    host.show()
    dialog = TrajectoryListDialog(library, library, host)
    dialog.change_asked.connect(lambda *change: asked.append(change))
    library.answer()
    dialog.open()
    table = dialog.table
    for number, modifier in ((0, Qt.KeyboardModifier.NoModifier), (2, Qt.KeyboardModifier.ControlModifier)):
        place = table.visualRect(dialog.model.index(number, 0)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, modifier, place)
    assert menu_of(table, 1) == ["Open", "Rename trajectory...", "Duplicate trajectory", "Delete trajectory",
                                 "Open the folder", "Practise on this", "Export..."]  # fmt: skip
    assert menu_of(table, 2, "Practise on 2 trajectories") == ["Practise on 2 trajectories"]
    folders = [dialog.model.row(dialog.model.index(number, 0)).folder for number in (0, 2)]
    assert asked == [("practise", "\n".join(folders))]
    dialog.reject()


def menu_of(table, number, chosen=""):
    """The titles of the menu on a row, of which one is chosen."""
    place = table.visualRect(table.model().index(number, 0)).center()
    at = table.viewport().mapToGlobal(place)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, at)
    QApplication.sendEvent(table.viewport(), event)
    menu = QApplication.activePopupWidget()
    actions = {action.text(): action for action in menu.actions() if not action.isSeparator()}
    if chosen:
        actions[chosen].trigger()
    menu.close()
    return list(actions)


def test_cards_are_walked_by_keys_and_opened_by_enter(dressed, qtbot):
    cards = RecentCards(ThumbnailCache())
    qtbot.addWidget(cards)
    cards.resize(800, 162)
    cards.show_rows([row(number) for number in range(9)])
    chosen, opened = [], []
    cards.chosen.connect(chosen.append)
    cards.activated.connect(opened.append)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Return):
        QTest.keyClick(cards, key)
    assert [row.id for row in chosen] == ["0", "1", "0"]
    assert [row.id for row in opened] == ["0"]
    assert not cards.grab().isNull()


@pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing the keyboard", extend=True)
def test_the_search_completes_keys_and_values_at_the_cursor_and_names_them_all(dressed, qtbot):
    library, host = FakeLibrary(3), QWidget()
    qtbot.addWidget(host)
    host.show()
    dialog = TrajectoryListDialog(library, library, host)
    dialog.open()
    field, popup = dialog.field, dialog.completion.completer.popup()
    QTest.keyClicks(field, "poster -outc")
    assert popup.isVisible()
    assert "success, failure or uncompleted" in popup.model().index(0, 0).data()
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert field.text() == "poster -outcome:"
    QTest.keyClicks(field, "f")
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert field.text() == "poster -outcome:failure "
    QTest.keyClicks(field, "word")
    assert not popup.isVisible()
    assert [key for key in KEYS if f"{key}:" not in field.toolTip()] == []
    dialog.reject()
