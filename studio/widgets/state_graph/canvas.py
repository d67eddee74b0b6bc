"""The canvas of essential states over a film strip; it emits what the person asks for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from collector.model.i18n import _
from collector.model.trajectory import Step
from rule_editor.widgets.painted_rows import PaintedRows, expose_rows, tell_current
from studio.theme import theme
from studio.theme.mirroring import keep_left_to_right, painter_of
from studio.widgets.captions.step_text import step_caption
from studio.widgets.state_graph.graph_drag import GraphDrag
from studio.widgets.state_graph.graph_transform import (
    FILM_HEIGHT,
    LEAST_ZOOM,
    MOST_ZOOM,
    GraphTransform,
    content_height,
    zoom_to_fit,
)
from studio.widgets.state_graph.layout import LANE, SLOT, START, GraphLayout, closes_circle, lay_out
from studio.widgets.state_graph.neighbours import neighbour
from studio.widgets.state_graph.painter import FilmPainter, GraphPainter, card_width
from studio.widgets.state_graph.state_card import StateCard
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.wrapped_text import tooltip_text

_EDGE = 9
"""A press so near to the right border of a card draws a line."""
_MARGIN = 8
_ZOOM_STEP = 1.15
_KEYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class StateGraphCanvas(PaintedRows, QAbstractScrollArea):
    """The owner sets cards, film strip and selection; ids are those of the cards."""

    card_chosen = Signal(str)
    """A card was clicked or reached by the keyboard."""
    card_opened = Signal(str)
    """The person wants to edit a card: Enter, or a double click."""
    card_removed = Signal(str)
    """The person wants to delete a card: Del."""
    slot_chosen = Signal(int)
    slot_opened = Signal(int)
    """The person wants to see the screen of a step: a double click."""
    card_dropped = Signal(str, int)
    """A card was dropped on a slot."""
    line_drawn = Signal(str, str)
    """A line was drawn from a card to the one that is to come after it."""
    line_refused = Signal(str, str)
    """A line was drawn that would close a circle."""
    zoom_changed = Signal()
    height_wanted = Signal(int)
    """The height at which all lanes and the film strip can be seen, at this zoom."""

    def __init__(self, thumbnails: ThumbnailCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        keep_left_to_right(self)
        self._cards: dict[str, StateCard] = {}
        self._layout: GraphLayout = lay_out(())
        self._trajectory = ""
        self._steps: Sequence[Step] = ()
        self._selected, self._current = "", -1
        self._zoom = 1.0
        self._hovered = ""
        self._drag: GraphDrag | None = None
        self._film = FilmPainter(thumbnails)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Essential states"))
        self.setProperty("takesNavigationKeys", True)  # arrows and Enter move along the graph
        self.setProperty("leavesKeys", "Space Tab")
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        thumbnails.arrived.connect(self._repaint)
        theme.changed.connect(self._theme_changed)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.valueChanged.connect(self._repaint)
        expose_rows()

    # -- what is shown -------------------------------------------------------
    @property
    def cards(self) -> Sequence[StateCard]:
        return tuple(self._cards.values())

    @property
    def graph(self) -> GraphLayout:
        """Where the cards and lines are."""
        return self._layout

    @property
    def selected(self) -> str:
        return self._selected

    @property
    def current(self) -> int:
        """The slot of the current step."""
        return self._current

    @property
    def zoom(self) -> float:
        return self._zoom

    def set_cards(self, cards: Sequence[StateCard]) -> None:
        """Show these essential states."""
        if tuple(cards) == self.cards:
            return
        self._cards = {card.id: card for card in cards}
        self._arrange()

    def set_film(self, trajectory: str, steps: Sequence[Step]) -> None:
        """Show the steps of a trajectory; thumbnails are asked for by its id."""
        self._trajectory, self._steps = trajectory, steps
        self._arrange()

    def set_selected(self, card_id: str) -> None:
        """Select a card without a signal, and scroll to it."""
        if card_id != self._selected:
            self._selected = card_id
            self.reveal(card_id)
            self._describe()
            tell_current(self)
            self._repaint()

    def set_current(self, slot: int) -> None:
        """Make a slot current without a signal, and scroll to it."""
        if slot != self._current:
            self._current = slot
            self._reveal_columns(slot * SLOT, (slot + 1) * SLOT)
            self._repaint()

    def reveal(self, card_id: str) -> None:
        """Scroll until a card is wholly visible."""
        place = self._layout.cards.get(card_id)
        if place is None:
            return
        self._reveal_columns(place.left, place.right)
        box, bar = self.transform().card(place), self.verticalScrollBar()
        if box.top() < 0:
            bar.setValue(bar.value() + round(box.top()) - _MARGIN)
        elif box.bottom() > self.transform().lanes_bottom:
            bar.setValue(bar.value() + round(box.bottom()) - self.transform().lanes_bottom + _MARGIN)

    def _reveal_columns(self, left: int, right: int) -> None:
        transform, bar = self.transform(), self.horizontalScrollBar()
        if transform.x(left) < 0:
            bar.setValue(bar.value() + round(transform.x(left)) - _MARGIN)
        elif transform.x(right) > transform.width:
            bar.setValue(bar.value() + round(transform.x(right)) - transform.width + _MARGIN)

    def transform(self) -> GraphTransform:
        """Where things are in the viewport now."""
        room = self.viewport()
        return GraphTransform(
            self._zoom, self.horizontalScrollBar().value(), self.verticalScrollBar().value(),
            room.width(), room.height(),
        )  # fmt: skip

    # -- zoom ----------------------------------------------------------------
    def set_zoom(self, zoom: float, around: QPoint | None = None) -> None:
        """Zoom around a point of the viewport, by default its middle."""
        zoom = max(LEAST_ZOOM, min(MOST_ZOOM, zoom))
        if zoom == self._zoom:
            return
        at = around or self.viewport().rect().center()
        before = self.transform()
        column, row = before.column(at.x()), (at.y() + before.top) / before.zoom
        self._zoom = zoom
        self._set_ranges()
        self.horizontalScrollBar().setValue(round(column * zoom - at.x()))
        self.verticalScrollBar().setValue(round(row * zoom - at.y()))
        self._repaint()
        self.zoom_changed.emit()

    def fit(self) -> None:
        """Zoom so that everything can be seen, if it stays readable."""
        room = self.viewport()
        width, lanes = self._layout.width + _MARGIN, self._layout.lanes
        self.set_zoom(zoom_to_fit(width, lanes, room.width(), room.height()))
        self.horizontalScrollBar().setValue(0)
        self.verticalScrollBar().setValue(0)

    # -- layout --------------------------------------------------------------
    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(900, 380)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._set_ranges()
        if event.size().width() < event.oldSize().width():
            self._reveal_columns(self._current * SLOT, (self._current + 1) * SLOT)

    def _arrange(self) -> None:
        placed = [card.placed_as(card_width(card)) for card in self._cards.values()]
        self._layout = lay_out(placed, len(self._steps))
        self._current = min(max(self._current, 0), len(self._steps) - 1)
        self._set_ranges()
        self._describe()
        self._repaint()
        self.height_wanted.emit(self.wanted_height)

    def _set_ranges(self) -> None:
        transform = self.transform()
        across = round((self._layout.width + _MARGIN) * self._zoom)
        down = content_height(self._layout.lanes, self._zoom)
        for bar, whole, page, step in (
            (self.horizontalScrollBar(), across, transform.width, round(SLOT * self._zoom)),
            (self.verticalScrollBar(), down, max(1, transform.film_top), round(LANE * self._zoom)),
        ):
            bar.setRange(0, max(0, whole - page))
            bar.setPageStep(page)
            bar.setSingleStep(step)

    @property
    def wanted_height(self) -> int:
        """The height at which all lanes and the film strip can be seen."""
        return content_height(self._layout.lanes, self._zoom) + round(FILM_HEIGHT * self._zoom)

    @Slot()
    def _repaint(self) -> None:
        self.viewport().update()

    @Slot()
    def _theme_changed(self) -> None:
        self._arrange()

    # -- for assistive technology: a row of cards, and one of steps -------------
    def spoken_rows(self) -> int:
        return 2

    def spoken_cells(self, row: int) -> int:
        return len(self._steps) if row else len(self._cards)

    def row_words(self, row: int) -> str:
        return _("Steps") if row else _("Essential states")

    def cell_words(self, row: int, number: int) -> str:
        if not row:
            return _card_words(self.cards[number])
        return f"{_('Step {number}', number=number + 1)}: {step_caption(self._steps[number])}"

    def row_place(self, row: int) -> QRect:
        transform = self.transform()
        top, bottom = (transform.film_top, transform.height) if row else (0, transform.lanes_bottom)
        return QRect(0, top, transform.width, bottom - top)

    def cell_place(self, row: int, number: int) -> QRect:
        if row:
            return self.transform().thumb(number)
        return self.transform().card(self._layout.cards[self.cards[number].id]).toAlignedRect()

    def current_place(self) -> tuple[int, int] | None:
        return (0, list(self._cards).index(self._selected)) if self._selected in self._cards else None

    def _describe(self) -> None:
        card = self._cards.get(self._selected)
        self.setAccessibleDescription(
            _card_words(card) if card is not None else _("No essential state is selected")
        )

    # -- painting ------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, transform = painter_of(self.viewport()), self.transform()
        painter.fillRect(event.rect(), theme.color("bg-0"))
        self._film.paint(
            painter, transform, self._trajectory, self._steps, self._current,
            self._drag.over_slot if self._drag is not None else None,
        )  # fmt: skip
        painter.setClipRect(0, 0, transform.width, transform.film_top)
        graph = GraphPainter(painter, transform)
        graph.links(self._layout, self._cards, self._selected)
        painter.setClipRect(0, 0, transform.width, transform.lanes_bottom)
        graph.edges(self._layout, self._selected)
        if self._cards:
            graph.start(self._layout.cards[START])
        for card_id, card in self._cards.items():
            graph.card(
                card, self._layout.cards[card_id], selected=card_id == self._selected,
                lit=self._lit(card_id), hovered=card_id == self._hovered,
            )  # fmt: skip
        if self._hovered and self._drag is None:
            graph.handle(self._layout.cards[self._hovered])
        painter.setClipping(False)
        self._paint_drag(graph, transform)

    def _lit(self, card_id: str) -> str:
        drag = self._drag
        if drag is None or drag.over_card != card_id:
            return ""
        return "err" if drag.is_refused else "accent"

    def _paint_drag(self, graph: GraphPainter, transform: GraphTransform) -> None:
        drag = self._drag
        if drag is None or not drag.is_moving:
            return
        place = self._layout.cards[drag.card]
        if drag.draws_line:
            box = transform.card(place)
            begin = QPointF(box.right(), box.center().y())
            graph.pending_edge(begin, QPointF(drag.at), refused=drag.is_refused)
        else:
            graph.ghost(self._cards[drag.card], place, QPointF(drag.at))

    # -- mouse ---------------------------------------------------------------
    def card_at(self, at: QPoint) -> str:
        """The card at a point of the viewport, its edge for lines included; empty for none."""
        transform = self.transform()
        if at.y() >= transform.lanes_bottom:
            return ""
        boxes = ((name, transform.card(self._layout.cards[name])) for name in reversed(self._cards))
        point = QPointF(at)
        return next((name for name, box in boxes if box.adjusted(0, 0, _EDGE, 0).contains(point)), "")

    def _is_at_edge(self, card_id: str, at: QPoint) -> bool:
        return at.x() >= self.transform().card(self._layout.cards[card_id]).right() - _EDGE

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        at = event.position().toPoint()
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        card_id = self.card_at(at)
        slot = self.transform().slot_at(at, len(self._steps))
        if card_id:
            self._drag = GraphDrag(card_id, at, self._is_at_edge(card_id, at), at)
            self._choose(card_id)
        elif slot is not None:
            self._choose_slot(slot)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        at = event.position().toPoint()
        if self._drag is None:
            self._hover(at)
            return
        self._drag.move_to(at)
        self._aim()
        self._repaint()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        drag, self._drag = self._drag, None
        self._repaint()
        if drag is None or event.button() != Qt.MouseButton.LeftButton or not drag.is_moving:
            return
        if drag.draws_line and drag.over_card:
            (self.line_refused if drag.is_refused else self.line_drawn).emit(drag.card, drag.over_card)
        elif not drag.draws_line and drag.over_slot is not None:
            self.card_dropped.emit(drag.card, drag.over_slot)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        at = event.position().toPoint()
        card_id, slot = self.card_at(at), self.transform().slot_at(at, len(self._steps))
        if card_id:
            self.card_opened.emit(card_id)
        elif slot is not None:
            self.slot_opened.emit(slot)

    def _aim(self) -> None:
        """Find out what the drag is over, and whether it may end there."""
        drag = self._drag
        if drag is None or not drag.is_moving:
            return
        if drag.draws_line:
            over = self.card_at(drag.at)
            drag.over_card = over if over != drag.card else ""
            states = [card.placed_as(0) for card in self._cards.values()]
            drag.is_refused = bool(drag.over_card) and closes_circle(states, drag.card, drag.over_card)
        else:
            drag.over_slot = self.transform().slot_at(drag.at, len(self._steps))

    def _hover(self, at: QPoint) -> None:
        over = self.card_at(at)
        at_edge = bool(over) and self._is_at_edge(over, at)
        self.viewport().setCursor(Qt.CursorShape.CrossCursor if at_edge else Qt.CursorShape.ArrowCursor)
        if over != self._hovered:
            self._hovered = over
            self._repaint()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        self._hovered = ""
        self._repaint()
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        turned = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_zoom(self._zoom * _ZOOM_STEP ** (turned.y() / 120), event.position().toPoint())
        else:
            down = self.verticalScrollBar()
            is_down = turned.y() and down.maximum() and event.position().y() < self.transform().film_top
            bar = down if is_down and not turned.x() else self.horizontalScrollBar()
            bar.setValue(bar.value() - (turned.x() or turned.y()))
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tooltip_text(self._tip_at(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    def _tip_at(self, at: QPoint) -> str:
        card_id = self.card_at(at)
        if card_id:
            card = self._cards[card_id]
            return f"{card.title}\n{card.tip}" if card.tip else card.title
        slot = self.transform().slot_at(at, len(self._steps))
        return step_caption(self._steps[slot]) if slot is not None else ""

    # -- choosing ------------------------------------------------------------
    def _choose(self, card_id: str) -> None:
        self.set_selected(card_id)
        self.card_chosen.emit(card_id)

    def _choose_slot(self, slot: int) -> None:
        if slot != self._current:
            self.set_current(slot)
        self.slot_chosen.emit(slot)

    def choose_at(self, at: QPoint | None) -> QPoint | None:
        """Select the card at a point, or keep the selection for None; return where its menu belongs."""
        card_id = self.card_at(at) if at is not None else self._selected
        if card_id not in self._layout.cards or card_id == START:
            return None
        self._choose(card_id)
        return at if at is not None else self.transform().card(self._layout.cards[card_id]).center().toPoint()

    def choose_step_at(self, at: QPoint | None) -> QPoint | None:
        """Make the step at a point of the film strip current; return where its menu belongs."""
        slot = self.transform().slot_at(at, len(self._steps)) if at is not None else None
        if at is None or slot is None or self.card_at(at):
            return None
        self._choose_slot(slot)
        return at

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and self._drag is not None:
            self._drag = None
            self._repaint()
        elif key in _KEYS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            target = neighbour(self._layout, tuple(self._cards), self._selected, *_KEYS[key])
            if target:
                self._choose(target)
        elif key == Qt.Key.Key_Delete and self._selected and not event.modifiers():
            self.card_removed.emit(self._selected)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._selected and not event.modifiers():
            self.card_opened.emit(self._selected)
        else:
            super().keyPressEvent(event)


def _card_words(card: StateCard) -> str:
    words = f"{card.name} {card.title}"
    if card.step is None:
        return words
    reached = _("reached at step {step}", step=card.step + 1)
    return f"{words}, {reached}"
