"""The list of the rules and anomalies of a project, each with the icon of its state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from collector.model.i18n import N_, _
from rule_editor.widgets.field_names import add_clear_button
from rule_editor.widgets.item_view import set_up_view
from rule_editor.widgets.painting import IN_MIDDLE, RIGHT, draw_text
from rule_editor.widgets.toolkit import Toolkit
from rule_editor.widgets.toolkit_icon import ToolkitIcon

_ENTRY = Qt.ItemDataRole.UserRole + 1
_HEADER, _SIDE = 32, 12
_OLD_FIGURE = 0.6
"""Opacity of a figure that is being counted again."""


class RuleState(StrEnum):
    """The state of a rule: the worst of those that apply."""

    CLEAN = "clean"
    WARNING = "warning"
    ERROR = "error"
    BROKEN = "broken"
    DRAFT = "draft"
    NEVER = "never"


STATE_ICONS = {
    RuleState.CLEAN: "state-ok",
    RuleState.WARNING: "state-warn",
    RuleState.ERROR: "state-err",
    RuleState.BROKEN: "state-err",
    RuleState.DRAFT: "state-draft",
    RuleState.NEVER: "state-never",
}
STATE_TEXTS = {
    RuleState.CLEAN: N_("clean"),
    RuleState.WARNING: N_("has warnings"),
    RuleState.ERROR: N_("has errors"),
    RuleState.BROKEN: N_("cannot be read"),
    RuleState.DRAFT: N_("draft"),
    RuleState.NEVER: N_("never fires"),
}


@dataclass(frozen=True, slots=True)
class RuleListEntry:
    """One row: ``group`` is the id of its group, ``detail`` the text at the right."""

    id: str
    group: str
    state: RuleState
    detail: str = ""
    tooltip: str = ""
    """What the tooltip says below the id and the state."""
    is_pending: bool = False
    """Whether ``detail`` is an old figure, until the new one is counted."""


class RuleList(QWidget):
    """Emits ``chosen(group, id)`` for a new current row, and requests to rename, delete, add, show a menu."""

    chosen = Signal(str, str)
    rename_wanted = Signal(str, str)
    delete_wanted = Signal(str, str)
    menu_wanted = Signal(str, str, QPoint)
    add_wanted = Signal()

    def __init__(self, toolkit: Toolkit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._toolkit = toolkit
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._model = QStandardItemModel(self)
        self._groups: tuple[tuple[str, str], ...] = ()
        self.entries: tuple[RuleListEntry, ...] = ()
        self._updating = False
        self._count = toolkit.label("", "body", "text-3")
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(_("Filter rules"))
        self.filter.setAccessibleName(_("Filter rules"))
        add_clear_button(self.filter)
        self.view = _RuleTreeView(toolkit)
        self.view.setModel(self._model)
        self._totals = QHBoxLayout()
        self._lay_out()
        self.filter.textChanged.connect(self._fill)
        self.view.selectionModel().currentChanged.connect(self._current_changed)
        self.view.clicked.connect(self._fold)
        self.view.rename_pressed.connect(self._rename)
        self.view.delete_pressed.connect(self._delete)
        self.view.customContextMenuRequested.connect(self._menu)

    def _lay_out(self) -> None:
        head = self._toolkit.surface("panel", "bottom")
        head.setFixedHeight(_HEADER)
        row = QHBoxLayout(head)
        row.setContentsMargins(_SIDE, 0, 6, 0)
        row.addWidget(self._toolkit.label(_("Rules"), "heading"))
        row.addWidget(self._count)
        row.addStretch(1)
        add = self._toolkit.button("", "plus", small=True)
        add.setToolTip(_("New rule"))
        add.setAccessibleName(_("New rule"))
        add.clicked.connect(self.add_wanted)
        row.addWidget(add)
        field = QHBoxLayout()
        field.setContentsMargins(_SIDE, 8, _SIDE, 8)
        field.addWidget(self.filter)
        foot = self._toolkit.surface("panel", "top")
        foot.setLayout(self._totals)
        self._totals.setContentsMargins(_SIDE, 6, _SIDE, 6)
        self._totals.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addLayout(field)
        column.addWidget(self.view, 1)
        column.addWidget(foot)

    # -- content -------------------------------------------------------
    def set_entries(self, groups: Sequence[tuple[str, str]], entries: Sequence[RuleListEntry]) -> None:
        """Show ``entries`` under ``groups`` (id, title), both in the order given; the current row stays."""
        if (tuple(groups), tuple(entries)) == (self._groups, self.entries):
            return
        self._groups, self.entries = tuple(groups), tuple(entries)
        self._fill()

    @property
    def current(self) -> RuleListEntry | None:
        """The entry of the current row."""
        entry = self.view.currentIndex().data(_ENTRY)
        return entry if isinstance(entry, RuleListEntry) else None

    def set_current(self, group: str, entry_id: str) -> None:
        """Change the current row without a signal."""
        self._updating = True
        index = self.index_of(group, entry_id)
        self.view.setCurrentIndex(index if index is not None else QModelIndex())
        self._updating = False

    @property
    def shown(self) -> list[str]:
        """Ids of the rows that pass the filter, in order."""
        return [entry.id for entry in self.entries if self._passes(entry)]

    def _passes(self, entry: RuleListEntry) -> bool:
        words = self.filter.text().lower().split()
        searchable = f"{entry.id} {entry.tooltip} {STATE_TEXTS[entry.state]}".lower()
        return all(word in searchable for word in words)

    def _fill(self) -> None:
        current = self.current
        folded = {
            self._model.item(row).data(_ENTRY) for row in range(self._model.rowCount())
            if not self.view.isExpanded(self._model.index(row, 0))
        }  # fmt: skip
        self._updating = True
        # Not clear(): PySide's destroys what Python knows at the address of the root, whatever that is.
        self._model.removeRows(0, self._model.rowCount())
        for group, title in self._groups:
            entries = [entry for entry in self.entries if entry.group == group and self._passes(entry)]
            head = QStandardItem(title)
            head.setData(group, _ENTRY)
            head.setToolTip(title)
            head.setData(str(len(entries)), Qt.ItemDataRole.StatusTipRole)
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for entry in entries:
                head.appendRow(_item(entry))
            self._model.appendRow(head)
            self.view.setExpanded(head.index(), group not in folded)
        if current is not None and (index := self.index_of(current.group, current.id)) is not None:
            self.view.setCurrentIndex(index)
        self._updating = False
        self._count.setText(str(len(self.entries)))
        self._fill_totals()

    def _fill_totals(self) -> None:
        while (item := self._totals.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        counts = Counter(entry.state for entry in self.entries)
        for icon in dict.fromkeys(STATE_ICONS.values()):
            states = [state for state in RuleState if STATE_ICONS[state] == icon and counts[state]]
            if states:
                self._totals.addWidget(ToolkitIcon(self._toolkit, icon, 12))
                label = self._toolkit.label(str(sum(counts[state] for state in states)), "body", "text-2")
                label.setToolTip(", ".join(_(STATE_TEXTS[state]) for state in states))
                self._totals.addWidget(label)
                self._totals.addSpacing(8)
        self._totals.addStretch(1)

    def index_of(self, group: str, entry_id: str) -> QModelIndex | None:
        for row in range(self._model.rowCount()):
            head = self._model.item(row)
            if head.data(_ENTRY) != group:
                continue
            for below in range(head.rowCount()):
                if head.child(below).data(_ENTRY).id == entry_id:
                    return head.child(below).index()
        return None

    # -- input --------------------------------------------------------
    def _current_changed(self, index: QModelIndex) -> None:
        entry = index.data(_ENTRY)
        if not self._updating and isinstance(entry, RuleListEntry):
            self.chosen.emit(entry.group, entry.id)

    def _fold(self, index: QModelIndex) -> None:
        group = index.data(_ENTRY)
        if isinstance(group, RuleListEntry):
            return
        self.view.setExpanded(index, not self.view.isExpanded(index))
        if not any(entry.group == group for entry in self.entries):
            self.chosen.emit(group, "")  # an empty file is opened by its title

    def _rename(self) -> None:
        if (entry := self.current) is not None:
            self.rename_wanted.emit(entry.group, entry.id)

    def _delete(self) -> None:
        if (entry := self.current) is not None:
            self.delete_wanted.emit(entry.group, entry.id)

    def _menu(self, at: QPoint) -> None:
        entry = self.view.indexAt(at).data(_ENTRY)
        if isinstance(entry, RuleListEntry):
            self.menu_wanted.emit(entry.group, entry.id, self.view.viewport().mapToGlobal(at))


def _item(entry: RuleListEntry) -> QStandardItem:
    item = QStandardItem(entry.id)
    item.setData(entry, _ENTRY)
    item.setEditable(False)
    item.setToolTip(f"{entry.id}: {_(STATE_TEXTS[entry.state])}\n{entry.tooltip}".rstrip())
    detail = _("counting") if entry.is_pending else entry.detail
    item.setAccessibleText(f"{entry.id}, {_(STATE_TEXTS[entry.state])}, {detail}")
    return item


class _RuleTreeView(QTreeView):
    rename_pressed = Signal()
    delete_pressed = Signal()

    def __init__(self, toolkit: Toolkit) -> None:
        super().__init__()
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setProperty("surface", "panel")
        self.setHeaderHidden(True)
        self.setIndentation(0)
        self.setRootIsDecorated(False)
        self.setExpandsOnDoubleClick(False)
        self.setUniformRowHeights(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        set_up_view(self, _("Rules and anomalies"), toolkit)
        self.setItemDelegate(_RuleDelegate(toolkit, self))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_F2:
            self.rename_pressed.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)


class _RuleDelegate(QStyledItemDelegate):
    def __init__(self, toolkit: Toolkit, view: QTreeView) -> None:
        super().__init__(view)
        self._toolkit, self._view = toolkit, view

    def sizeHint(self, _option: QStyleOptionViewItem, _index: object) -> QSize:  # noqa: N802 - Qt's name
        return QSize(100, self._toolkit.size("row_rule"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        if not isinstance(index, QModelIndex):
            return
        box: QRect = option.rect
        state: QStyle.StateFlag = option.state
        entry = index.data(_ENTRY)
        if isinstance(entry, RuleListEntry):
            if state & QStyle.StateFlag.State_Selected:
                painter.fillRect(box, self._toolkit.color("accent-weak"))
            elif state & QStyle.StateFlag.State_MouseOver:
                painter.fillRect(box, self._toolkit.color("bg-3"))
            mark = QRect(box.left() + 26, box.top(), 14, box.height())
            self._toolkit.draw_icon_in(painter, STATE_ICONS[entry.state], mark, 12)
            detail_width = QFontMetrics(self._toolkit.font("body")).horizontalAdvance(entry.detail)
            name = box.adjusted(48, 0, -_SIDE - 8 - detail_width, 0)
            draw_text(self._toolkit, painter, name, entry.id, "text", elide=IN_MIDDLE)
            painter.setOpacity(_OLD_FIGURE if entry.is_pending else 1)
            draw_text(
                self._toolkit, painter, box.adjusted(0, 0, -_SIDE, 0), entry.detail, "text-3", side=RIGHT
            )
            painter.setOpacity(1)
        else:
            chevron = "chevd" if self._view.isExpanded(index) else "chevr"
            self._toolkit.draw_icon_in(
                painter, chevron, QRect(box.left() + 8, box.top(), 16, box.height()), 12
            )
            title = str(index.data(Qt.ItemDataRole.DisplayRole))
            count = str(index.data(Qt.ItemDataRole.StatusTipRole))
            title_box = box.adjusted(28, 0, -40, 0)
            draw_text(self._toolkit, painter, title_box, title, "text-2", role="name", elide=IN_MIDDLE)
            draw_text(self._toolkit, painter, box.adjusted(0, 0, -_SIDE, 0), count, "text-3", side=RIGHT)
