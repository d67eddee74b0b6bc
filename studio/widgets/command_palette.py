"""The palette: a few letters find a command, a setting, a task, a rule or a trajectory; Enter goes there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from collector.model.i18n import _, ngettext
from studio.commands.search import PaletteEntry, SearchHit, search
from studio.theme import theme
from studio.widgets.controls import Label, surface
from studio.widgets.key_caps import KeyCaps
from studio.widgets.painting import draw_key, draw_text, key_width, text_width

_WIDTH, _MOST_ROWS = 640, 12
Index = QModelIndex | QPersistentModelIndex
_HIT = Qt.ItemDataRole.UserRole


class PaletteHitModel(QAbstractListModel):
    """List model of the entries that a search found, best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.hits: list[SearchHit] = []

    def show_hits(self, hits: list[SearchHit]) -> None:
        self.beginResetModel()
        self.hits = hits
        self.endResetModel()

    def row_of(self, entry: PaletteEntry) -> int:
        """The row of an entry; -1 when it is not among the hits."""
        return next((row for row, hit in enumerate(self.hits) if hit.entry == entry), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's signature
        return 0 if parent.isValid() else len(self.hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        hit = self.hits[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.entry.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(filter(None, (hit.entry.help, hit.entry.problem)))
        return hit if role == _HIT else None


class _HitDelegate(QStyledItemDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:  # noqa: N802 - Qt's name
        return QSize(100, theme.size("palette_item"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hit: SearchHit = index.data(_HIT)
        entry, rect = hit.entry, option.rect
        lit = option.state & option.state.State_Selected
        if lit:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent-weak"))
            painter.drawRoundedRect(rect.adjusted(4, 0, -4, 0), 4, 4)
            painter.restore()
        tone = "text-3" if entry.problem else "text" if lit else "text-2"
        if entry.icon:
            at = QRect(rect.left() + 12, rect.top(), 16, rect.height())
            theme.draw_icon_in(painter, entry.icon, at, 16, tone)
        right = rect.right() - 12
        if entry.keys:
            width = key_width(entry.keys)
            draw_key(painter, QRect(right - width, rect.top(), width, rect.height()), entry.keys)
            right -= max(width, 56) + 8
        # The reason, or else the place, takes what the title leaves, and at most half.
        title = min(text_width(entry.title, "heading"), (right - rect.left() - 38) // 2)
        about = QRect(rect.left() + 46 + title, rect.top(), right - rect.left() - 46 - title, rect.height())
        words = " · ".join(filter(None, (entry.detail, entry.problem)))
        taken = draw_text(painter, about, words, "caption", "text-3", Qt.AlignmentFlag.AlignRight)
        room = right - taken - 8 - (rect.left() + 38)
        self._paint_title(painter, QRect(rect.left() + 38, rect.top(), room, rect.height()), hit)

    def _paint_title(self, painter: QPainter, rect: QRect, hit: SearchHit) -> None:
        positions = set(hit.positions)
        text, start, x = hit.entry.title, 0, rect.left()
        plain = "text-3" if hit.entry.problem else "text"
        while start < len(text) and x < rect.right():
            lit, end = start in positions, start
            while end < len(text) and (end in positions) == lit:
                end += 1
            part = text[start:end]
            role, tone = ("heading", "accent") if lit else ("body", plain)
            draw_text(painter, QRect(x, rect.top(), rect.right() - x, rect.height()), part, role, tone)
            x += text_width(part, role)
            start = end


class CommandPalette(QFrame):
    """Opens over the window. Esc or a click elsewhere closes it and restores the focus."""

    chosen = Signal(object)
    """The PaletteEntry to go to or to run; the palette is closed."""
    shortcut_requested = Signal(str)
    """Emits the id of the command whose keys the person wants to change."""
    searched = Signal(str)
    """The query changed; :meth:`refresh` takes in entries that were found for it elsewhere."""

    def __init__(self, entries: Callable[[str], Sequence[PaletteEntry]], parent: QWidget) -> None:
        """``entries`` returns all entries for a query, in their order without one."""
        super().__init__(parent)
        self._entries = entries
        self._host = parent
        self._previous_focus: QWidget | None = None
        self.setProperty("surface", "float")
        self.setAccessibleName(_("Command palette"))
        self.model = PaletteHitModel(self)
        self.field = QLineEdit()
        self.field.setProperty("plain", "true")
        self.field.setPlaceholderText(_("Commands, settings, tasks, rules, trajectories"))
        self.field.setAccessibleName(_("Search or run a command"))
        self.field.textChanged.connect(self._edited)
        self.field.installEventFilter(self)
        self._count = Label("", "body", "text-2")
        self._list = QListView()
        self._list.setModel(self.model)
        self._list.setItemDelegate(_HitDelegate(self))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setMouseTracking(True)
        self._list.entered.connect(self._list.setCurrentIndex)
        self._list.clicked.connect(self._run)
        self._build()
        self.hide()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        head = surface("", "bottom")
        row = QHBoxLayout(head)
        row.setContentsMargins(36, 6, 12, 6)
        row.addWidget(self.field, 1)
        row.addWidget(self._count)
        column.addWidget(head)
        column.addSpacing(4)
        column.addWidget(self._list)
        column.addSpacing(4)
        foot = surface("", "top")
        row = QHBoxLayout(foot)
        row.setContentsMargins(12, 5, 12, 5)
        row.setSpacing(6)
        for keys, what in ((("Enter",), _("run or go there")), (("Ctrl+Enter",), _("set a key..."))):
            row.addWidget(KeyCaps(keys))
            row.addWidget(Label(what, "caption", "text-3"))
            row.addSpacing(6)
        row.addStretch()
        row.addWidget(KeyCaps(("Esc",)))
        row.addWidget(Label(_("close"), "caption", "text-3"))
        column.addWidget(foot)

    def open(self) -> None:
        """Show all commands, with the focus in the search field."""
        if not self.isVisible():
            self._previous_focus = self._host.window().focusWidget()
        self.field.clear()
        self._edited("")
        self.show()
        self.raise_()
        self.field.setFocus()

    def close_palette(self) -> None:
        """Hide and restore the focus."""
        self.hide()
        if self._previous_focus is not None and self._previous_focus.isVisible():
            self._previous_focus.setFocus()
        self._previous_focus = None

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        theme.draw_icon_in(QPainter(self), "search", QRect(12, 1, 16, 40), 16)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if watched is self.field and event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.hide()
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            return self._key(Qt.Key(event.key()), control=control)
        return super().eventFilter(watched, event)

    def _key(self, key: Qt.Key, *, control: bool) -> bool:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
        if key == Qt.Key.Key_Escape:
            self.close_palette()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and control:
            self._request_shortcut(self._list.currentIndex())
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run(self._list.currentIndex())
        elif key in steps:
            rows = self.model.rowCount()
            row = max(0, min(rows - 1, self._list.currentIndex().row() + steps[key]))
            self._list.setCurrentIndex(self.model.index(row))
        else:
            return False
        return True

    @Slot(str)
    def _edited(self, query: str) -> None:
        self._search(query)
        self._list.setCurrentIndex(self.model.index(0))
        self.searched.emit(query)

    def refresh(self) -> None:
        """Search again, after more entries were found; the current entry stays current."""
        hit = self._list.currentIndex().data(_HIT)
        self._search(self.field.text())
        row = self.model.row_of(hit.entry) if hit is not None else 0
        self._list.setCurrentIndex(self.model.index(max(0, row)))

    def _search(self, query: str) -> None:
        hits, count = search(self._entries(query), query)
        self.model.show_hits(hits)
        self._count.setText(ngettext("{count} match", "{count} matches", count))
        self._list.setFixedHeight(min(max(1, len(hits)), _MOST_ROWS) * theme.size("palette_item"))
        self.setFixedWidth(min(_WIDTH, self._host.width() - 32))
        self.adjustSize()
        self.move((self._host.width() - self.width()) // 2, 4 + theme.size("menu_bar"))

    def _request_shortcut(self, index: QModelIndex) -> None:
        hit = index.data(_HIT)
        if hit is not None and hit.entry.kind == "command":
            self.close_palette()
            self.shortcut_requested.emit(hit.entry.id)

    @Slot(QModelIndex)
    def _run(self, index: QModelIndex) -> None:
        hit = index.data(_HIT)
        if hit is not None:
            self.close_palette()
            self.chosen.emit(hit.entry)
