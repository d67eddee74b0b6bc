"""The narrow strip that stands for a folded side panel; a click on it brings the panel back."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.controls.hover_button import HoverButton
from studio.widgets.painting import draw_focus_ring, draw_text, text_width

_WIDTH = 22
_TOP = 40


class PanelStrip(HoverButton):
    """Shows the title of the panel from bottom to top, and an arrow to where the panel opens."""

    def __init__(self, title: str, *, at_right: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._at_right = at_right
        self.setText(title)
        self.setAccessibleName(_("Show the panel '{title}'", title=title))
        self.setToolTip(self.accessibleName())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(_WIDTH, 120)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("bg-3" if self._hovered else "bg-1"))
        edge = 0 if self._at_right else self.width() - 1
        painter.fillRect(edge, 0, 1, self.height(), theme.color("line"))
        if self.hasFocus():
            draw_focus_ring(painter, self.rect())
        tone = "text" if self._hovered else "text-2"
        arrow = "chevl" if self._at_right else "chevr"
        theme.draw_icon_in(painter, arrow, QRect(0, 0, self.width(), _TOP), 14, tone)
        painter.translate(0, self.height())
        painter.rotate(-90)
        length = min(text_width(self.text(), "name") + 2, self.height() - _TOP)
        place = QRect(self.height() - _TOP - length, 0, length, self.width())
        draw_text(painter, place, self.text(), "name", tone)
