"""Text and key input: on-screen keyboard, committed text, hardware keys, clipboard."""

from __future__ import annotations

import random
import string
from collections.abc import Callable

from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.compositor import Compositor
from collector.virtual.system.lock.locked_view import submit_credential
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.editing import Edit, next_place, previous_place
from collector.virtual.system.windows.window import Window
from collector.virtual.ui.events import Event

# android.view.KeyEvent
UNKNOWN, HOME, BACK, DPAD_LEFT, DPAD_RIGHT = 0, 3, 4, 21, 22
POWER, TAB, SPACE, ENTER, DEL = 26, 61, 62, 66, 67
MENU, PAGE_UP, PAGE_DOWN, ESCAPE, FORWARD_DEL, MOVE_HOME, MOVE_END = 82, 92, 93, 111, 112, 122, 123
NOTIFICATION, NUMPAD_ENTER, APP_SWITCH, SLEEP, WAKEUP, CUT, COPY, PASTE = (
    83,
    160,
    187,
    223,
    224,
    277,
    278,
    279,
)
META_SHIFT, META_CTRL = 0x1, 0x1000
# android.view.inputmethod.EditorInfo
GO, SEARCH, SEND, NEXT, DONE, PREVIOUS = 2, 3, 4, 5, 6, 7
_A, _Z, _0, _9 = 29, 54, 7, 16
_CHARACTERS = {
    SPACE: "  ", 55: ",<", 56: ".>", 68: "`~", 69: "-_", 70: "=+", 71: "[{", 72: "]}", 73: "\\|", 74: ";:",
    75: "'\"", 76: "/?", 77: "@@", 81: "++", 17: "**", 18: "##",
    **{144 + digit: str(digit) * 2 for digit in range(10)}, 154: "//", 155: "**", 156: "--", 157: "++",
    158: "..", 159: ",,", 161: "==", 162: "((", 163: "))",
}  # fmt: skip
"""What keys type, without and with SHIFT; from 144 on those of the number pad."""
_SHIFTED_DIGITS = ")!@#$%^&*("
_ACTION_NAMES = {GO: "go", SEARCH: "search", SEND: "send", NEXT: "next", DONE: "done"}


class Typist:
    """Route keys and text to their targets. The phone's lock protects it."""

    def __init__(self, state: SystemState, compositor: Compositor, manager: ActivityManager) -> None:
        self._state = state
        self._compositor = compositor
        self._manager = manager
        self._random = random.Random(state.profile.seed)

    # ---- text ----------------------------------------------------------------------------------

    def commit(self, text: str) -> bool:
        """Insert text at the caret of the focused field; False when no field has the focus."""
        if self._state.keyguard.showing and self._state.keyguard.kind == "pin":
            self._state.keyguard.type(text)
            self._state.touch()
            return True
        return self._edit(lambda edit: edit.insert(text))

    def clear(self) -> bool:
        """Delete the text of the focused field; False when no field has the focus."""
        return self._edit(lambda _edit: Edit("", 0))

    def _edit(self, change: Callable[[Edit], Edit]) -> bool:
        window = self._compositor.focused
        if window is None or window.field is None or window.edit is None:
            return False
        if self._manager.wait_for(window.package, lambda: self._redo(change)):
            self._manager.input_blocked(window.package)
            return True
        field, before = window.field, window.edit
        after = change(before)
        if field.kind != "multiline":
            flat = after.text.replace("\n", " ")
            after = Edit(flat, after.caret, after.anchor)
        window.show_edit(after)
        if after.text != before.text and field.on_change is not None:
            self._manager.send(window, field.on_change.with_value(after.text))
        self._state.touch()
        self._settle(window, after)
        return True

    def _redo(self, change: Callable[[Edit], Edit]) -> None:
        """Apply an edit that waited for a stopped app."""
        self._edit(change)

    def _settle(self, window: Window, expected: Edit) -> None:
        """After the app's update: when it stored another text, move the caret to its end."""
        self._compositor.windows  # noqa: B018 - lays the new view, which may move the focus
        edit = window.edit
        if edit is not None and edit.text != expected.text:
            window.show_edit(Edit(edit.text, len(edit.text)))

    def submit(self) -> bool:
        """Press the keyboard's action key."""
        window = self._compositor.focused
        field = window.field if window is not None else None
        if window is None or field is None:
            return False
        if self._manager.wait_for(window.package, self._resubmit):
            self._manager.input_blocked(window.package)
            return True
        if field.kind == "multiline":
            return self._edit(lambda edit: edit.insert("\n"))
        if field.action == "next" and field.on_submit is None:
            return self._go_to_field(window, 1)
        self._state.keyboard_requested = False
        if field.on_submit is not None:
            self._manager.send(window, field.on_submit.with_value(field.text))
        self._state.touch()
        return True

    def _resubmit(self) -> None:
        """Press an action key that waited for a stopped app."""
        self.submit()

    def _go_to_field(self, window: Window, step: int) -> bool:
        """Focus the next or previous field; beyond the last one the keyboard hides."""
        fields = window.fields
        place = fields.index(window.touches.focused) + step if window.touches.focused in fields else 0
        if place >= len(fields):
            self._state.keyboard_requested = False
        elif place >= 0:
            window.focus(fields[place])
            window.reveal(fields[place])
        self._state.touch()
        return True

    # ---- what an input method asks for -----------------------------------------------------------

    @property
    def has_field(self) -> bool:
        """Whether an input method is connected to a text field."""
        window = self._compositor.focused
        return window is not None and window.field is not None

    @property
    def field_action(self) -> str:
        """The action key of the focused field; empty for a field with several lines, or none."""
        window = self._compositor.focused
        field = window.field if window is not None else None
        return "" if field is None or field.kind == "multiline" else field.action

    def perform_action(self, action: int) -> bool:
        """Perform an editor action on the focused field; False when no field has the focus.

        As a text view does: an action that is not the field's own goes to another field or hides the
        keyboard, or else presses Enter.
        """
        window = self._compositor.focused
        if window is None or not self.has_field:
            return False
        if _ACTION_NAMES.get(action) == self.field_action:
            return self.submit()
        if action in (NEXT, PREVIOUS):
            return self._go_to_field(window, 1 if action == NEXT else -1)
        if action == DONE:
            return self.show_keyboard(False)
        return self.submit()

    def show_keyboard(self, shown: bool) -> bool:
        """Show or hide the on-screen keyboard of the focused field; False when no field has the focus."""
        if not self.has_field:
            return False
        self._state.keyboard_requested = shown
        self._state.touch()
        return True

    def copy(self, cut: bool = False) -> None:
        window = self._compositor.focused
        edit = window.edit if window is not None else None
        if window is None or edit is None or not edit.selected or window.field is None:
            return
        if window.field.kind != "password":
            self._state.copy(edit.selected)
        if cut:
            self._edit(lambda editor: editor.insert(""))

    def paste(self) -> bool:
        return self.commit(self._state.clipboard) if self._state.clipboard else False

    # ---- the on-screen keyboard ------------------------------------------------------------------

    def keyboard_event(self, event: Event) -> None:
        """Handle a key of the on-screen keyboard."""
        state = self._state
        if event.name == "word":
            self._edit(lambda edit: edit.replace_word(str(event.key)))
            return
        key = str(event.key)
        kind, _colon, value = key.partition(":")
        if kind == "char":
            self.commit(value)
        elif kind == "delete":
            self._edit(Edit.backspace)
        elif kind == "delete_word":
            self._edit(Edit.delete_word)
        elif kind == "enter":
            self.submit()
        elif kind == "clear":
            self.clear()
        elif kind == "random":
            self.commit(self._random.choice(string.ascii_letters + string.digits))
        elif kind == "switch":
            self._manager.system["input_method"](event)
        state.keyboard = state.keyboard.pressed(key)
        state.touch(accessible=False)

    # ---- hardware keys ---------------------------------------------------------------------------

    def key(self, code: int, meta: int) -> None:
        """Handle a complete press of a hardware key."""
        if self._state.keyguard.showing and self._lock_key(code, meta):
            self._state.touch()
            return
        if self.is_wanted(code):
            self._send_key(code)
            return
        action = self._system_keys().get(code)
        if action is not None:
            action()
            self._state.touch()
            return
        self.editor_key(code, meta)

    def _lock_key(self, code: int, meta: int) -> bool:
        """A key on the lock screen; False for one that does the same anywhere, or edits a password."""
        keyguard, typed = self._state.keyguard, self._character(code, bool(meta & META_SHIFT))
        if code in (APP_SWITCH, MENU):
            if code != APP_SWITCH:
                keyguard.raise_bouncer()
                self._state.keyboard_requested = keyguard.asking
        elif (
            self._compositor.focused is None
            or self._compositor.focused.kind != "keyguard"
            or (keyguard.kind == "password" and keyguard.asking)
        ):
            return False
        elif code == DEL:
            keyguard.delete()
        elif code in (ENTER, NUMPAD_ENTER):
            if keyguard.asking:
                submit_credential(self._state)
            else:
                keyguard.raise_bouncer()
        elif typed:
            keyguard.type(typed)
        else:
            return False
        return True

    def is_wanted(self, code: int) -> bool:
        """Whether the screen in front takes a hardware key itself, before the system does."""
        screen = self._compositor.screen_in_focus
        return screen is not None and code in screen.keys and not self._state.keyguard.showing

    def editor_key(self, code: int, meta: int) -> None:
        """Handle a key that goes to the app: it edits, types, submits or scrolls."""
        if (meta & META_CTRL and self._shortcut(code)) or self._clipboard_key(code):
            return
        change = self._edit_keys(bool(meta & META_SHIFT)).get(code)
        if change is not None:
            self._edit(change)
            return
        character = self._character(code, bool(meta & META_SHIFT))
        if character:
            self.commit(character)
        elif code in (ENTER, NUMPAD_ENTER):
            self.submit()
        elif code == TAB:
            window = self._compositor.focused
            if window is not None:
                self._go_to_field(window, 1)
        elif code in (PAGE_UP, PAGE_DOWN):
            self._page(1 if code == PAGE_DOWN else -1)
        else:
            self._send_key(code)

    def _send_key(self, code: int) -> None:
        """Let the screen in front have a key, when it wants one."""
        screen, window = self._compositor.screen_in_focus, self._compositor.focused
        if screen is not None and window is not None and screen.on_key is not None:
            self._manager.send(window, screen.on_key.with_value(code))

    def _system_keys(self) -> dict[int, Callable[[], None]]:
        return {
            HOME: self._manager.home,
            BACK: self._manager.back,
            ESCAPE: self._manager.back,
            APP_SWITCH: self._toggle_recents,
            NOTIFICATION: self._toggle_shade,
            POWER: lambda: self._wake(not self._state.awake),
            SLEEP: lambda: self._wake(False),
            WAKEUP: lambda: self._wake(True),
        }

    def _wake(self, awake: bool) -> None:
        self._state.set_awake(awake)
        self._state.keyboard_requested = self._state.keyboard_requested and awake

    def _toggle_recents(self) -> None:
        self._state.recents_open = not self._state.recents_open

    def _toggle_shade(self) -> None:
        self._manager.open_shade(not self._state.shade_open)

    def _clipboard_key(self, code: int) -> bool:
        """Press CUT, COPY or PASTE; False for every other key."""
        if code == PASTE:
            self.paste()
        elif code in (CUT, COPY):
            self.copy(cut=code == CUT)
        return code in (CUT, COPY, PASTE)

    def _shortcut(self, code: int) -> bool:
        letter = chr(code - _A + ord("a")) if _A <= code <= _Z else ""
        if letter == "a":
            return self._edit(Edit.select_all)
        if letter in ("c", "x"):
            self.copy(cut=letter == "x")
            return True
        if letter == "v":
            return self.paste()
        return False

    def _edit_keys(self, select: bool) -> dict[int, Callable[[Edit], Edit]]:
        return {
            DEL: Edit.backspace,
            FORWARD_DEL: Edit.delete,
            DPAD_LEFT: lambda edit: edit.move(previous_place(edit.text, edit.caret), select),
            DPAD_RIGHT: lambda edit: edit.move(next_place(edit.text, edit.caret), select),
            MOVE_HOME: lambda edit: edit.move(0, select),
            MOVE_END: lambda edit: edit.move(len(edit.text), select),
        }

    @staticmethod
    def _character(code: int, shift: bool) -> str:
        if _A <= code <= _Z:
            letter = chr(code - _A + ord("a"))
            return letter.upper() if shift else letter
        if _0 <= code <= _9:
            return _SHIFTED_DIGITS[code - _0] if shift else str(code - _0)
        return _CHARACTERS[code][shift] if code in _CHARACTERS else ""

    def _page(self, direction: int) -> None:
        window = self._compositor.focused
        if window is None:
            return
        for node in window.scene.nodes:
            if node.box.overflow and not node.box.horizontal:
                window.scroll(node.path, direction * node.rect.height * 0.9)
                self._state.touch()
                return
