"""Thumbnails of trajectories: their last screenshots, read and scaled off the GUI thread.

In a project of many runs those of runs are read when their cards are chosen: such a project opens without
opening a file of a run.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QSize, Slot
from PySide6.QtGui import QImage

from collector.model.errors import UserError
from collector.model.trajectory import RUN
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from collector.store.trajectory.reader import open_trajectory
from studio.bridge.pictures import thumbnail
from studio.views.services import WindowServices
from studio.widgets.thumbnail_cache import ThumbnailCache

MOST_RUNS = 200
"""A project with more runs has many."""


class TrajectoryThumbnails(QObject):
    """Fills ``thumbnails``. A key is the folder of a trajectory, relative to the project."""

    def __init__(self, services: WindowServices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._postponed: set[str] = set()
        self._chosen: set[str] = set()
        self.thumbnails = ThumbnailCache(self)
        self.thumbnails.box = QSize(144, 320)
        self.thumbnails.requested.connect(self._load)

    @Slot(object)
    def _load(self, key: str) -> None:
        snapshot = self._services.project_library.snapshot
        if snapshot is None:
            return
        many = snapshot.counts.get(RUN, 0) > MOST_RUNS
        runs = {row.folder for row in snapshot.recent if row.kind == RUN}
        if many and key in runs and key not in self._chosen:
            self._postponed.add(key)
        else:
            self._read(key, snapshot)

    @Slot(object)
    def read_chosen(self, row: CatalogueRow) -> None:
        """Read the thumbnail of a card that was chosen, if it was not read with the others."""
        snapshot = self._services.project_library.snapshot
        self._chosen.add(row.folder)
        if row.folder in self._postponed and snapshot is not None:
            self._postponed.remove(row.folder)
            self._read(row.folder, snapshot)

    def _read(self, key: str, snapshot: ProjectSnapshot) -> None:
        folder, box = snapshot.folder / key, self.thumbnails.box
        self._services.tasks.run(lambda _job: (key, last_screenshot(folder, box)), success=self._loaded)

    @Slot(object)
    def _loaded(self, result: tuple[str, QImage]) -> None:
        self.thumbnails.deliver(*result)


def last_screenshot(folder: Path, box: QSize) -> QImage:
    """Return the last screenshot of a trajectory, scaled to cover ``box``; a null image when it has none."""
    try:
        stored = open_trajectory(folder)
        for step in reversed(stored.steps):
            if step.state.screenshot:
                image = thumbnail(stored.screenshot(step), box)
                if not image.isNull():
                    return image
    except UserError:
        # The list shows that the trajectory is damaged.
        return QImage()
    return QImage()
