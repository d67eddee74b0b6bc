"""Show the task being recorded: instruction, essential states and the note for reviewers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from collector.model.i18n import _
from collector.model.task import Task
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.captions.task_text import level_text
from studio.widgets.info_card import draw_card
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_text, text_width
from studio.widgets.wrapped_text import LINE_HEIGHTS, draw_wrapped, tooltip_text, wrapped_lines

_WIDTH = 248
_PAD = 13
_ROW = 28
_LINE = 24


@dataclass(frozen=True, slots=True)
class StateMark:
    """An essential state; ``step`` is where it was reached, from 1, or 0."""

    text: str
    step: int = 0
    missed: bool = False
    """Whether a judge says that it was never reached."""
    ticks: tuple[str, ...] = ()
    """Who and what saw it, a line each, for the tooltip."""
    disputed: bool = False
    """Whether those who saw it name different steps."""
    is_goal: bool = False
    """Whether it is no essential state but the end of the task, as its success rule has it."""

    @property
    def icon(self) -> str:
        """Name of its state icon."""
        if self.step:
            return "state-warn" if self.disputed else "state-ok"
        return "state-err" if self.missed else "state-todo"


class TaskCard(QWidget):
    """A card beside the phone, or one line where a card does not fit."""

    spoken_role = Role.StaticText

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._task: Task | None = None
        self._states: tuple[StateMark, ...] = ()
        self._note = ""
        self._compact = False
        self._tip_rows: list[tuple[QRect, StateMark]] = []
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Task"))
        theme.changed.connect(self.update)

    def show_task(self, task: Task | None, states: Sequence[StateMark] = (), note: str = "") -> None:
        """Show a task; an empty ``note`` shows the note of the task."""
        self._task, self._states = task, tuple(states)
        self._note = note or (task.note if task is not None else "")
        said = [task.instruction if task is not None else "", *map(_in_words, self._states)]
        self.setAccessibleDescription("; ".join(filter(None, said)))
        self._changed()

    @property
    def states(self) -> tuple[StateMark, ...]:
        """The essential states that are shown."""
        return self._states

    def set_compact(self, compact: bool) -> None:
        """Switch between one line of 32 px and the whole card."""
        if compact != self._compact:
            self._compact = compact
            self._changed()

    def _changed(self) -> None:
        self.updateGeometry()
        if not self._compact:
            self.resize(self.sizeHint())
        self.update()

    # -- measures ----------------------------------------------------------
    def _text_height(self, text: str, role: str) -> int:
        """Height of a wrapped text."""
        lines = len(wrapped_lines(text, role, _WIDTH - 2 * _PAD))
        return lines * LINE_HEIGHTS[role]

    def _instruction(self) -> str:
        return self._task.instruction if self._task is not None else _("No task chosen")

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        if self._compact:
            return QSize(_WIDTH, 32)
        height = 8 + _LINE + 4 + self._text_height(self._instruction(), "instruction") + 12
        if self._states:
            height += 1 + 8 + _LINE + _ROW * len(self._states) + 6
        if self._note:
            height += 1 + 8 + _LINE + self._text_height(self._note, "body") + 12
        return QSize(_WIDTH, height)

    def _reached(self) -> str:
        states = [state for state in self._states if not state.is_goal]
        return f"{sum(1 for state in states if state.step)} / {len(states)}"

    # -- painting ----------------------------------------------------------
    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        self._tip_rows = []
        if self._compact:
            self._paint_line(painter)
            return
        draw_card(painter, self.rect())
        inner = QRect(_PAD, 8, self.width() - 2 * _PAD, _LINE)
        self._paint_about(painter, inner)
        top = draw_wrapped(painter, inner, inner.bottom() + 5, self._instruction(), "instruction")
        top += 12
        if self._states:
            top = self._paint_states(painter, inner, self._divider(painter, top))
        if self._note:
            top = self._divider(painter, top)
            head = QRect(inner.left(), top, inner.width(), _LINE)
            draw_text(painter, head, _("Note for reviewers"), "caption", "text-2")
            draw_wrapped(painter, inner, top + _LINE, self._note, "body", "text-2")

    def _paint_about(self, painter: QPainter, rect: QRect) -> None:
        task = self._task
        if task is None:
            return
        used = draw_text(painter, rect, task.id, "name", "text-2")
        rest = "".join(f" · {part}" for part in (task.app, level_text(task.level)) if part)
        draw_text(painter, rect.adjusted(used, 0, 0, 0), rest, "body", "text-2")

    def _divider(self, painter: QPainter, top: int) -> int:
        painter.fillRect(1, top, self.width() - 2, 1, theme.color("line"))
        return top + 9

    def _paint_states(self, painter: QPainter, inner: QRect, top: int) -> int:
        right = Qt.AlignmentFlag.AlignRight
        row = QRect(inner.left(), top, inner.width(), _LINE)
        is_goal_alone = all(state.is_goal for state in self._states)
        head = _("Success rule") if is_goal_alone else _("Essential states")
        draw_text(painter, row, head, "caption", "text-2")
        if not is_goal_alone:
            draw_text(painter, row, self._reached(), "caption", "text-2", right)
        row = QRect(row.left(), row.bottom() + 1, row.width(), _ROW)
        for state in self._states:
            self._tip_rows.append((QRect(row), state))
            icon = QRect(row.left(), row.top(), 14, row.height())
            theme.draw_icon_in(painter, state.icon, icon, 14)
            step = _("step {number}", number=state.step) if state.step else ""
            place = row.adjusted(22, 0, -text_width(step, "caption") - (8 if step else 0), 0)
            draw_text(painter, place, state.text, "body", "text" if state.step else "text-2")
            draw_text(painter, row, step, "caption", "text-2", right)
            row.translate(0, _ROW)
        return row.top() + 6

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos()), self)
            return True
        return super().event(event)

    def tip_at(self, position: QPoint) -> str:
        """Who saw the state under a point, and why; on the one line of all states."""
        if self._compact:
            return tooltip_text("\n".join(map(_in_words, self._states)))
        states = (state for rect, state in self._tip_rows if rect.contains(position))
        return tooltip_text("\n".join(line for state in states for line in (state.text, *state.ticks)))

    def _paint_line(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), theme.color("bg-1"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))
        row = self.rect().adjusted(12, 0, -12, 0)
        if self._task is not None:
            row.adjust(draw_text(painter, row, self._task.id, "name", "text-2") + 8, 0, 0, 0)
        if self._states:
            right = Qt.AlignmentFlag.AlignRight
            used = draw_text(painter, row, self._reached(), "caption", "text-2", right)
            row.adjust(0, 0, -used - 12, 0)
        draw_text(painter, row, self._instruction(), "name")


def _in_words(state: StateMark) -> str:
    """A state in a line for a tooltip and for screen readers."""
    if state.ticks:
        return f"{state.text}: {', '.join(state.ticks)}"
    reached = _("step {number}", number=state.step) if state.step else _("not reached yet")
    return f"{state.text}: {reached}"
