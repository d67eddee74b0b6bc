"""A session with one phone: its frames, trees and input, across losses of the connection.

No call but ``close`` waits. Frames, trees and input each have a thread of their own, and queries return the
newest known values.
"""

from __future__ import annotations

import itertools
import threading
import time

from collector.device.apps.app_control import start_app
from collector.device.apps.app_names import AppNotFound, find_app
from collector.device.apps.installed_app import InstalledApp
from collector.device.apps.installed_apps import read_installed_apps
from collector.device.device_info import DeviceInfo, Display, read_device_info, read_display, read_foreground
from collector.device.errors import InputDenied
from collector.device.events import DeviceEvent, SessionStats
from collector.device.frame import Frame
from collector.device.input.input_queue import InputQueue
from collector.device.input.keyboard_tracker import KeyboardTracker
from collector.device.mailbox import Mailbox
from collector.device.protocols import Cancel, FrameSource, TreeSource, VideoSource
from collector.device.session_lease import SessionLease
from collector.device.snapshot import TreeSnapshot
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.trees.tree_reader import TreeReader
from collector.device.trees.uiautomator2_source import Uiautomator2Source, is_installed
from collector.device.trees.uiautomator_source import UiautomatorSource
from collector.device.video.frame_supervisor import FrameSupervisor
from collector.device.video.motion_detector import MotionDetector
from collector.device.video.pictures import StreamedPictures
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Position, Rect, Size
from collector.model.i18n import _
from collector.model.phone.android_names import is_qualified_package
from collector.model.phone.sources import FRAME_SOURCES, TREE_SOURCES
from collector.model.phone.touch import TouchAction
from collector.phone_profiles.profile import NO_PROFILE, DeviceProfile
from collector.phone_profiles.registry import find_profile
from collector.pictures.encoded_picture import EncodedPicture

__all__ = ["FRAME_SOURCES", "TREE_SOURCES", "DeviceEvent", "DeviceSession", "SessionStats"]

_AUTOMATIC = ("", "auto")
_PING_TIMEOUT = 1.5
_DENIED_EVERY_S = 2.0


class DeviceSession:
    """Watch and control a phone from ``start`` to ``close``: a PhoneScreen and an InputTarget."""

    def __init__(
        self,
        serial: str,
        *,
        frame_source: str = "",
        tree_source: str = "auto",
        server_jar: str = "",
        server: AdbServer | None = None,
        wait_until_stable: bool = True,
    ) -> None:
        """``frame_source`` and ``tree_source`` name the preferred source; empty or ``auto``: the best.

        The best is the one that the profile of the phone names, where it names one.
        """
        server = server or AdbServer()
        self.device = AdbDevice(serial, server)
        self.events: EventEmitter[DeviceEvent] = EventEmitter()
        self.frames: Mailbox[Frame] = Mailbox()
        self.encoded: EventEmitter[EncodedPicture] = EventEmitter()
        """Emits each picture of the phone's video as it arrived, on a thread of its source."""
        self.info = DeviceInfo(serial)
        """Model and Android version; only the serial until the phone has answered."""
        self.profile = NO_PROFILE
        """What is known of such phones; empty until the phone has answered, and for most phones."""
        self.secure = False
        """Whether the window in front is protected, so that its frames are black."""
        self._black = False
        self._denied_at = 0.0
        self._tree_source, self._jar = tree_source, server_jar
        self._closed = threading.Event()
        self._display = Display(Size(0, 0), 0, 0)
        self._frame: Frame | None = None
        self._sequence = itertools.count(1)
        self._motion = MotionDetector()
        preferred = "" if frame_source in _AUTOMATIC else frame_source
        self._takes_suited = not preferred
        self._keyboard: KeyboardTracker | None = None
        self._supervisor = FrameSupervisor(self, server, serial, preferred)
        self._input = InputQueue(self.emit)
        self._trees = TreeReader(
            self._make_tree_sources, self._motion, self._tree_event, wait_until_stable=wait_until_stable
        )

    def start(self) -> None:
        """Start; ``source``, ``size``, ``frame`` and ``tree`` follow, or ``lost`` and later ``back``."""
        self._input.do(_load_sources)
        for part in (self._input, self._trees, self._supervisor):
            part.start()

    def close(self) -> None:
        """Stop all threads and wait for them, seconds at worst: not for a GUI thread."""
        self._closed.set()
        self.frames.close()
        keyboard = self._keyboard
        if keyboard is not None:
            keyboard.close()
        for part in (self._supervisor, self._trees, self._input):
            part.close()
        # Others may know the session for long; its pictures and its tree are 10 MB.
        self._frame = None
        self.frames.take()
        self._trees.newest = None

    # -- PhoneScreen ---------------------------------------------------------
    def newest_frame(self) -> Frame | None:
        return self._frame

    def newest_tree(self) -> TreeSnapshot | None:
        return self._trees.newest

    def foreground(self) -> tuple[str, str]:
        """Return package and activity in front when the newest tree was read."""
        tree = self._trees.newest
        return (tree.package, tree.activity) if tree else ("", "")

    @property
    def screen_size(self) -> Size:
        """The display in its present rotation, in the pixels trees and actions use."""
        return self._display.size

    @property
    def rotation(self) -> int:
        """Quarter turns, 0 to 3."""
        return self._display.rotation

    @property
    def density(self) -> int:
        """Dots per inch as ``wm density`` says, overrides included."""
        return self._display.density

    @property
    def frame_source(self) -> str:
        """Name of the frame source in use; empty when there is none."""
        source = self._supervisor.source
        return source.name if source else ""

    @property
    def keyboard(self) -> Rect | None:
        """Frame of the soft keyboard, as last known; None while it is hidden."""
        tracker, tree = self._keyboard, self._trees.newest
        if tracker is not None and tracker.knows:
            return tracker.frame
        return tree.keyboard if tree is not None else None

    @property
    def changed_ns(self) -> int:
        """``time.monotonic_ns()`` of the last change of the picture."""
        return self._motion.changed_ns

    @property
    def stats(self) -> SessionStats:
        tree, source = self._trees.newest, self._supervisor.source
        age = tree.age_ms(time.monotonic_ns()) if tree else None
        if source is None:
            return SessionStats(0.0, 0.0, 0.0, self.frames.dropped, age, waiting=self._input.waiting)
        video = source.stats
        return SessionStats(
            video.fps,
            video.decode_ms,
            video.scale_ms,
            self.frames.dropped,
            age,
            video.latency_ms,
            self._input.waiting,
        )

    # -- commands ----------------------------------------------------------------
    def refresh_tree(self) -> None:
        """Read a tree that begins after this call; ``tree`` follows."""
        self._trees.refresh()

    def read_trees_only_asked(self, only: bool) -> None:
        """Read a tree only after :meth:`refresh_tree`, while another program acts on the phone."""
        self._trees.only_asked(only)

    @property
    def has_video(self) -> bool:
        """Whether the pictures come from a video now, and not one by one."""
        return isinstance(self._supervisor.source, VideoSource)

    def ask_key_frame(self) -> None:
        """Ask the phone's video for a picture that needs no earlier one, if it has a video."""
        source = self._supervisor.source
        if isinstance(source, VideoSource):
            self._input.do(source.ask_key_frame)

    def watch_keyboard(self, tracked: bool) -> None:
        """Track the keyboard at each change of the picture; trees alone report it later."""
        before, self._keyboard = self._keyboard, None
        if before is not None:
            before.hang_up()
        if tracked and not self._closed.is_set():
            self._keyboard = KeyboardTracker(self.device, self._motion)
            self._keyboard.start()

    def set_view_size(self, size: Size) -> None:
        """Scale frames to this size on the source's thread; 0x0 for no scaling."""
        self._supervisor.set_view_size(size)

    def lease(self, cancel: threading.Event) -> SessionLease:
        """Lease the phone to a run on another thread, until the run closes the lease.

        The lease uses the pictures, trees and input of this session, since a phone has one automation.
        """
        pictures = StreamedPictures(self, self.device)
        return SessionLease(self.device, self._trees, self._input, cancel, pictures)

    def check(self) -> None:
        """Check now whether the phone still answers, because adb reported that it may not."""
        self._supervisor.check()

    # -- InputTarget -------------------------------------------------------------
    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        """Send one event of one pointer; events for the screen before it rotated are dropped."""
        self._input.touch(action, pointer, position)

    def key(self, name: str, held_ms: int = 0) -> None:
        """Press a key of the action space, ``select_all`` or ``code:<number>``, and lift it after so long."""
        self._input.key(name, held_ms)

    def text(self, text: str) -> None:
        """Type into the focused field; any Unicode if the sink can."""
        self._input.send(lambda sink: sink.text(text))

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        """Turn the wheel at a position; positive is right and up."""
        self._input.send(lambda sink: sink.scroll(position, horizontal, vertical))

    def open_app(self, app: str) -> None:
        """Start an app by its package, or by a name that means exactly one app of the phone."""
        self._input.do(lambda: self._launch(app))

    def installed_apps(self, cancel: Cancel | None = None) -> tuple[InstalledApp, ...]:
        """The apps of the phone that have an icon. Waits for the phone; raises DeviceError."""
        return read_installed_apps(self.device, cancel or self._closed)

    def _launch(self, app: str) -> None:
        try:
            package = app
            if not is_qualified_package(app):
                package = find_app(app, self.installed_apps()).package
        except AppNotFound as error:
            self.emit(DeviceEvent("message", error.what))
            return
        if not start_app(self.device, package):
            self.emit(DeviceEvent("message", _("The phone has no app {name}", name=package)))

    # -- FrameSupervisorHost: called on the supervisor's thread or a source's -----
    def reach(self) -> None:
        self.device.shell("true", timeout=_PING_TIMEOUT, cancel=self._closed)
        if not self.info.model:
            self.info = read_device_info(self.device, self._closed)
            self._take_profile(find_profile(self.info.names))
        if self._display.size.is_empty:
            self._display = read_display(self.device, self._closed)

    def _take_profile(self, profile: DeviceProfile) -> None:
        """Use the settings that suit the phone, where no others were chosen."""
        self.profile = profile
        if self._takes_suited:
            self._supervisor.prefer(profile.settings.frame_source)

    def make(self, name: str) -> FrameSource:
        from collector.device.source_factory import make_frame_source

        return make_frame_source(
            name, self.device, self._jar, virtual=self.info.is_virtual, on_line=self._server_line,
            on_encoded=self.encoded.emit,
        )  # fmt: skip

    def took_source(self, source: FrameSource | None) -> None:
        from collector.device.source_factory import make_input_sink

        self._input.use(make_input_sink(source, self.device, lambda: self._display.size))
        self._trees.pause(source is None)
        if source is not None:
            self._trees.refresh()

    def took_frame(self, frame: Frame) -> None:
        frame.sequence = next(self._sequence)
        before, self._frame = self._frame, frame
        if before is None or before.size != frame.size:
            self._frame_size_changed(frame.size)
        if self.frames.put(frame):
            self.emit(DeviceEvent("frame"))
        self._motion.note(frame)
        black = frame.looks_black
        if black != self._black:
            # Checked for every frame: a video fades to black in steps too small for the motion detector.
            self._black = black
            self._input.do_once(self._check_secure)

    def emit(self, event: DeviceEvent) -> None:
        if not self._closed.is_set():
            self.events.emit(event)

    def _tree_event(self, event: DeviceEvent) -> None:
        """Measure again when a tree has another rotation: a half turn does not change the size of frames."""
        snapshot = self._trees.newest
        tree = snapshot.tree if snapshot and event.kind == "tree" else None
        if tree is not None and tree.rotation != self._display.rotation:
            self._input.do_once(self._measure)
        self.emit(event)

    def _frame_size_changed(self, size: Size) -> None:
        """Adapt to frames of another size: swap the known size at once, then ask the phone."""
        known = self._display
        if (size.width > size.height) != (known.size.width > known.size.height):
            quarter = 0 if known.rotation % 2 else 1
            self._display = Display(known.size.transposed, quarter, known.density)
        self._input.screen_changed(self._display.size)
        self.emit(DeviceEvent("size", str(self._display.size)))
        self._input.do_once(self._measure)

    def _measure(self) -> None:
        """Ask the phone for size, rotation and density; emit ``size`` when they changed."""
        before, self._display = self._display, read_display(self.device, self._closed)
        if before != self._display:
            self._input.screen_changed(self._display.size)
            self.emit(DeviceEvent("size", str(self._display.size)))

    def _check_secure(self) -> None:
        frame = self._frame
        black = frame is not None and frame.looks_black
        secure = black and read_foreground(self.device, self._closed).secure
        if secure != self.secure:
            self.secure = secure
            self.emit(DeviceEvent("secure", _("This screen is protected") if secure else ""))

    def _server_line(self, line: str) -> None:
        now = time.monotonic()
        if "INJECT_EVENTS" in line and now - self._denied_at > _DENIED_EVERY_S:
            self._denied_at = now
            self.emit(DeviceEvent("message", str(InputDenied(line))))

    # -- trees -----------------------------------------------------------------------
    def _make_tree_sources(self) -> list[TreeSource]:
        """Return the preferred source, then the one every phone has."""
        plain = UiautomatorSource(self.device)
        chosen = self._tree_source
        if chosen in _AUTOMATIC:
            suited = self.profile.settings.tree_source
            chosen = suited if suited != "uiautomator2" or is_installed() else ""
        if chosen == "uiautomator":
            return [plain]
        fast = is_installed() and not self.info.is_virtual
        if chosen == "uiautomator2" or fast:
            return [Uiautomator2Source(self.device), plain]
        return [plain]


def _load_sources() -> None:
    """Load the decoder while the phone is asked who it is, on the input thread, which is idle then."""
    from collector.device import source_factory  # noqa: F401
