"""The menu that switches layers of all screens of Review on and off."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from rule_editor.widgets.popup_menu import PopupMenu
from studio.theme import theme
from studio.views.review.columns_controller import ColumnsController
from studio.views.services import WindowServices
from studio.widgets.device_view.header import OVERLAYS
from studio.widgets.device_view.highlight import Overlay


class OverlayMenu(QObject):
    """Opens below the button of the toolbar."""

    def __init__(
        self, columns: ColumnsController, button: QWidget, services: WindowServices, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._views = [column.view for column in columns.columns]
        self._button = button
        services.commander.handle("review.overlays", self.open)

    def open(self) -> None:
        """Show which layers are on."""
        menu = PopupMenu(self._button)
        for overlay, icon, name in OVERLAYS:
            action = menu.addAction(theme.icon(icon), _(name))
            action.setCheckable(True)
            action.setChecked(bool(self._views[0].overlays & overlay))
            action.setData(overlay)
        menu.triggered.connect(self._switch)
        menu.popup(self._button.mapToGlobal(QPoint(0, self._button.height())))

    @Slot(QAction)
    def _switch(self, action: QAction) -> None:
        overlay: Overlay = action.data()
        for view in self._views:
            view.set_overlay(overlay, action.isChecked())
