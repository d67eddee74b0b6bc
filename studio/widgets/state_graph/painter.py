"""Paint essential states, the lines between them, and the film strip below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from collector.model.i18n import _
from collector.model.trajectory import Step
from studio.theme import theme
from studio.widgets.captions.step_text import short_caption
from studio.widgets.painting import draw_text, text_width
from studio.widgets.state_graph.graph_transform import FILM_HEIGHT, THUMB_HEIGHT, GraphTransform
from studio.widgets.state_graph.layout import CARD_HEIGHT, GraphLayout, PlacedCard
from studio.widgets.state_graph.state_card import StateCard
from studio.widgets.thumbnail_cache import ThumbnailCache

_LEAST_WIDTH, _MOST_WIDTH = 88, 196
_SIDE, _ICON = 10, 14
_DIAMOND = 5
_ARROW = 5
_HANDLE = 4


def card_width(card: StateCard) -> int:
    """Width of a card at zoom 1: that of its texts, within limits."""
    head = text_width(card.name) + (6 + text_width(card.note) if card.note else 0) + 16 + _ICON
    return min(
        _MOST_WIDTH, max(_LEAST_WIDTH, head + 2 * _SIDE, text_width(card.title, "name") + 2 * _SIDE + 2)
    )


class GraphPainter:
    """Paints with a painter whose coordinates are those of the viewport."""

    def __init__(self, painter: QPainter, transform: GraphTransform) -> None:
        self._painter, self._transform = painter, transform
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def links(self, layout: GraphLayout, cards: Mapping[str, StateCard], selected: str) -> None:
        """Paint the lines to the film strip, that of the selected card on top."""
        for card_id, way in layout.links.items():
            if card_id != selected:
                self._link(way, cards[card_id], "line-2")
        if selected in layout.links:
            self._link(layout.links[selected], cards[selected], "accent")

    def edges(self, layout: GraphLayout, selected: str) -> None:
        """Paint the lines between cards."""
        for (first, then), way in layout.edges.items():
            self._edge(way, "accent" if selected and selected in (first, then) else "text-3")
        for (state, other), way in layout.alternatives.items():
            self._alternative(way, "accent" if selected in (state, other) else "info")

    def _link(self, way: Sequence[tuple[int, int]], card: StateCard, tone: str) -> None:
        """A line down to the diamond over the slot that reaches the state."""
        end = QPointF(self._transform.x(way[-1][0]), self._transform.film_top - 10)
        points = [*self._points(way[:-1]), end]
        width = 2 if tone == "accent" else 1
        self._painter.setPen(self._pen(tone, width, dashed=card.is_optional))
        self._painter.drawPolyline(QPolygonF(points))
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(theme.color(tone if tone == "accent" else "text-3"))
        self._painter.drawPolygon(
            QPolygonF(
                [end + QPointF(dx, dy)
                 for dx, dy in ((0, -_DIAMOND), (_DIAMOND, 0), (0, _DIAMOND), (-_DIAMOND, 0))]
            )
        )  # fmt: skip
        self._painter.setBrush(Qt.BrushStyle.NoBrush)

    def _edge(self, way: Sequence[tuple[int, int]], tone: str) -> None:
        points = self._points(way)
        self._painter.setPen(self._pen(tone, 1))
        self._painter.drawPolyline(QPolygonF(points))
        end = points[-1]
        self._painter.setPen(self._pen(tone, 1.4))
        self._painter.drawPolyline(
            QPolygonF([end + QPointF(-_ARROW, -_ARROW), end, end + QPointF(-_ARROW, _ARROW)])
        )

    def _alternative(self, way: Sequence[tuple[int, int]], tone: str) -> None:
        """A dotted line with the word between the two."""
        points = self._points(way)
        pen = self._pen(tone, 1.4)
        pen.setStyle(Qt.PenStyle.DotLine)
        self._painter.setPen(pen)
        self._painter.drawPolyline(QPolygonF(points))
        words = _("or")
        longest = max(pairwise(points), key=lambda pair: _length(*pair))
        middle = (longest[0] + longest[1]) / 2
        box = QRectF(0, 0, text_width(words, "caption") + 8, 14)
        box.moveCenter(middle)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.fillRect(box, theme.color("bg-0"))
        draw_text(self._painter, box.toRect(), words, "caption", tone, Qt.AlignmentFlag.AlignHCenter)

    def pending_edge(self, begin: QPointF, end: QPointF, *, refused: bool) -> None:
        """Paint the line that is being drawn from a card to the pointer."""
        pen = self._pen("err" if refused else "accent", 2)
        self._painter.setPen(pen)
        self._painter.drawLine(begin, end)

    def _pen(self, tone: str, width: float, *, dashed: bool = False) -> QPen:
        pen = QPen(theme.color(tone), width)
        if dashed:
            pen.setDashPattern([3, 3])
        return pen

    def _points(self, way: Sequence[tuple[int, int]]) -> list[QPointF]:
        transform = self._transform
        return [QPointF(round(transform.x(x)) + 0.5, round(transform.y(y)) + 0.5) for x, y in way]

    # -- cards ---------------------------------------------------------------
    def start(self, place: PlacedCard) -> None:
        """Paint the card that everything begins with."""
        box = self._frame(place, "line-2", 1)
        self._scaled(box, lambda area: draw_text(
            self._painter, area, _("Start"), "body", "text-2", Qt.AlignmentFlag.AlignHCenter
        ))  # fmt: skip

    def card(
        self, card: StateCard, place: PlacedCard, *, selected: bool = False, lit: str = "",
        hovered: bool = False,
    ) -> None:  # fmt: skip
        """Paint a card; ``lit`` is the tone of its border while something is dragged over it."""
        tone = lit or ("accent" if selected else card.tone or "line-2")
        box = self._frame(
            place, tone, 2 if selected or lit else 1, dashed=card.is_optional and not selected, over=hovered
        )

        def content(area: QRect) -> None:
            inner = area.adjusted(_SIDE, 3, -_SIDE, -3)
            icon = QRect(inner.right() - _ICON + 3, inner.top() + 1, _ICON, _ICON + 2)
            used = draw_text(
                self._painter, QRect(inner.left(), inner.top(), 60, 18), card.name, "body", "text-2"
            )
            if card.note:
                left = inner.left() + used + 6
                draw_text(
                    self._painter,
                    QRect(left, inner.top(), icon.left() - left, 18),
                    card.note,
                    "body",
                    "text-2",
                )
            theme.draw_icon_in(self._painter, card.icon, icon, _ICON)
            draw_text(
                self._painter,
                QRect(inner.left(), inner.top() + 18, inner.width() + 3, 19),
                card.title,
                "name",
            )

        self._scaled(box, content)

    def handle(self, place: PlacedCard) -> None:
        """Paint the point from which a line to another card is drawn."""
        box = self._transform.card(place)
        self._painter.setPen(QPen(theme.color("accent"), 1.5))
        self._painter.setBrush(theme.color("bg-1"))
        self._painter.drawEllipse(QPointF(box.right(), box.center().y()), _HANDLE, _HANDLE)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)

    def ghost(self, card: StateCard, place: PlacedCard, at: QPointF) -> None:
        """Paint a card that is dragged, under the pointer."""
        painter = self._painter
        painter.save()
        painter.setOpacity(0.85)
        box = self._transform.card(place)
        painter.translate(at - box.center())
        self.card(card, place, selected=True)
        painter.restore()

    def _frame(
        self, place: PlacedCard, tone: str, width: int, *, dashed: bool = False, over: bool = False
    ) -> QRectF:
        box = self._transform.card(place)
        self._painter.setPen(self._pen(tone, width, dashed=dashed))
        self._painter.setBrush(theme.color("bg-3" if over else "bg-1"))
        rim = width / 2
        self._painter.drawRoundedRect(box.adjusted(rim, rim, -rim, -rim), 6, 6)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        return box

    def _scaled(self, box: QRectF, paint: Callable[[QRect], object]) -> None:
        """Paint the content of a box at the zoom of the view."""
        painter, zoom = self._painter, self._transform.zoom
        painter.save()
        painter.translate(box.topLeft())
        painter.scale(zoom, zoom)
        paint(QRect(0, 0, round(box.width() / zoom), CARD_HEIGHT))
        painter.restore()


class FilmPainter:
    """Paints the steps of a trajectory under the graph; requests thumbnails when they become visible."""

    def __init__(self, thumbnails: ThumbnailCache) -> None:
        self._thumbnails = thumbnails

    def paint(
        self, painter: QPainter, transform: GraphTransform, trajectory: str, steps: Sequence[Step],
        current: int, lit: int | None,
    ) -> None:  # fmt: skip
        """Paint the strip; ``lit`` is the slot that a card is dragged over."""
        top = transform.film_top
        painter.fillRect(0, top, transform.width, transform.height - top, theme.color("bg-1"))
        painter.fillRect(0, top, transform.width, 1, theme.color("line"))
        for slot in transform.in_sight(len(steps)):
            box, is_current = transform.thumb(slot), slot == current
            self._thumb(painter, box, trajectory, steps[slot])
            if is_current or slot == lit:
                painter.setPen(QPen(theme.color("accent"), 2))
                painter.drawRect(box.adjusted(-2, -2, 2, 2) if slot == lit else box.adjusted(-1, -1, 1, 1))
            self._caption(painter, transform, box, slot, steps[slot], current=is_current)

    def _thumb(self, painter: QPainter, box: QRect, trajectory: str, step: Step) -> None:
        shot = step.state.screenshot
        if shot:
            self._thumbnails.draw(painter, box, (trajectory, shot))
        else:
            painter.fillRect(box, QColor(Qt.GlobalColor.black))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(QPen(theme.color("line-2"), 1))
        painter.drawRect(box.adjusted(-1, -1, 0, 0))

    @staticmethod
    def _caption(
        painter: QPainter, transform: GraphTransform, box: QRect, slot: int, step: Step, *, current: bool
    ) -> None:
        """The number of the step and the name of what was done, below its thumbnail."""
        zoom = transform.zoom
        painter.save()
        painter.translate(box.left(), box.bottom() + 1)
        painter.scale(zoom, zoom)
        tone = "accent" if current else "text-2"
        role = "name" if current else "caption"
        height = FILM_HEIGHT - THUMB_HEIGHT - 11
        room = round(box.width() / zoom)
        used = draw_text(painter, QRect(0, 0, 24, height), str(slot + 1), role, tone)
        left = max(16, used + 4)
        draw_text(painter, QRect(left, 0, room - left + 6, height), short_caption(step), role, tone)
        painter.restore()


def _length(first: QPointF, then: QPointF) -> float:
    return abs(first.x() - then.x()) + abs(first.y() - then.y())
