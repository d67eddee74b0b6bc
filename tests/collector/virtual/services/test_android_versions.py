"""An older Android refuses newer commands with its own messages."""

from __future__ import annotations

import re

import pytest

from collector.adb.dumpsys import ComponentName, parse_resumed_activity
from collector.virtual.device import VirtualDevice
from collector.virtual.system.phone_state.profile import sdk_of
from tests.helpers.shell import run
from tests.helpers.virtual import profile

NO_SHELL = ("", "No shell command implementation.\n", 0)
SHOP = "com.waymark.shop"


def no_service(name: str) -> tuple[str, str, int]:
    return "", f"cmd: Can't find service: {name}\n", 20


def unknown(name: str) -> tuple[str, str, int]:
    return f"Unknown command: {name}\n", "", 255


@pytest.mark.parametrize(
    ("command", "before", "refusal", "since"),
    [
        ("cmd battery set level 50", "6", ("", "/system/bin/sh: cmd: not found\n", 127), "7"),
        (f"am crash {SHOP}", "7.1", ("", "Error: unknown command 'crash'\n", 0), "8"),
        ("cmd devicestoragemonitor force-low", "7.1", NO_SHELL, "8"),
        ("cmd power set-mode 1", "8.1", NO_SHELL, "9"),
        ("cmd notification set_dnd on", "8.1", NO_SHELL, "9"),
        ("cmd notification post tag text", "9", unknown("post"), "10"),
        ("cmd uimode night yes", "9", NO_SHELL, "10"),
        ("cmd location set-location-enabled false", "9", NO_SHELL, "10"),
        ("cmd thermalservice override-status 2", "9", no_service("thermalservice"), "10"),
        ("cmd connectivity airplane-mode enable", "10", NO_SHELL, "11"),
        ("cmd wifi set-wifi-enabled disabled", "10", unknown("set-wifi-enabled"), "11"),
        ("wm user-rotation lock 1", "10", unknown("user-rotation"), "11"),
        ("cmd phone data disable", "11", unknown("data"), "12"),
        ("cmd notification list", "11", unknown("list"), "12"),
        (f"cmd locale set-app-locales {SHOP} --locales zh-CN", "12", no_service("locale"), "13"),
        ("cmd connectivity set-chain3-enabled true", "13", unknown("set-chain3-enabled"), "14"),
        (
            f"cmd connectivity set-package-networking-enabled false {SHOP}",
            "13",
            unknown("set-package-networking-enabled"),
            "14",
        ),
    ],
)
def test_a_command_is_refused_before_its_android(command, before, refusal, since):
    for android, refused in ((before, True), (since, False)):
        device = VirtualDevice(profile(android=android, sdk=sdk_of(android)))
        try:
            out, err, code = run(device.machine, command)
        finally:
            device.close()
        if refused:
            assert (out, err, code) == refusal
        else:
            assert (err, code) == ("", 0), (out, err)


@pytest.mark.parametrize("android", ["5", "6", "7", "9", "11", "13", "16"])
def test_what_every_android_takes(android):
    device = VirtualDevice(profile(android=android, sdk=sdk_of(android)))
    try:
        for line in (
            "dumpsys battery set level 9",
            "dumpsys battery reset",
            "svc data disable",
            "svc wifi disable",
            "settings put global low_power 1",
            "dumpsys devicestoragemonitor force-low",
            "cmd waymark state list",
        ):
            assert run(device.machine, line)[1:] == ("", 0), line
        assert run(device.machine, "getprop ro.build.version.sdk")[0] == f"{sdk_of(android)}\n"
        assert run(device.machine, "settings get global mobile_data")[0] == "0\n"
    finally:
        device.close()


def test_older_androids_describe_themselves_as_they_did():
    device = VirtualDevice(profile(android="8.1", sdk=27))
    try:
        assert "Dock powered" not in run(device.machine, "dumpsys battery")[0]
        assert "  mLowPowerModeEnabled=false\n" in run(device.machine, "dumpsys power")[0]
        assert run(device.machine, "dumpsys thermalservice") == (
            "",
            "Can't find service: thermalservice\n",
            0,
        )
        run(device.machine, f"am start -n {SHOP}/.MainActivity; am crash {SHOP}")
        log = run(device.machine, "logcat -d -b crash -v raw")[0]
        assert "android.app.RemoteServiceException: shell-induced crash\n" in log
        assert run(device.machine, "run-as com.nope id")[1] == "run-as: unknown package: com.nope\n"
    finally:
        device.close()


FOCUS = {"mCurrentFocus", "mFocusedApp"}
TARGETS = {"imeLayeringTarget", "imeInputTarget", "imeControlTarget"}
RESUMED = {"Resumed", "ResumedActivity", "mResumedActivity", "topResumedActivity"}
IN_FRONT = {*FOCUS, *TARGETS, *RESUMED, "mInputMethodTarget", "inputMethodControlTarget"}


@pytest.mark.parametrize(
    ("android", "in_windows", "in_displays", "in_activities"),
    [
        ("9", {*FOCUS, "mInputMethodTarget"}, set(), {"mResumedActivity"}),
        ("10", {"mInputMethodTarget"}, FOCUS, {"mResumedActivity"}),
        ("11", {"mInputMethodTarget", "inputMethodControlTarget"}, FOCUS, {"mResumedActivity"}),
        ("12", TARGETS, FOCUS, {"mResumedActivity", "Resumed", *FOCUS}),
        ("15", TARGETS, FOCUS, {"topResumedActivity", "Resumed", *FOCUS}),
        ("16", set(), FOCUS, {"topResumedActivity", "Resumed", *FOCUS}),
    ],
)
def test_what_is_in_front_stands_where_this_android_says_it(android, in_windows, in_displays, in_activities):
    """The places were read from dumps of phones with these versions; clients choose by them."""
    device = VirtualDevice(profile("shop", android=android, sdk=sdk_of(android)))

    def keys(command: str) -> set[str]:
        """What names the shop's window or its activity."""
        token = r"(?:AppWindowToken\{\w+ token=Token\{\w+ )?"
        shown = rf"^ +(\w+)(?: in display# 0|[:=]) ?{token}(?:Window|ActivityRecord)\{{\w+ u0 {SHOP}/"
        return set(re.findall(shown, sh(command), re.MULTILINE)) & IN_FRONT

    def sh(command: str) -> str:
        return run(device.machine, command)[0]

    try:
        sh(f"am start -n {SHOP}/.MainActivity")
        assert keys("dumpsys window windows") == in_windows
        assert keys("dumpsys window displays") == in_displays
        assert keys("dumpsys activity activities") == {*in_activities, "ResumedActivity"}
        assert keys("dumpsys window") >= FOCUS
        pid = sh(f"pidof {SHOP}").strip()
        assert re.search(rf"ACTIVITY {SHOP}/\.MainActivity \w+ pid={pid}\b", sh("dumpsys activity top"))
    finally:
        device.close()


@pytest.mark.parametrize(("android", "brace"), [("12", ""), ("13", "}"), ("14", "}"), ("15", "")])
def test_androids_13_and_14_close_the_brace_of_an_activity_twice(android, brace):
    device = VirtualDevice(profile("shop", android=android, sdk=sdk_of(android)))
    try:
        run(device.machine, f"am start -n {SHOP}/.MainActivity")
        text = re.sub(r" t\d+", " t1", run(device.machine, "dumpsys activity activities")[0])
        assert "  ResumedActivity: ActivityRecord{" in text
        assert f"{SHOP}/.MainActivity{brace} t1}}\n" in text
        assert parse_resumed_activity(text) == ComponentName(SHOP, f"{SHOP}.MainActivity")
    finally:
        device.close()


def test_android_5_has_no_permissions_to_take():
    device = VirtualDevice(profile(android="5.1", sdk=22))
    try:
        contacts = "android.permission.READ_CONTACTS"
        _out, err, code = run(device.machine, f"pm revoke com.waymark.messenger {contacts}")
        assert code == 1
        assert err.endswith(f"SecurityException: Permission {contacts} is not a changeable permission type\n")
    finally:
        device.close()


def test_before_android_7_anybody_could_announce_airplane_mode():
    device = VirtualDevice(profile(android="6", sdk=23))
    try:
        run(device.machine, "settings put global airplane_mode_on 1")
        assert not device.phone.services.radios.airplane
        run(device.machine, "am broadcast -a android.intent.action.AIRPLANE_MODE --ez state true")
        assert device.phone.services.radios.airplane
    finally:
        device.close()


def test_notifications_need_no_permission_before_android_13():
    device = VirtualDevice(profile(android="12", sdk=31))
    try:
        messenger = "com.waymark.messenger"
        run(device.machine, f"pm revoke {messenger} android.permission.POST_NOTIFICATIONS")
        run(device.machine, f"am start -n {messenger}/.MainActivity")
        assert device.phone.focused_window.startswith(messenger)
    finally:
        device.close()


@pytest.mark.parametrize(("android", "message"), [("9", "not found"), ("10", "inaccessible or not found")])
def test_what_the_shell_has_none_of(android, message):
    device = VirtualDevice(profile(android=android, sdk=sdk_of(android)))
    try:
        assert run(device.machine, "nope") == ("", f"/system/bin/sh: nope: {message}\n", 127)
    finally:
        device.close()


def test_versions_have_their_sdk():
    assert [sdk_of(version) for version in ("5", "5.1", "7.1", "12.1", "16")] == [21, 22, 25, 32, 36]
    with pytest.raises(ValueError, match="no Android this phone can be"):
        sdk_of("17")
