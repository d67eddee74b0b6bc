"""A button that names what is chosen, as in "Rows agent, category", and opens a menu of choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip

from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls.hover_button import HoverButton
from studio.widgets.painting import draw_text, text_width

_SIDE, _GAP, _ARROW, _LEAST_VALUE, _MOST_VALUE = 8, 5, 14, 64, 190


class ChoiceButton(HoverButton):
    """The name is quiet, the value stands out. Without room the value is elided, then the name goes.

    Several in a row are given their names by :func:`share_room`.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._value = ""
        self._is_named = False
        self.setText(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def value(self) -> str:
        """What is chosen, in words."""
        return self._value

    def set_value(self, value: str) -> None:
        """Show another choice."""
        if value != self._value:
            self._value = value
            self.setAccessibleName(f"{self.text()} {value}")
            self.updateGeometry()
            self.update()

    def event(self, event: QEvent) -> bool:
        """Show the whole value with the tooltip, where it is elided."""
        if event.type() == QEvent.Type.ToolTip and self.width() < self.sizeHint().width():
            words = f"{self.text()} {self._value}\n{self.toolTip()}".strip()
            QToolTip.showText(cast(QHelpEvent, event).globalPos(), words, self)
            return True
        return super().event(event)

    def _width(self, value: int) -> int:
        return 2 * _SIDE + text_width(self.text()) + _GAP + value + _GAP + _ARROW

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        value = min(_MOST_VALUE, text_width(self._value, "name") + 2)
        return QSize(self._width(value), theme.size("button"))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self.width_with_name if self._is_named else self.least_width, theme.size("button"))

    @property
    def least_width(self) -> int:
        """Pixels that the value needs at least, elided and without the name."""
        return 2 * _SIDE + self._least_value + _GAP + _ARROW

    @property
    def width_with_name(self) -> int:
        """Pixels that the name and the value need at least, with the value elided."""
        return self._width(self._least_value)

    def set_named(self, named: bool) -> None:
        """Let the name take its room before other buttons get more than they need."""
        if named != self._is_named:
            self._is_named = named
            self.updateGeometry()

    @property
    def _least_value(self) -> int:
        return min(_LEAST_VALUE, text_width(self._value, "name") + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        enabled = self.isEnabled()
        ground = "bg-4" if self.isDown() else "bg-3" if self._hovered else "bg-2"
        painter.setBrush(theme.color(ground) if enabled else Qt.BrushStyle.NoBrush)
        line = "accent" if self.hasFocus() else "line-2" if enabled else "line"
        painter.setPen(QPen(theme.color(line), 2 if self.hasFocus() else 1))
        inset = 1.0 if self.hasFocus() else 0.5
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 4, 4)
        place = self.rect().adjusted(_SIDE, 0, -_SIDE - _ARROW - _GAP, 0)
        tone = "text" if enabled else "line-2"
        used = 0
        if self.width() >= self.width_with_name:
            used = draw_text(painter, place, self.text(), "body", "text-2" if enabled else tone) + _GAP
        draw_text(painter, place.adjusted(used, 0, 0, 0), self._value, "name", tone)
        arrow = QRect(self.width() - _SIDE - _ARROW, 0, _ARROW, self.height())
        theme.draw_icon_in(painter, "chevd", arrow, _ARROW, tone)


def share_room(buttons: Sequence[ChoiceButton], room: int) -> None:
    """Give the buttons their names, the first ones first, as far as all fit into ``room`` pixels."""
    spare = room - sum(button.least_width for button in buttons)
    for button in buttons:
        more = button.width_with_name - button.least_width
        button.set_named(more <= spare)
        spare -= more if more <= spare else 0
