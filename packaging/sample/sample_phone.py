"""A virtual phone and somebody who uses it through the recorder, at a pace that is the same every time.

The recorder is the product's own, and its input reaches the phone through ADB as a person's does. Only the
clock is not the computer's: it stands still while the phone settles, so that a second recording has the
times of the first.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from collector.adb.keys import action_key
from collector.device.apps.app_control import start_app
from collector.device.device_info import read_display
from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.device.transport.adb_device import AdbDevice
from collector.model.geometry import Point, Position, Rect, Size
from collector.model.phone.touch import TouchAction
from collector.model.tree import Node, Tree
from collector.recorder.events import NextStateReady, Phase, RecorderEvent, RecorderNotice
from collector.recorder.observer import Observer
from collector.recorder.png import encode_small_png
from collector.recorder.recorder import Recorder
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.settle import MAP_SIZE, share_changed
from collector.replay.phone import ReplayPhone, opened_phone
from collector.store.trajectory.writer import TrajectoryWriter

SIZE, DENSITY = "480x1064", 213
APPS = ("messenger", "shop", "todo", "companion", "adbkeyboard")
"""What is installed: apps that came later would stand on the home screens of the recordings."""
_APPEARS_MS = 240
"""From an input to the first frame that shows its effect."""
_LOOK_MS = 40
_TAP_MS = 60
_LONG_PRESS_MS = 640
_KEY_MS = 90
"""Between two typed characters."""
_ANSWER_MS = 4000
"""How long somebody waits who waits for something."""
_PATIENCE_S = 20.0
_EFFECT_S = 2.0
"""Longest wait for any effect of an input."""
_CARET_S = 0.6
"""The caret of a field with the focus is shown or hidden for at most this long."""


class RecordingClock:
    """Monotonic nanoseconds that pass when somebody says so."""

    def __init__(self, start: dt.datetime) -> None:
        self._now_ns = 1_000_000_000
        self._start = start

    def __call__(self) -> int:
        return self._now_ns

    def pass_ms(self, ms: int) -> None:
        self._now_ns += ms * 1_000_000

    def wall(self) -> dt.datetime:
        """The time of day."""
        return self._start + dt.timedelta(microseconds=(self._now_ns - 1_000_000_000) // 1000)


class SettledPhone:
    """A CaptureSource that shows what the phone showed when it had settled, with the times of the clock."""

    frame_source = "screencap"

    def __init__(self, device: AdbDevice, phone: ReplayPhone, clock: RecordingClock) -> None:
        self._device, self._phone, self._clock = device, phone, clock
        self._cancel = threading.Event()
        self._observer = Observer(device, phone.trees, self._cancel, phone.pictures)
        self._display = read_display(device)
        self._moment = self._at_rest()
        self._frame: Frame | None = None
        self._tree: TreeSnapshot | None = None
        self._sequence = 0

    # -- what it shows -------------------------------------------------------
    def newest_frame(self) -> Frame | None:
        return self._frame

    def newest_tree(self) -> TreeSnapshot | None:
        return self._tree

    def foreground(self) -> tuple[str, str]:
        return (self._tree.package, self._tree.activity) if self._tree is not None else ("", "")

    @property
    def screen_size(self) -> Size:
        return self._display.size

    @property
    def rotation(self) -> int:
        return self._display.rotation

    @property
    def density(self) -> int:
        return self._display.density

    @property
    def secure(self) -> bool:
        return self._moment.secure

    @property
    def keyboard(self) -> Rect | None:
        return self._moment.keyboard

    @property
    def tree(self) -> Tree:
        """The tree of the screen at rest."""
        assert self._moment.tree is not None
        return self._moment.tree

    def refresh_tree(self) -> None:
        """Give the tree of the screen at rest the time at which it is asked for."""
        assert self._moment.snapshot is not None
        now = self._clock()
        self._tree = replace(self._moment.snapshot, started_ns=now, finished_ns=now)

    def settle(self) -> None:
        """Wait for the effect of the last input, and until the screen rests; show it from now on."""
        before, end = self._moment, time.monotonic() + _EFFECT_S
        self._moment = self._at_rest()
        while self._moment.is_same(before) and time.monotonic() < end:
            self._moment = self._at_rest()
        self.show()

    def show(self) -> None:
        """Show the screen at rest as a new frame."""
        assert self._moment.frame is not None
        self._sequence += 1
        pixels = self._moment.frame.rgb()
        self._frame = Frame(pixels, sequence=self._sequence, received_ns=self._clock())

    def _at_rest(self) -> ScreenMoment:
        """The screen once two pictures in a row are the same, but for a caret that blinks."""
        moment = self._observer.look()
        end = time.monotonic() + _PATIENCE_S
        while time.monotonic() < end:
            again = self._observer.look()
            if again.is_same(moment) and _is_like(again, moment):
                return self._with_one_caret(again)
            moment = again
        raise TimeoutError("the screen does not come to rest")

    def _with_one_caret(self, moment: ScreenMoment) -> ScreenMoment:
        """Of the pictures with and without the caret always take the same one."""
        assert moment.tree is not None
        if not any(node.flag("focused") and node.short_class == "EditText" for node in moment.tree.nodes):
            return moment
        end = time.monotonic() + 2 * _CARET_S
        while time.monotonic() < end:
            again = self._observer.look()
            if again.is_same(moment) and _pixels(again) > _pixels(moment):
                moment = again
        return moment

    # -- what is done to it --------------------------------------------------
    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        self._phone.sink.touch(action, pointer, position)

    def key(self, name: str, held_ms: int = 0) -> None:
        self._phone.sink.key(*action_key(name), held_ms)

    def text(self, text: str) -> None:
        self._phone.sink.text(text)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        self._phone.sink.scroll(position, horizontal, vertical)

    def open_app(self, app: str) -> None:
        start_app(self._device, app)


def _is_like(one: ScreenMoment, other: ScreenMoment) -> bool:
    if one.frame is None or other.frame is None:
        return False
    return share_changed(one.frame.luma(MAP_SIZE), other.frame.luma(MAP_SIZE)) == 0


def _pixels(moment: ScreenMoment) -> bytes:
    return moment.frame.rgb().tobytes() if moment.frame is not None else b""


@dataclass
class Operator:
    """Somebody who records a trajectory: looks for a node, touches it, waits until the phone has settled."""

    recorder: Recorder
    phone: SettledPhone
    clock: RecordingClock
    think_ms: int
    """Between the rest of the screen and the next input."""
    ready: int = 0
    problem: str = ""
    finished: bool = False

    def heard(self, event: RecorderEvent) -> None:
        """Note an event of the recorder."""
        match event:
            case NextStateReady():
                self.ready += 1
            case RecorderNotice(what=what):
                self.problem = what
            case _ if getattr(event, "phase", None) is Phase.FINISHED:
                self.finished = True

    # -- gestures and keys ---------------------------------------------------
    def tap(self, text: str = "", *, place: int = 0, **wanted: str) -> None:
        """Tap the node with this text or description, and with these attributes, the one at ``place``."""
        self._outwait_message()
        self._press(self.middle(text, place=place, **wanted), _TAP_MS)

    def long_press(self, text: str = "", *, place: int = 0, **wanted: str) -> None:
        """Hold a finger on a node until it is a long press."""
        self._outwait_message()
        self._press(self.middle(text, place=place, **wanted), _LONG_PRESS_MS)

    def swipe_down_from_top(self) -> None:
        """Pull down the notification shade."""
        width, height = self.phone.screen_size.width, self.phone.screen_size.height
        self._finger(TouchAction.DOWN, Point(width // 2, 4))
        for part in range(1, 13):
            self._pass_really(16)
            self._finger(TouchAction.MOVE, Point(width // 2, 4 + height * part // 20))
        self._finger(TouchAction.UP, Point(width // 2, 4 + height * 12 // 20))
        self._settle()

    def scroll(self, direction: str, turns: int = 3) -> None:
        """Turn the wheel in the middle of the screen."""
        self._outwait_message()
        size = self.phone.screen_size
        position = Position(Point(size.width // 2, size.height // 2), size)
        self.recorder.scroll(position, 0, turns if direction == "up" else -turns)
        self._settle()

    def type(self, text: str) -> None:
        """Type into the field with the focus."""
        self._outwait_message()
        self.recorder.text(text)
        self.clock.pass_ms(_KEY_MS * len(text))
        self._settle()

    def key(self, name: str) -> None:
        self._outwait_message()
        self.recorder.key(name)
        self._settle()

    def open_app(self, package: str, name: str) -> None:
        """Start an app from the Record workspace."""
        self.recorder.open_app(package, name)
        self._settle()

    def answer(self, text: str) -> None:
        """Give the answer that the task asks for."""
        self.recorder.answer(text)

    # -- looking -------------------------------------------------------------
    def middle(self, text: str = "", *, place: int = 0, **wanted: str) -> Point:
        """The middle of a node. Raises LookupError with what is on the screen when there is none."""
        found = [node for node in self.phone.tree.nodes if _matches(node, text, wanted)]
        bounds = found[place].bounds if place < len(found) else None
        if bounds is None:
            texts = [node.text or node.get("content-desc") for node in self.phone.tree.nodes]
            raise LookupError(f"no {text or wanted} on the screen, only {[word for word in texts if word]}")
        return bounds.center

    def has(self, text: str = "", **wanted: str) -> bool:
        """Whether there is such a node on the screen."""
        return any(_matches(node, text, wanted) for node in self.phone.tree.nodes)

    def wait_for(self, text: str) -> None:
        """Look at the screen until it says something, as a person does who waits for an answer."""
        self._outwait(lambda: self.has(text))

    def _outwait_message(self) -> None:
        """Let a message at the bottom go away by itself, so that the next state is the same each time."""
        if self.has(id="snackbar_text"):
            self._outwait(lambda: not self.has(id="snackbar_text"))

    def _outwait(self, condition: Callable[[], bool]) -> None:
        """Do nothing until the screen is as expected, and let the recorder see it."""
        end = time.monotonic() + _PATIENCE_S
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError("the screen does not become as expected")
            self.phone.settle()
        self.clock.pass_ms(_ANSWER_MS)
        self.phone.show()
        self.phone.refresh_tree()
        self.recorder.look()
        self.clock.pass_ms(self.think_ms)

    def finish(self) -> None:
        """Submit the recording, and wait until its last state is written."""
        self.recorder.finish()
        self._look_until(lambda: self.finished)
        if not self.recorder.flush(_PATIENCE_S) or self.problem:
            raise RuntimeError(self.problem or "the recording was not written")

    # -- the pace ------------------------------------------------------------
    def _press(self, point: Point, ms: int) -> None:
        self._finger(TouchAction.DOWN, point)
        self._pass_really(ms)
        self._finger(TouchAction.UP, point)
        self._settle()

    def _finger(self, action: TouchAction, point: Point) -> None:
        self.recorder.touch(action, 0, Position(point, self.phone.screen_size))

    def _pass_really(self, ms: int) -> None:
        """The phone measures gestures by its own clock: let the time pass on both."""
        time.sleep(ms / 1000)
        self.clock.pass_ms(ms)

    def _settle(self) -> None:
        """Wait for the phone, then let the recorder see what became of the input."""
        self.clock.pass_ms(_APPEARS_MS)
        self.phone.settle()
        self._rest()

    def _rest(self) -> None:
        seen = self.ready
        self._look_until(lambda: self.ready > seen)
        self.recorder.flush(_PATIENCE_S)
        self.clock.pass_ms(self.think_ms)
        self.recorder.look()

    def _look_until(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + _PATIENCE_S
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError(self.problem or "the recorder waits for a state")
            self.recorder.look()
            self.clock.pass_ms(_LOOK_MS)
            self.recorder.flush(_PATIENCE_S)


def _matches(node: Node, text: str, wanted: dict[str, str]) -> bool:
    if text and text not in (node.text, node.get("content-desc")):
        return False
    names = {"id": node.short_id, "desc": node.get("content-desc"), "text": node.text}
    return all(names[name] == value for name, value in wanted.items())


@contextlib.contextmanager
def operator_at(
    device: AdbDevice, writer: TrajectoryWriter, start: dt.datetime, think_ms: int
) -> Iterator[Operator]:
    """Somebody in front of the phone, who records into ``writer`` from its home screen."""
    clock = RecordingClock(start)
    with opened_phone(device) as opened:
        phone = SettledPhone(device, opened, clock)
        recorder = Recorder(phone, writer, clock=clock, wall=clock.wall, encode=encode_small_png)
        try:
            operator = Operator(recorder, phone, clock, think_ms)
            recorder.events.subscribe(operator.heard)
            phone.show()
            phone.refresh_tree()
            recorder.look()
            clock.pass_ms(think_ms)
            yield operator
        finally:
            recorder.close()
