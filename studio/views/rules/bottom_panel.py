"""The panel below the rule, with two pages: the back-test and the rehearsal."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from studio.widgets.controls import SegmentedControl
from studio.widgets.late_pages import LatePages

BACKTEST, REHEARSAL = "backtest", "rehearsal"


class RulesBottomPanel(LatePages):
    """A stack of pages; each page carries a switch to the other one."""

    page_wanted = Signal()
    """A page was asked for: the panel is to be opened when it is folded."""

    def __init__(self) -> None:
        super().__init__()
        self.switches: list[SegmentedControl] = []
        self._pages: list[str] = []

    def make_switch(self) -> SegmentedControl:
        """Return a switch between the pages, for the head of a page."""
        switch = SegmentedControl([(BACKTEST, _("Back-test"), ""), (REHEARSAL, _("Rehearsal"), "")])
        switch.chosen.connect(self.turn_to)
        self.switches.append(switch)
        return switch

    def add_named_page(self, name: str, page: QWidget) -> None:
        """Add the page that the switches call ``name``."""
        self._pages.append(name)
        self.add_page(page)

    @property
    def page(self) -> str:
        """Name of the page on show."""
        return self._pages[self.currentIndex()]

    @Slot(str)
    def turn_to(self, name: str) -> None:
        """Show a page; keyboard focus on a switch moves to the switch of that page."""
        by_key = self.window().focusWidget() in self.switches
        self.show_page(self._pages.index(name))
        for switch in self.switches:
            switch.set_current(name)
        if by_key:
            self.switches[self.currentIndex()].setFocus()
        self.page_wanted.emit()
