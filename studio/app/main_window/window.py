"""The main window: menu bar, rail, workspaces, status bar, and the palette and toasts over them.

It paints before its workspaces exist: their modules, and those of what stands behind them, are imported by
:meth:`MainWindow.load` and by the methods that need them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.app.main_window.focus_order import focus_next, leave_hidden
from studio.app.main_window.menu_bar import MenuBar
from studio.app.main_window.window_actions import WindowActions
from studio.app.main_window.window_state import WindowState, tabs_of
from studio.commands.commander import Commander
from studio.commands.workspaces import AVAILABLE_WORKSPACES, WORKSPACES, WorkspaceEntry
from studio.settings import Settings
from studio.theme import theme
from studio.views.panel_layout import Panel
from studio.widgets.window_frame.navigation_rail import NavigationRail
from studio.widgets.window_frame.notification_bell import NotificationBell
from studio.widgets.window_frame.status_bar import StatusBar, StatusItem
from studio.widgets.window_frame.toasts import Toasts

if TYPE_CHECKING:
    from studio.commands.search import PaletteEntry
    from studio.views.services import AppServices, WindowServices
    from studio.views.settings_page import SettingsPage
    from studio.views.workspace import Workspace

_FIRST_SIZE = QSize(1600, 1000)


def work_area(window: QWidget) -> QSize:
    """Size of the screen of a window without bars and docks; the offscreen platform limits no window."""
    if QGuiApplication.platformName() == "offscreen":
        return QSize(_FIRST_SIZE)
    return window.screen().availableSize()


class MainWindow(QMainWindow):
    """Shows one workspace at a time. Those that are not among ``entries`` are disabled in the rail.

    A new window is empty, and its commands are disabled, until :meth:`load`.
    """

    closing = Signal()
    """It begins to close, which ends the program."""
    services: WindowServices

    def __init__(
        self,
        commander: Commander,
        settings: Settings,
        entries: Sequence[WorkspaceEntry] = AVAILABLE_WORKSPACES,
    ) -> None:
        super().__init__()
        theme.dress(self)
        self.setWindowTitle("Waymark Studio")
        self.setWindowIcon(theme.icon("mark", size=20))
        self.setMinimumSize(960, 600)
        self._fit_screen()
        self.menu = MenuBar(commander.registry.shown_keys("view.palette"))
        self.rail = NavigationRail()
        self.status = StatusBar()
        self._stack = QStackedWidget()
        # Assistive technology sees only the front page of a stack: what floats over it needs another parent.
        self._overlay_host = QWidget()
        self._build()
        self.toasts = Toasts(self._overlay_host)
        self.toasts.keep_within(self._toast_area)
        self._bell = NotificationBell(self.toasts.log)
        self.status.append_right(self._bell)
        self.is_loaded = False
        self._settings_page: SettingsPage | None = None
        self._settings_search = ""
        self.workspaces: dict[str, Workspace] = {}
        self._places: dict[str, Any] = settings["window.layout"]
        self._entries = {entry.id: entry for entry in entries}
        for panel in Panel:
            self.menu.show_panel(panel, exists=False, shown=False, name="")
        self._fill_rail()
        self.actions_of_window = WindowActions(commander, self, self.toasts)
        self.actions_of_window.fill(self.menu.menus)
        self._restore()
        self.status.set_item("device", StatusItem(_("no device"), "state-todo"))

    def load(self, services: AppServices, kept: WindowState | None = None) -> None:
        """Build every workspace that is not lazy, is alone, or was built in the window that left ``kept``."""
        from studio.app.main_window.drop_down_menus import DropDownMenus
        from studio.app.main_window.palette_controller import PaletteController
        from studio.app.main_window.undo_controller import UndoController
        from studio.views.inject.controller import InjectController
        from studio.views.trajectory_edits.edit_controller import EditController
        from studio.widgets.window_frame.command_palette import CommandPalette

        self.is_loaded = True
        self.services = services.in_window(self.toasts, self.status)
        self._palette = CommandPalette(self.palette_entries, self._centre, self._phone_rect)
        self._finder = PaletteController(self._palette, self.services, self._unbuilt, lambda: self.current)
        self.inject = InjectController(self.services, self._centre, self._phone_rect)
        self._drop_downs = DropDownMenus(
            self.services, self.actions_of_window, self.rail, self.menu.project, self
        )
        self._undo = UndoController(self.services, lambda: self.current, self)
        self._edits = EditController(self.services, lambda: self.current, self)
        self._handle_commands()
        self._connect()
        is_alone = len(self._entries) == 1
        built = [
            entry.id
            for entry in self._entries.values()
            if not entry.lazy or is_alone or (kept is not None and entry.id in kept.workspaces)
        ]
        # A lazy workspace would slow this start: it does not come back to the front.
        front = str(self._places.get("front", ""))
        self.show_workspace(front if front in built else built[0])
        self._paint_now()
        for name in built:
            self.workspace(name)

    def _paint_now(self) -> None:
        """Show the workspace in front before the others are built, without handling any input."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        self.repaint()

    def _build(self) -> None:
        centre = self._centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self.rail)
        stage = QVBoxLayout(self._overlay_host)
        stage.setContentsMargins(0, 0, 0, 0)
        stage.addWidget(self._stack)
        row.addWidget(self._overlay_host, 1)
        column.addWidget(self.menu)
        column.addLayout(row, 1)
        column.addWidget(self.status)
        self.setCentralWidget(centre)
        self.menu.leave_alt_to(self)

    def _fill_rail(self) -> None:
        for entry in WORKSPACES:
            present = entry.id in self._entries
            tip = (
                f"{entry.label}  {entry.key}"
                if present
                else _("{title} is not in this version", title=entry.label)
            )
            self.rail.add(entry.id, entry.id, entry.label, tip, enabled=present)

    def _handle_commands(self) -> None:
        handle = self.services.commander.handle
        handle("view.palette", self._open_palette)
        for panel in Panel:
            shown = partial(self._panel_shown, panel)
            handle(f"view.{panel}-panel", partial(self._toggle_panel, panel), checked=shown)
        handle("review.open", self._open_review)
        handle("view.full-screen", self._toggle_full_screen, checked=self.isFullScreen)
        handle("view.theme", self._switch_theme)
        handle("view.notifications", self._show_notifications)
        handle("view.menus", self.menu.open_menus)
        handle("app.settings", self.show_settings)
        handle("help.shortcuts", self._show_keys)
        handle("app.quit", self.close)

    def _connect(self) -> None:
        self.menu.palette_asked.connect(self._open_palette)
        self.menu.panel_asked.connect(self._panel_asked)
        self._bell.clicked.connect(self._show_notifications)
        self.services.project_library.opened.connect(self._show_title)
        self._palette.shortcut_requested.connect(self._ask_keys)
        self._finder.setting_chosen.connect(self.show_setting)
        self._finder.entry_chosen.connect(self._show_entry)
        self.rail.chosen.connect(self.show_workspace)
        self.rail.settings_wanted.connect(self.show_settings)
        self.rail.help_wanted.connect(self._show_keys)
        self.rail.jobs_wanted.connect(self._drop_downs.show_jobs)
        self.menu.project.clicked.connect(self._drop_downs.show_projects)
        tasks = self.services.tasks
        tasks.changed.connect(self._jobs_changed)
        tasks.unhandled.connect(self.toasts.show_error)
        tasks.mended.connect(self.toasts.end_error)
        self.services.project_library.opened.connect(self.toasts.end_all)
        commander = self.services.commander
        for entry in self._entries.values():
            commander.handle(entry.command, partial(self.show_workspace, entry.id))

    # -- workspaces --------------------------------------------------------
    @property
    def current(self) -> Workspace | None:
        """The workspace in front; None while a page such as the settings is."""
        widget = self._stack.currentWidget()
        return next((workspace for workspace in self.workspaces.values() if workspace is widget), None)

    def workspace(self, name: str) -> Workspace:
        """Return a workspace by id; build it if it does not exist yet."""
        from studio.app.main_window.workspaces import workspace_class

        workspace = self.workspaces.get(name)
        if workspace is None:
            # It handles dozens of commands: shortcuts and buttons look at all of them once, at the end.
            with self.services.commander.batch():
                workspace = self.workspaces[name] = workspace_class(self._entries[name])(self.services)
                self._stack.addWidget(workspace)
                workspace.arranged.connect(self.toasts.place)
                self._undo.follow(workspace)
                self._edits.follow(workspace)
                workspace.panels_changed.connect(self._show_panels)
                workspace.restore(self._places.get(name, {}))
        return workspace

    @Slot(str)
    def show_workspace(self, name: str) -> None:
        """Bring a workspace to the front."""
        with self.services.commander.batch():
            workspace, before = self.workspace(name), self.current
            if before is not None and before is not workspace:
                before.deactivate()
            self._stack.setCurrentWidget(workspace)
            self.rail.set_current(name)
            self.services.commander.enter(name)
            workspace.activate()
            self._front_changed()
        if self._settings_page is not None:
            QTimer.singleShot(0, self, self._drop_hidden_settings)

    def _open_review(self, folder: str = "", step: str = "", beside: str = "") -> None:
        """Bring Review to the front with a trajectory; it may not be built yet."""
        from studio.views.review.workspace import ReviewWorkspace

        self.show_workspace(ReviewWorkspace.scope)
        review = self.workspace(ReviewWorkspace.scope)
        assert isinstance(review, ReviewWorkspace)
        review.open_trajectory(folder, step, beside)

    @Slot()
    def show_settings(self) -> None:
        """Bring the settings to the front."""
        if self.current is not None:
            self.current.deactivate()
        self._stack.setCurrentWidget(self.settings_page)
        self.settings_page.setFocus()
        self.rail.set_current("settings")
        self.services.commander.enter("settings")
        self._front_changed()

    def _front_changed(self) -> None:
        self._undo.update()
        self._edits.update()
        self.toasts.place()
        self._show_panels()
        self._show_title()

    @Slot()
    def _show_title(self) -> None:
        """Name the project and the workspace in the title bar, so that windows can be told apart."""
        snapshot = self.services.project_library.snapshot
        project = snapshot.name if snapshot is not None else ""
        current = self.current
        place = self._entries[current.scope].label if current is not None else _("Settings")
        self.setWindowTitle(" - ".join(filter(None, (project, place, "Waymark Studio"))))

    @Slot(str)
    def show_setting(self, key: str) -> None:
        """Bring the settings to the front, at one of them."""
        self.show_settings()
        self.settings_page.reveal(key)

    @Slot(str, str, str)
    def _show_entry(self, name: str, kind: str, entry_id: str) -> None:
        if name in self._entries:
            self.show_workspace(name)
            self.workspace(name).show_entry(kind, entry_id)

    @property
    def settings_page(self) -> SettingsPage:
        """The settings page. It is built on first use: its hundred editors would slow the start."""
        from studio.views.settings_page import SettingsPage

        if self._settings_page is None:
            page = self._settings_page = SettingsPage(
                self.services.settings, self.services.commander.registry, search=self._settings_search
            )
            page.keys_changed.connect(self._rebind)
            self._stack.addWidget(page)
        return self._settings_page

    def _drop_hidden_settings(self) -> None:
        """Delete a hidden settings page: its 2,400 widgets take 40 MB, and long to restyle."""
        page = self._settings_page
        if page is not None and self._stack.currentWidget() is not page:
            self._settings_page, self._settings_search = None, page.keep_state().search
            self._stack.removeWidget(page)
            page.deleteLater()
            QCoreApplication.sendPostedEvents(page, QEvent.Type.DeferredDelete)

    # -- commands ----------------------------------------------------------
    def _unbuilt(self) -> list[str]:
        """Ids of the workspaces that were never in front."""
        return [name for name in self._entries if name not in self.workspaces]

    def palette_entries(self, query: str) -> list[PaletteEntry]:
        return self._finder.entries(query)

    @Slot()
    def _open_palette(self, query: str = "") -> None:
        self._palette.open(query)

    def _panel_shown(self, panel: Panel) -> bool:
        return self.current is not None and self.current.panel_shown(panel)

    @Slot()
    def _show_panels(self) -> None:
        """Show at the top which panels of the workspace are open."""
        current, registry = self.current, self.services.commander.registry
        for panel in Panel:
            command = registry[f"view.{panel}-panel"]
            keys = self.services.commander.shown_keys(command.id)
            self.menu.show_panel(
                panel,
                exists=current is not None and current.has_panel(panel),
                shown=self._panel_shown(panel),
                name=f"{command.label}  {keys}".strip(),
            )

    def _toast_area(self) -> QRect:
        """Where toasts lie: over the centre, or over the right panel where they would cover the phone."""
        current = self.current
        if current is None:
            return self._overlay_host.rect()
        area = current.open_area
        covers_phone = current.phone_rect.right() > area.right() - self.toasts.width
        if covers_phone and not current.phone_rect.isEmpty():
            area.setRight(current.rect().right())
        return area

    def _phone_rect(self) -> QRect:
        """Where the phone's screen is shown, on the widget that hosts the palettes."""
        current = self.current
        if current is None:
            return QRect()
        shown = current.phone_rect
        return QRect(current.mapTo(self._centre, shown.topLeft()), shown.size())

    def _toggle_panel(self, panel: Panel) -> None:
        if self.current is not None:
            self.current.toggle_panel(panel)

    @Slot(str)
    def _panel_asked(self, panel: str) -> None:
        self._toggle_panel(Panel(panel))

    def _toggle_full_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def _switch_theme(self) -> None:
        self._drop_hidden_settings()
        self.services.settings.set("appearance.theme", "light" if theme.scheme == "dark" else "dark")

    @Slot()
    def _show_keys(self) -> None:
        from studio.widgets.window_frame.shortcut_sheet import ShortcutSheet

        ShortcutSheet(self.services.commander, self).open()

    @Slot()
    def _show_notifications(self) -> None:
        """Open the list of the last messages."""
        self.toasts.log.mark_read()
        from studio.widgets.window_frame.notification_dialog import NotificationDialog

        dialog = NotificationDialog(self.toasts.log.messages, self)
        dialog.pressed.connect(self.toasts.log.press)
        dialog.open()

    @Slot()
    def _jobs_changed(self) -> None:
        self.rail.set_jobs(len(self.services.tasks.titled))

    @Slot(str)
    def _ask_keys(self, command_id: str) -> None:
        from studio.widgets.dialogs.shortcut_dialog import ShortcutDialog

        dialog = ShortcutDialog(self.services.commander.registry, command_id, self)
        dialog.bound.connect(self._bind)
        dialog.open()

    @Slot(dict)
    def _bind(self, changed: dict[str, list[str]]) -> None:
        settings = self.services.settings
        settings.set("shortcuts.custom", settings["shortcuts.custom"] | changed)
        self._rebind()

    @Slot()
    def _rebind(self) -> None:
        commander = self.services.commander
        commander.registry.bind(self.services.settings["shortcuts.custom"])
        self.actions_of_window.bind()
        self.menu.show_palette_key(commander.registry.shown_keys("view.palette"))
        # Buttons show shortcuts, too.
        commander.changed.emit(None)

    # -- life --------------------------------------------------------------
    def _fit_screen(self) -> None:
        """Take the first size from the work area of the screen; fill it when it is small."""
        room = work_area(self)
        self.resize(_FIRST_SIZE.boundedTo(room))
        if room != room.expandedTo(_FIRST_SIZE):
            self.setWindowState(self.windowState() | Qt.WindowState.WindowMaximized)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802 - Qt's name
        """Tab goes as the window is read: Qt's own order is the one in which the widgets were built."""
        return leave_hidden(self.current) or focus_next(self._centre, forward=forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Esc leaves a text field that has no other use for it: keys run commands again."""
        if event.key() != Qt.Key.Key_Escape or not self.is_loaded or not self._is_typed_in:
            super().keyPressEvent(event)
            return
        if self.current is not None:
            self.current.take_keyboard()
        if self._is_typed_in:
            self._overlay_host.setFocus()

    @property
    def _is_typed_in(self) -> bool:
        return self.services.commander.keyboard.types

    def _restore(self) -> None:
        geometry = self._places.get("geometry")
        if isinstance(geometry, str):
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode()))

    def hand_over(self) -> WindowState:
        """Close the workspaces, and return what the next window needs to go on here. Delete this one then."""
        ratio, place = self.devicePixelRatioF(), self.geometry()
        pixels = QRect(place.topLeft() * ratio, place.size() * ratio)
        page = self._settings_page if self.current is None else None
        state = WindowState(
            self.current.scope if self.current is not None else "",
            pixels,
            {name: workspace.keep_state() for name, workspace in self.workspaces.items()},
            page.keep_state() if page is not None else None,
            self.toasts.log.messages,
            self.toasts.log.unread,
            {name: [tabs.current for tabs in tabs_of(known)] for name, known in self.workspaces.items()},
        )
        self._leave()
        return state

    def continue_from(self, state: WindowState) -> None:
        """Go on where the window before was; call it once this one is shown."""
        if not self.isMaximized() and not self.isFullScreen():
            ratio = self.devicePixelRatioF()
            self.setGeometry(QRect(state.pixels.topLeft() / ratio, state.pixels.size() / ratio))
        self.toasts.log.take_over(state.notifications, state.unread)
        for name, workspace_state in state.workspaces.items():
            self.workspace(name).take_state(workspace_state)
            for tabs, current in zip(tabs_of(self.workspace(name)), state.tabs[name], strict=False):
                tabs.set_current(current)
        if state.front:
            self.show_workspace(state.front)
        elif state.settings is not None:
            self.show_settings()
            self.settings_page.take_state(state.settings)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        self.closing.emit()
        if self.is_loaded:
            self._leave()
        else:
            self.actions_of_window.close()
        event.accept()

    def _leave(self) -> None:
        """Save the layout, and close the workspaces."""
        geometry = bytes(self.saveGeometry().toBase64().data()).decode()
        front = self.current.scope if self.current is not None else ""
        places: dict[str, object] = {**self._places, "geometry": geometry, "front": front}
        for name, workspace in self.workspaces.items():
            places[name] = workspace.places()
            workspace.close_workspace()
        self.services.settings.set("window.layout", places)
        self.actions_of_window.close()
        self._undo.close()
        self._finder.close()
