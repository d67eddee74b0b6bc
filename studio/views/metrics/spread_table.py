"""The spread of each agent's success over variations: standard deviation, mean absolute deviation, range."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea

from collector.metrics.reliability import Reliability
from collector.model.i18n import _, ngettext
from studio.theme import theme
from studio.theme.mirroring import keep_left_to_right, painter_of
from studio.widgets.painting import draw_text

_LINE, _SIDE, _COLUMN = 24, 14, 62


class SpreadTable(QAbstractScrollArea):
    """Rows of painted text; the largest range is bold."""

    def __init__(self) -> None:
        super().__init__()
        keep_left_to_right(self)
        self._title = ""
        self._rows: tuple[tuple[str, tuple[str, ...], bool], ...] = ()
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(_("Spread"))
        theme.changed.connect(self.viewport().update)

    def show_spread(self, found: Reliability | None, names: Sequence[str]) -> None:
        """Show the spread of every series; nothing with fewer than two values along the plot."""
        places = len(found.labels) if found is not None else 0
        rows = []
        if found is not None and places > 1:
            widest = max((series.spread.range or 0.0 for series in found.series), default=0.0)
            for name, series in zip(names, found.series, strict=True):
                spread = series.spread
                texts = tuple(map(_percent, (spread.std, spread.mad, spread.range)))
                rows.append((name, texts, widest > 0 and spread.range == widest))
        self._rows = tuple(rows)
        self._title = ngettext("Spread over {count} value", "Spread over {count} values", places)
        lines = [f"{name}: {', '.join(texts)}" for name, texts, _is_widest in self._rows]
        self.setAccessibleDescription("; ".join(lines))
        self.setVisible(bool(rows))
        self._measure()
        self.viewport().update()

    def _measure(self) -> None:
        down = self.verticalScrollBar()
        down.setRange(0, max(0, _LINE * (len(self._rows) + 1) + 8 - self.viewport().height()))
        down.setPageStep(max(_LINE, self.viewport().height()))
        down.setSingleStep(_LINE)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._measure()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(300, _LINE * (len(self._rows) + 1) + 8)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(120, 2 * _LINE)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self.viewport())
        width = self.viewport().width()
        painter.fillRect(_SIDE, 0, width - 2 * _SIDE, 1, theme.color("line"))
        top = 4 - self.verticalScrollBar().value()
        self._paint_line(painter, top, self._title, (_("std"), _("MAD"), _("range")), "text-2")
        for number, (name, texts, is_widest) in enumerate(self._rows, start=1):
            self._paint_line(painter, top + number * _LINE, name, texts, "text", is_bold=is_widest)

    def _paint_line(
        self,
        painter: QPainter,
        top: int,
        name: str,
        texts: Sequence[str],
        tone: str,
        *,
        is_bold: bool = False,
    ) -> None:
        right = self.viewport().width() - _SIDE
        room = QRect(_SIDE, top, right - _SIDE - _COLUMN * len(texts), _LINE)
        draw_text(painter, room, name, "body", tone)
        for place, text in enumerate(texts):
            box = QRect(right - _COLUMN * (len(texts) - place), top, _COLUMN, _LINE)
            role = "heading" if is_bold and place == len(texts) - 1 else "body"
            draw_text(painter, box, text, role, tone, Qt.AlignmentFlag.AlignRight)


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"
