"""The settings pages as tables: the items of each page and the key of the settings store each changes."""

from __future__ import annotations

from dataclasses import dataclass, field

from collector.virtual.system.windows.input_methods import LATIN, METHODS

LAUNCHER = "com.waymark.launcher"
"""The home screen of the phone, the only one."""


@dataclass(frozen=True, slots=True)
class Toggle:
    """A switch for a key that holds 1 or 0 (or ``values`` for off and on)."""

    word: str
    namespace: str
    key: str
    line: str = ""
    values: tuple[str, str] = ("0", "1")
    default: str = "0"
    main: bool = False
    """The coloured card at the top of a page."""


@dataclass(frozen=True, slots=True)
class PageLink:
    """A row that opens another page."""

    word: str
    page: str
    icon: str = ""
    line: str = ""


@dataclass(frozen=True, slots=True)
class Range:
    """A slider for a whole number."""

    word: str
    namespace: str
    key: str
    high: int
    icon: str = ""


@dataclass(frozen=True, slots=True)
class PageChoice:
    """A choice between several values of a key: (word, value)."""

    namespace: str
    key: str
    default: str
    choices: tuple[tuple[str, str], ...]
    offered: str = ""
    """A key of the same namespace with the values that are offered, joined by ``:``; empty for all."""


@dataclass(frozen=True, slots=True)
class PagePart:
    """An item drawn by a function in ``parts``; its name is listed here to fix the order of the page."""

    name: str


Item = Toggle | PageLink | Range | PageChoice | PagePart


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its activity, the intent actions that open it, and its items."""

    activity: str
    title: str
    items: tuple[Item, ...] = field(default=())
    actions: tuple[str, ...] = ()


PAGES: dict[str, Page] = {
    "network": Page(
        ".Settings$NetworkDashboardActivity",
        "network",
        (
            PageLink("wifi", "wifi", "wifi", line="wifi"),
            Toggle("mobile", "global", "mobile_data", default="1"),
            PageLink("data", "data"),
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
        (Toggle("use_wifi", "global", "wifi_on", default="1", main=True), PagePart("networks")),
        ("android.settings.WIFI_SETTINGS",),
    ),
    "devices": Page(
        ".Settings$ConnectedDeviceDashboardActivity",
        "devices",
        (Toggle("bluetooth", "global", "bluetooth_on", main=True), PagePart("pair")),
        ("android.settings.BLUETOOTH_SETTINGS",),
    ),
    "apps": Page(
        ".Settings$ManageApplicationsActivity",
        "apps",
        (PagePart("apps"),),
        ("android.settings.MANAGE_APPLICATIONS_SETTINGS", "android.settings.APPLICATION_SETTINGS"),
    ),
    "app": Page(
        ".applications.InstalledAppDetails",
        "apps",
        (PagePart("app"),),
        ("android.settings.APPLICATION_DETAILS_SETTINGS",),
    ),
    "app_notifications": Page(
        ".Settings$AppNotificationSettingsActivity",
        "notifications",
        (PagePart("app_notifications"),),
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
            PagePart("battery"),
            PageLink("saver", "saver", line="saver"),
            Toggle("percentage", "system", "status_bar_show_battery_percent", line="percentage_2"),
        ),
        ("android.intent.action.POWER_USAGE_SUMMARY",),
    ),
    "saver": Page(
        ".Settings$BatterySaverSettingsActivity",
        "saver",
        (Toggle("use_saver", "global", "low_power", main=True), PagePart("saver")),
        ("android.settings.BATTERY_SAVER_SETTINGS",),
    ),
    "display": Page(
        ".Settings$DisplaySettingsActivity",
        "display",
        (
            Range("brightness", "system", "screen_brightness", 255),
            Toggle("dark", "secure", "ui_night_mode", values=("1", "2"), default="1"),
            PageLink("font", "font", line="font"),
            Toggle("rotate", "system", "accelerometer_rotation", default="1"),
            PagePart("timeout"),
        ),
        ("android.settings.DISPLAY_SETTINGS",),
    ),
    "font": Page(
        ".Settings$TextReadingSettingsActivity",
        "font",
        (
            PagePart("font_sample"),
            PageChoice(
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
            PagePart("screen_lock"),
            PageLink("location_page", "location"),
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
        (PagePart("storage"),),
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
            PageLink("languages", "languages", "language", line="languages"),
            PageLink("keyboards", "keyboards", "keyboard", line="keyboards"),
            Toggle("date", "global", "auto_time", default="1"),
            Toggle("use_24", "system", "time_12_24", values=("12", "24"), default="24"),
            PageLink("accessibility", "accessibility", "accessibility"),
            PageLink("home_app", "home_app", "home"),
            PageLink("nfc", "nfc", "devices"),
            PageLink("developer", "developer", "code"),
        ),
        ("android.settings.DATE_SETTINGS",),
    ),
    "accessibility": Page(
        ".Settings$AccessibilitySettingsActivity",
        "accessibility",
        (
            PageLink("font", "font", "text_size"),
            Toggle("captions", "secure", "accessibility_captioning_enabled"),
            Toggle("magnification", "secure", "accessibility_display_magnification_enabled"),
            Toggle("inversion", "secure", "accessibility_display_inversion_enabled"),
            Toggle("color_correction", "secure", "accessibility_display_daltonizer_enabled"),
        ),
        ("android.settings.ACCESSIBILITY_SETTINGS",),
    ),
    "developer": Page(
        ".Settings$DevelopmentSettingsDashboardActivity",
        "developer",
        (
            Toggle("use_developer", "global", "development_settings_enabled", default="1", main=True),
            Toggle("stay_awake", "global", "stay_on_while_plugged_in", "stay_awake_2", values=("0", "15")),
            Toggle("show_taps", "system", "show_touches"),
            Toggle("pointer_location", "system", "pointer_location"),
            Toggle("finish_activities", "global", "always_finish_activities", "finish_activities_2"),
            Toggle("force_resizable", "global", "force_resizable_activities"),
        ),
        ("android.settings.APPLICATION_DEVELOPMENT_SETTINGS",),
    ),
    "home_app": Page(
        ".Settings$HomeSettingsActivity",
        "home_app",
        (PageChoice("secure", "home_app", LAUNCHER, (("home_screen", LAUNCHER),)),),
        ("android.settings.HOME_SETTINGS",),
    ),
    "nfc": Page(
        ".Settings$NfcSettingsActivity",
        "nfc",
        (Toggle("use_nfc", "global", "nfc_on", main=True),),
        ("android.settings.NFC_SETTINGS", "android.settings.NFC_PAYMENT_SETTINGS"),
    ),
    "languages": Page(
        ".Settings$LocalePickerActivity",
        "languages",
        (PagePart("languages"),),
        ("android.settings.LOCALE_SETTINGS", "android.settings.APP_LOCALE_SETTINGS"),
    ),
    "keyboards": Page(
        ".Settings$AvailableVirtualKeyboardActivity",
        "keyboards",
        (
            PageChoice(
                "secure",
                "default_input_method",
                LATIN.id,
                tuple((method.word, method.id) for method in METHODS),
                offered="enabled_input_methods",
            ),
        ),
        ("android.settings.INPUT_METHOD_SETTINGS",),
    ),
    "hard_keyboard": Page(
        ".Settings$PhysicalKeyboardActivity",
        "hard_keyboard",
        (Toggle("soft_with_hard_keyboard", "secure", "show_ime_with_hard_keyboard", default="1"),),
        ("android.settings.HARD_KEYBOARD_SETTINGS",),
    ),
    "about": Page(
        ".Settings$MyDeviceInfoActivity",
        "about",
        (PagePart("about"),),
        ("android.settings.DEVICE_INFO_SETTINGS",),
    ),
}

TOP: tuple[PageLink, ...] = (
    PageLink("network", "network", "wifi", "network_2"),
    PageLink("devices", "devices", "devices", "devices_2"),
    PageLink("apps", "apps", "apps", "apps_2"),
    PageLink("notifications", "notifications", "bell", "notifications_2"),
    PageLink("battery", "battery", "battery", "battery_2"),
    PageLink("storage", "storage", "storage", "storage_2"),
    PageLink("display", "display", "display", "display_2"),
    PageLink("sound", "sound", "volume", "sound_2"),
    PageLink("security", "security", "lock", "security_2"),
    PageLink("system", "system", "language", "system_2"),
    PageLink("about", "about", "info"),
)
"""The top page."""


def findable() -> tuple[tuple[str, str], ...]:
    """Every (word, page) that the settings search can find."""
    links: list[tuple[str, str]] = [(link.word, link.page) for link in TOP]
    for name, page in PAGES.items():
        links += [
            (item.word, item.page if isinstance(item, PageLink) else name)
            for item in page.items
            if isinstance(item, (Toggle, PageLink, Range))
        ]
    return tuple(dict.fromkeys(links))
