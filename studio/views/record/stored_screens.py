"""Stored states brought to the screen: pictures and trees are read off the GUI thread, and kept."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.index import SpatialIndex
from collector.hierarchy.parse import parse_tree
from collector.model.trajectory import State, Step
from collector.model.tree import Tree
from collector.store.errors import StoreError
from collector.store.names import inside
from studio.bridge import Job, JobRunner
from studio.widgets.thumbnail_cache import ThumbnailCache

_KEPT_STATES = 12
_MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, eq=False)
class StoredScreen:
    """A stored state ready to be painted; ``image`` is null when there is none."""

    image: QImage
    tree: Tree | None
    index: SpatialIndex | None
    problem: str = ""


class StoredScreens(QObject):
    """Loads the states of the trajectory on show; what was asked for last is what arrives last."""

    arrived = Signal(object, object)
    """The Step and its StoredScreen."""

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._folder = Path()
        self._trajectory = ""
        self._wanted: Step | None = None
        self._kept: OrderedDict[tuple[Path, str, str], StoredScreen] = OrderedDict()
        self.thumbnails = ThumbnailCache(self)
        self.thumbnails.wanted.connect(self._load_thumbnail)

    def open(self, trajectory: str, folder: Path) -> None:
        """Which trajectory the next states and thumbnails are of."""
        self._trajectory, self._folder = trajectory, folder

    def ask(self, step: Step) -> None:
        """Have a state brought; ``arrived`` follows at once when it is at hand."""
        self._wanted = step
        kept = self._kept.get(_key(self._folder, step.state))
        if kept is not None:
            self.arrived.emit(step, kept)
            return
        folder = self._folder

        def work(_job: Job) -> tuple[Path, Step, StoredScreen]:
            return folder, step, _read_state(folder, step.state)

        self._runner.run(work, success=self._took)

    def forget_wish(self) -> None:
        """Nothing asked for before is to arrive any more."""
        self._wanted = None

    @Slot(object)
    def _took(self, result: tuple[Path, Step, StoredScreen]) -> None:
        folder, step, state = result
        self._kept[_key(folder, step.state)] = state
        while len(self._kept) > _KEPT_STATES:
            self._kept.popitem(last=False)
        if step is self._wanted and folder == self._folder:
            self.arrived.emit(step, state)

    @Slot(object)
    def _load_thumbnail(self, key: tuple[str, str]) -> None:
        trajectory, name = key
        if trajectory != self._trajectory:
            return
        folder, box = self._folder, self.thumbnails.box
        self._runner.run(lambda _job: (key, _small(folder, name, box)), success=self._thumbnail_came)

    @Slot(object)
    def _thumbnail_came(self, result: tuple[Hashable, QImage]) -> None:
        self.thumbnails.deliver(*result)


def _key(folder: Path, state: State) -> tuple[Path, str, str]:
    return folder, state.screenshot, state.tree


def _read(folder: Path, name: str) -> bytes | None:
    """The bytes of a state's file; None when it is missing, too large or outside the folder."""
    if not name:
        return None
    try:
        path = inside(folder, name)
        return path.read_bytes() if path.stat().st_size <= _MAX_BYTES else None
    except (OSError, StoreError):
        return None


def _read_state(folder: Path, state: State) -> StoredScreen:
    picture, xml = _read(folder, state.screenshot), _read(folder, state.tree)
    image = _decoded(picture) if picture is not None else QImage()
    if xml is None:
        return StoredScreen(image, None, None)
    try:
        tree = parse_tree(xml)
    except HierarchyError as error:
        return StoredScreen(image, None, None, str(error))
    return StoredScreen(image, tree, SpatialIndex(tree))


def _decoded(data: bytes) -> QImage:
    """Pillow lets other threads run while it decodes; Qt's reader holds the interpreter."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            rgba = picture.convert("RGBA")
    except (OSError, ValueError, Image.DecompressionBombError):
        return QImage()
    raw = rgba.tobytes("raw", "BGRA")
    return QImage(raw, rgba.width, rgba.height, 4 * rgba.width, QImage.Format.Format_RGB32).copy()


def _small(folder: Path, name: str, box: QSize) -> QImage:
    data = _read(folder, name)
    image = _decoded(data) if data is not None else QImage()
    if image.isNull():
        return image
    return image.scaled(
        box, Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.TransformationMode.SmoothTransformation
    )
