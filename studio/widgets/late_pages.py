"""Pages of which one is on show; each joins the window when it is shown first."""

from __future__ import annotations

import weakref

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget
from shiboken6 import delete


class _Outside(QWidget):
    """The parent of the pages that wait: it is never shown, and they end with it."""

    def __init__(self, pages: LatePages) -> None:
        super().__init__()
        self._pages = weakref.ref(pages)

    @Slot()
    def end(self) -> None:
        """End with the pages at once: what waits would keep the objects of its window until a later turn."""
        delete(self)

    @property
    def place(self) -> QWidget:
        """Where the pages will be."""
        pages = self._pages()
        return self if pages is None else parent_of_dialog(pages)


def parent_of_dialog(widget: QWidget) -> QWidget:
    """The widget, or where its page will be while that has not joined the window.

    A dialog of such a page would have neither the style of the window nor its place, and would not be modal.
    """
    window = widget.window()
    return window.place if isinstance(window, _Outside) else widget


class LatePages(QStackedWidget):
    """Keeps pages out of the window until they are shown, by their places.

    Qt styles every widget of a window when the window is, on show or not: of a workspace with many tabs that
    takes longer than all that the person sees.
    """

    def __init__(self) -> None:
        super().__init__()
        self._outside = _Outside(self)
        self.destroyed.connect(self._outside.end)
        self._waiting: dict[int, tuple[QWidget, QWidget]] = {}
        """By place the page that waits, and what stands in for it."""

    def add_page(self, page: QWidget) -> None:
        """Add a page behind the others; the first is on show."""
        page.setParent(self._outside)
        stand_in = QWidget()
        place = self.addWidget(stand_in)
        self._waiting[place] = page, stand_in
        if place == 0:
            self.show_page(0)

    @Slot(int)
    def show_page(self, place: int) -> None:
        """Bring the page at a place to the front."""
        if place in self._waiting:
            page, stand_in = self._waiting.pop(place)
            fields = _fields_in(page)
            self.insertWidget(place, page)
            # What joins a window comes last for the Tab key there: it goes to where the stand-in is.
            stand_in.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # or it has no place
            for before, field in zip((stand_in, *fields), fields, strict=False):
                QWidget.setTabOrder(before, field)
            self.removeWidget(stand_in)
            stand_in.deleteLater()
        self.setCurrentIndex(place)


def _fields_in(page: QWidget) -> list[QWidget]:
    """The widgets of a page that take the keyboard, in the order of the Tab key."""
    found, widget = list[QWidget](), page
    while True:
        is_inside = widget is page or page.isAncestorOf(widget)
        if is_inside and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            found.append(widget)
        widget = widget.nextInFocusChain() or page
        if widget is page:
            return found
