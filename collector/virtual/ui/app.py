"""The base of an app: a name, its activities, and three functions of its state.

An app's state is one frozen dataclass of plain data. ``view`` and ``update`` are pure: the
same state gives the same screen, so a state written to YAML and read back shows it again.
"""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from collector.model.app_data.collections import AppData
from collector.virtual.ui.call_record import CallRecord
from collector.virtual.ui.effects import ACTION_MAIN, CATEGORY_LAUNCHER, Change, Component
from collector.virtual.ui.events import Event
from collector.virtual.ui.plain import from_plain, to_plain
from collector.virtual.ui.shared_files import SharedFile, SharedStorage, is_type
from collector.virtual.ui.theme import Theme
from collector.virtual.ui.widgets import Screen

S = TypeVar("S")

MOVED = "moved"
"""Name of the event that tells an app which follows the location a position: latitude and longitude."""
STARTED = "started"
"""The event an app gets when an activity starts: key is the activity's name, value its extras."""
RECEIVED, CALLED = "received", "called"
"""Events of a receiver's and of a provider's call: key is the receiver's name, or the provider's method;
value a :class:`ComponentCall`."""
INTENT_DATA = "intent.data"
"""The key beside the extras of :data:`STARTED` whose value is the URI of the intent, when it has one."""


@dataclass(frozen=True, slots=True)
class Activity:
    """One screen of an app. ``name`` as in a manifest: ``.MainActivity``."""

    name: str
    actions: tuple[str, ...] = ()
    """Intent actions it accepts besides its own component."""
    schemes: tuple[str, ...] = ()
    """URI schemes it accepts with these actions; when empty, any URI or none."""
    types: tuple[str, ...] = ()
    """MIME types it accepts with these actions, such as ``image/*``; when empty, any or none."""
    launcher: bool = False
    home: bool = False
    dialog: bool = False
    """A window as tall as its content over the activity below, which stays visible; BACK and a tap
    outside finish it."""
    at_bottom: bool = False
    """Whether such a window rises from the bottom, as a sheet."""
    single_top: bool = True
    takes_new_intents: bool = True
    """False: started again while on top, it keeps its original intent (no onNewIntent)."""
    again_with: str = ""
    """An extra with which it is opened once more although it is on top already; empty for none."""
    exported: bool = True
    """Whether other apps and the shell may start it."""
    permission: str = ""
    """What another app needs to start it; the shell has it."""


@dataclass(frozen=True, slots=True)
class ComponentCall:
    """What a receiver or a provider of an app is called with."""

    extras: Mapping[str, object] = field(default_factory=dict)
    granted: frozenset[str] = frozenset()
    """The permissions that the app has, those that a person gives on a page of the settings too."""
    sdk: int = 35
    argument: str = ""
    """Of a provider's method."""


@dataclass(frozen=True, slots=True)
class InnerPage:
    """A page behind the first one of an activity, for pictures of the app: what its state needs for it."""

    activity: str
    state: Mapping[str, Any]
    """Keys of the plain state, over those of a new app."""
    extras: dict[str, object] = field(default_factory=dict)
    """Of the intent that starts the activity."""


@dataclass(frozen=True, slots=True)
class AppIcon:
    """A launcher icon: a line icon on a coloured rounded square."""

    icon: str
    color: str
    picture: str = ""
    """The picture of an app that came as an APK, by the name that ``keep_icon`` gave it."""


@dataclass(frozen=True, slots=True)
class InstalledApp:
    """The data a launcher needs about another app."""

    name: str
    label: str
    icon: AppIcon
    component: Component
    on_home: bool = True
    in_dock: bool = True


@dataclass(frozen=True, slots=True)
class Battery:
    """The battery as apps see it."""

    level: int = 84
    charging: bool = False
    saver: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """The inputs of a view besides the app's state."""

    activity: str
    """As in the manifest, ``.MainActivity``."""
    extras: Mapping[str, object] = field(default_factory=dict)
    data: str = ""
    """The URI of its intent."""
    type: str = ""
    """The MIME type of its intent."""
    locale: str = "en-US"
    dark: bool = False
    width: float = 360.0
    """Width in dp available to the app."""
    height: float = 800.0
    font_scale: float = 1.0
    icon_labels: bool = True
    """Whether icons have words below them."""
    now: dt.datetime = dt.datetime(2026, 11, 20, 12, 4)
    battery: Battery = Battery()
    settings: Mapping[tuple[str, str], str] = field(default_factory=dict)
    installed: tuple[InstalledApp, ...] = ()
    android: str = "15"
    """Android version of the phone."""
    storage_low: bool = False
    online: bool = True
    """Whether the app has network access."""
    calls: tuple[CallRecord, ...] = ()
    """The calls that have ended, the newest first."""
    storage: SharedStorage = field(default_factory=SharedStorage, compare=False)
    """The shared storage, to read what is in its files."""
    files: tuple[SharedFile, ...] = ()
    """What is in the shared storage, by path."""

    @property
    def language(self) -> str:
        """``zh`` of ``zh-CN``."""
        return self.locale.partition("-")[0]

    @property
    def landscape(self) -> bool:
        return self.width > self.height

    def setting(self, namespace: str, key: str, default: str = "") -> str:
        return self.settings.get((namespace, key), default)

    def is_on(self, namespace: str, key: str) -> bool:
        return self.setting(namespace, key) == "1"


class App(ABC, Generic[S]):
    """Base class of all apps of the virtual phone."""

    name: ClassVar[str]
    """Short name used on command lines: ``shop``."""
    package: ClassVar[str]
    icon: ClassVar[AppIcon]
    theme: ClassVar[Theme]
    activities: ClassVar[tuple[Activity, ...]]
    pages: ClassVar[Mapping[str, InnerPage]] = {}
    """By name: what is drawn of it besides the activities."""
    state_type: ClassVar[type[Any]]
    version: ClassVar[str] = "1.0.0"
    version_code: ClassVar[int] = 100
    permissions: ClassVar[tuple[str, ...]] = ()
    sdks: ClassVar[tuple[int, int] | None] = None
    """The lowest SDK it runs on and that it is made for; None for 24 and the phone's own."""
    android: ClassVar[tuple[int, int]] = (0, 1 << 16)
    """The lowest and the highest SDK of phones that have it."""
    system: ClassVar[bool] = False
    on_home: ClassVar[bool] = True
    """Whether its icon is on the home screen; the search of apps finds it in any case."""
    in_dock: ClassVar[bool] = True
    """Whether its icon is in the lowest rows of the home screen, else above them."""
    needs_network: ClassVar[bool] = False
    """Whether its screens show a banner while offline."""
    follows_location: ClassVar[bool] = False
    """Whether it gets :data:`MOVED` events."""
    reads_clock: ClassVar[bool] = False
    """Whether its events say when they were sent."""
    in_recents: ClassVar[bool] = True
    """Whether the overview shows it."""
    receivers: ClassVar[tuple[str, ...]] = ()
    """Names of its receivers in the manifest: a broadcast to one becomes a :data:`RECEIVED` event."""
    authority: ClassVar[str] = ""
    """Of its content provider; empty for none."""

    def label(self, locale: str) -> str:
        """Name shown to the person."""
        del locale
        return self.name.capitalize()

    @abstractmethod
    def initial(self, seed: int, locale: str) -> S:
        """The state of a freshly installed app."""

    def in_language(self, state: S, locale: str) -> S:
        """The state after a change of the phone's language; text typed by the person stays unchanged."""
        if is_dataclass(state) and any(state_field.name == "locale" for state_field in fields(state)):
            changed: S = replace(state, locale=locale)  # type: ignore[type-var]
            return changed
        return state

    @abstractmethod
    def view(self, state: S, context: Context) -> Screen:
        """The screen of ``context.activity``."""

    @abstractmethod
    def update(self, state: S, event: Event) -> S | Change[S]:
        """The state after an event, and its effects."""

    def ended(self, state: S, stopped: bool) -> S:
        """The state when its process has ended: what is only in memory is gone.

        ``stopped`` when its activities and notifications are gone too.
        """
        del stopped
        return state

    def query(self, state: S, path: str, call: ComponentCall) -> list[dict[str, str | None]] | None:
        """The rows of its content provider at a path; None for a path that there is not."""
        del state, path, call
        return None

    def data(self, state: S) -> AppData:
        """What the app keeps for the person, as records by collection; nothing for most apps.

        The collections stand in :mod:`collector.model.app_data.collections`.
        """
        del state
        return {}

    def state_to_plain(self, state: S) -> dict[str, Any]:
        """Convert the state to plain data for YAML."""
        plain = to_plain(state)
        assert isinstance(plain, dict)
        return plain

    def state_from_plain(self, plain: Mapping[str, Any]) -> S:
        """Read :meth:`state_to_plain` back; raise ValueError when it does not fit."""
        state: S = from_plain(self.state_type, plain)
        return state

    def activity(self, name: str) -> Activity | None:
        """Find an activity by full class name or manifest name."""
        for activity in self.activities:
            if name in (activity.name, self.component(activity).activity):
                return activity
        return None

    def component(self, activity: Activity) -> Component:
        name = activity.name
        return Component(self.package, self.package + name if name.startswith(".") else name)

    @property
    def launcher_activity(self) -> Activity | None:
        return next((activity for activity in self.activities if activity.launcher or activity.home), None)

    def answers(
        self,
        activity: Activity,
        action: str,
        categories: tuple[str, ...] = (),
        data: str = "",
        mime_type: str = "",
    ) -> bool:
        """Whether an implicit intent may start the activity."""
        if action == ACTION_MAIN and (CATEGORY_LAUNCHER in categories or not categories):
            return activity.launcher
        if action not in activity.actions:
            return False
        fits = data.partition(":")[0].lower() in activity.schemes
        if activity.types and mime_type:
            is_taken = any(is_type(mime_type, accepted) for accepted in activity.types)
            return is_taken and (fits or not (data and activity.schemes))
        return fits if activity.schemes else not activity.types
