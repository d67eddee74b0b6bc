"""Text and surfaces dressed by role and tone instead of by colour."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.theme import repolish
from studio.widgets.painting import elided


class Label(QLabel):
    """Plain text in a role (``caption``, ``name``, ...) and tone (``text-2``, ``warn``, ...).

    ``cut`` shortens the text with ``...`` instead of asking for its whole width.
    """

    def __init__(
        self, text: str = "", role: str = "body", tone: str = "text", *, wrap: bool = False, cut: bool = False
    ) -> None:
        super().__init__(text)
        self._cut = cut
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setProperty("tone", tone)
        self.setWordWrap(wrap)
        if cut:
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_tone(self, tone: str) -> None:
        """Another colour token for the text."""
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            repolish(self)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        hint = super().minimumSizeHint()
        return QSize(24, hint.height()) if self._cut else hint

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if not self._cut:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(theme.color(self.property("tone")))
        shown = elided(self.font(), self.text(), self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


def surface(kind: str, edge: str = "", parent: QWidget | None = None) -> QFrame:
    """A frame with the ground of ``canvas``, ``panel``, ``bar``, ``card`` or ``float``."""
    frame = QFrame(parent)
    frame.setProperty("surface", kind)
    if edge:
        frame.setProperty("edge", edge)
    return frame


def divider(*, upright: bool = False) -> QFrame:
    """A 1 px line between parts."""
    line = QFrame()
    line.setProperty("edge", "left" if upright else "top")
    if upright:
        line.setFixedSize(1, 20)
    else:
        line.setFixedHeight(1)
    return line
