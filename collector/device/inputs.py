"""Two ways to put input into a phone: scrcpy's control socket, and the ``input`` command."""

from __future__ import annotations

import itertools
import threading
import time

from collector.adb.keys import CODES, META_ALT, META_CTRL, META_SHIFT
from collector.adb.quoting import input_text
from collector.adb.scrcpy import control as msg
from collector.adb.scrcpy.device_message import ClipboardAck, DeviceMessage
from collector.device.errors import DeviceError, InputDenied, ScrcpyFailed
from collector.device.protocols import Device
from collector.device.scrcpy_source import ScrcpySource
from collector.model.geometry import Point, Position
from collector.model.touch import TouchAction
from collector.model.words import _

_FINGER = -2
_ACK_TIMEOUT = 3.0
_HELD = {CODES["CTRL_LEFT"]: META_CTRL, CODES["SHIFT_LEFT"]: META_SHIFT, CODES["ALT_LEFT"]: META_ALT}


class ScrcpyInput:
    """Real touch timing; a position is moved to the video's present size before it goes out."""

    name = "scrcpy"

    def __init__(self, source: ScrcpySource) -> None:
        self._source = source
        self._sequences = itertools.count(1)
        self._acked: dict[int, threading.Event] = {}
        self._forget = source.messages.add(self._told)

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        size = self._source.size
        if size.is_empty:
            return
        place = Position(position.on(size), size)
        pressure = 0.0 if action in (TouchAction.UP, TouchAction.CANCEL) else 1.0
        self._send(msg.InjectTouch(int(action), _FINGER - pointer, place, pressure))

    def key(self, code: int, meta: int = 0) -> None:
        for action in (0, 1):
            self._send(msg.InjectKey(action, code, 0, meta))

    def text(self, text: str) -> None:
        """ASCII as keys; anything else by the clipboard, waiting until the phone has pasted it."""
        if text.isascii() and len(text) <= msg.MAX_TEXT:
            self._send(msg.InjectText(text))
            return
        sequence = next(self._sequences)
        done = self._acked.setdefault(sequence, threading.Event())
        self._send(msg.SetClipboard(text, paste=True, sequence=sequence))
        done.wait(_ACK_TIMEOUT)
        self._acked.pop(sequence, None)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        size = self._source.size
        self._send(msg.InjectScroll(Position(position.on(size), size), horizontal, vertical))

    def close(self) -> None:
        self._forget()

    def _send(self, message: msg.ControlMessage) -> None:
        try:
            self._source.send(message)
        except OSError as error:
            raise ScrcpyFailed(_("The control connection broke"), str(error)) from error

    def _told(self, message: DeviceMessage) -> None:
        if isinstance(message, ClipboardAck) and message.sequence in self._acked:
            self._acked[message.sequence].set()


class ShellInput:
    """``input`` on the phone: a gesture is sent whole when the finger lifts."""

    name = "input"

    def __init__(self, device: Device) -> None:
        self._device = device
        self._down: tuple[Point, float] | None = None

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        if pointer:
            return
        now, point = time.monotonic(), position.point
        if action is TouchAction.DOWN:
            self._down = (point, now)
        elif action is TouchAction.CANCEL:
            self._down = None
        elif action is TouchAction.UP and self._down:
            (start, since), self._down = self._down, None
            duration = max(1, round((now - since) * 1000))
            if start.distance_to(point) < 8 and duration < 300:
                self._run("input", "tap", point.x, point.y)
            else:
                self._run("input", "swipe", start.x, start.y, point.x, point.y, duration)

    def key(self, code: int, meta: int = 0) -> None:
        held = [str(modifier) for modifier, bit in _HELD.items() if meta & bit]
        verb = ["keycombination", *held] if held else ["keyevent"]
        self._run("input", *verb, code)

    def text(self, text: str) -> None:
        try:
            typed = input_text(text)
        except ValueError as error:
            raise DeviceError(_("This text cannot be typed without the scrcpy mirror"), str(error)) from None
        self._run("input", "text", typed)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        point = position.point
        end = Point(point.x + round(horizontal * 200), point.y + round(vertical * 200))
        self._run("input", "swipe", point.x, point.y, end.x, end.y, 200)

    def close(self) -> None:
        self._down = None

    def _run(self, *words: str | int) -> None:
        result = self._device.shell([str(word) for word in words])
        if "INJECT_EVENTS" in result.text + result.error_text:
            raise InputDenied(result.error_text.strip()[:200])
