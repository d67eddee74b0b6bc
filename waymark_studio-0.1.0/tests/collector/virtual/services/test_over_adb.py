"""Commands through a real adb: output and exit statuses arrive unchanged."""

from __future__ import annotations

import adbutils
import pytest

from tests.helpers.virtual import adb_server, virtual_device

MESSENGER = "com.waymark.messenger"

pytestmark = pytest.mark.shared_threads("adbd", "phone-ticker")


@pytest.fixture(scope="module")
def shell():
    with virtual_device("messenger", "todo") as device, adb_server() as adb:
        adb.connect(device.address)

        def run(line: str) -> tuple[str, int]:
            done = adb.run("-s", device.address, "shell", line)
            return done.stdout.decode() + done.stderr.decode(), done.returncode

        run.client = adbutils.AdbClient("127.0.0.1", adb.port).device(device.address)  # type: ignore[attr-defined]
        yield run


def test_exit_statuses(shell):
    assert shell("cmd battery nope") == ("Unknown command: nope\n", 255)
    assert shell("cmd nope nope") == ("cmd: Can't find service: nope\n", 20)
    assert shell("run-as com.nope id") == ("run-as: unknown package: com.nope\n", 1)
    assert shell("dumpsys battery set level x") == ("Bad value: x\n", 0)


def test_a_client_library_reads_what_was_set(shell):
    shell("dumpsys battery unplug; dumpsys battery set level 7")
    battery = shell.client.battery()
    assert (battery.level, battery.ac_powered) == (7, False)
    shell("dumpsys battery reset")
    assert shell.client.battery().level == 84


def test_a_library_that_only_writes_the_key_switches_nothing(shell):
    shell.client.switch_wifi(False)
    assert shell("settings get global wifi_on") == ("0\n", 0)
    shell.client.switch_wifi(True)
    assert shell("cmd wifi status")[0].startswith("Wifi is enabled\n")


def test_the_crash_dialog_is_the_current_window(shell):
    shell(f"am start -n {MESSENGER}/.MainActivity")
    assert shell(f"am crash {MESSENGER}") == ("", 0)
    assert f"u0 Application Error: {MESSENGER}}}" in shell("dumpsys window | grep mCurrentFocus")[0]
    assert 'resource-id="android:id/aerr_app_info"' in shell("uiautomator dump /dev/tty")[0]
