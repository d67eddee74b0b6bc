"""The guide beside the window: contents and search at the left, the page at the right, and the way back."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from collector.guide.contents import ADDRESS
from collector.guide.guide import Guide
from collector.guide.search import GuideIndex
from collector.model.i18n import _
from rule_editor.widgets.field_names import add_clear_button
from studio.views.guide.guide_list import GuideList
from studio.views.guide.page_view import PageView
from studio.widgets.controls import Label, surface
from studio.widgets.icon_button import IconButton
from studio.widgets.window_frame.panel_splitter import PanelSplitter

_LIST_WIDTH, _WIDTH, _HEIGHT = 260, 1080, 760


@dataclass(slots=True)
class _Visit:
    """A page that was shown, and how far it was scrolled when it was left."""

    page: str
    anchor: str = ""
    scrolled: int | None = None


class GuideWindow(QDialog):
    """It stays open while the person works in the window of the studio."""

    address_asked = Signal(str)
    """A link leads out of the guide."""

    def __init__(self, guide: Guide, index: GuideIndex, parent: QWidget) -> None:
        super().__init__(parent)
        self._guide, self._index = guide, index
        self._visits: list[_Visit] = []
        self._place = -1
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowMinMaxButtonsHint)
        self.setWindowTitle(_("Guide"))
        self._build_list()
        self.view = PageView(guide.root)
        self.view.link_followed.connect(self._follow)
        self._lay_out()
        for keys, act in (
            ("Alt+Left", self.go_back), ("Alt+Right", self.go_forward), ("Alt+Home", self.show_contents),
            ("Ctrl+F", self.search.setFocus),
        ):  # fmt: skip
            QShortcut(QKeySequence(keys), self).activated.connect(act)
        self.view.setFocus()
        room = parent.window().size()
        self.resize(min(_WIDTH, room.width()), min(_HEIGHT, room.height()))

    def _build_list(self) -> None:
        hint = _("Search the guide")
        self.search = QLineEdit()
        self.search.setPlaceholderText(hint)
        self.search.setAccessibleName(hint)
        self.search.setToolTip("Ctrl+F")
        add_clear_button(self.search)
        self.list = GuideList(self._guide)
        self.nothing = Label(_("No page has all of these words"), "body", "text-2", wrap=True)
        self.nothing.hide()
        self.search.textChanged.connect(self._search)
        self.search.returnPressed.connect(self.list.open_first)
        self.list.asked.connect(self._open_entry)

    def _lay_out(self) -> None:
        self.back = IconButton("chevl", _("Back"))
        self.forward = IconButton("chevr", _("Forward"))
        self.home = IconButton("list", _("Contents of the guide"))
        self.title = Label("", "name", cut=True)
        bar = surface("bar", "bottom")
        row = QHBoxLayout(bar)
        row.setContentsMargins(8, 5, 12, 5)
        row.setSpacing(4)
        for button, act, keys in (
            (self.back, self.go_back, "Alt+Left"), (self.forward, self.go_forward, "Alt+Right"),
            (self.home, self.show_contents, "Alt+Home"),
        ):  # fmt: skip
            button.setToolTip(f"{button.accessibleName()}  {keys}")
            button.clicked.connect(act)
            row.addWidget(button)
        row.addSpacing(8)
        row.addWidget(self.title, 1)
        left = surface("panel")
        inside = QVBoxLayout(left)
        inside.setContentsMargins(8, 8, 8, 0)
        inside.setSpacing(6)
        inside.addWidget(self.search)
        inside.addWidget(self.nothing)
        inside.addWidget(self.list, 1)
        parts = PanelSplitter(Qt.Orientation.Horizontal)
        parts.addWidget(left)
        parts.addWidget(self.view)
        parts.setStretchFactor(1, 1)
        parts.setSizes([_LIST_WIDTH, _WIDTH - _LIST_WIDTH])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(parts, 1)

    # -- pages -------------------------------------------------------------
    def show_page(self, path: str, anchor: str = "") -> None:
        """Show a page, from a heading; the one before is behind *Back*."""
        self._leave()
        here = self._visits[self._place] if self._visits else None
        if here is None or (here.page, here.anchor) != (path, anchor):
            del self._visits[self._place + 1 :]
            self._visits.append(_Visit(path, anchor))
            self._place = len(self._visits) - 1
        self._visits[self._place].scrolled = None
        self._show_visit()

    @Slot()
    def show_contents(self) -> None:
        """Show the first page."""
        self.show_page(self._guide.contents.path)

    @Slot()
    def go_back(self) -> None:
        """Show the page before."""
        self._step(-1)

    @Slot()
    def go_forward(self) -> None:
        """Show the page that the person came back from."""
        self._step(1)

    def _step(self, by: int) -> None:
        if 0 <= self._place + by < len(self._visits):
            self._leave()
            self._place += by
            self._show_visit()

    def _leave(self) -> None:
        if self._visits:
            self._visits[self._place].scrolled = self.view.verticalScrollBar().value()

    def _show_visit(self) -> None:
        visit = self._visits[self._place]
        page = self._guide.pages[visit.page]
        self.view.show_page(page, visit.anchor, self.search.text())
        if visit.scrolled is not None:
            self.view.verticalScrollBar().setValue(visit.scrolled)
        self.title.setText(page.title)
        self.setWindowTitle(_("{page} - Guide", page=page.title))
        if not self.search.text():
            self.list.select_page(visit.page)
        self.back.setEnabled(self._place > 0)
        self.forward.setEnabled(self._place + 1 < len(self._visits))

    @Slot(str, str)
    def _open_entry(self, path: str, anchor: str) -> None:
        self.show_page(path, anchor)

    @Slot(str)
    def _follow(self, link: str) -> None:
        if ADDRESS.match(link):
            self.address_asked.emit(link)
            return
        path, anchor = self._guide.pages[self._visits[self._place].page].target(link)
        if path in self._guide.pages:
            self.show_page(path, anchor)

    # -- search ------------------------------------------------------------
    @Slot(str)
    def _search(self, words: str) -> None:
        hits = self._index.find(words)
        if words.strip():
            self.list.show_hits(hits)
        else:
            self.list.show_contents()
            self.list.select_page(self._visits[self._place].page)
        self.nothing.setVisible(bool(words.strip()) and not hits)
