"""Every settings action that anomalies start opens a page that says what it is about."""

from __future__ import annotations

import pytest

from collector.virtual.system.windows.notice import Notice
from tests.helpers.system_windows import find, tap, texts

PAGES = {
    "android.settings.SETTINGS": "Settings",
    "android.settings.WIFI_SETTINGS": "Wi-Fi",
    "android.settings.WIRELESS_SETTINGS": "Network and internet",
    "android.settings.AIRPLANE_MODE_SETTINGS": "Airplane mode",
    "android.settings.BATTERY_SAVER_SETTINGS": "Use battery saver",
    "android.intent.action.POWER_USAGE_SUMMARY": "Battery",
    "android.settings.APPLICATION_DETAILS_SETTINGS -d package:com.waymark.shop": "com.waymark.shop",
    "android.settings.APP_NOTIFICATION_SETTINGS --es android.provider.extra.APP_PACKAGE com.waymark.shop":
        "All Shop notifications",
    "android.settings.NOTIFICATION_SETTINGS": "Notifications",
    "android.settings.DATA_USAGE_SETTINGS": "Data usage",
    "android.settings.DATA_ROAMING_SETTINGS": "Roaming",
    "android.settings.LOCATION_SOURCE_SETTINGS": "Use location",
    "android.settings.INTERNAL_STORAGE_SETTINGS": "Storage",
    "android.settings.DISPLAY_SETTINGS": "Brightness",
    "android.settings.INPUT_METHOD_SETTINGS": "On-screen keyboard",
    "android.settings.HARD_KEYBOARD_SETTINGS": "Use on-screen keyboard",
    "android.settings.LOCALE_SETTINGS": "English (United States)",
    "android.settings.PRIVACY_SETTINGS": "Security and privacy",
    "android.settings.BLUETOOTH_SETTINGS": "Use Bluetooth",
    "android.settings.SOUND_SETTINGS": "Sound and vibration",
    "android.settings.DATE_SETTINGS": "Set time automatically",
    "android.settings.DEVICE_INFO_SETTINGS": "About phone",
    "android.settings.MANAGE_APPLICATIONS_SETTINGS": "Apps",
}  # fmt: skip


@pytest.mark.parametrize("action", PAGES)
def test_an_action_opens_its_page(sh, device, action):
    answer = sh(f"am start -a {action}")
    assert answer.startswith(f"Starting: Intent {{ act={action.split()[0]}")
    assert "Error" not in answer
    assert device.phone.focused_window.startswith("com.android.settings/")
    shown = device.phone.hierarchy_xml().decode()
    expected = PAGES[action]
    assert f'text="{expected}"' in shown or f'content-desc="{expected}"' in shown, texts(device)


def test_a_keyboard_is_chosen_on_its_page(sh, device):
    sh("am start -a android.settings.INPUT_METHOD_SETTINGS")
    tap(device, "Compact Keyboard")
    assert sh("settings get secure default_input_method") == "com.waymark.keyboard/.CompactIME\n"


def test_an_apps_notifications_are_switched_off(sh, device):
    sh("am start -a android.settings.APP_NOTIFICATION_SETTINGS "
       "--es android.provider.extra.APP_PACKAGE com.waymark.messenger")  # fmt: skip
    tap(device, "switch_widget")
    device.phone.services.notices.post(Notice("com.waymark.messenger", "Ana", "Hello"))
    assert "Hello" not in sh("dumpsys notification")


def test_the_storage_page_follows_what_is_forced(sh, device):
    sh("am start -a android.settings.INTERNAL_STORAGE_SETTINGS")
    assert find(device, "usage_summary").get("text") == "25 GB"
    sh("cmd devicestoragemonitor force-low")
    assert find(device, "usage_summary").get("text") == "63 GB"


def test_the_switch_of_airplane_mode_is_a_real_one(sh, device):
    sh("am start -a android.settings.AIRPLANE_MODE_SETTINGS")
    tap(device, "Airplane mode")
    assert device.phone.services.radios.airplane
    assert sh("settings get global wifi_on") == "3\n"


def test_an_address_of_the_store_opens_its_page(sh, device):
    sh("am start -a android.intent.action.VIEW -d 'market://details?id=com.waymark.shop'")
    assert device.phone.focused_window == "com.android.vending/com.android.vending.AssetBrowserActivity"
    assert find(device, "package").get("text") == "com.waymark.shop"
    sh("am start -a android.intent.action.VIEW -d 'market://details?id=com.nope' -p com.android.vending")
    assert "Item not found." in texts(device)
    sh("am start -a android.intent.action.VIEW -d 'market://details?id=com.waymark.shop'")
    tap(device, "Open")
    assert device.phone.focused_window == "com.waymark.shop/com.waymark.shop.MainActivity"


def test_other_addresses_are_nobodys(status):
    for data, shown in (
        ("geo:48.1,11.5?q=cafe", "geo:"),
        ("mailto:ana@example.org", "mailto:xxx@xxxxxxx.xxx"),
        ("tel:+49-89-1234", "tel:xxx-xx-xxxx"),
        ("content://media/external/images/1", "content://media/..."),
    ):
        out, err, code = status(f"am start -a android.intent.action.VIEW -d {data}")
        intent = f"Intent {{ act=android.intent.action.VIEW dat={shown}"
        error = f"Error: Activity not started, unable to resolve {intent} flg=0x10000000 }}"
        assert (out, err, code) == (f"Starting: {intent} }}\n", f"{error}\n", 0)


@pytest.mark.parametrize(
    ("action", "title", "switch", "key", "value"),
    [
        (
            "ACCESSIBILITY_SETTINGS", "Accessibility", "Captions", "secure accessibility_captioning_enabled",
            "1",
        ),
        (
            "APPLICATION_DEVELOPMENT_SETTINGS", "Developer options", "Stay awake",
            "global stay_on_while_plugged_in", "15",
        ),
        ("NFC_SETTINGS", "NFC", "Use NFC", "global nfc_on", "1"),
    ],
)  # fmt: skip
def test_pages_that_people_expect_write_their_keys(sh, device, action, title, switch, key, value):
    sh(f"am start -a android.settings.{action}")
    assert title in texts(device)
    tap(device, switch)
    assert sh(f"settings get {key}") == f"{value}\n"


def test_the_only_home_app_is_chosen(sh, device):
    sh("am start -a android.settings.HOME_SETTINGS")
    assert {"Default home app", "Home screen"} <= set(texts(device))
