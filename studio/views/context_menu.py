"""Context menus of lists, tables and timelines, by right click, menu key or Shift+F10."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QWidget

from studio.views.services import WindowServices
from studio.widgets.commands.command_menu import CommandGroups, CommandMenu

Choose = Callable[[QPoint | None], QPoint | None]
"""Select what is at a point (None: what is current); return where the menu belongs, or None for no menu."""


class ContextMenu(QObject):
    """Opens a menu of commands on a widget, after the thing under the pointer was selected."""

    def __init__(
        self, widget: QWidget, groups: CommandGroups, services: WindowServices, choose: Choose
    ) -> None:
        super().__init__(widget)
        self._widget, self._groups, self._services, self._choose = widget, groups, services, choose
        self._surface = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
        widget.installEventFilter(self)
        if self._surface is not widget:
            self._surface.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if not isinstance(event, QContextMenuEvent):
            return super().eventFilter(watched, event)
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        if watched is self._widget and watched is not self._surface and not by_key:
            return False  # the header of a table, not its rows
        place = self._choose(None if by_key else event.pos())
        if place is None:
            return False
        menu = CommandMenu(self._services.commander, self._groups, self._services.run_command, self._widget)
        menu.popup(self._surface.mapToGlobal(place))
        event.accept()
        return True


def item_choice(
    view: QAbstractItemView, accepts: Callable[[QModelIndex], bool] = QModelIndex.isValid
) -> Choose:
    """Select a row, unless it is selected. Rows that ``accepts`` refuses have no menu."""

    def choose(at: QPoint | None) -> QPoint | None:
        index = view.currentIndex() if at is None else view.indexAt(at)
        if not index.isValid() or not accepts(index):
            return None
        selection = view.selectionModel()
        if not selection.isSelected(index):
            flags = QItemSelectionModel.SelectionFlag
            selection.setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        return view.visualRect(index).center() if at is None else at

    return choose
