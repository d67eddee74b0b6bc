"""The commands for the episodes behind the selected number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication

from collector.metrics.report import CountedSubject
from collector.model.i18n import ngettext
from collector.store.catalogue.catalogue_row import CatalogueRow
from studio.bridge.while_alive import while_alive
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
        handle("metrics.go-to-episodes", panel.focus_list)
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
        """Open the chosen episode in Review; a trajectory on which judges differ at the step in question."""
        episode, subject = self._panel.current, self._panel.subject
        project = self._session.project_library.project
        if project is not None and subject is not None:
            self._session.numbers.locate(project, subject, self._open_subject)
        elif project is not None and episode is not None:
            self._session.numbers.read_rows("open", project, [episode.key], self._open_folder)

    def _open_folder(self, rows: Mapping[int, CatalogueRow]) -> None:
        for row in rows.values():
            self._services.run_command("review.open", folder=row.folder)

    def _open_subject(self, subject: CountedSubject) -> None:
        step = str(subject.window[1]) if subject.window is not None else ""
        self._services.run_command("review.open", folder=str(subject.folder), step=step)

    def copy(self) -> None:
        """Copy the folders of all that is listed, each once, one a line, in their order."""
        project, keys = self._session.project_library.project, self._panel.model.keys
        if project is None:
            return
        if subjects := self._panel.subject_model.subjects:
            self._copy([subject.folder.relative_to(project.folder).as_posix() for subject in subjects])
            return

        def deliver(rows: Mapping[int, CatalogueRow]) -> None:
            self._copy([rows[key].folder for key in keys if key in rows])

        self._session.numbers.read_rows("copy", project, keys, while_alive(self, deliver))

    def _copy(self, listed: Iterable[str]) -> None:
        folders = list(dict.fromkeys(listed))
        QGuiApplication.clipboard().setText("".join(f"{folder}\n" for folder in folders))
        count = len(folders)
        self._services.toasts.show(
            "ok", ngettext("{count} folder is copied", "{count} folders are copied", count)
        )
