"""The size and the progress of an experiment: a figure, a bar by outcome, counts, and the time left."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from collector.model.i18n import _, ngettext
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_text, text_width

_SIDE, _HEIGHT, _BAR = 12, 142, 6
_LINE = 18
_OUTCOMES = (
    ("success", "ok", "state-ok"), ("failure", "err", "state-err"), ("uncompleted", "warn-fill", "state-unc"),
)  # fmt: skip
"""Field of the facts, colour in the bar, icon of the count."""
_ANSWERED = ("answered", "accent", "check")


@dataclass(frozen=True, slots=True)
class SummaryFacts:
    """What the summary shows."""

    total: int = 0
    finished: int = 0
    success: int = 0
    failure: int = 0
    uncompleted: int = 0
    answered: int = 0
    """Golden trajectories whose steps were asked offline: they have no outcome."""
    size: str = ""
    """The axes of the matrix, as in ``24 tasks x 3 agents``."""
    time: str = ""
    """The time left, or the estimate."""
    when: str = ""
    """When it will be done, or what the estimate is for."""


class ProgressSummary(QWidget):
    """Shows :class:`SummaryFacts`; everything is in the accessible name, too."""

    spoken_role = Role.StaticText

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.facts = SummaryFacts()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_facts(self, facts: SummaryFacts) -> None:
        """Show other facts."""
        if facts == self.facts:
            return
        self.facts = facts
        parts = (
            ngettext("{count} episode", "{count} episodes", facts.total),
            self._percent, facts.size, facts.time, facts.when,
        )  # fmt: skip
        self.setAccessibleName(", ".join(filter(None, parts)))
        self.setToolTip("\n".join(filter(None, (facts.size, f"{facts.time} {facts.when}".strip()))))
        self.updateGeometry()
        self.update()

    @property
    def _percent(self) -> str:
        facts = self.facts
        if not facts.total or not facts.finished:
            return ""
        # Never 100 before the last, never 0 after the first.
        share = min(99, max(1, facts.finished * 100 // facts.total))
        return f"{100 if facts.finished >= facts.total else share} %"

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        more = len(self._size_lines) - 1 + self._breaks_time
        return QSize(240, _HEIGHT + more * _LINE)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @property
    def _size_lines(self) -> list[str]:
        """The axes of the matrix, on as many lines as they need."""
        lines, room = [""], self.width() - 2 * _SIDE
        for word in self.facts.size.split(" "):
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and text_width(longer, "caption") > room:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    @property
    def _breaks_time(self) -> bool:
        """Whether what the time is for needs a line of its own."""
        facts, room = self.facts, self.width() - 2 * _SIDE - 26
        return bool(facts.time) and text_width(facts.time, "heading") + text_width(facts.when) > room

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        facts, width = self.facts, self.width() - 2 * _SIDE
        figure = f"{facts.total:,}".replace(",", "\u2009")
        used = draw_text(painter, QRect(_SIDE, 10, width, 28), figure, "figure_large")
        words = ngettext("episode", "episodes", facts.total)
        draw_text(painter, QRect(_SIDE + used + 8, 16, width - used - 8, 20), words, "body", "text-2")
        right = Qt.AlignmentFlag.AlignRight
        draw_text(painter, QRect(_SIDE, 16, width, 20), self._percent, "heading", "text", right)
        lines = self._size_lines
        for number, line in enumerate(lines):
            draw_text(painter, QRect(_SIDE, 42 + number * _LINE, width, _LINE), line, "caption", "text-2")
        down = (len(lines) - 1) * _LINE
        self._paint_bar(painter, QRectF(_SIDE, 68 + down, width, _BAR))
        self._paint_counts(painter, QRect(_SIDE, 82 + down, width, _LINE))
        if facts.time:
            self._paint_time(painter, QRect(_SIDE, 110 + down, width, _LINE))

    def _paint_time(self, painter: QPainter, line: QRect) -> None:
        facts = self.facts
        theme.draw_icon_in(painter, "clock", QRect(line.left(), line.top(), 14, _LINE), 14, "text-2")
        used = draw_text(painter, line.adjusted(20, 0, 0, 0), facts.time, "heading")
        rest = line.adjusted(20, _LINE, 0, _LINE) if self._breaks_time else line.adjusted(26 + used, 0, 0, 0)
        draw_text(painter, rest, facts.when, "body", "text-2")

    def _paint_bar(self, painter: QPainter, bar: QRectF) -> None:
        facts = self.facts
        shape = QPainterPath()
        shape.addRoundedRect(bar, 3, 3)
        painter.save()
        painter.setClipPath(shape)
        painter.fillRect(bar, theme.color("bg-4"))
        left = bar.left()
        for name, fill, _icon in (*_OUTCOMES, _ANSWERED):
            part = bar.width() * getattr(facts, name) / max(1, facts.total)
            painter.fillRect(QRectF(left, bar.top(), part, bar.height()), theme.color(fill))
            left += part
        painter.restore()

    def _paint_counts(self, painter: QPainter, line: QRect) -> None:
        facts, left = self.facts, line.left()
        if facts.finished:
            for name, _fill, icon in (_ANSWERED,) if facts.answered else _OUTCOMES:
                count = str(getattr(facts, name))
                theme.draw_icon_in(painter, icon, QRect(left, line.top(), 14, line.height()), 14)
                draw_text(painter, QRect(left + 19, line.top(), 80, line.height()), count, "body", "text")
                left += 19 + text_width(count) + 14
        rest = facts.total - facts.finished
        words = _("{count} left", count=rest) if rest else _("all done")
        if facts.total:
            room = QRect(left, line.top(), line.right() + 1 - left, line.height())
            draw_text(painter, room, words, "body", "text-2", Qt.AlignmentFlag.AlignRight)
