"""Two input sinks: the control socket of scrcpy, and the ``input`` command."""

from __future__ import annotations

import base64
import itertools
import logging
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from typing import Protocol

from collector.adb.keys import CODES, META_ALT, META_CTRL, META_SHIFT
from collector.adb.quoting import input_text
from collector.adb.scrcpy import control as msg
from collector.adb.scrcpy.device_message import ClipboardAck, DeviceMessage
from collector.device.errors import CommandFailed, DeviceError, InputDenied, ScrcpyFailed
from collector.device.input.drawn_ways import WayPoint, few_points, is_straight
from collector.device.protocols import Device
from collector.model.action import HELD_FROM_MS
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Point, Position, Size
from collector.model.i18n import _
from collector.model.phone.touch import TouchAction

_log = logging.getLogger(__name__)
_FINGER = -2
_ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
_ACK_TIMEOUT = 3.0
_EVENT_S = 0.04
"""How long the ``input`` command takes for one event of a gesture."""
_DRAW_S = 20.0
_REST_PX, _TAP_MS = 8, 300
"""A tap moves less, and takes less time."""
_KEY_DOWN, _KEY_UP = 0, 1
_REPEAT_EVERY_S = 0.05
_MOST_HELD_MS = 30_000
"""Nobody holds a key longer; what comes after it waits."""
_ACCENTS = dict.fromkeys(range(0x300, 0x370))
_HELD = {CODES["CTRL_LEFT"]: META_CTRL, CODES["SHIFT_LEFT"]: META_SHIFT, CODES["ALT_LEFT"]: META_ALT}


class ScrcpyControl(Protocol):
    """The control socket of a scrcpy session, with or without a video beside it."""

    @property
    def messages(self) -> EventEmitter[DeviceMessage]:
        """Messages of the phone, emitted on the thread that reads them."""

    @property
    def acknowledges_paste(self) -> bool:
        """Whether the server confirms a pasted text."""

    def input_size(self, screen: Size) -> Size:
        """The size that touches on a display of size ``screen`` must name; 0x0 while they must wait."""

    def send(self, message: msg.ControlMessage) -> None:
        """Send a message; raises OSError when the connection is gone."""


class ScrcpyInput:
    """Send input through scrcpy, with real touch timing; positions are scaled to the size it wants."""

    name = "scrcpy"
    max_pointers = 10

    def __init__(self, source: ScrcpyControl, ack_timeout: float = _ACK_TIMEOUT) -> None:
        self._source = source
        self._ack_timeout = ack_timeout
        self._sequences = itertools.count(1)
        self._acked: dict[int, threading.Event] = {}
        self._forget = source.messages.subscribe(self._message_received)

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        size = self._source.input_size(position.screen)
        if size.is_empty:
            return
        place = Position(position.on(size), size)
        pressure = 0.0 if action in (TouchAction.UP, TouchAction.CANCEL) else 1.0
        self._send(msg.InjectTouch(int(action), _FINGER - pointer, place, pressure))

    def key(self, code: int, meta: int = 0, held_ms: int = 0) -> None:
        """Press a key; one that is held repeats, as it does where drivers report it."""
        self._send(msg.InjectKey(_KEY_DOWN, code, 0, meta))
        began, repeats = time.monotonic(), 0
        while (left_s := began + min(held_ms, _MOST_HELD_MS) / 1000 - time.monotonic()) > 0:
            time.sleep(min(left_s, _REPEAT_EVERY_S if repeats else HELD_FROM_MS / 1000))
            if left_s > _REPEAT_EVERY_S and time.monotonic() - began >= HELD_FROM_MS / 1000:
                repeats += 1
                self._send(msg.InjectKey(_KEY_DOWN, code, repeats, meta))
        self._send(msg.InjectKey(_KEY_UP, code, 0, meta))

    def text(self, text: str) -> None:
        """Type ASCII as keys; paste anything else and wait until the phone confirms."""
        if text.isascii():
            self._inject(text)
            return
        for piece in pieces(text, msg.MAX_CLIPBOARD):
            if not self._paste(piece):
                self._type_instead(piece)

    def _inject(self, text: str) -> None:
        for piece in pieces(text, msg.MAX_TEXT):
            self._send(msg.InjectText(piece))

    def _paste(self, text: str) -> bool:
        """Paste; return whether the phone confirmed. An old server cannot confirm and is trusted."""
        if not self._source.acknowledges_paste:
            self._send(msg.SetClipboard(text, paste=True))
            return True
        sequence = next(self._sequences)
        acknowledged = self._acked.setdefault(sequence, threading.Event())
        self._send(msg.SetClipboard(text, paste=True, sequence=sequence))
        pasted = acknowledged.wait(self._ack_timeout)
        del self._acked[sequence]
        return pasted

    def _type_instead(self, text: str) -> None:
        """Type an unconfirmed text as keys; raises DeviceError for more than letters with accents."""
        if not unicodedata.normalize("NFD", text).translate(_ACCENTS).isascii():
            raise DeviceError(
                _("The phone did not confirm the pasted text"),
                _("Its clipboard did not answer, and this text cannot be typed key by key"),
                _("Look whether it arrived; a newer scrcpy server may help"),
            )
        _log.info("the phone confirmed no paste; the text is typed")
        self._inject(text)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        size = self._source.input_size(position.screen)
        self._send(msg.InjectScroll(Position(position.on(size), size), horizontal, vertical))

    def close(self) -> None:
        self._forget()

    def _send(self, message: msg.ControlMessage) -> None:
        try:
            self._source.send(message)
        except OSError as error:
            raise ScrcpyFailed(_("The control connection broke"), str(error)) from error

    def _message_received(self, message: DeviceMessage) -> None:
        if isinstance(message, ClipboardAck) and message.sequence in self._acked:
            self._acked[message.sequence].set()


class ShellInput:
    """Send input through the ``input`` command; a gesture is sent when the finger lifts."""

    name = "input"
    max_pointers = 1

    def __init__(
        self, device: Device, screen: Callable[[], Size] = lambda: Size(0, 0), *, tool: str = ""
    ) -> None:
        """``screen`` returns the present size of the display; positions are scaled to it unless it is 0x0.

        ``tool`` is what touches, as the command names it (``stylus``); a finger by default.
        """
        self._device = device
        self._screen = screen
        self._tool = (tool,) if tool else ()
        self._down_at = 0.0
        self._way: list[WayPoint] = []
        self._draws = True
        """Whether the phone takes single events of a gesture; from Android 9 on."""

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        if pointer >= self.max_pointers:
            return
        now, point = time.monotonic(), self._place(position)
        if action is TouchAction.DOWN:
            self._down_at, self._way = now, []
        elif action is TouchAction.CANCEL:
            self._way = []
            return
        elif not self._way:
            return
        self._way.append(WayPoint((now - self._down_at) * 1000, point))
        if action is TouchAction.UP:
            way, self._way = self._way, []
            self._draw(way)

    def _draw(self, way: list[WayPoint]) -> None:
        start, end, duration = way[0].point, way[-1].point, max(1, round(way[-1].ms))
        rests = all(start.distance_to(at.point) < _REST_PX for at in way)
        if rests and duration < _TAP_MS:
            self._run("input", *self._tool, "tap", end.x, end.y)
        elif rests or is_straight(way) or not (self._draws and self._drawn(way)):
            self._run("input", *self._tool, "swipe", start.x, start.y, end.x, end.y, duration)

    def _drawn(self, way: list[WayPoint]) -> bool:
        """Draw a bent way, or one that is held first; False when the phone cannot."""
        points = few_points(way)
        words = ["input", *self._tool, "motionevent"]
        lines, before = [], 0.0
        for number, at in enumerate(points):
            pause = (at.ms - before) / 1000 - _EVENT_S
            lines += [f"sleep {pause:.3f}"] if pause > _EVENT_S else []
            lines.append(" ".join([*words, "MOVE" if number else "DOWN", str(at.point.x), str(at.point.y)]))
            before = at.ms
        lines.append(" ".join([*words, "UP", str(points[-1].point.x), str(points[-1].point.y)]))
        result = self._device.shell(" && ".join(lines), timeout=_DRAW_S + points[-1].ms / 1000)
        said = result.text + result.error_text
        if "INJECT_EVENTS" in said:
            raise InputDenied(said.strip())
        self._draws = result.ok
        return result.ok

    def key(self, code: int, meta: int = 0, held_ms: int = 0) -> None:
        """Press a key; how long one is held that is held is up to the phone's ``input``."""
        held = [str(modifier) for modifier, bit in _HELD.items() if meta & bit]
        verb = ["keycombination", *held] if held else ["keyevent"]
        if held_ms >= HELD_FROM_MS and not held:
            verb.append("--longpress")
        self._run("input", *verb, code)

    def text(self, text: str) -> None:
        """Type text; what has no keys is typed by AdbKeyboard when the phone uses it."""
        try:
            typed = input_text(text)
        except ValueError as error:
            if not self._uses_adb_keyboard:
                reason = _("This text cannot be typed without the scrcpy mirror")
                raise DeviceError(reason, str(error)) from None
            packed = base64.b64encode(text.encode()).decode()
            self._run("am", "broadcast", "-a", "ADB_INPUT_B64", "--es", "msg", packed)
            return
        self._run("input", "text", typed)

    @property
    def _uses_adb_keyboard(self) -> bool:
        used = self._device.shell("settings get secure default_input_method").text.strip()
        return used == _ADB_KEYBOARD

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        point = self._place(position)
        # The view moves to the right under a finger that moves to the left.
        end = Point(point.x - round(horizontal * 200), point.y + round(vertical * 200))
        self._run("input", "swipe", point.x, point.y, end.x, end.y, 200)

    def close(self) -> None:
        self._way = []

    def _place(self, position: Position) -> Point:
        screen = self._screen()
        return position.point if screen.is_empty else position.on(screen)

    def _run(self, *words: str | int) -> None:
        result = self._device.shell([str(word) for word in words])
        said = result.error_text.strip() or result.text.strip()
        if "INJECT_EVENTS" in result.text + result.error_text:
            raise InputDenied(said)
        if not result.ok:
            raise CommandFailed(_("The phone took no input"), said)


def pieces(text: str, limit: int) -> Iterator[str]:
    """Split text into parts of at most ``limit`` bytes of UTF-8 without splitting a character."""
    data, at = text.encode(), 0
    while at < len(data):
        end = min(at + limit, len(data))
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end -= 1
        yield data[at:end].decode()
        at = end
