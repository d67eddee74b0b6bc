"""svc, content, the refusals of pm, and a phone that restarts."""

from __future__ import annotations

import re

import pytest

from collector.model.phone.phone_setup import PhoneSetup
from tests.helpers.system_windows import texts

SHOP = "com.waymark.shop"
CAMERA = "android.permission.CAMERA"
POST = "android.permission.POST_NOTIFICATIONS"


def test_svc_switches_and_tells_how_it_is_used(sh, status):
    assert status("svc wifi disable; svc data disable") == ("", "", 0)
    assert sh("settings get global wifi_on; settings get global mobile_data") == "0\n0\n"
    assert status("svc wifi")[::2] == (
        "Control the Wi-Fi manager\n\nusage: svc wifi [enable|disable]\n         Turn Wi-Fi on or off.\n\n", 1
    )  # fmt: skip
    usage = status("svc")
    assert "    help     Show information about the subcommands\n" in usage[1]
    assert "    power    Control the power manager\n" in usage[1]
    sh("svc power stayon usb")
    assert sh("settings get global stay_on_while_plugged_in") == "2\n"


def test_settings_tells_how_it_is_used(status):
    out, _err, code = status("settings")
    assert code == 255
    assert out.startswith("Settings provider (settings) commands:\n")


def test_the_settings_as_a_table(sh, status, device):
    table = "--uri content://settings/system"
    bind = "--bind name:s:accelerometer_rotation --bind value:i:0"
    assert status(f"content insert {table} {bind}") == ("", "", 0)
    sh(f"content insert {table} --bind name:s:user_rotation --bind value:i:1")
    assert device.phone.rotation == 1
    condition = "--where \"name='user_rotation'\""
    assert (
        sh(f"content query {table} --projection name:value {condition}")
        == "Row: 0 name=user_rotation, value=1\n"
    )
    sh(f"content update {table} --bind value:s:3 {condition}")
    assert sh("settings get system user_rotation") == "3\n"
    sh(f"content delete {table} {condition}")
    assert sh(f"content query {table} {condition}") == "No result found.\n"
    assert sh("content query --uri content://settings/system/font_scale").startswith("Row: 0 _id=")
    assert (
        sh("content call --uri content://settings/system --method GET_system --arg font_scale")
        == "Result: Bundle[{value=1.0}]\n"
    )
    assert "Bad root path: nope" in status("content query --uri content://settings/nope")[1]
    out, err, code = status("content query --uri content://nope/inbox")
    assert (out, code) == ("", 0)
    assert err.startswith("Error while accessing provider:nope\n")
    assert "IllegalStateException: Could not find provider: nope\n\tat com.android." in err
    for words, reason in (
        ("", "Unsupported operation: null"),
        ("query --ur x", "Unsupported argument: --ur"),
    ):
        out, err, code = status(f"content {words}")
        assert (out.startswith("usage: adb shell content"), err, code) == (True, "", 0)
        assert out.endswith(f"\n[ERROR] {reason}\n")


def test_text_messages_calls_and_media_as_tables(sh, status, device):
    sh("cmd waymark emu sms send 5551234 'hello, you=there'")
    sh(
        'content insert --uri content://sms/sent --bind address:s:5551234 --bind body:s:"it\'s me" '
        "--bind date:l:5"
    )
    columns = "--projection _id:thread_id:address:type:read:body"
    assert sh(f"content query --uri content://sms {columns} --sort '_id ASC'") == (
        "Row: 0 _id=1, thread_id=1, address=5551234, type=1, read=0, body=hello, you=there\n"
        "Row: 1 _id=2, thread_id=1, address=5551234, type=2, read=1, body=it's me\n"
    )
    assert sh(f"content query --uri content://sms/inbox/1 {columns}").startswith("Row: 0 _id=1, ")
    assert sh("content query --uri content://sms/inbox/2") == "No result found.\n"
    sh("content update --uri content://sms/inbox --bind read:i:1 --where 'read=0'")
    assert sh(
        "content query --uri content://sms --projection _id --where \"read=1 AND body LIKE '%you%'\""
    ) == ("Row: 0 _id=1\n")
    sh("content delete --uri content://sms/1")
    assert sh("content query --uri content://sms --projection _id") == "Row: 0 _id=2\n"
    assert "no such column: nope" in status("content query --uri content://sms --where nope=1")[1]
    assert "syntax error" in status("content query --uri content://sms --where 'a between 1'")[1]
    sh("cmd waymark emu gsm call 5559; cmd waymark emu gsm cancel 5559")
    assert (
        sh("content query --uri content://call_log/calls --projection number:type:duration")
        == "Row: 0 number=5559, type=3, duration=0\n"
    )
    sh("echo picture > /sdcard/Pictures/a.png; echo x > /sdcard/Download/b.txt")
    assert sh("content query --uri content://media/external/images/media --projection _data:_size") == (
        "Row: 0 _data=/storage/emulated/0/Pictures/a.png, _size=8\n"
    )
    assert sh("content read --uri content://media/external/images/media") == "picture\n"
    device.machine.reset(PhoneSetup())
    assert sh("content query --uri content://sms") == "No result found.\n"


def test_apps_that_battery_saving_leaves_alone(sh, status):
    assert sh("dumpsys deviceidle whitelist") == ""
    assert (
        sh(f"dumpsys deviceidle whitelist +{SHOP} +com.nope") == f"Added: {SHOP}\nUnknown package: com.nope\n"
    )
    assert re.fullmatch(rf"user,{SHOP},10\d+\n", sh("dumpsys deviceidle whitelist"))
    assert sh(f"dumpsys deviceidle whitelist -{SHOP}") == f"Removed: {SHOP}\n"
    assert sh(f"dumpsys deviceidle whitelist {SHOP}") == f"Package must be prefixed with + or -: {SHOP}\n"
    assert sh("dumpsys deviceidle whitelist") == ""
    refused = "date: cannot set date: Operation not permitted\n"
    assert status("date -s 2020-01-01")[1:] == (refused, 1)


def test_a_phone_is_not_restarted_by_a_question_about_it(status, device):
    device.machine.restart = lambda: pytest.fail("it restarts")
    usage = "usage: reboot [-p] [rebootcommand]\n"
    assert status("reboot --help") == ("", f"reboot: unknown option -- -\n{usage}", 1)
    assert status("reboot a b") == ("", usage, 1)


def test_a_disabled_app_is_not_there(sh, status, device):
    sh(f"am start -n {SHOP}/.MainActivity")
    assert sh(f"pm disable-user --user 0 {SHOP}") == f"Package {SHOP} new state: disabled-user\n"
    assert device.phone.pid_of(SHOP) is None
    assert sh("pm list packages -d") == f"package:{SHOP}\n"
    assert SHOP in sh("pm list packages")
    assert SHOP not in sh("pm list packages -e")
    _out, err, code = status(f"am start -n {SHOP}/.MainActivity")
    assert code == 0
    assert err == f"Error type 3\nError: Activity class {{{SHOP}/{SHOP}.MainActivity}} does not exist.\n"
    assert "No activities found to run, monkey aborted" in sh(f"monkey -p {SHOP} 1")
    assert "enabled=3 " in sh(f"dumpsys package {SHOP}")
    sh("input keyevent HOME")
    assert "Shop" not in texts(device)
    assert sh(f"pm enable {SHOP}") == f"Package {SHOP} new state: enabled\n"
    assert "Shop" in texts(device)
    assert (
        "Shell cannot change component state for com.waymark.shop/null to 2"
        in status(f"pm disable {SHOP}")[1]
    )
    assert "Unknown package: com.nope" in status("pm disable-user com.nope")[1]
    assert sh(f"pm default-state {SHOP}") == f"Package {SHOP} new state: default\n"
    assert sh(f"pm hide {SHOP}") == f"Package {SHOP} new hidden state: true\n"
    assert SHOP not in sh("pm list packages")
    assert SHOP in sh("pm list packages -u")
    assert sh(f"pm unhide {SHOP}") == f"Package {SHOP} new hidden state: false\n"


def test_a_suspended_app_says_so(sh, device):
    assert sh(f"pm suspend {SHOP}") == f"Package {SHOP} new suspended state: true\n"
    sh(f"am start -n {SHOP}/.MainActivity")
    assert "Shop is not available right now." in texts(device)
    assert device.phone.pid_of(SHOP) is None
    sh("input keyevent BACK")
    assert "Shop is not available right now." not in texts(device)
    sh("cmd waymark reset")
    sh(f"am start -n {SHOP}/.MainActivity")
    assert device.phone.pid_of(SHOP)


def test_what_dumpsys_package_tells(sh):
    text = sh(f"dumpsys package {SHOP}")
    for pattern in (
        r"^    appId=10\d{3}$",
        r"^    versionCode=321 minSdk=24 targetSdk=35$",
        r"^    versionName=3\.2\.1$",
        r"^      firstInstallTime=2026-11-01 09:00:00$",
        r"^    dataDir=/data/user/0/com\.waymark\.shop$",
        r"^    User 0: ceDataInode=\d+ installed=true hidden=false suspended=false .* enabled=0 ",
        r"^      android\.permission\.INTERNET: granted=true$",
        r"^        android\.permission\.POST_NOTIFICATIONS: granted=true",
    ):
        assert re.search(pattern, text, re.MULTILINE), pattern
    assert "Activity Resolver Table:" in text
    listed = re.findall(r"^  Package \[(\S+)\]", sh("dumpsys package packages"), re.MULTILINE)
    assert listed == re.findall(r"^package:(\S+)", sh("pm list packages"), re.MULTILINE)
    assert "Permission [android.permission.INTERNET]" in sh("dumpsys package permissions")


def test_storage_and_network_follow_the_phone(sh, status, device):
    heads, data = sh("df -k /data/local/tmp").splitlines()
    assert heads.split() == ["Filesystem", "1K-blocks", "Used", "Available", "Use%", "Mounted", "on"]
    total, used, free = map(int, data.split()[1:4])
    assert total == used + free
    assert data.split()[5] == "/data"
    assert f"lastUsableBytes={free * 1024} " in sh("dumpsys devicestoragemonitor")
    sh("dd if=/dev/zero of=/sdcard/big bs=1024 count=2048 2>/dev/null")
    assert int(sh("df /sdcard").splitlines()[1].split()[2]) == used + 2048
    assert sh("df -h /data").splitlines()[1].split()[1:5] == ["50G", "11G", "39G", "23%"]
    assert status("df /nope")[1:] == ("df: /nope: No such file or directory\n", 1)
    device.machine.files.full = True
    assert sh("df /data").splitlines()[1].split()[3:5] == ["0", "100%"]
    assert re.search(r"\nMem: +3975278592 +\d+ +\d+ +\d+ +\d+\n", sh("free"))
    assert re.fullmatch(
        r"PING 10\.0\.2\.2 \(10\.0\.2\.2\) 56\(84\) bytes of data\.\n"
        r"64 bytes from 10\.0\.2\.2: icmp_seq=1 ttl=255 time=[\d.]+ ms\n\n"
        r"--- 10\.0\.2\.2 ping statistics ---\n"
        r"1 packets transmitted, 1 received, 0% packet loss, time \d+ms\n"
        r"rtt min/avg/max/mdev = ([\d.]+)/\1/\1/0\.000 ms\n",
        sh("ping -c 1 10.0.2.2"),
    )
    assert status("ping -c 1 example.com") == ("", "ping: unknown host example.com\n", 2)
    out, _err, code = status("ping -c 1 -W 0.01 8.8.8.8")
    assert "1 packets transmitted, 0 received, 100% packet loss" in out
    assert code == 1
    sh("cmd connectivity airplane-mode enable")
    assert status("ping -c 1 10.0.2.2") == ("", "connect: Network is unreachable\n", 2)
    assert status("ping -c 1 127.0.0.1")[2] == 0
    assert sh("ip route") == ""
    assert "inet " not in sh("ip addr show wlan0")


@pytest.mark.parametrize(
    ("command", "message", "code"),
    [
        ("pm revoke", "Error: no package specified", 1),
        (f"pm revoke {SHOP}", "Error: no permission specified", 1),
        (f"pm revoke {SHOP} nonsense", "IllegalArgumentException: Unknown permission: nonsense", 255),
        (f"pm revoke {SHOP} {CAMERA}", f"Package {SHOP} has not requested permission {CAMERA}", 255),
        (f"pm revoke {SHOP} android.permission.INTERNET", "is not a changeable permission type", 255),
        (f"pm grant com.nope {POST}", "IllegalArgumentException: Unknown package: com.nope", 255),
    ],
)  # fmt: skip
def test_what_pm_does_not_take(status, command, message, code):
    _out, err, was = status(command)
    assert message in err
    assert was == code


def test_all_permissions_and_those_of_an_app_just_installed(sh):
    def granted() -> str:
        return sh(f"dumpsys package {SHOP} | grep granted")

    before = granted()
    assert "INTERNET: granted=true" in before
    sh(f"pm revoke --all-permissions {SHOP}")
    assert f"{POST}: granted=false" in granted()
    assert "INTERNET: granted=true" in granted()
    sh(f"pm reset-permissions -p {SHOP}")
    assert granted() == before


def test_a_restart_forgets_what_testers_made_of_the_phone(sh, device):
    sh(f"am start -n {SHOP}/.MainActivity; run-as {SHOP} kill -STOP $(pidof {SHOP})")
    sh("dumpsys battery unplug; dumpsys battery set level 4; cmd thermalservice override-status 5")
    sh("cmd devicestoragemonitor force-low; cmd waymark emu gsm call 5551234")
    sh("settings put system font_scale 1.3")
    sh("setprop persist.sys.locale zh-CN; setprop debug.mine 1; reboot")
    assert "UPDATES STOPPED" not in sh("dumpsys battery")
    assert "IsStatusOverride: false" in sh("dumpsys thermalservice")
    assert "mForceState=UNKNOWN" in sh("dumpsys devicestoragemonitor")
    assert sh(f"pidof {SHOP}; cmd notification list; getprop debug.mine") == "\n"
    assert sh("settings get system font_scale; getprop persist.sys.locale") == "1.3\nzh-CN\n"
    assert device.phone.stack()[0].app.package == "com.waymark.launcher"
    assert "5551234" not in texts(device)


def test_the_orientation_older_tools_ask_for(sh):
    sh("wm user-rotation lock 3")
    assert "SurfaceOrientation: 3\n" in sh("dumpsys input")


def test_ps_ends_its_lines_with_the_name(sh):
    """As clients look for it; and names the user as id does."""
    sh(f"am start -n {SHOP}/.MainActivity")
    (line,) = [line for line in sh("ps -A").splitlines() if SHOP in line]
    assert line.endswith(f" {SHOP}")
    assert line.split()[0] == sh(f"run-as {SHOP} whoami").strip()


def test_without_wifi_there_is_no_address(sh):
    assert "inet 10.0.2.16/24" in sh("ip -f inet addr show wlan0")
    sh("svc wifi disable")
    assert "inet" not in sh("ip -f inet addr show wlan0; ip route; ifconfig wlan0")
    assert "state DOWN" in sh("ip addr")


def test_monkey_is_the_same_for_the_same_seed_and_stays_in_the_app(sh, status, device):
    first = sh(f"monkey -p {SHOP} -s 7 -v -v 40")
    assert f":Monkey: seed=7 count=40\n:AllowPackage: {SHOP}\n" in first
    assert first.count("// Allowing start of Intent { act=android.intent.action.MAIN") >= 1
    assert ":Sending Touch (ACTION_DOWN): 0:(" in first
    assert device.phone.focused.package == SHOP
    device.machine.reset(PhoneSetup())

    def events(text):
        return [line for line in text.splitlines() if line.startswith(":Sending")]

    assert events(sh(f"monkey -p {SHOP} -s 7 -v -v 40")) == events(first)
    keys = sh(f"monkey -p {SHOP} --pct-nav 100 -v 5")
    assert "//   6: 100.0%\n" in keys
    assert "Touch" not in keys
    assert status("monkey -p com.nope 1")[1:] == ("** No activities found to run, monkey aborted.\n", 252)
    assert status(f"monkey -p {SHOP}")[2] == status(f"monkey -p {SHOP} --pct-nav 101 1")[2] == 255


def test_volumes_calls_and_navigation_as_services_tell_them(sh, status):
    assert sh("media volume --stream 3 --set 11 --get").endswith("[V] volume is 11 in range [0..15]\n")
    music = sh("dumpsys audio").partition("- STREAM_MUSIC:\n")[2]
    assert music.startswith(
        "   Muted: false\n   Muted Internally: false\n   Min: 0\n   Max: 15\n   streamVolume:11\n"
    )
    sh("cmd media_session volume --stream 3 --adj lower")
    assert sh("settings get system volume_music") == "10\n"
    assert "is out of range [0..15]" in sh("media volume --set 16")
    sh("cmd waymark emu gsm call 555")
    assert "mCallState=1\n" in sh("dumpsys telephony.registry")
    sh("cmd waymark emu gsm accept 555")
    assert "mCallState=2\n" in sh("dumpsys telephony.registry")
    buttons = "com.android.internal.systemui.navbar.threebutton"
    assert f"[ ] {buttons}" in sh("cmd overlay list")
    sh(f"cmd overlay enable-exclusive --category {buttons}")
    assert sh(f"cmd overlay list {buttons}") == f"[x] {buttons}\n"
    assert sh("settings get secure navigation_mode") == "0\n"
    assert status("pm has-feature android.hardware.wifi")[::2] == ("true\n", 0)
    assert status("pm has-feature android.hardware.nfc")[::2] == ("false\n", 1)
    assert sh("am to-uri -a android.intent.action.VIEW -d http://a.b/c -n x/.y") == (
        "intent://a.b/c#Intent;scheme=http;action=android.intent.action.VIEW;component=x/.y;end\n"
    )
    assert "INSTRUMENTATION_FAILED: x/y" in sh("am instrument -w x/y")


def test_what_the_kernel_tells_of_battery_and_processor(sh, device):
    device.phone.services.power.hardware(33, charging=True)
    battery = "/sys/class/power_supply/battery"
    assert sh(f"cat {battery}/capacity {battery}/status {battery}/temp") == "33\nCharging\n250\n"
    assert "POWER_SUPPLY_CAPACITY=33\n" in sh(f"cat {battery}/uevent")
    assert sh("cd /sys/class/thermal/thermal_zone0; cat type temp") == "battery\n25000\n"
    rates = [int(rate) for rate in sh("cat /sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq").split()]
    assert len(rates) == 8
    assert all(300_000 <= rate <= 2_208_000 for rate in rates)
    assert sh("cat /sys/devices/system/cpu/possible; nproc") == "0-7\n8\n"
    assert " /data f2fs rw," in sh("cat /proc/mounts")
    assert sh("date +%Y-%m-%dT%T%z").startswith("2026-11-20T12:0")
    assert sh("date +%z") == "+0000\n"
    assert sh("seq -s , 3 -1 1; seq 2") == "3,2,1\n1\n2\n"
