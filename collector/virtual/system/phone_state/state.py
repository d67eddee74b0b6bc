"""The whole state of the phone, behind one lock."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any

from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Size
from collector.model.variation.phone_variation import PopUp
from collector.virtual.noise.progress import NoiseProgress
from collector.virtual.system.phone_state.activities import Activities, ActivityRecord
from collector.virtual.system.phone_state.clock import Clock
from collector.virtual.system.phone_state.frame_stats import FrameStats
from collector.virtual.system.phone_state.installations import Installations
from collector.virtual.system.phone_state.inventory import installed_apk, system_apk, system_packages
from collector.virtual.system.phone_state.keyguard import Keyguard
from collector.virtual.system.phone_state.logcat import Logcat
from collector.virtual.system.phone_state.package_state import PackageState
from collector.virtual.system.phone_state.phone_records import TextMessage
from collector.virtual.system.phone_state.phone_time import PhoneTime
from collector.virtual.system.phone_state.phone_values import SET_UP_AT, PackageInfo
from collector.virtual.system.phone_state.profile import PhoneProfile
from collector.virtual.system.phone_state.settings import SettingsStore
from collector.virtual.system.phone_state.supply import charged
from collector.virtual.system.phone_state.ticker import Ticker
from collector.virtual.system.phone_state.usage import Usage
from collector.virtual.system.windows.home import FallbackLauncher
from collector.virtual.system.windows.keyboard import Keyboard
from collector.virtual.system.windows.notice import Notification
from collector.virtual.system.windows.prompt import Prompt
from collector.virtual.ui.app import App, Battery, Context, InstalledApp
from collector.virtual.ui.call_record import CallRecord
from collector.virtual.ui.content import VariedContents
from collector.virtual.ui.look import Look
from collector.virtual.ui.shared_files import SharedStorage
from collector.virtual.ui.theme import SETTINGS, Theme

SYSTEM_PID = 1432
_FIRST_APP_PID = 4211
_FRAMEWORK, _SYSTEM_UID = "android", 1000
_FIRST_UID = 10120
_MIN_SDK = 24


def _names_of(profile: PhoneProfile) -> Iterator[tuple[str, str, str]]:
    """The settings by which others know the phone: namespace, key and value."""
    android_id = hashlib.sha256(f"{profile.serial} {profile.seed}".encode()).hexdigest()[:16]
    yield "secure", "android_id", android_id
    yield "global", "device_name", profile.model
    yield "secure", "bluetooth_name", profile.model


class SystemState:
    """The phone's data. Hold ``lock`` for every read and write."""

    airplane = False
    """Whether the radios are off; the settings key can differ."""
    chain3 = False
    """Whether the firewall blocks the network for the packages in ``cut_off``."""
    thermal: int | None = None
    """Overridden thermal status; None for the real one."""
    storage_low = False
    heads_up: int | None = None
    """Number of the heads-up notification."""
    toast = ""
    keyboard_requested = False
    clipboard = ""
    shade_open = False
    recents_open = False
    size_override: Size | None = None
    density_override: int | None = None
    rotation = 0
    device_rotation = 0
    """Quarter turns of the device itself; the screen follows while its rotation is free."""
    awake = True
    secure = False
    notifications: tuple[Notification, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    overlays: tuple[tuple[str, ActivityRecord], ...] = ()
    """The screens that apps show over others, each with its key, the newest last."""
    messages: tuple[TextMessage, ...] = ()
    call_log: tuple[CallRecord, ...] = ()
    version = 0

    def __init__(self, profile: PhoneProfile, time: PhoneTime | None = None) -> None:
        self.profile = profile
        self.size_override = profile.lowered_size
        self.time = time or PhoneTime()
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self.clock = Clock(time=self.time)
        self.logcat = Logcat()
        self.ticker = Ticker(self.lock, self.time)
        self.settings = SettingsStore(self.lock, self._setting_changed)
        self._contents = VariedContents(profile.variation)
        self.settings.put("system", "system_locales", profile.locale)
        for namespace, key, value in _names_of(profile):
            self.settings.put(namespace, key, value)
        self.followers: list[Callable[[str, str], None]] = []
        """System services that react to changed settings; called with namespace and key."""
        self.supply = charged(profile.battery.level, profile.battery.charging)
        self.cut_off: set[str] = set()
        self.activities = Activities()
        self.usage = Usage()
        self.keyguard = Keyguard()
        self.screen_times_ns = [0, 0]
        """Uptimes at which the screen last went on, and off."""
        self.apps: dict[str, App[Any]] = {}
        self._uids: dict[str, int] = {}
        self._installations: dict[str, Installations] = {}
        self.revoked: set[tuple[str, str]] = set()
        """Permissions that packages lack, each with the name of its package."""
        self._install_all(profile)
        self.states: dict[str, Any] = {}
        self.processes: dict[str, int] = {}
        self.processes_changed: EventEmitter[str] = EventEmitter()
        """Emits the package whose process started or ended, under the lock."""
        self.started_ns: dict[str, int] = {}
        """Uptime when the process of each package started."""
        self.starts: list[int] = []
        """Uptime when each process started, of those that ended too."""
        self.frames = FrameStats()
        self._pids = _FIRST_APP_PID
        self.stopped: set[str] = set()
        """Packages whose process is stopped by a signal: they neither draw nor act."""
        self.waiting: dict[str, list[Callable[[], None]]] = {}
        """Postponed actions of stopped packages."""
        self.locales: dict[str, str] = {}
        """Languages of packages that do not follow the phone."""
        self.closed_pop_ups: set[tuple[str, str]] = set()
        """Pop-ups that the person closed, by package and id."""
        self.noise = NoiseProgress(lambda seconds, run: self.ticker.after(seconds, run), self.touch)
        self.storage = SharedStorage()
        self.calls: dict[str, str] = {}
        """Phone numbers of calls, each ``incoming`` or ``active``."""
        self.toasted: EventEmitter[str] = EventEmitter()
        self.snackbars: dict[str, tuple[str, str, Any]] = {}
        self.keyboard = Keyboard()
        self.copied: EventEmitter[str] = EventEmitter()
        self.ops: dict[tuple[str, str], str] = {}
        """App-op modes that differ from the defaults, by package and operation."""
        self.package_states: dict[str, PackageState] = {}
        """The states that differ from that of a newly installed package."""
        self.visible_change_ns = self.time.now_ns

    def _install_all(self, profile: PhoneProfile) -> None:
        for app in profile.apps:
            first, last = app.android
            if first <= profile.sdk <= last:
                self.install(app)
        if not any(activity.home for app in profile.apps for activity in app.activities):
            self.install(FallbackLauncher())

    def install(self, app: App[Any], installer: str = "") -> None:
        """Add an app, or put it in the place of the installed one of its package."""
        if app.package not in self.apps:
            self.revoked |= self.profile.not_granted(app)
        self.apps[app.package] = app
        uid = _SYSTEM_UID if app.package == _FRAMEWORK else _FIRST_UID + len(self._uids)
        self._uids.setdefault(app.package, uid)
        now = self.clock.now if hasattr(self, "visible_change_ns") else SET_UP_AT
        self._installations[app.package] = self._installations.get(app.package, Installations()).again(
            now, installer
        )

    # ---- change ----------------------------------------------------------------------------

    def set_awake(self, awake: bool) -> None:
        """Switch the screen on or off."""
        if awake != self.awake:
            self.awake = awake
            self.screen_times_ns[not awake] = self.clock.uptime_ns
            if not awake:
                self.keyguard.lock()
            self.usage.note_screen(self.clock.now, awake)

    def touch(self, *, accessible: bool = True) -> None:
        """Note a visible change; ``accessible`` when it causes an accessibility event."""
        self.version += 1
        top = self.activities.top
        if top is not None and self.awake:
            self.frames.note(top.app.package, self.clock.uptime_ns)
        if accessible:
            self.visible_change_ns = self.time.now_ns
        self.changed.notify_all()

    def _setting_changed(self, namespace: str, key: str) -> None:
        if not hasattr(self, "visible_change_ns"):
            return
        if (namespace, key) == ("system", "system_locales"):
            with self.contents.in_use():
                for package, state in self.states.items():
                    self.states[package] = self.apps[package].in_language(state, self.locale_of(package))
        if key in ("user_rotation", "accelerometer_rotation"):
            self.rotate()
        for follow in self.followers:
            follow(namespace, key)
        self.touch()

    def rotate(self) -> None:
        """Rotate the screen as the settings say."""
        rotation = self.settings.get("system", "user_rotation") or "0"
        if self.settings.is_on("system", "accelerometer_rotation"):
            self.rotation = self.device_rotation
        elif rotation in ("0", "1", "2", "3"):
            self.rotation = int(rotation)

    def copy(self, text: str) -> None:
        """Put text on the clipboard and emit it to subscribers."""
        self.clipboard = text
        self.copied.emit(text)

    # ---- display -----------------------------------------------------------------------------

    @property
    def battery(self) -> Battery:
        """The battery as apps see it."""
        level = min(max(self.supply.level, 0), 100)
        return Battery(level, self.supply.plugged, self.settings.is_on("global", "low_power"))

    @property
    def natural_size(self) -> Size:
        return self.size_override or self.profile.size

    @property
    def size(self) -> Size:
        """The size of the rotated screen."""
        return self.natural_size.transposed if self.rotation % 2 else self.natural_size

    @property
    def density(self) -> int:
        return self.density_override or self.profile.density

    @property
    def dark(self) -> bool:
        return self.settings.get("secure", "ui_night_mode") == "2" or self.battery.saver

    @property
    def locale(self) -> str:
        """The first of the chosen languages."""
        locale = (self.settings.get("system", "system_locales") or "").partition(",")[0].strip()
        return locale or self.profile.locale

    def locale_of(self, package: str) -> str:
        """The language of a package: its own, that of the variation, or the phone's."""
        own = self.locales.get(package, "").partition(",")[0]
        app = self.apps.get(package)
        return own or (self.contents.language_of(app.name) if app else "") or self.locale

    @property
    def language(self) -> str:
        """``zh`` of ``zh-CN``."""
        return self.locale.partition("-")[0]

    def look(self, theme: Theme, package: str) -> Look:
        """How a window of a package looks: as the phone is set, and as the variation varies it."""
        app = self.apps.get(package)
        name, variation = app.name if app else "", self.profile.variation
        own = variation.appearance.get(name)
        try:
            scale = float(self.settings.get("system", "font_scale") or 1.0)
        except ValueError:
            scale = 1.0
        if own is not None and own.text_scale:
            scale = own.text_scale
        appearance = variation.appearance_of(name)
        theme = theme.with_colours(appearance.colours)
        if own.theme == "dark" if own is not None and own.theme else self.dark:
            theme = theme.to_dark()
        language = self.locale_of(package).partition("-")[0]
        return Look(theme, self.density / 160, min(max(scale, 0.5), 2.5), package, language, appearance)

    @property
    def contents(self) -> VariedContents:
        """The contents of the apps under the variation of the profile."""
        if self._contents.variation is not self.profile.variation:
            self._contents = VariedContents(self.profile.variation)
        return self._contents

    def label_of(self, app: App[Any]) -> str:
        """The name of an app, in the language in which it speaks."""
        with self.contents.in_use():
            return app.label(
                self.locale_of(app.package) if self.contents.language_of(app.name) else self.locale
            )

    @property
    def system_theme(self) -> Theme:
        return SETTINGS

    def online(self, package: str) -> bool:
        """Whether a package has network access."""
        data = self.settings.is_on("global", "mobile_data") and not self.airplane
        connected = data or self.settings.is_on("global", "wifi_on")
        return connected and not (self.chain3 and package in self.cut_off)

    # ---- apps ----------------------------------------------------------------------------------

    def app_named(self, name: str) -> App[Any]:
        """Find an app by short name or package; the KeyError lists the known names."""
        for app in self.apps.values():
            if name in (app.name, app.package):
                return app
        raise KeyError(
            f"no app {name!r}; there are {', '.join(sorted(app.name for app in self.apps.values()))}"
        )

    def package_info(self, app: App[Any]) -> PackageInfo:
        """What the package manager knows of an app."""
        launcher, state = app.launcher_activity, self.package_state(app.package)
        sdk, done = self.profile.sdk, self._installations[app.package]
        return PackageInfo(
            app.name, app.package, self.label_of(app), app.version, app.version_code, self.uid(app.package),
            app.component(launcher) if launcher and state.available else None,
            tuple(map(app.component, app.activities)), app.permissions,
            _granted(app.package, app.permissions, self.revoked),
            app.system, launcher is not None and launcher.home, self._apk(app), done.installer,
            app.sdks or (sdk if app.system else _MIN_SDK, sdk), done.first, done.last,
        )  # fmt: skip

    def _apk(self, app: App[Any]) -> str:
        sdk = self.profile.sdk
        if app.system:
            return system_apk(app.package, app.name, sdk)
        return installed_apk(app.package, self._installations[app.package].count, sdk)

    def system_packages(self) -> list[PackageInfo]:
        """The packages of the system that are no app a person sees."""
        known = _of_system(self.profile.sdk, self.profile.android, frozenset(self.revoked))
        return [package for package in known if package.package not in self.apps]

    @property
    def uids(self) -> dict[str, int]:
        """The user of each package: of the apps, then of the packages of the system."""
        known = system_packages(self.profile.sdk)
        of_system = {name: package.uid for name, package in known.items() if name not in self.apps}
        return {package: self.uid(package) for package in self.apps} | of_system

    def state_of(self, app: App[Any]) -> Any:
        """The app's state, created on first use."""
        if app.package not in self.states:
            with self.contents.in_use():
                state = app.initial(self.profile.seed, self.locale_of(app.package))
            self.states[app.package] = state
        return self.states[app.package]

    def forget(self, package: str) -> None:
        """Delete what an app has stored: its state, and which pop-ups were closed."""
        self.states.pop(package, None)
        self.closed_pop_ups = {closed for closed in self.closed_pop_ups if closed[0] != package}
        self.noise.forget(package)

    def pop_up(self, package: str, name: str) -> PopUp | None:
        """The pop-up of that id that the variation gives an app; None when there is none."""
        app = self.apps.get(package)
        listed = self.profile.variation.pop_ups_of(app.name) if app is not None else ()
        return next((pop_up for pop_up in listed if pop_up.id == name), None)

    def pid(self, package: str) -> int:
        """The process id of a package; starts the process when there is none."""
        if package not in self.processes:
            self._pids += 37
            self.processes[package] = self._pids
            self.started_ns[package] = self.clock.uptime_ns
            self.starts.append(self.clock.uptime_ns)
            self.processes_changed.emit(package)
        return self.processes[package]

    def uid(self, package: str) -> int:
        """The user id; it depends only on the order of installation."""
        if uid := self._uids.get(package):
            return uid
        known = system_packages(self.profile.sdk).get(package)
        return known.uid if known else _SYSTEM_UID

    def write_log(self, priority: str, tag: str, text: str, pid: int = SYSTEM_PID, buffer: str = "") -> None:
        self.logcat.write(self.clock.now, pid, priority, tag, text, buffer)

    def package_state(self, package: str) -> PackageState:
        return self.package_states.get(package, PackageState())

    @property
    def installed(self) -> tuple[InstalledApp, ...]:
        """The apps a launcher shows: those with an icon on the home screen by label, then the others."""
        installed = []
        for app in self.apps.values():
            activity = next((activity for activity in app.activities if activity.launcher), None)
            if activity is not None and self.package_state(app.package).available:
                installed.append(
                    InstalledApp(
                        app.name,
                        self.label_of(app),
                        app.icon,
                        app.component(activity),
                        app.on_home,
                        app.in_dock,
                    )
                )
        return tuple(sorted(installed, key=lambda app: (not app.on_home, not app.in_dock, app.label)))

    def context(self, record: ActivityRecord) -> Context:
        """The context for the view of an open activity."""
        look = self.look(self.system_theme, record.app.package)
        return Context(
            activity=record.activity.name,
            extras=record.extras,
            data=record.intent.data,
            type=record.intent.type,
            locale=self.locale_of(record.app.package),
            dark=look.theme.dark,
            width=self.size.width / look.density,
            height=self.size.height / look.density,
            font_scale=look.font_scale,
            icon_labels=look.appearance.icon_labels,
            now=self.clock.now.replace(second=0, microsecond=0),
            battery=self.battery,
            settings=self.settings.values,
            installed=self.installed,
            android=self.profile.android,
            storage_low=self.storage_low,
            online=self.online(record.app.package),
            calls=self.call_log,
            storage=self.storage,
            files=self.storage.files(),
        )


def _granted(
    package: str, permissions: tuple[str, ...], revoked: AbstractSet[tuple[str, str]]
) -> frozenset[str]:
    return frozenset(name for name in permissions if (package, name) not in revoked)


@lru_cache(maxsize=16)
def _of_system(sdk: int, version: str, revoked: frozenset[tuple[str, str]]) -> tuple[PackageInfo, ...]:
    """A hundred packages and more: commands of a shell ask for all again and again."""
    return tuple(
        PackageInfo(
            package.name, package.package, package.name, version, sdk, package.uid, None, (),
            package.permissions, _granted(package.package, package.permissions, revoked), True,
            apk=package.apk, sdks=(sdk, sdk),
        )
        for package in system_packages(sdk).values()
    )  # fmt: skip
