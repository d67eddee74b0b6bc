"""A button with only an icon, and its hover, checked, focus and disabled states."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls.hover_button import HoverButton


class IconButton(HoverButton):
    """``name`` is the tooltip and the accessible name; ``size`` is the side in logical pixels.

    The one of a group that is used most is ``outlined``.
    """

    def __init__(
        self,
        icon: str,
        name: str,
        parent: QWidget | None = None,
        *,
        size: int = 28,
        checkable: bool = False,
        outlined: bool = False,
    ) -> None:
        super().__init__(parent)
        self._icon = icon
        self._side = size
        self._outlined = outlined
        self.setCheckable(checkable)
        self.setToolTip(name)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedSize(size, size)
        theme.changed.connect(self.update)

    def set_icon(self, icon: str, name: str) -> None:
        """Change icon and name, as from play to pause."""
        self._icon = icon
        self.setToolTip(name)
        self.setAccessibleName(name)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._side, self._side)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        surface = self._surface()
        if surface:
            painter.setBrush(theme.color(surface))
            painter.drawRoundedRect(box, 4, 4)
        if self.hasFocus() or self._outlined:
            pen = QPen(theme.color("accent"), 2) if self.hasFocus() else QPen(theme.color("line-2"), 1)
            inset = 0.0 if self.hasFocus() else -0.5
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), 4, 4)
        theme.draw_icon_in(painter, self._icon, self.rect(), 16, self._tone())

    def _surface(self) -> str:
        if not self.isEnabled():
            return ""
        if self.isDown():
            return "bg-4"
        if self.isChecked():
            return "accent-weak"
        return "bg-3" if self._hovered else ""

    def _tone(self) -> str:
        if not self.isEnabled():
            return "line-2"
        if self.isChecked():
            return "accent"
        return "text" if self._hovered else "text-2"
