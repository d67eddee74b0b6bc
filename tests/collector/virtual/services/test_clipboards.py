"""Clipboard apps of automation tools: installed by their APK, and what their receivers answer."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator

import pytest

from collector.virtual.device import VirtualDevice
from collector.virtual.shell.language.interpreter import Shell
from collector.virtual.shell.pipes import BytesReader, Collector, Streams
from collector.virtual.shell.process_table import CancelScope
from tests.helpers.apk import apk
from tests.helpers.virtual import profile

KIT, CLIPPER, ADB_CLIPBOARD = "com.mobilenext.devicekit", "ca.zgrs.clipper", "ch.pete.adbclipboard"
SEARCH = "am start -n com.waymark.todo/.SearchActivity"
CHINESE = "买牛奶 🥛"


@pytest.fixture(scope="module")
def device() -> Iterator[VirtualDevice]:
    device = VirtualDevice(profile("todo"))
    yield device
    device.close()


@pytest.fixture
def sh(device: VirtualDevice) -> Callable[..., str]:
    def shell(line: str, stdin: bytes = b"") -> str:
        out = Collector()
        runs = Shell(device.machine, CancelScope(), device.machine.environment())
        runs.run_text(line, Streams(BytesReader(stdin), out, out))
        return bytes(out.data).decode()

    return shell


def typed(device: VirtualDevice) -> str:
    return str(device.phone.app_state("todo")["query"])


def completed(output: str) -> str:
    return output.partition("Broadcast completed: ")[2].rstrip("\n")


def test_device_kit_sets_what_is_pasted(device, sh) -> None:
    text = base64.b64encode(CHINESE.encode()).decode()
    receiver = f"-n {KIT}/.ClipboardBroadcastReceiver"
    setting = f"am broadcast -a devicekit.clipboard.set -e encoding base64 -e text {text} {receiver}"
    assert completed(sh(setting)) == "result=0"
    assert device.phone.clipboard == "", "the app is not there"
    data = apk(KIT, "1.0.3", 103)
    assert sh(f"pm install -S {len(data)}", data) == "Success\n"
    assert f"package:{KIT}" in sh("pm list packages").splitlines()
    assert sh(f"pm path {KIT}").startswith("package:/data/app/")
    sh("logcat -c")
    assert completed(sh(setting)) == "result=0"
    sh(f"{SEARCH}; input keyevent KEYCODE_PASTE")
    assert typed(device) == CHINESE
    assert completed(sh(f"am broadcast -a devicekit.clipboard.clear {receiver}")) == "result=0"
    assert device.phone.clipboard == ""
    sh(f"am broadcast -a devicekit.clipboard.set {receiver}; am broadcast -a devicekit.what {receiver}")
    sh(f"am broadcast -a devicekit.clipboard.set -e encoding base64 -e text ! {receiver}")
    assert [line.partition(": ")[2] for line in sh("logcat -d -s ClipboardReceiver").splitlines()[1:]] == [
        f"Clipboard set with text: {CHINESE}",
        "Successfully set clipboard text",
        "Successfully cleared the clipboard text",
        "No text provided in broadcast intent",
        "Unknown action: devicekit.what",
        "Failed to set clipboard text",
    ]
    assert sh(f"pm uninstall {KIT}") == "Success\n"


def test_cut_copy_and_paste_are_keys(device, sh) -> None:
    sh(f"cmd waymark state reset todo; {SEARCH}; input text abc")
    sh("input keycombination CTRL_LEFT A; input keyevent KEYCODE_CUT")
    assert (device.phone.clipboard, typed(device)) == ("abc", "")
    sh("input keyevent PASTE; input keycombination CTRL_LEFT A")
    sh("input keyevent COPY; input keyevent MOVE_END PASTE")
    assert typed(device) == "abcabc"


def test_clipper_and_adb_clipboard_answer_as_the_real_apps(device, sh) -> None:
    for package in (CLIPPER, ADB_CLIPBOARD):
        data = apk(package)
        assert sh(f"pm install -S {len(data)}", data) == "Success\n"
    assert sh("am broadcast -a clipper.set -e text 'a b'").splitlines() == [
        "Broadcasting: Intent { act=clipper.set flg=0x400000 (has extras) }",
        'Broadcast completed: result=-1, data="Text is copied in clipboard."',
    ]
    assert device.phone.clipboard == "a b"
    assert completed(sh("am broadcast -a clipper.set")) == (
        'result=0, data="No text was provided. Use -e text "text to be pasted""'
    )
    empty = 'result=0, data="Clipboard is empty."'
    assert completed(sh("am broadcast -a clipper.get")) == empty, "since Android 10 the app must be in front"
    sh(f"am start -n {CLIPPER}/.Main")
    assert completed(sh("am broadcast -a clipper.get")) == 'result=-1, data="a b"'
    write, read = (
        f"am broadcast -n {ADB_CLIPBOARD}/.WriteReceiver",
        f"am broadcast -n {ADB_CLIPBOARD}/.ReadReceiver",
    )
    assert completed(sh(f"{write} -e text %E4%B9%B0+x")) == 'result=-1, data="SUCCESS"'
    assert device.phone.clipboard == "买 x"
    assert completed(sh(write)) == 'result=3, data="NO_TEXT"'
    assert completed(sh(read)) == 'result=2, data=""'
    sh(f"monkey -p {ADB_CLIPBOARD} 1")
    assert completed(sh(read)) == 'result=-1, data="买 x"'
    assert completed(sh(f"{write} -e text %E4%B9%B0+x")) == 'result=-1, data="SUCCESS_ALREADY_SET"'


def test_the_clipboard_service_has_no_commands(sh) -> None:
    assert sh("cmd clipboard get-text; echo $?") == "No shell command implementation.\n0\n"
    assert "clipboard: [android.content.IClipboard]" in sh("service list")
