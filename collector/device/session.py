"""One phone being watched and used: picks sources, fails over, keeps the newest picture and tree.

Nothing here blocks the caller: pictures come on the source's thread, input and trees each
have a thread of their own, and what is asked for is answered with what is known.
"""

from __future__ import annotations

import logging
import queue
import re
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from collector.adb.keys import key_code
from collector.adb.properties import parse_getprop, parse_wm_density, parse_wm_size
from collector.adb.quoting import is_package
from collector.device.connection import AdbConnectionDevice
from collector.device.errors import CallCancelled, DeviceError
from collector.device.frame import Frame
from collector.device.inputs import ScrcpyInput, ShellInput
from collector.device.mailbox import Mailbox
from collector.device.protocols import FrameSource
from collector.device.scrcpy_source import ScrcpySource
from collector.device.screencap_source import ScreencapSource
from collector.device.server_jar import find_server_jar
from collector.device.snapshot import TreeSnapshot
from collector.device.uiautomator_source import UiautomatorSource
from collector.model.geometry import Position, Size
from collector.model.listeners import Listeners
from collector.model.touch import TouchAction
from collector.model.words import _

_log = logging.getLogger(__name__)
FRAME_SOURCES = ("scrcpy", "screencap")
_KEYS = {"recents": "APP_SWITCH", "delete": "DEL", "up": "DPAD_UP", "down": "DPAD_DOWN",
         "left": "DPAD_LEFT", "right": "DPAD_RIGHT"}  # fmt: skip
_CTRL_A = (29, 0x1000)


@dataclass(frozen=True, slots=True)
class DeviceEvent:
    """``kind``: frame, tree, source, size, message, lost."""

    kind: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class DeviceDetails:
    """What a phone says of itself."""

    serial: str
    model: str = ""
    manufacturer: str = ""
    android: str = ""
    size: Size = Size(0, 0)  # noqa: RUF009 - frozen
    density: int = 0
    virtual: bool = False


@dataclass(frozen=True, slots=True)
class SessionStats:
    """Figures for the HUD."""

    fps: float
    decode_ms: float
    scale_ms: float
    dropped: int
    tree_age_ms: int | None


class DeviceSession:
    """Live from ``start`` to ``close``. Every method returns at once."""

    def __init__(self, serial: str, *, frame_source: str = "", server_jar: str = "") -> None:
        self.device = AdbConnectionDevice(serial)
        self.events: Listeners[DeviceEvent] = Listeners()
        self.frames: Mailbox[Frame] = Mailbox()
        self.info = DeviceDetails(serial)
        self._wanted, self._jar = frame_source, server_jar
        self._closed = threading.Event()
        self._source: FrameSource | None = None
        self._input: ScrcpyInput | ShellInput = ShellInput(self.device)
        self._frame: Frame | None = None
        self._tree: TreeSnapshot | None = None
        self._tree_wanted = threading.Event()
        self._view = Size(0, 0)
        self._times: deque[float] = deque(maxlen=120)
        self._work: queue.Queue[Callable[[], None]] = queue.Queue()

    def start(self) -> None:
        for name, target in (("device input", self._run_work), ("device trees", self._run_trees)):
            threading.Thread(target=target, name=name, daemon=True).start()
        threading.Thread(target=self._open, name="device open", daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        self._tree_wanted.set()
        self._work.put(lambda: None)
        self.frames.close()
        source = self._source
        if source:
            source.close()

    def newest_frame(self) -> Frame | None:
        return self._frame

    def newest_tree(self) -> TreeSnapshot | None:
        return self._tree

    def refresh_tree(self) -> None:
        self._tree_wanted.set()

    def set_view_size(self, size: Size) -> None:
        self._view = size
        if self._source:
            self._source.set_view_size(size)

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        self._do(lambda: self._input.touch(action, pointer, position))

    def key(self, name: str) -> None:
        """A key of the action space, or ``code:<number>``."""
        if name == "select_all":
            self._do(lambda: self._input.key(*_CTRL_A))
            return
        code = int(name[5:]) if name.startswith("code:") else key_code(_KEYS.get(name, name))
        self._do(lambda: self._input.key(code))

    def text(self, text: str) -> None:
        self._do(lambda: self._input.text(text))

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        self._do(lambda: self._input.scroll(position, horizontal, vertical))

    def open_app(self, package: str) -> None:
        if not is_package(package):
            raise ValueError(f"not a package: {package!r}")
        line = f"monkey -p {package} -c android.intent.category.LAUNCHER 1"
        self._do(lambda: self._check_opened(package, self.device.shell(line).text))

    def foreground(self) -> tuple[str, str]:
        tree = self._tree
        return (tree.package, tree.activity) if tree else ("", "")

    @property
    def screen_size(self) -> Size:
        """The display as it is turned now, in the pixels trees and actions use."""
        natural, frame = self.info.size, self._frame
        if frame is None or natural.is_empty:
            return natural
        turned = (frame.size.width > frame.size.height) != (natural.width > natural.height)
        return natural.transposed if turned else natural

    @property
    def rotation(self) -> int:
        if self._tree is not None and self._tree.tree is not None:
            return self._tree.tree.rotation
        return int(self.screen_size != self.info.size)

    @property
    def density(self) -> int:
        return self.info.density

    @property
    def frame_source(self) -> str:
        return self._source.name if self._source else ""

    @property
    def stats(self) -> SessionStats:
        now = time.monotonic()
        recent = sum(1 for one in tuple(self._times) if now - one < 1.0)
        tree, source = self._tree, self._source
        age = tree.age_ms(time.monotonic_ns()) if tree else None
        decode, scale = 0.0, 0.0
        if isinstance(source, ScrcpySource):
            decode, scale = source.stats.decode_ms, source.stats.scale_ms
        return SessionStats(float(recent), decode, scale, self.frames.dropped, age)

    def _open(self) -> None:
        try:
            self.info = _details(self.device)
        except DeviceError as error:
            self.events.tell(DeviceEvent("lost", str(error)))
            return
        self._open_source([self._wanted] if self._wanted else list(FRAME_SOURCES))
        self.refresh_tree()

    def _open_source(self, names: list[str]) -> None:
        """The first of ``names`` that starts; each failure is told before the next is tried."""
        for position, name in enumerate(names):
            if self._closed.is_set():
                return
            rest = names[position + 1 :]
            try:
                self._begin(name, lambda error, rest=rest: self._failed(error, rest))  # type: ignore[misc]
            except DeviceError as error:
                self.events.tell(DeviceEvent("message", str(error)))
                continue
            self.events.tell(DeviceEvent("source", name))
            return
        self.events.tell(DeviceEvent("lost", _("No picture can be had from this device")))

    def _begin(self, name: str, on_failure: Callable[[Exception], None]) -> None:
        source: FrameSource
        sink: ScrcpyInput | ShellInput = self._input
        if name == "scrcpy":
            source = video = ScrcpySource(self.device, find_server_jar(self._jar, virtual=self.info.virtual))
            sink = ScrcpyInput(video)
        else:
            source = ScreencapSource(self.device)
        source.set_view_size(self._view)
        source.start(self._on_frame, on_failure)
        self._source, self._input = source, sink

    def _failed(self, error: Exception, rest: list[str]) -> None:
        self.events.tell(DeviceEvent("message", str(error)))
        if self._source:
            self._source.close()
        self._input.close()
        self._input = ShellInput(self.device)
        self._open_source(rest)

    def _on_frame(self, frame: Frame) -> None:
        before, self._frame = self._frame, frame
        self._times.append(time.monotonic())
        if before is None or before.size != frame.size:
            self.events.tell(DeviceEvent("size", str(frame.size)))
        if self.frames.put(frame):
            self.events.tell(DeviceEvent("frame"))

    def _do(self, work: Callable[[], None]) -> None:
        self._work.put(work)

    def _run_work(self) -> None:
        while not self._closed.is_set():
            work = self._work.get()
            try:
                work()
            except DeviceError as error:
                self.events.tell(DeviceEvent("message", str(error)))

    def _check_opened(self, package: str, said: str) -> None:
        if "No activities found" in said:
            self.events.tell(DeviceEvent("message", _("The phone has no app {name}", name=package)))

    def _run_trees(self) -> None:
        source = UiautomatorSource(self.device)
        while not self._closed.is_set():
            self._tree_wanted.wait()
            self._tree_wanted.clear()
            if self._closed.is_set():
                return
            try:
                self._tree = source.snapshot(self._closed)
            except CallCancelled:
                return
            except DeviceError as error:
                self.events.tell(DeviceEvent("message", str(error)))
                continue
            self.events.tell(DeviceEvent("tree"))


def _details(device: AdbConnectionDevice) -> DeviceDetails:
    properties = parse_getprop(device.shell("getprop").text)
    size = parse_wm_size(device.shell("wm size").text).current or Size(0, 0)
    density = parse_wm_density(device.shell("wm density").text).current or 0
    model = properties.get("ro.product.model", "")
    return DeviceDetails(
        device.serial,
        model,
        properties.get("ro.product.manufacturer", ""),
        properties.get("ro.build.version.release", ""),
        size,
        density,
        bool(re.search(r"waymark", " ".join((model, *properties)), re.IGNORECASE)),
    )
