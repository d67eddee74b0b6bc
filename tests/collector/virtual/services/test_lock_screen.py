"""The lock screen: PIN and password by the shell, by touch and by keys, and what tools read of it."""

import re
from xml.etree import ElementTree as ET

import pytest

from tests.helpers.shell import run

LOCKED = r"mDreamingLockscreen=true"


def nodes(device):
    """Resource ids without their package, with the middle of each node."""
    tree = ET.fromstring(device.phone.hierarchy_xml())
    found = {}
    for node in tree.iter("node"):
        left, top, right, bottom = map(int, re.findall(r"-?\d+", node.get("bounds", "")))
        name = node.get("resource-id", "").removeprefix("com.android.systemui:id/")
        found.setdefault(name, (node, (left + right) // 2, (top + bottom) // 2))
    return found


def tap(device, name):
    _node, x, y = nodes(device)[name]
    run(device.machine, f"input tap {x} {y}")


def shown(device):
    return device.phone.services.lock_screen.showing


def off_and_on(sh):
    return sh("input keyevent SLEEP; input keyevent WAKEUP")


def test_a_phone_has_none_until_one_is_chosen(sh, device):
    assert sh("locksettings get-disabled") == "true\n"
    off_and_on(sh)
    assert not shown(device)
    assert sh("cmd lock_settings set-disabled false") == "Lock screen disabled set to false\n"
    assert sh("locksettings get-disabled") == "false\n"
    off_and_on(sh)
    assert shown(device)
    assert nodes(device)["keyguard_indication_text"][0].get("text") == "Swipe up to open"
    sh("input swipe 360 1200 360 500 150")
    assert not shown(device)


def test_a_pin_is_typed_on_its_pad(sh, device):
    assert sh("locksettings set-pin 2580") == "Pin set to '2580'\n"
    off_and_on(sh)
    sh("input keyevent HOME; input keyevent APP_SWITCH")
    assert device.phone.focused_window == "NotificationShade"
    sh("input swipe 360 1590 360 900 150")
    assert {"keyguard_pin_view", "pinEntry", "key0", "digit_text", "delete_button", "key_enter"} <= set(
        nodes(device)
    )
    for key in ("key2", "key5", "key5", "delete_button", "key8", "key0"):
        tap(device, key)
    assert nodes(device)["pinEntry"][0].get("text") == "••••"
    tap(device, "key_enter")
    assert not shown(device)
    assert device.phone.focused.package == "com.waymark.launcher"


def test_keys_open_it_and_a_wrong_pin_says_so(sh, device):
    sh("locksettings set-pin 1234")
    off_and_on(sh)
    sh("input keyevent MENU; input text 77; input keyevent NUMPAD_ENTER")
    assert nodes(device)["bouncer_primary_message_area"][0].get("text") == "Wrong PIN"
    sh("input keyevent BACK")
    assert "lockscreen_clock_view" in nodes(device)
    sh("wm dismiss-keyguard; input keyevent 8 9 10 11; input keyevent ENTER")
    assert not shown(device)


def draw(device, *dots):
    """Draw a line over dots, which are counted from 1 at the top left."""
    node = nodes(device)["lockPatternView"][0]
    left, top, right, _bottom = map(int, re.findall(r"-?\d+", node.get("bounds")))
    third = (right - left) // 3
    places = [
        (left + (dot - 1) % 3 * third + third // 2, top + (dot - 1) // 3 * third + third // 2) for dot in dots
    ]
    words = [f"input motionevent DOWN {places[0][0]} {places[0][1]}"]
    words += [f"input motionevent MOVE {x} {y}" for x, y in places[1:]]
    run(device.machine, "; ".join((*words, f"input motionevent UP {places[-1][0]} {places[-1][1]}")))


def test_a_pattern_is_drawn_over_its_dots(sh, device):
    assert sh("locksettings set-pattern 1237") == "Pattern set to '1237'\n"
    off_and_on(sh)
    sh("wm dismiss-keyguard; input text 1237; input keyevent ENTER")
    view = nodes(device)
    assert {"keyguard_pattern_view", "lockPatternView"} <= set(view)
    assert view["bouncer_primary_message_area"][0].get("text") == "Draw your pattern"
    before = device.phone.capture().rgba
    draw(device, 1, 4, 7, 8)
    assert nodes(device)["bouncer_primary_message_area"][0].get("text") == "Wrong pattern"
    assert (device.phone.capture().rgba != before).any()
    draw(device, 1, 3, 7)  # over 2, and over 5
    assert shown(device), "5 lies between 3 and 7"
    sh("locksettings set-pattern --old 1237 12357")
    draw(device, 1, 3, 7)
    assert not shown(device)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("123", "pattern must not be null and at least 4 dots long."),
        ("1230", "column must be in range 0-2"),
        ("123a", "row must be in range 0-2"),
    ],
)
def test_what_is_no_pattern(device, pattern, reason):
    _out, error, status = run(device.machine, f"locksettings set-pattern {pattern}")
    assert (error, status) == (
        f"Error while executing command: set-pattern\njava.lang.IllegalArgumentException: {reason}\n",
        255,
    )


def test_after_five_wrong_ones_there_is_a_pause(sh, device):
    sh("locksettings set-pin 1234")
    off_and_on(sh)
    sh("input keyevent MENU")
    for _attempt in range(5):
        sh("input text 9999; input keyevent ENTER")
    message = nodes(device)["bouncer_primary_message_area"][0].get("text")
    assert re.fullmatch(r"Try again in (30|29) seconds", message)
    sh("input text 1234; input keyevent ENTER")
    assert shown(device)
    assert sh("locksettings verify --old 1234") == "Request throttled\n"


def test_a_password_is_typed_with_the_keyboard(sh, device):
    assert sh("locksettings set-password 'pass word'") == "Password set to 'pass word'\n"
    off_and_on(sh)
    sh("input swipe 360 1200 360 500 150")
    assert nodes(device)["passwordEntry"][0].get("password") == "true"
    assert device.phone.input_method.shown
    sh("input text pass%sword; input keyevent ENTER")
    assert not shown(device)


def test_the_credential_guards_its_change(sh, status):
    sh("locksettings set-pin 1234")
    for line in ("set-pin 5555", "clear", "set-disabled true"):
        assert status(f"locksettings {line}")[2] == 255
    assert sh("locksettings verify --old 1111") == "Old password '1111' didn't match\n"
    assert sh("locksettings verify --old 1234") == "Lock credential verified successfully\n"
    assert sh("locksettings set-password --old 1234 secret") == "Password set to 'secret'\n"
    assert sh("locksettings clear --old secret") == "Lock credential cleared\n"
    assert "at least of length 4" in status("locksettings set-pin 12")[1]
    assert status("locksettings set-face 1234") == ("", "Unknown command: set-face\n", 0)
    assert status("locksettings verify --old 1")[0] == "Old password provided but user has no password\n"
    assert sh("locksettings remove-cache") == "Password cached removed for user 0\n"
    reason = "STRONG_AUTH_REQUIRED_AFTER_USER_LOCKDOWN"
    assert sh(f"locksettings require-strong-auth {reason}").startswith("Require strong auth for USER_ID -1")
    assert status("locksettings require-strong-auth sleepy")[1] == "Unsupported reason: sleepy\n"


def test_tools_read_whether_it_is_locked(sh, device):
    sh("locksettings set-pin 1234")
    window = sh("dumpsys window")
    assert not re.search(LOCKED, window)
    off_and_on(sh)
    window = sh("dumpsys window")
    # As appium-adb's isShowingLockscreen and others look.
    assert re.search(LOCKED, window)
    assert re.search(r"KeyguardStateMonitor[\n\s]+mIsShowing=true", window)
    assert re.search(r"\s+mInputRestricted=true", window)
    assert re.search(r"mCurrentFocus=Window\{\w+ u0 NotificationShade\}", window)
    assert "deviceLocked=1" in sh("dumpsys trust")
    assert "mScreenLocked=true" in sh("dumpsys deviceidle")
    sh("input keyevent SLEEP")
    assert "screenState=SCREEN_STATE_OFF" in sh("dumpsys window policy")


def test_an_app_is_started_below_it_and_a_call_is_shown_above(sh, device):
    sh("locksettings set-pin 1234")
    off_and_on(sh)
    sh("am start -n com.waymark.todo/.MainActivity")
    assert device.phone.focused_window == "NotificationShade"
    sh("cmd waymark emu gsm call 5551234")
    assert "keyguard_pin_view" not in nodes(device)
    assert device.phone.focused_window != "NotificationShade"
    sh("cmd waymark emu gsm cancel 5551234; input keyevent MENU; input text 1234; input keyevent ENTER")
    assert device.phone.focused.package == "com.waymark.todo"


def test_a_restart_locks_and_a_reset_removes_it(sh, device):
    sh("locksettings set-pin 1234")
    device.machine.restart()
    assert shown(device)
    sh("cmd waymark reset")
    assert not shown(device)
    assert sh("locksettings get-disabled") == "true\n"


@pytest.mark.parametrize("size", ["720x1600", "1600x720", "1080x1920"])
def test_the_pad_is_whole_on_each_screen(sh, device, size):
    sh(f"wm size {size}; locksettings set-pin 1234")
    off_and_on(sh)
    sh("input keyevent MENU")
    width, height = map(int, size.split("x"))
    found = nodes(device)
    for name in ("pinEntry", "key0", "key1", "key_enter", "delete_button", "emergency_call_button"):
        left, top, right, bottom = map(int, re.findall(r"-?\d+", found[name][0].get("bounds", "")))
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
