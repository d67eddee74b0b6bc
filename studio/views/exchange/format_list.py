"""The list of formats in a dialog, in groups, with a filter; those whose package is missing say so."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from collector.model.i18n import _, join_sentences
from rule_editor.widgets.field_names import add_clear_button
from studio.bridge.project_exchange import OfferedFormat
from studio.theme import theme

_ID = Qt.ItemDataRole.UserRole


class FormatList(QWidget):
    """One format is always chosen."""

    chosen = Signal(str)
    """The id of the format that the person chose."""

    def __init__(self, offered: Sequence[OfferedFormat], *, first: tuple[str, str] | None = None) -> None:
        """``first`` is the id and the title of an entry before the formats, as to recognise one."""
        super().__init__()
        self._group_of_last = ""
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Filter formats"))
        self.field.setAccessibleName(_("Filter formats"))
        self.field.setProperty("small", True)
        add_clear_button(self.field)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(_("Formats"))
        self.tree.setHeaderHidden(True)
        # No entry has others below it: what would hold their arrows keeps the text off the edge.
        self.tree.setIndentation(8)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addWidget(self.tree, 1)
        entries = [self._add(*first)] if first is not None else []
        for entry in offered:
            format_ = entry.format
            if entry.group != self._group_of_last:
                self._head(entry.group)
            tip = join_sentences(_(format_.title), _(format_.files), entry.missing)
            item = self._add(format_.id, _(format_.title), tip)
            entries.append(item)
            if entry.missing:
                item.setIcon(0, theme.icon("state-warn"))
                item.setForeground(0, theme.color("text-3"))
        self.tree.setCurrentItem(entries[0])
        self.field.textChanged.connect(self._filter)
        self.tree.currentItemChanged.connect(self._changed)

    def _head(self, group: str) -> None:
        """Begin a group with its title, which nobody can choose."""
        self._group_of_last = group
        item = QTreeWidgetItem([group])
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        font = item.font(0)
        font.setWeight(QFont.Weight.DemiBold)
        item.setFont(0, font)
        item.setForeground(0, theme.color("text-2"))
        item.setSizeHint(0, QSize(0, theme.size("row_list")))
        self.tree.addTopLevelItem(item)

    def _add(self, format_id: str, title: str, tip: str = "") -> QTreeWidgetItem:
        item = QTreeWidgetItem([title])
        item.setData(0, _ID, format_id)
        item.setToolTip(0, tip or title)
        item.setSizeHint(0, QSize(0, theme.size("row_list")))
        self.tree.addTopLevelItem(item)
        return item

    @property
    def current(self) -> str:
        """The id of the chosen format."""
        item = self.tree.currentItem()
        return str(item.data(0, _ID)) if item is not None else ""

    def choose(self, format_id: str) -> None:
        """Choose a format as a person does."""
        for number in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(number)
            if item is not None and item.data(0, _ID) == format_id:
                self.tree.setCurrentItem(item)

    @Slot(str)
    def _filter(self, text: str) -> None:
        """Show the formats that say all words, and choose the first when the chosen one is hidden."""
        words = text.lower().split()
        left: list[QTreeWidgetItem] = []
        head, shown = None, 0
        for item in map(self.tree.topLevelItem, range(self.tree.topLevelItemCount())):
            assert item is not None
            if item.data(0, _ID) is None:
                head, shown = item, len(left)
                head.setHidden(True)
                continue
            said = f"{item.data(0, _ID)} {item.text(0)} {item.toolTip(0)}".lower()
            item.setHidden(not all(word in said for word in words))
            left += [item] if not item.isHidden() else []
            if head is not None:
                head.setHidden(len(left) == shown)
        current = self.tree.currentItem()
        if left and (current is None or current.isHidden()):
            self.tree.setCurrentItem(left[0])

    @Slot()
    def _changed(self) -> None:
        self.chosen.emit(self.current)
