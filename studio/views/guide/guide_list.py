"""The contents of the guide, or what a search found in it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem

from collector.guide.guide import Guide
from collector.guide.search import GuideHit
from collector.model.i18n import _
from studio.theme import theme

_PLACE = Qt.ItemDataRole.UserRole


class GuideList(QTreeWidget):
    """A click or Enter opens a page."""

    asked = Signal(str, str)
    """The path of a page and the name of a heading."""

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self._guide = guide
        self._entries: list[QTreeWidgetItem] = []
        self.setAccessibleName(_("Contents of the guide"))
        self.setHeaderHidden(True)
        self.setIndentation(12)
        self.setRootIsDecorated(False)
        self.setItemsExpandable(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setVerticalScrollMode(QTreeWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.itemClicked.connect(self._ask)
        self.itemActivated.connect(self._ask)
        self.show_contents()

    def show_contents(self) -> None:
        """List all pages under their headings."""
        self.clear()
        self._entries.clear()
        for title, pages in self._guide.parts:
            head = self._head(title)
            for path in pages:
                self._entry(head, self._guide.pages[path].title, (path, ""))
        self.expandAll()

    def show_hits(self, hits: Iterable[GuideHit]) -> None:
        """List what was found under the titles of the pages."""
        self.clear()
        self._entries.clear()
        heads: dict[str, QTreeWidgetItem] = {}
        for hit in hits:
            page = hit.section.page
            if page.path not in heads:
                heads[page.path] = self._head(page.title)
            entry = self._entry(heads[page.path], hit.section.heading, (page.path, hit.section.anchor))
            entry.setToolTip(0, hit.excerpt)
        self.expandAll()

    def select_page(self, path: str) -> None:
        """Select a page where the contents list it."""
        for entry in self._entries:
            if entry.data(0, _PLACE) == (path, ""):
                self.setCurrentItem(entry)
                return
        self.clearSelection()

    def open_first(self) -> None:
        """Open the first entry, and let it be the current one."""
        for entry in self._entries[:1]:
            self.setCurrentItem(entry)
            self._ask(entry)

    def _head(self, title: str) -> QTreeWidgetItem:
        head = QTreeWidgetItem([title])
        head.setFlags(Qt.ItemFlag.ItemIsEnabled)
        head.setFont(0, theme.font("heading"))
        head.setSizeHint(0, QSize(0, theme.size("section_header")))
        self.addTopLevelItem(head)
        return head

    def _entry(self, head: QTreeWidgetItem, title: str, place: tuple[str, str]) -> QTreeWidgetItem:
        entry = QTreeWidgetItem([title])
        entry.setData(0, _PLACE, place)
        entry.setSizeHint(0, QSize(0, theme.size("row_list")))
        head.addChild(entry)
        self._entries.append(entry)
        return entry

    @Slot(QTreeWidgetItem)
    def _ask(self, entry: QTreeWidgetItem) -> None:
        place = entry.data(0, _PLACE)
        if place is not None:
            self.asked.emit(*place)
