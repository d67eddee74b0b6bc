"""Two screenshots in one place: divided by a handle, shown in turn, or as a heat map of what differs."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QPainter, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from collector.model.geometry import Size
from collector.model.i18n import _
from studio.bridge.review.state_comparisons import PictureComparison
from studio.theme import theme
from studio.widgets.device_view.canvas import ScreenCanvas
from studio.widgets.device_view.highlight import Highlight, HighlightStyle, Overlay
from studio.widgets.device_view.highlight_painter import TAG_HEIGHT, q
from studio.widgets.device_view.view_frame import FramePainter, ViewFrame
from studio.widgets.painting import draw_text, text_width

_NOTCH = 120
_KEY_STEP, _LARGE_STEP = 0.01, 0.1
_GRIP_WIDTH, _GRIP_HEIGHT, _REACH = 16, 24, 10
_PALE = 0.35
"""Opacity of the screenshot under a heat map."""
DEFAULT_RATE = 1.0
MOST_RATE = 3.0
"""Pictures a second. More than three flashes a second can harm people (WCAG 2.3.1)."""


class PixelDifferenceMode(StrEnum):
    """How two screenshots are laid over each other."""

    SLIDER = "slider"
    """The first left of a handle, the second right of it."""
    BLINK = "blink"
    """One after the other."""
    HEAT = "heat"
    """What differs, over the pale first one."""


class PixelDifferenceView(ScreenCanvas):
    """The wheel zooms, dragging pans, a double click fits. Arrows move the handle; Space flips pictures."""

    margin = 8
    flipped = Signal(bool)
    """Whether the second picture is shown now, while they are shown in turn."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(None, parent)
        self._comparison: PictureComparison | None = None
        self._mode = PixelDifferenceMode.SLIDER
        self._share = 0.5
        """Where the handle is, 0 to 1 across the picture."""
        self._shows_second = False
        self._second, self._heat = FramePainter(), FramePainter()
        self._dragging: QPointF | None = None
        self._moves_handle = False
        self._blinking = QTimer(self)
        self._blinking.setInterval(round(1000 / DEFAULT_RATE))
        self._blinking.timeout.connect(self.flip)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("hasFocusRing", True)
        self.setProperty("takesNavigationKeys", True)
        self.setProperty("leavesKeys", "Home End Enter Tab")
        self.setProperty("takesAlso", "Shift+Left Shift+Right + - =")
        self.setAccessibleName(_("Differences of the pictures"))
        self.show_comparison(None)

    # -- what is shown -------------------------------------------------------
    @property
    def mode(self) -> PixelDifferenceMode:
        return self._mode

    def set_mode(self, mode: PixelDifferenceMode) -> None:
        """Lay the pictures over each other in another way."""
        if mode is not self._mode:
            self._mode = mode
            self._shows_second = False
            self._arrange()

    @property
    def comparison(self) -> PictureComparison | None:
        return self._comparison

    def show_comparison(self, comparison: PictureComparison | None) -> None:
        """Show other pictures; zoom and handle stay."""
        self._comparison = comparison
        if comparison is None:
            self.set_notice(_("No pictures to compare"))
            self.show_frame(None)
        else:
            self._show_first(comparison)
        self._arrange()

    def _show_first(self, comparison: PictureComparison) -> None:
        first, second = comparison.first, comparison.second
        image = second if first.isNull() else first
        difference = comparison.difference
        # A large picture is shown reduced; the places of what differs are in its own pixels.
        size = Size(image.width(), image.height()) if difference is None else difference.size
        self.show_frame(None if image.isNull() else ViewFrame(image, size))
        missing = [
            place
            for place, picture in ((comparison.before, first), (comparison.after, second))
            if picture.isNull()
        ]
        if len(missing) == 2:
            self.set_notice(_("Neither step has a picture"), comparison.problem)
        elif missing and missing[0].is_secure:
            self.set_notice(_("{side} hides its pixels at this step", side=missing[0].letter))
        elif missing:
            words = _("{side} has no picture at this step", side=missing[0].letter)
            self.set_notice(words, comparison.problem)
        else:
            self.set_notice("")

    def _arrange(self) -> None:
        """Set the outlines, the timer and the words for the mode and the pictures."""
        comparison = self._comparison
        regions = comparison.difference.regions if comparison and comparison.difference else ()
        heat = self._mode is PixelDifferenceMode.HEAT
        marks = [Highlight(region, HighlightStyle.CHANGED) for region in regions] if heat else []
        self.set_marks(Overlay.DIFFERENCES, marks)
        self._run_blinking()
        self._describe()
        self.update()

    @property
    def has_both(self) -> bool:
        """Whether there are two pictures to lay over each other."""
        comparison = self._comparison
        return comparison is not None and not comparison.first.isNull() and not comparison.second.isNull()

    # -- the handle ----------------------------------------------------------
    @property
    def share(self) -> float:
        """Where the handle is: 0 shows the second picture alone, 1 the first."""
        return self._share

    def set_share(self, share: float) -> None:
        """Move the handle."""
        share = min(1.0, max(0.0, share))
        if share != self._share:
            self._share = share
            self._describe()
            self.update()

    def _handle_x(self) -> float:
        """The handle in logical pixels of the view."""
        place, ratio = self.transform.image_rect, self.transform.ratio
        return (place.left + self._share * place.width) / ratio

    def _is_on_handle(self, at: QPointF) -> bool:
        return self._mode is PixelDifferenceMode.SLIDER and abs(at.x() - self._handle_x()) <= _REACH

    # -- one after the other -------------------------------------------------
    def set_rate(self, rate: float) -> None:
        """Set how many pictures are shown a second, at most :data:`MOST_RATE`."""
        self._blinking.setInterval(round(1000 / min(MOST_RATE, rate)))

    @Slot()
    def flip(self) -> None:
        """Show the other picture."""
        self._shows_second = not self._shows_second
        self._describe()
        self.flipped.emit(self._shows_second)
        self.update()

    def _run_blinking(self) -> None:
        """Blink only where it is seen, and where motion is allowed."""
        wanted = self._mode is PixelDifferenceMode.BLINK and theme.has_motion
        if wanted and self.isVisible() and self.has_both:
            if not self._blinking.isActive():
                self._blinking.start()
        else:
            self._blinking.stop()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._run_blinking()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        self._blinking.stop()
        self._second.forget()
        self._heat.forget()
        super().hideEvent(event)

    def _describe(self) -> None:
        """Say aloud what is shown."""
        comparison = self._comparison
        if comparison is None or not self.has_both:
            self.setAccessibleDescription(self._notice[0])
            return
        first, second = comparison.before.letter, comparison.after.letter
        if self._mode is PixelDifferenceMode.SLIDER:
            words = _("{first} in the left {percent} %, {second} right of it", first=first, second=second,
                      percent=round(self._share * 100))  # fmt: skip
        elif self._mode is PixelDifferenceMode.BLINK:
            words = _("{side} is shown", side=second if self._shows_second else first)
        else:
            words = _("What differs from {side} is red", side=first)
        self.setAccessibleDescription(words)

    # -- painting ------------------------------------------------------------
    def _paint_screen(self, painter: QPainter) -> None:
        comparison = self._comparison
        if comparison is None or not self.has_both:
            super()._paint_screen(painter)
        elif self._mode is PixelDifferenceMode.HEAT:
            painter.fillRect(q(self.transform.image_rect), theme.color("bg-1"))
            painter.setOpacity(_PALE)
            super()._paint_screen(painter)
            painter.setOpacity(1)
            self._heat.paint(painter, comparison.heat, self.transform)
        elif self._mode is PixelDifferenceMode.BLINK and not self._shows_second:
            super()._paint_screen(painter)
        else:
            if self._mode is PixelDifferenceMode.SLIDER:
                super()._paint_screen(painter)
            painter.save()
            painter.setClipRect(self._second_rect())
            self._second.paint(painter, comparison.second, self.transform)
            painter.restore()

    def _second_rect(self) -> QRect:
        """Where the second picture is shown, in physical pixels."""
        place = q(self.transform.image_rect)
        if self._mode is PixelDifferenceMode.SLIDER:
            place.setLeft(round(place.left() + self._share * place.width()))
        return place

    def _paint_frame(self, painter: QPainter) -> None:
        super()._paint_frame(painter)
        comparison = self._comparison
        if comparison is None or not self.has_both:
            return
        painter.save()
        painter.scale(self.transform.ratio, self.transform.ratio)
        first, second = comparison.before.letter, comparison.after.letter
        if self._mode is PixelDifferenceMode.SLIDER:
            self._paint_handle(painter)
            self._paint_letters(painter, first if self._share > 0 else "", second if self._share < 1 else "")
        elif self._mode is PixelDifferenceMode.BLINK:
            self._paint_letters(painter, second if self._shows_second else first, "")
        painter.restore()

    def _paint_handle(self, painter: QPainter) -> None:
        picture = self.picture_rect().intersected(self.rect())
        x = round(self._handle_x())
        painter.fillRect(x, picture.top(), 1, picture.height(), theme.color("accent-fill"))
        grip = QRect(0, 0, _GRIP_WIDTH, _GRIP_HEIGHT)
        grip.moveCenter(QPoint(x, picture.center().y()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.color("on-fill") if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent-fill"))
        painter.drawRoundedRect(QRectF(grip), 4, 4)
        theme.draw_icon_in(painter, "grip", grip, 12, "on-fill")

    def _paint_letters(self, painter: QPainter, left: str, right: str) -> None:
        """Name the pictures in the upper corners."""
        picture = self.picture_rect().intersected(self.rect())
        for letter, at_right in ((left, False), (right, True)):
            if not letter:
                continue
            width = text_width(letter, "caption") + 10
            x = picture.right() + 1 - width if at_right else picture.left()
            box = QRect(x, picture.top(), width, TAG_HEIGHT)
            ground = theme.overlay("mark_halo")
            ground.setAlpha(220)
            painter.fillRect(box, ground)
            draw_text(painter, box.adjusted(5, 0, 0, 0), letter, "caption", "golden")

    # -- mouse and keyboard --------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._dragging = event.position()
        left = event.button() == Qt.MouseButton.LeftButton
        slider = self._mode is PixelDifferenceMode.SLIDER
        # A fitted picture cannot be moved, so the handle follows the pointer from anywhere.
        self._moves_handle = left and slider and (self.is_fitted or self._is_on_handle(event.position()))
        if self._moves_handle:
            self._move_handle(event.position())
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        at = event.position()
        if self._dragging is None:
            on = self._is_on_handle(at)
            self.setCursor(Qt.CursorShape.SplitHCursor if on else Qt.CursorShape.ArrowCursor)
        elif self._moves_handle:
            self._move_handle(at)
        else:
            moved, self._dragging = at - self._dragging, at
            self.pan(moved.x(), moved.y())

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._dragging, self._moves_handle = None, False

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self.fit()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        self.unsetCursor()
        super().leaveEvent(event)

    def _move_handle(self, at: QPointF) -> None:
        place, ratio = self.transform.image_rect, self.transform.ratio
        self.set_share((at.x() * ratio - place.left) / max(1, place.width))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        turned = event.angleDelta()
        self.zoom_at(event.position(), (turned.y() or turned.x()) / _NOTCH)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key = Qt.Key(event.key())
        arrows = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if key in arrows and self._mode is PixelDifferenceMode.SLIDER:
            large = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.set_share(self._share + arrows[key] * (_LARGE_STEP if large else _KEY_STEP))
        elif key == Qt.Key.Key_Space:
            self._press_space()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_in()
        elif key == Qt.Key.Key_Minus:
            self.zoom_out()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.pan(0, 48 if key == Qt.Key.Key_Up else -48)
        else:
            super().keyPressEvent(event)

    def _press_space(self) -> None:
        """Flip the pictures by hand: shown in turn the other one, and from end to end under the handle."""
        if self._mode is PixelDifferenceMode.BLINK:
            self._blinking.stop()
            self.flip()
        elif self._mode is PixelDifferenceMode.SLIDER:
            self.set_share(0.0 if self._share >= 0.5 else 1.0)
