"""The list of a log's lines: step, icon and words. A line that is too long unfolds when it is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelection,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QResizeEvent, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from collector.model.i18n import _
from collector.run.results.episode_log import LogLine, log_text
from studio.theme import theme
from studio.widgets.painting import draw_text
from studio.widgets.wrapped_text import tooltip_text

_LINE = Qt.ItemDataRole.UserRole
_NUMBER, _ICON, _GAP, _SIDE = 28, 14, 8, 10
_TEXT_HEIGHT, _PAD = 16, 5
_MOST_DETAIL = 20_000
"""Characters of a detail that are laid out."""
_Index = QModelIndex | QPersistentModelIndex


class _LogModel(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.lines: tuple[LogLine, ...] = ()

    def show(self, lines: Sequence[LogLine]) -> bool:
        """Show other lines; return whether those of before are still there, with more after them."""
        new, known = tuple(lines), len(self.lines)
        if new == self.lines:
            return True
        if known and new[:known] == self.lines:
            self.beginInsertRows(QModelIndex(), known, len(new) - 1)
            self.lines = new
            self.endInsertRows()
            return True
        self.beginResetModel()
        self.lines = new
        self.endResetModel()
        return False

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self.lines)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self.lines[index.row()]
        if role == _LINE:
            return line
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return _("step {number}: {text}", number=line.step, text=line.whole) if line.step else line.whole
        return tooltip_text(line.whole[:1000]) if role == Qt.ItemDataRole.ToolTipRole else None


class _LogDelegate(QStyledItemDelegate):
    """Paints a line in one row of text, and in as many as it needs while it is chosen."""

    def __init__(self, view: EpisodeLogView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802 - Qt's name
        line: LogLine = index.data(_LINE)
        height = _TEXT_HEIGHT * (2 if line.detail else 1) + 2 * _PAD
        if line.detail and index.row() == self._view.currentIndex().row():
            height = _TEXT_HEIGHT + self._detail_box(line, self._view.viewport().width()).height() + 2 * _PAD
        return QSize(option.rect.width(), height)

    @staticmethod
    def _text_left() -> int:
        return _SIDE + _NUMBER + _ICON + _GAP

    def _detail_box(self, line: LogLine, width: int) -> QRect:
        flags = Qt.TextFlag.TextWrapAnywhere | Qt.TextFlag.TextWordWrap
        room = QRect(0, 0, max(60, width - self._text_left() - _SIDE), 100_000)
        metrics = self._view.fontMetrics()
        return metrics.boundingRect(room, int(flags), line.detail[:_MOST_DETAIL])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        line: LogLine = index.data(_LINE)
        rect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("accent-weak"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("bg-3"))
        top = rect.top() + _PAD
        before = index.sibling(index.row() - 1, 0).data(_LINE) if index.row() else None
        if before is None or before.step != line.step:
            painter.fillRect(rect.left(), rect.top(), rect.width(), 1, theme.color("line"))
            if line.step:
                place = QRect(rect.left() + _SIDE, top, _NUMBER - 6, _TEXT_HEIGHT)
                draw_text(painter, place, str(line.step), "name", "text-2")
        icon = QRect(rect.left() + _SIDE + _NUMBER - 4, top, _ICON, _TEXT_HEIGHT)
        theme.draw_icon_in(painter, line.icon, icon, _ICON, line.tone or "text-2")
        left = rect.left() + self._text_left()
        width = rect.right() - left - _SIDE
        draw_text(painter, QRect(left, top, width, _TEXT_HEIGHT), line.text, "body", line.tone or "text")
        if line.detail:
            self._paint_detail(
                painter, QRect(left, top + _TEXT_HEIGHT, width, rect.bottom() - top), line, index
            )

    def _paint_detail(self, painter: QPainter, place: QRect, line: LogLine, index: _Index) -> None:
        if index.row() != self._view.currentIndex().row():
            first = " ".join(line.detail[:600].split())
            draw_text(
                painter, place.adjusted(0, 0, 0, _TEXT_HEIGHT - place.height()), first, "body", "text-2"
            )
            return
        painter.setFont(theme.font("body"))
        painter.setPen(theme.color("text-2"))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        painter.drawText(place.toRectF(), line.detail[:_MOST_DETAIL], option)


class EpisodeLogView(QListView):
    """Emits the step of a line when it is chosen, and when it is opened; steps count from 1."""

    step_chosen = Signal(int)
    step_opened = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = _LogModel(self)
        self._showing = False
        self.setModel(self._lines)
        self.setItemDelegate(_LogDelegate(self))
        self.setFont(theme.font("body"))
        self.setAccessibleName(_("Log of the episode"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.doubleClicked.connect(self._open)
        theme.changed.connect(self.viewport().update)

    @property
    def lines(self) -> tuple[LogLine, ...]:
        """The lines on show."""
        return self._lines.lines

    def show_lines(self, lines: Sequence[LogLine]) -> None:
        """Show lines. More lines of the same log keep place and selection, and are followed at the end."""
        bar = self.verticalScrollBar()
        is_at_end = bar.value() >= bar.maximum() - 4
        self._showing = True
        grew = self._lines.show(lines)
        self._showing = False
        if grew and is_at_end:
            self.scrollToBottom()

    @property
    def current_step(self) -> int:
        """The step of the chosen line, from 1; 0 without one."""
        index = self.currentIndex()
        return self.lines[index.row()].step if index.isValid() else 0

    def copied_text(self) -> str:
        """The chosen lines as text, or all of them when none is chosen."""
        rows = sorted({index.row() for index in self.selectedIndexes()})
        return log_text([self.lines[row] for row in rows] if rows else self.lines)

    def copy(self) -> None:
        """Put the chosen lines, or all, onto the clipboard."""
        QGuiApplication.clipboard().setText(self.copied_text())

    def currentChanged(self, current: _Index, previous: _Index) -> None:  # noqa: N802 - Qt's name
        super().currentChanged(current, previous)
        self.scheduleDelayedItemsLayout()  # the chosen line is higher
        if not self._showing and current.isValid() and self.lines[current.row()].step:
            self.step_chosen.emit(self.lines[current.row()].step)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:  # noqa: N802 - Qt's name
        super().selectionChanged(selected, deselected)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def _open(self, index: QModelIndex) -> None:
        step = self.lines[index.row()].step
        self.step_opened.emit(step or 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif is_enter and not event.modifiers() and self.currentIndex().isValid():
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)
