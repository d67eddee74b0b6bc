"""adb_pywrapper, over the adb program."""

import os
import tempfile
from pathlib import Path

from adb_pywrapper.adb_device import AdbDevice
from adb_pywrapper.adb_result import AdbResult
from check_runner import check, run_checks

FOLDER = tempfile.mkdtemp()
device = AdbDevice(os.environ["ANDROID_SERIAL"])
TODO = "com.waymark.todo"


def succeeded(result: AdbResult) -> str:
    """The output of a command that worked."""
    assert result.success, result.stderr
    return str(result.stdout)


@check()
def devices() -> None:
    assert os.environ["ANDROID_SERIAL"] in AdbDevice.list_devices()
    assert AdbDevice.get_device_status(os.environ["ANDROID_SERIAL"]) == "device"


@check()
def shell() -> None:
    assert succeeded(device.shell("echo a")) == "a\n"
    assert device.shell("false").success is False


@check()
def packages() -> None:
    assert TODO in device.installed_packages()


@check()
def version_of_a_package() -> None:
    assert device.package_versions(TODO)


@check()
def root_status() -> None:
    assert device.root().success is False


@check()
def files() -> None:
    succeeded(device.shell("touch /sdcard/a.txt"))
    assert "a.txt" in device.ls("/sdcard")
    assert device.pull("/sdcard/a.txt", FOLDER).success
    assert Path(FOLDER, "a.txt").read_text() == ""


@check()
def pull_of_a_package() -> None:
    assert device.pull_package(TODO, FOLDER)


@check()
def path_of_a_package() -> None:
    assert device.path_package(TODO)[0].endswith("base.apk")


run_checks()
