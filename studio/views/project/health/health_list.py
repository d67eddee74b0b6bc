"""The list of health: kinds that fold, and findings with two links each."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from collector.model.errors import problem_text
from collector.model.i18n import _
from rule_editor.widgets.item_view import is_enter
from studio.theme import theme
from studio.theme.mirroring import logical_point
from studio.views.project.health.health_entries import HealthEntry
from studio.widgets.painting import draw_text, elided, text_width
from studio.widgets.tables.entry_list import EntryList, RowState

_SIDE, _GAP, _ICON, _LINK = 12, 12, 16, 4
_WIDEST_PLACE = 220
_LINES = 2


class _Cells:
    """Where the parts of a finding are in its row."""

    def __init__(self, box: QRect, entry: HealthEntry) -> None:
        inner = box.adjusted(_SIDE + _ICON + 6, 4, -_SIDE, -5)
        self.icon = QRect(inner.left(), inner.top(), _ICON, inner.height() // _LINES)
        right = inner.right()
        self.open, right = _link(inner, right, _("Open") if entry.can_open else "")
        self.fix, right = _link(inner, right, entry.fix_title)
        place = entry.found.finding.where if entry.found is not None else ""
        wide = min(_WIDEST_PLACE, inner.width() // 5) if place else 0
        self.place = QRect(right - wide, inner.top(), wide, inner.height() // _LINES)
        left = self.icon.right() + 8
        width = max(0, (self.place.left() if place else right) - _GAP - left)
        self.text = QRect(left, inner.top(), width, inner.height() // _LINES)
        self.why = QRect(left, self.text.bottom() + 1, max(0, right - left), inner.height() // _LINES)


def _link(inner: QRect, right: int, title: str) -> tuple[QRect, int]:
    """The area of a link that ends at ``right``, and where the part before it ends."""
    if not title:
        return QRect(), right
    width = text_width(title, "name") + _LINK
    return QRect(right - width, inner.top(), width, inner.height() // _LINES), right - width - _GAP


class HealthList(EntryList):
    """Enter runs the fix of a finding, or opens it where it has none; on a head it folds."""

    fold_asked = Signal(str)
    """The kind whose head was clicked."""
    fix_asked = Signal(object)
    """The :class:`HealthFix` that is wanted."""
    place_asked = Signal(object)
    """The :class:`HealthFinding` whose place is to be opened."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_("Health"), parent=parent)

    def text_of(self, entry: HealthEntry) -> str:
        if entry.is_head:
            return f"{entry.text}: {entry.count}"
        return problem_text(entry.text, entry.why)

    def spoken_of(self, entry: HealthEntry) -> str:
        return ", ".join(filter(None, (self.text_of(entry), entry.fix_title)))

    def tip_of(self, entry: HealthEntry) -> str:
        place = entry.found.finding.where if entry.found is not None else ""
        return "\n".join(filter(None, (entry.text, entry.why, place)))

    def height_of(self, row: int, _width: int) -> int:
        return theme.size("row_problem") if self.entries[row].is_head else 2 * theme.size("row_list") - 10

    def paint_row(self, painter: QPainter, box: QRect, row: int, state: RowState) -> None:
        entry: HealthEntry = self.entries[row]
        painter.fillRect(box, theme.color("bg-2" if entry.is_head else "bg-1"))
        state.draw_ground(painter, box)
        if entry.is_head:
            _paint_head(painter, box, entry)
        else:
            _paint_finding(painter, _Cells(box, entry), entry)

    # -- input ---------------------------------------------------------------
    def _act_at(self, event: QMouseEvent) -> tuple[HealthEntry, str] | None:
        """The row below the pointer, and what a click there does: fold, fix, open or nothing."""
        point = event.position().toPoint()
        index = self.indexAt(point)
        if not index.isValid():
            return None
        entry: HealthEntry = self.entries[index.row()]
        if entry.is_head:
            return entry, "fold"
        place = self.visualRect(index)
        cells, point = _Cells(place, entry), logical_point(self, point, place)
        act = "fix" if cells.fix.contains(point) else "open" if cells.open.contains(point) else ""
        return entry, act

    def _do(self, entry: HealthEntry, act: str) -> None:
        if act == "fold":
            self.fold_asked.emit(entry.kind)
        elif act == "fix":
            self.fix_asked.emit(entry.fix)
        elif act == "open":
            self.place_asked.emit(entry.found)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        found = self._act_at(event)
        has_link = found is not None and found[1] in ("fix", "open")
        self.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor if has_link else Qt.CursorShape.ArrowCursor
        )
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and (found := self._act_at(event)) is not None:
            self._do(*found)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        super().mouseDoubleClickEvent(event)
        found = self._act_at(event)
        if found is not None and not found[1] and found[0].can_open:
            self._do(found[0], "open")

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        entry: HealthEntry | None = self.current
        if not is_enter(event) or entry is None:
            super().keyPressEvent(event)
        elif entry.is_head:
            self._do(entry, "fold")
        else:
            self._do(entry, "fix" if entry.fix_title else "open" if entry.can_open else "")


def _paint_head(painter: QPainter, box: QRect, entry: HealthEntry) -> None:
    inner = box.adjusted(_SIDE, 0, -_SIDE, -1)
    chevron = QRect(inner.left(), inner.top(), _ICON, inner.height())
    theme.draw_icon_in(painter, "chevr" if entry.is_folded else "chevd", chevron, 14, "text-2")
    icon = QRect(chevron.right() + 7, inner.top(), _ICON, inner.height())
    theme.draw_icon_in(painter, f"state-{entry.state}", icon, 14)
    left = icon.right() + 8
    text = QRect(left, inner.top(), max(0, inner.right() - left - 120), inner.height())
    width = draw_text(painter, text, entry.text, "name")
    count = QRect(left + width + 10, inner.top(), 60, inner.height())
    draw_text(painter, count, str(entry.count), "body", "text-2")
    code = QRect(inner.right() - 60, inner.top(), 60, inner.height())
    draw_text(painter, code, entry.why, "code_inline", "text-2", Qt.AlignmentFlag.AlignRight)


def _paint_finding(painter: QPainter, cells: _Cells, entry: HealthEntry) -> None:
    theme.draw_icon_in(painter, f"state-{entry.state}", cells.icon, 12)
    draw_text(painter, cells.text, entry.text)
    draw_text(painter, cells.why, entry.why, "caption", "text-2")
    if entry.found is not None and cells.place.width():
        place = entry.found.finding.where
        shown = elided(theme.font("code_inline"), place, cells.place.width(), Qt.TextElideMode.ElideMiddle)
        draw_text(painter, cells.place, shown, "code_inline", "text-2", Qt.AlignmentFlag.AlignRight)
    draw_text(painter, cells.fix, entry.fix_title, "name", "accent")
    draw_text(painter, cells.open, _("Open") if entry.can_open else "", "name", "accent")
