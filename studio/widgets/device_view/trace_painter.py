"""Draw where actions happened: rings for people, crosses for agents, arrows for swipes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPen, QPolygonF

from collector.model import action as actions
from collector.model.geometry import Point
from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.captions.node_text import BASE_DENSITY
from studio.widgets.device_view.highlight import Trace, TraceMark
from studio.widgets.device_view.transform import ViewTransform

_DOT_EVERY_MS = 50
_FAR_APART = 8
_RING = 11.0
_HEAD = 9.0
_COLORS = {
    TraceMark.PERSON: "mark_person",
    TraceMark.GOLDEN: "mark_golden",
    TraceMark.AGENT: "mark_agent",
    TraceMark.NEXT: "mark_next",
}


def draw_traces(
    painter: QPainter, traces: Sequence[Trace], transform: ViewTransform, density: int = 0
) -> None:
    """Draw all traces, in logical pixels; join the executed touch with the one it is compared with.

    With the ``density`` of the screen in dots per inch, their distance is also said in dp.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _join(painter, traces, transform, density)
    for trace in traces:
        color = theme.overlay(_COLORS[trace.mark])
        for path in _paths(trace.action, transform):
            if len(path) > 1:
                _arrow(painter, path, color)
            draw_mark(painter, path[0], trace.mark)


def draw_mark(painter: QPainter, at: QPointF, mark: TraceMark) -> None:
    """Draw one mark with its dark halo."""
    color, halo = theme.overlay(_COLORS[mark]), theme.overlay("mark_halo")
    shape = _shape(at, mark)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen_color, width in ((halo, 4.5), (color, 2.5)):
        pen = QPen(pen_color, width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPath(shape)
    if mark is TraceMark.PERSON:
        painter.setPen(QPen(halo, 1))
        painter.setBrush(color)
        painter.drawEllipse(at, 3.5, 3.5)


def _shape(at: QPointF, mark: TraceMark) -> QPainterPath:
    path = QPainterPath()
    x, y = at.x(), at.y()
    if mark in (TraceMark.PERSON, TraceMark.GOLDEN):
        path.addEllipse(at, _RING, _RING)
    elif mark is TraceMark.AGENT:
        for side in (1, -1):
            path.moveTo(x - 6, y - 6 * side)
            path.lineTo(x + 6, y + 6 * side)
    else:
        path.addEllipse(at, 8, 8)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            path.moveTo(x + 4.5 * dx, y + 4.5 * dy)
            path.lineTo(x + 13 * dx, y + 13 * dy)
    return path


def swipe_dots(action: actions.Swipe | actions.Drag) -> list[tuple[float, float]]:
    """Return the finger's position every 50 ms, start and end included, in device pixels."""
    straight = (0, action.x1, action.y1), (max(1, action.duration_ms), action.x2, action.y2)
    return _dots(action.path or straight)


def _dots(path: actions.FingerPath) -> list[tuple[float, float]]:
    end = path[-1][0]
    dots: list[tuple[float, float]] = []
    place = 0
    for moment in range(path[0][0], end, _DOT_EVERY_MS):
        while place + 1 < len(path) - 1 and path[place + 1][0] <= moment:
            place += 1
        (t0, x0, y0), (t1, x1, y1) = path[place], path[min(place + 1, len(path) - 1)]
        share = (moment - t0) / max(1, t1 - t0)
        dots.append((x0 + (x1 - x0) * share, y0 + (y1 - y0) * share))
    return [*dots, (path[-1][1], path[-1][2])]


def _paths(action: actions.Action, transform: ViewTransform) -> list[list[QPointF]]:
    """The way of each finger, in logical pixels; none of an action without a place."""
    if isinstance(action, actions.Swipe | actions.Drag):
        ways = [swipe_dots(action)]
    elif isinstance(action, actions.Pinch) and action.fingers:
        ways = [_dots(path) for path in action.fingers]
    else:
        ways = [[(action.point.x, action.point.y)]] if action.point is not None else []
    return [[QPointF(*transform.to_view(Point(round(x), round(y)))) for x, y in way] for way in ways]


def _arrow(painter: QPainter, path: Sequence[QPointF], color: QColor) -> None:
    halo = theme.overlay("mark_halo")
    head = _head(path)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen_color, width in ((halo, 4.0), (color, 2.0)):
        pen = QPen(pen_color, width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(list(path)))
        if head is not None:
            painter.drawPolyline(head)
    painter.setPen(QPen(halo, 1))
    painter.setBrush(color)
    for dot in path[1:-1]:
        painter.drawEllipse(dot, 2.5, 2.5)


def _head(path: Sequence[QPointF]) -> QPolygonF | None:
    """Return the two strokes of the arrow head, along the last segment with a direction."""
    tip = path[-1]
    for before in reversed(path[:-1]):
        dx, dy = tip.x() - before.x(), tip.y() - before.y()
        if math.hypot(dx, dy) >= 1:
            angle = math.atan2(dy, dx)
            left, right = (
                QPointF(tip.x() - _HEAD * math.cos(angle + turn), tip.y() - _HEAD * math.sin(angle + turn))
                for turn in (0.5, -0.5)
            )
            return QPolygonF([left, tip, right])
    return None


def _join(painter: QPainter, traces: Sequence[Trace], transform: ViewTransform, density: int) -> None:
    """Join an agent's touch with the golden one, or with the one it predicted, where they lie apart."""
    places = {trace.mark: trace.action.point for trace in traces if trace.action.point is not None}
    other, agent = places.get(TraceMark.GOLDEN) or places.get(TraceMark.NEXT), places.get(TraceMark.AGENT)
    if other is None or agent is None:
        return
    start, end = QPointF(*transform.to_view(other)), QPointF(*transform.to_view(agent))
    if math.hypot(end.x() - start.x(), end.y() - start.y()) <= _FAR_APART:
        return
    pen = QPen(theme.overlay("mark_halo"), 1)
    pen.setDashPattern([4, 3])
    painter.setPen(pen)
    painter.drawLine(start, end)
    _distance(painter, start, end, distance_in_words(other, agent, density), transform)


def distance_in_words(first: Point, second: Point, density: int = 0) -> str:
    """How far two touches lie apart: ``36 px``, or ``36 px, 12 dp`` where the density is known."""
    pixels = first.distance_to(second)
    if density <= 0:
        return _("{count} px", count=round(pixels))
    return _("{pixels} px, {dp} dp", pixels=round(pixels), dp=round(pixels * BASE_DENSITY / density))


def _distance(painter: QPainter, start: QPointF, end: QPointF, text: str, transform: ViewTransform) -> None:
    """Draw the distance beside both marks, at the right where there is room, on a dark ground."""
    font = theme.font("caption")
    width = QFontMetrics(font).horizontalAdvance(text) + 8
    left, middle = max(start.x(), end.x()) + 16, (start.y() + end.y()) / 2
    if left + width > transform.image_rect.right / transform.ratio:
        at_left = min(start.x(), end.x()) - 16 - width
        left = max(transform.image_rect.left / transform.ratio, at_left)
    ground = QRectF(left, middle - 8, width, 16)
    halo = theme.overlay("mark_halo")
    halo.setAlpha(220)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(halo)
    painter.drawRoundedRect(ground, 3, 3)
    painter.setFont(font)
    painter.setPen(theme.overlay("mark_golden"))
    painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)
