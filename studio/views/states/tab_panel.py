"""A panel with a bar of tabs over its pages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from studio.views.services import WindowServices
from studio.views.states.session import StatesSession
from studio.views.states.tabs import StatesTab
from studio.widgets.controls import Tabs, surface
from studio.widgets.late_pages import LatePages


class StatesTabPanel(QFrame):
    """Builds the widget of every tab at once: each follows the session also while it is not on show."""

    shown = Signal(str)
    """The person chose the tab with this id."""

    def __init__(
        self, entries: Sequence[StatesTab], session: StatesSession, services: WindowServices, edge: str
    ) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setProperty("edge", edge)
        self._ids = [entry.id for entry in entries]
        self.tabs = Tabs([entry.label for entry in entries])
        self._pages = LatePages()
        self._widgets: dict[str, QWidget] = {}
        for place, entry in enumerate(entries):
            page = entry.widget(session, services)
            self._pages.add_page(page)
            self._widgets[entry.id] = page
            counted = getattr(page, "count_changed", None)
            if counted is not None:
                counted.connect(partial(self.tabs.set_count, place))
        head = surface("panel", "bottom")
        self.head = QHBoxLayout(head)
        self.head.setContentsMargins(0, 0, 8, 0)
        self.head.setSpacing(8)
        self.head.addWidget(self.tabs)
        self.head.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._pages, 1)
        self.tabs.changed.connect(self._pages.show_page)
        self.tabs.pressed.connect(self._pressed)

    def page(self, tab_id: str) -> QWidget:
        """The widget of a tab."""
        return self._widgets[tab_id]

    @property
    def current(self) -> str:
        """Id of the tab on show."""
        return self._ids[self.tabs.current]

    def show_tab(self, tab_id: str) -> None:
        """Bring a tab to the front."""
        self.tabs.set_current(self._ids.index(tab_id))

    def _pressed(self, index: int) -> None:
        self.shown.emit(self._ids[index])
