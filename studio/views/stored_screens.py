"""Load the screens of recorded states: screenshots, trees and thumbnails are read off the GUI thread."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.trajectory import State, Step
from collector.model.tree import Tree
from collector.store.errors import StoreError
from collector.store.names import inside
from studio.bridge import Job, JobRunner
from studio.widgets.thumbnail_cache import ThumbnailCache

_CACHED_SCREENS = 12
_MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, eq=False)
class StoredScreen:
    """A recorded state ready to be painted. ``image`` is null when it has no screenshot."""

    image: QImage
    tree: Tree | None
    index: SpatialIndex | None
    problem: str = ""


class StoredScreens(QObject):
    """Loads the screens of one trajectory. Of several requests the last one arrives last."""

    arrived = Signal(object, object)
    """A Step and its StoredScreen."""

    def __init__(
        self, runner: JobRunner, parent: QObject | None = None, thumbnails: StateThumbnails | None = None
    ) -> None:
        """With ``thumbnails`` their owner says which trajectories they follow."""
        super().__init__(parent)
        self._owns_thumbnails = thumbnails is None
        self._runner = runner
        self._folder = Path()
        self._requested: Step | None = None
        self._cache: OrderedDict[tuple[Path, str, str], StoredScreen] = OrderedDict()
        self._thumbnails = thumbnails or StateThumbnails(runner, self)

    @property
    def thumbnails(self) -> ThumbnailCache:
        """The thumbnails, by trajectory and name of the screenshot."""
        return self._thumbnails.cache

    def open(self, trajectory: str, folder: Path) -> None:
        """Set the trajectory of the next screens and thumbnails."""
        self._folder = folder
        if self._owns_thumbnails:
            self._thumbnails.follow({trajectory: folder})

    def request(self, step: Step) -> None:
        """Load the screen of a step; ``arrived`` follows, at once for a cached screen."""
        self._requested = step
        cached = self._cache.get(_key(self._folder, step.state))
        if cached is not None:
            self.arrived.emit(step, cached)
            return
        folder = self._folder

        def work(_job: Job) -> tuple[Path, Step, StoredScreen]:
            return folder, step, _read_screen(folder, step.state)

        self._runner.run(work, success=self._loaded)

    def cancel_request(self) -> None:
        """Let the screen that is being loaded not arrive."""
        self._requested = None

    @Slot(object)
    def _loaded(self, result: tuple[Path, Step, StoredScreen]) -> None:
        folder, step, state = result
        self._cache[_key(folder, step.state)] = state
        while len(self._cache) > _CACHED_SCREENS:
            self._cache.popitem(last=False)
        if step is self._requested and folder == self._folder:
            self.arrived.emit(step, state)


class StateThumbnails(QObject):
    """Loads the thumbnails of the trajectories that are followed, by (trajectory, name of the screenshot)."""

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._folders: Mapping[str, Path] = {}
        self.cache = ThumbnailCache(self)
        self.cache.requested.connect(self._load)

    def follow(self, folders: Mapping[str, Path]) -> None:
        """Set the folder of each trajectory; thumbnails of others are not loaded any more."""
        self._folders = folders

    @Slot(object)
    def _load(self, key: tuple[str, str]) -> None:
        trajectory, name = key
        folder, box = self._folders.get(trajectory), self.cache.box
        if folder is not None:
            self._runner.run(lambda _job: (key, _read_thumbnail(folder, name, box)), success=self._loaded)

    @Slot(object)
    def _loaded(self, result: tuple[Hashable, QImage]) -> None:
        self.cache.deliver(*result)


def _key(folder: Path, state: State) -> tuple[Path, str, str]:
    return folder, state.screenshot, state.tree


def _read(folder: Path, name: str) -> bytes | None:
    """Return the bytes of a state's file; None when it is missing, too large or outside the folder."""
    if not name:
        return None
    try:
        path = inside(folder, name)
        return path.read_bytes() if path.stat().st_size <= _MAX_BYTES else None
    except (OSError, StoreError):
        return None


def _read_screen(folder: Path, state: State) -> StoredScreen:
    png, xml = _read(folder, state.screenshot), _read(folder, state.tree)
    image = _decode(png) if png is not None else QImage()
    if xml is None:
        return StoredScreen(image, None, None)
    try:
        tree = parse_tree(xml)
    except HierarchyError as error:
        return StoredScreen(image, None, None, str(error))
    return StoredScreen(image, tree, SpatialIndex(tree))


def read_picture(folder: Path, name: str) -> QImage:
    """The screenshot in a file of a trajectory; null when it cannot be read. Any thread."""
    data = _read(folder, name)
    return _decode(data) if data is not None else QImage()


def _decode(data: bytes) -> QImage:
    """Decode with Pillow, which releases the interpreter lock while it decodes; Qt's reader does not."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            rgba = image.convert("RGBA")
    except (OSError, ValueError, Image.DecompressionBombError):
        return QImage()
    raw = rgba.tobytes("raw", "BGRA")
    return QImage(raw, rgba.width, rgba.height, 4 * rgba.width, QImage.Format.Format_RGB32).copy()


def _read_thumbnail(folder: Path, name: str, box: QSize) -> QImage:
    image = read_picture(folder, name)
    if image.isNull():
        return image
    return image.scaled(
        box, Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.TransformationMode.SmoothTransformation
    )
