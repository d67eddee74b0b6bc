"""Notifications, "do not disturb", calls and messages, and the emulator's console."""

from __future__ import annotations

import pytest

from tests.helpers.system_windows import find, tap, texts

IN_CALL = "com.android.dialer/com.android.incallui.InCallActivity"


def kinds(device) -> list[str]:
    """Kinds of the windows, the front one first."""
    return [kind for _title, kind, _package, _frame in device.phone.windows()]


def test_posting_and_listing(sh, status):
    out, err, code = status("cmd notification post -t Title -S bigtext tag1 'Some text'")
    assert (err, code) == ("", 0)
    assert out == (
        "posting:\n  Notification(channel=shellcmd shortcut=null contentView=null vibrate=null sound=null "
        "defaults=0x0 flags=0x0 color=0x00000000 vis=PRIVATE)\n"
    )
    assert sh("cmd notification list") == "0|com.android.shell|2020|tag1|2000\n"
    sh("cmd notification post -t Other tag1 again; cmd notification post tag2 more")
    assert sh("cmd notification list").splitlines() == [
        "0|com.android.shell|2020|tag1|2000",
        "0|com.android.shell|2020|tag2|2000",
    ]
    assert "android.title=String (Other)" in sh("dumpsys notification")
    assert status("cmd notification post tag")[2] == 255
    assert status("cmd notification post -S nope tag text")[2] == 255


def test_the_shell_posts_quietly_and_everything_can_be_cancelled(sh, device):
    sh("cmd notification post -t Title tag text")
    assert "heads_up" not in kinds(device)
    sh("cmd statusbar expand-notifications")
    assert device.phone.focused_window == "NotificationShade"
    assert {"Shell", "Title", "text"} <= set(texts(device))
    assert sh("service call notification 1") == "Result: Parcel(00000000    '....')\n"
    assert "No notifications" in texts(device)
    sh("cmd statusbar collapse")
    assert device.phone.focused_window != "NotificationShade"


def test_who_posted_is_named_in_the_phones_language_of_now(sh, device):
    sh("cmd waymark emu sms send 5551234 Hello; settings put system system_locales zh-CN")
    sh("cmd statusbar expand-notifications")
    assert {"信息", "Hello"} <= set(texts(device))


def test_the_shell_takes_back_what_it_posted_and_nobody_elses(sh):
    sh("cmd notification post -t Mine mine hello; cmd waymark emu sms send 5551234 hi")
    assert "SecurityException" not in sh("service call notification 1 s16 com.android.shell i32 0")
    assert [line.split("|")[1] for line in sh("cmd notification list").splitlines()] == [
        "com.android.messaging"
    ]
    refused = sh("service call notification 1 s16 com.android.messaging i32 0")
    assert "ffffffff" in refused
    assert "'....Q...C.a.l.l.'" in refused
    sh("am force-stop com.android.messaging")
    assert sh("cmd notification list") == ""


def test_the_shade_by_transaction(sh, device):
    sh("cmd notification post tag text")
    assert sh("service call statusbar 1") == "Result: Parcel(00000000    '....')\n"
    assert "Airplane mode" in texts(device)
    sh("service call statusbar 2")
    assert "Airplane mode" not in texts(device)


@pytest.mark.parametrize(
    ("mode", "zen"), [("on", 2), ("none", 2), ("priority", 1), ("alarms", 3), ("all", 0), ("off", 0)]
)
def test_do_not_disturb(sh, mode, zen):
    sh(f"cmd notification set_dnd priority; cmd notification set_dnd {mode}")
    assert sh("settings get global zen_mode") == f"{zen}\n"


def test_a_message_hangs_over_the_screen_unless_it_may_not(sh, device):
    sh("cmd notification set_dnd on; cmd waymark emu sms send 5551234 Hush")
    assert "heads_up" not in kinds(device)
    sh("cmd notification set_dnd off; am start -n com.waymark.todo/.MainActivity")
    assert sh("cmd waymark emu sms send 5551234 Are you there?") == "OK\n"
    assert kinds(device)[1] == "heads_up"
    assert device.phone.focused_window.startswith("com.waymark.todo"), "it takes no focus"
    dumps = b"".join(device.phone.window_dumps())
    assert b'text="Are you there?"' in dumps
    device.phone.services.notices.hide_heads_up()
    assert "heads_up" not in kinds(device)
    assert "Are you there?" in sh("dumpsys notification")


def test_a_low_battery_asks_before_it_saves(sh, device):
    sh("dumpsys battery set level 9; cmd statusbar expand-notifications")
    tap(device, "Turn on Battery Saver")
    assert device.phone.focused_window == "BatterySaverConfirmation"
    assert find(device, "button1").get("package") == "com.android.systemui"
    tap(device, "No thanks")
    assert sh("settings get global low_power") == "0\n"
    sh("dumpsys battery set ac 1; dumpsys battery unplug; cmd statusbar expand-notifications")
    tap(device, "Turn on Battery Saver")
    tap(device, "Turn on")
    assert sh("settings get global low_power") == "1\n"
    assert "Battery low" not in sh("dumpsys notification")


def test_a_call_rings_is_answered_and_ends(sh, device):
    assert sh("cmd waymark emu gsm call +15551234") == "OK\n"
    assert sh("cmd waymark emu gsm list") == "inbound from +15551234  : incoming\nOK\n"
    assert device.phone.focused_window == IN_CALL
    assert texts(device)[:2] == ["Incoming call", "+15551234"]
    assert find(device, "answer_button").get("package") == "com.android.dialer"
    tap(device, "Answer")
    assert texts(device)[:2] == ["Ongoing call", "+15551234"]
    assert sh("cmd waymark emu gsm list") == "inbound from +15551234  : active\nOK\n"
    sh("input keyevent HOME")
    assert device.phone.focused_window.startswith("com.waymark.launcher")
    sh("cmd statusbar expand-notifications")
    tap(device, "Ongoing call")
    assert device.phone.focused_window == IN_CALL
    tap(device, "End call")
    assert sh("cmd waymark emu gsm list") == "OK\n"
    assert "com.android.dialer" not in sh("dumpsys notification")


def test_a_call_outlasts_the_app_below(sh, device):
    sh("am start -n com.waymark.todo/.MainActivity; cmd waymark emu gsm call 5551234")
    sh("am force-stop com.waymark.todo")
    assert device.phone.focused_window == IN_CALL


def test_the_shade_takes_what_hung_over_the_screen(sh, device):
    sh("cmd waymark emu sms send 5551234 Hello")
    assert "heads_up" in kinds(device)
    sh("input keyevent NOTIFICATION; input keyevent BACK")
    assert "heads_up" not in kinds(device)


def test_a_call_is_declined_or_cancelled(sh, device):
    sh("cmd waymark emu gsm call 5551234")
    tap(device, "Decline")
    assert device.phone.focused_window.startswith("com.waymark.launcher")
    sh("cmd waymark emu gsm call 5551234")
    assert sh("cmd waymark emu gsm cancel 5551234") == "OK\n"
    assert device.phone.focused_window.startswith("com.waymark.launcher")
    sh("cmd notification set_dnd on; cmd waymark emu gsm call 5551234")
    assert device.phone.focused_window.startswith("com.waymark.launcher"), "quiet: only in the shade"
    sh("cmd waymark emu gsm accept 5551234")
    assert device.phone.focused_window == IN_CALL


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", "KO: unknown command, try 'help'"),
        ("nope", "KO: unknown command, try 'help'"),
        ("gsm call", "KO: missing argument, try 'gsm call <phonenumber>'"),
        ("gsm call 55-12", "KO: bad phone number format, use digits, # and + only"),
        ("gsm cancel 5551234", "KO: could not cancel this number"),
        ("sms send 5551234", "KO: missing argument, try 'sms send <phonenumber> <text message>'"),
        ("power capacity 101", 'KO: Usage: "capacity <percentage>"'),
        ("power ac maybe", 'KO: Usage: "ac on" or "ac off"'),
        ("network speed fast", "KO: invalid <speed> argument, see 'help network speed' for valid values"),
        ("kill", "KO: unknown command, try 'help'"),
        ("network speed edge", "OK"),
        ("network delay umts", "OK"),
        ("network speed 100:200", "OK"),
    ],
)
def test_the_consoles_answers(status, line, answer):
    assert status(f"cmd waymark emu {line}") == (answer + "\n", "", 0)


def test_power_by_the_console_is_the_batterys_truth(sh, device):
    sh("cmd waymark emu power capacity 5; cmd waymark emu power ac on")
    assert (device.phone.battery.level, device.phone.battery.charging) == (5, True)
    sh("cmd waymark emu power ac off; dumpsys battery set level 50; cmd waymark emu power capacity 7")
    assert device.phone.battery.level == 50, "frozen"
    sh("dumpsys battery reset")
    assert device.phone.battery.level == 7


def test_the_console_turns_the_phone(sh, device):
    assert sh("cmd waymark emu rotate") == "OK\n"
    assert device.phone.rotation == 3, "to the right"
    sh("cmd waymark emu network speed edge; cmd waymark emu network delay gprs")
    assert sh("cmd waymark emu network status").splitlines()[1:4] == [
        "  download speed:     473600 bits/s (57.8 KB/s)",
        "  upload speed:       473600 bits/s (57.8 KB/s)",
        "  minimum latency:  35 ms",
    ]


def test_services_by_name(sh):
    listed = sh("service list").splitlines()
    assert listed[0] == f"Found {len(listed) - 1} services:"
    assert any(line.endswith("\tnotification: [android.app.INotificationManager]") for line in listed)
    assert sh("service check battery; service check nope") == (
        "Service battery: found\nService nope: not found\n"
    )
