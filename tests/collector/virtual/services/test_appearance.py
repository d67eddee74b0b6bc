"""Rotation, text size, dark mode, languages of single apps, and keyboards."""

from __future__ import annotations

from tests.helpers.system_windows import tap, texts

LATIN, COMPACT = "com.android.inputmethod.latin/.LatinIME", "com.waymark.keyboard/.CompactIME"
SHOP = "com.waymark.shop"


def test_rotation_is_locked_and_freed(sh, status, device):
    assert sh("wm user-rotation") == "free\n"
    assert status("wm user-rotation lock 1") == ("", "", 0)
    assert device.phone.rotation == 1
    assert sh("wm user-rotation; settings get system accelerometer_rotation") == "lock 1\n0\n"
    sh("cmd window user-rotation -d 0 free; cmd waymark emu rotate; wm user-rotation lock")
    assert sh("wm user-rotation") == "lock 3\n", "without a number it is locked as it is"
    sh("cmd waymark emu rotate")
    assert device.phone.rotation == 3, "locked it does not turn"
    assert status("wm user-rotation spin") == (
        "", "Error: argument needs to be either -d, free or lock.\n", 255
    )  # fmt: skip
    assert status("wm user-rotation lock 7") == (
        "", "Error: Invalid argument, rotation must be -1 or a valid rotation constant.\n", 255
    )  # fmt: skip
    assert status("wm set-user-rotation spin")[1] == "Error: expecting lock or free, but we got: spin\n"


def test_night(sh, status, device):
    assert sh("cmd uimode night") == "Night mode: no\n"
    assert sh("cmd uimode night yes") == "Night mode: yes\n"
    assert device.phone.dark
    assert sh("cmd uimode night auto") == "Night mode: auto\n"
    assert status("cmd uimode night maybe") == (
        "", "Error: mode must be 'yes', 'no', or 'auto', or 'custom_schedule', or 'custom_bedtime'\n", 255
    )  # fmt: skip
    assert sh("cmd uimode night custom_bedtime; cmd uimode night") == "Night mode: custom_bedtime\n" * 2
    assert sh("cmd uimode time start 21:30; cmd uimode time") == "start 21:30\nend 06:00\n"
    assert status("cmd uimode time noon") == ("", "command must be in [start|end]\n", 255)
    assert status("cmd uimode car maybe") == ("", "Error: mode must be 'yes', or 'no'\n", 255)


def test_of_several_languages_the_first_is_spoken_and_all_are_kept(sh):
    sh(f"cmd locale set-app-locales {SHOP} --locales zh-CN,en-US")
    assert sh(f"cmd locale get-app-locales {SHOP}") == f"Locales for {SHOP} for user 0 are [zh-CN,en-US]\n"
    sh("settings put system system_locales de-DE,en-US")
    assert sh("getprop persist.sys.locale") == "de-DE\n"
    assert sh("am get-config").startswith("config: de-rDE-ldltr")


def test_a_screen_that_is_free_again_follows_the_phone(sh, device):
    sh("wm user-rotation lock 1; wm user-rotation free")
    assert device.phone.rotation == 0
    sh("cmd waymark emu rotate; wm user-rotation lock 0; wm user-rotation free")
    assert device.phone.rotation == 3


def test_one_app_speaks_another_language(sh, status, device):
    assert sh(f"cmd locale get-app-locales {SHOP}") == f"Locales for {SHOP} for user 0 are []\n"
    assert status(f"cmd locale set-app-locales {SHOP} --user 0 --locales zh-CN") == ("", "", 0)
    assert sh(f"cmd locale get-app-locales {SHOP} --user 0") == f"Locales for {SHOP} for user 0 are [zh-CN]\n"
    sh(f"am start -n {SHOP}/.MainActivity")
    assert any("\u4e00" <= char <= "\u9fff" for text in texts(device) for char in text)
    sh("am start -n com.waymark.todo/.MainActivity")
    assert "My tasks" in texts(device), "the others speak the phone's"
    sh(f"am start -n {SHOP}/.MainActivity; cmd locale set-app-locales {SHOP} --locales")
    assert sh(f"cmd locale get-app-locales {SHOP}") == f"Locales for {SHOP} for user 0 are []\n"
    assert not any("\u4e00" <= char <= "\u9fff" for text in texts(device) for char in text)
    assert (
        sh("cmd locale set-app-locales com.nope --locales ja-JP") == "Unknown package com.nope for userId 0\n"
    )
    assert status("cmd locale set-app-locales") == ("", "Error: no package specified\n", 255)


def test_a_language_of_its_own_outlasts_the_phones(sh):
    sh(f"cmd locale set-app-locales {SHOP} --locales zh-CN; am start -n {SHOP}/.MainActivity")
    sh("settings put system system_locales de-DE")
    assert "locale: zh-CN" in sh("cmd waymark state get shop")


def test_font_scale_comes_and_goes(sh, device):
    before = device.phone.capture().rgba.tobytes()
    sh("settings put system font_scale 1.3")
    assert device.phone.capture().rgba.tobytes() != before
    assert sh("settings delete system font_scale") == "Deleted 1 rows\n"
    assert device.phone.capture().rgba.tobytes() == before


def test_keyboards_are_listed_and_chosen(sh, status):
    assert sh("ime list -s") == f"{LATIN}\n{COMPACT}\n"
    assert status(f"ime set {COMPACT}") == (f"Input method {COMPACT} selected for user #0\n", "", 0)
    assert sh("settings get secure default_input_method") == f"{COMPACT}\n"
    assert f"mCurMethodId={COMPACT}\n" in sh("dumpsys input_method")
    assert sh(f"ime disable {COMPACT}") == f"Input method {COMPACT}: now disabled for user #0\n"
    assert sh("settings get secure default_input_method; ime list -s") == f"{LATIN}\n{LATIN}\n"
    assert COMPACT in sh("ime list -s -a").split()
    assert status(f"ime set {COMPACT}") == (
        "", f"Unknown input method {COMPACT} cannot be selected for user #0\n", 255
    )  # fmt: skip
    assert sh(f"ime enable {COMPACT}; ime enable {COMPACT}") == (
        f"Input method {COMPACT}: now enabled for user #0\n"
        f"Input method {COMPACT}: already enabled for user #0\n"
    )
    sh(f"ime set {COMPACT}")
    assert sh("ime reset") == (
        "Reset current and enabled IMEs for user #0\n"
        f"  Selected: {LATIN}\n   Enabled: {LATIN}\n   Enabled: {COMPACT}\n"
    )
    assert sh("ime list").startswith(f"{LATIN}:\n  mId={LATIN} mSettingsActivityName=null")
    assert status("ime nope") == ("Unknown command: nope\n", "", 255)


def test_the_keyboard_that_is_chosen_is_shown_and_types(sh, device):
    sh("am start -n com.android.settings/.SearchActivity")
    tap(device, "query")

    def keyboard():
        return next(window for window in device.phone.windows() if window[1] == "keyboard")

    assert keyboard()[2] == "com.android.inputmethod.latin"
    before = device.phone.capture().rgba.tobytes()
    sh(f"ime set {COMPACT}")
    assert keyboard()[2] == "com.waymark.keyboard"
    assert device.phone.capture().rgba.tobytes() != before
    left, top, right, _bottom = keyboard()[3]
    sh(f"input tap {left + (right - left) // 20} {top + 40}")
    assert "1" in texts(device), "the digits stand at its top"
