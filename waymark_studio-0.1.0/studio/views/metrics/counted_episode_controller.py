"""The commands for the episodes behind the selected number."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication

from collector.model.i18n import ngettext
from collector.store.catalogue.catalogue_row import CatalogueRow
from studio.views.metrics.episodes_panel import EpisodesPanel
from studio.views.metrics.session import MetricsSession
from studio.views.services import WindowServices


class CountedEpisodeController(QObject):
    """Opens an episode in Review, and copies the folders of the listed ones."""

    def __init__(
        self, session: MetricsSession, services: WindowServices, panel: EpisodesPanel, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._services, self._panel = session, services, panel
        handle = services.commander.handle
        handle("metrics.go-to-episodes", panel.list.setFocus)
        handle("metrics.open-episode", self.open)
        handle("metrics.copy-episodes", self.copy)
        panel.open_asked.connect(self._open_chosen)
        panel.open_button.clicked.connect(self._open_chosen)
        panel.copy_button.clicked.connect(self._copy_clicked)

    @Slot()
    def _open_chosen(self) -> None:
        self._services.run_command("metrics.open-episode")

    @Slot()
    def _copy_clicked(self) -> None:
        self._services.run_command("metrics.copy-episodes")

    def open(self) -> None:
        """Open the chosen episode in Review."""
        episode, project = self._panel.current, self._session.project_library.project
        if episode is not None and project is not None:
            self._session.numbers.read_rows("open", project, [episode.key], self._open_folder)

    def _open_folder(self, rows: Mapping[int, CatalogueRow]) -> None:
        for row in rows.values():
            self._services.run_command("review.open", folder=row.folder)

    def copy(self) -> None:
        """Copy the folders of all listed episodes, one a line, in their order."""
        project, keys = self._session.project_library.project, self._panel.model.keys
        if project is None:
            return

        def deliver(rows: Mapping[int, CatalogueRow]) -> None:
            folders = [rows[key].folder for key in keys if key in rows]
            QGuiApplication.clipboard().setText("".join(f"{folder}\n" for folder in folders))
            count = len(folders)
            self._services.toasts.show(
                "ok", ngettext("{count} folder is copied", "{count} folders are copied", count)
            )

        self._session.numbers.read_rows("copy", project, keys, deliver)
