"""AdbKeyboard and uiautomator2's keyboard: installed, chosen, shown, and typing by broadcasts."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator

import pytest

from collector.virtual.device import VirtualDevice
from tests.helpers.apk import apk
from tests.helpers.shell import run
from tests.helpers.system_windows import find, tap, texts
from tests.helpers.virtual import profile

LATIN, COMPACT = "com.android.inputmethod.latin/.LatinIME", "com.waymark.keyboard/.CompactIME"
ADB, ATX = "com.android.adbkeyboard/.AdbIME", "com.github.uiautomator/.AdbKeyboard"
pytestmark = pytest.mark.shared_threads("phone-ticker")
SEARCH = "am start -n com.android.settings/.SearchActivity"


@pytest.fixture(scope="module")
def phone() -> Iterator[VirtualDevice]:
    device = VirtualDevice(profile())
    yield device
    device.close()


@pytest.fixture
def device(phone: VirtualDevice) -> VirtualDevice:
    """A phone as new."""
    run(phone.machine, "cmd waymark reset")
    return phone


@pytest.fixture
def query(sh, device) -> Callable[[], str]:
    """Focus the search field of the settings; returns what reads its text."""
    sh(SEARCH)
    tap(device, "query")

    def text() -> str:
        node = find(device, "query")
        assert node is not None
        return node.get("text")

    return text


@pytest.fixture
def adb_keyboard(sh) -> None:
    sh(f"ime enable {ADB}; ime set {ADB}")


@pytest.fixture
def atx(sh, device) -> None:
    device.machine.files.write("/data/local/tmp/atx.apk", apk("com.github.uiautomator", "2.4.0", 2004001))
    assert sh("pm install -r -t /data/local/tmp/atx.apk") == "Success\n"
    sh(f"ime enable {ATX}; ime set {ATX}")


def packed(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def test_adb_keyboard_is_installed_and_must_be_enabled_first(sh):
    assert sh("ime list -s") == f"{LATIN}\n{COMPACT}\n"
    assert sh("ime list -s -a") == f"{LATIN}\n{COMPACT}\n{ADB}\n"
    assert sh("pm list packages adbkeyboard") == "package:com.android.adbkeyboard\n"
    assert sh(f"ime set {ADB}") == f"Unknown input method {ADB} cannot be selected for user #0\n"
    assert sh(f"ime enable {ADB}") == f"Input method {ADB}: now enabled for user #0\n"
    full = "com.android.adbkeyboard/com.android.adbkeyboard.AdbIME"
    assert sh(f"ime set {full}") == f"Input method {ADB} selected for user #0\n"
    assert sh("settings get secure default_input_method") == f"{ADB}\n"
    assert sh("settings get secure enabled_input_methods") == f"{LATIN}:{COMPACT}:{ADB}\n"
    listed = sh("dumpsys input_method")
    assert f"mCurMethodId={ADB}\n" in listed
    assert f"mId={ADB} " in listed
    assert "com.android.adbkeyboard" in sh("ps -A")
    sh("ime reset")
    assert sh("settings get secure default_input_method; ime list -s") == f"{LATIN}\n{LATIN}\n{COMPACT}\n"


def test_its_broadcasts_do_nothing_while_another_keyboard_is_used(sh, query):
    assert sh("am broadcast -a ADB_INPUT_TEXT --es msg 'lost'") == (
        "Broadcasting: Intent { act=ADB_INPUT_TEXT flg=0x400000 (has extras) }\n"
        "Broadcast completed: result=0\n"
    )
    assert query() in ("", "Search settings")


def test_it_types_any_text(sh, query, adb_keyboard):
    assert sh("am broadcast -a ADB_INPUT_TEXT --es msg '你好嗎? Hello?'") == (
        "Broadcasting: Intent { act=ADB_INPUT_TEXT flg=0x400000 (has extras) }\n"
        "Broadcast completed: result=0\n"
    )
    assert query() == "你好嗎? Hello?"
    sh("am broadcast -a ADB_CLEAR_TEXT")
    sh(f"am broadcast -a ADB_INPUT_B64 --es msg {packed('déjà 你好 😀')}")
    assert query() == "déjà 你好 😀"
    sh("am broadcast -a ADB_CLEAR_TEXT; am broadcast -a ADB_INPUT_CHARS --eia chars 128568,32,67,97,116")
    assert query() == "😸 Cat"
    sh("am broadcast -a ADB_INPUT_CODE --ei code 67")
    assert query() == "😸 Ca"
    # Ctrl+A, then a letter in the place of all.
    sh("am broadcast -a ADB_INPUT_TEXT --es mcode '4096,29'; am broadcast -a ADB_INPUT_TEXT --es msg x")
    assert query() == "x"
    sh("am broadcast -a ADB_INPUT_MCODE --es mcode '4096+8192,29'")
    sh("am broadcast -a ADB_INPUT_CODE --ei code 30")
    assert query() == "b"
    sh("am broadcast -a ADB_INPUT_MCODE --eia mcode 4096,29; am broadcast -a ADB_INPUT_TEXT --es msg z")
    assert query() == "z"


@pytest.mark.parametrize(
    "broadcast",
    [
        "ADB_INPUT_B64 --es msg !!!",
        "ADB_INPUT_B64",
        "ADB_INPUT_CHARS --es chars 65",
        "ADB_INPUT_CHARS --eia chars 1114112",
        "ADB_INPUT_TEXT --es mcode 'x,29'",
        "ADB_INPUT_TEXT --es text hello",
        "ADB_INPUT_TEXT -p com.other --es msg hello",
        "ADB_INPUT_TEXT -n com.android.adbkeyboard/.AdbIME --es msg hello",
        "ADB_INPUT_CODE --es code 30",
        "ADB_EDITOR_CODE",
        "ADB_NONSENSE --es msg hello",
    ],
)
def test_what_it_does_not_understand_types_nothing(sh, query, adb_keyboard, broadcast):
    sh("am broadcast -a ADB_INPUT_TEXT --es msg kept")
    assert sh(f"am broadcast -a {broadcast}").endswith("Broadcast completed: result=0\n")
    assert query() == "kept"


def test_a_text_in_two_words_goes_to_a_package_of_that_name(sh, query, adb_keyboard):
    """The mistake of everyone who forgets that two shells read the command."""
    assert sh("am broadcast -a ADB_INPUT_TEXT --es msg two words").startswith(
        "Broadcasting: Intent { act=ADB_INPUT_TEXT flg=0x400000 pkg=words (has extras) }\n"
    )
    assert query() in ("", "Search settings")


def test_its_bar_says_that_it_is_on_only_while_a_field_has_the_focus(sh, device, adb_keyboard):
    sh("input keyevent HOME")
    assert "keyboard" not in [kind for _title, kind, _package, _frame in device.phone.windows()]
    sh(SEARCH)
    tap(device, "query")
    (bar,) = [window for window in device.phone.windows() if window[1] == "keyboard"]
    assert bar[2] == "com.android.adbkeyboard"
    assert bar[3][3] - bar[3][1] == 88
    assert any(b"ADB Keyboard {ON}" in dump for dump in device.phone.window_dumps())
    assert "mInputShown=true" in sh("dumpsys input_method")


def test_editor_actions_send_search_and_go_on(sh, device, adb_keyboard):
    sh("am start -n com.waymark.messenger/.MainActivity")
    tap(device, "Ana Duarte")
    tap(device, "message")
    sh("am broadcast -a ADB_INPUT_TEXT --es msg 'sent 发送'; am broadcast -a ADB_EDITOR_CODE --ei code 4")
    assert "sent 发送" in texts(device)
    assert find(device, "message").get("text") in ("", "Message")
    sh("am broadcast -a ADB_INPUT_TEXT --es msg again; am broadcast -a ADB_ACTION_SEND")
    assert "again" in texts(device)
    sh("am broadcast -a ADB_EDITOR_CODE --ei code 6")
    assert not device.phone.input_method.shown, "done, which is not the field's own action, hides"


def test_an_app_whose_keyboard_is_used_can_be_removed_and_installed_again(sh, device, adb_keyboard, query):
    assert sh("pm uninstall com.android.adbkeyboard") == "Success\n"
    assert sh("settings get secure default_input_method; ime list -s -a") == f"{LATIN}\n{LATIN}\n{COMPACT}\n"
    assert sh("pm path com.android.adbkeyboard") == ""
    assert sh(f"ime enable {ADB}") == f"Unknown input method {ADB} cannot be enabled for user #0\n"
    data = apk("com.android.adbkeyboard", "1.0-dev", 7, utf8=True)
    out, err, status = run(device.machine, f"cmd package install -r -S {len(data)}", data)
    assert (out, err, status) == ("Success\n", "", 0)
    assert ADB in sh("ime list -s -a")
    assert "versionName=1.0-dev\n" in sh("dumpsys package com.android.adbkeyboard")
    sh(f"ime enable {ADB}; ime set {ADB}; am broadcast -a ADB_INPUT_TEXT --es msg back")
    assert query() == "back"
    uid = sh("pm list packages -U com.waymark.shop")
    sh("pm uninstall com.android.adbkeyboard")
    assert sh("pm list packages -U com.waymark.shop") == uid
    sh("cmd waymark reset")
    assert ADB in sh("ime list -s -a"), "a phone as new has it"


def test_uiautomator2s_keyboard_comes_with_its_apk_and_answers(sh, device, atx, query):
    assert sh("ime list -s") == f"{LATIN}\n{COMPACT}\n{ATX}\n"
    assert sh(f"am broadcast -a ADB_KEYBOARD_INPUT_TEXT --es text {packed('你好')}") == (
        "Broadcasting: Intent { act=ADB_KEYBOARD_INPUT_TEXT flg=0x400000 (has extras) }\n"
        "Broadcast completed: result=-1\n"
    )
    assert query() == "你好"
    sh(f"am broadcast -a ADB_KEYBOARD_SET_TEXT --es text {packed('other')}")
    assert query() == "other"
    sh("am broadcast -a ADB_KEYBOARD_INPUT_KEYCODE --ei code 67")
    assert query() == "othe"
    assert sh("am broadcast -a ADB_KEYBOARD_INPUT_TEXT").endswith(
        'Broadcast completed: result=-1, data="ADB_KEYBOARD_INPUT_TEXT"\n'
    )
    assert sh("am broadcast -a ADB_KEYBOARD_INPUT_TEXT --es text =").endswith("result=-1\n")
    assert sh("am broadcast -a ADB_KEYBOARD_INPUT_TEXT --es text a").endswith(
        'result=0, data="error:bad base-64"\n'
    )
    device.phone.clipboard = "copied 复制"
    assert sh("am broadcast -a ADB_KEYBOARD_GET_CLIPBOARD").endswith(
        f'result=-1, data="{packed("copied 复制")}"\n'
    )
    sh("am broadcast -a ADB_KEYBOARD_HIDE")
    assert not device.phone.input_method.shown
    sh("am broadcast -a ADB_KEYBOARD_SHOW")
    assert device.phone.input_method.shown
    assert sh("am broadcast -a ADB_KEYBOARD_SMART_ENTER").endswith('result=-1, data="Search"\n')
    assert sh("am broadcast -a ADB_KEYBOARD_CLEAR_TEXT").endswith("result=-1\n")
    assert query() in ("", "Search settings")
    assert "AdbKeyboard: KeyboardAction received:ADB_KEYBOARD_HIDE" in sh("logcat -d -s AdbKeyboard")
    sh("input keyevent HOME")
    assert sh("am broadcast -a ADB_KEYBOARD_HIDE").endswith('result=-1, data="ADB_KEYBOARD_HIDE"\n')
    sh(f"ime set {LATIN}")
    assert sh("am broadcast -a ADB_KEYBOARD_HIDE").endswith("result=0\n")


def test_its_keys_clear_and_choose_another_keyboard(sh, device, atx, query):
    sh(f"am broadcast -a ADB_KEYBOARD_INPUT_TEXT --es text {packed('text')}")
    (left, top, right, _bottom) = next(w[3] for w in device.phone.windows() if w[1] == "keyboard")
    wide, middle = (right - left) // 4, top + 50

    def press(key: int) -> None:
        sh(f"input tap {left + key * wide + wide // 2} {middle}")

    press(1)
    assert query() in ("", "Search settings")
    press(0)
    assert len(query()) == 1
    press(3)
    assert device.phone.focused_window == "Select input method"
    assert texts(device) == [
        "Choose input method",
        "Android Keyboard",
        "Compact Keyboard",
        "uiautomator2 Keyboard",
    ]
    tap(device, "Compact Keyboard")
    assert sh("settings get secure default_input_method") == f"{COMPACT}\n"
    assert query() != ""


def test_a_keyboard_that_is_set_by_hand_counts_only_while_it_is_installed(sh, device, query):
    def shown() -> list[str]:
        return [package for _title, kind, package, _frame in device.phone.windows() if kind == "keyboard"]

    sh(f"settings put secure default_input_method {ATX}")
    assert shown() == ["com.android.inputmethod.latin"]
    sh(f"settings put secure default_input_method {ADB}; am broadcast -a ADB_INPUT_TEXT --es msg typed")
    assert shown() == ["com.android.adbkeyboard"]
    assert query() == "typed"
    sh("pm uninstall com.android.adbkeyboard")
    assert shown() == ["com.android.inputmethod.latin"]
    assert sh("settings get secure default_input_method") == f"{LATIN}\n"


def test_an_apk_is_installed_and_anything_else_is_not(sh, device):
    def install(data: bytes) -> str:
        return run(device.machine, f"pm install -S {len(data)}", data)[0]

    assert install(b"PK" + bytes(9000)) == (
        "Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse base.apk]\n"
    )
    assert install(apk("com.tencent.mm")) == "Success\n"
    assert sh("pm uninstall com.waymark.shop") == "Success\n"
    assert sh("pm uninstall com.none") == "Failure [DELETE_FAILED_INTERNAL_ERROR]\n"
    assert "Unable to open file: /data/local/tmp/none.apk" in sh("pm install /data/local/tmp/none.apk")


def test_an_app_in_several_apks_is_installed_from_its_session(sh, device):
    def write(number: str, data: bytes) -> str:
        return run(device.machine, f"pm install-write -S {len(data)} {number} part -", data)[0]

    base, split = apk("com.github.uiautomator"), apk("com.github.uiautomator", split="config.en")
    first = sh("pm install-create -r -S 9").partition("[")[2].partition("]")[0]
    assert write(first, split) == f"Success: streamed {len(split)} bytes\n"
    assert sh(f"pm install-commit {first}").startswith("Failure [INSTALL_FAILED_INVALID_APK: Full install")
    number = sh("pm install-create -r").partition("[")[2].partition("]")[0]
    assert number != first
    write(number, base)
    write(number, split)
    assert sh(f"pm install-commit {number}") == "Success\n"
    assert sh("pm path com.github.uiautomator").startswith("package:/data/app/")
    assert "no access to session" in sh(f"pm install-commit {number}")
    assert "ATX" not in texts(device), "no icon moves those that recorded touches aim at"
    sh("am start -n com.github.uiautomator/.MainActivity")
    assert texts(device)[:2] == ["ATX", "The keyboard of this app is not in use"]
