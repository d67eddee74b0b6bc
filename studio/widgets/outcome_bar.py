"""How many episodes succeeded, failed or stayed uncompleted: a bar, and counts with icons."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from collector.model.episode_text import verdict_text
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.captions.verdict_text import verdict_icon
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_text

_BAR, _LINE, _ICON, _GAP = 6, 22, 14, 14
_FILLS = {SUCCESS: "ok", FAILURE: "err", UNCOMPLETED: "warn-fill", "": "text-3"}


class OutcomeBar(QWidget):
    """Shows counts by outcome; an empty outcome is that of an episode that nobody judged."""

    spoken_role = Role.StaticText

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[str, int] = {}
        self._words: Callable[[str], str] = verdict_text
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_counts(self, counts: Mapping[str, int], words: Callable[[str], str] = verdict_text) -> None:
        """Show other counts in their order; ``words`` says what an outcome is called."""
        self._words = words
        self._counts = {outcome: count for outcome, count in counts.items() if count}
        self.setAccessibleName(", ".join(self._texts()))
        self.updateGeometry()
        self.update()

    @property
    def counts(self) -> dict[str, int]:
        """The counts on show; without those that are 0."""
        return self._counts

    def _texts(self) -> list[str]:
        return [f"{count} {self._words(outcome)}" for outcome, count in self._counts.items()]

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, _BAR + _LINE if self._counts else 0)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        total = sum(self._counts.values())
        if not total:
            return
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(0, 0, self.width(), _BAR), _BAR / 2, _BAR / 2)
        painter.setClipPath(outline)
        left = 0.0
        for outcome, count in self._counts.items():
            width = self.width() * count / total
            painter.fillRect(QRectF(left, 0, width, _BAR), theme.color(_FILLS.get(outcome, "text-3")))
            if left:  # green and red are alike to some
                painter.fillRect(QRectF(left - 1, 0, 2, _BAR), theme.color("bg-1"))
            left += width
        painter.setClipping(False)
        self._paint_counts(painter)

    def _paint_counts(self, painter: QPainter) -> None:
        left = 0
        for outcome, text in zip(self._counts, self._texts(), strict=True):
            icon = QRect(left, _BAR + 2, _ICON, _LINE - 2)
            theme.draw_icon_in(painter, verdict_icon(outcome), icon, _ICON)
            place = QRect(left + _ICON + 5, _BAR + 2, max(0, self.width() - left - _ICON - 5), _LINE - 2)
            left += _ICON + 5 + draw_text(painter, place, text, "caption") + _GAP
