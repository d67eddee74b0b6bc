"""Files are sent to a phone and apps installed, with progress, and every failure is a sentence."""

from __future__ import annotations

import json
import threading
import time

import pytest

from collector.cli.main import main
from collector.device.errors import CallCancelled
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.file_transfer import install_app, push_file
from collector.device.transport.shell_result import ShellResult
from collector.model.errors import UserError
from tests.helpers.apk import apk as apk_of
from tests.helpers.virtual import virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker")


@pytest.fixture(scope="module")
def phone():
    with virtual_device("shop") as phone:
        AdbServer().connect(phone.address)
        yield phone
        AdbServer().disconnect(phone.address)


@pytest.fixture
def apk(tmp_path):
    path = tmp_path / "shop.apk"
    path.write_bytes(apk_of("com.example.shop", dex_size=200_000))
    return path


def test_a_file_arrives_whole_and_says_how_far_it_is(phone, tmp_path):
    data, steps = bytes(range(256)) * 1200, []
    path = tmp_path / "a, b 海报.bin"
    path.write_bytes(data)
    target = push_file(AdbDevice(phone.address), path, lambda sent, total: steps.append((sent, total)))
    assert str(target) == "/sdcard/Download/a, b 海报.bin"
    assert phone.machine.files.read(str(target)) == data
    assert steps[-1] == (len(data), len(data))
    assert len(steps) > 3


def test_a_cancelled_file_leaves_nothing(phone, tmp_path):
    path, cancel = tmp_path / "long.bin", threading.Event()
    path.write_bytes(bytes(500_000))
    with pytest.raises(CallCancelled):
        push_file(AdbDevice(phone.address), path, lambda *_: cancel.set(), cancel)
    # The phone may still work on what was sent before.
    end = time.monotonic() + 10
    while phone.machine.files.exists("/sdcard/Download/long.bin"):
        assert time.monotonic() < end


def test_what_cannot_be_sent_or_installed_is_a_sentence(phone, tmp_path, apk):
    device = AdbDevice(phone.address)
    with pytest.raises(UserError, match="not a file"):
        push_file(device, tmp_path)
    other = tmp_path / "other.apk"
    other.write_bytes(b"no zip")
    with pytest.raises(UserError, match="no Android app"):
        install_app(device, other)
    apk.write_bytes(apk_of("com.android.phone"))
    with pytest.raises(UserError, match=r"another signature; uninstall it first .*Existing package"):
        install_app(device, apk)
    apk.write_bytes(apk_of("com.android.adbkeyboard"))
    install_app(device, apk)
    assert "package:com.android.adbkeyboard" in device.shell("pm list packages").text
    assert device.shell("ls /data/local/tmp/*.apk").text == ""
    phone.machine.files.full = True
    try:
        with pytest.raises(UserError, match="could not be sent: write failed"):
            push_file(device, apk)
    finally:
        phone.machine.files.full = False


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("Failure [INSTALL_FAILED_NO_MATCHING_ABIS: x]", "another processor"),
        ("\tpkg: /data\nFailure [INSTALL_PARSE_FAILED_NOT_APK]", "cannot read the file"),
        ("Failure [SOMETHING_NEW]", "SOMETHING_NEW"),
        ("Error: no", "Error: no"),
    ],
)
def test_the_package_managers_codes_become_words(apk, answer, sentence):
    class Phone:
        serial = "R58M"

        def push(self, data, _target, **_options):
            b"".join(data)

        def shell(self, _command, **_options):
            return ShellResult(answer.encode(), b"", 1)

    with pytest.raises(UserError, match=sentence):
        install_app(Phone(), apk)


def test_an_apk_the_phone_takes_is_installed(apk):
    commands = []

    class Phone:
        serial = "R58M"

        def push(self, data, _target, **_options):
            assert b"".join(data) == apk.read_bytes()

        def shell(self, command, **_options):
            commands.append(command)
            return ShellResult(b"Success\n", b"", 0)

    install_app(Phone(), apk)
    assert commands[0][:3] == ["pm", "install", "-r"]
    assert commands[1].startswith("rm -f /data/local/tmp/waymark-")


def test_the_command_line_pushes_and_installs(phone, tmp_path, apk, capsys):
    note = tmp_path / "note.txt"
    note.write_text("hi")
    assert main(["device", "push", str(note), "--device", phone.address, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"pushed": ["/sdcard/Download/note.txt"]}
    apk.write_bytes(apk_of("com.android.phone"))
    assert main(["device", "install", str(apk), "--device", phone.address]) == 1
    assert "was not installed" in capsys.readouterr().err
