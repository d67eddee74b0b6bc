"""The list of a log's lines: step, icon and words. A line that is too long unfolds when it is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelection, QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QTextOption
from PySide6.QtWidgets import QAbstractItemView, QWidget

from collector.model.i18n import _
from collector.run.results.episode_log import LogLine, log_text
from studio.theme import theme
from studio.widgets.painting import draw_text
from studio.widgets.tables.entry_list import EntryList, RowState
from studio.widgets.wrapped_text import tooltip_text

_NUMBER, _ICON, _GAP, _SIDE = 28, 14, 8, 10
_TEXT = _SIDE + _NUMBER + _ICON + _GAP
_TEXT_HEIGHT, _PAD = 16, 5
_MOST_DETAIL = 20_000
"""Characters of a detail that are laid out."""
_Index = QModelIndex | QPersistentModelIndex


class EpisodeLogView(EntryList):
    """A line is one row of text, and as many as it needs while it is chosen; opened where it is read."""

    step_chosen = Signal(int)
    """The step of a line that was chosen, from 1."""
    step_opened = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_("Log of the episode"), parent=parent)
        self.setFont(theme.font("body"))
        self._unfolded: frozenset[str] = frozenset()
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.chosen.connect(self._step_chosen)
        self.opened.connect(self._step_opened)

    def show_lines(self, lines: Sequence[LogLine]) -> None:
        """Show lines. More lines of the same log keep place and selection, and are followed at the end."""
        bar, before = self.verticalScrollBar(), self.entries
        is_at_end = bar.value() >= bar.maximum() - 4
        self.show_entries(lines)
        if is_at_end and before and self.entries[: len(before)] == before:
            self.scrollToBottom()

    def set_unfolded(self, kinds: frozenset[str]) -> None:
        """Show the lines of these kinds whole, others while they are chosen."""
        if kinds != self._unfolded:
            self._unfolded = kinds
            self.scheduleDelayedItemsLayout()

    def _is_whole(self, row: int) -> bool:
        return row == self.currentIndex().row() or self.entries[row].kind in self._unfolded

    @property
    def current_step(self) -> int:
        """The step of the chosen line, from 1; 0 without one."""
        return self.current.step if self.current is not None else 0

    def _step_chosen(self, line: LogLine) -> None:
        if line.step:
            self.step_chosen.emit(line.step)

    def _step_opened(self, line: LogLine) -> None:
        self.step_opened.emit(line.step or 1)

    def text_of(self, entry: LogLine) -> str:
        return log_text([entry])

    def spoken_of(self, entry: LogLine) -> str:
        if not entry.step:
            return entry.whole
        return _("step {number}: {text}", number=entry.step, text=entry.whole)

    def tip_of(self, entry: LogLine) -> str:
        return tooltip_text(entry.whole[:1000])

    # -- painting ------------------------------------------------------------
    def height_of(self, row: int, width: int) -> int:
        line: LogLine = self.entries[row]
        if line.detail and self._is_whole(row):
            return _TEXT_HEIGHT + self._detail_height(line, width) + 2 * _PAD
        return _TEXT_HEIGHT * (2 if line.detail else 1) + 2 * _PAD

    def _detail_height(self, line: LogLine, width: int) -> int:
        flags = Qt.TextFlag.TextWrapAnywhere | Qt.TextFlag.TextWordWrap
        room = QRect(0, 0, max(60, width - _TEXT - _SIDE), 100_000)
        return self.fontMetrics().boundingRect(room, int(flags), line.detail[:_MOST_DETAIL]).height()

    def paint_row(self, painter: QPainter, box: QRect, row: int, state: RowState) -> None:
        line: LogLine = self.entries[row]
        if state.is_selected or state.is_hovered:
            painter.fillRect(box, theme.color("accent-weak" if state.is_selected else "bg-3"))
        top = box.top() + _PAD
        if not row or self.entries[row - 1].step != line.step:
            painter.fillRect(box.left(), box.top(), box.width(), 1, theme.color("line"))
            if line.step:
                place = QRect(box.left() + _SIDE, top, _NUMBER - 6, _TEXT_HEIGHT)
                draw_text(painter, place, str(line.step), "name", "text-2")
        icon = QRect(box.left() + _SIDE + _NUMBER - 4, top, _ICON, _TEXT_HEIGHT)
        theme.draw_icon_in(painter, line.icon, icon, _ICON, line.tone or "text-2")
        left = box.left() + _TEXT
        width = box.right() - left - _SIDE
        draw_text(painter, QRect(left, top, width, _TEXT_HEIGHT), line.text, "body", line.tone or "text")
        if line.detail:
            below = QRect(left, top + _TEXT_HEIGHT, width, box.bottom() - top)
            self._paint_detail(painter, below, line, whole=self._is_whole(row))

    def _paint_detail(self, painter: QPainter, place: QRect, line: LogLine, *, whole: bool) -> None:
        if not whole:
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

    # -- events --------------------------------------------------------------
    def currentChanged(self, current: _Index, previous: _Index) -> None:  # noqa: N802 - Qt's name
        super().currentChanged(current, previous)
        self.scheduleDelayedItemsLayout()  # the chosen line is higher

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:  # noqa: N802 - Qt's name
        super().selectionChanged(selected, deselected)
        self.viewport().update()
