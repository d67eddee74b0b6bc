"""The command palette: search a command by a few letters and run it with Enter."""

from __future__ import annotations

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
from studio.commands.commander import Commander
from studio.commands.search import SearchHit, search
from studio.theme import theme
from studio.widgets.controls import Label, surface
from studio.widgets.key_caps import KeyCaps
from studio.widgets.painting import draw_key, draw_text, key_width, text_width

_WIDTH, _MOST_ROWS = 640, 12
Index = QModelIndex | QPersistentModelIndex
_HIT = Qt.ItemDataRole.UserRole


class CommandHitModel(QAbstractListModel):
    """List model of the commands that a search found, best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hits: list[SearchHit] = []

    def show_hits(self, hits: list[SearchHit]) -> None:
        self.beginResetModel()
        self._hits = hits
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's signature
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        hit = self._hits[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.command.label
        if role == Qt.ItemDataRole.ToolTipRole:
            return hit.command.help
        return hit if role == _HIT else None


class _HitDelegate(QStyledItemDelegate):
    def __init__(self, commander: Commander, parent: QObject) -> None:
        super().__init__(parent)
        self._commander = commander

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:  # noqa: N802 - Qt's name
        return QSize(100, theme.size("palette_item"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hit: SearchHit = index.data(_HIT)
        rect: QRect = option.rect
        lit = option.state & option.state.State_Selected
        if lit:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent-weak"))
            painter.drawRoundedRect(rect.adjusted(4, 0, -4, 0), 4, 4)
            painter.restore()
        if hit.command.icon:
            at = QRect(rect.left() + 12, rect.top(), 16, rect.height())
            theme.draw_icon_in(painter, hit.command.icon, at, 16, "text" if lit else "text-2")
        self._paint_label(painter, rect.adjusted(38, 0, -180, 0), hit)
        key = self._commander.registry.shown_keys(hit.command.id)
        right = rect.right() - 12
        if key:
            width = key_width(key)
            draw_key(painter, QRect(right - width, rect.top(), width, rect.height()), key)
            right -= width
        scope = QRect(rect.left(), rect.top(), min(right, rect.right() - 68) - 8 - rect.left(), rect.height())
        draw_text(painter, scope, hit.command.scope_label, "caption", "text-3", Qt.AlignmentFlag.AlignRight)

    def _paint_label(self, painter: QPainter, rect: QRect, hit: SearchHit) -> None:
        positions = set(hit.positions)
        text, start, x = hit.command.label, 0, rect.left()
        while start < len(text):
            lit, end = start in positions, start
            while end < len(text) and (end in positions) == lit:
                end += 1
            part = text[start:end]
            role, tone = ("heading", "accent") if lit else ("body", "text")
            draw_text(painter, QRect(x, rect.top(), rect.width(), rect.height()), part, role, tone)
            x += text_width(part, role)
            start = end


class CommandPalette(QFrame):
    """Opens over the window. Esc or a click elsewhere closes it and restores the focus."""

    shortcut_requested = Signal(str)
    """Emits the id of the command whose keys the person wants to change."""

    def __init__(self, commander: Commander, parent: QWidget) -> None:
        super().__init__(parent)
        self._commander = commander
        self._host = parent
        self._previous_focus: QWidget | None = None
        self.setProperty("surface", "float")
        self.setAccessibleName(_("Command palette"))
        self.model = CommandHitModel(self)
        self.field = QLineEdit()
        self.field.setProperty("plain", "true")
        self.field.setPlaceholderText(_("Search or run a command"))
        self.field.setAccessibleName(_("Search or run a command"))
        self.field.textChanged.connect(self._search)
        self.field.installEventFilter(self)
        self._count = Label("", "body", "text-2")
        self._list = QListView()
        self._list.setModel(self.model)
        self._list.setItemDelegate(_HitDelegate(commander, self))
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
        for keys, what in ((("Enter",), _("run")), (("Ctrl+Enter",), _("set a key..."))):
            row.addWidget(KeyCaps(keys))
            row.addWidget(Label(what, "caption", "text-3"))
            row.addSpacing(6)
        row.addStretch()
        row.addWidget(KeyCaps(("Esc",)))
        row.addWidget(Label(_("close"), "caption", "text-3"))
        column.addWidget(foot)

    def open(self) -> None:
        """Show all commands, with the focus in the search field."""
        self._previous_focus = self._host.window().focusWidget()
        self.field.clear()
        self._search("")
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

    def _search(self, query: str) -> None:
        hits = search(self._commander.palette(), query)
        self.model.show_hits(hits)
        self._count.setText(ngettext("{count} command", "{count} commands", len(hits)))
        self._list.setCurrentIndex(self.model.index(0))
        self._list.setFixedHeight(min(max(1, len(hits)), _MOST_ROWS) * theme.size("palette_item"))
        self.setFixedWidth(min(_WIDTH, self._host.width() - 32))
        self.adjustSize()
        self.move((self._host.width() - self.width()) // 2, 4 + theme.size("menu_bar"))

    def _request_shortcut(self, index: QModelIndex) -> None:
        hit = index.data(_HIT)
        if hit is not None:
            self.close_palette()
            self.shortcut_requested.emit(hit.command.id)

    def _run(self, index: QModelIndex) -> None:
        hit = index.data(_HIT)
        if hit is not None:
            self.close_palette()
            self._commander.run(hit.command.id)
