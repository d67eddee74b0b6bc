"""Simulated keyboards and mice: their HID reports as key and pointer events of the phone."""

from __future__ import annotations

from collector.adb.keys import CODES
from collector.adb.scrcpy.control import UhidCreate
from collector.model.geometry import Point
from collector.model.phone.touch import TouchAction
from collector.virtual.video.phone import ScreenPhone

_KEYBOARD_USAGE = b"\x09\x06"
_MOUSE_USAGE = b"\x09\x02"
_FINGER = 9

# HID usages 4 to 56 in order, then the other common keys.
_IN_ORDER = [
    *"ABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890",
    "ENTER", "ESCAPE", "DEL", "TAB", "SPACE", "MINUS", "EQUALS", "LEFT_BRACKET", "RIGHT_BRACKET",
    "BACKSLASH", "BACKSLASH", "SEMICOLON", "APOSTROPHE", "GRAVE", "COMMA", "PERIOD", "SLASH",
]  # fmt: skip
_USAGES = {usage: CODES[name] for usage, name in enumerate(_IN_ORDER, 4)} | {
    usage: CODES[name]
    for usage, name in {
        0x4A: "MOVE_HOME", 0x4B: "PAGE_UP", 0x4C: "FORWARD_DEL", 0x4D: "MOVE_END", 0x4E: "PAGE_DOWN",
        0x4F: "DPAD_RIGHT", 0x50: "DPAD_LEFT", 0x51: "DPAD_DOWN", 0x52: "DPAD_UP",
    }.items()
}  # fmt: skip
_MODIFIERS = ("CTRL_LEFT", "SHIFT_LEFT", "ALT_LEFT", "META_LEFT",
              "CTRL_RIGHT", "SHIFT_RIGHT", "ALT_RIGHT", "META_RIGHT")  # fmt: skip
_META = (0x1000, 0x01, 0x02, 0x10000) * 2


class HidKeyboard:
    """Boot keyboard reports: modifiers, a reserved byte, pressed keys."""

    def __init__(self, phone: ScreenPhone) -> None:
        self._phone = phone
        self._pressed: set[int] = set()

    def report(self, data: bytes) -> None:
        """Press and release the keys that changed since the last report."""
        if len(data) < 3:
            return
        modifiers = data[0]
        meta = 0
        pressed = {_USAGES[usage] for usage in data[2:] if usage in _USAGES}
        for bit, name in enumerate(_MODIFIERS):
            if modifiers >> bit & 1:
                meta |= _META[bit]
                pressed.add(CODES[name])
        for code in sorted(self._pressed - pressed):
            self._phone.key(code, False, meta)
        for code in sorted(pressed - self._pressed, reverse=True):
            self._phone.key(code, True, meta)
        self._pressed = pressed

    def lift(self) -> None:
        """Keys that are held are let go and do nothing."""
        for code in self._pressed:
            self._phone.cancel_key(code)
        self._pressed = set()


class HidMouse:
    """Mouse reports of buttons, movement and wheel for a cursor that starts in the middle."""

    def __init__(self, phone: ScreenPhone) -> None:
        self._phone = phone
        self._at = Point(phone.size.width // 2, phone.size.height // 2)
        self._pressed = False

    def report(self, data: bytes) -> None:
        """Move the cursor, then press, drag, release or turn the wheel there."""
        if len(data) < 4:
            return
        dx, dy, wheel = (int.from_bytes(data[i : i + 1], "big", signed=True) for i in (1, 2, 3))
        size, before = self._phone.size, self._pressed
        self._at = Point(
            min(max(self._at.x + dx, 0), size.width - 1), min(max(self._at.y + dy, 0), size.height - 1)
        )
        self._pressed = bool(data[0] & 1)
        if self._pressed or before:
            action = TouchAction.MOVE
            if self._pressed != before:
                action = TouchAction.DOWN if self._pressed else TouchAction.UP
            self._phone.touch(action, _FINGER, self._at.x, self._at.y)
        if wheel:
            self._phone.scroll(self._at.x, self._at.y, 0, wheel)

    def lift(self) -> None:
        """A drag ends where it is, without a touch."""
        if self._pressed:
            self._phone.touch(TouchAction.CANCEL, _FINGER, self._at.x, self._at.y)
        self._pressed = False


def plug_in(phone: ScreenPhone, created: UhidCreate) -> HidKeyboard | HidMouse | None:
    """Create the device of a HID descriptor; None for an unsupported one."""
    if _KEYBOARD_USAGE in created.descriptor[:8]:
        return HidKeyboard(phone)
    if _MOUSE_USAGE in created.descriptor[:8]:
        return HidMouse(phone)
    return None
