"""The cards around the phone: texts, requests and layout."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QTransform
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from collector.model.geometry import Point
from collector.model.task import Task
from studio.widgets.device_view.card_layout import DeviceCardLayout
from studio.widgets.device_view.header import DeviceHeader
from studio.widgets.device_view.highlight import Overlay
from studio.widgets.device_view.view import DeviceView, MirrorMode
from studio.widgets.device_view.view_frame import ViewFrame
from studio.widgets.experiment.progress_summary import ProgressSummary, SummaryFacts
from studio.widgets.hud import Hud, MirrorFigures, PointerCard
from studio.widgets.painting import draw_text
from studio.widgets.recording_cards.capture_card import CaptureCard, CaptureFacts, CapturePill
from studio.widgets.recording_cards.key_bar import KeyBar
from studio.widgets.recording_cards.task_card import StateMark, TaskCard
from tests.helpers.sample_screen import sample_frame, sample_tree

LEFT = Qt.MouseButton.LeftButton


def rows(card) -> dict[str, tuple[str, str]]:
    return {fact.name: (fact.value, fact.icon) for fact in card.rows}


def test_the_capture_card_says_how_well_a_step_was_captured(hosted):
    card = hosted(CaptureCard(), 208, 170)
    card.show_capture(CaptureFacts(10, 23, 310, 180, 0.03, "passwords"))
    assert rows(card) == {
        "Frame": ("23 ms old", "state-ok"),
        "Settle": ("0.31 s", "state-ok"),
        "Tree": ("0.18 s", "state-ok"),
        "Skew": ("3 % changed", "state-warn"),
        "Redaction": ("passwords", "state-ok"),
    }
    card.show_capture(CaptureFacts(11, tree_age_ms=1400, secure=True))
    assert rows(card)["Frame"] == ("hidden by the app", "state-info")
    assert rows(card)["Tree"] == ("1.40 s", "state-warn")
    card.show_capture(None)
    assert rows(card)["Settle"] == ("–", "")


def test_the_pill_says_when_the_next_state_is_there(hosted):
    pill = hosted(CapturePill(), 300, 24)
    assert pill.text == "Ready for your first action"
    pill.show_captured(0.4, 214)
    assert pill.text == "Next state captured 0.4 s · 214 nodes"
    assert pill.width() == pill.sizeHint().width()
    pill.show_problem("The tree could not be read")
    assert pill.accessibleName() == "The tree could not be read"


def test_the_pill_says_that_the_phone_is_elsewhere_until_it_is_there(hosted, qtbot):
    pill = hosted(CapturePill(), 400, 24)
    pill.show_captured(0.4, 214)
    assert not pill.bring.isVisible()
    pill.show_elsewhere(2)
    pill.show_captured(0.4, 214)
    assert pill.text == "The phone is not where step 2 begins"
    assert pill.rect().contains(pill.bring.geometry())
    with qtbot.waitSignal(pill.bring_asked):
        QTest.mouseClick(pill.bring, LEFT)
    pill.show_next_place("Your next action replaces step 2")
    assert pill.text == "Your next action replaces step 2 the phone is not there"
    pill.show_elsewhere(None)
    assert pill.text == "Your next action replaces step 2"
    pill.show_next_place("")
    assert pill.text.startswith("Next state captured")


def test_figures_nobody_measured_are_a_dash(hosted):
    hud = hosted(Hud(), 176, 190)
    assert {value for value, _icon in rows(hud).values()} == {"–"}
    hud.show_figures(MirrorFigures(59.8, 1.4, 2.1, 0.4, 0, 112.4, 0.3))
    assert [value for value, _icon in rows(hud).values()] == [
        "59.8 fps",
        "1.4 ms",
        "2.1 ms",
        "0.4 ms",
        "0",
        "112 ms",
        "0.3 s",
    ]


def test_the_pointer_card_speaks_in_pixels_and_dp(hosted):
    card = hosted(PointerCard(), 208, 110)
    title = next(node for node in sample_tree() if node.short_id == "title")
    card.show_pointer(Point(596, 640), title, 480)
    assert [value for value, _icon in rows(card).values()] == [
        "596, 640",
        "[342,612][858,672]",
        "516 × 60 px",
        "172 × 20",
    ]


@pytest.mark.parametrize(
    "instruction",
    [
        "Buy",
        "Sign in, sort posters by price and add the cheapest",
        "登录，把海报按价格排序，并把有货的最便宜一张加入购物车",
        "x" * 90,
    ],
)
def test_the_task_card_grows_with_what_it_has_to_say(hosted, instruction):
    card = hosted(TaskCard(), 248, 40)
    card.show_task(Task("shop-14", instruction, app="Shop", level="hard"))
    bare = card.height()
    card.show_task(Task("shop-14", instruction, note="A note"), [StateMark("Signed in", 6)])
    assert card.height() > bare
    assert not card.grab().isNull()
    card.set_compact(True)
    assert card.sizeHint().height() == 32


def test_the_task_card_says_who_saw_a_state_and_why(hosted, monkeypatch):
    card = hosted(TaskCard(), 248, 40)
    states = [
        StateMark("Signed in", 6, ticks=("rules: step 6 · One node matches", "lin: step 7"), disputed=True),
        StateMark("In the cart"),
        StateMark("The task is done", is_goal=True),
    ]
    card.show_task(Task("shop-14", "Buy", app="Shop"), states)
    assert [state.icon for state in states] == ["state-warn", "state-todo", "state-todo"]
    painted = []

    def note(painter, rect, text, *more):
        painted.append(text)
        return draw_text(painter, rect, text, *more)

    monkeypatch.setattr("studio.widgets.recording_cards.task_card.draw_text", note)
    card.grab()
    tips = [card.tip_at(QPoint(card.width() // 2, y)).splitlines() for y in range(card.height())]
    assert next(filter(None, tips)) == ["Signed in", *states[0].ticks]
    assert card.tip_at(card.rect().topLeft()) == ""
    assert "In the cart: not reached yet" in card.accessibleDescription()
    assert "1 / 2" in painted, "the end of the task is no state"
    card.set_compact(True)
    assert "lin: step 7" in card.tip_at(card.rect().center())


def test_the_key_bar_presses_keys_and_asks_for_the_rest(hosted):
    bar = hosted(KeyBar(), 36, 274)
    keys, asked = [], []
    bar.key_pressed.connect(lambda name, held_ms: keys.append((name, held_ms >= 30)))
    bar.rotate_requested.connect(lambda: asked.append("rotate"))
    bar.keyboard_requested.connect(lambda: asked.append("keyboard"))
    bar.screenshot_requested.connect(lambda: asked.append("picture"))
    bar.refresh_requested.connect(lambda: asked.append("refresh"))
    for button in bar.buttons.values():
        assert button.accessibleName()
        QTest.mouseClick(button, LEFT)
    at = bar.buttons["vol"].geometry().center()
    QApplication.sendEvent(bar, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, bar.mapToGlobal(at)))
    QTest.mousePress(bar.buttons["power"], LEFT)
    QTest.qWait(30)
    QTest.mouseRelease(bar.buttons["power"], LEFT)
    names = ["back", "home", "recents", "power", "volume_up", "volume_down"]
    assert keys == [*((name, False) for name in names), ("power", True)]
    assert asked == ["rotate", "keyboard", "picture", "refresh"]


@pytest.fixture
def stage(hosted):
    view = DeviceView()
    view.show_frame(sample_frame())
    return hosted(DeviceCardLayout(view), 900, 660)


def test_the_phone_stays_centred_and_cards_hug_it(stage):
    left, right = QWidget(), QWidget()
    left.resize(200, 100)
    right.resize(36, 100)
    stage.set_left(left)
    stage.add_right(right)
    phone = stage.view.picture_rect()
    assert abs(phone.center().x() - 450) <= 1
    assert left.geometry().right() < phone.left()
    assert phone.right() < right.geometry().left() < phone.right() + 40
    assert left.isVisible()


def test_cards_give_way_when_there_is_no_room(stage):
    left, near, far = QWidget(), QWidget(), QWidget()
    for card, width in ((left, 200), (near, 36), (far, 208)):
        card.resize(width, 100)
    stage.set_left(left)
    stage.add_right(near)
    stage.add_right(far)
    stage.resize(560, 660)
    assert near.isVisible()
    assert not far.isVisible()
    assert not left.isVisible()
    stage.resize(1000, 660)
    assert far.isVisible()
    assert left.isVisible()


def test_a_card_not_wanted_leaves_its_room_to_the_phone(stage):
    pill, hud = CapturePill(), Hud()
    stage.set_pill(pill)
    stage.add_corner(hud)
    with_pill = stage.view.picture_rect().height()
    stage.set_card_enabled(pill, False)
    stage.set_card_enabled(hud, False)
    assert stage.view.picture_rect().height() == with_pill  # the phone keeps its size when a recording ends
    assert not pill.isVisible()
    assert not hud.isVisible()


def test_the_header_drives_the_view_and_follows_it(hosted):
    view = DeviceView()
    header = hosted(DeviceHeader(view), 888, 36)
    view.setParent(header.parentWidget())
    QTest.mouseClick(header.switch, LEFT, pos=header.switch.segment_rects()[1].center())
    assert view.mode is MirrorMode.INSPECT
    view.set_mode(MirrorMode.INTERACT)
    assert header.switch.current == "INTERACT"
    view.set_mode(MirrorMode.INSPECT)
    QTest.keyClick(header.switch, Qt.Key.Key_Left)
    assert view.mode is MirrorMode.INTERACT
    QTest.mouseClick(header.overlays[Overlay.NODES], LEFT)
    assert Overlay.NODES in view.overlays
    view.set_overlay(Overlay.NODES, False)
    assert not header.overlays[Overlay.NODES].isChecked()
    QTest.mouseClick(header.actual, LEFT)
    assert header.fit.text() == "100 %"
    QTest.mouseClick(header.fit, LEFT)
    assert header.fit.text().startswith("Fit ")


def test_widgets_are_let_go_of(hosted, qtbot):
    gone = []
    stage = hosted(DeviceCardLayout(DeviceView()), 600, 500)
    stage.view.destroyed.connect(lambda: gone.append(True))
    stage.setParent(None)
    stage.deleteLater()
    QApplication.sendPostedEvents(stage, QEvent.Type.DeferredDelete)
    qtbot.waitUntil(lambda: bool(gone))


def test_a_landscape_screen_keeps_keys_and_has_the_task_as_a_line(stage):
    column = QWidget()
    task, line, keys = QWidget(), TaskCard(column), KeyBar()
    task.resize(248, 300)
    line.setFixedHeight(32)
    stage.set_left(task)
    stage.set_line(line)
    stage.add_right(keys)
    column.show()
    assert not line.isVisible()
    frame = sample_frame()
    wide = ViewFrame(frame.image.transformed(QTransform().rotate(90)), frame.screen.transposed)
    stage.view.show_frame(wide)
    assert line.isVisible()
    assert not task.isVisible()
    assert keys.isVisible()
    picture = stage.view.picture_rect()
    edge = stage.view.mapTo(stage, picture.bottomRight()).x()
    assert edge < keys.x() <= stage.width() - keys.width()
    stage.view.show_frame(frame)
    assert not line.isVisible()
    assert task.isVisible()
    for height in range(500, 1600, 20):
        stage.resize(1000, height)
        stage.resize(1000, height - (32 if line.isVisible() else 0))  # the line takes its height from it
        assert line.isVisible() != task.isVisible()
    column.deleteLater()


def test_the_size_and_the_time_of_an_experiment_take_the_lines_they_need(hosted):
    summary = hosted(ProgressSummary(), 228, 200)
    facts = SummaryFacts(6, size="1 task × 1 agent", time="about 7 s", when="on 1 phone")
    summary.show_facts(facts)
    short = summary.sizeHint().height()
    summary.show_facts(replace(facts, size="1 task × 1 agent × 1 condition × 2 goal styles × 3 seeds"))
    assert summary.sizeHint().height() > short
    summary.show_facts(replace(facts, time="time known once it runs"))
    assert summary.sizeHint().height() > short
    summary.resize(600, 200)
    assert summary.sizeHint().height() == short
