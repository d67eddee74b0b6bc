"""A searchable list with check boxes in groups, a count, and buttons for all and none."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from collector.model.i18n import _
from rule_editor.widgets.field_names import add_clear_button
from studio.theme import theme
from studio.widgets.controls import Button, Label, surface

_KEY = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class CheckItem:
    """An entry of the list; ``group`` is its heading, ``icon`` the icon of the heading; empty for none."""

    key: str
    name: str
    about: str = ""
    group: str = ""
    icon: str = ""
    tip: str = ""


class CheckList(QWidget):
    """A list of check boxes; ``changed`` is emitted when one was ticked or unticked."""

    changed = Signal()

    def __init__(self, title: str, hint: str, name_width: int, parent: QWidget | None = None) -> None:
        """``hint`` is the placeholder of the search field; names are ``name_width`` pixels wide."""
        super().__init__(parent)
        self._name_width = name_width
        self._none = Label("", "body", "text-3", wrap=True)
        self._none.setContentsMargins(12, 10, 12, 10)
        self._none.hide()
        self._count = Label("", "caption", "text-2")
        self.field = QLineEdit()
        self.field.setPlaceholderText(hint)
        self.field.setAccessibleName(hint)
        self.field.setProperty("small", True)
        add_clear_button(self.field)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(title)
        self._dress()
        self.all = Button(_("All"), kind="link", small=True)
        self.nothing = Button(_("None"), kind="link", small=True)
        self.all.setAccessibleName(_("{list}: all", list=title))
        self.nothing.setAccessibleName(_("{list}: none", list=title))
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(Label(title, "heading"))
        head.addWidget(self._count)
        head.addStretch()
        head.addWidget(self.all)
        head.addWidget(self.nothing)
        frame = surface("card")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.setSpacing(0)
        inside.addWidget(self._none)
        inside.addWidget(self.tree, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.field)
        column.addWidget(frame, 1)
        self.field.textChanged.connect(self._search)
        self.field.installEventFilter(self)
        self.tree.itemChanged.connect(self._ticked)
        self.all.clicked.connect(self._take_all)
        self.nothing.clicked.connect(self._take_none)
        theme.changed.connect(self._dressed)

    def _dress(self) -> None:
        tree = self.tree
        tree.setColumnCount(2)
        tree.setHeaderHidden(True)
        tree.setUniformRowHeights(True)
        tree.setIndentation(16)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        tree.setVerticalScrollMode(QTreeWidget.ScrollMode.ScrollPerPixel)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.header().setStretchLastSection(True)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)

    # -- what is shown -------------------------------------------------------
    def show_items(self, items: Sequence[CheckItem], chosen: Collection[str], otherwise: str) -> None:
        """Show ``items`` with ``chosen`` ticked; ``otherwise`` is the text when there are none."""
        self.tree.blockSignals(True)
        self.tree.clear()
        groups: dict[str, QTreeWidgetItem] = {}
        for item in items:
            row = QTreeWidgetItem([item.name, item.about])
            row.setData(0, _KEY, item.key)
            row.setFlags(row.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            on = item.key in chosen
            row.setCheckState(0, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
            for column in (0, 1):
                row.setToolTip(column, item.tip or f"{item.name}: {item.about}")
                row.setSizeHint(column, QSize(0, theme.size("row_list")))
            if item.group:
                self._group(groups, item).addChild(row)
            else:
                self.tree.addTopLevelItem(row)
        for head in groups.values():
            head.setExpanded(head.checkState(0) is not Qt.CheckState.Unchecked)
        if not chosen:
            self.tree.expandAll()
        self._tint()
        self.tree.setRootIsDecorated(bool(groups))
        # Under a group there are its arrow and one more indent.
        self.tree.setColumnWidth(0, self._name_width + (52 if groups else 24))
        self.tree.blockSignals(False)
        self._none.setText(otherwise)
        self._none.setVisible(not items)
        self.tree.setVisible(bool(items))
        for part in (self.field, self.all, self.nothing):
            part.setEnabled(bool(items))
        self._show_count()

    def _group(self, groups: dict[str, QTreeWidgetItem], item: CheckItem) -> QTreeWidgetItem:
        if item.group not in groups:
            head = groups[item.group] = QTreeWidgetItem([item.group])
            head.setFlags(head.flags() | Qt.ItemFlag.ItemIsAutoTristate | Qt.ItemFlag.ItemIsUserCheckable)
            head.setIcon(0, theme.icon(item.icon))
            head.setFont(0, theme.font("name"))
            head.setSizeHint(0, QSize(0, theme.size("row_list")))
            self.tree.addTopLevelItem(head)
            head.setFirstColumnSpanned(True)
            head.setData(1, Qt.ItemDataRole.AccessibleTextRole, item.group)
        return groups[item.group]

    @property
    def chosen(self) -> list[str]:
        """The keys of the ticked entries, in order."""
        rows = self._rows()
        return [str(row.data(0, _KEY)) for row in rows if row.checkState(0) is Qt.CheckState.Checked]

    def tick(self, key: str, on: bool) -> None:
        """Tick or untick an entry, as a click does."""
        for row in self._rows():
            if row.data(0, _KEY) == key:
                row.setCheckState(0, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    def _rows(self) -> list[QTreeWidgetItem]:
        rows = []
        for at in range(self.tree.topLevelItemCount()):
            top = self.tree.topLevelItem(at)
            assert top is not None
            if top.data(0, _KEY) is not None:
                rows.append(top)
            rows += _children(top)
        return rows

    @Slot()
    def _dressed(self) -> None:
        self.tree.blockSignals(True)
        self._tint()
        self.tree.blockSignals(False)

    def _tint(self) -> None:
        """Set the colour again, because tree items do not know theme tokens."""
        for row in self._rows():
            row.setForeground(1, theme.color("text-2"))

    # -- what is done --------------------------------------------------------
    @Slot(str)
    def _search(self, text: str) -> None:
        """Hide entries that lack a word of ``text``; ticked entries stay ticked."""
        words = text.lower().split()
        for row in self._rows():
            text_of_row = f"{row.text(0)} {row.text(1)}".lower()
            row.setHidden(not all(word in text_of_row for word in words))
        for at in range(self.tree.topLevelItemCount()):
            top = self.tree.topLevelItem(at)
            if top is not None and top.childCount():
                top.setExpanded(bool(words) or top.checkState(0) is not Qt.CheckState.Unchecked)
                top.setHidden(all(child.isHidden() for child in _children(top)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Go with Down from the search to the first entry that it shows."""
        is_down = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Down
        shown = next((row for row in self._rows() if not row.isHidden()), None)
        if is_down and event.type() == QEvent.Type.KeyPress and shown is not None:
            self.tree.setFocus()
            self.tree.setCurrentItem(shown)
            return True
        return super().eventFilter(watched, event)

    @Slot()
    def _take_all(self) -> None:
        self._set_all(True)

    @Slot()
    def _take_none(self) -> None:
        self._set_all(False)

    def _set_all(self, on: bool) -> None:
        """Tick or untick the entries that the search shows."""
        self.tree.blockSignals(True)
        for row in self._rows():
            if not row.isHidden():
                row.setCheckState(0, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self.tree.blockSignals(False)
        self.tree.viewport().update()
        self._show_count()

    @Slot(QTreeWidgetItem)
    def _ticked(self, item: QTreeWidgetItem) -> None:
        if item.data(0, _KEY) is not None:
            self._show_count()

    def _show_count(self) -> None:
        self._count.setText(_("{count} of {all}", count=len(self.chosen), all=len(self._rows())))
        self.changed.emit()


def _children(top: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    children = (top.child(number) for number in range(top.childCount()))
    return [child for child in children if child is not None]
