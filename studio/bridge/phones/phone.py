"""The phone in use: a device session wrapped as a QObject with signals and input methods."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from collector.device.apps.installed_app import InstalledApp
from collector.device.device_info import DeviceInfo, display_name, is_keyboard_shown
from collector.device.frame import Frame
from collector.device.protocols import Cancel, PhoneScreen
from collector.device.screen_rotation import rotate_screen
from collector.device.session import DeviceEvent, DeviceSession, SessionStats
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Position, Size
from collector.model.i18n import _
from collector.model.phone.touch import TouchAction
from collector.model.tree import Tree
from studio.bridge.event_bridge import EventBridge, Wake

_STILL_NS = 1_000_000_000
_YOUNG_TREE_MS = 1000
_REPEAT_MESSAGE_NS = 4_000_000_000
MakeSession = Callable[[str], DeviceSession]


class PhoneLink(QObject):
    """Wrap the session of one phone. Lives on the GUI thread; methods return at once unless they say so.

    It is the InputTarget of what a person does outside a recording.
    """

    frame_ready = Signal()
    """A new frame: read it with :meth:`take_frame`."""
    tree_changed = Signal(object)
    """A new TreeSnapshot; :meth:`index_of` has its spatial index."""
    source_changed = Signal(str)
    """Name of the frame source now in use."""
    size_changed = Signal(object)
    """The Size of the screen in its present rotation."""
    message = Signal(str)
    """A sentence for the person."""
    lost = Signal(str)
    """The phone is gone; the text says why."""
    back = Signal()
    """The phone is connected again."""
    secure_changed = Signal(bool)
    """Whether the window in front is protected (FLAG_SECURE)."""
    busy_changed = Signal(str)
    """Why input is blocked now; empty when it is not."""
    taken_changed = Signal(str)
    """Which other program has the phone, in one sentence; empty when none has."""

    def __init__(self, serial: str, make: MakeSession = DeviceSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.serial = serial
        self.is_lost = False
        self._work = ""
        self.taken = ""
        """Which other program has the phone, in one sentence; empty when none has or it does not matter."""
        self._refused_ns = 0
        self._closed = False
        self._closing: threading.Thread | None = None
        self._indexed: tuple[Tree, SpatialIndex] | None = None
        self._events: EventEmitter[DeviceEvent] = EventEmitter()
        self._bridge = EventBridge(self)
        self._bridge.listen(self._events)
        self._bridge.happened.connect(self._emit_signal)
        self._wake = Wake(self)
        self._wake.rung.connect(self._frame_arrived)
        self.session = make(serial)
        """For the bridge alone: views and widgets use the methods and :attr:`screen`."""
        self._unlisten = self.session.events.subscribe(self._session_event)

    def start(self) -> None:
        """Open the session; ``source_changed`` and ``frame_ready`` follow, or ``lost``."""
        self.session.start()

    def close(self) -> None:
        """Close the session on a thread of its own; this call returns at once."""
        self._closed = True
        self._bridge.close()
        self._wake.close()
        self._unlisten()
        self._indexed = None
        self._closing = threading.Thread(target=self.session.close, name="device close", daemon=True)
        self._closing.start()

    def wait_closed(self, seconds: float) -> None:
        """Wait until the session is closed, for so long at most. Not for the GUI thread."""
        if self._closing is not None:
            self._closing.join(seconds)

    # -- state -----------------------------------------------------------------
    @property
    def screen(self) -> PhoneScreen:
        """What the phone shows, as last known: frame, tree, size, rotation, density."""
        return self.session

    @property
    def info(self) -> DeviceInfo:
        """Model and Android version; only the serial until the phone has answered."""
        return self.session.info

    @property
    def name(self) -> str:
        """The phone's name for a person, as in ``Pixel 7 (virtual)``."""
        return display_name(self.session.info)

    @property
    def whereabouts(self) -> str:
        """Who it is and how it is reached: ``phone-2, seed 2, at 127.0.0.1:4321``, or only its serial."""
        info = self.session.info
        if not info.is_virtual:
            return self.serial
        return _(
            "{name}, seed {seed}, at {address}", name=info.serial_number, seed=info.seed, address=self.serial
        )

    @property
    def stats(self) -> SessionStats:
        """Frame rate, latency and queue lengths for the HUD."""
        return self.session.stats

    @property
    def is_live(self) -> bool:
        """Whether frames arrive."""
        return not self.is_lost and not self._closed and bool(self.session.frame_source)

    @property
    def is_still(self) -> bool:
        """Whether the picture has not changed for a second; a still phone sends no frames."""
        return time.monotonic_ns() - self.session.changed_ns > _STILL_NS

    def changed_after(self, time_ns: int) -> bool:
        """Whether the picture changed after a moment on the clock of ``time.monotonic_ns``."""
        return self.session.changed_ns > time_ns

    @property
    def tree_is_fresh(self) -> bool:
        """Whether the screen has not changed since the newest tree was requested."""
        snapshot = self.session.newest_tree()
        return snapshot is not None and snapshot.started_ns >= self.session.changed_ns

    @property
    def tree_is_stale(self) -> bool:
        """Whether the screen changed after the newest tree and over a second has passed since."""
        age = self.stats.tree_age_ms
        return age is not None and age > _YOUNG_TREE_MS and not self.tree_is_fresh

    def take_frame(self) -> Frame | None:
        """Return the newest frame once; None until another one arrives."""
        return self.session.frames.take()

    def index_of(self, tree: Tree) -> SpatialIndex | None:
        """Return the spatial index of the newest tree; None for any other tree."""
        indexed = self._indexed
        return indexed[1] if indexed is not None and indexed[0] is tree else None

    @property
    def busy(self) -> str:
        """Why the person's input is blocked, in one sentence; empty when it is not."""
        return self._work or self.taken

    def set_busy(self, why: str) -> None:
        """Block the person's input while this program works on the phone; an empty ``why`` ends that."""
        self._work, self._refused_ns = why, 0
        self.busy_changed.emit(self.busy)

    def set_taken(self, sentence: str) -> None:
        """Block the person's input while another program has the phone; an empty sentence ends that."""
        if sentence != self.taken:
            self.taken, self._refused_ns = sentence, 0
            self.session.read_trees_only_asked(bool(sentence))
            self.taken_changed.emit(sentence)
            self.busy_changed.emit(self.busy)

    def require_free(self) -> None:
        """Raise UserError while something else uses the phone."""
        if self._work:
            raise UserError(self._work, "", _("Wait until it is done, or cancel it"))
        if self.taken:
            raise UserError(self.taken, "", _("Wait until that is done, or use the phone anyway"))

    # -- InputTarget -------------------------------------------------------------
    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        if not self._is_blocked():
            self.session.touch(action, pointer, position)

    def key(self, name: str, held_ms: int = 0) -> None:
        if not self._is_blocked():
            self.session.key(name, held_ms)

    def text(self, text: str) -> None:
        if not self._is_blocked():
            self.session.text(text)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        if not self._is_blocked():
            self.session.scroll(position, horizontal, vertical)

    def open_app(self, app: str) -> None:
        if not self._is_blocked():
            self.session.open_app(app)

    def _is_blocked(self) -> bool:
        """Whether input is blocked; tells the person why, once every few seconds of trying."""
        now = time.monotonic_ns()
        if self.busy:
            if now - self._refused_ns > _REPEAT_MESSAGE_NS:
                self.message.emit(self.busy)
            self._refused_ns = now
        return bool(self.busy)

    # -- other commands ------------------------------------------------------------
    def refresh_tree(self) -> None:
        """Ask for a new tree; ``tree_changed`` follows."""
        self.session.refresh_tree()

    def set_view_size(self, size: Size) -> None:
        """Set the size frames are shown at, in physical pixels: the decoder scales them to it."""
        self.session.set_view_size(size)

    # -- questions and commands that wait for the phone: for jobs only -------------
    def rotate(self, cancel: Cancel) -> None:
        """Turn the screen a quarter, or back. Raises DeviceError."""
        rotate_screen(self.session.device.until(cancel))

    def is_keyboard_shown(self, cancel: Cancel) -> bool:
        """Ask the phone whether its soft keyboard is open. Raises DeviceError."""
        return is_keyboard_shown(self.session.device, cancel)

    def installed_apps(self, cancel: Cancel) -> tuple[InstalledApp, ...]:
        """Ask the phone for its apps that have an icon. Raises DeviceError."""
        return self.session.installed_apps(cancel)

    # -- events of the session -----------------------------------------------------
    def _session_event(self, event: DeviceEvent) -> None:
        """On the session's threads: wake the GUI for a frame, queue any other event in order."""
        if event.kind == "frame":
            self._wake.ring()
            return
        if event.kind == "tree":
            snapshot = self.session.newest_tree()
            if snapshot is not None and snapshot.tree is not None:
                self._indexed = (snapshot.tree, SpatialIndex(snapshot.tree))
        self._events.emit(event)

    @Slot()
    def _frame_arrived(self) -> None:
        if not self._closed:
            self.frame_ready.emit()

    @Slot(object)
    def _emit_signal(self, event: DeviceEvent) -> None:
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
