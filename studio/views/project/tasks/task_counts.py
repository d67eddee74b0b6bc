"""The numbers at the right of the toolbar: tasks and golden trajectories."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from collector.model.i18n import ngettext
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_text, text_width

_ICON, _GAP, _APART = 16, 6, 14


class TaskCounts(QWidget):
    """An icon and a text for each number."""

    spoken_role = Role.StaticText

    def __init__(self) -> None:
        super().__init__()
        self._counts: list[tuple[str, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_counts(self, tasks: int, golden: int | None) -> None:
        """Show the number of tasks and of golden trajectories; None while those are not known yet."""
        self._counts = [("list", ngettext("{count} task", "{count} tasks", tasks))]
        if golden is not None:
            self._counts.append(("record", ngettext("{count} golden", "{count} golden", golden)))
        self.setAccessibleName(", ".join(text for _icon, text in self._counts))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(sum(text_width(text) + _ICON + _GAP + _APART for _icon, text in self._counts), 24)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        left = 0
        for icon, text in self._counts:
            theme.draw_icon_in(painter, icon, QRect(left, 0, _ICON, self.height()), 14)
            left += _ICON + _GAP
            draw_text(painter, QRect(left, 0, text_width(text) + 2, self.height()), text, "body", "text-2")
            left += text_width(text) + _APART
