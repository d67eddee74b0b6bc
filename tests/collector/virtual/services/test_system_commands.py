"""svc, content, the refusals of pm, and a phone that restarts."""

from __future__ import annotations

import pytest

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
    assert "Could not find provider: sms" in status("content query --uri content://sms/inbox")[1]


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
