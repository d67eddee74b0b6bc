"""Wi-Fi, data, airplane mode, the firewall's chain, and location."""

from __future__ import annotations

import pytest

from tests.helpers.system_windows import find, tap, texts

SHOP = "com.waymark.shop"


def status_bar(device) -> str:
    """The hierarchy of the status bar."""
    return device.phone.window_dumps()[0].decode()


def test_wifi_by_both_commands(sh, status, device):
    assert status("cmd wifi set-wifi-enabled disabled") == ("", "", 0)
    assert sh("settings get global wifi_on") == "0\n"
    assert sh("cmd wifi status") == (
        "Wifi is disabled\nWifi scanning is only available when wifi is enabled\n"
    )
    assert sh("dumpsys wifi").startswith("Wi-Fi is disabled\n")
    assert 'content-desc="Wi-Fi"' not in status_bar(device)
    sh("svc wifi enable")
    assert sh("cmd wifi status").splitlines()[2:4] == [
        "==== Primary ClientModeManager instance ====",
        'Wifi is connected to "Lab 5G"',
    ]
    assert sh("dumpsys wifi").startswith("Wi-Fi is enabled\n")
    assert 'content-desc="Wi-Fi"' in status_bar(device)
    assert status("cmd wifi set-wifi-enabled maybe") == (
        "Invalid args for set-wifi-enabled: java.lang.IllegalArgumentException: "
        "Expected 'enabled' or 'disabled' as next arg but got 'maybe'\n",
        "",
        255,
    )


def test_mobile_data(sh, status, device):
    assert status("cmd phone data disable") == ("", "", 0)
    assert sh("settings get global mobile_data") == "0\n"
    assert 'content-desc="Mobile data off"' in status_bar(device)
    sh("svc data enable")
    assert sh("settings get global mobile_data") == "1\n"
    assert status("cmd phone data maybe")[2] == 255


def test_dumpsys_connectivity_names_the_network_in_use(sh):
    assert sh("dumpsys connectivity").startswith("Active default network: 100\n\nCurrent Networks:\n")
    sh("svc wifi disable")
    assert sh("dumpsys connectivity").startswith("Active default network: 101\n")
    assert "ni{CELLULAR CONNECTED" in sh("dumpsys connectivity")
    sh("cmd connectivity airplane-mode enable")
    assert sh("dumpsys connectivity").startswith("Active default network: none\n\nCurrent Networks:\n\n")


def test_airplane_mode_switches_and_its_key_alone_does_not(sh, status, device):
    sh("settings put global airplane_mode_on 1")
    assert sh("cmd connectivity airplane-mode") == "enabled\n", "it prints the key"
    assert sh("settings get global wifi_on") == "1\n"
    assert "Airplane" not in status_bar(device)
    assert "mAirplaneModeOn false" in sh("dumpsys wifi")
    out, err, code = status("am broadcast -a android.intent.action.AIRPLANE_MODE --ez state true")
    assert code == 255
    assert "java.lang.SecurityException: Permission Denial: not allowed to send broadcast" in err
    assert out.startswith("Broadcasting: Intent { act=android.intent.action.AIRPLANE_MODE")
    assert status("cmd connectivity airplane-mode enable") == ("", "", 0)
    assert sh("settings get global wifi_on") == "3\n"
    assert 'content-desc="Airplane mode"' in status_bar(device)
    assert status("cmd connectivity airplane-mode maybe")[2] == 255
    sh("cmd connectivity airplane-mode disable")
    assert sh("settings get global wifi_on; cmd connectivity airplane-mode") == "1\ndisabled\n"


def test_the_quick_settings_tile_really_switches(sh, device):
    sh("cmd statusbar expand-settings")
    tap(device, "Airplane mode, Off")
    assert sh("settings get global airplane_mode_on; settings get global wifi_on") == "1\n3\n"
    assert device.phone.services.radios.airplane


def test_a_package_can_be_cut_off(sh, status):
    assert sh("cmd connectivity get-chain3-enabled") == "chain:disabled\n"
    assert status("cmd connectivity set-chain3-enabled true") == ("", "", 0)
    assert sh("cmd connectivity get-chain3-enabled") == "chain:enabled\n"
    assert sh(f"cmd connectivity get-package-networking-enabled {SHOP}") == f"{SHOP}:allow\n"
    out, _err, code = status(f"cmd connectivity set-package-networking-enabled false {SHOP}")
    assert (out.rpartition(" ")[0], code) == (f"Disabled networking for {SHOP}, appId", 0)
    assert sh(f"cmd connectivity get-package-networking-enabled {SHOP}") == f"{SHOP}:deny\n"
    sh(f"cmd connectivity set-package-networking-enabled true {SHOP}")
    assert sh(f"cmd connectivity get-package-networking-enabled {SHOP}") == f"{SHOP}:allow\n"
    assert status("cmd connectivity set-package-networking-enabled false com.nope") == (
        "android.content.pm.PackageManager$NameNotFoundException: com.nope\n", "", 255
    )  # fmt: skip
    assert status("cmd connectivity set-chain3-enabled maybe")[2] == 255


def test_apps_say_that_they_are_cut_off_while_the_chain_is_in_force(sh, device):
    sh(f"am start -n {SHOP}/.MainActivity")
    sh(f"cmd connectivity set-package-networking-enabled false {SHOP}")
    assert find(device, "offline_banner") is None
    sh("cmd connectivity set-chain3-enabled true")
    assert find(device, "offline_message").get("text") == "No internet connection"
    sh("am start -n com.waymark.messenger/.MainActivity")
    assert find(device, "offline_banner") is None
    sh("svc wifi disable; svc data disable")
    assert find(device, "offline_banner") is not None
    sh("svc data enable")
    assert find(device, "offline_banner") is None


def test_location(sh, status, device):
    assert sh("cmd location is-location-enabled") == "true\n"
    assert status("cmd location set-location-enabled false --user 0") == ("", "", 0)
    assert sh("cmd location is-location-enabled; settings get secure location_mode") == "false\n0\n"
    assert 'content-desc="Location off"' in status_bar(device)
    sh("settings put secure location_mode 3")
    assert sh("cmd location is-location-enabled") == "true\n"
    assert status("cmd location set-location-enabled")[2] == 255


@pytest.mark.parametrize(
    ("command", "description"),
    [
        ("cmd notification set_dnd priority", "Do Not Disturb"),
        ("cmd thermalservice override-status 3", "Phone is hot"),
        ("dumpsys battery set ac 1", "Battery 84 percent, charging"),
        ("dumpsys battery set level 7", "Battery 7 percent"),
        ("cmd waymark emu gsm call 5551234; cmd waymark emu gsm accept 5551234", "Call in progress"),
    ],
)
def test_the_status_bar_follows(sh, device, command, description):
    assert f'content-desc="{description}"' not in status_bar(device)
    sh(command)
    assert f'content-desc="{description}"' in status_bar(device)


def test_a_banner_takes_neither_focus_nor_scroll_position_away(sh, device):
    sh("am start -n com.waymark.messenger/.MainActivity")
    tap(device, "query")
    sh("input text hal")
    before, windows = find(device, "query"), sh("dumpsys input_method | grep mInputShown")
    assert before.get("focused") == "true"
    assert "mInputShown=true" in windows
    for command in ("cmd connectivity airplane-mode enable", "cmd connectivity airplane-mode disable"):
        sh(command)
        assert (find(device, "offline_banner") is not None) == command.endswith("enable")
        assert find(device, "query").get("focused") == "true"
        assert sh("dumpsys input_method | grep mInputShown") == windows
    sh("input text lo")
    assert find(device, "query").get("text") == "hallo"
    assert find(device, "query").bounds == before.bounds
    sh(f"am start -n {SHOP}/.MainActivity")
    at_top = texts(device)
    sh("input swipe 540 1800 540 600 200")
    scrolled = texts(device)
    assert scrolled != at_top
    sh("cmd connectivity airplane-mode enable")
    sh("cmd connectivity airplane-mode disable")
    assert texts(device) == scrolled
