"""Two screenshots laid over each other: by a handle, in turn, and as heat."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QTest

from studio.bridge.review.state_comparisons import compared_pictures
from studio.widgets.device_view.highlight import HighlightStyle
from studio.widgets.state_difference.pixel_difference_panel import (
    PixelDifferencePanel,
    note_in_words,
    share_in_words,
)
from studio.widgets.state_difference.pixel_difference_view import PixelDifferenceMode, PixelDifferenceView
from tests.helpers.compared_screens import FIRST, comparison, screenshot, step_of
from tests.helpers.shown_texts import shown_texts

GREY, WHITE = QColor(90, 90, 90), QColor(255, 255, 255)
BOX = (10, 100, 110, 200)


def pictures(first: bytes = b"", second: bytes = b"", *, ignores_bars: bool = True):
    screens = comparison(
        step_of(0, FIRST, first or screenshot()), step_of(2, FIRST, second or screenshot(BOX))
    )
    return compared_pictures(screens, ignores_bars=ignores_bars)


def color_at(view: PixelDifferenceView, x: int, y: int) -> QColor:
    """The colour of a pixel of the screenshots as it is shown."""
    ratio, box = view.transform.ratio, view.transform.image_rect
    scale = view.transform.scale
    image = view.grab().toImage()
    return image.pixelColor(round((box.left + x * scale) / ratio), round((box.top + y * scale) / ratio))


@pytest.fixture
def view(hosted):
    shown = hosted(PixelDifferenceView(), 200, 340)
    shown.show_comparison(pictures())
    return shown


def test_the_handle_divides_the_pictures_and_follows_pointer_and_keys(view, qtbot):
    assert color_at(view, 30, 120) == GREY
    assert color_at(view, 90, 120) == WHITE
    at = view.transform.image_rect
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(at.left + 10, 170))
    QTest.mouseMove(view, QPoint(at.left + at.width // 4, 170))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton)
    assert view.share == pytest.approx(0.25, abs=0.02)
    assert color_at(view, 40, 120) == WHITE
    before = view.share
    qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view.share == pytest.approx(before + 0.09)
    assert view.accessibleDescription().startswith("A in the left 3")
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert view.share == 1.0
    assert color_at(view, 100, 120) == GREY


def running_timers(widget) -> list[QTimer]:
    return [timer for timer in widget.findChildren(QTimer) if timer.isActive()]


def test_pictures_are_shown_in_turn_only_where_motion_is_allowed(view, qtbot, dressed):
    view.set_mode(PixelDifferenceMode.BLINK)
    assert running_timers(view) == []
    assert color_at(view, 90, 120) == GREY
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert color_at(view, 20, 120) == WHITE
    assert view.accessibleDescription() == "C is shown"
    dressed.set_motion(True)
    view.set_rate(60)
    view.set_mode(PixelDifferenceMode.SLIDER)
    view.set_mode(PixelDifferenceMode.BLINK)
    (blinking,) = running_timers(view)
    assert blinking.interval() >= 333, "more than three flashes a second can harm people"
    view.hide()
    assert running_timers(view) == []
    dressed.set_motion(False)


def test_heat_shows_what_differs_and_outlines_its_regions(view):
    view.set_mode(PixelDifferenceMode.HEAT)
    inside, outside = color_at(view, 60, 150), color_at(view, 60, 280)
    assert inside.red() > 2 * inside.green()
    assert max(outside.getRgb()[:3]) - min(outside.getRgb()[:3]) < 8
    (mark,) = view.highlights()
    assert mark.style is HighlightStyle.CHANGED
    assert (mark.bounds.left, mark.bounds.bottom) == (10, 200)
    view.set_mode(PixelDifferenceMode.SLIDER)
    assert not view.highlights()


def test_the_wheel_zooms_and_a_double_click_fits(view, qtbot):
    fitted = view.transform.scale
    middle = QPointF(100, 170)
    view.wheelEvent(
        QWheelEvent(middle, view.mapToGlobal(middle), QPoint(), QPoint(0, 480), Qt.MouseButton.NoButton,
                    Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False)
    )  # fmt: skip
    assert view.transform.scale > 2 * fitted
    left = view.transform.left
    qtbot.mousePress(view, Qt.MouseButton.MiddleButton, pos=QPoint(100, 170))
    QTest.mouseMove(view, QPoint(90, 170))
    qtbot.mouseRelease(view, Qt.MouseButton.MiddleButton)
    assert view.transform.left == left - 10
    qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=QPoint(100, 170))
    assert view.transform.scale == fitted


def test_the_panel_says_how_much_differs_and_what_was_done_to_the_pictures(hosted, qtbot):
    panel = hosted(PixelDifferencePanel(), 340, 360)
    panel.show_comparison(pictures())
    assert "29 % differ" in shown_texts(panel)
    larger = pictures(second=screenshot(tuple(2 * side for side in BOX), width=240, height=600))
    assert share_in_words(larger.difference) in ("29 % differ", "30 % differ")  # edges are coarser
    assert note_in_words(larger) == "C is scaled from 240 × 600"
    assert share_in_words(pictures(screenshot(BOX)).difference) == "nothing differs"
    asked = []
    panel.bars_ignored.connect(asked.append)
    qtbot.mouseClick(panel.ignore_switch, Qt.MouseButton.LeftButton)
    assert asked == [False]
    bar = screenshot((0, 0, 120, 6))
    assert share_in_words(pictures(second=bar).difference) == "nothing differs"
    assert share_in_words(pictures(second=bar, ignores_bars=False).difference) == "2.0 % differ"
    chosen = []
    panel.mode_changed.connect(chosen.append)
    qtbot.keyClick(panel.modes, Qt.Key.Key_Right)
    assert chosen == [PixelDifferenceMode.BLINK]
    assert "Space shows the other picture" in shown_texts(panel)


def test_a_missing_picture_is_said_and_the_other_one_shown(hosted):
    view = hosted(PixelDifferenceView(), 200, 340)
    assert view.accessibleDescription() == "No pictures to compare"
    view.show_comparison(pictures(first=b"no picture"))
    assert view.accessibleDescription() == "A has no picture at this step"
    assert not view.has_both
    view.show_comparison(pictures(first=b"no", second=b"no"))
    assert view.accessibleDescription() == "Neither step has a picture"
    view.show_comparison(pictures())
    assert color_at(view, 90, 120) == WHITE


def test_an_app_that_hides_its_pixels_is_not_compared(hosted):
    view = hosted(PixelDifferenceView(), 200, 340)
    hidden = step_of(2, FIRST, screenshot())
    hidden.stored.steps = tuple(
        replace(step, state=replace(step.state, secure=True)) for step in hidden.stored.steps
    )
    shown = compared_pictures(comparison(step_of(0, FIRST, screenshot()), hidden), ignores_bars=True)
    view.show_comparison(shown)
    assert shown.difference is None
    assert view.accessibleDescription() == "C hides its pixels at this step"
