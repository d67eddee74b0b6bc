"""Paint the ruler: labels, the cursor's head, the first divergence, differences, bookmarks and the range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.painting import draw_key, draw_text, key_width, text_width
from studio.widgets.timeline.grid import TimelineGrid
from studio.widgets.timeline.lanes import RulerMark
from studio.widgets.timeline.sizes import RULER

_TICK = 5
_HEAD_HALF, _HEAD_HIGH = 4.5, 7
_CHIP = 18
_CHIP_ICON = 20
"""Width of the flag of the first divergence when there is room for its icon alone."""
_CHIP_GAP = 4
_EDGE = 2
_FAINT = 120
_CLOCK_STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600)
_LEAST_LABEL_ROOM = 56
_LABELLED = 20
"""Width of slots from which each may have its label."""


def paint_label(painter: QPainter, grid: TimelineGrid, slot: int, text: str, *, current: bool) -> None:
    """Paint the tick of a slot, and its label unless that is empty."""
    x = grid.x(slot)
    painter.fillRect(x, RULER - _TICK, 1, _TICK, theme.color("line-2"))
    if text:
        rect = QRect(x + grid.inset, 0, text_width(text, "name") + 4, RULER - 3)
        draw_text(painter, rect, text, "name" if current else "body", "accent" if current else "text-2")


def paint_ticks(painter: QPainter, grid: TimelineGrid, slots: range) -> None:
    """Paint the ticks of slots."""
    color = theme.color("line-2")
    for slot in slots:
        painter.fillRect(grid.x(slot), RULER - _TICK, 1, _TICK, color)


def label_every(grid: TimelineGrid, text: str) -> int:
    """Of how many slots one has a label, so that labels like ``text`` do not touch."""
    return max(1, int((text_width(text) + 16) / grid.width) + 1)


def slots_between_labels(grid: TimelineGrid, longest: str) -> int:
    """Of how many slots one is painted with its label: of narrow ones those at round numbers."""
    return 1 if grid.width >= _LABELLED else round_number(label_every(grid, longest))


def shown_label(grid: TimelineGrid, slot: int, text: str, every: int) -> str:
    """The label that a slot shows, one of ``every``: empty where it would touch the next."""
    if every > 1:
        return "" if (slot + 1) % every and slot else text
    fits = grid.width >= text_width(text) + 8
    return text if fits or slot % label_every(grid, text) == 0 else ""


def round_number(least: int) -> int:
    """The first of 1, 2, 5, 10, 20, 50... that is not less."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if factor * power >= least:
                return factor * power
        power *= 10


def clock_text(seconds: int) -> str:
    """A time of the ruler, as in ``1:05``, with hours where there are some."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def clock_labels(left: int, per_ms: float, visible: range) -> Iterator[tuple[int, str]]:
    """The x and the text of the round times whose labels reach into the x that are ``visible``."""
    step = next((step for step in _CLOCK_STEPS_S if step * 1000 * per_ms >= _LEAST_LABEL_ROOM), 7200)
    seconds = max(0, int((visible.start - left) / per_ms / 1000 // step) * step)
    while (x := left + round(seconds * 1000 * per_ms)) < visible.stop:
        yield x, clock_text(seconds)
        seconds += step


def paint_clock(painter: QPainter, labels: Iterable[tuple[int, str]]) -> None:
    """Paint labels at round times."""
    for x, text in labels:
        painter.fillRect(x, RULER - _TICK, 1, _TICK, theme.color("line-2"))
        draw_text(painter, QRect(x + 4, 0, _LEAST_LABEL_ROOM, RULER - 3), text, "body", "text-2")


def paint_differences(
    painter: QPainter, grid: TimelineGrid, differences: Iterable[RulerMark], visible: range
) -> None:  # fmt: skip
    """Paint a line under the slots of each difference, with a tick at its first."""
    color, faint = theme.color("warn-fill"), theme.color("warn-fill")
    faint.setAlpha(_FAINT)
    painted = (-1, -1)
    for mark in differences:
        left, right = grid.x(mark.first), grid.x(mark.last + 1)
        if right >= visible.start and left < visible.stop and (left, right) != painted:
            painted = (left, right)
            painter.fillRect(left, RULER - 2, max(2, right - left - 2), 1, faint)
            painter.fillRect(left, RULER - _TICK - 2, 2, _TICK + 1, color)


def paint_bookmarks(painter: QPainter, grid: TimelineGrid, slots: Iterable[int], visible: range) -> None:
    """Paint a mark at the top of each slot with a bookmark."""
    for slot in slots:
        x = grid.middle(slot)
        if visible.start - 6 <= x < visible.stop + 6:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("info"))
            points = [(-4, 0), (5, 0), (5, 9), (0.5, 6), (-4, 9)]
            painter.drawPolygon(QPolygonF([QPointF(x + across, down) for across, down in points]))
            painter.restore()


@dataclass(frozen=True, slots=True)
class DivergenceFlag:
    """The flag of the first divergence on the ruler, with as many of its parts as there is room for."""

    box: QRect
    has_icon: bool = True
    """False where its box stands around the number of its slot."""
    has_words: bool = False
    key: str = ""
    """The key that goes there; empty where it has no room."""


def divergence_flag(x: int, key: str, taken: Iterable[range]) -> DivergenceFlag | None:
    """The flag at ``x``, beside the labels whose x are ``taken``, in order.

    Without room for its icon it is a box around the label at ``x``; None when there is no such label.
    """
    own, left, right = range(0), x, None
    for label in taken:
        if label.start > x + _CHIP_GAP:
            right = label.start - _CHIP_GAP
            break
        own = label if label.start == x else own
        left = max(left, label.stop + _CHIP_GAP)
    top, words = (RULER - _CHIP) // 2, 22 + text_width(_("first divergence")) + 8
    keyed = key_width(key) + 6 if key else 0
    for width, has_words in ((words + keyed, True), (words, True), (_CHIP_ICON, False)):
        if right is None or left + width <= right:
            shown_key = key if width == words + keyed else ""
            return DivergenceFlag(QRect(left, top, width, _CHIP), has_words=has_words, key=shown_key)
    return DivergenceFlag(QRect(own.start - 3, top, len(own) + 6, _CHIP), has_icon=False) if own else None


def paint_divergence_flag(painter: QPainter, flag: DivergenceFlag) -> None:
    """Paint the flag of the first divergence, with the key that goes there."""
    box = flag.box
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("warn"), 1))
    painter.setBrush(theme.color("bg-1") if flag.has_icon else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    painter.restore()
    if not flag.has_icon:
        return
    before = 6 if flag.has_words else (box.width() - 12) // 2
    theme.draw_icon_in(painter, "diff", QRect(box.left() + before, box.top(), 12, box.height()), 12, "warn")
    if flag.has_words:
        room = QRect(box.left() + 22, box.top(), box.width(), _CHIP - 1)
        left = room.left() + draw_text(painter, room, _("first divergence"), "body", "warn")
        if flag.key:
            draw_key(painter, QRect(left + 8, box.top(), key_width(flag.key), _CHIP - 1), flag.key)


def paint_divergence_line(painter: QPainter, x: int, top: int, bottom: int) -> None:
    """Paint the dashed line at the first divergence."""
    pen = QPen(theme.color("warn"), 1)
    pen.setDashPattern([4, 3])
    painter.setPen(pen)
    painter.drawLine(x, top, x, bottom)


def paint_range(painter: QPainter, left: int, right: int, bottom: int) -> None:
    """Paint the selected range: its ground on the ruler, and its edges through all lanes."""
    painter.fillRect(left, 0, right - left, RULER - 1, theme.color("accent-weak"))
    for x in (left, right - 1):
        painter.fillRect(x, RULER, 1, bottom - RULER, theme.color("accent-line"))
    for x in (left, right - _EDGE):
        painter.fillRect(x, 0, _EDGE, RULER - 1, theme.color("accent"))


def paint_cursor(painter: QPainter, x: int, height: int, gaps: Sequence[range] = ()) -> None:
    """Paint the cursor: a line over all lanes but the ``gaps``, with a head of 9 x 7 in the ruler."""
    color = theme.color("accent")
    top = RULER - _HEAD_HIGH
    for gap in sorted(gaps, key=lambda gap: gap.start):
        painter.fillRect(x, top, 1, max(0, gap.start - top), color)
        top = max(top, gap.stop)
    painter.fillRect(x, top, 1, max(0, height - top), color)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    middle, top = x + 0.5, RULER - _HEAD_HIGH
    tip = QPointF(middle, top + _HEAD_HIGH)
    painter.drawPolygon(
        QPolygonF([QPointF(middle - _HEAD_HALF, top), QPointF(middle + _HEAD_HALF, top), tip])
    )
    painter.restore()
