"""Battery, battery saver, heat and storage, in Android's words."""

from __future__ import annotations

import pytest

TRUE_BATTERY = """Current Battery Service state:
  AC powered: false
  USB powered: false
  Wireless powered: false
  Dock powered: false
  Max charging current: 0
  Max charging voltage: 0
  Charge counter: 3780000
  status: 3
  health: 2
  present: true
  level: 84
  scale: 100
  voltage: 4104
  temperature: 250
  technology: Li-ion
  Charging state: 0
  Charging policy: 1
"""
FROZEN = "  (UPDATES STOPPED -- use 'reset' to restart)\n"


def test_the_battery_freezes_until_it_is_reset(sh, device):
    assert sh("dumpsys battery") == TRUE_BATTERY
    assert sh("dumpsys battery set level 4") == ""
    head, _line, rest = sh("dumpsys battery").partition(FROZEN)
    assert head == "Current Battery Service state:\n"
    assert "  level: 4\n" in rest
    device.phone.services.power.hardware(level=50)
    assert "  level: 4\n" in sh("dumpsys battery"), "what the hardware does is not heard of"
    assert sh("dumpsys battery reset") == ""
    assert "  level: 50\n" in sh("dumpsys battery")
    assert FROZEN not in sh("dumpsys battery")


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("set ac 1", "  AC powered: true\n"),
        ("set usb 1", "  USB powered: true\n"),
        ("set wireless 1", "  Wireless powered: true\n"),
        ("set status 5", "  status: 5\n"),
        ("set temp 451", "  temperature: 451\n"),
        ("set counter 7", "  Charge counter: 7\n"),
        ("set present 0", "  present: false\n"),
        ("set level 130", "  level: 130\n"),
    ],
)
@pytest.mark.parametrize("program", ["cmd battery", "dumpsys battery"])
def test_each_property_of_the_battery_can_be_set(sh, program, command, line):
    assert sh(f"{program} {command}") == ""
    assert FROZEN + "  AC" in sh("dumpsys battery")
    assert line in sh("dumpsys battery")


def test_wrong_words_about_the_battery(status):
    assert status("cmd battery set") == ("No property specified\n", "", 255)
    assert status("cmd battery set level") == ("No value specified\n", "", 255)
    assert status("cmd battery set level x") == ("Bad value: x\n", "", 255)
    assert status("dumpsys battery set level x") == ("Bad value: x\n", "", 0), "dumpsys never fails"
    assert status("cmd battery set taste 3") == ("Unknown set option: taste\n", "", 0)
    assert status("cmd battery nope") == ("Unknown command: nope\n", "", 255)
    assert status("cmd battery")[2] == 255
    assert status("cmd battery get level; cmd battery get ac") == ("84\nfalse\n", "", 0)
    assert FROZEN not in status("dumpsys battery")[0], "what was refused froze nothing"


def test_a_forced_update_prints_its_number(sh):
    first = int(sh("cmd battery unplug -f"))
    assert int(sh("cmd battery set -f level 30")) == first + 1
    assert int(sh("dumpsys battery reset -f")) == first + 2


def test_battery_saver_is_refused_on_a_charger(sh, device):
    assert sh("cmd power set-mode 1; settings get global low_power") == "1\n"
    assert "Battery Saver is currently: ON\n" in sh("dumpsys power")
    assert device.phone.dark
    sh("dumpsys battery set ac 1")
    assert sh("settings get global low_power") == "0\n", "a charger ends it"
    assert sh("cmd power set-mode 1; settings get global low_power") == "0\n"
    assert sh("settings put global low_power 1; settings get global low_power") == "0\n"
    sh("dumpsys battery unplug; cmd power set-mode 1")
    assert sh("settings get global low_power") == "1\n"
    assert sh("cmd power set-mode 0; settings get global low_power") == "0\n"


def test_wrong_words_about_power(status):
    assert status("cmd power set-mode x") == (
        'Error: java.lang.NumberFormatException: For input string: "x"\n', "", 255
    )  # fmt: skip
    assert status("cmd power nope") == ("Unknown command: nope\n", "", 255)


def test_heat_can_be_pretended(sh, status, device):
    assert "IsStatusOverride: false\n" in sh("dumpsys thermalservice")
    assert "Thermal Status: 0\n" in sh("dumpsys thermalservice")
    assert status("cmd thermalservice override-status 3") == ("", "", 0)
    assert sh("dumpsys thermalservice").startswith("IsStatusOverride: true\n")
    assert "Thermal Status: 3\n" in sh("dumpsys thermalservice")
    assert status("cmd thermalservice override-status 7") == ("Invalid status: 7\n", "", 255)
    assert status("cmd thermalservice override-status") == (
        'Error: java.lang.IllegalArgumentException: Argument expected after "override-status"\n', "", 255
    )  # fmt: skip
    sh("cmd thermalservice override-status 5")
    assert "Phone is getting warm" in sh("dumpsys notification")
    sh("cmd thermalservice reset")
    assert "Thermal Status: 0\n" in sh("dumpsys thermalservice")
    assert "Phone is getting warm" not in sh("dumpsys notification")


def test_storage_can_be_forced_low(sh, status):
    assert sh("dumpsys devicestoragemonitor") == (
        "Known volumes:\n  Default:\n    level=NORMAL lastUsableBytes=41943040000 \n"
        "    lowBytes=500 MB fullBytes=1.0 MB\n    path=/data\n\nmSeq=1 mForceState=UNKNOWN \n\n"
    )
    assert status("cmd devicestoragemonitor force-low") == ("", "", 0)
    text = sh("dumpsys devicestoragemonitor")
    assert "    level=LOW lastUsableBytes=" in text
    assert "mSeq=2 mForceState=LOW \n" in text
    assert "Storage space running out" in sh("dumpsys notification")
    assert sh("cmd devicestoragemonitor force-not-low -f") == "3\n"
    assert "mForceState=NORMAL " in sh("dumpsys devicestoragemonitor")
    assert "Storage space" not in sh("dumpsys notification")
    sh("dumpsys devicestoragemonitor force-low; cmd devicestoragemonitor reset")
    assert "mForceState=UNKNOWN " in sh("dumpsys devicestoragemonitor")
    assert status("cmd devicestoragemonitor nope") == ("Unknown command: nope\n", "", 255)


def test_a_low_battery_is_told_once_until_it_is_charged(sh):
    sh("dumpsys battery set level 16")
    assert "Battery low" not in sh("dumpsys notification")
    sh("dumpsys battery set level 15")
    assert sh("dumpsys notification").count("(Battery low)") == 1
    assert "(15% remaining)" in sh("dumpsys notification")
    sh("service call notification 1; dumpsys battery set level 9")
    assert "Battery low" not in sh("dumpsys notification"), "it warned already"
    sh("dumpsys battery set ac 1; dumpsys battery unplug")
    assert "(9% remaining)" in sh("dumpsys notification"), "taken from its charger it warns again"
    sh("dumpsys battery reset")
    assert "Battery low" not in sh("dumpsys notification")
