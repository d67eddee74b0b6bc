"""The last screens of episodes, read off the GUI thread while their rows are on show."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QImage

from studio.views.metrics.session import MetricsSession
from studio.views.project.trajectory_thumbnails import last_screenshot
from studio.views.services import WindowServices
from studio.widgets.thumbnail_cache import ThumbnailCache


class CountedEpisodeThumbnails(QObject):
    """Fills ``thumbnails``. A key is the folder of an episode, relative to the project."""

    def __init__(self, session: MetricsSession, services: WindowServices, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._services = session, services
        self.thumbnails = ThumbnailCache(self)
        self.thumbnails.requested.connect(self._load)

    @Slot(object)
    def _load(self, key: str) -> None:
        folder, box = self._session.folder, self.thumbnails.box
        if folder is None:
            return

        def work(_job: object) -> tuple[Path, str, QImage]:
            return folder, key, last_screenshot(folder / key, box)

        self._services.tasks.run(work, success=self._loaded)

    @Slot(object)
    def _loaded(self, result: tuple[Path, str, QImage]) -> None:
        folder, key, image = result
        if folder == self._session.folder:
            self.thumbnails.deliver(key, image)
