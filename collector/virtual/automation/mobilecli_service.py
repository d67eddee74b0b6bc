"""What mobilecli's server does on the phone: tree, screenshot, touches, keys, text, clipboard, apps."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Callable, Mapping
from typing import Any

from lxml import etree

from collector.adb.keys import MODIFIERS, key_code
from collector.virtual.automation.finger_paths import parse_fingers, replay
from collector.virtual.daemon.faults import Faults
from collector.virtual.system.phone import Phone

Parameters = Mapping[str, Any]
MobilecliMethod = Callable[[Parameters], Any]

_OK = {"ok": True}
_FLAGS = (
    "checkable", "checked", "clickable", "enabled", "focusable", "focused", "scrollable", "long-clickable",
    "password", "selected",
)  # fmt: skip
_QUIET_MS = 500
"""The screen is idle when nothing changed for this long."""
_POLL = 0.05
_LARGEST = 2**31


class MobilecliError(Exception):
    """A call fails: its parameters do not fit. The message goes to the client."""

    code = -32602


class MobilecliInternalError(MobilecliError):
    """A call fails for another reason, which Android reports by an exception."""

    code = -32603

    def __init__(self, reason: str) -> None:
        super().__init__(f"Internal error: {reason}")


class MobilecliService:
    """The methods of the server. ``wait`` sleeps and returns True when the server stops."""

    def __init__(self, phone: Phone, faults: Faults, wait: Callable[[float], bool]) -> None:
        self._phone = phone
        self._faults = faults
        self._wait = wait

    def methods(self) -> dict[str, MobilecliMethod]:
        """The methods by name; each takes the parameters of its call."""
        return {
            "device.dump.ui": self._dump,
            "device.screenshot": self._screenshot,
            "device.io.tap": self._tap,
            "device.io.longpress": self._long_press,
            "device.io.swipe": self._swipe,
            "device.io.gesture": self._gesture,
            "device.io.button": lambda given: self._press(_text(given, "button"), []),
            "device.io.keys": self._keys,
            "device.io.text": self._type,
            "device.io.keyboard.hide": self._hide_keyboard,
            "device.clipboard.get": lambda _given: {"text": self._phone.clipboard},
            "device.clipboard.set": lambda given: self._copy(_text(given, "text")),
            "device.clipboard.clear": lambda _given: self._copy(""),
            "device.apps.list": self._apps,
            "device.location.set": self._set_location,
            "device.location.clear": self._clear_location,
        }

    def close(self) -> None:
        """Remove the test location, which ends with the process that set it."""
        self._phone.services.location.set_mock(None)

    # ---- the screen ----------------------------------------------------------------------------

    def _dump(self, given: Parameters) -> dict[str, object]:
        """The nodes of every window; that of the keyboard only with ``full``."""
        self._wait_idle(float(given.get("waitUntilIdle") or 0) / 1000)
        if slow := self._faults.value("slow-dump", "ms"):
            self._wait(slow / 1000)
        if "null-root" in self._faults:
            return {"hierarchy": []}
        keyboard = self._phone.input_method
        shown = keyboard.frame if keyboard.shown and not given.get("full") else None
        roots = [
            _node(root, 0)
            for xml in self._phone.window_dumps()
            for root in etree.fromstring(xml)
            if _rect(root) != shown
        ]
        return {"hierarchy": roots}

    def _wait_idle(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while self._phone.quiet_ms < _QUIET_MS and time.monotonic() < until:
            if self._wait(_POLL):
                return

    def _screenshot(self, given: Parameters) -> dict[str, object]:
        """A PNG or JPEG in Base64, cut to ``clip`` and scaled down."""
        from PIL import Image

        picture = self._phone.capture()
        size = (picture.size.width, picture.size.height)
        image = Image.frombytes("RGBA", size, picture.rgba.tobytes()).convert("RGB")
        if isinstance(given.get("clip"), dict):
            image = image.crop(_clip(given["clip"], image.size, int(given.get("screenWidth") or 0)))
        factor = float(given.get("scale") or 1.0)
        if largest := int(given.get("maxSize") or 0):
            factor = largest / max(image.size)
        if 0 < factor < 1:
            image = image.resize((max(1, round(image.width * factor)), max(1, round(image.height * factor))))
        out = io.BytesIO()
        if given.get("format") == "jpeg":
            image.save(out, "JPEG", quality=max(1, min(int(given.get("quality") or 90), 100)))
        else:
            image.save(out, "PNG", compress_level=1)
        return {"data": base64.b64encode(out.getvalue()).decode()}

    # ---- input ---------------------------------------------------------------------------------

    def _tap(self, given: Parameters) -> dict[str, bool]:
        return self._touch(_number(given, "x"), _number(given, "y"), 0)

    def _long_press(self, given: Parameters) -> dict[str, bool]:
        return self._touch(_number(given, "x"), _number(given, "y"), _number(given, "duration", 500))

    def _swipe(self, given: Parameters) -> dict[str, bool]:
        x1, y1, x2, y2 = (_number(given, name) for name in ("x1", "y1", "x2", "y2"))
        press = {"type": "press", "x": x1, "y": y1}
        move = {"type": "move", "x": x2, "y": y2, "duration": _number(given, "duration", 1000) / 1000}
        return self._gesture({"actions": [press, move, {"type": "release"}]})

    def _touch(self, x: int, y: int, milliseconds: int) -> dict[str, bool]:
        press = {"type": "press", "x": x, "y": y, "duration": milliseconds / 1000}
        return self._gesture({"actions": [press, {"type": "release"}]})

    def _gesture(self, given: Parameters) -> dict[str, bool]:
        """Move all fingers of a gesture at once, each along its own path."""
        self._refuse_denied()
        try:
            fingers = parse_fingers(given.get("actions"))
        except ValueError as error:
            raise MobilecliError(str(error)) from None
        replay(self._phone, fingers, self._wait)
        return _OK

    def _keys(self, given: Parameters) -> dict[str, bool]:
        keys = given.get("keys")
        if not isinstance(keys, list) or not keys:
            raise MobilecliError("missing params.keys")
        for key in keys:
            self._press(_text(key, "keycode"), key.get("modifiers") or [])
        return _OK

    def _press(self, name: str, modifiers: list[str]) -> dict[str, bool]:
        """Press a key while modifiers are held."""
        self._refuse_denied()
        held, code, meta = [_code(modifier) for modifier in modifiers], _code(name), 0
        for modifier in held:
            meta |= MODIFIERS.get(modifier, 0)
            self._phone.key(modifier, True, meta)
        self._phone.key(code, None, meta)
        for modifier in reversed(held):
            meta &= ~MODIFIERS.get(modifier, 0)
            self._phone.key(modifier, False, meta)
        return _OK

    def _type(self, given: Parameters) -> dict[str, bool]:
        """Type what a keyboard has keys for; the client pastes any other text."""
        self._refuse_denied()
        text = _text(given, "text")
        if not all(" " <= letter <= "~" or letter in "\n\t" for letter in text):
            raise MobilecliError("text has characters the keyboard cannot type")
        self._phone.commit_text(text)
        return _OK

    def _hide_keyboard(self, _given: Parameters) -> dict[str, bool]:
        shown = self._phone.input_method.shown
        if shown:
            self._phone.key(key_code("KEYCODE_BACK"))
        return {"dismissed": shown}

    def _refuse_denied(self) -> None:
        if "input-denied" in self._faults:
            raise MobilecliInternalError("Injecting input events requires the INJECT_EVENTS permission")

    # ---- the rest ------------------------------------------------------------------------------

    def _copy(self, text: str) -> dict[str, bool]:
        self._phone.clipboard = text
        return _OK

    def _apps(self, _given: Parameters) -> list[dict[str, object]]:
        return [
            {
                "packageName": package.package,
                "appName": package.label,
                "version": package.version,
                "versionCode": package.version_code,
            }
            for package in self._phone.packages
        ]

    def _set_location(self, given: Parameters) -> dict[str, bool]:
        for name in ("lat", "lon"):
            if name not in given:
                raise MobilecliError(f"missing params.{name}")
        self._require_mock_location()
        self._phone.services.location.set_mock((float(given["lat"]), float(given["lon"])))
        return _OK

    def _clear_location(self, _given: Parameters) -> dict[str, bool]:
        self._require_mock_location()
        self._phone.services.location.set_mock(None)
        return _OK

    def _require_mock_location(self) -> None:
        modes = self._phone.services.permissions.ops("com.android.shell")
        if modes.get("MOCK_LOCATION") != "allow":
            raise MobilecliInternalError(
                "com.android.shell from uid 2000 not allowed to perform MOCK_LOCATION"
            )


def _text(given: Parameters, name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value:
        raise MobilecliError(f"missing params.{name}")
    return value


def _number(given: Parameters, name: str, default: int | None = None) -> int:
    """A whole number; a missing one is an error without a default."""
    value = given.get(name)
    if value is None and default is not None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MobilecliError(f"params.{name} must be a number")
    if value != int(value) or abs(value) >= _LARGEST:
        raise MobilecliError(f"params.{name} must be a whole number that fits in an int, got {value}")
    return int(value)


def _code(name: str) -> int:
    try:
        return key_code(name)
    except ValueError:
        raise MobilecliError(f"unknown keycode {name}") from None


def _clip(clip: Mapping[str, Any], size: tuple[int, int], width_in_points: int) -> tuple[int, int, int, int]:
    """The part of the picture that a rectangle in points names."""
    if clip["width"] <= 0 or clip["height"] <= 0:
        raise MobilecliInternalError("clip width and height must be positive")
    if width_in_points <= 0:
        raise MobilecliInternalError("--screen-width is required with --clip")
    scale = size[0] / width_in_points
    left, top = max(0, round(clip["x"] * scale)), max(0, round(clip["y"] * scale))
    right = min(size[0], round((clip["x"] + clip["width"]) * scale))
    bottom = min(size[1], round((clip["y"] + clip["height"]) * scale))
    if right <= left or bottom <= top:
        raise MobilecliInternalError("clip rect is outside the screenshot bounds")
    return left, top, right, bottom


def _rect(element: etree._Element) -> tuple[int, int, int, int]:
    numbers = element.get("bounds", "[0,0][0,0]").strip("[]").replace("][", ",").split(",")
    left, top, right, bottom = map(int, numbers)
    return left, top, right, bottom


def _node(element: etree._Element, index: int) -> dict[str, object]:
    """One node with its children, as the server writes it."""
    left, top, right, bottom = _rect(element)
    node: dict[str, object] = {
        "index": index,
        "class": element.get("class", ""),
        "package": element.get("package", ""),
        "text": element.get("text", ""),
        "hint": element.get("hint", ""),
        "content-desc": element.get("content-desc", ""),
        "resource-id": element.get("resource-id", ""),
        "visible": True,
        "editable": element.get("class", "").endswith("EditText"),
        "rect": {"x": left, "y": top, "width": right - left, "height": bottom - top},
    }
    node |= {flag: element.get(flag) == "true" for flag in _FLAGS}
    if children := [_node(child, number) for number, child in enumerate(element)]:
        node["children"] = children
    return node
