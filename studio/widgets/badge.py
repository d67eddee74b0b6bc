"""A badge of 18 px as a widget: icon, word and tone, as an outcome has them."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.painted_items import Role
from studio.widgets.painting import BADGE_HEIGHT, badge_width, draw_badge
from studio.widgets.wrapped_text import tooltip_text


class Badge(QWidget):
    """Hidden while its text is empty."""

    spoken_role = Role.StaticText

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text, self.icon, self.tone = "", "", ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.hide()
        theme.changed.connect(self._theme_changed)

    def set_badge(self, text: str, icon: str = "", tone: str = "", tip: str = "") -> None:
        """Show a word with an icon; ``tone`` is warn, info, err, ok or empty."""
        self.text, self.icon, self.tone = text, icon, tone
        self.setToolTip(tooltip_text(tip))
        self.setAccessibleName(text)
        self.setAccessibleDescription(tip)
        self.setVisible(bool(text))
        self.updateGeometry()
        self.update()

    def _theme_changed(self) -> None:
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(badge_width(self.text, self.icon), BADGE_HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        draw_badge(painter_of(self), 0, 0, self.text, self.icon, self.tone)
