"""The command *What is this?*: it explains the workspace in front."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _
from studio.app.guide_controller import GuideController
from studio.app.main_window.window import MainWindow
from studio.commands.commander import Commander
from studio.commands.workspaces import AVAILABLE_WORKSPACES
from studio.views.workspace_help import HELP, WorkspaceHelpDialog


class WorkspaceHelpController(QObject):
    """Handles ``help.workspace``."""

    def __init__(self, commander: Commander, guide: GuideController, parent: QObject) -> None:
        super().__init__(parent)
        self._guide = guide
        commander.handle("help.workspace", self.explain)

    def attach(self, window: MainWindow) -> None:
        """Set the window. Commands are handled before it is built."""
        self._window = window

    def explain(self) -> None:
        """Explain the workspace in front; the first one while the settings are."""
        current = self._window.current
        workspace = current.scope if current is not None else next(iter(HELP))
        entry = next(entry for entry in AVAILABLE_WORKSPACES if entry.id == workspace)
        title = _("What is this? {workspace}", workspace=entry.label)
        dialog = WorkspaceHelpDialog(workspace, title, self._window)
        dialog.page_asked.connect(self._guide.open_page)
        dialog.tour_asked.connect(self._start_tour)
        dialog.open()

    @Slot()
    def _start_tour(self) -> None:
        self._window.services.run_command("tour.start")
