"""The broadcasts by which automation tools type: those of AdbKeyboard and of uiautomator2's keyboard.

Only the keyboard in use receives them. AdbKeyboard sets no result, so ``am`` prints ``result=0`` whether
anything was typed or not; uiautomator2's answers -1 (``RESULT_OK``), or 0 and ``error:`` for a bad text.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping

from collector.virtual.system.input.input_method_manager import InputMethodManager
from collector.virtual.system.input.typist import DONE, ENTER, GO, NEXT, SEARCH, SEND, Typist
from collector.virtual.system.phone_state.broadcasts import BroadcastResult
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.input_methods import ADB_KEYBOARD, UIAUTOMATOR_KEYBOARD
from collector.virtual.ui.effects import Intent
from collector.virtual.ui.extras import integer, string

_RESULT_OK = -1
_UNSET = -1
"""The code of an extra that is missing."""
_MAX_CODE_POINT = 0x10FFFF
_ACTIONS = {
    "ADB_ACTION_SEARCH": SEARCH,
    "ADB_ACTION_GO": GO,
    "ADB_ACTION_DONE": DONE,
    "ADB_ACTION_NEXT": NEXT,
    "ADB_ACTION_SEND": SEND,
}
_SMART_ENTER = {"go": GO, "search": SEARCH, "send": SEND, "next": NEXT, "done": DONE}
_PREFIX = "ADB_KEYBOARD_"

Extras = Mapping[str, object]


class KeyboardBroadcasts:
    """Receives the broadcasts of the keyboard in use and types what they say."""

    def __init__(self, state: SystemState, input_methods: InputMethodManager, typist: Typist) -> None:
        self._state = state
        self._input_methods = input_methods
        self._typist = typist
        self._keyboards: dict[str, Callable[[str, Extras], BroadcastResult | None]] = {
            ADB_KEYBOARD.id: self._adb_keyboard,
            UIAUTOMATOR_KEYBOARD.id: self._uiautomator_keyboard,
        }
        self._adb: dict[str, Callable[[Extras], object]] = {
            "ADB_INPUT_TEXT": self._text_and_meta_keys,
            "ADB_INPUT_MCODE": self._meta_keys,
            "ADB_INPUT_B64": lambda extras: self._commit_base64(extras, "msg"),
            "ADB_INPUT_CHARS": self._code_points,
            "ADB_INPUT_CODE": self._key,
            "ADB_EDITOR_CODE": self._editor_action,
            "ADB_CLEAR_TEXT": lambda _extras: typist.clear(),
        }
        # A text that one of these returns is the data of the result.
        self._uiautomator: dict[str, Callable[[Extras], object]] = {
            "INPUT_TEXT": self._input_text,
            "SET_TEXT": self._set_text,
            "CLEAR_TEXT": lambda _extras: typist.clear(),
            "INPUT_KEYCODE": self._key,
            "EDITOR_CODE": self._editor_action,
            "SMART_ENTER": lambda _extras: self._smart_enter(),
            "GET_CLIPBOARD": lambda _extras: base64.b64encode(state.clipboard.encode()).decode(),
            "HIDE": lambda _extras: typist.show_keyboard(False),
            "SHOW": lambda _extras: typist.show_keyboard(True),
        }

    def receive(self, intent: Intent) -> BroadcastResult | None:
        """Handle a broadcast; None when the keyboard in use is not waiting for it."""
        with self._state.lock:
            name = self._input_methods.current
            package = name.partition("/")[0]
            receive = self._keyboards.get(name)
            # A broadcast to a component never reaches a receiver that was registered while running.
            addressed = intent.component is None and intent.package in ("", package)
            if receive is None or package not in self._state.apps or not addressed:
                return None
            return receive(intent.action, intent.extras)

    # ---- AdbKeyboard ---------------------------------------------------------------------------

    def _adb_keyboard(self, action: str, extras: Extras) -> BroadcastResult | None:
        if action in _ACTIONS:
            self._typist.perform_action(_ACTIONS[action])
        elif action in self._adb:
            try:
                self._adb[action](extras)
            except ValueError as error:
                # The app itself stops there, and Android starts it again.
                self._log("E", "AndroidRuntime", f"java.lang.IllegalArgumentException: {error}")
        else:
            return None
        return BroadcastResult()

    def _text_and_meta_keys(self, extras: Extras) -> None:
        text = string(extras, "msg", "")
        if text:
            self._typist.commit(text.encode(errors="surrogateescape").decode(errors="replace"))
        self._meta_keys(extras)

    def _meta_keys(self, extras: Extras) -> None:
        """Press keys with modifiers: ``4096,29`` is Ctrl+A; modifiers are joined by ``+``."""
        value = extras.get("mcode")
        words = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
        for held, code in zip(words[::2], words[1::2], strict=False):
            meta = 0
            for modifier in str(held).replace("^", "").split("+"):
                meta |= int(modifier)
            self._typist.editor_key(int(code), meta)

    def _code_points(self, extras: Extras) -> None:
        points = extras.get("chars")
        if not isinstance(points, list):
            return
        if not all(isinstance(point, int) and 0 <= point <= _MAX_CODE_POINT for point in points):
            raise ValueError("not a code point")
        text = "".join(map(chr, points))
        # Two halves of a surrogate pair make one character; a lone half none.
        self._typist.commit(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))

    # ---- uiautomator2's keyboard ---------------------------------------------------------------

    def _uiautomator_keyboard(self, action: str, extras: Extras) -> BroadcastResult | None:
        run = self._uiautomator.get(action.removeprefix(_PREFIX)) if action.startswith(_PREFIX) else None
        if run is None:
            return None
        if not self._typist.has_field:
            return BroadcastResult(_RESULT_OK, action)
        self._log("I", "AdbKeyboard", f"KeyboardAction received:{action}")
        try:
            data = run(extras)
        except ValueError as error:
            return BroadcastResult(0, f"error:{error}")
        return BroadcastResult(_RESULT_OK, data if isinstance(data, str) else None)

    def _input_text(self, extras: Extras) -> str | None:
        if not isinstance(extras.get("text"), str):
            return f"{_PREFIX}INPUT_TEXT"
        self._commit_base64(extras, "text")
        return None

    def _set_text(self, extras: Extras) -> None:
        text = _decoded(string(extras, "text", ""))
        self._typist.clear()
        self._typist.commit(text)

    def _smart_enter(self) -> str:
        """Press the action key of the field; return the action's name."""
        action = self._typist.field_action
        self._typist.perform_action(_SMART_ENTER.get(action, ENTER))
        return action.capitalize() if action in _SMART_ENTER else "Enter"

    # ---- both ----------------------------------------------------------------------------------

    def _commit_base64(self, extras: Extras, key: str) -> None:
        self._typist.commit(_decoded(string(extras, key, "")))

    def _key(self, extras: Extras) -> None:
        code = integer(extras, "code", _UNSET)
        if code != _UNSET:
            self._typist.editor_key(code, 0)

    def _editor_action(self, extras: Extras) -> None:
        """Perform an editor action. uiautomator2 sends the code as a string; it counts as a number here."""
        code = integer(extras, "code", _UNSET)
        text = string(extras, "code", "").strip()
        if text.isdecimal():
            code = int(text)
        if code != _UNSET:
            self._typist.perform_action(code)

    def _log(self, priority: str, tag: str, text: str) -> None:
        package = self._input_methods.current.partition("/")[0]
        self._state.write_log(priority, tag, text, self._state.pid(package))


def _decoded(text: str) -> str:
    """Decode a text in Base64; Android's decoder skips white space and needs no padding."""
    packed = "".join(text.split()).rstrip("=")
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
    except binascii.Error:
        raise ValueError("bad base-64") from None
    return data.decode("utf-8", "replace")
