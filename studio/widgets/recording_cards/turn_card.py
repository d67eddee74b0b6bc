"""The card beside the screen of a run: what the agent did in this step, and what it thought."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from collector.model.i18n import _
from collector.model.predictions import invalid_of
from collector.model.trajectory import Step
from studio.theme import theme
from studio.widgets.info_card import draw_card
from studio.widgets.painting import BADGE_HEIGHT, draw_badge, draw_text
from studio.widgets.step_text import action_icon, step_badges, step_caption
from studio.widgets.wrapped_text import LINE_HEIGHTS, draw_wrapped, tooltip_text, wrapped_lines

_WIDTH = 208
_PAD = 13
_LINE = 24
_MOST_LINES, _MOST_REASON = 14, 4
_SHOWN = 1000
"""Characters of a thought that are looked at; the details of the step have all."""


class TurnCard(QWidget):
    """Shows one step. The card is as high as its thought is long, up to 14 lines."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step: Step | None = None
        self._thought, self._reason = "", ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Action"))
        theme.changed.connect(self.update)

    def show_step(self, step: Step | None) -> None:
        """Show the action and the thought of a step."""
        self._step = step
        turn = step.agent if step is not None else None
        self._thought = turn.thought.strip()[:_SHOWN] if turn is not None else ""
        invalid = invalid_of(step) if step is not None else None
        self._reason = invalid.reason[:_SHOWN] if invalid is not None else ""
        caption = step_caption(step) if step is not None else ""
        self.setAccessibleDescription("\n".join(filter(None, (caption, self._reason, self._thought))))
        self.setToolTip(tooltip_text(turn.thought) if turn is not None else "")
        self.resize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        if self._step is None:
            return QSize(_WIDTH, _LINE)
        inner = _WIDTH - 2 * _PAD
        height = 8 + _LINE + self._lines(step_caption(self._step), "title", inner - 20, 3) + 8
        if step_badges(self._step):
            height += BADGE_HEIGHT + 8
        if self._reason:
            height += self._lines(self._reason, "body", inner, _MOST_REASON) + 8
        if self._thought:
            height += 9 + _LINE + self._lines(self._thought, "body", inner, _MOST_LINES) + 4
        return QSize(_WIDTH, height)

    @staticmethod
    def _lines(text: str, role: str, width: int, most: int) -> int:
        return LINE_HEIGHTS[role] * len(wrapped_lines(text, role, width, most))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        step = self._step
        if step is None:
            return
        painter = QPainter(self)
        draw_card(painter, self.rect())
        inner = QRect(_PAD, 8, self.width() - 2 * _PAD, _LINE)
        head = _("Step {number}", number=step.index + 1)
        draw_text(painter, inner, head, "caption", "text-2")
        top = inner.bottom() + 1
        theme.draw_icon_in(painter, action_icon(step.action), QRect(_PAD, top, 14, 18), 14, "text-2")
        words = inner.adjusted(20, 0, 0, 0)
        top = draw_wrapped(painter, words, top, step_caption(step), "title", most=3) + 8
        badges = step_badges(step)
        if badges:
            draw_badge(painter, _PAD, top, badges[0].text, badges[0].icon, badges[0].tone)
            top += BADGE_HEIGHT + 8
        if self._reason:
            top = draw_wrapped(painter, inner, top, self._reason, "body", "text-2", _MOST_REASON) + 8
        if self._thought:
            painter.fillRect(1, top, self.width() - 2, 1, theme.color("line"))
            title = QRect(_PAD, top + 5, inner.width(), _LINE)
            draw_text(painter, title, _("Thought"), "caption", "text-2")
            draw_wrapped(painter, inner, title.bottom() + 1, self._thought, "body", most=_MOST_LINES)
