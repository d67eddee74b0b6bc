"""The settings pages as tables: what each shows and which key of the phone's store it changes."""

from __future__ import annotations

from dataclasses import dataclass, field

from collector.virtual.system.input_methods import LATIN, METHODS


@dataclass(frozen=True, slots=True)
class Toggle:
    """A switch over a key that holds 1 or 0 (or ``values`` for off and on)."""

    word: str
    namespace: str
    key: str
    line: str = ""
    values: tuple[str, str] = ("0", "1")
    default: str = "0"
    main: bool = False
    """The coloured card at the top of a page."""


@dataclass(frozen=True, slots=True)
class Link:
    """Opens another page."""

    word: str
    page: str
    icon: str = ""
    line: str = ""


@dataclass(frozen=True, slots=True)
class Range:
    """A slider over a whole number."""

    word: str
    namespace: str
    key: str
    high: int
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values of a key: (word, value)."""

    namespace: str
    key: str
    default: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece drawn by code of its own, named here so that the order of a page stays in one place."""

    name: str


Item = Toggle | Link | Range | Choice | Part


@dataclass(frozen=True, slots=True)
class Page:
    """One screen: its activity, the intent actions that open it, and its items."""

    activity: str
    title: str
    items: tuple[Item, ...] = field(default=())
    actions: tuple[str, ...] = ()


PAGES: dict[str, Page] = {
    "network": Page(
        ".Settings$NetworkDashboardActivity",
        "network",
        (
            Link("wifi", "wifi", "wifi", line="wifi"),
            Toggle("mobile", "global", "mobile_data", default="1"),
            Link("data", "data"),
            Toggle("airplane", "global", "airplane_mode_on"),
            Toggle("hotspot", "global", "tether_on"),
        ),
        ("android.settings.WIRELESS_SETTINGS", "android.settings.AIRPLANE_MODE_SETTINGS"),
    ),
    "data": Page(
        ".Settings$DataUsageSummaryActivity",
        "data",
        (
            Toggle("mobile", "global", "mobile_data", default="1", main=True),
            Toggle("roaming", "global", "data_roaming"),
            Toggle("data_saver", "global", "data_saver", line="data_saver_2"),
        ),
        (
            "android.settings.DATA_USAGE_SETTINGS",
            "android.settings.DATA_ROAMING_SETTINGS",
            "android.settings.MOBILE_DATA_USAGE",
            "android.settings.NETWORK_OPERATOR_SETTINGS",
        ),
    ),
    "wifi": Page(
        ".Settings$WifiSettingsActivity",
        "wifi",
        (Toggle("use_wifi", "global", "wifi_on", default="1", main=True), Part("networks")),
        ("android.settings.WIFI_SETTINGS",),
    ),
    "devices": Page(
        ".Settings$ConnectedDeviceDashboardActivity",
        "devices",
        (Toggle("bluetooth", "global", "bluetooth_on", main=True), Part("pair")),
        ("android.settings.BLUETOOTH_SETTINGS",),
    ),
    "apps": Page(
        ".Settings$ManageApplicationsActivity",
        "apps",
        (Part("apps"),),
        ("android.settings.MANAGE_APPLICATIONS_SETTINGS", "android.settings.APPLICATION_SETTINGS"),
    ),
    "app": Page(
        ".applications.InstalledAppDetails",
        "apps",
        (Part("app"),),
        ("android.settings.APPLICATION_DETAILS_SETTINGS",),
    ),
    "app_notifications": Page(
        ".Settings$AppNotificationSettingsActivity",
        "notifications",
        (Part("app_notifications"),),
        ("android.settings.APP_NOTIFICATION_SETTINGS",),
    ),
    "notifications": Page(
        ".Settings$ConfigureNotificationSettingsActivity",
        "notifications",
        (
            Toggle("silence", "global", "zen_mode"),
            Toggle("dots", "secure", "notification_badging", default="1"),
            Toggle("lock_screen", "secure", "lock_screen_show_notifications", default="1"),
        ),
        (
            "android.settings.NOTIFICATION_SETTINGS",
            "android.settings.ALL_APPS_NOTIFICATION_SETTINGS",
            "android.settings.ZEN_MODE_SETTINGS",
        ),
    ),
    "battery": Page(
        ".Settings$PowerUsageSummaryActivity",
        "battery",
        (
            Part("battery"),
            Link("saver", "saver", line="saver"),
            Toggle("percentage", "system", "status_bar_show_battery_percent", line="percentage_2"),
        ),
        ("android.intent.action.POWER_USAGE_SUMMARY",),
    ),
    "saver": Page(
        ".Settings$BatterySaverSettingsActivity",
        "saver",
        (Toggle("use_saver", "global", "low_power", main=True), Part("saver")),
        ("android.settings.BATTERY_SAVER_SETTINGS",),
    ),
    "display": Page(
        ".Settings$DisplaySettingsActivity",
        "display",
        (
            Range("brightness", "system", "screen_brightness", 255),
            Toggle("dark", "secure", "ui_night_mode", values=("1", "2"), default="1"),
            Link("font", "font", line="font"),
            Toggle("rotate", "system", "accelerometer_rotation", default="1"),
            Part("timeout"),
        ),
        ("android.settings.DISPLAY_SETTINGS",),
    ),
    "font": Page(
        ".Settings$TextReadingSettingsActivity",
        "font",
        (
            Part("font_sample"),
            Choice(
                "system",
                "font_scale",
                "1.0",
                (
                    ("font_small", "0.85"),
                    ("font_default", "1.0"),
                    ("font_large", "1.15"),
                    ("font_largest", "1.3"),
                ),
            ),
        ),
        ("android.settings.TEXT_READING_SETTINGS",),
    ),
    "sound": Page(
        ".Settings$SoundSettingsActivity",
        "sound",
        (
            Range("media", "system", "volume_music", 15, "music"),
            Range("ring", "system", "volume_ring", 7, "bell"),
            Range("alarm", "system", "volume_alarm", 7, "alarm"),
            Toggle("vibrate", "system", "vibrate_when_ringing"),
        ),
        ("android.settings.SOUND_SETTINGS",),
    ),
    "security": Page(
        ".Settings$SecurityDashboardActivity",
        "security",
        (
            Part("screen_lock"),
            Link("location_page", "location"),
            Toggle("camera", "secure", "camera_access", default="1"),
            Toggle("microphone", "secure", "microphone_access", default="1"),
        ),
        ("android.settings.SECURITY_SETTINGS", "android.settings.PRIVACY_SETTINGS"),
    ),
    "location": Page(
        ".Settings$LocationSettingsActivity",
        "location_page",
        (Toggle("location", "secure", "location_mode", values=("0", "3"), default="3", main=True),),
        ("android.settings.LOCATION_SOURCE_SETTINGS",),
    ),
    "storage": Page(
        ".Settings$StorageDashboardActivity",
        "storage",
        (Part("storage"),),
        (
            "android.settings.INTERNAL_STORAGE_SETTINGS",
            "android.settings.MEMORY_CARD_SETTINGS",
            "android.os.storage.action.MANAGE_STORAGE",
        ),
    ),
    "system": Page(
        ".Settings$SystemDashboardActivity",
        "system",
        (
            Link("languages", "languages", "language", line="languages"),
            Link("keyboards", "keyboards", "keyboard", line="keyboards"),
            Toggle("date", "global", "auto_time", default="1"),
            Toggle("use_24", "system", "time_12_24", values=("12", "24"), default="24"),
        ),
        ("android.settings.DATE_SETTINGS",),
    ),
    "languages": Page(
        ".Settings$LocalePickerActivity",
        "languages",
        (Part("languages"),),
        ("android.settings.LOCALE_SETTINGS", "android.settings.APP_LOCALE_SETTINGS"),
    ),
    "keyboards": Page(
        ".Settings$AvailableVirtualKeyboardActivity",
        "keyboards",
        (
            Choice(
                "secure",
                "default_input_method",
                LATIN.id,
                tuple((method.word, method.id) for method in METHODS),
            ),
        ),
        ("android.settings.INPUT_METHOD_SETTINGS",),
    ),
    "about": Page(
        ".Settings$MyDeviceInfoActivity",
        "about",
        (Part("about"),),
        ("android.settings.DEVICE_INFO_SETTINGS",),
    ),
}

TOP: tuple[Link, ...] = (
    Link("network", "network", "wifi", "network_2"),
    Link("devices", "devices", "devices", "devices_2"),
    Link("apps", "apps", "apps", "apps_2"),
    Link("notifications", "notifications", "bell", "notifications_2"),
    Link("battery", "battery", "battery", "battery_2"),
    Link("storage", "storage", "storage", "storage_2"),
    Link("display", "display", "display", "display_2"),
    Link("sound", "sound", "volume", "sound_2"),
    Link("security", "security", "lock", "security_2"),
    Link("system", "system", "language", "system_2"),
    Link("about", "about", "info"),
)
"""The first screen."""


def findable() -> tuple[tuple[str, str], ...]:
    """Every (word, page) a search can lead to."""
    links: list[tuple[str, str]] = [(link.word, link.page) for link in TOP]
    for name, page in PAGES.items():
        links += [
            (item.word, item.page if isinstance(item, Link) else name)
            for item in page.items
            if isinstance(item, (Toggle, Link, Range))
        ]
    return tuple(dict.fromkeys(links))
