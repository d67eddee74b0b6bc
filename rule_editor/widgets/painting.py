"""Paint text in a font and tone of the toolkit, elided where it does not fit."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter

from rule_editor.widgets.toolkit import DesignTokens

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
MIDDLE = Qt.AlignmentFlag.AlignHCenter
IN_MIDDLE = Qt.TextElideMode.ElideMiddle
"""How ids and values are cut: their end tells them apart."""


def draw_text(
    tokens: DesignTokens, painter: QPainter, box: QRect, text: str, tone: str,
    *, role: str = "body", side: Qt.AlignmentFlag = LEFT,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:  # fmt: skip
    """Paint ``text`` in one line in ``box`` (logical pixels), aligned to ``side`` and centred vertically."""
    painter.setFont(tokens.font(role))
    painter.setPen(tokens.color(tone))
    shown = painter.fontMetrics().elidedText(text, elide, box.width())
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # what rules are made of is read so everywhere
    painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, shown)
