"""Load the screens of recorded states: screenshots, trees and thumbnails are read off the GUI thread."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Signal, Slot
from PySide6.QtGui import QImage

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.byte_bounded_cache import ByteBoundedCache
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.trajectory import State, Step
from collector.model.tree import Tree
from collector.pictures.formats import read_picture_file
from collector.pictures.picture_bytes import read_picture_bytes
from collector.store.files.errors import StoreError
from collector.store.files.zip_path import ZipPath, file_inside
from studio.bridge import Job, JobRunner
from studio.bridge.pictures import image_or_null, read_image, thumbnail
from studio.widgets.thumbnail_cache import ThumbnailCache

_BUDGET = 10 * 1024 * 1024
"""Bytes of the screens that are kept: three of 720 x 1600. Views keep what they show, others come anew."""
_TREE_SHARE = 4
"""Bytes that a tree and its index take for each byte of their XML."""
_MAX_BYTES = 64 * 1024 * 1024
_Key = tuple[Path | ZipPath, str, str]
"""The files of a trajectory, and the names of the screenshot and the tree in them."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredScreen:
    """A recorded state ready to be painted. ``image`` is null when it has no screenshot."""

    image: QImage
    size: Size
    """Of the screenshot in pixels, 0 by 0 without one; the image of a large one is smaller."""
    tree: Tree | None
    index: SpatialIndex | None
    problem: str = ""
    """Why its tree cannot be read, in a sentence."""
    picture_problem: str = ""
    """Why its screenshot cannot be shown, in sentences."""
    tree_bytes: int = 0
    """About how much memory the tree and its index take."""

    @property
    def byte_count(self) -> int:
        """Memory that the screen takes."""
        return self.image.sizeInBytes() + self.tree_bytes


class StoredScreenCache(ByteBoundedCache[_Key, StoredScreen]):
    """Screens that were loaded, within ``budget`` bytes; several :class:`StoredScreens` can share it."""

    def __init__(self, budget: int = _BUDGET) -> None:
        super().__init__(budget, lambda screen: screen.byte_count)


class StoredScreens(QObject):
    """Loads the screens of one trajectory. Of several requests the last one arrives last."""

    arrived = Signal(object, object)
    """A Step and its StoredScreen."""

    def __init__(
        self,
        runner: JobRunner,
        parent: QObject | None,
        cache: StoredScreenCache | None,
        thumbnails: StateThumbnails | None = None,
    ) -> None:
        """Without a ``cache`` no screen is kept. With ``thumbnails`` their owner says which they follow."""
        super().__init__(parent)
        self._owns_thumbnails = thumbnails is None
        self._runner = runner
        self._files: Path | ZipPath = Path()
        self._requested: Step | None = None
        self._cache = cache
        self._thumbnails = thumbnails or StateThumbnails(runner, self)

    @property
    def thumbnails(self) -> ThumbnailCache:
        """The thumbnails, by trajectory and name of the screenshot."""
        return self._thumbnails.cache

    def open(self, trajectory: str, files: Path | ZipPath) -> None:
        """Set the trajectory of the next screens and thumbnails, and where its files are."""
        self._files = files
        if self._owns_thumbnails:
            self._thumbnails.follow({trajectory: files})

    def request(self, step: Step) -> None:
        """Load the screen of a step; ``arrived`` follows, at once for a cached screen."""
        self._requested = step
        cached = self._cache.get(_key(self._files, step.state)) if self._cache is not None else None
        if cached is not None:
            self.arrived.emit(step, cached)
            return
        files = self._files

        def work(_job: Job) -> tuple[Path | ZipPath, Step, StoredScreen]:
            return files, step, _read_screen(files, step.state)

        self._runner.run(work, success=self._loaded)

    def cancel_request(self) -> None:
        """Let the screen that is being loaded not arrive."""
        self._requested = None

    @Slot(object)
    def _loaded(self, result: tuple[Path | ZipPath, Step, StoredScreen]) -> None:
        files, step, state = result
        if self._cache is not None:
            self._cache.put(_key(files, step.state), state)
        if step is self._requested and files == self._files:
            self.arrived.emit(step, state)


class StateThumbnails(QObject):
    """Loads the thumbnails of the trajectories that are followed, by (trajectory, name of the screenshot)."""

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._files: Mapping[str, Path | ZipPath] = {}
        self.cache = ThumbnailCache(self)
        self.cache.requested.connect(self._load)

    def follow(self, files: Mapping[str, Path | ZipPath]) -> None:
        """Set the files of each trajectory; thumbnails of others are not loaded any more."""
        self._files = files

    @Slot(object)
    def _load(self, key: tuple[str, str]) -> None:
        trajectory, name = key
        files, box = self._files.get(trajectory), self.cache.box
        if files is not None:
            self._runner.run(lambda _job: (key, _read_thumbnail(files, name, box)), success=self._loaded)

    @Slot(object)
    def _loaded(self, result: tuple[Hashable, QImage]) -> None:
        self.cache.deliver(*result)


def _key(files: Path | ZipPath, state: State) -> _Key:
    return files, state.screenshot, state.tree


def _read_file(files: Path | ZipPath, name: str) -> bytes | None:
    """Return the bytes of a tree's file; None when it is missing, too large or outside the trajectory."""
    if not name:
        return None
    try:
        path = file_inside(files, name)
        return path.read_bytes() if path.stat().st_size <= _MAX_BYTES else None
    except (OSError, StoreError):
        return None


def _read_picture(files: Path | ZipPath, name: str) -> bytes | None:
    """Return the bytes of a screenshot; None without one. Raises UserError and OSError."""
    return read_picture_bytes(file_inside(files, name)) if name else None


def _read_screen(files: Path | ZipPath, state: State) -> StoredScreen:
    image, problem, size = QImage(), "", Size(0, 0)
    try:
        png = _read_picture(files, state.screenshot)
        if png is not None:
            image, size = read_image(png), read_picture_file(png).size
    except UserError as error:
        problem = str(error)
    except OSError as error:
        problem = _("{name} cannot be read: {why}", name=state.screenshot, why=error.strerror or str(error))
    screen = StoredScreen(image, size, None, None, picture_problem=problem)
    xml = _read_file(files, state.tree)
    if xml is None:
        return screen
    try:
        tree = parse_tree(xml)
    except HierarchyError as error:
        return replace(screen, problem=str(error))
    return replace(screen, tree=tree, index=SpatialIndex(tree), tree_bytes=_TREE_SHARE * len(xml))


def read_picture(files: Path | ZipPath, name: str) -> QImage:
    """The screenshot in a file of a trajectory; null when it cannot be read. Any thread."""
    try:
        return image_or_null(_read_picture(files, name))
    except (OSError, UserError):
        return QImage()


def _read_thumbnail(files: Path | ZipPath, name: str, box: QSize) -> QImage:
    try:
        return thumbnail(_read_picture(files, name), box)
    except (OSError, UserError):
        return QImage()
