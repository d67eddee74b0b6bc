"""Paints the cells of a table of numbers: labels, numbers, and intervals on a track from 0 to 100 %."""

from __future__ import annotations

import math

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from studio.theme import theme
from studio.theme.mirroring import mirrored
from studio.widgets.number_table.content import ColumnKind, NumberColumn
from studio.widgets.number_table.model import NumberModel
from studio.widgets.painting import draw_row_ground, draw_text, text_width

SIDE = 8
_GAP, _TRACK, _MARK, _CAP, _BASELINE = 5, 4, 7, 7, 14
_READABLE = 120
"""Pixels of a long detail that are enough to show it, cut."""
_RIGHT = Qt.AlignmentFlag.AlignRight
_Index = QModelIndex | QPersistentModelIndex


class NumberDelegate(QStyledItemDelegate):
    """The row of the selected number is tinted, and the number itself has a frame."""

    current_row = -1

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        model = index.model()
        assert isinstance(model, NumberModel)
        column, row = model.column(index.column()), model.source_row(index.row())
        self._paint_ground(painter, option, index)
        place = option.rect.adjusted(SIDE, 0, -SIDE, 0)
        if column.kind is ColumnKind.LABEL:
            if not self._is_repeated(model, index):
                with mirrored(painter, option.rect):
                    _paint_label(painter, place, column, row)
        elif column.kind is ColumnKind.INTERVAL:
            _paint_interval(painter, place, column, row)
        else:
            known = column.values is None or not math.isnan(column.values[row])
            tone = ("text" if column.is_main else "text-2") if known else "text-3"
            draw_text(painter, place, column.texts[row], "name" if column.is_main else "body", tone, _RIGHT)
        if option.state & QStyle.StateFlag.State_Selected and column.kind is not ColumnKind.LABEL:
            _paint_frame(painter, option.rect)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        draw_row_ground(
            painter, option.rect,
            is_selected=index.row() == self.current_row,
            is_hovered=bool(option.state & QStyle.StateFlag.State_MouseOver),
        )  # fmt: skip

    @staticmethod
    def _is_repeated(model: NumberModel, index: _Index) -> bool:
        """Whether the row above says the same; the last label is written in every row."""
        columns = model.content.columns
        is_last = index.column() + 1 >= len(columns) or (
            columns[index.column() + 1].kind is not ColumnKind.LABEL
        )
        if is_last or index.row() == 0:
            return False
        row, before = model.source_row(index.row()), model.source_row(index.row() - 1)
        return model.content.is_repeated(row, before, index.column())


def _paint_label(painter: QPainter, place: QRect, column: NumberColumn, row: int) -> None:
    """The label, and the detail after it where most of it can be read: the tooltip has both."""
    width = draw_text(painter, place, column.texts[row], "name")
    if column.details and column.details[row]:
        rest = place.adjusted(width + _GAP, 0, 0, 0)
        if rest.width() >= min(_READABLE, 2 * text_width(column.details[row]) // 3):
            draw_text(painter, rest, column.details[row], "body", "text-2")


def _paint_interval(painter: QPainter, place: QRect, column: NumberColumn, row: int) -> None:
    """The track, the interval with its ends, the number as a square, and the baseline as a dotted line."""
    if column.values is None or math.isnan(column.values[row]):
        return
    middle = place.center().y() + 0.5
    painter.fillRect(QRectF(place.left(), middle - _TRACK / 2, place.width(), _TRACK), theme.color("bg-3"))
    if column.marks is not None and not math.isnan(column.marks[row]):
        x = _at(place, column.marks[row])
        painter.setPen(QPen(theme.color("text-2"), 1, Qt.PenStyle.DotLine))
        painter.drawLine(round(x), round(middle - _BASELINE / 2), round(x), round(middle + _BASELINE / 2))
    ink = theme.color("accent" if column.is_main else "text-2")
    if column.low is not None and column.high is not None and not math.isnan(column.low[row]):
        low, high = _at(place, column.low[row]), _at(place, column.high[row])
        painter.fillRect(QRectF(low, middle - 1, max(1.0, high - low), 2), ink)
        for end in (low, high - 1):
            painter.fillRect(QRectF(end, middle - _CAP / 2, 1.5, _CAP), ink)
    x = _at(place, column.values[row])
    painter.fillRect(QRectF(x - _MARK / 2, middle - _MARK / 2, _MARK, _MARK), ink)


def _at(place: QRect, share: float) -> float:
    """The place of a share of 0 to 1 on the track; the mark at an end stays on it."""
    inside = place.width() - _MARK
    return place.left() + _MARK / 2 + inside * min(1.0, max(0.0, share))


def _paint_frame(painter: QPainter, rect: QRect) -> None:
    painter.save()
    painter.setPen(QPen(theme.color("accent"), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(rect).adjusted(1, 1, -1, -2))
    painter.restore()
