"""The states of an audit as a short list: the decision on each, its number and its sentence."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.painted_items import PaintedItems, Role
from studio.widgets.painting import draw_text, text_width
from studio.widgets.state_audit.rows import DECISION_ICONS, AuditedRow
from studio.widgets.wrapped_text import tooltip_text

_ROW = 28
_SIDE = 12


class AuditedStateList(PaintedItems, QWidget):
    """Emits ``chosen(state id)``. Up and Down walk it."""

    chosen = Signal(str)

    spoken_roles = (Role.List, Role.ListItem)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[AuditedRow, ...] = ()
        self._current = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Audited states"))
        self.setProperty("takesNavigationKeys", True)
        theme.changed.connect(self.update)

    def show_rows(self, rows: tuple[AuditedRow, ...], current: str) -> None:
        """Show the states, with one as the current row."""
        if len(rows) != len(self._rows):
            self.updateGeometry()
        self._rows, self._current = rows, current
        self.setAccessibleDescription(", ".join(row.sentence for row in rows))
        self.update()

    def spoken_items(self) -> list[str]:
        return [row.sentence for row in self._rows]

    def item_place(self, number: int) -> QRect:
        return self.row_rect(self._rows[number].id)

    def current_item(self) -> int:
        return next((place for place, row in enumerate(self._rows) if row.id == self._current), -1)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(240, _ROW * len(self._rows))

    def row_rect(self, state_id: str) -> QRect:
        """Where the row of a state lies; empty for one that is not listed."""
        ids = [row.id for row in self._rows]
        if state_id not in ids:
            return QRect()
        return QRect(0, _ROW * ids.index(state_id), self.width(), _ROW)

    def _at(self, point: QPoint) -> AuditedRow | None:
        number = point.y() // _ROW
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        row = self._at(event.position().toPoint())
        if row is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(row.id)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        ids = [row.id for row in self._rows]
        places = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Home: -len(ids), Qt.Key.Key_End: len(ids)}
        key = Qt.Key(event.key())
        if key not in places or not ids:
            super().keyPressEvent(event)
            return
        here = ids.index(self._current) if self._current in ids else 0
        self.chosen.emit(ids[max(0, min(len(ids) - 1, here + places[key]))])

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Show the whole sentence of the state under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self._at(event.pos())
            lines = (row.sentence, row.decision_note) if row is not None else ()
            QToolTip.showText(event.globalPos(), tooltip_text("\n".join(filter(None, lines))), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, row in enumerate(self._rows):
            box = QRect(0, _ROW * number, self.width(), _ROW)
            is_current = row.id == self._current
            if is_current:
                painter.fillRect(box, theme.color("accent-weak"))
            icon = QRect(_SIDE, box.top(), 14, _ROW)
            theme.draw_icon_in(painter, DECISION_ICONS[row.decision], icon, 14)
            left = _SIDE + 22
            left += draw_text(painter, QRect(left, box.top(), 60, _ROW), row.number, "caption", "text-2") + 8
            count = f"{row.answered} / {len(row.criteria)}"
            room = QRect(left, box.top(), box.right() - left - _SIDE, _ROW)
            draw_text(painter, room, count, "caption", "text-2", Qt.AlignmentFlag.AlignRight)
            room.adjust(0, 0, -text_width(count, "caption") - 8, 0)
            draw_text(painter, room, row.sentence, "name" if is_current else "body")
            if is_current and self.hasFocus():
                painter.setPen(QPen(theme.color("accent"), 2))
                painter.drawRect(box.adjusted(1, 1, -2, -2))
