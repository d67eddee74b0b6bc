"""Well-known commands by name: rules write some as a word, the editor's menu offers all."""

from __future__ import annotations

from collections.abc import Mapping

STOP, RESTART, BACK, HOME = "stop", "restart", "back", "home"
_START = "am start -a android.settings."

SETTINGS_PAGES: Mapping[str, str] = {
    "wifi": f"{_START}WIFI_SETTINGS",
    "wireless": f"{_START}WIRELESS_SETTINGS",
    "data": f"{_START}DATA_USAGE_SETTINGS",
    "airplane": f"{_START}AIRPLANE_MODE_SETTINGS",
    "bluetooth": f"{_START}BLUETOOTH_SETTINGS",
    "battery": f"{_START}BATTERY_SAVER_SETTINGS",
    "storage": f"{_START}INTERNAL_STORAGE_SETTINGS",
    "app": f"{_START}APPLICATION_DETAILS_SETTINGS -d package:{{package}}",
    "notifications": f"{_START}APP_NOTIFICATION_SETTINGS --es android.provider.extra.APP_PACKAGE {{package}}",
    "location": f"{_START}LOCATION_SOURCE_SETTINGS",
    "privacy": f"{_START}PRIVACY_SETTINGS",
    "display": f"{_START}DISPLAY_SETTINGS",
    "sound": f"{_START}SOUND_SETTINGS",
    "date": f"{_START}DATE_SETTINGS",
    "all": f"{_START}SETTINGS",
}
"""Pages of the phone's settings."""
NAMED_COMMANDS: Mapping[str, str] = {
    **SETTINGS_PAGES,
    STOP: "am force-stop {package}",
    RESTART: "am force-stop {package}; monkey -p {package} -c android.intent.category.LAUNCHER 1",
    BACK: "input keyevent 4",
    HOME: "input keyevent 3",
}
"""Commands as a library writes them. They are trusted: nobody has to look at them first."""
RESETS = (
    "dumpsys battery reset",
    "cmd thermalservice reset",
    "cmd devicestoragemonitor reset -f",
    "cmd notification set_dnd off",
    "appops set {package} CAMERA default",
    "monkey -p {package} -c android.intent.category.LAUNCHER 1",
)
"""Usual undo commands, which the editor's template offers: they only reset a phone."""
FOLLOW_UP_WORDS: Mapping[str, str] = {
    "redirect_to_settings": NAMED_COMMANDS["app"],
    "terminate_app": NAMED_COMMANDS[STOP],
    "restart_app": NAMED_COMMANDS[RESTART],
    "press_back": NAMED_COMMANDS[BACK],
    "go_home": NAMED_COMMANDS[HOME],
    "nothing": "",
}
"""Words that stand for a command in the ``follow_up`` of a rule: those of D-GARA's paper, and ours."""
