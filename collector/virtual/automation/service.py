"""JSON-RPC calls on the whole phone: screen, keys, text and clipboard."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Sequence
from typing import Any

from lxml import etree

from collector.adb.keys import CODES, META_CTRL
from collector.model.phone.touch import TouchAction
from collector.virtual.automation.gestures import GestureInjector
from collector.virtual.automation.rpc import JavaError, Method
from collector.virtual.daemon.faults import Faults
from collector.virtual.system.phone import Phone
from collector.virtual.ui.drawing.jpeg import encode_jpeg

_KEYS = {
    "home": "HOME", "back": "BACK", "left": "DPAD_LEFT", "right": "DPAD_RIGHT", "up": "DPAD_UP",
    "down": "DPAD_DOWN", "center": "DPAD_CENTER", "menu": "MENU", "search": "SEARCH", "enter": "ENTER",
    "delete": "DEL", "del": "DEL", "recent": "APP_SWITCH", "volume_up": "VOLUME_UP",
    "volume_down": "VOLUME_DOWN", "volume_mute": "VOLUME_MUTE", "camera": "CAMERA", "power": "POWER",
}  # fmt: skip
_ROTATIONS = {"natural": 0, "n": 0, "left": 1, "l": 1, "upsidedown": 2, "u": 2, "right": 3, "r": 3}
_POLL = 0.02
_TOUCHES = {0: TouchAction.DOWN, 1: TouchAction.UP, 2: TouchAction.MOVE, 3: TouchAction.CANCEL}


class DeviceService:
    """RPC methods without an element. ``name`` is the product's."""

    def __init__(self, phone: Phone, name: str, faults: Faults, wait: Callable[[float], object]) -> None:
        self._phone = phone
        self._name = name
        self._faults = faults
        self._wait = wait
        self._gestures = GestureInjector(phone, wait)
        self._last_toast: str | None = None
        self._unsubscribe = phone.toasted.subscribe(self._toast_shown)

    def close(self) -> None:
        """Stop listening to the phone."""
        self._unsubscribe()

    def methods(self) -> dict[str, Method]:
        """The RPC methods by name."""
        screen: dict[str, Method] = {
            "deviceInfo": self.device_info,
            "dumpWindowHierarchy": self.dump_window_hierarchy,
            "takeScreenshot": self.take_screenshot,
            "setOrientation": self.set_orientation,
            "freezeRotation": self.freeze_rotation,
            "wakeUp": lambda: self._switch_on(True),
            "sleep": lambda: self._switch_on(False),
            "ping": lambda: "pong",
            "isScreenOn": lambda: self._phone.awake,
            "waitForWindowUpdate": self.wait_for_window_update,
            "waitForIdle": lambda *_milliseconds: None,
            "openNotification": self.open_shade,
            "openQuickSettings": self.open_shade,
            "makeToast": self.make_toast,
            "getLastToast": lambda: self._last_toast,
            "clearLastToast": self.clear_toast,
            "getLastTraversedText": lambda: None,
            "clearLastTraversedText": lambda: None,
        }
        input_methods: dict[str, Method] = {
            "swipePoints": self.swipe_points,
            "drag": lambda x1, y1, x2, y2, steps: self._gestures.drag((x1, y1), (x2, y2), steps),
            "injectInputEvent": self.inject,
            "pressKey": self.press_key,
            "pressKeyCode": self.press_code,
            "getClipboard": lambda: self._phone.clipboard or None,
            "setClipboard": self.set_clipboard,
            "pasteClipboard": lambda: self._phone.paste(),
            "clearInputText": self.clear_input,
        }
        return screen | input_methods

    def device_info(self) -> dict[str, object]:
        phone = self._phone
        size, front = phone.size, phone.focused
        return {
            "currentPackageName": front.package if front else None,
            "displayHeight": size.height,
            "displayRotation": phone.rotation,
            "displaySizeDpX": round(size.width * 160 / phone.density),
            "displaySizeDpY": round(size.height * 160 / phone.density),
            "displayWidth": size.width,
            "productName": self._name,
            "screenOn": phone.awake,
            "sdkInt": phone.profile.sdk,
            "naturalOrientation": phone.rotation in (0, 2),
        }

    def dump_window_hierarchy(self, compressed: bool = False, depth: int = 50, active: bool = False) -> str:
        slow = self._faults.value("slow-dump", "ms")
        if slow:
            self._wait(slow / 1000)
        if "null-root" in self._faults:
            return EMPTY
        xml = dump(self._phone, compressed=compressed, depth=depth, active_only=active)
        return self._faults.damaged_dump(xml.encode()).decode("utf-8", "ignore")

    def take_screenshot(self, scale: float = 1.0, quality: int = 90) -> str:
        """A JPEG as Base64; black when the window is protected."""
        picture, quality = self._phone.capture(), max(1, min(int(quality), 100))
        data = encode_jpeg(picture.rgba, scale if 0 < scale < 1 else 1.0, quality)
        return base64.b64encode(data).decode()

    def set_orientation(self, name: str) -> None:
        if name not in _ROTATIONS:
            raise JavaError("java.lang.IllegalArgumentException", f"invalid orientation {name}")
        settings = self._phone.settings
        settings.put("system", "accelerometer_rotation", "0")
        settings.put("system", "user_rotation", str(_ROTATIONS[name]))

    def freeze_rotation(self, frozen: bool = True) -> None:
        """While frozen, the screen keeps its current rotation."""
        if frozen:
            self._phone.settings.put("system", "user_rotation", str(self._phone.rotation))
        self._phone.settings.put("system", "accelerometer_rotation", "0" if frozen else "1")

    def open_shade(self) -> bool:
        self._phone.expand_shade(True)
        return True

    def make_toast(self, text: str, _milliseconds: float = 0) -> bool:
        self._phone.toast(text)
        return True

    def _toast_shown(self, text: str) -> None:
        """Remember a toast until the client clears it, as the server does; it may be gone from the screen."""
        self._last_toast = text

    def clear_toast(self) -> None:
        self._last_toast = None

    def wait_for_window_update(self, package: str | None, milliseconds: float) -> bool:
        """Wait for a change of the screen; False after the time, or at once for an app not in front."""
        front = self._phone.focused
        if package and (front is None or front.package != package):
            return False
        start = time.monotonic()
        while (passed := (time.monotonic() - start) * 1000) < milliseconds:
            if self._phone.quiet_ms <= passed:
                return True
            if self._wait(_POLL):
                break
        return False

    def swipe_points(self, flat: Sequence[float], steps: int) -> bool:
        return self._gestures.glide(list(zip(flat[::2], flat[1::2], strict=False)), steps)

    def inject(self, action: int, x: float, y: float, _meta: int = 0) -> bool:
        if action not in _TOUCHES:
            return False
        self._phone.touch(_TOUCHES[action], 0, x, y)
        return True

    def press_key(self, name: str) -> bool:
        if str(name).lower() not in _KEYS:
            return False
        return self.press_code(CODES[_KEYS[name.lower()]])

    def press_code(self, code: int, meta: int = 0) -> bool:
        self._phone.key(int(code), meta=int(meta))
        return True

    def set_clipboard(self, _label: Any, text: str) -> None:
        self._phone.clipboard = str(text)

    def clear_input(self) -> bool:
        """Clear the focused field."""
        self._phone.key(CODES["A"], meta=META_CTRL)
        self._phone.key(CODES["DEL"])
        return True

    def _switch_on(self, on: bool) -> None:
        if self._phone.awake != on:
            self._phone.key(CODES["WAKEUP"] if on else CODES["SLEEP"])


_HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n"
EMPTY = f'{_HEAD}<hierarchy rotation="0" />'


def dump(phone: Phone, *, compressed: bool, depth: int, active_only: bool) -> str:
    """The hierarchy down to ``depth`` levels; empty when no window can be read."""
    windows = phone.window_dumps(compressed)
    if active_only:
        front = phone.hierarchy_xml(compressed)
        windows = [front] if front else []
    if not windows:
        return EMPTY
    hierarchy = etree.Element("hierarchy", rotation=str(phone.rotation))
    for xml in windows:
        for number, root in enumerate(etree.fromstring(xml)):
            _complete(root, number, depth)
            hierarchy.append(root)
    return _HEAD + str(etree.tostring(hierarchy, encoding="unicode", pretty_print=True))


def _complete(element: etree._Element, order: int, depth: int) -> None:
    """Add the attributes in the server's order and drop elements below ``depth``."""
    # Bounds stand between the added attributes.
    bounds = element.attrib.pop("bounds", "")
    element.set("visible-to-user", "true")
    element.set("bounds", bounds)
    element.set("drawing-order", str(order))
    element.set("hint", "")
    element.set("display-id", "0")
    for number, child in enumerate(list(element), 1):
        if depth <= 1:
            element.remove(child)
        else:
            _complete(child, number, depth - 1)
