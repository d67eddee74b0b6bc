"""The phone in use, on the GUI's side: a device session made into signals, and made anew when lost."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from collector.device.errors import DeviceError
from collector.device.facts import DeviceFacts, read_facts
from collector.device.frame import Frame
from collector.device.server import AdbServer
from collector.device.session import DeviceEvent, DeviceSession, SessionStats
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.index import SpatialIndex
from collector.model.geometry import Position, Size
from collector.model.listeners import Listeners
from collector.model.touch import TouchAction
from collector.model.tree import Tree
from collector.model.words import _
from studio.bridge.events import EventBridge, Wake

_log = logging.getLogger(__name__)
_RETRY_MS = 1500
_VERSION = re.compile(r"^\s*versionName=(\S+)", re.MULTILINE)
MakeSession = Callable[[str], DeviceSession]


class PhoneLink(QObject):
    """Wraps the session of one phone. GUI thread; no method waits for the phone.

    A lost phone is looked for until it is back or the link is closed; :attr:`session` is then a new one.
    """

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
    facts_changed = Signal()
    _facts_read = Signal(object)
    _look_again = Signal()

    def __init__(self, serial: str, make: MakeSession = DeviceSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.serial = serial
        self.facts: DeviceFacts | None = None
        self.is_secure = False
        self.is_lost = False
        self._make = make
        self._closed = False
        self._indexed: tuple[Tree, SpatialIndex] | None = None
        self._view = Size(0, 0)
        self._told: Listeners[DeviceEvent] = Listeners()
        self._bridge = EventBridge(self)
        self._bridge.listen(self._told)
        self._bridge.happened.connect(self._happened)
        self._wake = Wake(self)
        self._wake.rung.connect(self._frame_came)
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.setInterval(_RETRY_MS)
        self._retry.timeout.connect(self._look_for_it)
        queued = Qt.ConnectionType.QueuedConnection
        self._facts_read.connect(self._took_facts, queued)
        self._look_again.connect(self._begin_again, queued)
        self.session = make(serial)
        self._unlisten = self.session.events.add(self._sort)

    def start(self) -> None:
        """Open the session; ``source_changed`` and ``frame_ready`` follow, or ``lost``."""
        self.session.start()

    def close(self) -> None:
        """Let go of the phone; its threads end behind."""
        self._closed = True
        self._retry.stop()
        self._bridge.close()
        self._drop_session()

    def _drop_session(self) -> None:
        self._unlisten()
        threading.Thread(target=self.session.close, name="device close", daemon=True).start()

    # -- what is known -------------------------------------------------------
    @property
    def name(self) -> str:
        """What a person calls it: ``Pixel 7 (virtual)``."""
        known = self.facts.name if self.facts else self.session.info.model or self.serial
        virtual = self.session.info.is_virtual or (self.facts is not None and self.facts.is_virtual)
        return _("{name} (virtual)", name=known) if virtual else known

    @property
    def stats(self) -> SessionStats:
        return self.session.stats

    @property
    def is_live(self) -> bool:
        """Whether pictures come."""
        return not self.is_lost and not self._closed and bool(self.session.frame_source)

    def take_frame(self) -> Frame | None:
        """The newest picture, once."""
        return self.session.frames.take()

    def index_of(self, tree: Tree) -> SpatialIndex | None:
        """The spatial index of the newest tree, built on the thread that read it."""
        indexed = self._indexed
        return indexed[1] if indexed is not None and indexed[0] is tree else None

    # -- what is asked -------------------------------------------------------
    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        self.session.touch(action, pointer, position)

    def key(self, name: str) -> None:
        self.session.key(name)

    def text(self, text: str) -> None:
        self.session.text(text)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        self.session.scroll(position, horizontal, vertical)

    def open_app(self, package: str) -> None:
        self.session.open_app(package)

    def refresh_tree(self) -> None:
        self.session.refresh_tree()

    def set_view_size(self, size: Size) -> None:
        """The size pictures are shown at, in physical pixels: the decode thread prepares them so."""
        self._view = size
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
        self._told.tell(event)

    @Slot()
    def _frame_came(self) -> None:
        if self._closed:
            return
        frame = self.session.newest_frame()
        if frame is not None and frame.looks_black != self.is_secure:
            self.is_secure = frame.looks_black
            self.secure_changed.emit(self.is_secure)
        self.frame_ready.emit()

    @Slot(object)
    def _happened(self, event: DeviceEvent) -> None:
        if event.kind == "tree":
            snapshot: TreeSnapshot | None = self.session.newest_tree()
            if snapshot is not None:
                self.tree_changed.emit(snapshot)
        elif event.kind == "size":
            self.size_changed.emit(self.session.screen_size)
        elif event.kind == "source":
            self._has_source(event.text)
        elif event.kind == "message":
            self.message.emit(event.text)
        elif event.kind == "lost":
            self._is_gone(event.text)
        elif event.kind == "back":
            self._is_here()

    def _has_source(self, name: str) -> None:
        self.source_changed.emit(name)
        self._is_here()
        if self.facts is None:
            device, tell = self.session.device, self._facts_read.emit

            def read() -> None:
                try:
                    tell(read_facts(device))
                except DeviceError as error:
                    _log.info("the phone does not say what it is: %s", error)

            threading.Thread(target=read, name="device facts", daemon=True).start()

    @Slot(object)
    def _took_facts(self, facts: DeviceFacts) -> None:
        self.facts = facts
        self.facts_changed.emit()

    # -- lost and back -------------------------------------------------------
    def _is_gone(self, why: str) -> None:
        if not self.is_lost:
            self.is_lost = True
            self.lost.emit(why)
        if not self._closed:
            self._retry.start()

    def _is_here(self) -> None:
        self._retry.stop()
        if self.is_lost:
            self.is_lost = False
            self.back.emit()

    @Slot()
    def _look_for_it(self) -> None:
        """Ask the server for a phone reached by address; one on a cable comes by itself."""
        serial, again = self.serial, self._look_again.emit

        def reach() -> None:
            if ":" in serial:
                try:
                    AdbServer().connect(serial)
                except DeviceError as error:
                    _log.info("%s is not back yet: %s", serial, error)
            again()

        threading.Thread(target=reach, name="device retry", daemon=True).start()

    @Slot()
    def _begin_again(self) -> None:
        if self._closed or not self.is_lost:
            return
        self._drop_session()
        self.session = self._make(self.serial)
        self._unlisten = self.session.events.add(self._sort)
        self.session.set_view_size(self._view)
        self.session.start()


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
