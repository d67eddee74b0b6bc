"""The list of the palette: icon, title and id of an anomaly on each row."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.inject.anomaly_entries import (
    AnomalyEntry,
    InjectTarget,
    category_icon,
    kind_words,
    needs_companion,
    reason_against,
)
from studio.widgets.painting import badge_width, draw_badge, draw_round_ground, draw_text
from studio.widgets.tables.entry_list import EntryList, RowState

_ROW = 44


class AnomalyList(EntryList):
    """Lists an :class:`AnomalyEntry` a row, with the reason why it cannot be injected.

    Without keyboard focus: the palette moves the current row from its search field.
    """

    is_uniform = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_("Anomalies"), parent=parent)
        self._target = InjectTarget()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def set_target(self, target: InjectTarget) -> None:
        """Set the phone that reasons are about."""
        self._target = target
        self.renew()

    @property
    def reason(self) -> str:
        """Why the current entry cannot be injected."""
        return self._reason(self.current) if self.current is not None else ""

    @property
    def needs_companion(self) -> bool:
        """Whether the current entry needs the companion app, which the phone does not have."""
        return self.current is not None and needs_companion(self.current.anomaly, self._target)

    def _reason(self, entry: AnomalyEntry) -> str:
        return reason_against(entry.anomaly, self._target)

    def move_by(self, rows: int) -> None:
        """Go down by rows, as far as there are any."""
        self.choose(max(0, min(len(self.entries) - 1, self.currentIndex().row() + rows)))

    def choose_anomaly(self, anomaly_id: str) -> None:
        """Choose the entry with an id, or the first one."""
        ids = [entry.anomaly.id for entry in self.entries]
        self.choose(ids.index(anomaly_id) if anomaly_id in ids else 0)

    def text_of(self, entry: AnomalyEntry) -> str:
        return entry.title

    def spoken_of(self, entry: AnomalyEntry) -> str:
        parts = (entry.title, entry.anomaly.id, kind_words(entry.anomaly), self._reason(entry))
        return ", ".join(filter(None, parts))

    def tip_of(self, entry: AnomalyEntry) -> str:
        return self._reason(entry) or entry.title

    def height_of(self, _row: int, _width: int) -> int:
        return _ROW

    def paint_row(self, painter: QPainter, box: QRect, row: int, state: RowState) -> None:
        entry: AnomalyEntry = self.entries[row]
        reason = self._reason(entry)
        if state.is_selected:
            draw_round_ground(painter, box.adjusted(4, 1, -4, -1))
        icon = QRect(box.left() + 14, box.top(), 16, box.height())
        tone = "text-3" if reason else "text" if state.is_selected else "text-2"
        theme.draw_icon_in(painter, category_icon(entry.anomaly.category), icon, 16, tone)
        left, right = box.left() + 42, box.right() - 14
        if not entry.own:
            words = _("project")
            right -= badge_width(words, "")
            draw_badge(painter, right, box.top() + 5, words, "", "info")
            right -= 8
        title = QRect(left, box.top() + 5, right - left, 18)
        draw_text(painter, title, entry.title, "body", "text-3" if reason else "text")
        second = QRect(left, box.top() + 22, box.right() - 14 - left, 17)
        words = reason or f"{entry.anomaly.id}  ·  {kind_words(entry.anomaly)}"
        draw_text(painter, second, words, "caption", "text-3")
