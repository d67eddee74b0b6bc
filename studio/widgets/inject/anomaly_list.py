"""The list of the palette: icon, title and id of an anomaly on each row."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.inject.anomaly_entries import (
    AnomalyEntry,
    InjectTarget,
    category_icon,
    kind_words,
    reason_against,
)
from studio.widgets.painting import badge_width, draw_badge, draw_text

ENTRY_ROLE = Qt.ItemDataRole.UserRole + 1
REASON_ROLE = Qt.ItemDataRole.UserRole + 2
_ROW = 44
_Index = QModelIndex | QPersistentModelIndex


class AnomalyListModel(QAbstractListModel):
    """The shown entries in order, each with the reason why it cannot be injected."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: list[AnomalyEntry] = []
        self._target = InjectTarget()

    @property
    def entries(self) -> list[AnomalyEntry]:
        return self._entries

    def show_entries(self, entries: Sequence[AnomalyEntry]) -> None:
        self.beginResetModel()
        self._entries = list(entries)
        self.endResetModel()

    def set_target(self, target: InjectTarget) -> None:
        """Set the phone that reasons are about."""
        self._target = target
        if self._entries:
            self.dataChanged.emit(self.index(0), self.index(len(self._entries) - 1))

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self._entries)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        reason = reason_against(entry.anomaly, self._target)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return entry.title
            case Qt.ItemDataRole.AccessibleTextRole:
                parts = (entry.title, entry.anomaly.id, kind_words(entry.anomaly), reason)
                return ", ".join(filter(None, parts))
            case Qt.ItemDataRole.ToolTipRole:
                return reason or entry.title
        return {ENTRY_ROLE: entry, REASON_ROLE: reason}.get(role)


class _AnomalyDelegate(QStyledItemDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        entry: AnomalyEntry = index.data(ENTRY_ROLE)
        rect: QRect = option.rect
        lit = bool(option.state & option.state.State_Selected)
        possible = not index.data(REASON_ROLE)
        if lit:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent-weak"))
            painter.drawRoundedRect(rect.adjusted(4, 1, -4, -1), 4, 4)
            painter.restore()
        icon = QRect(rect.left() + 14, rect.top(), 16, rect.height())
        tone = "text-3" if not possible else "text" if lit else "text-2"
        theme.draw_icon_in(painter, category_icon(entry.anomaly.category), icon, 16, tone)
        left, right = rect.left() + 42, rect.right() - 14
        if not entry.own:
            words = _("project")
            right -= badge_width(words, "")
            draw_badge(painter, right, rect.top() + 5, words, "", "info")
            right -= 8
        ink = "text" if possible else "text-3"
        draw_text(painter, QRect(left, rect.top() + 5, right - left, 18), entry.title, "body", ink)
        second = QRect(left, rect.top() + 22, rect.right() - 14 - left, 17)
        words = index.data(REASON_ROLE) or f"{entry.anomaly.id}  ·  {kind_words(entry.anomaly)}"
        draw_text(painter, second, words, "caption", "text-3")


class AnomalyList(QListView):
    """Without keyboard focus: the palette moves the current row from its search field."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = AnomalyListModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(_AnomalyDelegate(self))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(_("Anomalies"))
        theme.changed.connect(self.viewport().update)

    @property
    def entry(self) -> AnomalyEntry | None:
        """The chosen entry."""
        entry = self.currentIndex().data(ENTRY_ROLE)
        return entry if isinstance(entry, AnomalyEntry) else None

    @property
    def reason(self) -> str:
        """Why the chosen entry cannot be injected."""
        return str(self.currentIndex().data(REASON_ROLE) or "")

    def move_by(self, rows: int) -> None:
        row = max(0, min(self.rows.rowCount() - 1, self.currentIndex().row() + rows))
        self.setCurrentIndex(self.rows.index(row))

    def choose(self, anomaly_id: str) -> None:
        """Choose the entry with an id, or the first one."""
        row = next((row for row, entry in enumerate(self.rows.entries) if entry.anomaly.id == anomaly_id), 0)
        self.setCurrentIndex(self.rows.index(row))
