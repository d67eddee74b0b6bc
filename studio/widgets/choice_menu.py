"""A menu of choices that stays open while several of them are checked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu

_PRESSES = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ChoiceMenu(PopupMenu):
    """Choices of several leave it open; a choice of one among several closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setToolTipsVisible(True)

    def add_check(
        self, text: str, checked: bool, choose: Callable[[bool], object], *, note: str = "", tip: str = ""
    ) -> QAction:
        """Add a choice that can be checked beside others; ``note`` stands at the right."""
        action = self._added(text, checked, note, tip)
        action.setProperty("stays", True)
        action.toggled.connect(choose)
        return action

    def add_radio(
        self, group: QActionGroup, text: str, checked: bool, choose: Callable[[], object], *, tip: str = ""
    ) -> QAction:
        """Add one choice of a group."""
        action = self._added(text, checked, "", tip)
        group.addAction(action)
        action.triggered.connect(partial(_choose, choose))
        return action

    def _added(self, text: str, checked: bool, note: str, tip: str) -> QAction:
        action = self.addAction(menu_text(text) + (f"\t{note}" if note else ""))
        action.setCheckable(True)
        action.setChecked(checked)
        action.setToolTip(tip)
        return action

    def add_part(self, title: str) -> ChoiceMenu:
        """Add a menu of choices that belong together, beside this one."""
        part = ChoiceMenu(self)
        part.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        part.setTitle(menu_text(title))
        self.addMenu(part)
        return part

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if not self._press(self.actionAt(event.position().toPoint())):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() not in _PRESSES or not self._press(self.activeAction()):
            super().keyPressEvent(event)

    @staticmethod
    def _press(action: QAction | None) -> bool:
        """Check or uncheck a choice without closing the menu; False for what is no such choice."""
        if action is None or not action.isEnabled() or not action.property("stays"):
            return False
        action.trigger()
        return True


def _choose(choose: Callable[[], object], *_checked: object) -> None:
    choose()
