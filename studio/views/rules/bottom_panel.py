"""What stands below the rule: the back-test of everything recorded, or the rehearsal on the phone."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from collector.model.i18n import _
from studio.widgets.controls import SegmentedControl

BACKTEST, REHEARSAL = "backtest", "rehearsal"


class RulesBottomPanel(QStackedWidget):
    """``turned(page)`` tells that a person or a command chose the other page."""

    turned = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._switches: list[SegmentedControl] = []
        self._pages: list[str] = []

    def make_switch(self) -> SegmentedControl:
        """The choice of the page, for the head of a page."""
        switch = SegmentedControl([(BACKTEST, _("Back-test"), ""), (REHEARSAL, _("Rehearsal"), "")])
        switch.chosen.connect(self.turn_to)
        self._switches.append(switch)
        return switch

    def add_page(self, name: str, page: QWidget) -> None:
        """Add a page under one of the names the switches offer."""
        self._pages.append(name)
        self.addWidget(page)

    @property
    def page(self) -> str:
        """Name of the page on show."""
        return self._pages[self.currentIndex()]

    @Slot(str)
    def turn_to(self, name: str) -> None:
        """Show a page; the keyboard stays on its switch when it was there."""
        before, by_key = self.page, self.window().focusWidget() in self._switches
        self.setCurrentIndex(self._pages.index(name))
        for switch in self._switches:
            switch.set_current(name)
        if by_key:
            self._switches[self.currentIndex()].setFocus()
        if name != before:
            self.turned.emit(name)
