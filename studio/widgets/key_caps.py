"""Key caps for hints beside text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_key, key_width

_GAP, _HEIGHT = 6, 20


class KeyCaps(QWidget):
    """Draws one key cap per chord."""

    spoken_role = Role.StaticText

    def __init__(self, keys: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = tuple(keys)
        self.setAccessibleName(", ".join(self._keys))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        widths = [key_width(key) for key in self._keys]
        return QSize(sum(widths) + _GAP * max(0, len(widths) - 1) + 1, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        left = 0
        for key in self._keys:
            draw_key(painter, QRect(left, 0, key_width(key), self.height()), key)
            left += key_width(key) + _GAP
