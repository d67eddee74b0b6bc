"""A card that shows a worker: its screen, its thought, its next action, and who is in control."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from collector.model.geometry import Rect, Size
from collector.model.i18n import _
from collector.run.progress import LOST, WorkerProgress
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls import Button
from studio.widgets.device_view.highlight_painter import q
from studio.widgets.icon_button import IconButton
from studio.widgets.painting import draw_badge, draw_text, text_width
from studio.widgets.run_tile.tile_layout import TileParts, parts_of
from studio.widgets.run_tile.tile_screen import TileScreen, screen_size
from studio.widgets.run_tile.tile_surface import TileSurface
from studio.widgets.run_tile.tile_text import (
    RUNNING_ICON,
    accessible_text,
    badge_of,
    facts_of,
    footer_of,
    header_of,
    is_busy,
    is_held,
    is_taken_over,
    state_words,
    thought_of,
)
from studio.widgets.run_tile.wrapped_lines import WrappedLines
from studio.widgets.running_ring import RunningRing
from studio.widgets.wrapped_text import tooltip_text

_LINE = 16
_SIDE = 10
_DISC, _DISC_GAP = 12, 4
_STATES_HEIGHT = 40
_BADGE_ROOM = 26


class RunTile(QWidget):
    """Shows a worker. Requests of the person are signals with the worker's name.

    ``clock`` gives seconds since the epoch, ``me`` is the person of this window.
    """

    chosen = Signal(str)
    """A click, or the keyboard came here."""
    enlarge_asked = Signal(str)
    """A double click, or Enter."""
    pause_asked = Signal(str, bool)
    """Pause, or go on."""
    give_back_asked = Signal(str)
    resume_asked = Signal()
    """The runner is gone: start another one."""
    menu_asked = Signal(str, QPoint)
    """The menu of the tile, at a point of the screen."""
    person_acted = Signal(str, object)
    """An Action of the person who is in control, in pixels of the phone."""

    def __init__(
        self, worker: WorkerProgress, clock: Callable[[], float], me: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.worker = worker
        self._clock, self._me = clock, me
        self._has_text, self._is_chosen = True, False
        self._screen, self._thought = TileScreen(), WrappedLines()
        self._surface: TileSurface | None = None
        self.pause = IconButton("pause", _("Pause"), self, size=24)
        self.menu = IconButton("more", _("More"), self, size=24)
        self.ring = RunningRing(parent=self)
        self.give_back = Button(_("Give back"), kind="outlined", small=True, parent=self)
        self.give_back.hide()
        self.resume = Button(_("Resume"), kind="outlined", small=True, parent=self)
        self.resume.hide()
        self.resume.clicked.connect(self.resume_asked)
        self._parts = self._measured()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.pause.clicked.connect(self._pause_clicked)
        self.menu.clicked.connect(self._menu_clicked)
        self.give_back.clicked.connect(self._give_back_clicked)
        theme.changed.connect(self.update)
        self._show_ring()
        self._dress()

    # -- what is shown -------------------------------------------------------
    def show_worker(self, worker: WorkerProgress) -> None:
        """Show the worker as it is now; only what changed is painted again."""
        before, self.worker = self.worker, worker
        if before == worker:
            return
        if screen_size(before) != screen_size(worker):
            self._place_parts()
            self.update()
        parts = self._parts
        if self._screen_key(before) != self._screen_key(worker):
            self._update(parts.body)
        if self._text_key(before) != self._text_key(worker):
            self._update(parts.text or parts.body)
        self._update(parts.footer)
        if header_of(before) != header_of(worker):
            self._show_ring()
            self._update(parts.header)
        if self._control_key(before) != self._control_key(worker):
            self._dress()
            self.update()
        if self._surface is not None:
            self._surface.show_worker(worker)

    @staticmethod
    def _screen_key(worker: WorkerProgress) -> tuple[object, ...]:
        return (worker.picture_number, worker.dialog, worker.action)

    @staticmethod
    def _text_key(worker: WorkerProgress) -> tuple[object, ...]:
        return (
            worker.agent, worker.condition, thought_of(worker), worker.anomaly, worker.transition,
            worker.phase, worker.reached, worker.states, worker.control, worker.state, worker.question,
        )  # fmt: skip

    @staticmethod
    def _control_key(worker: WorkerProgress) -> tuple[object, ...]:
        return (worker.control, worker.person, is_busy(worker), worker.state, worker.question)

    def set_person(self, me: str) -> None:
        """Say who uses this window: that person's control is shown as *You*."""
        if me != self._me:
            self._me = me
            self._dress()
            self.update()

    def set_has_text(self, has_text: bool) -> None:
        """Choose between the large form, with the text column, and the small one."""
        if has_text != self._has_text:
            self._has_text = has_text
            self._place_parts()
            self.update()

    def set_chosen(self, chosen: bool) -> None:
        """Mark the tile that commands are for."""
        if chosen != self._is_chosen:
            self._is_chosen = chosen
            self.update()

    @property
    def surface(self) -> TileSurface | None:
        """The screen as a surface for the person's input; None while the agent is in control."""
        return self._surface

    @property
    def is_mine(self) -> bool:
        """Whether the person of this window has taken over."""
        return is_taken_over(self.worker) and self.worker.person in ("", self._me)

    @property
    def counts(self) -> bool:
        """Whether a number on the tile changes with time."""
        now = self._clock()
        badge = badge_of(self.worker, now)
        return footer_of(self.worker, now).counts or (badge is not None and badge.counts)

    def tick(self) -> None:
        """Paint the numbers that change with time."""
        now, parts = self._clock(), self._parts
        self._update(parts.footer)
        badge = badge_of(self.worker, now)
        if badge is not None and badge.counts:
            place = parts.text or parts.body
            self._update(Rect(place.left, place.bottom - _BADGE_ROOM, place.right, place.bottom))

    def screen_rect(self) -> QRect:
        """Where the phone's screen is, in logical pixels of the tile."""
        return q(self._parts.screen)

    def _update(self, rect: Rect) -> None:
        self.update(q(rect))

    def _show_ring(self) -> None:
        self.ring.setVisible(header_of(self.worker).icon == RUNNING_ICON)

    def _dress(self) -> None:
        """Bring the buttons and the surface in line with who is in control."""
        worker = self.worker
        held = is_held(worker)
        self.pause.set_icon("play" if held else "pause", _("Go on") if held else _("Pause"))
        self.pause.setEnabled(is_busy(worker))
        self.give_back.setVisible(is_taken_over(worker))
        self.resume.setVisible(worker.state == LOST)
        if self.is_mine and self._surface is None:
            self._surface = TileSurface(self)
            self._surface.acted.connect(partial(self.person_acted.emit, worker.name))
            self._surface.show_worker(worker)
            self._surface.show()
        elif not self.is_mine and self._surface is not None:
            self._surface.end()
            self._surface.deleteLater()
            self._surface = None
        self.setAccessibleName(header_of(worker).name)
        self.setAccessibleDescription(state_words(worker))
        self._place_parts()

    def describe(self) -> str:
        """The whole tile in words, for people who do not see it."""
        return accessible_text(self.worker, self._clock(), self._me)

    # -- places --------------------------------------------------------------
    def _measured(self) -> TileParts:
        return parts_of(Size(self.width(), self.height()), screen_size(self.worker), has_text=self._has_text)

    def _place_parts(self) -> None:
        self._parts = parts = self._measured()
        middle = (parts.header.height - self.pause.height()) // 2
        is_small = parts.is_small
        self.menu.setVisible(not is_small)
        right = self.width() - 4
        if not is_small:
            self.menu.move(right - self.menu.width(), middle)
            right -= self.menu.width() + 8
        self.pause.move(right - self.pause.width(), middle)
        self.ring.move(_SIDE, (parts.header.height - self.ring.height()) // 2)
        for button in (self.give_back, self.resume):
            size = button.sizeHint()
            top = parts.footer.top + (parts.footer.height - size.height()) // 2
            button.setGeometry(self.width() - size.width() - 6, top, size.width(), size.height())
        if self._surface is not None:
            self._surface.setGeometry(q(parts.body).adjusted(1, 1, -1, -1))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._place_parts()

    # -- painting ------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        dirty, parts = event.rect(), self._parts
        painter.fillRect(dirty, theme.color("bg-1"))
        if dirty.intersects(q(parts.body)):
            self._paint_screen(painter)
        if dirty.intersects(q(parts.header)):
            self._paint_header(painter)
        if parts.text is not None and dirty.intersects(q(parts.text)):
            self._paint_text(painter, q(parts.text))
        if dirty.intersects(q(parts.footer)):
            self._paint_footer(painter)
        self._paint_edge(painter)

    def _paint_edge(self, painter: QPainter) -> None:
        """Draw the lines between the parts, and the round border over the corners."""
        parts, line = self._parts, theme.color("line")
        painter.fillRect(0, parts.header.bottom, self.width(), 1, line)
        painter.fillRect(0, parts.footer.top, self.width(), 1, line)
        if parts.text is not None:
            painter.fillRect(parts.text.left, parts.text.top, 1, parts.text.height, line)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = theme.radius("card")
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("bg-0"), 3))  # what is beside the round corners
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(-1, -1, 1, 1), radius + 1, radius + 1)
        tone = "ok" if is_taken_over(self.worker) else "accent" if self._is_chosen else "line"
        painter.setPen(QPen(theme.color(tone), 1))
        painter.drawRoundedRect(box, radius, radius)
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)

    def _paint_header(self, painter: QPainter) -> None:
        header, rect = header_of(self.worker), self._parts.header
        is_small = self._parts.is_small
        if header.icon != RUNNING_ICON:  # the ring turns over its place
            theme.draw_icon_in(painter, header.icon, QRect(_SIDE, 0, 16, rect.height), 16, "text-2")
        left = _SIDE + 16 + 6
        end = self.pause.x() - 4
        detail = header.short_detail if is_small else header.detail
        room = end - left - (text_width(detail) + 8 if is_small and detail else 0)
        left += draw_text(painter, QRect(left, 0, max(0, room), rect.height), header.name, "name") + 8
        if end - left > 12:
            place = QRect(left, 0, end - left, rect.height)
            side = Qt.AlignmentFlag.AlignRight if is_small else Qt.AlignmentFlag.AlignLeft
            draw_text(painter, place, detail, "body", "text-2", side)

    def _paint_screen(self, painter: QPainter) -> None:
        parts, worker = self._parts, self.worker
        painter.fillRect(q(parts.body), theme.color("bg-0"))
        if self._surface is not None:
            return
        view = Size(self.width(), self.height())
        self._screen.paint(painter, parts.screen, view, worker)
        if is_taken_over(worker):
            painter.setPen(QPen(theme.color("ok"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.screen_rect().adjusted(-3, -3, 2, 2))
        badge = badge_of(worker, self._clock()) if parts.is_small else None
        if badge is not None:
            painter.fillRect(
                QRect(parts.screen.left, parts.screen.bottom - 20, parts.screen.width, 20),
                theme.color("bg-1"),
            )
            draw_badge(
                painter, parts.screen.left + 1, parts.screen.bottom - 19, badge.text, badge.icon, badge.tone
            )

    def _paint_text(self, painter: QPainter, rect: QRect) -> None:
        place = rect.adjusted(_SIDE + 1, 10, -_SIDE, -10)
        painter.save()
        painter.setClipRect(rect)
        top = place.top()
        for name, value in facts_of(self.worker):
            draw_text(painter, QRect(place.left(), top, place.width(), _LINE), name, "body", "text-3")
            draw_text(painter, QRect(place.left(), top + _LINE, place.width(), _LINE), value, "name")
            top += 44
        bottom = self._paint_foot(painter, place)
        title, text = thought_of(self.worker)
        if title and bottom - top >= 2 * _LINE:
            draw_text(painter, QRect(place.left(), top, place.width(), _LINE), title, "body", "text-3")
            room = QRect(place.left(), top + _LINE, place.width(), bottom - top - _LINE)
            self._thought.paint(painter, room, text, "body", "text-2", _LINE)
        painter.restore()

    def _paint_foot(self, painter: QPainter, place: QRect) -> int:
        """Draw badge and states from the foot up; return where they begin."""
        worker, bottom = self.worker, place.bottom() + 1
        badge = badge_of(worker, self._clock())
        if badge is not None:
            bottom -= 18
            draw_badge(painter, place.left(), bottom, badge.text, badge.icon, badge.tone)
            bottom -= 8
        if worker.states and place.height() > 120:
            bottom -= _STATES_HEIGHT - 4
            draw_text(
                painter, QRect(place.left(), bottom, place.width(), _LINE), _("States"), "body", "text-3"
            )
            self._paint_discs(painter, QRect(place.left(), bottom + 20, place.width(), 14))
            bottom -= 8
        return bottom

    def _paint_discs(self, painter: QPainter, place: QRect) -> None:
        worker = self.worker
        fitting = (place.width() + _DISC_GAP) // (_DISC + _DISC_GAP)
        reached = sum(state in worker.reached for state in worker.states)
        if len(worker.states) > fitting:
            words = _("{reached} of {count} reached", reached=reached, count=len(worker.states))
            draw_text(painter, place, words)
            return
        for number, state in enumerate(worker.states):
            icon = "state-ok" if state in worker.reached else "state-todo"
            left = place.left() + number * (_DISC + _DISC_GAP)
            theme.draw_icon_in(
                painter, icon, QRect(left, place.top(), _DISC, place.height()), _DISC, "text-3"
            )

    def _paint_footer(self, painter: QPainter) -> None:
        footer, rect = footer_of(self.worker, self._clock(), self._me), self._parts.footer
        side = 8 if self._parts.is_small else _SIDE
        has_button = self.give_back.isVisibleTo(self) or self.resume.isVisibleTo(self)
        button = self.resume if self.resume.isVisibleTo(self) else self.give_back
        end = button.x() - 4 if has_button else self.width() - side
        theme.draw_icon_in(painter, footer.icon, QRect(side, rect.top, 14, rect.height), 14, footer.tone)
        left = side + 14 + 8
        right_width = text_width(footer.right)
        wanted = text_width(footer.text, "name")
        fits = end - left - right_width - 8 >= (wanted if self._parts.is_small and not footer.counts else 24)
        if footer.right and fits:
            place = QRect(end - right_width - 1, rect.top, right_width + 2, rect.height)
            draw_text(painter, place, footer.right, "body", "text-2", Qt.AlignmentFlag.AlignRight)
            end -= right_width + 8
        draw_text(painter, QRect(left, rect.top, end - left, rect.height), footer.text, "name")

    # -- input ---------------------------------------------------------------
    def _pause_clicked(self) -> None:
        self.pause_asked.emit(self.worker.name, not is_held(self.worker))

    def _give_back_clicked(self) -> None:
        self.give_back_asked.emit(self.worker.name)

    def _menu_clicked(self) -> None:
        self.chosen.emit(self.worker.name)
        self.menu_asked.emit(self.worker.name, self.menu.mapToGlobal(self.menu.rect().bottomLeft()))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self.chosen.emit(self.worker.name)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() == Qt.MouseButton.LeftButton:
            self.enlarge_asked.emit(self.worker.name)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        self.chosen.emit(self.worker.name)
        self.menu_asked.emit(self.worker.name, event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enlarge_asked.emit(self.worker.name)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self.chosen.emit(self.worker.name)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tooltip_text(self._tip_at(event.pos())), self)
            return True
        return super().event(event)

    def _tip_at(self, point: QPoint) -> str:
        """The whole text of what is cut at a point."""
        parts, worker = self._parts, self.worker
        if q(parts.header).contains(point):
            lines = [
                state_words(worker),
                header_of(worker).name,
                worker.instruction,
                worker.serial,
                worker.host,
            ]
            return "\n".join(filter(None, lines))
        if q(parts.footer).contains(point):
            footer = footer_of(worker, self._clock(), self._me)
            return " · ".join(filter(None, (footer.text, footer.right)))
        title, thought = thought_of(worker)
        return f"{title}: {thought}" if title else ""
