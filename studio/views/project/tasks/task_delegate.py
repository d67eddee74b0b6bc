"""Paint the cells of the task table."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from studio.theme import theme
from studio.views.project.tasks.task_model import COLUMNS, ROW
from studio.views.project.tasks.task_rows import TaskTableRow
from studio.widgets.painting import draw_row_ground, draw_text, text_width

CHECK = 14
PAD = 8
_MOST_DIAMONDS = 3
_TONES = {"err": "err", "warn": "warn", "todo": "text-2"}


class TaskDelegate(QStyledItemDelegate):
    """Paint rows of 32 px with a line below. The check box shows the selection.

    ``hovered`` returns the row under the pointer, so that a row is highlighted as a whole.
    """

    def __init__(self, hovered: Callable[[], int], parent: QObject) -> None:
        super().__init__(parent)
        self._hovered = hovered

    def sizeHint(self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: N802 - Qt's name
        return QSize(COLUMNS[index.column()].width, theme.size("row_task_table"))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row: TaskTableRow = index.data(ROW)
        rect: QRect = option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # The table has painted the selection already; a transparent colour painted twice is too strong.
        painter.fillRect(rect, theme.color("bg-1"))
        draw_row_ground(painter, rect, is_selected=chosen, is_hovered=index.row() == self._hovered())
        inner = rect.adjusted(PAD, 0, -PAD, -1)
        column = COLUMNS[index.column()]
        special: dict[str, Callable[[], None]] = {
            "check": lambda: draw_check(painter, rect, 2 if chosen else 0),
            "task": lambda: _text(painter, inner, row.task.id, "name"),
            "instruction": lambda: _text(painter, inner, row.task.instruction, "name" if chosen else "body"),
            "golden": lambda: _golden(painter, inner, row),
            "states": lambda: _states(painter, inner, row, column.text(row)),
            "review": lambda: _badge(painter, inner, row.review_words),
            "problems": lambda: _problem(painter, inner, row),
        }
        draw = special.get(column.key)
        if draw is not None:
            draw()
        else:
            align = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
            tone = "text" if column.key == "rules" else "text-2"
            draw_text(painter, inner, column.text(row), "body", tone, align)
        painter.restore()


def draw_check(painter: QPainter, rect: QRect, state: int) -> None:
    """Paint a check box in the middle of ``rect``. State: 0 off, 1 partial, 2 on."""
    box = QRectF(rect.center().x() - CHECK / 2 + 0.5, rect.center().y() - CHECK / 2 + 0.5, CHECK, CHECK)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen if state else QPen(theme.color("edge"), 1))
    painter.setBrush(theme.color("accent-fill" if state else "field"))
    painter.drawRoundedRect(box, 3, 3)
    if state:
        theme.draw_icon_in(painter, "check" if state == 2 else "minus", box.toAlignedRect(), 12, "on-fill")
    painter.restore()


def _text(painter: QPainter, rect: QRect, text: str, role: str) -> None:
    draw_text(painter, rect, text, role)


def _golden(painter: QPainter, rect: QRect, row: TaskTableRow) -> None:
    target = row.task.golden_wanted
    left = float(rect.left())
    middle = rect.center().y() + 0.5
    for number in range(min(_MOST_DIAMONDS, max(target, min(row.golden, 1))) if row.is_known else 0):
        _diamond(painter, QPointF(left + 5, middle), filled=number < row.golden)
        left += 13
    tone = "text" if row.is_complete and row.is_known else "text-2"
    place = rect.adjusted(round(left - rect.left()) + 5, 0, 0, 0)
    draw_text(painter, place, row.golden_words, "body", tone)


def _states(painter: QPainter, rect: QRect, row: TaskTableRow, text: str) -> None:
    """The number and the status, behind what golden trajectories say of the states that rules judge."""
    states = row.states
    if states.by_rules:
        failed = states.verified + states.unjudged < states.golden
        icon = "state-ok" if row.has_verified_states else "state-warn" if failed else "state-todo"
        theme.draw_icon_in(painter, icon, QRect(rect.left(), rect.top(), 14, rect.height()), 14, "text-2")
    draw_text(painter, rect.adjusted(20, 0, 0, 0), text, "body", "text" if states.count else "text-2")


def _diamond(painter: QPainter, middle: QPointF, *, filled: bool) -> None:
    half = 5.0 if filled else 4.5
    corners = [QPointF(0, -half), QPointF(half, 0), QPointF(0, half), QPointF(-half, 0)]
    painter.setPen(Qt.PenStyle.NoPen if filled else QPen(theme.color("line-2"), 1))
    painter.setBrush(theme.color("accent") if filled else Qt.BrushStyle.NoBrush)
    painter.drawPolygon(QPolygonF([middle + corner for corner in corners]))


def _badge(painter: QPainter, rect: QRect, text: str) -> None:
    if not text:
        return
    width = min(rect.width(), text_width(text, "caption") + 12)
    box = QRectF(rect.left() + 0.5, rect.center().y() - 8.5, width, 18)
    painter.setPen(QPen(theme.color("line-2"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, 3, 3)
    draw_text(painter, box.toAlignedRect().adjusted(6, 0, -4, 0), text, "caption", "text-2")


def _problem(painter: QPainter, rect: QRect, row: TaskTableRow) -> None:
    if not row.state:
        return
    theme.draw_icon_in(
        painter, f"state-{row.state}", QRect(rect.left(), rect.top(), 14, rect.height()), 14, "text-2"
    )
    draw_text(painter, rect.adjusted(20, 0, 0, 0), row.problem, "body", _TONES[row.state])
