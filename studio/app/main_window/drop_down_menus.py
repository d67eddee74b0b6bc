"""Menus that drop down from the window's frame: the running jobs, and the recent projects."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from collector.model.i18n import _
from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu
from studio.app.main_window.window_actions import WindowActions
from studio.theme import theme
from studio.views.services import WindowServices


class DropDownMenus(QObject):
    """Opens the menu of jobs beside the ``rail``, and that of projects under their ``switcher``."""

    def __init__(
        self, services: WindowServices, actions: WindowActions, rail: QWidget, switcher: QWidget,
        window: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(window)
        self._services, self._actions = services, actions
        self._rail, self._switcher, self._window = rail, switcher, window

    @Slot()
    def show_jobs(self) -> None:
        """Offer to cancel each job that runs."""
        menu = PopupMenu(self._window)
        for job in self._services.tasks.titled:
            progress = f"  {job.done} / {job.total}" if job.total else ""
            action = menu.addAction(theme.icon("x"), _("Cancel {job}", job=job.title) + progress)
            action.triggered.connect(job.cancel)
        self._drop_down(menu, self._rail.mapToGlobal(self._rail.rect().bottomRight()))

    @Slot()
    def show_projects(self) -> None:
        """Offer the recent projects, and the commands that open and close one."""
        menu = PopupMenu(self._window)
        commander = self._services.commander
        recent = self._services.settings["window.recent-projects"] if commander.exists("project.open") else []
        for path in recent:
            action = menu.addAction(theme.icon("project"), menu_text(Path(path).name))
            action.setToolTip(path)
            action.setData({"run": "project.open", "path": path})
        menu.addSeparator()
        for name in ("project.new", "project.open", "project.open-sample", "project.close"):
            if commander.enabled(name):
                menu.addAction(commander.registry[name].label).setData({"run": name})
        menu.triggered.connect(self._run_entry)
        self._drop_down(menu, self._switcher.mapToGlobal(self._switcher.rect().bottomLeft()))

    def _drop_down(self, menu: QMenu, at: QPoint) -> None:
        if menu.actions():
            menu.popup(at)
        else:
            menu.deleteLater()

    @Slot(QAction)
    def _run_entry(self, action: QAction) -> None:
        arguments = dict(action.data())
        self._actions.run(arguments.pop("run"), **arguments)
