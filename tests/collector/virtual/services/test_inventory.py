"""What a phone has: packages of the system, properties, settings, services, networks and users."""

import re

import pytest

from collector.virtual.device import VirtualDevice
from collector.virtual.system.phone_state.inventory import system_packages, system_services
from collector.virtual.system.phone_state.profile import sdk_of
from tests.helpers.shell import run
from tests.helpers.virtual import profile

SYSTEM = "com.android.systemui"


def on(android, *lines):
    """What the lines print on a phone of that version."""
    device = VirtualDevice(profile(android=android, sdk=sdk_of(android)))
    try:
        return [run(device.machine, line)[0] for line in lines]
    finally:
        device.close()


def test_packages_of_the_system_are_listed_with_what_is_asked(sh):
    listed = dict.fromkeys(re.findall(r"^package:(\S+)$", sh("pm list packages -s"), re.MULTILINE))
    assert len(listed) > 60
    assert {SYSTEM, "com.android.phone", "com.android.providers.contacts", "android"} <= set(listed)
    place = "/system_ext/priv-app/SystemUI/SystemUI.apk"
    assert sh(f"pm list packages -f -U --show-versioncode -i {SYSTEM}").splitlines()[0] == (
        f"package:{place}={SYSTEM} versionCode:35  installer=null uid:10100"
    )
    assert sh(f"pm path {SYSTEM}") == f"package:{place}\n"
    assert sh("pm list packages --uid 1001 phone") == "package:com.android.phone uid:1001\n"
    assert not set(re.findall(r"package:(\S+)", sh("pm list packages -3"))) & set(listed)
    assert sh("pm list packages --nope") == "Error: Unknown option: --nope\n"
    assert sh("pm list") == "Error: didn't specify type of data to list\n"


def test_packages_come_with_their_android_version():
    nine = system_packages(28)
    assert nine[SYSTEM].apk == "/system/priv-app/SystemUI/SystemUI.apk"
    assert nine["com.android.bluetooth"].apk == "/system/app/Bluetooth/Bluetooth.apk"
    assert not {"com.android.permissioncontroller", "com.android.intentresolver"} & set(nine)
    assert system_packages(35)["com.android.intentresolver"].uid != 1000
    assert nine["com.android.music"].uid == system_packages(35)["com.android.music"].uid
    users = {package.uid for package in system_packages(35).values() if package.uid >= 10_000}
    assert max(users) < 10_120, "users of apps begin there"
    installed, build, policy = on(
        "8.1", "pm path com.waymark.todo", "getprop ro.build.display.id", "dumpsys device_policy"
    )
    assert re.fullmatch(r"package:/data/app/com\.waymark\.todo-[\w-]{22}==/base\.apk\n", installed)
    assert (build, "Immutable" in policy) == ("OPM1.171019.011\n", False)


def test_a_package_of_the_system_leaves_its_user_and_comes_back(sh, status):
    music = "com.android.music"
    assert status(f"pm uninstall {music}") == ("Failure [DELETE_FAILED_INTERNAL_ERROR]\n", "", 1)
    assert sh(f"pm uninstall -k --user 0 {music}") == "Success\n"
    assert status(f"pm path {music}") == ("", "", 1)
    assert "installed=false" in sh(f"dumpsys package {music}")
    assert sh(f"pm list packages -u {music}") == f"package:{music}\npackage:{music}fx\n"
    assert status(f"pm uninstall --user 0 {music}") == ("Failure [not installed for 0]\n", "", 1)
    assert sh(f"cmd package install-existing {music}") == f"Package {music} installed for user: 0\n"
    assert sh(f"pm path {music}") == "package:/product/app/Music/Music.apk\n"
    assert "Package com.none doesn't exist" in sh("pm install-existing com.none")


def test_dumpsys_package_of_a_system_package(sh):
    text = sh("dumpsys package com.android.providers.contacts")
    for line in (
        "    codePath=/system/priv-app/ContactsProvider",
        "    versionCode=35 minSdk=35 targetSdk=35",
        "    apexModuleName=null",
        "      android.permission.MANAGE_USERS: granted=true",
        "        android.permission.READ_CONTACTS: granted=true",
    ):
        assert line in text.splitlines()
    assert "apexModuleName=com.android.wifi\n" in sh("dumpsys package com.android.wifi.resources")
    assert sh("pm compile -m speed com.android.phone") == "Success\n"
    assert "[status=speed] [reason=cmdline]" in sh("dumpsys package com.android.phone")
    assert "not a valid compilation filter" in sh("pm compile -m fast com.android.phone")


def test_users_are_added_and_removed(sh):
    assert sh("pm create-user Eve") == "Success: created user id 10\n"
    assert sh("pm list users") == "Users:\n\tUserInfo{0:Owner:c13} running\n\tUserInfo{10:Eve:400}\n"
    assert "UserInfo{10:Eve:400} serialNo=10 isPrimary=false" in sh("dumpsys user")
    assert sh("pm remove-user 0") == "Error: couldn't remove user id 0\n"
    assert sh("pm remove-user 10") == "Success: removed user\n"
    assert sh("pm create-user") == "Error: no user name specified.\n"


def test_properties_are_those_of_a_build(sh):
    values = dict(re.findall(r"^\[(.*?)\]: \[(.*)\]$", sh("getprop"), re.MULTILINE))
    assert len(values) > 300
    print_of = {name: value for name, value in values.items() if name.endswith("build.fingerprint")}
    assert len(print_of) == 9
    assert set(print_of.values()) == {
        "waymark/waymark_phone/waymark_phone:15/AP4A.261120.001/1:user/release-keys"
    }
    assert values["ro.product.vendor.model"] == values["ro.product.model"]
    file = dict(line.split("=", 1) for line in sh("cat /system/build.prop").splitlines() if "=" in line)
    assert file.items() <= values.items()


def test_settings_have_the_usual_keys(sh, device):
    for namespace, key, value in (
        ("system", "screen_brightness_mode", "0"),
        ("secure", "user_setup_complete", "1"),
        ("global", "auto_time", "1"),
        ("global", "development_settings_enabled", "1"),
        ("global", "device_name", device.phone.profile.model),
    ):
        assert sh(f"settings get {namespace} {key}") == f"{value}\n"
        assert f"{key}={value}\n" in sh(f"settings list {namespace}")
    assert re.fullmatch(r"[0-9a-f]{16}\n", sh("settings get secure android_id"))
    listed = [line.partition("=")[0] for line in sh("settings list global").splitlines()]
    assert listed == sorted(listed)
    assert len(listed) > 60


def test_services_have_their_interfaces(sh):
    listed = re.findall(r"^(\d+)\t(\S+): \[(.*)\]$", sh("service list"), re.MULTILINE)
    assert sh("service list").startswith(f"Found {len(listed)} services:\n")
    assert len(listed) > 150
    names = {name: interface for _number, name, interface in listed}
    assert names["usagestats"] == "android.app.usage.IUsageStatsManager"
    assert set(names) <= set(sh("dumpsys -l").split()) | {"Currently"}
    assert sh("cmd vibrator x") == "No shell command implementation.\n"
    assert sh("dumpsys nope") == "Can't find service: nope\n"
    assert "role" not in system_services(28)


def test_usage_follows_what_is_in_front(sh):
    sh("am start -n com.waymark.todo/.MainActivity; input keyevent SLEEP; input keyevent WAKEUP")
    text = sh("dumpsys usagestats")
    kinds = re.findall(r"type=(\w+) package=(\S+)", text)
    assert kinds[-4:] == [
        ("ACTIVITY_PAUSED", "com.waymark.launcher"),
        ("ACTIVITY_RESUMED", "com.waymark.todo"),
        ("SCREEN_NON_INTERACTIVE", "android"),
        ("SCREEN_INTERACTIVE", "android"),
    ]
    assert re.search(r'package=com\.waymark\.todo totalTimeUsed="\d\d:\d\d" .* appLaunchCount=1', text)


@pytest.mark.parametrize(
    ("service", "line"),
    [
        ("batterystats", "  Estimated battery capacity: 4500 mAh"),
        ("procstats", "  * com.android.systemui / u0a100 / v35:"),
        ("device_policy", "Current Device Policy Manager state:"),
        ("jobscheduler", "Registered 0 jobs:"),
        ("statusbar", "    mDisabled1=0x0"),
        ("role", "        holders=com.waymark.launcher"),
    ],
)
def test_services_are_dumped(sh, service, line):
    assert line in sh(f"dumpsys {service}").splitlines()


def test_networks_are_listed_joined_and_forgotten(sh):
    head = "Network Id      SSID                         Security type\n"
    lab = "0            Lab 5G                           wpa2-psk\n"
    guest = "1            Guest                            open\n"
    assert sh("cmd wifi list-networks") == head + lab + guest
    assert sh("cmd wifi connect-network Printer-2F open") == "Connection initiated \n"
    assert 'Wifi is connected to "Printer-2F"' in sh("cmd wifi status")
    assert sh("cmd wifi connect-network 'Cafe do Carmo' wpa2 short") == "Connection failed\n"
    assert sh("cmd wifi connect-network Lab nope").startswith("Invalid args for connect-network: ")
    assert sh("cmd wifi forget-network 1; cmd wifi forget-network 1") == (
        "Forget successful\nForget failed with error code: 0\n"
    )
    assert guest not in sh("cmd wifi list-networks")
    assert len(sh("cmd wifi list-scan-results").splitlines()) == 5


def test_volumes_and_time_zone_by_their_services(sh, status):
    assert sh("cmd audio set-volume 3 99; cmd audio get-stream-volume 3") == (
        "calling AudioManager.setStreamVolume(3, 99, 0)\nAudioManager.getStreamVolume(3) -> 15\n"
    )
    assert sh("cmd audio get-max-volume 4") == "AudioManager.getStreamMaxVolume(4) -> 7\n"
    assert sh("cmd audio set-ringer-mode SILENT; cmd audio get-ringer-mode") == "Ringer mode: SILENT\n"
    assert sh("cmd alarm set-timezone Asia/Seoul; getprop persist.sys.timezone") == "Asia/Seoul\n"
    assert status("cmd alarm set-time 1")[2] == 255


def test_sockets_and_open_files(sh):
    assert " 0100007F:15B3 00000000:0000 0A " in sh("cat /proc/net/tcp")
    assert sh("wc -l /proc/net/unix") == "1 /proc/net/unix\n"
    lines = sh("lsof").splitlines()
    assert lines[0].split() == ["COMMAND", "PID", "USER", "FD", "TYPE", "DEVICE", "SIZE/OFF", "NODE", "NAME"]
    assert any(line.endswith("/proc/1/cwd (readlink: Permission denied)") for line in lines)
    assert sh("lsof -t -p 420") == "420\n"
