"""Paint the row of a step and edit its caption in place."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.theme.mirroring import mirrored
from studio.widgets.painting import (
    BADGE_HEIGHT,
    badge_width,
    draw_badge,
    draw_row_ground,
    draw_text,
)
from studio.widgets.step_list.model import ROW_ROLE, StepRow
from studio.widgets.thumbnail_cache import ThumbnailCache

_THUMB = QSize(29, 62)
_WAITING_THUMB = 40
_WAITING_ROW = 56
_THUMB_LEFT = 40
_TEXT_LEFT = 82
_ACTION = 24
_LEAST_THOUGHT = 48
_Index = QModelIndex | QPersistentModelIndex

EDIT, RERECORD, DELETE = "edit", "refresh", "trash"
ACTIONS = (EDIT, RERECORD, DELETE)


def action_rects(row: QRect) -> dict[str, QRect]:
    """Rectangles of the action icons of a row, from the left."""
    left = row.right() - 8 - _ACTION * len(ACTIONS)
    top = row.center().y() - _ACTION // 2
    return {name: QRect(left + place * _ACTION, top, _ACTION, _ACTION) for place, name in enumerate(ACTIONS)}


class StepDelegate(QStyledItemDelegate):
    """The view sets ``hovered_action`` so that the icon under the pointer is highlighted."""

    def __init__(self, thumbnails: ThumbnailCache, parent: QObject) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails
        self.hovered_action = ""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:  # noqa: N802 - Qt's name
        """One size for all rows, so that a long list is laid out without asking for each row."""
        return QSize(200, theme.size("row_step"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        with mirrored(painter, option.rect):
            self._paint_item(painter, option, index)

    def _paint_item(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row: StepRow = index.data(ROW_ROLE)
        rect = option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        number = QRect(rect.left() + 8, rect.top(), 24, rect.height())
        if row.is_waiting:
            number.setHeight(_WAITING_ROW)
            self._paint_waiting(painter, rect, row)
        else:
            draw_row_ground(painter, rect, is_selected=selected, is_hovered=hovered)
            self._paint_thumb(painter, rect, row)
            shows_actions = selected or hovered
            room = action_rects(rect)[EDIT].left() if shows_actions else rect.right() - 8
            self._paint_words(painter, rect, row, room)
            if shows_actions:
                self._paint_actions(painter, rect, lit=hovered)
        right = Qt.AlignmentFlag.AlignRight
        draw_text(painter, number, str(row.number), "caption", "text-2", right)

    @staticmethod
    def _paint_waiting(painter: QPainter, rect: QRect, row: StepRow) -> None:
        pen = QPen(theme.color("line-2" if row.is_paused else "ok"), 1)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect.left() + _THUMB_LEFT, rect.top() + 8, _THUMB.width() - 1, _WAITING_THUMB - 1)
        place = QRect(rect.left() + _TEXT_LEFT, rect.top(), rect.width() - _TEXT_LEFT - 12, _WAITING_ROW)
        draw_text(painter, place, row.caption, "body", "text-2")

    def _paint_thumb(self, painter: QPainter, rect: QRect, row: StepRow) -> None:
        box = QRect(rect.left() + _THUMB_LEFT, rect.top() + 5, _THUMB.width(), _THUMB.height())
        self._thumbnails.draw(painter, box, row.thumb)
        painter.setPen(QPen(theme.color("line-2"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(0, 0, -1, -1))

    @staticmethod
    def _paint_words(painter: QPainter, rect: QRect, row: StepRow, right: int) -> None:
        left, top = rect.left() + _TEXT_LEFT, rect.top() + (8 if row.badges or row.thought else 18)
        theme.draw_icon_in(painter, row.icon, QRect(left, top, 14, 18), 14, "text-2")
        draw_text(painter, QRect(left + 20, top, right - left - 20, 18), row.caption, "title")
        detail = QRect(left, top + 20, right - left, 18)
        draw_text(painter, detail, row.detail, "caption", "text-3")
        for badge in row.badges:
            if left + badge_width(badge.text, badge.icon) > right:
                break
            left += draw_badge(painter, left, top + 40, badge.text, badge.icon, badge.tone) + 6
        if row.thought and right - left > _LEAST_THOUGHT:
            thought = QRect(left, top + 40, right - left, BADGE_HEIGHT)
            draw_text(painter, thought, row.thought, "body", "text-2")

    def _paint_actions(self, painter: QPainter, rect: QRect, *, lit: bool) -> None:
        for name, box in action_rects(rect).items():
            tone = "text" if lit and name == self.hovered_action else "text-2"
            theme.draw_icon_in(painter, name, box, 16, tone)

    # -- editing -------------------------------------------------------------
    def createEditor(  # noqa: N802 - Qt's name
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: _Index
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setProperty("small", True)
        editor.setAccessibleName(_("Caption of the step"))
        return editor

    def updateEditorGeometry(  # noqa: N802 - Qt's name
        self, editor: QWidget, option: QStyleOptionViewItem, index: _Index
    ) -> None:
        rect = option.rect
        top = rect.top() + (4 if index.data(ROW_ROLE).badges else 14)
        editor.setGeometry(rect.left() + _TEXT_LEFT - 8, top, rect.width() - _TEXT_LEFT - 4, 26)
