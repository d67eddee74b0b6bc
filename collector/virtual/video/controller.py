"""Carry out scrcpy control messages on the phone."""

from __future__ import annotations

import threading
from collections.abc import Callable

from collector.adb.keys import CODES
from collector.adb.scrcpy import control as msg
from collector.adb.scrcpy.device_message import Clipboard, ClipboardAck, DeviceMessage
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Point, Position
from collector.model.phone.touch import TouchAction
from collector.virtual.ui.effects import Intent
from collector.virtual.video.hid import HidKeyboard, HidMouse, plug_in
from collector.virtual.video.phone import ScreenPhone
from collector.virtual.video.screen import MirrorShape
from collector.virtual.video.server_lists import apps, launchable_apps
from collector.virtual.video.server_log import ServerLog
from collector.virtual.video.streamer import VideoStreamer

_MAX_POINTERS = 10
_INJECTED = (msg.InjectTouch, msg.InjectKey, msg.InjectText, msg.InjectScroll, msg.BackOrScreenOn)
_DENIED = (
    "Could not invoke method\njava.lang.reflect.InvocationTargetException\n"
    "Caused by: java.lang.SecurityException: Injecting input events requires the caller (or the source of "
    "the instrumentation, if any) to have the INJECT_EVENTS permission."
)
_NO_CLIPBOARD = (
    "Could not invoke method\njava.lang.NoSuchMethodException: "
    "android.content.IClipboard$Stub$Proxy.setPrimaryClip [class android.content.ClipData, "
    "class java.lang.String, int]"
)
_COPY_KEYS = {1: CODES["COPY"], 2: CODES["CUT"]}


class Controller:
    """Carry out the control messages of one client, on its control thread alone.

    With ``autosync`` it also reports clipboard changes that others made.
    """

    def __init__(
        self,
        phone: ScreenPhone,
        version: ScrcpyVersion,
        video: VideoStreamer,
        shape: MirrorShape,
        log: ServerLog,
        reply: Callable[[DeviceMessage], None],
        *,
        autosync: bool,
        has_video: bool = True,
    ) -> None:
        self._phone = phone
        self._shape = shape
        self._log = log
        self._has_video = has_video
        self._version = version
        self._video = video
        self._reply = reply
        self._autosync = autosync
        self._setting: int | None = None
        """The thread that sets the clipboard to the client's text; that text is not sent back."""
        self._unfollow = phone.copied.subscribe(self._copied) if autosync else None
        self._pointers: dict[int, int] = {}
        self._held: set[int] = set()
        """Codes of keys that the client pressed and did not release."""
        self._hid: dict[int, HidKeyboard | HidMouse | None] = {}

    def handle(self, message: msg.ControlMessage) -> None:
        """Carry out one message; ignore what the phone cannot do, as a real server only logs it."""
        if isinstance(message, _INJECTED) and "input-refused" in self._phone.profile.quirks:
            self._log.error(_DENIED)
            return
        match message:
            case msg.InjectTouch():
                self._touch(message)
            case msg.InjectKey(action, code, repeat, meta):
                self._key(code, meta, down=action == 0, repeats=repeat > 0)
            case msg.InjectText(text):
                self._phone.commit_text(text)
            case msg.InjectScroll():
                self._scroll(message)
            case msg.BackOrScreenOn(action):
                self._back_or_screen_on(action == 0)
            case msg.GetClipboard(copy_key):
                self._get_clipboard(copy_key)
            case msg.SetClipboard():
                self._set_clipboard(message)
            case _:
                self._handle_rarer(message)

    def _handle_rarer(self, message: msg.ControlMessage) -> None:
        match message:
            case msg.EXPAND_NOTIFICATIONS | msg.EXPAND_SETTINGS:
                self._phone.expand_shade(True)
            case msg.COLLAPSE_PANELS:
                self._phone.expand_shade(False)
            case msg.RESET_VIDEO:
                self._log.info("Video capture reset")
                self._video.reset()
            case msg.ROTATE_DEVICE:
                self._rotate()
            case msg.OPEN_HARD_KEYBOARD_SETTINGS:
                self._phone.start_activity(Intent(action="android.settings.HARD_KEYBOARD_SETTINGS"))
            case msg.SetDisplayPower(on):
                # Only the panel goes dark: pictures and input go on, so that nothing else shows it.
                panel = "display" if self._version.since(3) else "screen"
                self._log.info(f"Device {panel} turned {'on' if on else 'off'}")
            case msg.StartApp(name):
                self._start_app(name)
            case _:
                self._handle_simulated_device(message)

    def _handle_simulated_device(self, message: msg.ControlMessage) -> None:
        match message:
            case msg.UhidCreate(identity):
                self._hid[identity] = plug_in(self._phone, message)
            case msg.UhidInput(identity, data):
                device = self._hid.get(identity)
                if device:
                    device.report(data)
            case msg.UhidDestroy(identity):
                self._unplug(identity)
            case _:
                self._log.debug(f"The virtual phone has nothing to do for {message!r}")

    def _unplug(self, identity: int) -> None:
        device = self._hid.pop(identity, None)
        if device is not None:
            device.lift()

    def _rotate(self) -> None:
        rotation = (self._phone.rotation & 1) ^ 1
        self._log.info(f"Device rotation requested: {'landscape' if rotation else 'portrait'}")
        self._phone.set_rotation(rotation)

    def _key(self, code: int, meta: int, *, down: bool, repeats: bool) -> None:
        """Press, repeat or release a key. A client that loses a release presses the key anew."""
        if down and not repeats and code in self._held:
            self._phone.cancel_key(code)
        (self._held.add if down else self._held.discard)(code)
        self._phone.key(code, down, meta)

    def _back_or_screen_on(self, down: bool) -> None:
        if self._phone.awake:
            self._phone.key(CODES["BACK"], down)
        elif down:
            self._phone.key(CODES["POWER"])

    def _copied(self, text: str) -> None:
        if self._setting != threading.get_ident():
            self._reply(Clipboard(text))

    def release(self) -> None:
        """Lift the client's fingers and keys after it disconnected, and stop following the clipboard."""
        if self._unfollow is not None:
            self._unfollow()
        for code in self._held:
            self._phone.cancel_key(code)
        self._held.clear()
        for identity in tuple(self._hid):
            self._unplug(identity)
        for slot in self._pointers.values():
            self._phone.touch(TouchAction.CANCEL, slot, 0, 0)
        self._pointers.clear()

    def _touch(self, message: msg.InjectTouch) -> None:
        point = self._place(message.position)
        if point is None:
            return
        try:
            action = TouchAction(message.action)
        except ValueError:
            return  # Hovering and mouse buttons are not touches.
        slot = self._slot_of(message.pointer, action)
        if slot is None:
            return
        self._phone.touch(action, slot, point.x, point.y)

    def _place(self, position: Position) -> Point | None:
        """The pixel of the screen; None for a position that is meant for another size of the video."""
        if not self._has_video:
            if not self._version.scales_touches_without_video:
                return position.point
            self._video.prepare()  # no frame tells that the screen was rotated
        if position.screen != self._video.size:
            self._log.debug(f"Ignored input meant for {position.screen}, the video is {self._video.size}")
            return None
        return self._shape.on_screen(position.point, self._video.size, self._video.screen_size)

    def _slot_of(self, pointer: int, action: TouchAction) -> int | None:
        """The phone's small number for a pointer; None when it is not down, or beyond the limit."""
        if action is TouchAction.DOWN:
            used = set(self._pointers.values())
            free = next((slot for slot in range(_MAX_POINTERS) if slot not in used), None)
            if free is not None:
                return self._pointers.setdefault(pointer, free)
            return self._pointers.get(pointer)
        if action is TouchAction.MOVE:
            return self._pointers.get(pointer)
        return self._pointers.pop(pointer, None)

    def _scroll(self, message: msg.InjectScroll) -> None:
        point = self._place(message.position)
        if point is not None:
            self._phone.scroll(point.x, point.y, message.horizontal, message.vertical)

    def _get_clipboard(self, copy_key: int) -> None:
        if copy_key in _COPY_KEYS:
            self._phone.key(_COPY_KEYS[copy_key])
        if not self._autosync or not self._version.clipboard_has_sequence:
            # With autosync the copy itself triggers the message.
            self._reply(Clipboard(self._phone.clipboard))

    def _set_clipboard(self, message: msg.SetClipboard) -> None:
        self._setting = threading.get_ident()
        if "clipboard-refused" in self._phone.profile.quirks:
            self._log.error(_NO_CLIPBOARD)
        elif self._phone.clipboard != message.text:
            self._phone.clipboard = message.text
        self._setting = None
        if message.paste:
            self._phone.paste()
        if message.sequence:
            self._reply(ClipboardAck(message.sequence))

    def _start_app(self, name: str) -> None:
        """Open an app by package, or by the beginning of its label after ``?``; ``+`` stops it first."""
        stops = name.startswith("+")
        name = name.removeprefix("+")
        rows = launchable_apps(self._phone)
        if name.startswith("?"):
            name = name[1:]
            self._log.info("Processing Android apps... (this may take some time)")
            rows = [row for row in rows if row[0].lower().startswith(name.lower())]
            kind = "name"
        else:
            rows = [row for row in rows if row[1] == name]
            kind = "package"
        if not rows:
            self._log.warn(f'No app found for {kind} "{name}"')
            return
        if len(rows) > 1:
            self._log.warn(apps(f'No unique app found for {kind} "{name}":', rows))
            return
        label, package, _system = rows[0]
        self._log.info(f'Starting app "{label}" [{package}] on display 0...')
        if stops:
            self._phone.force_stop(package)
        self._phone.launch(package)
