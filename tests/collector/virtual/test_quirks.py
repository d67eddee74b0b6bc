"""Each quirk changes a virtual phone as it changes the phones that have it; one without it is plain."""

import pytest

from collector.model.phone.quirks import QUIRKS
from collector.virtual.shell.machine import Machine
from collector.virtual.shell.system_files import install_system_files
from collector.virtual.system.phone import Phone
from tests.helpers.shell import run
from tests.helpers.virtual import profile

_DUMP = "uiautomator dump /sdcard/w.xml"
SAID = {
    "input-refused": ("input tap 10 10", "INJECT_EVENTS permission"),
    "keyboards-refused": ("ime list -s", "uid 2000 does not have android.permission.WRITE_SECURE_SETTINGS"),
    "touch-units-differ": ("getevent -p", "0035  : value 0, min 0, max 2879"),
    "touches-unreadable": ("getevent -p", "could not open /dev/input/event2, Permission denied"),
    "no-touchscreen": ("getprop ro.build.characteristics", "tv"),
    "black-screenshots": ("cmd waymark fault list", "* black-screencap"),
    "screenshot-warning": ("screencap -p | head -c 9 | grep -c Warning", "\n1\n"),
    "no-screenrecord": ("screenrecord --help", "screenrecord: inaccessible or not found"),
    "no-encoder": ("getprop ro.build.characteristics", "watch"),
    "resolution-override": ("wm size", "Override size: 540x1200"),
    "landscape-natural": ("wm size", "Physical size: 1600x720"),
    "several-displays": ("dumpsys SurfaceFlinger --display-id", "HWC display 1"),
    "desktop-display": ("dumpsys display", "mDisplayId=2"),
    "several-focus-lines": ("dumpsys window displays", "mCurrentFocus=null\n  mCurrentFocus=null"),
    "never-idle": (_DUMP, "ERROR: could not get idle state."),
    "empty-dumps": (_DUMP, "ERROR: null root node returned by UiTestAutomationBridge."),
    "automation-taken": (_DUMP, "Killed"),
    "noisy-dumps": (_DUMP, "theme_compatibility.xml: open failed: ENOENT"),
    "settings-refused": ("settings put global x 1", "requires:android.permission.WRITE_SECURE_SETTINGS"),
    "grants-refused": (
        "cmd package grant com.waymark.shop android.permission.CAMERA",
        "Neither user 2000 nor current process has android.permission.GRANT_RUNTIME_PERMISSIONS",
    ),
    "app-ops-refused": ("cmd appops set com.waymark.shop CAMERA deny", "MANAGE_APP_OPS_MODES"),
    "clear-refused": (
        "pm clear com.waymark.shop",
        "CLEAR_APP_USER_DATA to clear data of package com.waymark.shop",
    ),
    "installs-refused": ("pm install /sdcard/a.apk", "INSTALL_FAILED_USER_RESTRICTED"),
    "other-users-refused": ("pm list packages", "does not have permission to access user 150"),
    "run-as-refused": ("run-as com.waymark.shop id", "Could not set capabilities: Operation not permitted"),
    "log-disabled": ("logcat -d", "Unable to open log device 'main'"),
    "tools-missing": ("echo a | base64", "base64: inaccessible or not found"),
    "low-memory": (
        "appops set com.waymark.shop SYSTEM_ALERT_WINDOW allow; appops get com.waymark.shop",
        "No operations.",
    ),
}
"""What a phone with the quirk says to a command, and one without it does not."""
OF_VIDEO = {"slow-screenshots", "encoder-limit", "clipboard-refused"}
"""Quirks that no command of the shell shows; the tests below and those of the video do."""


def test_each_quirk_is_tried():
    assert SAID.keys() | OF_VIDEO == QUIRKS.keys()


@pytest.mark.parametrize("quirk", SAID)
def test_a_command_gives_the_words_of_the_phones_that_have_the_quirk(quirk):
    line, said = SAID[quirk]
    answers = ["\n" + "".join(map(str, run(_machine(quirks), line)[:2])) for quirks in ([quirk], [])]
    assert [said in answer for answer in answers] == [True, False]


def test_missing_programs_are_no_files_either():
    out, _err, status = run(_machine(["no-screenrecord"]), "command -v screenrecord")
    assert (out, status) == ("", 1)


def test_the_apps_of_the_first_user_are_listed():
    out, err, _status = run(_machine(["other-users-refused"]), "pm list packages --user 0")
    assert "package:com.waymark.shop" in out
    assert not err


def test_every_other_dump_succeeds():
    machine = _machine(["empty-dumps"])
    assert ["dumped to" in run(machine, _DUMP)[0] for _try in range(4)] == [False, True, False, True]


def test_a_touch_reports_the_units_of_the_digitizer():
    nodes = _machine(["touch-units-differ"]).input_nodes
    assert nodes.raw(nodes.place(400, 800)) == (400, 800)
    assert (nodes.place(400, 800).x, nodes.place(400, 800).y) == (100, 200)


def _machine(quirks) -> Machine:
    machine = Machine(Phone(profile("launcher", "shop").with_quirks(quirks)))
    machine.programs["screenrecord"] = lambda _process: 0
    install_system_files(machine)
    return machine
