"""Paint the gutter of a timeline: the names of trajectories and of lanes."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter

from studio.theme import theme
from studio.widgets.painting import draw_text
from studio.widgets.timeline.lanes import Lane, LaneGroup

_BADGE = 18
_NAME_LEFT = 34
_LINE = 17


def paint_lane_name(painter: QPainter, rect: QRect, lane: Lane, *, grouped: bool) -> None:
    """Paint icon and title of a lane; those below a named trajectory are indented."""
    left, side = (28, 12) if grouped else (12, 14)
    theme.draw_icon_in(painter, lane.icon, QRect(rect.left() + left, rect.top(), side, rect.height()), side)
    place = rect.adjusted(46 if grouped else 32, 0, -4, 0)
    draw_text(painter, place, lane.title, "body", "text-2")


def paint_group(painter: QPainter, rect: QRect, group: LaneGroup) -> None:
    """Paint letter, name, second line and verdict of a trajectory beside its film strip."""
    badge = QRect(rect.left() + 8, rect.top() + 7, _BADGE, _BADGE)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("bg-4"))
    painter.drawRoundedRect(QRectF(badge), 3, 3)
    painter.restore()
    draw_text(painter, badge, group.letter, "heading", "text", Qt.AlignmentFlag.AlignHCenter)
    lines = [(group.name, "name", "text"), (group.about, "body", "text-2"), (group.verdict, "body", "text-2")]
    top = rect.top() + 6
    for text, role, tone in lines:
        if not text:
            continue
        place = QRect(rect.left() + _NAME_LEFT, top, rect.width() - _NAME_LEFT - 4, _LINE)
        if text is group.verdict and group.verdict_icon:
            theme.draw_icon_in(painter, group.verdict_icon, QRect(place.left(), top, 12, _LINE), 12)
            place.setLeft(place.left() + 17)
        draw_text(painter, place, text, role, tone)
        top += _LINE
