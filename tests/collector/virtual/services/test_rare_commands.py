"""Commands of services that testers' scripts send now and then: what they print and what they change."""

from __future__ import annotations

import io
import re
import zipfile

import pytest

from collector.virtual.device import VirtualDevice
from tests.helpers.shell import run
from tests.helpers.virtual import profile

SHOP, SHELL_FORM = "com.waymark.shop", "com.waymark.shop/com.waymark.shop.Listener"


@pytest.fixture(scope="module")
def device():
    device = VirtualDevice(profile("launcher", "shop", "settings"))
    yield device
    device.close()


@pytest.fixture(scope="module")
def sh(device):
    def shell(line: str) -> str:
        out, err, status = run(device.machine, line)
        return out + err + (f"[{status}]" if status else "")

    return shell


USER_BUILD = "Error: Tracing is not supported on user builds.\n[255]"
BUCKET = f"am get-standby-bucket {SHOP}; am get-inactive {SHOP}"
LISTENERS = "settings get secure enabled_notification_listeners"
CHANGES = [
    (f"am set-standby-bucket {SHOP} rare; {BUCKET}", "40\nIdle=true\n"),
    (f"am set-inactive {SHOP} false; {BUCKET}", "10\nIdle=false\n"),
    (f"am set-standby-bucket {SHOP} nope", "Error: Unknown bucket: nope\n[255]"),
    (f"am package-importance {SHOP}; am package-importance com.nope", "1000\n1000\n"),
    (
        f"am stopservice {SHOP}/.S",
        f"Stopping service: Intent {{ cmp={SHOP}/.S }}\nService not stopped: was not running.\n[255]",
    ),
    ("am get-started-user-state 0; am start-user 0", "RUNNING_UNLOCKED\nSuccess: user started\n"),
    ("am stop-user 0", "Switch failed: 0 (Can't stop current user)\n[255]"),
    ("am make-uid-idle com.waymark.shop; am wait-for-broadcast-barrier; am unlock-user 0", ""),
    ("echo q | am monitor | tail -n 1", "(q)uit: finish monitoring\n"),
    ("pm set-install-location 2; pm get-install-location", "2[external]\n"),
    ("pm set-install-location 7", "Error: install location has to be a number from 0 to 2.\n[1]"),
    ("pm get-max-running-users; pm is-user-visible 10", "Maximum supported running users: 3\nfalse\n"),
    ("cmd package set-home-activity com.waymark.launcher/.HomeActivity", "Success\n"),
    (f"cmd package set-home-activity {SHOP}", "Error: Failed to set default home.\n[1]"),
    ("pm verify-app-links --re-verify com.nope", "Error: package not found: com.nope\n[255]"),
    ("wm set-ignore-orientation-request 1; wm get-ignore-orientation-request",
     "ignoreOrientationRequest true for displayId=0\n"),
    ("wm size 360x800; wm reset; wm size; wm get-ignore-orientation-request",
     "Reset all settings for displayId=0\nPhysical size: 720x1600\n"
     "ignoreOrientationRequest false for displayId=0\n"),
    ("wm fixed-to-user-rotation enabled; wm fixed-to-user-rotation", "enabled\n"),
    ("wm tracing start", USER_BUILD),
    ("cmd statusbar tracing start", USER_BUILD),
    ("wm overscan 0,0,0,0", "Unknown command: overscan\n[255]"),
    ("wm disable-blur 1; wm disable-blur", "Blur supported on device: true\nBlur enabled: false\n"),
    (f"cmd notification allow_listener {SHOP}/.Listener; {LISTENERS}",
     f"{SHELL_FORM}\n"),
    (f"cmd notification disallow_listener {SHOP}/.Listener; {LISTENERS}",
     "\n"),
    ("cmd notification allow_listener nope", "Invalid listener - must be a ComponentName\n[255]"),
    ("cmd statusbar add-tile a/.T; settings get secure sysui_qs_tiles | cut -d, -f1,2",
     "custom(a/.T),internet\n"),
    ("cmd media_session dispatch mute; media volume --get | grep is; media dispatch mute; media dispatch x",
     "[V] volume is 0 in range [0..15]\nError: unknown dispatch code 'x'\n[255]"),
    (f"appops set {SHOP} CAMERA ignore; appops query-op CAMERA ignore; appops query-op CAMERA deny",
     f"{SHOP}\nNo operations.\n"),
    ("cmd wifi force-country-code enabled de; cmd wifi get-country-code", "Wifi Country Code = DE\n"),
    ("cmd bluetooth_manager enable; cmd bluetooth_manager wait-for-state:STATE_ON", ""),
    ("cmd bluetooth_manager disable; cmd bluetooth_manager wait-for-state:STATE_ON", "[255]"),
    ("logcat -G 4M; logcat -L", "logcat: Logcat read failure: No such file or directory\n[1]"),
    ("dumpsys --pid battery", "Service host process PID: 1432\n"),
    ("getopt -o ab: -l long,val: -- --long --val=3 -a 'x y' -b", " --long --val '3' -a -- 'x y'\n"
     "getopt: option requires an argument -- b\n[1]"),
    ("getopt ab -a x -b; getopt -T", " -a -b -- x\n[4]"),
    ("iptables -L", "iptables v1.8.10 (legacy): can't initialize iptables table `filter': Permission denied "
     "(you must be root)\nPerhaps iptables or your kernel needs to be upgraded.\n[3]"),
    ("echo hi | more", "hi\n"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), CHANGES)
def test_what_a_command_prints_and_changes(sh, line, expected):
    assert sh(line) == expected


def test_a_test_provider_of_the_shell_needs_its_operation(sh, device):
    place = "cmd location providers set-test-provider-location gps --location 52.5,13.4"
    sh("cmd location providers add-test-provider gps")
    sh(place)
    assert device.phone.services.location.mock is None
    sh("appops set com.android.shell android:mock_location allow")
    sh(place)
    assert device.phone.services.location.mock == (52.5, 13.4)
    assert "52.500000,13.400000" in sh("dumpsys location")
    sh("cmd location providers remove-test-provider gps")
    assert device.phone.services.location.mock is None
    assert "must be in the form of" in sh(f"{place}x,")


@pytest.mark.parametrize(
    ("line", "pattern"),
    [
        ("dumpsys settings", r"^_id:\d+ name:adb_enabled pkg:android value:1 "),
        ("dumpsys account", r"Accounts: 0"),
        ("dumpsys bluetooth_manager", r"enabled: false\n  state: OFF"),
        ("dumpsys fingerprint", r'"prints":\[\{"id":0,"count":0'),
        ("dumpsys telecom", r"^  mCalls: $"),
        ("dumpsys uimode", r"mNightMode=1 \(no\)"),
        ("dumpsys webviewupdate", r"Current WebView package \(name, version\): \(com\.android\.webview, "),
        ("dumpsys mount", r"VolumeInfo\{emulated;0\}:\n    type=EMULATED .* state=MOUNTED"),
        ("dumpsys netstats", r"iface=wlan0 ident="),
        ("dumpsys usb", r"current_functions=ADB"),
        ("dumpsys sensorservice", r"android\.sensor\.accelerometer\(1\)"),
        (
            "am crash com.waymark.shop; dumpsys dropbox --print data_app_crash",
            r"Drop box contents: \d+ entries",
        ),
        ("dumpsys --skip window,activity", r"^DUMP OF SERVICE battery:\nCurrent Battery Service state:"),
        ("dumpsys | grep -A40 'SERVICE window:'", r"WINDOW MANAGER LAST ANR"),
        ("pm get-app-links com.waymark.shop", r"^  com\.waymark\.shop:\n    ID: [0-9a-f-]{36}$"),
        ("am profile start com.waymark.nope /x", r"IllegalArgumentException: Unknown process"),
        ("dumpsys --help", r"--skip SERVICES"),
        ("vi x", r"^vi: tcsetattr socket:\[\d+\]: Not a typewriter"),
    ],
)
def test_what_services_say_of_themselves(sh, line, pattern):
    assert re.search(pattern, sh(line), re.MULTILINE), line


def test_unzip(sh, device):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(zipfile.ZipInfo("d/a.txt", (2024, 1, 2, 3, 4, 0)), "hello")
    device.machine.files.write("/data/local/tmp/z.zip", data.getvalue())
    sh("cd /data/local/tmp")
    here = "cd /data/local/tmp; "
    assert sh(f"{here}unzip z.zip; cat d/a.txt") == "Archive:  z.zip\n  inflating: d/a.txt\nhello"
    assert sh(f"{here}unzip -p z.zip; zipinfo -1 z.zip") == "hellod/a.txt\n"
    assert "        5  2024-01-02 03:04   d/a.txt\n" in sh(f"{here}unzip -l z.zip")
    assert "1 file\n" in sh(f"{here}unzip -l z.zip")
    assert sh("unzip /nope.zip") == "unzip: couldn't open /nope.zip: I/O error\n[1]"
