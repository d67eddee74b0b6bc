"""Controls react to mouse and keys, have accessible names, and have valid models."""

from __future__ import annotations

from PySide6.QtCore import QAbstractAnimation, QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QSpinBox, QWidget

from studio.commands.registry import Registry
from studio.commands.search import PaletteEntry, search
from studio.widgets.controls import BusyBar, Button, EmptyState, Label, SegmentedControl, Switch, Tabs
from studio.widgets.controls.fields import dress_spin_box
from studio.widgets.window_frame.command_palette import PaletteHitList
from studio.widgets.window_frame.status_bar import StatusBar, StatusItem


def test_a_button_is_pressed_by_mouse_and_space(dressed, qtbot):
    button = Button("Finish", "check", "primary", key="Ctrl+Enter")
    qtbot.addWidget(button)
    button.show()
    pressed = []
    button.clicked.connect(lambda: pressed.append(1))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert len(pressed) == 2
    assert button.height() == 28
    assert button.grab().toImage().pixelColor(3, 14) == dressed.color("accent-fill")


def test_a_button_follows_the_pointer(dressed, qtbot):
    button = Button("Save")
    qtbot.addWidget(button)
    plain = button.grab().toImage()
    button.enterEvent(QEnterEvent(QPointF(1, 1), QPointF(1, 1), QPointF(1, 1)))
    assert button.grab().toImage() != plain
    button.leaveEvent(QEvent(QEvent.Type.Leave))
    assert button.grab().toImage() == plain


def test_a_key_makes_the_button_wider(dressed, qtbot):
    assert Button("Pause", key="P").sizeHint().width() > Button("Pause").sizeHint().width()


def test_segments_and_tabs_move_with_the_arrows(dressed, qtbot):
    segments = SegmentedControl([("a", "A", ""), ("b", "B", "hand")])
    tabs = Tabs(["Steps", "Tree"])
    for widget in (segments, tabs):
        qtbot.addWidget(widget)
        QTest.keyClick(widget, Qt.Key.Key_Right)
    assert segments.current == "b"
    assert tabs.current == 1
    tabs.set_count(0, 10)
    assert segments.accessibleName() == "A, B"


def test_a_switch_says_its_name_and_toggles(dressed, qtbot):
    switch = Switch("Motion", on=True)
    qtbot.addWidget(switch)
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert not switch.isChecked()
    assert switch.accessibleName() == "Motion"


def test_an_empty_state_has_one_button_and_links(dressed, qtbot):
    state = EmptyState("Nothing here", "A sentence", "Do it", links=["One", "Two"])
    qtbot.addWidget(state)
    seen = []
    state.linked.connect(seen.append)
    state.pressed.connect(lambda: seen.append("pressed"))
    state.button.click()
    next(button for button in state.findChildren(Button) if button.text() == "Two").click()
    assert seen == ["pressed", 1]


def test_an_empty_fact_hides_its_cell(dressed, qtbot):
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.set_item("device", StatusItem("Pixel 7", "state-ok"))
    assert not bar.cells["device"].isHidden()
    bar.set_item("device", None)
    assert bar.cells["device"].isHidden()


def test_the_hits_of_the_palette_hold_together(dressed, qtmodeltester, qtbot):
    hits = PaletteHitList()
    qtbot.addWidget(hits)
    entries = [PaletteEntry("command", command.id, command.label) for command in Registry(system="linux")]
    hits.show_entries(search(entries, "re")[0])
    qtmodeltester.check(hits.model())


def first_ink(field: QWidget) -> int:
    """The first column inside the border where something is drawn."""
    field.resize(160, 28)
    image = field.grab().toImage()
    row, left = image.height() // 2, 3
    ground = image.pixel(left, row)
    return next(
        x
        for x in range(left, image.width())
        if any(image.pixel(x, y) != ground for y in range(row - 5, row + 5))
    )


def test_text_starts_at_one_place_in_every_field(hosted):
    line, spin, combo = QLineEdit("720"), QSpinBox(), QComboBox()
    spin.setRange(0, 999)
    spin.setValue(720)
    dress_spin_box(spin)
    combo.addItem("720")
    starts = {first_ink(hosted(field, 160, 28)) for field in (line, spin, combo)}
    assert len(starts) == 1


def test_a_button_that_opens_a_menu_has_its_chevron_after_the_text(dressed, qtbot):
    plain, opens = Button("Columns"), Button("Columns", opens=True)
    for button in (plain, opens):
        qtbot.addWidget(button)
        button.resize(button.sizeHint())
    text = plain.width() - 20
    assert opens.width() == plain.width() + 24
    same = plain.grab().toImage().copy(10, 0, text, 28), opens.grab().toImage().copy(10, 0, text, 28)
    assert same[0] == same[1]


def test_a_wrapped_label_breaks_a_word_that_has_no_place_in_a_line(dressed, qtbot):
    name = "a_very_long_name_" * 8
    label, short = Label(name, "code", wrap=True), Label("An ordinary sentence", wrap=True)
    for each_label in (label, short):
        qtbot.addWidget(each_label)
        each_label.show()
    line = label.fontMetrics().lineSpacing()
    assert label.minimumSizeHint().width() < 100
    assert label.heightForWidth(200) > 4 * line
    assert label.heightForWidth(4000) < 2 * line
    label.resize(200, label.heightForWidth(200))
    image = label.grab().toImage()
    right, bottom = image.width() - 1, image.height() - 1
    edge = {image.pixel(x, y) for x in (right - 1, right) for y in range(bottom + 1)}
    assert edge == {image.pixel(right, bottom)}, "no line is cut"
    assert label.text() == name
    assert short.minimumSizeHint() == QLabel.minimumSizeHint(short)


def test_a_button_with_too_little_room_cuts_its_words_short(dressed, qtbot):
    button = Button("Mark essential state", "flag")
    qtbot.addWidget(button)
    button.show()
    whole = button.sizeHint().width()
    for width in (whole, whole - 40):
        button.resize(width, 28)
        picture = button.grab().toImage()
        ground = picture.pixelColor(0, 0)
        edge = [picture.pixelColor(picture.width() - 1, y) for y in range(picture.height())]
        assert all(color == ground for color in edge)


def test_an_empty_page_shows_enter_while_enter_presses_it_and_interrupts_no_typing(hosted):
    page, other = EmptyState("Nothing", button="Start"), QLineEdit()
    pressed = []
    page.pressed.connect(lambda: pressed.append(True))
    host = hosted(page, 600, 400)
    other.setParent(host.window())
    other.show()
    host.window().activateWindow()
    assert QTest.qWaitForWindowActive(host.window())
    host.button.setFocus()
    assert host.button.key == "Enter"
    QTest.keyClick(host.button, Qt.Key.Key_Return)
    assert pressed == [True]
    other.setFocus()
    assert host.button.key == ""
    page.hide()
    page.show()
    assert other.hasFocus()


def test_a_busy_bar_moves_only_where_motion_is_wanted(hosted, dressed):
    for moves in (False, True):
        bar = BusyBar()
        hosted(bar, 300, 20)
        bar.setRange(0, 0)
        dressed.set_motion(moves)
        picture = bar.grab().toImage()
        dressed.set_motion(False)
        assert bool(bar.findChildren(QAbstractAnimation)) == moves
        middle = picture.pixelColor(picture.width() // 2, picture.height() // 2)
        assert moves or middle == dressed.color("accent"), "it is seen to be busy"
