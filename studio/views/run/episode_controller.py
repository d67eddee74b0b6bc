"""The commands for the selected episode: open it in Review, and show its log."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.errors import UserError
from collector.model.i18n import _
from studio.views.run.log_panel import LogPanel
from studio.views.run.session import RunSession
from studio.views.services import WindowServices


class EpisodeController(QObject):
    """Opens the trajectory of the selected cell at the step that the log shows."""

    log_asked = Signal()
    """Show the log, or fold it."""

    def __init__(self, session: RunSession, services: WindowServices, log: LogPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._services, self._log = session, services, log
        services.commander.handle("run.open-episode", self.open)
        services.commander.handle("run.show-log", self.log_asked.emit)
        log.step_opened.connect(self._open_step)

    def open(self) -> None:
        """Open the episode at the step of the chosen line of its log. Raises UserError."""
        folder = self._session.trajectory_folder(self._session.selected_cell)
        if folder is None:
            raise UserError(_("This cell was not run yet"), "", _("Start the experiment"))
        chosen = self._log.view.current_step
        step = str(chosen - 1) if chosen > 0 else ""
        self._services.commander.run("review.open", folder=str(folder), step=step)

    @Slot(int)
    def _open_step(self, _step: int) -> None:
        self._services.run_command("run.open-episode")
