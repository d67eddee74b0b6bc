"""The phone in use, on the GUI's side: a device session made into signals."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal, Slot

from collector.device.errors import DeviceError
from collector.device.facts import DeviceFacts
from collector.device.frame import Frame
from collector.device.session import DeviceEvent, DeviceSession, SessionStats
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.index import SpatialIndex
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Position, Rect, Size
from collector.model.i18n import _
from collector.model.touch import TouchAction
from collector.model.tree import Tree
from studio.bridge.event_bridge import EventBridge, Wake

_log = logging.getLogger(__name__)
_VERSION = re.compile(r"^\s*versionName=(\S+)", re.MULTILINE)
_STILL_NS = 1_000_000_000
_YOUNG_TREE_MS = 1000
_SAY_AGAIN_NS = 4_000_000_000
MakeSession = Callable[[str], DeviceSession]


class PhoneLink(QObject):
    """Wraps the session of one phone. GUI thread; no method waits for the phone."""

    frame_ready = Signal()
    """Take the newest with :meth:`take_frame`."""
    tree_changed = Signal(object)
    """A TreeSnapshot; its index is at hand in :meth:`index_of`."""
    source_changed = Signal(str)
    size_changed = Signal(object)
    """The Size of the screen as it is turned now."""
    message = Signal(str)
    lost = Signal(str)
    back = Signal()
    secure_changed = Signal(bool)
    busy_changed = Signal(str)
    """Why the person's input is kept from the phone now; empty when it is not."""

    def __init__(self, serial: str, make: MakeSession = DeviceSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.serial = serial
        self.is_lost = False
        self.busy = ""
        """Why the person's own input is kept from the phone, in one sentence; empty while it is not."""
        self._refused_ns = 0
        self._closed = False
        self._indexed: tuple[Tree, SpatialIndex] | None = None
        self._told: EventEmitter[DeviceEvent] = EventEmitter()
        self._bridge = EventBridge(self)
        self._bridge.listen(self._told)
        self._bridge.happened.connect(self._happened)
        self._wake = Wake(self)
        self._wake.rung.connect(self._frame_came)
        self.session = make(serial)
        self._unlisten = self.session.events.subscribe(self._sort)

    def start(self) -> None:
        """Open the session; ``source_changed`` and ``frame_ready`` follow, or ``lost``."""
        self.session.start()

    def close(self) -> None:
        """Let go of the phone; its threads end behind."""
        self._closed = True
        self._bridge.close()
        self._unlisten()
        threading.Thread(target=self.session.close, name="device close", daemon=True).start()

    # -- what is known -------------------------------------------------------
    @property
    def facts(self) -> DeviceFacts:
        """What the phone is; its serial alone until it has answered."""
        return self.session.info

    @property
    def name(self) -> str:
        """What a person calls it: ``Pixel 7 (virtual)``."""
        facts = self.session.info
        return _("{name} (virtual)", name=facts.name) if facts.is_virtual else facts.name

    @property
    def is_secure(self) -> bool:
        """Whether the window in front forbids pictures."""
        return self.session.secure

    @property
    def stats(self) -> SessionStats:
        return self.session.stats

    @property
    def is_live(self) -> bool:
        """Whether pictures come."""
        return not self.is_lost and not self._closed and bool(self.session.frame_source)

    @property
    def is_still(self) -> bool:
        """Whether the picture has not changed for a second: nothing is sent then, which is no slowness."""
        return time.monotonic_ns() - self.session.changed_ns > _STILL_NS

    @property
    def tree_is_fresh(self) -> bool:
        """Whether the screen is as it was when the newest tree was asked for, however long ago that is."""
        snapshot = self.session.newest_tree()
        return snapshot is not None and snapshot.started_ns >= self.session.changed_ns

    @property
    def tree_is_stale(self) -> bool:
        """Whether the screen changed since the newest tree, and long enough ago to have been read again.

        What a recording calls a good tree is called no worse here.
        """
        age = self.stats.tree_age_ms
        return age is not None and age > _YOUNG_TREE_MS and not self.tree_is_fresh

    def take_frame(self) -> Frame | None:
        """The newest picture, once."""
        return self.session.frames.take()

    def index_of(self, tree: Tree) -> SpatialIndex | None:
        """The spatial index of the newest tree, built on the thread that read it."""
        indexed = self._indexed
        return indexed[1] if indexed is not None and indexed[0] is tree else None

    def set_busy(self, why: str) -> None:
        """Keep the person's input from the phone, which something else uses; an empty sentence ends that."""
        self.busy, self._refused_ns = why, 0
        self.busy_changed.emit(why)

    def require_free(self) -> None:
        """Raises UserError while something else uses the phone."""
        if self.busy:
            raise UserError(self.busy, "", _("Wait until it is done, or cancel it"))

    # -- what is asked -------------------------------------------------------
    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        if not self._refuses():
            self.session.touch(action, pointer, position)

    def key(self, name: str) -> None:
        if not self._refuses():
            self.session.key(name)

    def text(self, text: str) -> None:
        if not self._refuses():
            self.session.text(text)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        if not self._refuses():
            self.session.scroll(position, horizontal, vertical)

    def open_app(self, package: str) -> None:
        if not self._refuses():
            self.session.open_app(package)

    def _refuses(self) -> bool:
        """Whether input is kept back; said once for as long as somebody goes on trying."""
        now = time.monotonic_ns()
        if self.busy:
            if now - self._refused_ns > _SAY_AGAIN_NS:
                self.message.emit(self.busy)
            self._refused_ns = now
        return bool(self.busy)

    def refresh_tree(self) -> None:
        self.session.refresh_tree()

    def set_view_size(self, size: Size) -> None:
        """The size pictures are shown at, in physical pixels: the decode thread prepares them so."""
        self.session.set_view_size(size)

    # -- what the session says -----------------------------------------------
    def _sort(self, event: DeviceEvent) -> None:
        """On the session's threads: pictures wake, everything else is passed on in order."""
        if event.kind == "frame":
            self._wake.ring()
            return
        if event.kind == "tree":
            snapshot = self.session.newest_tree()
            if snapshot is not None and snapshot.tree is not None:
                self._indexed = (snapshot.tree, SpatialIndex(snapshot.tree))
        self._told.emit(event)

    @Slot()
    def _frame_came(self) -> None:
        if not self._closed:
            self.frame_ready.emit()

    @Slot(object)
    def _happened(self, event: DeviceEvent) -> None:
        match event.kind:
            case "tree":
                snapshot: TreeSnapshot | None = self.session.newest_tree()
                if snapshot is not None:
                    self.tree_changed.emit(snapshot)
            case "size":
                self.size_changed.emit(self.session.screen_size)
            case "source":
                self.source_changed.emit(event.text)
            case "message":
                self.message.emit(event.text)
            case "secure":
                self.secure_changed.emit(bool(event.text))
            case "lost":
                self.is_lost = True
                self.lost.emit(event.text)
            case "back":
                self.is_lost = False
                self.back.emit()


class LiveSource:
    """What a recorder captures from: the session the link has at that moment, so that it outlives a loss."""

    def __init__(self, link: PhoneLink) -> None:
        self.link = link

    def newest_frame(self) -> Frame | None:
        return self.link.session.newest_frame()

    def newest_tree(self) -> TreeSnapshot | None:
        return self.link.session.newest_tree()

    def refresh_tree(self) -> None:
        self.link.session.refresh_tree()

    def foreground(self) -> tuple[str, str]:
        return self.link.session.foreground()

    @property
    def screen_size(self) -> Size:
        return self.link.session.screen_size

    @property
    def rotation(self) -> int:
        return self.link.session.rotation

    @property
    def density(self) -> int:
        return self.link.session.density

    @property
    def frame_source(self) -> str:
        return self.link.session.frame_source

    @property
    def secure(self) -> bool:
        return self.link.session.secure

    @property
    def keyboard(self) -> Rect | None:
        return self.link.session.keyboard

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        self.link.session.touch(action, pointer, position)

    def key(self, name: str) -> None:
        self.link.session.key(name)

    def text(self, text: str) -> None:
        self.link.session.text(text)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        self.link.session.scroll(position, horizontal, vertical)

    def open_app(self, package: str) -> None:
        self.link.session.open_app(package)


def read_app_versions(link: PhoneLink, packages: Iterable[str]) -> dict[str, str]:
    """Package -> version name, of those the phone tells. Waits for the phone: for jobs only."""
    found = {}
    for package in packages:
        try:
            said = link.session.device.shell(["dumpsys", "package", package]).text
        except DeviceError as error:
            _log.info("the version of %s is not known: %s", package, error)
            break
        match = _VERSION.search(said)
        if match:
            found[package] = match[1]
    return found
