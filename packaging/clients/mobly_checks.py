"""mobly's controller of Android devices."""

import logging
import os
import tempfile
from pathlib import Path

from check_runner import check, run_checks
from mobly.controllers import android_device
from mobly.controllers.android_device_lib import adb as mobly_adb

FOLDER = tempfile.mkdtemp()
logging.log_path = FOLDER  # type: ignore[attr-defined]  # mobly reads it there
SERIAL = os.environ["ANDROID_SERIAL"]
device = android_device.AndroidDevice(SERIAL)
TODO = "com.waymark.todo"


@check()
def devices() -> None:
    assert SERIAL in android_device.list_adb_devices()
    assert device.is_adb_detectable()


@check()
def build_info() -> None:
    told = device.build_info
    assert (told["build_version_sdk"], told["build_type"]) == ("35", "user")
    assert told["product_name"]
    assert device.model


@check()
def device_info() -> None:
    assert device.device_info["serial"] == SERIAL


@check()
def state_of_root() -> None:
    assert not device.is_adb_root
    assert not device.is_rootable
    assert not device.is_bootloader


@check()
def started() -> None:
    device.wait_for_boot_completion()
    assert device.is_boot_completed()


@check()
def shell() -> None:
    assert device.adb.shell("echo a") == b"a\n"
    assert device.adb.shell(["echo", "a b"]) == b"a b\n"


@check()
def a_failing_shell() -> None:
    try:
        device.adb.shell("exit 3")
    except mobly_adb.AdbError as error:
        assert error.ret_code == 3
        return
    raise AssertionError("nothing was raised")


@check()
def getprops() -> None:
    assert device.adb.getprop("ro.build.version.release") == "15"
    assert device.adb.getprops(["ro.product.model", "ro.nope"]) == {"ro.product.model": "Waymark Phone"}
    assert device.adb.current_user_id == 0


@check()
def command_exists() -> None:
    assert device.adb.has_shell_command("am")
    assert not device.adb.has_shell_command("no-such-command")


@check()
def forwards() -> None:
    local = device.adb.forward(["tcp:0", "tcp:6100"]).strip().decode()
    assert local in device.adb.forward("--list").decode()
    device.adb.forward(["--remove", f"tcp:{local}"])


@check()
def files() -> None:
    Path(FOLDER, "a").write_text("a")
    device.adb.push([f"{FOLDER}/a", "/sdcard/a"])
    device.adb.pull(["/sdcard/a", f"{FOLDER}/b"])
    assert Path(FOLDER, "b").read_text() == "a"


@check()
def log_service() -> None:
    device.services.logcat.start()
    device.adb.shell("log -t MoblyCheck hello")
    for _try in range(50):
        if "hello" in Path(device.services.logcat.adb_logcat_file_path).read_text():
            break
        device.adb.shell("true")
    device.services.logcat.pause()
    assert "hello" in Path(device.services.logcat.adb_logcat_file_path).read_text()
    device.services.logcat.resume()
    device.services.stop_all()


@check()
def screenshot() -> None:
    path = device.take_screenshot(FOLDER)
    assert Path(path).read_bytes().startswith(b"\x89PNG")


@check()
def bug_report() -> None:
    path = device.take_bug_report("check", destination=FOLDER)
    assert Path(path).read_bytes().startswith(b"PK")


@check("no Java runs on the phone, so that there is no instrumentation")
def instrumentation() -> None:
    assert b"INSTRUMENTATION_CODE" in device.adb.instrument(TODO)


@check("a snippet is an app of its own")
def snippet() -> None:
    device.load_snippet("snippet", "com.google.example.snippet")


@check()
def a_missing_snippet_is_told_as_such() -> None:
    try:
        device.load_snippet("snippet", "com.google.example.snippet")
    except Exception as error:
        assert "not installed" in str(error), error
        return
    raise AssertionError("nothing was raised")


@check()
def reboot() -> None:
    device.reboot()
    assert device.is_boot_completed()


run_checks()
