"""``waymark device emulator``: a script starts copies of an image, lists, resets and stops them."""

import json
import signal
import subprocess
import sys

import pytest

from collector.cli.main import main
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from tests.helpers import emulator_stand_in as stand_in
from tests.helpers.virtual import read_line

pytestmark = pytest.mark.shared_threads("adb")


@pytest.fixture
def android(tmp_path, monkeypatch):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    for name, value in stand_in.install(tmp_path / "android").items():
        monkeypatch.setenv(name, value)


def test_copies_are_started_listed_reset_and_stopped(android, capsys, tmp_path):
    AdbServer().ensure()
    words = (
        "device",
        "emulator",
        "start",
        "Pixel",
        "--first-port",
        "5640",
        "--emulator-argument=-gpu",
        "--emulator-argument=host",
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "collector.cli.main", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )

    def run(*words):
        status = main(("device", "emulator", *words))
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    try:
        ready, name, number, serial = read_line(process).decode().split()
        assert (ready, name, number) == ("ready", "Pixel", "1")
        listed = json.loads(run("list", "--json")[1])
        assert [(row["avd"], row["target"], row["running"]) for row in listed["avds"]] == [
            ("Pixel", "android-34", [serial])
        ]
        assert serial in run("list")[1]
        AdbDevice(serial).shell("settings put global waymark_test 7")
        assert run("reset", serial) == (0, f"reset {serial} Pixel\n")
        assert AdbDevice(serial).shell("settings get global waymark_test").text.strip() == "null"
        status, text = run("reset", "emulator-2")
        assert status == 1
        assert "emulator-2 runs no copy of an image. List them with" in text
        assert run("stop", "--all") == (0, f"stopped {serial} Pixel\n")
        status, text = run("stop", "--all")
        assert status == 1
        assert "No copy of an image runs" in text
    finally:
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=30)[1]
    assert b"Traceback" not in errors
    assert process.returncode == 0
    assert not list((tmp_path / "home" / "cache" / "emulators").iterdir())


def test_without_an_sdk_it_says_what_is_missing(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("ANDROID_HOME", "ANDROID_SDK_ROOT"):
        monkeypatch.delenv(name, raising=False)
    assert main(("device", "emulator", "start", "Pixel")) == 1
    assert "No Android emulator was found" in capsys.readouterr().err
