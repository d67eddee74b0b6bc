"""The device view: a mouse that is a finger, a pointer that picks nodes, and what is drawn over them."""

import gc
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QGuiApplication, QImage, QInputMethodEvent, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from shiboken6 import isValid

from collector.model.action import Swipe, Tap
from collector.model.geometry import Point, Rect, Size
from collector.model.phone.touch import TouchAction
from studio.widgets.device_view.canvas import free_place, to_pixels
from studio.widgets.device_view.highlight import Highlight, HighlightStyle, Overlay, Trace, TraceMark
from studio.widgets.device_view.highlight_painter import draw_highlights
from studio.widgets.device_view.stack_menu import StackMenu
from studio.widgets.device_view.transform import ViewTransform
from studio.widgets.device_view.view import DeviceView, MirrorMode
from studio.widgets.device_view.view_frame import ViewFrame
from tests.helpers.painted_texts import painted_texts
from tests.helpers.sample_screen import SCREEN, sample_image, sample_tree

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


class ReceivedInput:
    """Everything a view said."""

    def __init__(self, view: DeviceView) -> None:
        self.pointer, self.keys, self.texts, self.scrolls = [], [], [], []
        view.pointer.connect(self.pointer.append)
        view.key_pressed.connect(self.keys.append)
        view.text_committed.connect(self.texts.append)
        view.scrolled.connect(self.scrolls.append)


@pytest.fixture(scope="module")
def frame():
    return ViewFrame(sample_image(Size(540, 1200)), SCREEN)


@pytest.fixture
def view(hosted, frame):
    view = hosted(DeviceView(), 700, 900)
    view.show_frame(frame)
    view.selection.set_tree(sample_tree())
    view.setFocus()
    view.take_keyboard()
    return view


def place(view: DeviceView, point: Point) -> QPoint:
    return QPointF(*view.transform.to_view(point)).toPoint()


def named(view: DeviceView, name: str):
    return next(node for node in view.selection.tree if node.short_id == name)


def turn(
    view: DeviceView, at: QPoint, notches: int, modifiers=Qt.KeyboardModifier.NoModifier, left: int = 0
) -> None:
    event = QWheelEvent(
        QPointF(at),
        QPointF(view.mapToGlobal(at)),
        QPoint(),
        QPoint(120 * left, 120 * notches),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


def test_a_press_a_drag_and_a_release_are_one_finger_in_device_pixels(view):
    received = ReceivedInput(view)
    start, end = place(view, Point(200, 1500)), place(view, Point(800, 700))
    QTest.mousePress(view, LEFT, pos=start)
    QTest.mouseMove(view, end)
    QTest.mouseRelease(view, LEFT, pos=end)
    actions = [event.action for event in received.pointer]
    assert actions == [TouchAction.DOWN, TouchAction.MOVE, TouchAction.UP]
    reach = SCREEN.width / view.transform.image.width
    down, _move, up = received.pointer
    assert down.position.screen == SCREEN
    assert down.position.point.distance_to(Point(200, 1500)) <= 2 * reach
    assert up.position.point.distance_to(Point(800, 700)) <= 2 * reach
    assert down.time_ns <= up.time_ns


def test_a_press_beside_the_screen_touches_nothing(view):
    received = ReceivedInput(view)
    QTest.mouseClick(view, LEFT, pos=QPoint(3, 3))
    assert received.pointer == []


def test_a_finger_dragged_off_the_glass_stays_at_its_edge(view):
    received = ReceivedInput(view)
    QTest.mousePress(view, LEFT, pos=place(view, Point(500, 500)))
    QTest.mouseRelease(view, LEFT, pos=QPoint(2, view.height() - 2))
    assert received.pointer[-1].position.point == Point(0, 2399)


def test_ctrl_drag_is_two_fingers_mirrored_about_the_centre(view):
    received = ReceivedInput(view)
    QTest.mousePress(view, LEFT, CTRL, place(view, Point(300, 800)))
    QTest.mouseRelease(view, LEFT, CTRL, place(view, Point(200, 600)))
    assert [event.pointer for event in received.pointer] == [0, 1, 0, 1]
    first, second = received.pointer[0].position.point, received.pointer[1].position.point
    assert (first.x + second.x, first.y + second.y) == (1079, 2399)


def test_right_is_back_and_middle_is_home(view):
    received = ReceivedInput(view)
    QTest.mouseClick(view, RIGHT, pos=place(view, Point(500, 500)))
    QTest.mouseClick(view, MIDDLE, pos=place(view, Point(500, 500)))
    assert received.keys == ["back", "home"]


def test_the_wheel_scrolls_the_phone_and_with_ctrl_zooms_at_the_pointer(view):
    received = ReceivedInput(view)
    at = place(view, Point(500, 1000))
    turn(view, at, -1)
    turn(view, at, 0, left=1)  # Qt counts turns to the left, Android those to the right
    assert [(each.horizontal, each.vertical) for each in received.scrolls] == [(0, -1), (-1, 0)]
    before = view.transform.to_device(at.x(), at.y())
    turn(view, at, 8, CTRL)
    assert view.transform.scale > 1
    assert view.transform.to_device(at.x(), at.y()).distance_to(before) <= 4
    view.fit()
    assert view.is_fitted


def test_a_double_click_is_two_taps_for_the_phone(view):
    received = ReceivedInput(view)
    at = place(view, Point(500, 1000))
    QTest.mouseClick(view, LEFT, pos=at)
    QTest.mouseDClick(view, LEFT, pos=at)
    QTest.mouseRelease(view, LEFT, pos=at)
    assert [event.action for event in received.pointer].count(TouchAction.DOWN) >= 2
    assert received.pointer[-1].action is TouchAction.UP


def test_a_finger_is_taken_back_when_the_window_loses_the_keyboard(view):
    received = ReceivedInput(view)
    QTest.mousePress(view, LEFT, pos=place(view, Point(500, 500)))
    view.clearFocus()
    assert received.pointer[-1].action is TouchAction.CANCEL


def test_keys_and_letters_go_to_the_phone(view):
    received = ReceivedInput(view)
    QTest.keyClicks(view, "aB?")
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Backspace, Qt.Key.Key_Back, Qt.Key.Key_Tab):
        QTest.keyClick(view, key)
    assert received.texts == ["a", "B", "?"]
    assert received.keys == ["enter", "delete", "back", "tab"]


def test_esc_a_click_beside_the_phone_and_tab_give_the_keyboard_back(view):
    received = ReceivedInput(view)
    owners = []
    view.keyboard_changed.connect(owners.append)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.keyClicks(view, "r")
    view.take_keyboard()
    QTest.keyClicks(view, "a")
    QTest.mouseClick(view, LEFT, pos=QPoint(2, 2))
    QTest.keyClicks(view, "r")
    QTest.mouseClick(view, LEFT, pos=place(view, Point(500, 1000)))
    QTest.keyClicks(view, "b")
    QTest.keyClick(view, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert owners == [False, True, False, True, False]
    assert received.texts == ["a", "b"]
    assert received.keys == []


def test_a_palette_borrows_the_keyboard_and_a_click_elsewhere_ends_it(view):
    other = QLineEdit(view.parentWidget())
    other.show()
    other.setFocus()
    assert not view.has_keyboard
    view.setFocus()
    assert view.has_keyboard
    other.setFocus(Qt.FocusReason.MouseFocusReason)
    view.setFocus()
    assert not view.has_keyboard


def test_alt_leaves_keys_to_commands_and_alt_gr_types(view):
    received = ReceivedInput(view)
    QTest.keyClick(view, Qt.Key.Key_R, ALT)
    QTest.keyClick(view, Qt.Key.Key_Left, ALT)
    assert received.texts == received.keys == []
    assert view.has_keyboard
    QTest.keyClick(view, Qt.Key.Key_At, CTRL | ALT)
    assert received.texts == ["@"]


def test_paste_types_the_clipboard_and_other_shortcuts_stay_the_windows(view):
    received = ReceivedInput(view)
    QGuiApplication.clipboard().setText("日本 🙂")
    QTest.keyClick(view, Qt.Key.Key_V, CTRL)
    QTest.keyClick(view, Qt.Key.Key_Z, CTRL)
    assert received.texts == ["日本 🙂"]
    assert received.keys == []


@pytest.mark.parametrize("text", ["你好", "🙂", "👩‍👩‍👧"])
def test_an_input_method_commits_what_it_composed(view, text):
    received = ReceivedInput(view)
    composing = QInputMethodEvent("ni", [])
    QApplication.sendEvent(view, composing)
    assert received.texts == []
    done = QInputMethodEvent("", [])
    done.setCommitString(text)
    QApplication.sendEvent(view, done)
    assert received.texts == [text]
    assert view.inputMethodQuery(Qt.InputMethodQuery.ImEnabled) is True
    assert view.rect().contains(view.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle))


def test_inspect_lights_selects_and_opens_the_node_under_the_pointer(view, qtbot):
    received = ReceivedInput(view)
    view.set_mode(MirrorMode.INSPECT)
    title = named(view, "title")
    at = place(view, title.bounds.center)
    QTest.mouseMove(view, at)
    assert view.selection.hovered is title
    assert [mark.tag for mark in view.highlights()] == ["TextView  516 × 60"]
    QTest.mouseClick(view, LEFT, pos=at)
    assert view.selection.selected is title
    with qtbot.waitSignal(view.opened_in_tree) as opened:
        QTest.mouseDClick(view, LEFT, pos=at)
    assert opened.args == [title]
    assert received.pointer == []


def test_holding_alt_flips_the_mode_at_once(view):
    modes = []
    view.mode_changed.connect(modes.append)
    QTest.keyPress(view, Qt.Key.Key_Alt)
    assert view.mode is MirrorMode.INSPECT
    QTest.keyRelease(view, Qt.Key.Key_Alt)
    assert modes == [MirrorMode.INSPECT, MirrorMode.INTERACT]


def test_alt_does_not_flip_while_a_finger_is_down(view):
    QTest.mousePress(view, LEFT, pos=place(view, Point(500, 500)))
    QTest.keyPress(view, Qt.Key.Key_Alt)
    assert view.mode is MirrorMode.INTERACT
    QTest.keyRelease(view, Qt.Key.Key_Alt)
    QTest.mouseRelease(view, LEFT, pos=place(view, Point(500, 500)))


def test_alt_wheel_goes_through_the_stack(view):
    view.set_mode(MirrorMode.INSPECT)
    at = place(view, named(view, "title").bounds.center)
    seen = []
    for _turn in range(6):
        turn(view, at, -1, ALT)
        seen.append(view.selection.selected)
    assert [node.short_class for node in seen[:5]] == [
        "TextView",
        "ViewGroup",
        "RecyclerView",
        "LinearLayout",
        "FrameLayout",
    ]
    assert seen[5] is seen[0]


def test_a_right_click_lists_the_stack_and_a_number_chooses(view):
    view.set_mode(MirrorMode.INSPECT)
    title = named(view, "title")
    menu = view.open_stack_menu(QPointF(place(view, title.bounds.center)))
    assert [node.short_class for node in menu.nodes][:2] == ["TextView", "ViewGroup"]
    assert view.selection.hovered is title
    below = view.transform.to_physical(title.bounds)
    assert menu.geometry().top() + 8 >= below.bottom / view.transform.ratio
    QTest.keyClick(menu, Qt.Key.Key_2)
    assert view.selection.selected is title.parent
    assert menu.isHidden()
    assert view.hasFocus()


def test_a_click_elsewhere_and_escape_close_the_stack_menu(view):
    view.set_mode(MirrorMode.INSPECT)
    at = QPointF(place(view, named(view, "title").bounds.center))
    menu = view.open_stack_menu(at)
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    assert menu.isHidden()
    menu = view.open_stack_menu(at)
    QTest.mouseClick(view, LEFT, pos=QPoint(5, 5))
    assert menu.isHidden()
    assert isinstance(menu, StackMenu)


def test_a_double_click_in_the_stack_menu_opens_the_node_in_the_tree(view, qtbot):
    view.set_mode(MirrorMode.INSPECT)
    menu = view.open_stack_menu(QPointF(place(view, named(view, "title").bounds.center)))
    row = menu.row_rect(1).center()
    with qtbot.waitSignal(view.opened_in_tree) as opened:
        QTest.mouseClick(menu, LEFT, pos=row)
        QTest.mouseDClick(menu, LEFT, pos=row)
    assert opened.args[0].short_id == "item"


def test_the_middle_button_pans_in_inspect(view):
    view.set_mode(MirrorMode.INSPECT)
    view.actual_size()
    before = view.transform.top
    QTest.mousePress(view, MIDDLE, pos=QPoint(300, 300))
    QTest.mouseMove(view, QPoint(300, 260))
    QTest.mouseRelease(view, MIDDLE, pos=QPoint(300, 260))
    assert view.transform.top == before - 40


def test_arrow_keys_walk_the_tree(view):
    view.set_mode(MirrorMode.INSPECT)
    view.selection.select(named(view, "title"))
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.selection.selected.short_id == "price"
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert view.selection.selected.short_id == "item"
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.selection.selected is None


def test_the_cursor_is_told_in_device_pixels(view):
    seen = []
    view.cursor_moved.connect(seen.append)
    QTest.mouseMove(view, place(view, Point(596, 640)))
    assert seen[-1].point.distance_to(Point(596, 640)) <= 4
    QTest.mouseMove(view, QPoint(2, 2))
    assert seen[-1] is None


class Paints(QObject):
    """The areas of a widget that are painted."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.areas: list[QRect] = []
        watched.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.areas.append(event.rect())
        return False


def live_frame(view, sequence, color, changed=None):
    pixels = np.full((view.transform.image.height, view.transform.image.width, 4), color, np.uint8)
    return replace(ViewFrame.of_pixels(pixels, SCREEN), sequence=sequence, changed=changed)


def test_a_frame_that_arrives_is_painted_at_once_and_of_it_only_what_changed(view, qtbot):
    QApplication.processEvents()
    arriving = [live_frame(view, 1, 200)]
    view.set_frame_source(lambda: arriving.pop() if arriving else None)

    def shown(row):
        at = view.transform.image_rect
        return view.grab().toImage().pixelColor(at.left + 9, at.top + row).red()

    view.frame_arrived()
    assert (shown(5), shown(300), view.frames_painted) == (200, 200, 1)
    paints = Paints(view)
    painted = paints.areas
    arriving.append(live_frame(view, 2, 100, changed=range(64, 128)))
    view.frame_arrived()
    top = view.picture_rect().top()
    assert [(rect.top() - top, rect.height()) for rect in painted] == [(64, 64)]
    arriving.append(live_frame(view, 3, 100, changed=range(0)))
    view.frame_arrived()
    assert len(painted) == 1
    assert view.frames_painted == 3, "a frame that repeats the one before is shown already"
    for frame in (live_frame(view, 5, 90, changed=range(64, 128)), live_frame(view, 6, 80)):
        painted.clear()
        arriving.append(frame)  # one was overtaken, or nothing is known
        view.frame_arrived()
        assert painted == [view.rect()]
    view.hide()
    arriving.append(live_frame(view, 7, 70))
    view.frame_arrived()
    assert arriving, "what nobody sees costs nothing"


def test_the_view_asks_for_frames_of_the_size_it_shows_and_never_larger_than_the_screen(view):
    sizes = []
    view.view_size_wanted.connect(sizes.append)
    view.actual_size()
    assert sizes[-1] == SCREEN
    view.zoom_in()
    assert sizes[-1] == SCREEN
    view.fit()
    assert sizes[-1] == view.transform.image


def test_a_rotated_screen_is_fitted_again(view):
    view.actual_size()
    view.show_frame(ViewFrame(sample_image(Size(300, 200)), SCREEN.transposed))
    assert view.screen_size == SCREEN.transposed
    assert view.is_fitted
    assert view.transform.image.width > view.transform.image.height


def probe(view: DeviceView, at: QPoint) -> str:
    return view.grab().toImage().pixelColor(at).name().upper()


def test_the_frame_tells_the_mode_by_colour_and_corners(view, dressed):
    picture = view.picture_rect()
    edge = QPoint(picture.left() - 3, picture.center().y())
    corner = QPoint(picture.left() - 5, picture.top() - 5)
    assert probe(view, corner) == dressed.color("ok").name().upper()  # twice as wide: it has the keyboard
    view.release_keyboard()
    assert probe(view, edge) == dressed.color("ok").name().upper()
    assert probe(view, corner) == dressed.color("bg-0").name().upper()
    view.set_mode(MirrorMode.INSPECT)
    assert probe(view, edge) == dressed.color("accent").name().upper()
    assert probe(view, corner) == dressed.color("accent").name().upper()


@pytest.mark.parametrize("style", [HighlightStyle.HIT, HighlightStyle.MISS, HighlightStyle.TARGET])
def test_marks_are_drawn_outside_their_bounds_and_can_be_switched_off(view, dressed, style):
    bounds = Rect(200, 800, 800, 1400)
    view.set_overlay(Overlay.RULES, True)
    view.set_marks(Overlay.RULES, [Highlight(bounds, style)])
    physical = view.transform.to_physical(bounds)
    expected = dressed.overlay(style.look.color).name().upper()
    image = view.grab().toImage()
    row = [image.pixelColor(x, physical.top - 1).name().upper() for x in range(physical.left, physical.right)]
    assert expected in row
    view.set_overlay(Overlay.RULES, False)
    assert expected != probe(view, QPoint(physical.left + 1, physical.top - 1))


def test_node_boxes_are_a_layer_of_their_own(view):
    thumb = view.transform.to_physical(named(view, "thumb").bounds)
    edge = QPoint(thumb.left - 1, thumb.top + 20)
    without = probe(view, edge)
    view.set_overlay(Overlay.NODES, True)
    assert probe(view, edge) != without


def test_an_action_leaves_its_trace(view, dressed):
    view.set_traces([Trace(Tap(540, 1200)), Trace(Swipe(200, 2000, 200, 1000), TraceMark.GOLDEN)])
    halo = dressed.overlay("mark_halo")
    middle = place(view, Point(540, 1200))
    image = view.grab().toImage()
    assert image.pixelColor(middle).name() == "#ffffff"
    ring = [image.pixelColor(middle + QPoint(dx, 0)) for dx in range(8, 16)]
    assert any(abs(color.lightness() - halo.lightness()) < 60 for color in ring)


def test_a_secure_window_is_black_with_its_tree_still_there(view, frame):
    view.show_frame(ViewFrame(frame.image, SCREEN, secure=True))
    view.set_mode(MirrorMode.INSPECT)
    title = named(view, "title")
    assert probe(view, place(view, Point(20, 20))) == "#000000"
    QTest.mouseMove(view, place(view, title.bounds.center))
    assert view.selection.hovered is title


@pytest.mark.parametrize(
    ("keypad", "expected"),
    [
        ([range(100, 160), range(170, 500)], range(100)),
        ([range(40), range(260, 560)], range(40, 260)),
        ([], range(600)),
        ([range(600)], range(600)),
    ],
)
def test_the_sentence_about_hidden_pixels_is_not_over_controls(keypad, expected):
    top = free_place(keypad, QRect(10, 0, 200, 600), 56, 208)
    assert expected.start <= top
    assert top + 56 <= expected.stop


def test_a_click_in_inspect_emits_the_node_it_selects(view):
    view.set_mode(MirrorMode.INSPECT)
    picked = []
    view.picked.connect(picked.append)
    title = named(view, "title")
    QTest.mouseClick(view, LEFT, pos=place(view, title.bounds.center))
    assert picked == [title]
    view.selection.select(None)
    assert picked == [title]


def test_without_a_picture_the_view_says_so_and_takes_no_harm(view):
    view.show_frame(None)
    view.selection.set_tree(None)
    view.set_mode(MirrorMode.INSPECT)
    QTest.mouseMove(view, view.rect().center())
    QTest.mouseClick(view, LEFT, pos=view.rect().center())
    assert view.open_stack_menu(QPointF(view.rect().center())) is None
    assert not view.grab().isNull()


def test_a_new_tree_keeps_a_selection_it_still_holds(view):
    view.selection.select(named(view, "cart"))
    view.selection.set_tree(sample_tree())
    assert view.selection.selected is named(view, "cart")


def test_the_time_from_packet_to_paint_is_measured(view, frame, qtbot):
    live = ViewFrame(frame.image, SCREEN, received_ns=1)
    pending = [live]
    view.set_frame_source(lambda: pending.pop() if pending else None)
    view.frame_arrived()
    qtbot.waitUntil(lambda: view.frames_painted == 1)
    assert view.latency_ms > 0
    assert view.paint_ms > 0


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_outlines_are_crisp_at_every_ratio(dressed, ratio):
    image = QImage(400, 400, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    to_pixels(painter, ratio)
    transform = ViewTransform.fit(Size(1080, 2400), Size(400, 400), ratio)
    draw_highlights(
        painter, [Highlight(Rect(101, 203, 907, 1811), HighlightStyle.HIT)], transform, black=False
    )
    painter.end()
    rect = transform.to_physical(Rect(101, 203, 907, 1811))
    wide = round(2 * ratio)
    row = [image.pixelColor(x, 200).name() for x in range(rect.left - wide - 1, rect.left)]
    assert row == ["#ffffff"] + [dressed.overlay("hit").name()] * wide


def test_a_window_closed_with_its_menu_open_takes_no_harm(dressed, frame):
    window = QWidget()
    window.resize(700, 900)
    view = DeviceView(parent=window)
    view.resize(700, 900)
    view.show_frame(frame)
    view.selection.set_tree(sample_tree())
    window.show()
    view.set_mode(MirrorMode.INSPECT)
    menu = view.open_stack_menu(QPointF(place(view, named(view, "title").bounds.center)))
    window.close()
    window.deleteLater()
    QApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
    assert not isValid(view)
    assert not isValid(menu)


def test_a_new_tree_under_a_resting_pointer_lights_its_node(view):
    view.set_mode(MirrorMode.INSPECT)
    at = place(view, named(view, "title").bounds.center)
    QTest.mouseMove(view, at + QPoint(3, 3))  # a move to where the pointer was in another test is no event
    QTest.mouseMove(view, at)
    hovered = []
    view.selection.hovered_changed.connect(hovered.append)
    view.selection.set_tree(sample_tree())
    assert view.selection.hovered is named(view, "title")
    assert hovered[-1] is view.selection.hovered


def test_a_new_tree_lights_nothing_once_the_pointer_has_left(view):
    view.set_mode(MirrorMode.INSPECT)
    QTest.mouseMove(view, place(view, named(view, "title").bounds.center))
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    view.selection.set_tree(sample_tree())
    assert view.selection.hovered is None


def test_a_node_selected_elsewhere_is_filled_for_a_moment(view, dressed, qtbot):
    dressed.set_motion(True)
    view.selection.select(named(view, "title"))
    assert HighlightStyle.HOVER in {mark.style for mark in view.highlights()}
    qtbot.waitUntil(lambda: HighlightStyle.HOVER not in {mark.style for mark in view.highlights()})
    assert HighlightStyle.SELECTED in {mark.style for mark in view.highlights()}


def test_only_one_of_the_chosen_nodes_has_a_tag(view):
    view.selection.select(named(view, "title"))
    view.selection.hover(named(view, "title"))
    assert len([mark for mark in view.highlights() if mark.tag]) == 1
    view.selection.hover(named(view, "price"))
    assert [mark.tag for mark in view.highlights() if mark.tag] == ["TextView  516 × 60"]


def test_a_menu_that_cannot_show_all_nodes_says_how_the_rest_is_reached(view, monkeypatch):
    nodes = list(view.selection.tree.nodes)
    few, many = StackMenu(nodes[:9], view.window()), StackMenu(nodes[:11], view.window())
    with painted_texts(monkeypatch) as painted:
        few.grab()
        many.grab()
    of_few, of_many = ([text.text for text in each.texts] for each in painted)
    assert "Double-click to open in the tree" in of_few
    assert "2 more below: Alt+wheel reaches them" in of_many
    assert len(many.nodes) == 9


def test_a_hidden_view_keeps_no_scaled_picture(view):
    def pictures() -> int:
        """Bytes of the pictures that Python knows."""
        gc.collect()
        return sum(each.sizeInBytes() for each in gc.get_objects() if isinstance(each, QImage))

    view.grab()
    shown = pictures()
    view.hide()
    assert pictures() < shown
    view.show()
    view.grab()
    assert pictures() == shown
