"""Labels and surfaces styled by role and tone, not by colour."""

from __future__ import annotations

import math
import re

from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolTip, QWidget

from studio.theme import theme
from studio.theme.theme import repolish
from studio.widgets.painting import elided

_LONG_WORD = re.compile("[!-~]{25}")
"""A word that may be wider than its label: an id, a path, an address."""


class Label(QLabel):
    """Plain text in a role (``caption``, ``name``, ...) and tone (``text-2``, ``warn``, ...).

    ``cut`` elides the text instead of requesting its whole width; ``wrap`` breaks lines, also within
    a word that is too long for a line.
    """

    def __init__(
        self, text: str = "", role: str = "body", tone: str = "text", *, wrap: bool = False, cut: bool = False
    ) -> None:
        super().__init__(text)
        self._cut = cut
        self._measured: tuple[object, ...] = ()
        """Text, font and margins that the heights are of."""
        self._heights: dict[int, int] = {}
        """Heights by width, in pixels."""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setProperty("tone", tone)
        self.setWordWrap(wrap)
        if cut:
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            self.installEventFilter(self)  # to look at the events of all labels takes long

    def set_tone(self, tone: str) -> None:
        """Set the colour token of the text."""
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            repolish(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Show the whole text as the tooltip of an elided one that has none."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self.toolTip():
            is_elided = self.fontMetrics().horizontalAdvance(self.text()) > self.width()
            QToolTip.showText(event.globalPos(), self.text() if is_elided else "", self)
            return True
        return super().eventFilter(watched, event)

    @property
    def _breaks_words(self) -> bool:
        """Whether a word is too wide. Qt would clip it, so the label lays the lines out itself."""
        return self.wordWrap() and _LONG_WORD.search(self.text()) is not None

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        if self._breaks_words:
            return QSize(24, self.fontMetrics().height())
        hint = super().minimumSizeHint()
        return QSize(24, hint.height()) if self._cut else hint

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        """Lay the text out once for a width: the layouts around a label ask dozens of times."""
        margins = self.contentsMargins()
        measured = (
            self.text(), self.font().key(),
            margins.left(), margins.top(), margins.right(), margins.bottom(),
        )  # fmt: skip
        if measured != self._measured:
            self._measured = measured
            self._heights.clear()
        height = self._heights.get(width)
        if height is None:
            height = self._heights[width] = self._height_for(width)
        return height

    def _height_for(self, width: int) -> int:
        if not self._breaks_words:
            return super().heightForWidth(width)
        margins = self.contentsMargins()
        lines = self._lines(width - margins.left() - margins.right())
        return math.ceil(lines.boundingRect().height()) + margins.top() + margins.bottom()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if not self._cut and not self._breaks_words:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(theme.color(self.property("tone")))
        if self._breaks_words:
            place = self.contentsRect()
            lines = self._lines(place.width())
            spare = max(0.0, place.height() - lines.boundingRect().height())
            above = spare / 2 if self.alignment() & Qt.AlignmentFlag.AlignVCenter else 0.0
            lines.draw(painter, QPointF(place.left(), place.top() + above))
            return
        shown = elided(self.font(), self.text(), self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _lines(self, width: int) -> QTextLayout:
        layout = QTextLayout(self.text().replace("\n", "\N{LINE SEPARATOR}"), self.font())
        option = QTextOption(self.alignment())
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        top = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, top))
            top += line.height()
        layout.endLayout()
        return layout


def surface(kind: str, edge: str = "", parent: QWidget | None = None) -> QFrame:
    """Make a frame with the background of ``canvas``, ``panel``, ``bar``, ``card`` or ``float``."""
    frame = QFrame(parent)
    frame.setProperty("surface", kind)
    if edge:
        frame.setProperty("edge", edge)
    return frame


def header_row(
    height: str, *, edge: str = "bottom", left: int = 12, right: int = 8, spacing: int = 8
) -> tuple[QFrame, QHBoxLayout]:
    """Make the head of a panel, and the row in it; ``height`` names a size of the theme."""
    head = surface("panel", edge)
    head.setFixedHeight(theme.size(height))
    row = QHBoxLayout(head)
    row.setContentsMargins(left, 0, right, 0)
    row.setSpacing(spacing)
    return head, row


def divider(*, upright: bool = False) -> QFrame:
    """Make a separator line of 1 px."""
    line = QFrame()
    line.setProperty("edge", "left" if upright else "top")
    if upright:
        line.setFixedSize(1, 20)
    else:
        line.setFixedHeight(1)
    return line
