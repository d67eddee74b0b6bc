"""The step list: content of rows, requests and thumbnails."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from collector.model.action import Tap
from collector.model.trajectory import State, Step
from studio.widgets.step_list.delegate import DELETE, EDIT, RERECORD, action_rects
from studio.widgets.step_list.model import ROW_ROLE, StepListModel
from studio.widgets.step_list.view import StepListView
from studio.widgets.thumbnail_cache import KeptThumbnails, ThumbnailCache
from tests.helpers.sample_steps import many_steps, sample_steps

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(hosted):
    view = hosted(StepListView(ThumbnailCache()), 376, 800)
    view.rows.set_steps("golden-1", sample_steps())
    view.rows.set_waiting(True)
    return view


def rect_of(view, row):
    return view.visualRect(view.rows.index(row))


def test_the_model_keeps_qts_contract(qtmodeltester, qapp):
    model = StepListModel()
    model.set_steps("a", sample_steps(final=True))
    model.set_waiting(True)
    qtmodeltester.check(model)


def test_rows_say_what_happened_and_how_well(qapp):
    model = StepListModel()
    model.set_steps("a", sample_steps(final=True))
    rows = [model.row(number) for number in range(model.rowCount())]
    assert rows[1].caption == "Tap 'Sign in'"
    assert rows[1].detail == "tap 945, 2298 · +2.4 s"
    assert rows[2].detail == "type, hidden · +6.1 s"
    assert [badge.text for badge in rows[7].badges] == ["stale tree 1.4 s"]
    assert [badge.text for badge in rows[9].badges] == ["skew 3 %"]
    assert [badge.text for badge in rows[4].badges] == ["secure"]
    assert [badge.text for badge in rows[2].badges] == ["redacted"]
    assert rows[10].caption == "Final state"


def test_a_row_explains_itself_when_hovered(qapp):
    model = StepListModel()
    broken = State(problem="The tree could not be read")
    model.set_steps("a", [Step(0, 0, "", broken, Tap(1, 2), None, "Tap", note="Twice", intention="Open it")])
    hint = model.index(0).data(Qt.ItemDataRole.ToolTipRole)
    assert hint.splitlines() == ["Tap", "The tree could not be read", "Open it", "Twice"]


def test_the_last_row_waits_for_the_next_action_and_is_no_step(view):
    row = view.rows.index(10).data(ROW_ROLE)
    assert row.is_waiting
    assert row.number == 11
    chosen = []
    view.step_chosen.connect(chosen.append)
    QTest.mouseClick(view.viewport(), LEFT, pos=rect_of(view, 10).center())
    assert chosen == []


def test_live_steps_are_inserted_before_the_waiting_row(view, qtmodeltester):
    inserted = []
    view.rows.rowsInserted.connect(lambda _parent, first, last: inserted.append((first, last)))
    view.rows.append(many_steps(11)[10])
    assert inserted == [(10, 10)]
    assert view.rows.row(10).caption == "Tap 'Item 10'"
    assert view.rows.row(11).is_waiting
    view.rows.remove(0)
    assert view.rows.row(0).caption == "Tap 'Sign in'"
    qtmodeltester.check(view.rows)


def test_a_click_chooses_a_step_and_showing_one_tells_nobody(view):
    chosen = []
    view.step_chosen.connect(chosen.append)
    view.show_step(3)
    assert view.currentIndex().row() == 3
    assert chosen == []
    QTest.mouseClick(view.viewport(), LEFT, pos=rect_of(view, 5).center())
    assert chosen == [5]


def test_a_caption_is_edited_in_place_and_told(view, qtbot):
    edited = []
    view.rows.caption_edited.connect(lambda row, text: edited.append((row, text)))
    view.setFocus()
    view.setCurrentIndex(view.rows.index(1))
    QTest.keyClick(view, Qt.Key.Key_F2)
    editor = view.findChild(QLineEdit)
    assert editor.text() == "Tap 'Sign in'"
    view.edit_caption(1)  # again, as by the menu: the field that is open
    assert view.findChildren(QLineEdit) == [editor]
    assert editor.hasFocus()
    editor.setText("Open the sign-in page")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: edited == [(1, "Open the sign-in page")])


@pytest.mark.parametrize("text", ["  ", "Tap 'Shop'"])
def test_an_empty_or_unchanged_caption_is_not_told(qapp, text):
    model = StepListModel()
    model.set_steps("a", sample_steps())
    edited = []
    model.caption_edited.connect(lambda row, new: edited.append(new))
    assert not model.setData(model.index(0), text)
    assert edited == []


def test_the_icons_of_a_row_ask_for_what_they_show(view):
    asked = []
    view.rerecord_requested.connect(lambda row: asked.append((RERECORD, row)))
    view.delete_requested.connect(lambda row: asked.append((DELETE, row)))
    for name in (RERECORD, DELETE):
        QTest.mouseClick(view.viewport(), LEFT, pos=action_rects(rect_of(view, 2))[name].center())
    assert asked == [(RERECORD, 2), (DELETE, 2)]
    QTest.mouseClick(view.viewport(), LEFT, pos=action_rects(rect_of(view, 2))[EDIT].center())
    assert view.findChild(QLineEdit) is not None


def test_keys_ask_too(view):
    asked = []
    view.rerecord_requested.connect(lambda row: asked.append((RERECORD, row)))
    view.delete_requested.connect(lambda row: asked.append((DELETE, row)))
    view.setCurrentIndex(view.rows.index(4))
    QTest.keyClick(view, Qt.Key.Key_Delete)
    QTest.keyClick(view, Qt.Key.Key_R, Qt.KeyboardModifier.ShiftModifier)
    assert asked == [(DELETE, 4), (RERECORD, 4)]


def test_the_list_stays_at_its_end_while_steps_come(view, qtbot):
    view.scrollToBottom()
    for step in many_steps(14)[10:]:
        view.rows.append(step)
    bar = view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())


def test_a_thumbnail_is_asked_for_once_and_drawn_when_it_comes(hosted):
    thumbnails = ThumbnailCache()
    requested, arrived = [], []
    thumbnails.requested.connect(requested.append)
    thumbnails.arrived.connect(arrived.append)
    for _paint in range(3):
        assert thumbnails.pixmap("a", 43, 96, 2.0) is None
    assert requested == ["a"]
    image = QImage(108, 240, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    thumbnails.deliver("a", image)
    drawn = thumbnails.pixmap("a", 43, 96, 2.0)
    assert drawn.size() == QSize(86, 192)
    assert drawn.devicePixelRatio() == 2.0
    assert arrived == ["a"]


def test_old_thumbnails_are_dropped_and_asked_for_again(hosted):
    kept = KeptThumbnails(7_000, 7_000)  # room for two of 20 x 40 pixels
    thumbnails, others = ThumbnailCache(kept=kept), ThumbnailCache(kept=kept)
    requested = []
    thumbnails.requested.connect(requested.append)
    image = QImage(20, 40, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    for key in "abc":
        thumbnails.pixmap(key, 10, 20, 1.0)
        thumbnails.deliver(key, image)
    assert thumbnails.pixmap("a", 10, 20, 1.0) is None
    assert requested == ["a", "b", "c", "a"]
    for side in range(1, 60):
        assert thumbnails.pixmap("c", side, 2 * side, 1.0) is not None
        assert kept.byte_count <= 14_000 + side * 2 * side * 4
    for key in "cab":  # of one that nobody sees: what all keep has one budget
        others.deliver(key, image)
        assert others.pixmap(key, 50, 100, 1.0) is not None
    assert thumbnails.pixmap("c", 59, 118, 1.0) is None


def test_a_drawn_thumbnail_is_loaded_again_only_for_another_size(hosted):
    thumbnails = ThumbnailCache(kept=KeptThumbnails(7_000, 7_000))
    requested = []
    thumbnails.requested.connect(requested.append)
    image = QImage(20, 40, QImage.Format.Format_RGB32)
    for shade, key in enumerate("abc"):
        image.fill(QColor(shade, 0, 0))
        thumbnails.deliver(key, image)
        assert thumbnails.pixmap(key, 10, 20, 1.0).toImage().pixelColor(5, 5).red() == shade
    assert thumbnails.pixmap("a", 10, 20, 1.0) is not None
    assert requested == []
    assert thumbnails.pixmap("a", 11, 22, 1.0) is None
    assert requested == ["a"]
    image.fill(QColor(9, 0, 0))
    thumbnails.deliver("a", image)
    assert thumbnails.pixmap("a", 10, 20, 1.0).toImage().pixelColor(5, 5).red() == 9


def test_two_thousand_rows_paint_only_what_is_seen(hosted):
    requested = []
    thumbnails = ThumbnailCache()
    thumbnails.requested.connect(requested.append)
    view = hosted(StepListView(thumbnails), 376, 800)
    view.rows.set_steps("long", many_steps(2000))
    view.grab()
    assert 0 < len(requested) < 30
