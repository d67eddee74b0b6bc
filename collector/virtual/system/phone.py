"""The phone as the rest of the virtual device uses it: one thread-safe object."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Point, Size
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.phone.touch import TouchAction
from collector.model.variation.phone_variation import PhoneVariation
from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.app_model import AppModel, model_of
from collector.virtual.system.compositor import Compositor
from collector.virtual.system.input.clipboard_broadcasts import ClipboardBroadcasts
from collector.virtual.system.input.keyboard_broadcasts import KeyboardBroadcasts
from collector.virtual.system.input.keys import Keys
from collector.virtual.system.input.touch_input import TouchInput
from collector.virtual.system.input.typist import Typist
from collector.virtual.system.phone_state.activities import ActivityRecord, StartResult
from collector.virtual.system.phone_state.app_data_report import AppDataReport
from collector.virtual.system.phone_state.clock import Clock
from collector.virtual.system.phone_state.logcat import Logcat
from collector.virtual.system.phone_state.phone_time import PhoneTime
from collector.virtual.system.phone_state.phone_values import (
    HardwareKey,
    InputMethod,
    PackageInfo,
    PanelTouch,
    ResolvedActivity,
)
from collector.virtual.system.phone_state.profile import PhoneProfile
from collector.virtual.system.phone_state.settings import SettingsStore
from collector.virtual.system.phone_state.state import SYSTEM_PID, SystemState
from collector.virtual.system.screen import DeviceScreen, ScreenFrame
from collector.virtual.system.services import SystemServices
from collector.virtual.system.snapshots import Snapshots
from collector.virtual.system.windows.front_window import FrontWindow
from collector.virtual.ui.app import Battery
from collector.virtual.ui.effects import Component, Intent

__all__ = [
    "HardwareKey", "InputMethod", "PackageInfo", "PanelTouch", "Phone", "PhoneProfile",
    "ResolvedActivity", "ScreenFrame", "TouchAction",
]  # fmt: skip


class Phone:
    """A simulated phone. Every method may be called from any thread.

    In a simulated ``time`` nothing happens by itself: :meth:`pass_time` lets timers and animations run.
    """

    def __init__(self, profile: PhoneProfile, time: PhoneTime | None = None) -> None:
        self.hardware_input: EventEmitter[PanelTouch | HardwareKey] = EventEmitter()
        self._state = state = SystemState(profile, time)
        self._compositor = Compositor(state)
        self._manager = ActivityManager(state, self._compositor)
        self.services = SystemServices(state, self._manager, self._compositor)
        self._typist = Typist(state, self._compositor, self._manager)
        keyboards = KeyboardBroadcasts(state, self.services.input_methods, self._typist)
        self.services.broadcasts.register(keyboards.receive)
        self.services.broadcasts.register(ClipboardBroadcasts(state).receive)
        self._keys = Keys(state, self._typist)
        self._touch_input = TouchInput(state, self._compositor, self._manager, self._typist)
        self._screen = DeviceScreen(state, self._compositor)
        self._app_data = AppDataReport(state)
        self.snapshots = Snapshots(state, self._compositor, self._manager, self.services)
        with state.lock:
            self._manager.show_first()
            if profile.variation != PhoneVariation():
                self.snapshots.reset(profile, {})

    def close(self) -> None:
        """Stop timers and wake all waiting threads."""
        with self._state.lock:
            thread = self._state.ticker.close()
            self._state.touch()
        if thread is not None and thread is not threading.current_thread():
            thread.join(2)

    def pass_time(self, seconds: float) -> None:
        """Let a simulated time pass: each timer runs at its moment, in this call."""
        with self._state.lock:
            self._state.ticker.pass_time(seconds)

    @property
    def seconds_to_next_timer(self) -> float | None:
        """Until something happens by itself, such as a step of a fling; None when nothing will."""
        with self._state.lock:
            return self._state.ticker.seconds_to_next

    @property
    def profile(self) -> PhoneProfile:
        """Who the phone is; a reset may make another one of it."""
        with self._state.lock:
            return self._state.profile

    def reset(self, setup: PhoneSetup) -> None:
        """Make the phone as new, with the values that ``setup`` changes; connections stay.

        Raises KeyError for an app and ValueError for a state that there is not; nothing is changed then.
        """
        with self._state.lock:
            profile = self._state.profile.with_setup(setup)
            states = {}
            recorded = profile.starts_with is not None  # such apps have no other state than their screens
            for name, plain in () if recorded else setup.states.items():
                app = self._state.app_named(name)
                states[app.package] = app.state_from_plain(plain)
            self.snapshots.reset(profile, states)

    # ---- display -------------------------------------------------------------------------------

    @property
    def size(self) -> Size:
        """The size of the rotated screen."""
        with self._state.lock:
            return self._state.size

    @property
    def natural_size(self) -> Size:
        with self._state.lock:
            return self._state.natural_size

    @property
    def density(self) -> int:
        """Density in dpi."""
        with self._state.lock:
            return self._state.density

    @property
    def rotation(self) -> int:
        with self._state.lock:
            return self._state.rotation

    def set_rotation(self, rotation: int) -> None:
        """Rotate the phone by quarter turns, 0 to 3; raise ValueError for others."""
        if rotation not in (0, 1, 2, 3):
            raise ValueError(f"not a rotation: {rotation!r} (expected 0, 1, 2 or 3)")
        with self._state.lock:
            if self._state.settings.is_on("system", "accelerometer_rotation"):
                self.services.sensors.turn(rotation)
            else:
                self._state.settings.put("system", "user_rotation", str(rotation))
                self._state.touch()

    def override_size(self, size: Size | None) -> None:
        """``wm size``; None resets it."""
        with self._state.lock:
            self._state.size_override = size
            self._state.touch()

    def override_density(self, density: int | None) -> None:
        """``wm density`` in dpi; None resets it."""
        with self._state.lock:
            self._state.density_override = density
            self._state.touch()

    @property
    def size_override(self) -> Size | None:
        with self._state.lock:
            return self._state.size_override

    @property
    def density_override(self) -> int | None:
        with self._state.lock:
            return self._state.density_override

    def capture(self) -> ScreenFrame:
        """The current screen; black while a secure window is shown."""
        return self._screen.capture()

    def freeze_screen(self, frozen: bool) -> None:
        """Keep the picture of the screen as it is, or draw it again."""
        self._screen.freeze(frozen)

    def wait_picture(self, after: int, timeout: float) -> ScreenFrame | None:
        """The screen once its generation is above ``after``; None after ``timeout`` seconds."""
        return self._screen.wait(after, timeout)

    def look(self, after: int, timeout: float, use: Callable[[ScreenFrame], None]) -> bool:
        """Call ``use`` with the screen once its generation is above ``after``; False after ``timeout`` s.

        ``use`` runs under the phone's lock, and the pixels are valid only until it returns: no copy
        is made.
        """
        return self._screen.look(after, timeout, use)

    @property
    def awake(self) -> bool:
        """False while the screen is off: pictures are black and touches are ignored."""
        with self._state.lock:
            return self._state.awake

    # ---- tree ----------------------------------------------------------------------------------

    def hierarchy_xml(self, compressed: bool = False) -> bytes:
        """The focused window as uiautomator writes it; b"" when there is no window."""
        with self._state.lock:
            self._state.ticker.catch_up()
            return self._compositor.hierarchy_xml(compressed) or b""

    def window_dumps(self, compressed: bool = False) -> list[bytes]:
        """The hierarchy of every window, each as a document, the status bar first."""
        with self._state.lock:
            self._state.ticker.catch_up()
            return self._compositor.window_dumps(compressed)

    @property
    def quiet_ms(self) -> int:
        """Milliseconds since the last accessibility event; 0 while an indicator turns."""
        with self._state.lock:
            if any(window.turns for window in self._compositor.windows if window.kind != "keyboard"):
                return 0
            return (self._state.time.now_ns - self._state.visible_change_ns) // 1_000_000

    # ---- input ---------------------------------------------------------------------------------

    def touch(self, action: TouchAction, pointer: int, x: float, y: float, *, on_panel: bool = False) -> None:
        """A touch event in px of the rotated screen; ``on_panel`` comes from the panel, else it is
        injected."""
        point = Point(int(x), int(y))
        with self._state.lock:
            if on_panel:
                uptime = self._state.clock.uptime_ns
                self.hardware_input.emit(PanelTouch(action, pointer, point, self._state.rotation, uptime))
            self._touch_input.touch(action, pointer, point)

    def key(self, code: int, down: bool | None = None, meta: int = 0) -> None:
        """An Android key code: ``down`` True or False for press or release, None for both."""
        with self._state.lock:
            if down is not False:
                self._state.noise.note_input()
            act = self._keys.press if down is None else self._keys.down if down else self._keys.up
            act(code, meta)

    def cancel_key(self, code: int) -> None:
        """Forget that a key is pressed, as when the keyboard that held it is unplugged."""
        with self._state.lock:
            self._keys.cancel(code)

    def press_button(self, code: int) -> None:
        """Press and release a hardware key, as a hand does."""
        with self._state.lock:
            uptime = self._state.clock.uptime_ns
            self._state.noise.note_input()
            self.hardware_input.emit(HardwareKey(code, True, uptime))
            self._keys.press(code, 0)
            self.hardware_input.emit(HardwareKey(code, False, uptime + 1_000_000))

    def commit_text(self, text: str) -> bool:
        """Insert any Unicode text at the caret of the focused field; False when no field has the focus."""
        with self._state.lock:
            self._state.noise.note_input()
            return self._typist.commit(text)

    def scroll(self, x: float, y: float, horizontal: float, vertical: float) -> None:
        """Turn a mouse wheel: notches to the right and up, as scrcpy sends them."""
        with self._state.lock:
            self._touch_input.wheel(Point(int(x), int(y)), horizontal, vertical)

    @property
    def clipboard(self) -> str:
        with self._state.lock:
            return self._state.clipboard

    @clipboard.setter
    def clipboard(self, text: str) -> None:
        with self._state.lock:
            self._state.copy(text)

    @property
    def copied(self) -> EventEmitter[str]:
        """Emits, under the phone's lock, every text that is put on the clipboard."""
        return self._state.copied

    def paste(self) -> bool:
        """Paste the clipboard into the focused field."""
        with self._state.lock:
            return self._typist.paste()

    def copy(self, cut: bool = False) -> None:
        """Copy the selection of the focused field to the clipboard; passwords are not copied."""
        with self._state.lock:
            self._typist.copy(cut)

    # ---- activities ----------------------------------------------------------------------------

    def start_activity(self, intent: Intent) -> StartResult:
        """Start an activity, as ``am start``."""
        with self._state.lock:
            return self._manager.start(intent)

    def query_activities(self, intent: Intent) -> list[ResolvedActivity]:
        """Every activity that answers an intent, in order of installation."""
        with self._state.lock:
            return [
                ResolvedActivity(
                    self._state.package_info(app),
                    app.component(activity),
                    activity.exported,
                    activity.single_top,
                    bool(activity.schemes and intent.data),
                )
                for app, activity in self._manager.candidates(intent)
            ]

    def launch(self, package: str) -> bool:
        """Tap an app's icon; False for a package without one."""
        with self._state.lock:
            return self._manager.launch(package).outcome != "not_found"

    @property
    def focused(self) -> Component | None:
        """The foreground activity."""
        with self._state.lock:
            top = self._state.activities.top
            return top.component if top is not None else None

    @property
    def front_window(self) -> FrontWindow | None:
        """The window that a person acts on; None while there is none."""
        with self._state.lock:
            self._state.ticker.catch_up()
            return self._compositor.front

    @property
    def focused_window(self) -> str:
        """Title of the focused window: a component, ``NotificationShade``, ..."""
        with self._state.lock:
            window = self._compositor.focused
            return window.title if window is not None else ""

    def stack(self) -> list[ActivityRecord]:
        """Open activities, the foreground one first."""
        with self._state.lock:
            return list(self._state.activities.records)

    def windows(self) -> list[tuple[str, str, str, tuple[int, int, int, int]]]:
        """(title, kind, package, (left, top, right, bottom)) of every window, the front one first."""
        with self._state.lock:
            shown = reversed(self._compositor.windows)
            return [
                (
                    window.title,
                    window.kind,
                    window.package,
                    (window.frame.left, window.frame.top, window.frame.right, window.frame.bottom),
                )
                for window in shown
            ]

    def secure_windows(self) -> frozenset[str]:
        """Titles of the windows that forbid screenshots."""
        with self._state.lock:
            front = self._compositor.focused if self._state.secure else None
            return frozenset(
                window.title for window in self._compositor.windows if window.secure or window is front
            )

    def protect(self, protected: bool) -> None:
        """Forbid screenshots of the foreground, or let the windows decide again."""
        with self._state.lock:
            self._state.secure = protected
            self._state.touch()

    def force_stop(self, package: str) -> None:
        """Stop an app and remove its notifications."""
        with self._state.lock:
            self._manager.force_stop(package)
            self._manager.notices.cancel_all(package)

    def clear(self, package: str) -> bool:
        """Stop a package and delete its data; False for an unknown package."""
        with self._state.lock:
            if package not in self._state.apps:
                return False
            self._state.forget(package)
            self._manager.timers.drop(package)
            self.services.permissions.forget(package)
            self._manager.force_stop(package)
            self._state.touch()
            return True

    def pid_of(self, package: str) -> int | None:
        """The process id; None when the app does not run."""
        with self._state.lock:
            return self._state.processes.get(package)

    @property
    def packages(self) -> list[PackageInfo]:
        """Installed packages: apps in order of installation, then those of the system without a screen."""
        with self._state.lock:
            return [*map(self._state.package_info, self._state.apps.values()), *self._state.system_packages()]

    # ---- system --------------------------------------------------------------------------------

    @property
    def settings(self) -> SettingsStore:
        """The settings store; safe from any thread."""
        return self._state.settings

    @property
    def battery(self) -> Battery:
        with self._state.lock:
            return self._state.battery

    @property
    def locale(self) -> str:
        with self._state.lock:
            return self._state.locale

    @property
    def dark(self) -> bool:
        with self._state.lock:
            return self._state.dark

    @property
    def logcat(self) -> Logcat:
        return self._state.logcat

    def log(self, priority: str, tag: str, text: str, pid: int = SYSTEM_PID) -> None:
        """Write a log line at the phone's time."""
        with self._state.lock:
            self._state.write_log(priority, tag, text, pid)

    @property
    def clock(self) -> Clock:
        return self._state.clock

    @property
    def input_method(self) -> InputMethod:
        with self._state.lock:
            window = self._compositor.keyboard_window
            owner = self._compositor.focused
            field = owner.field if owner is not None else None
            frame = window.frame if window is not None else None
            place = (frame.left, frame.top, frame.right, frame.bottom) if frame else (0, 0, 0, 0)
            return InputMethod(window is not None, field.id if field is not None else "", place)

    @property
    def toasted(self) -> EventEmitter[str]:
        """Emits, under the phone's lock, the text of every toast when it appears."""
        return self._state.toasted

    def toast(self, text: str) -> None:
        with self._state.lock:
            self._manager.timers.show_toast(text)
            self._state.touch()

    def expand_shade(self, shown: bool) -> None:
        """Open or close the shade, as ``cmd statusbar expand-notifications`` and ``collapse``."""
        with self._state.lock:
            self._manager.open_shade(shown)

    def close_system_dialogs(self) -> None:
        """Close the shade, the overview and the error dialogs, as the broadcast of that name does."""
        with self._state.lock:
            self._state.shade_open = self._state.recents_open = False
            self.services.prompts.close_errors()
            self._state.touch()

    # ---- apps' state -----------------------------------------------------------------------------

    @property
    def app_names(self) -> list[str]:
        with self._state.lock:
            return [app.name for app in self._state.apps.values()]

    def app_state(self, name: str) -> dict[str, Any]:
        """An app's state as plain data; raise KeyError for an unknown app."""
        with self._state.lock:
            app = self._state.app_named(name)
            return app.state_to_plain(self._state.state_of(app))

    def app_model(self, name: str) -> AppModel:
        """An app as it is now, apart from the phone; raise KeyError for an unknown app."""
        with self._state.lock:
            return model_of(self._state, name)

    def app_data(self) -> tuple[str, str]:
        """What all apps keep for the person, as JSON: records by collection; and its SHA-256 in hex."""
        return self._app_data.read()

    def set_app_state(self, name: str, plain: Mapping[str, Any]) -> None:
        """Replace an app's state; raise KeyError or ValueError when it does not fit."""
        with self._state.lock:
            app = self._state.app_named(name)
            self._state.states[app.package] = app.state_from_plain(plain)
            self._state.touch()

    def reset_app_state(self, name: str) -> None:
        """Reset an app to its freshly installed state."""
        with self._state.lock:
            app = self._state.app_named(name)
            self._state.forget(app.package)
            self._state.touch()
