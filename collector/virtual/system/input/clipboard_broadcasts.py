"""The broadcasts by which automation tools use the clipboard, as the receivers of three apps answer them."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from urllib.parse import unquote_plus

from collector.virtual.android_versions import ANDROID_10
from collector.virtual.system.phone_state.broadcasts import BroadcastResult
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.ui.effects import Intent
from collector.virtual.ui.extras import string

DEVICE_KIT = "com.mobilenext.devicekit"
CLIPPER = "ca.zgrs.clipper"
ADB_CLIPBOARD = "ch.pete.adbclipboard"
_TAG = "ClipboardReceiver"
_RESULT_OK = -1
_EMPTY, _NO_TEXT = 2, 3
"""Result codes of ADB Clipboard for an empty clipboard and for a text that is missing."""
_CLIPPER_SET, _CLIPPER_GET = ("clipper.set", "set"), ("clipper.get", "get")


class ClipboardBroadcasts:
    """Receives the broadcasts of the clipboard apps that are installed."""

    def __init__(self, state: SystemState) -> None:
        self._state = state
        self._receivers: dict[str, Callable[[Intent], BroadcastResult]] = {
            f"{DEVICE_KIT}.ClipboardBroadcastReceiver": self._device_kit,
            f"{CLIPPER}.ClipperReceiver": self._clipper,
            f"{ADB_CLIPBOARD}.ReadReceiver": self._read_receiver,
            f"{ADB_CLIPBOARD}.WriteReceiver": self._write,
        }

    def receive(self, intent: Intent) -> BroadcastResult | None:
        """Handle a broadcast; None when no receiver of an installed app waits for it."""
        with self._state.lock:
            package, receive = self._receiver(intent)
            return receive(intent) if receive is not None and package in self._state.apps else None

    def _receiver(self, intent: Intent) -> tuple[str, Callable[[Intent], BroadcastResult] | None]:
        """A receiver is named by its class; only Clipper also receives by an action alone."""
        if intent.component is not None:
            return intent.component.package, self._receivers.get(intent.component.activity)
        if intent.package in ("", CLIPPER) and intent.action in (*_CLIPPER_SET, *_CLIPPER_GET):
            return CLIPPER, self._clipper
        return "", None

    def _device_kit(self, intent: Intent) -> BroadcastResult:
        """Set or clear; the app sets no result."""
        text = intent.extras.get("text")
        if intent.action == "devicekit.clipboard.clear":
            self._state.copy("")
            self._log(DEVICE_KIT, "D", "Successfully cleared the clipboard text")
        elif intent.action != "devicekit.clipboard.set":
            self._log(DEVICE_KIT, "W", f"Unknown action: {intent.action or 'null'}")
        elif not isinstance(text, str):
            self._log(DEVICE_KIT, "W", "No text provided in broadcast intent")
        else:
            self._copy_decoded(text, string(intent.extras, "encoding", "text"))
        return BroadcastResult()

    def _copy_decoded(self, text: str, encoding: str) -> None:
        try:
            if encoding == "base64":
                packed = "".join(text.split())
                text = base64.b64decode(packed, validate=True).decode("utf-8", "replace")
        except binascii.Error:
            self._log(DEVICE_KIT, "E", "Failed to set clipboard text")
            return
        self._state.copy(text)
        self._log(DEVICE_KIT, "I", f"Clipboard set with text: {text}")
        self._log(DEVICE_KIT, "D", "Successfully set clipboard text")

    def _clipper(self, intent: Intent) -> BroadcastResult:
        text = intent.extras.get("text")
        self._log(CLIPPER, "D", "Inside broadcast handler!")
        self._log(CLIPPER, "D", f"Action: {intent.action or 'null'}")
        if intent.action in _CLIPPER_SET:
            if not isinstance(text, str):
                return BroadcastResult(0, 'No text was provided. Use -e text "text to be pasted"')
            self._state.copy(text)
            return BroadcastResult(_RESULT_OK, "Text is copied in clipboard.")
        if intent.action not in _CLIPPER_GET:
            return BroadcastResult()
        read = self._read(CLIPPER)
        return BroadcastResult(_RESULT_OK, read) if read else BroadcastResult(0, "Clipboard is empty.")

    def _read_receiver(self, _intent: Intent) -> BroadcastResult:
        read = self._read(ADB_CLIPBOARD)
        return BroadcastResult(_RESULT_OK if read else _EMPTY, read)

    def _read(self, package: str) -> str:
        """The clipboard as an app sees it: since Android 10 only the one in front may read it."""
        top = self._state.activities.top
        in_front = top is not None and top.app.package == package
        return self._state.clipboard if in_front or self._state.profile.sdk < ANDROID_10 else ""

    def _write(self, intent: Intent) -> BroadcastResult:
        """Copy a text that is encoded as in a URL."""
        encoded = string(intent.extras, "text", "")
        if not encoded:
            return BroadcastResult(_NO_TEXT, "NO_TEXT")
        text = unquote_plus(encoded)
        if text == self._read(ADB_CLIPBOARD):
            return BroadcastResult(_RESULT_OK, "SUCCESS_ALREADY_SET")
        self._state.copy(text)
        return BroadcastResult(_RESULT_OK, "SUCCESS")

    def _log(self, package: str, priority: str, text: str) -> None:
        self._state.write_log(priority, _TAG, text, self._state.pid(package))
