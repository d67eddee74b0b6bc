"""Facts in one line, each a name and its value; those without room stand in the tooltip."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.theme import theme
from studio.widgets.painting import draw_text, text_width
from studio.widgets.wrapped_text import tooltip_text

_GAP = 16
_NAME_GAP = 5
_HEIGHT = 18
_MORE = "…"
_LEAST_VALUE = 40


class FactsLine(QWidget):
    """Paints as many facts as fit, in their order."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts: tuple[tuple[str, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show pairs of a name and its value."""
        self._facts = tuple((name, " ".join(value.split())) for name, value in facts)
        lines = [f"{name}: {value}" for name, value in self._facts]
        self.setToolTip(tooltip_text("\n".join(lines)))
        self.setAccessibleName(", ".join(lines))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        left, end = 0, self.width()
        for number, (name, value) in enumerate(self._facts):
            names, values = text_width(name, "caption"), text_width(value)
            is_last = number == len(self._facts) - 1
            more = 0 if is_last else _GAP + text_width(_MORE)
            room = end - left - names - _NAME_GAP - more
            if room < min(values, _LEAST_VALUE):
                draw_text(painter, QRect(left, 0, end - left, _HEIGHT), _MORE, "body", "text-2")
                return
            place = QRect(left, 0, names + 2, _HEIGHT)
            draw_text(painter, place, name, "caption", "text-2")
            left += names + _NAME_GAP
            left += draw_text(painter, QRect(left, 0, room + 1, _HEIGHT), value) + _GAP
