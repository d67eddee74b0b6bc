"""The palette: a few letters find a command, a setting, a task, a rule or a trajectory; Enter goes there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget
from shiboken6 import isValid

from collector.model.i18n import _, ngettext
from studio.commands.search import PaletteEntry, SearchHit, search
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls import Label, surface
from studio.widgets.key_caps import KeyCaps
from studio.widgets.painting import RIGHT, draw_key, draw_round_ground, draw_text, key_width, text_width
from studio.widgets.tables.entry_list import EntryList, RowState

_WIDTH, _MOST_ROWS = 640, 12
_LEAST_WIDTH, _MARGIN = 320, 16
"""Logical pixels: what a palette beside the phone needs, and what it leaves free."""


class PaletteHitList(EntryList):
    """Lists the :class:`SearchHit` of each entry that was found, best first, without keyboard focus."""

    opens_on_click = True
    is_uniform = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_("Commands, settings, tasks, rules, trajectories"), parent=parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.entered.connect(self.setCurrentIndex)

    def text_of(self, entry: SearchHit) -> str:
        return entry.entry.title

    def spoken_of(self, entry: SearchHit) -> str:
        found = entry.entry
        return ", ".join(filter(None, (found.title, found.detail, found.keys, found.problem)))

    def tip_of(self, entry: SearchHit) -> str:
        return "\n".join(filter(None, (entry.entry.help, entry.entry.problem)))

    def height_of(self, _row: int, _width: int) -> int:
        return theme.size("palette_item")

    def paint_row(self, painter: QPainter, box: QRect, row: int, state: RowState) -> None:
        hit: SearchHit = self.entries[row]
        entry = hit.entry
        if state.is_selected:
            draw_round_ground(painter, box.adjusted(4, 0, -4, 0))
        tone = "text-3" if entry.problem else "text" if state.is_selected else "text-2"
        if entry.icon:
            at = QRect(box.left() + 12, box.top(), 16, box.height())
            theme.draw_icon_in(painter, entry.icon, at, 16, tone)
        right = box.right() - 12
        if entry.keys:
            width = key_width(entry.keys)
            draw_key(painter, QRect(right - width, box.top(), width, box.height()), entry.keys)
            right -= max(width, 56) + 8
        # The reason, or else the place, takes what the title leaves, and at most half.
        title = min(text_width(entry.title, "heading"), (right - box.left() - 38) // 2)
        about = QRect(box.left() + 46 + title, box.top(), right - box.left() - 46 - title, box.height())
        words = " · ".join(filter(None, (entry.detail, entry.problem)))
        taken = draw_text(painter, about, words, "caption", "text-3", RIGHT)
        room = right - taken - 8 - (box.left() + 38)
        _paint_title(painter, QRect(box.left() + 38, box.top(), room, box.height()), hit)


def _paint_title(painter: QPainter, rect: QRect, hit: SearchHit) -> None:
    """Paint the title, with the letters that were searched for in another tone."""
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
    """The query changed, and is empty once the palette is closed; :meth:`refresh` takes in entries that were
    found for it elsewhere."""

    def __init__(
        self,
        entries: Callable[[str], Sequence[PaletteEntry]],
        parent: QWidget,
        phone: Callable[[], QRect] = QRect,
    ) -> None:
        """``entries`` returns all entries for a query, in their order without one.

        ``phone`` returns where a phone's screen is shown on ``parent``; empty for nowhere.
        """
        super().__init__(parent)
        self._entries, self._phone = entries, phone
        self._host = parent
        self._previous_focus: QWidget | None = None
        self.setProperty("surface", "float")
        self.setAccessibleName(_("Command palette"))
        self.field = QLineEdit()
        self.field.setProperty("plain", "true")
        self.field.setPlaceholderText(_("Commands, settings, tasks, rules, trajectories"))
        self.field.setAccessibleName(_("Search or run a command"))
        self.field.textChanged.connect(self._edited)
        self.field.installEventFilter(self)
        self._count = Label("", "body", "text-2")
        self.list = PaletteHitList()
        self.list.opened.connect(self._run)
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
        column.addWidget(self.list)
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

    def open(self, query: str = "") -> None:
        """Show what is found for a query, without one all commands, with the focus in the search field."""
        if not self.isVisible():
            self._previous_focus = self._host.window().focusWidget()
        self.field.setText(query)
        self._edited(query)
        self.show()
        self.raise_()
        self.field.setFocus()

    def close_palette(self) -> None:
        """Hide and restore the focus."""
        before, self._previous_focus = self._previous_focus, None
        self.hide()
        if before is not None and isValid(before) and before.isVisible():  # it may have gone meanwhile
            before.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        self.searched.emit("")
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        theme.draw_icon_in(painter_of(self), "search", QRect(12, 1, 16, 40), 16)

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
            self._request_shortcut(self.list.current)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run(self.list.current)
        elif key in steps:
            row = self.list.currentIndex().row() + steps[key]
            self.list.choose(max(0, min(len(self.list.entries) - 1, row)))
        else:
            return False
        return True

    @Slot(str)
    def _edited(self, query: str) -> None:
        self._search(query)
        self.list.choose(0)
        self.searched.emit(query)

    def refresh(self) -> None:
        """Search again, after more entries were found; the current entry stays current."""
        hit = self.list.current
        self._search(self.field.text())
        found = [each.entry for each in self.list.entries]
        self.list.choose(found.index(hit.entry) if hit is not None and hit.entry in found else 0)

    def _search(self, query: str) -> None:
        hits, count = search(self._entries(query), query)
        self.list.show_entries(hits)
        self._count.setText(ngettext("{count} match", "{count} matches", count))
        self.list.setFixedHeight(min(max(1, len(hits)), _MOST_ROWS) * theme.size("palette_item"))
        left, right = self._room(beside_phone=bool(hits) and hits[0].entry.is_on_phone)
        self.setFixedWidth(min(_WIDTH, right - left))
        self.adjustSize()
        self.move((left + right - self.width()) // 2, 4 + theme.size("menu_bar"))

    def _room(self, *, beside_phone: bool) -> tuple[int, int]:
        """From where to where the palette may reach: over the window, or at the wider side of the phone."""
        whole, phone = (_MARGIN, self._host.width() - _MARGIN), self._phone()
        if not beside_phone or phone.isEmpty():
            return whole
        sides = (whole[0], phone.left() - _MARGIN), (phone.right() + _MARGIN, whole[1])
        left, right = max(sides, key=lambda side: side[1] - side[0])
        return (left, right) if right - left >= _LEAST_WIDTH else whole

    def _request_shortcut(self, hit: SearchHit | None) -> None:
        if hit is not None and hit.entry.kind == "command":
            self.close_palette()
            self.shortcut_requested.emit(hit.entry.id)

    @Slot(object)
    def _run(self, hit: SearchHit | None) -> None:
        if hit is not None:
            self.close_palette()
            self.chosen.emit(hit.entry)
