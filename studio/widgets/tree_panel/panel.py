"""The tree panel: search, tree, breadcrumb, attributes and selectors of a shared selection."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.search import search
from collector.hierarchy.selector_ranking import rank_selectors
from collector.model.i18n import _, ngettext
from collector.model.tree import Node
from rule_editor.widgets.field_names import add_clear_button
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls import Label, header_row
from studio.widgets.icon_button import IconButton
from studio.widgets.node_selection import NodeSelection
from studio.widgets.painting import draw_text, text_width
from studio.widgets.tree_panel.attributes import AttributeTable
from studio.widgets.tree_panel.breadcrumb import Breadcrumb
from studio.widgets.tree_panel.selectors import SelectorList
from studio.widgets.tree_panel.view import NodeTreeView
from studio.widgets.window_frame.panel_splitter import PanelSplitter

_RANK_AFTER_MS = 80


class StatusLine(QWidget):
    """A line of 24 px: a text at the left, a state with its icon at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._left = ("", "text-2")
        self._right = ("", "text-2", "")
        theme.changed.connect(self.update)

    @property
    def text(self) -> str:
        """The left and right texts."""
        return " ".join(filter(None, (self._left[0], self._right[0])))

    def set_left(self, text: str, tone: str = "text-2") -> None:
        self._left = (text, tone)
        self._changed()

    def set_right(self, text: str, tone: str = "text-2", icon: str = "") -> None:
        self._right = (text, tone, icon)
        self._changed()

    def _changed(self) -> None:
        self.setAccessibleName(self.text)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, theme.size("row_tree"))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        text, tone, icon = self._right
        width = text_width(text, "caption")
        right = QRect(self.width() - 12 - width, 0, width + 1, self.height())
        draw_text(painter, right, text, "caption", tone)
        if icon:
            theme.draw_icon_in(painter, icon, QRect(right.left() - 18, 0, 14, self.height()), 12, tone)
        room = right.left() - 12 - (26 if icon else 8)
        draw_text(painter, QRect(12, 0, room, self.height()), self._left[0], "caption", self._left[1])


class TreePanel(QWidget):
    """Shares its selection with the device view: a node selected in one is highlighted in the other."""

    refresh_requested = Signal()
    copied = Signal(str)
    """Emits the text that was copied to the clipboard."""

    def __init__(self, selection: NodeSelection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selection = selection
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText(_("Text, id, XPath or attr='value'"))
        self.search_field.setAccessibleName(_("Search the tree"))
        add_clear_button(self.search_field)
        self._search_icon = self.search_field.addAction(
            theme.icon("search", "text-3"), QLineEdit.ActionPosition.LeadingPosition
        )
        self._search_icon.setText(_("Search"))  # Qt makes it a button
        self.narrow_button = IconButton("filter", _("Show only what was found"), checkable=True)
        self.refresh_button = IconButton("refresh", _("Read the tree again"))
        self.status = StatusLine()
        self.tree = NodeTreeView()
        self.breadcrumb = Breadcrumb()
        self.attributes = AttributeTable()
        self.selectors = SelectorList()
        self._ranking = QTimer(self)
        self._ranking.setSingleShot(True)
        self._ranking.setInterval(_RANK_AFTER_MS)
        self._lay_out()
        self._connect()
        self._tree_changed()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(12, 8, 8, 4)
        row.setSpacing(4)
        for widget in (self.search_field, self.narrow_button, self.refresh_button):
            row.addWidget(widget)
        self._splitter = PanelSplitter(Qt.Orientation.Vertical)
        self._splitter.addWidget(self.tree)
        self._splitter.addWidget(self._lay_out_details())
        self._splitter.setSizes([400, 460])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(row)
        whole.addWidget(self.status)
        whole.addWidget(self._splitter, 1)

    def _lay_out_details(self) -> QWidget:
        """Show attributes and selectors of the selected node, or a hint how to select one."""
        about = QWidget()
        column = QVBoxLayout(about)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.breadcrumb)
        column.addWidget(self.attributes, 3)
        column.addWidget(_selectors_head())
        column.addWidget(self.selectors, 2)
        hint = self._hint = Label("", tone="text-3", wrap=True)
        hint.setContentsMargins(12, 12, 12, 12)
        hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.details = QStackedWidget()
        self.details.addWidget(hint)
        self.details.addWidget(about)
        return self.details

    def _connect(self) -> None:
        self.selection.tree_changed.connect(self._tree_changed)
        self.selection.selected_changed.connect(self._selected_changed)
        self.tree.node_selected.connect(self.selection.select)
        self.tree.node_hovered.connect(self.selection.hover)
        self.breadcrumb.chosen.connect(self.selection.select)
        self.search_field.textChanged.connect(self._search)
        self.search_field.returnPressed.connect(self.next_hit)
        self.narrow_button.toggled.connect(self._narrow)
        self.refresh_button.clicked.connect(self.refresh_requested)
        self.attributes.copied.connect(self.copied)
        self.selectors.copied.connect(self.copied)
        self._ranking.timeout.connect(self._rank)
        theme.changed.connect(self._dress)

    @Slot()
    def _dress(self) -> None:
        self._search_icon.setIcon(theme.icon("search", "text-3"))

    # -- what the owner says -----------------------------------------------
    def set_freshness(self, age_s: float | None, *, fresh: bool = False, stale: bool = False) -> None:
        """Show the age of the tree, None without a tree; a tree between fresh and stale has no mark."""
        if age_s is None:
            self.status.set_right("")
        elif fresh:
            self.status.set_right(_("fresh, {seconds} s old", seconds=f"{age_s:.1f}"), "ok", "state-ok")
        elif not stale:
            self.status.set_right(_("{seconds} s old", seconds=f"{age_s:.1f}"))
        else:
            age = _("stale, {seconds} s old", seconds=f"{age_s:.1f}")
            self.status.set_right(age, "warn", "state-warn")

    def clear(self) -> None:
        """Forget the search and the selected node."""
        self.search_field.clear()
        self.selection.select(None)
        self.selection.set_hits(())

    def reveal(self, node: Node) -> None:
        """Select a node and focus the tree."""
        self.selection.select(node)
        self.tree.show_node(node)
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- following the selection ---------------------------------------------
    @Slot()
    def _tree_changed(self) -> None:
        place = self.tree.verticalScrollBar().value()
        self.tree.nodes.set_tree(self.selection.tree)
        self.tree.open_all()
        self._hint.setText(
            _("Click a node on the screen or in the tree to see what it is; Enter in the tree taps it")
            if self.selection.tree
            else _("No screen on show has a tree")
        )
        # A live screen is read again and again, so the scroll position is kept.
        self.tree.verticalScrollBar().setValue(place)
        self._search()
        self._selected_changed(self.selection.selected)

    @Slot(object)
    def _selected_changed(self, node: Node | None) -> None:
        self.tree.show_node(node)
        self.details.setCurrentIndex(0 if node is None else 1)
        self.breadcrumb.set_node(node)
        self.attributes.set_node(node)
        self.selectors.show_entries(())
        if node is None:
            self._ranking.stop()
        else:
            self._ranking.start()

    @Slot()
    def _rank(self) -> None:
        """Rank selectors shortly after the selection stops changing, so that moving in the tree is fast."""
        tree, node = self.selection.tree, self.selection.selected
        if tree is not None and node is not None:
            self.selectors.show_entries(rank_selectors(tree, node))

    # -- search --------------------------------------------------------------
    @Slot()
    def _search(self) -> None:
        tree, query = self.selection.tree, self.search_field.text()
        if tree is None:
            self.status.set_left(_("No tree yet"))
            return
        try:
            hits = search(tree, query)
        except SelectorError as error:
            self.selection.set_hits(())
            self.status.set_left(error.what, "err")
            self.status.setToolTip(str(error))
            return
        self.selection.set_hits(hits)
        self._count(len(hits), searched=bool(query.strip()))
        if self.narrow_button.isChecked():
            self._narrow()

    def _count(self, hits: int, *, searched: bool) -> None:
        tree = self.selection.tree
        assert tree is not None
        total = ngettext("{count} node", "{count} nodes", len(tree))
        repairs = ngettext("{count} repair", "{count} repairs", len(tree.repairs)) if tree.repairs else ""
        self.status.setToolTip("\n".join(tree.repairs))
        if searched:
            self.status.set_left(
                ngettext("{count} hit in {total}", "{count} hits in {total}", hits, total=total)
                if hits
                else _("Nothing found in {total}", total=total),
                "text" if hits else "warn",
            )
        else:
            self.status.set_left(" · ".join(filter(None, (total, tree.source, repairs))))

    @Slot()
    def next_hit(self) -> None:
        """Select the next match, or the first after the last."""
        self._go_to_hit(1)

    def _go_to_hit(self, by: int) -> None:
        hits = self.selection.hits
        if not hits:
            return
        selected = self.selection.selected
        place = hits.index(selected) + by if selected in hits else (0 if by > 0 else -1)
        self.selection.select(hits[place % len(hits)])

    @Slot()
    def _narrow(self) -> None:
        only = self.narrow_button.isChecked() and bool(self.search_field.text().strip())
        self.tree.nodes.narrow(self.selection.hits if only else None)
        self.tree.open_all()
        self.tree.show_node(self.selection.selected)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Escape and self.search_field.text():
            self.search_field.clear()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up) and self.search_field.hasFocus():
            self._go_to_hit(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)


def _selectors_head() -> QFrame:
    head, row = header_row("panel_header", edge="top", right=12)
    row.addWidget(Label(_("Selectors"), "heading"))
    row.addWidget(Label(_("ranked by how well they hold"), "caption", "text-3"), 1)
    return head
