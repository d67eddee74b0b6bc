"""The system's dialogs: pixels, tree and hit test alike, in both languages, turned, with large text."""

from __future__ import annotations

import pytest

from collector.hierarchy.parse import parse_tree
from collector.virtual.device import VirtualDevice
from tests.helpers.shell import run
from tests.helpers.system_windows import find, texts, wait_for_window
from tests.helpers.virtual import profile

MESSENGER = "com.waymark.messenger"
DIALOGS = {
    "crash": (f"am start -n {MESSENGER}/.MainActivity; am crash {MESSENGER}", "android", "aerr_close"),
    "anr": (
        f"am start -n {MESSENGER}/.MainActivity; "
        f"run-as {MESSENGER} kill -STOP $(pidof {MESSENGER}); input keyevent BACK",
        "android",
        "aerr_wait",
    ),
    "permission": (
        f"pm revoke {MESSENGER} android.permission.POST_NOTIFICATIONS; am start -n {MESSENGER}/.MainActivity",
        "com.android.permissioncontroller",
        "permission_deny_button",
    ),
    "call": ("cmd waymark emu gsm call 5551234", "com.android.dialer", "answer_button"),
}


def shown(device: VirtualDevice, kind: str) -> None:
    run(device.machine, DIALOGS[kind][0])
    if kind == "anr":
        wait_for_window(device, f"Application Not Responding: {MESSENGER}")


@pytest.mark.parametrize("kind", DIALOGS)
@pytest.mark.parametrize("change", ["", "wm user-rotation lock 1", "settings put system font_scale 1.5"])
def test_a_dialog_is_whole_however_the_phone_is_held(device, kind, change):
    _command, package, button = DIALOGS[kind]
    shown(device, kind)
    run(device.machine, change or "true")
    size = device.phone.size
    tree = parse_tree(device.phone.hierarchy_xml())
    assert {node.get("package") for node in tree if node.get("text")} == {package}
    node = find(device, button)
    assert node.get("clickable") == "true"
    assert 0 <= node.bounds.left < node.bounds.right <= size.width
    assert 0 <= node.bounds.top < node.bounds.bottom <= size.height
    title, kind_, owner, _frame = next(window for window in device.phone.windows() if window[1] == "prompt")
    assert (title, kind_, owner) == (device.phone.focused_window, "prompt", package)
    assert title in run(device.machine, "dumpsys window windows")[0]


@pytest.mark.parametrize("kind", DIALOGS)
def test_a_dialog_speaks_chinese_and_is_dark_in_the_dark(device, kind):
    shown(device, kind)
    light = device.phone.capture().rgba.copy()
    run(device.machine, "settings put system system_locales zh-CN; cmd uimode night yes")
    assert any("\u4e00" <= char <= "\u9fff" for text in texts(device) for char in text)
    dark = device.phone.capture().rgba
    assert dark[..., :3].mean() < light[..., :3].mean() or kind == "call"


def test_what_is_below_a_dialog_hears_nothing(device):
    shown(device, "permission")
    before = device.phone.focused_window
    run(device.machine, "input tap 300 200; input tap 300 200")
    assert device.phone.focused_window != before, "a tap beside it is an answer: not now"
    shown(device, "crash")
    run(device.machine, "input tap 300 200; input keyevent BACK")
    assert device.phone.focused_window == f"Application Error: {MESSENGER}", "this one waits for a button"


def test_the_shade_comes_down_over_a_question_but_not_over_an_error(device):
    shown(device, "permission")
    run(device.machine, "cmd statusbar expand-notifications")
    assert device.phone.focused_window == "NotificationShade"
    run(device.machine, "cmd statusbar collapse; am force-stop com.waymark.messenger")
    shown(device, "crash")
    run(device.machine, "cmd statusbar expand-notifications")
    assert device.phone.focused_window == f"Application Error: {MESSENGER}"


@pytest.mark.parametrize(
    ("permission", "words", "ids"),
    [
        (
            "android.permission.CAMERA",
            ["While using the app", "Only this time", "Don't allow"],
            ["permission_allow_foreground_only_button", "permission_allow_one_time_button"],
        ),
        ("android.permission.READ_CALENDAR", ["Allow", "Don't allow"], ["permission_allow_button"]),
    ],
)
def test_what_a_permission_offers(permission, words, ids):
    from collector.virtual.system.windows.prompt import Prompt
    from collector.virtual.system.windows.prompt_views import PromptContext, view
    from collector.virtual.ui.widgets import Button, Column

    window = view(Prompt("permission", MESSENGER, permission), PromptContext("Messenger", "en", 35))

    def buttons(widget):
        if isinstance(widget, Button):
            return [widget]
        return [button for child in getattr(widget, "children", ()) for button in buttons(child)]

    assert isinstance(window.widget, Column)
    assert [button.label for button in buttons(window.widget)] == words
    assert [button.id for button in buttons(window.widget)][: len(ids)] == ids


def test_an_old_android_asks_through_its_installer():
    device = VirtualDevice(profile(android="8.1", sdk=27))
    try:
        contacts = "android.permission.READ_CONTACTS"
        run(device.machine, f"pm revoke {MESSENGER} {contacts}; am start -n {MESSENGER}/.MainActivity")
        people = find(device, "People")
        run(device.machine, f"input tap {people.bounds.center.x} {people.bounds.center.y}")
        assert device.phone.focused_window.startswith("com.android.packageinstaller/")
        node = find(device, "permission_allow_button")
        assert node.get("resource-id") == "com.android.packageinstaller:id/permission_allow_button"
    finally:
        device.close()
