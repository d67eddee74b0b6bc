"""A selected node of any side: path, attributes, selectors, XML, and its counterpart on the other side."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from collector.hierarchy.dump_text import DumpText, dump_text, node_lines
from collector.hierarchy.selector_ranking import rank_selectors
from collector.model.i18n import _, ngettext
from collector.model.tree import Node
from studio.bridge.review.state_comparisons import ScreenComparison, ScreenOfStep
from studio.theme import theme
from studio.widgets.captions.node_text import tree_line
from studio.widgets.controls import Button, Label, SegmentedControl, surface
from studio.widgets.state_difference.dump_viewer import DumpViewer
from studio.widgets.state_difference.tree_difference_list import place_in_words
from studio.widgets.tree_panel.attributes import AttributeTable
from studio.widgets.tree_panel.breadcrumb import Breadcrumb
from studio.widgets.tree_panel.selectors import SelectorList

_RANK_AFTER_MS = 80


class NodePage(IntEnum):
    """What is shown of a node."""

    ATTRIBUTES = 0
    SELECTORS = 1
    NODE_XML = 2
    DUMP = 3


class NodePanel(QWidget):
    """Shows one node of one screen. With a comparison of that screen it finds the node's counterpart."""

    node_selected = Signal(int, object)
    """Number of the side and the Node that a person went to: in the path, or the counterpart."""
    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._screen: ScreenOfStep | None = None
        self._node: Node | None = None
        self._nodes_shown = False
        self._comparison: ScreenComparison | None = None
        self._counterparts: dict[Node, Node] = {}
        self._dump: DumpText | None = None
        """The text of the dump of the screen; None until it is asked for."""
        self._place = Label("", "name")
        self.breadcrumb = Breadcrumb()
        self._counterpart = Label("", "body", "text-2", cut=True)
        self.counterpart_button = Button(_("Show"), kind="link", small=True)
        self.pages = SegmentedControl(
            [
                (str(NodePage.ATTRIBUTES.value), _("Attributes"), ""),
                (str(NodePage.SELECTORS.value), _("Selectors"), ""),
                (str(NodePage.NODE_XML.value), _("Node XML"), ""),
                (str(NodePage.DUMP.value), _("All XML"), ""),
            ],
            shrinks=True,
        )
        self.attributes = AttributeTable()
        self.selectors = SelectorList()
        self.xml = DumpViewer()
        self._hint = Label("", tone="text-2", wrap=True)
        self._ranking = QTimer(self)
        self._ranking.setSingleShot(True)
        self._ranking.setInterval(_RANK_AFTER_MS)
        self._lay_out()
        self._connect()
        self._refresh()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(12, 0, 12, 0)
        head.addWidget(self._place)
        head.addStretch()
        head.addWidget(self.pages)
        bar = surface("panel")
        bar.setFixedHeight(theme.size("section_header"))
        bar.setLayout(head)
        line = QHBoxLayout()
        line.setContentsMargins(12, 0, 8, 0)
        line.addWidget(self._counterpart, 1)
        line.addWidget(self.counterpart_button)
        self._counterpart_row = QWidget()
        self._counterpart_row.setFixedHeight(theme.size("sub_header"))
        self._counterpart_row.setLayout(line)
        self._content = QStackedWidget()
        for page in (self.attributes, self.selectors, self.xml):
            self._content.addWidget(page)
        about = QWidget()
        inner = QVBoxLayout(about)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        for part in (bar, self.breadcrumb, self._counterpart_row):
            inner.addWidget(part)
        inner.addWidget(self._content, 1)
        self._hint.setContentsMargins(12, 12, 12, 12)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._hint)
        self._stack.addWidget(about)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    def _connect(self) -> None:
        self.pages.chosen.connect(self._page_chosen)
        self.breadcrumb.chosen.connect(self._ancestor_chosen)
        self.counterpart_button.clicked.connect(self._go_to_counterpart)
        self._ranking.timeout.connect(self._rank)
        for part in (self.attributes, self.selectors, self.xml):
            part.copied.connect(self.copied)

    # -- what is shown -------------------------------------------------------
    @property
    def node(self) -> Node | None:
        return self._node

    @property
    def side(self) -> int | None:
        """The side of the node on show."""
        return self._screen.place.side if self._screen is not None else None

    @property
    def counterpart(self) -> Node | None:
        """The node of the other compared screen that was matched with the one on show."""
        return self._counterparts.get(self._node) if self._node is not None else None

    def show_node(self, screen: ScreenOfStep | None, node: Node | None) -> None:
        """Show a node of a screen; None shows how to select one."""
        if screen is not self._screen:
            self._dump = None
        self._screen, self._node = screen, node
        self._refresh()

    @Slot(object)
    def show_comparison(self, comparison: ScreenComparison | None) -> None:
        """Compare the nodes of two screens; a node of any other screen has no counterpart."""
        self._comparison = comparison
        diff = comparison.difference.tree if comparison is not None else None
        pairs = diff.matched if diff is not None else ()
        self._counterparts = dict(pairs) | {new: old for old, new in pairs}
        self._refresh()

    def _refresh(self) -> None:
        screen, node = self._screen, self._node
        self._stack.setCurrentIndex(0 if screen is None or node is None else 1)
        if screen is None or node is None:
            self._ranking.stop()
            self._hint.setText(self._why_empty())
            return
        self._place.setText(place_in_words(screen.place))
        self.breadcrumb.set_node(node)
        self.attributes.set_node(node, self.counterpart, counterpart_is_first=self._is_after(node))
        self.selectors.show_entries(())
        self._say_counterpart()
        self._show_page()

    def _why_empty(self) -> str:
        if self._screen is not None and self._screen.screen.tree is None:
            return _("{step} has no tree", step=place_in_words(self._screen.place))
        if not self._nodes_shown:
            return _("No screen on show has a tree")
        return _("Click a node on a screen or a difference to see what it is")

    def show_nodes(self, shown: bool) -> None:
        """Say whether a screen beside the panel shows nodes that can be clicked."""
        self._nodes_shown = shown
        self._refresh()

    def _is_after(self, node: Node) -> bool:
        """Whether a node belongs to the second of the compared screens."""
        comparison = self._comparison
        tree = comparison.after.screen.tree if comparison is not None else None
        return tree is not None and node.order < len(tree) and tree.nodes[node.order] is node

    def _other(self) -> ScreenOfStep | None:
        """The other compared screen; None when the screen on show is not compared."""
        comparison, node = self._comparison, self._node
        if comparison is None or node is None:
            return None
        if self._is_after(node):
            return comparison.before
        tree = comparison.before.screen.tree
        belongs = tree is not None and node.order < len(tree) and tree.nodes[node.order] is node
        return comparison.after if belongs else None

    def _say_counterpart(self) -> None:
        other, counterpart = self._other(), self.counterpart
        self._counterpart_row.setVisible(other is not None)
        self.counterpart_button.setVisible(counterpart is not None)
        if other is None:
            self._counterpart.setText("")
            return
        if counterpart is None:
            text = _("Not in {step}", step=place_in_words(other.place))
        else:
            changes = len(self.attributes.attributes.changes)
            same = _("the same") if not changes else ngettext(
                "{count} attribute differs", "{count} attributes differ", changes
            )  # fmt: skip
            text = _("In {step}: {node}, {change}", step=place_in_words(other.place),
                     node=" ".join(filter(None, (tree_line(counterpart).kind, tree_line(counterpart).name))),
                     change=same)  # fmt: skip
        self._counterpart.setText(text)
        self._counterpart.setToolTip(text)

    # -- pages ---------------------------------------------------------------
    @property
    def page(self) -> NodePage:
        return NodePage(int(self.pages.current))

    def show_page(self, page: NodePage) -> None:
        """Show another page."""
        self.pages.set_current(str(page.value))
        self._show_page()

    @Slot()
    def _page_chosen(self) -> None:
        self._show_page()

    def _show_page(self) -> None:
        page = self.page
        self._content.setCurrentIndex(min(page, NodePage.NODE_XML))
        if page is NodePage.SELECTORS:
            self._ranking.start()
        elif page is not NodePage.ATTRIBUTES:
            self._show_xml(whole=page is NodePage.DUMP)

    def _show_xml(self, *, whole: bool) -> None:
        screen, node = self._screen, self._node
        if screen is None or node is None:
            return
        dump = self._read_dump(screen)
        if whole and dump is not None:
            self.xml.show_lines(dump.lines, dump.span(node))
        else:
            self.xml.show_lines(dump.excerpt(node) if dump is not None else node_lines(node))

    def _read_dump(self, screen: ScreenOfStep) -> DumpText | None:
        if self._dump is None and screen.dump and screen.screen.tree is not None:
            self._dump = dump_text(screen.dump, len(screen.screen.tree))
        return self._dump

    @Slot()
    def _rank(self) -> None:
        """Rank selectors shortly after the node stops changing, so that going through nodes is fast."""
        tree = self._screen.screen.tree if self._screen is not None else None
        if tree is not None and self._node is not None:
            self.selectors.show_entries(rank_selectors(tree, self._node))

    # -- where a person goes -------------------------------------------------
    @Slot(object)
    def _ancestor_chosen(self, node: Node) -> None:
        if self._screen is not None:
            self.node_selected.emit(self._screen.place.side, node)

    @Slot()
    def _go_to_counterpart(self) -> None:
        other, counterpart = self._other(), self.counterpart
        if other is not None and counterpart is not None:
            self.node_selected.emit(other.place.side, counterpart)
