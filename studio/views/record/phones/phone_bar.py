"""The bar over the phones: a tab for each, a button for one more, and whether input goes to all of them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from collector.model.i18n import _, ngettext
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.views.record.phones.phone_tab import PhoneTab
from studio.views.record.phones.window_phone import WindowPhone
from studio.widgets.controls import Button
from studio.widgets.icon_button import IconButton

_LEAST_TAB = 150
"""Logical pixels of a tab below which the words beside the tabs give way."""


class PhoneBar(QWidget):
    """Hidden while the window has one phone or none."""

    chosen = Signal(str)
    close_asked = Signal(str)
    add_asked = Signal()
    mirror_asked = Signal()
    tiles_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs: dict[str, PhoneTab] = {}
        self._mirrored = 0
        self.setFixedHeight(theme.size("tab"))
        self.setAccessibleName(_("Phones"))
        self.add = IconButton("plus", _("Add a phone"), size=24)
        self.tiles = IconButton("split", _("Phones side by side"), size=24, checkable=True)
        self.mirror = Button(_("Mirror input"), "share", small=True)
        self.mirror.setCheckable(True)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 8, 0)
        self._row.setSpacing(4)
        for widget in (self.add, None, self.tiles, self.mirror):
            if widget is None:
                self._row.addStretch(1)
            else:
                self._row.addWidget(widget)
        self.add.clicked.connect(self.add_asked)
        self.tiles.clicked.connect(self.tiles_asked)
        self.mirror.clicked.connect(self.mirror_asked)
        theme.changed.connect(self.update)
        self.show_mirroring(0)

    def show_phones(self, phones: Iterable[WindowPhone], front: str) -> None:
        """Show these phones, the one of the serial ``front`` as the one in front."""
        shown = {facts.serial: facts for facts in phones}
        for serial in [serial for serial in self.tabs if serial not in shown]:
            tab = self.tabs.pop(serial)
            tab.hide()
            tab.deleteLater()
        for place, facts in enumerate(shown.values()):
            tab = self.tabs.get(facts.serial) or self._new_tab(facts)
            tab.show_facts(facts, is_front=facts.serial == front)
            if self._row.indexOf(tab) != place:
                self._row.insertWidget(place, tab)
        self.tabs = {serial: self.tabs[serial] for serial in shown}
        self.setVisible(len(shown) > 1)
        self._fit()

    def show_tiles(self, *, shown: bool, possible: bool) -> None:
        """Show whether the phones stand side by side, and whether there is room for that."""
        self.tiles.setChecked(shown)
        name = _("Phones side by side") if possible or not shown else _("Phones side by side: no room now")
        self.tiles.setToolTip(name)
        self.tiles.setAccessibleName(name)

    def show_mirroring(self, phones: int) -> None:
        """Show to how many phones the input goes; 0 while it goes to the one in front alone."""
        self._mirrored = phones
        on = bool(phones)
        self.mirror.setChecked(on)
        text = ngettext("Input goes to {count} phone", "Input goes to {count} phones", phones)
        self.mirror.set_face(text if on else _("Mirror input"), "share")
        self.mirror.setToolTip(
            _("Taps, keys and texts go to every phone of the window; press to end that")
            if on
            else _("Send taps, keys and texts to every phone of the window")
        )
        self.mirror.setAccessibleName(_("Mirror input to all phones"))
        self._fit()
        self.update()

    def _new_tab(self, facts: WindowPhone) -> PhoneTab:
        tab = self.tabs[facts.serial] = PhoneTab(facts, self)
        tab.chosen.connect(self.chosen)
        tab.close_asked.connect(self.close_asked)
        return tab

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Show the switch by its icon alone where the tabs need the room; while it is on, its words stay."""
        self.mirror.set_compact(False)
        beside = self.add.width() + self.tiles.width() + self.mirror.sizeHint().width() + 40
        is_narrow = self.width() - beside < _LEAST_TAB * len(self.tabs)
        self.mirror.set_compact(is_narrow and not self._mirrored)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.fillRect(self.rect(), theme.color("warn-weak" if self._mirrored else "bg-1"))
        line = 2 if self._mirrored else 1
        tone = "warn" if self._mirrored else "line"
        painter.fillRect(0, self.height() - line, self.width(), line, theme.color(tone))
