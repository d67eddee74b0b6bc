"""Permissions that are revoked, asked for, granted and denied; and app-ops."""

from __future__ import annotations

from collector.virtual.system.windows.notice import Notice
from tests.helpers.system_windows import find, tap, texts

MESSENGER = "com.waymark.messenger"
POST, CONTACTS = "android.permission.POST_NOTIFICATIONS", "android.permission.READ_CONTACTS"
DIALOG = (
    "com.android.permissioncontroller/com.android.permissioncontroller.permission.ui.GrantPermissionsActivity"
)


def granted(sh, permission: str) -> str:
    """The permission's line in ``dumpsys package``."""
    lines = sh(f"dumpsys package {MESSENGER}").splitlines()
    return next(line.strip() for line in lines if f"{permission}: granted" in line)


def test_a_revoked_permission_is_asked_for_and_granted(sh, device):
    sh(f"am start -n {MESSENGER}/.MainActivity; pm revoke {MESSENGER} {POST}")
    assert sh(f"pidof {MESSENGER}") == ""
    sh(f"am start -n {MESSENGER}/.MainActivity")
    assert device.phone.focused_window == DIALOG
    assert texts(device) == ["Allow Messenger to send you notifications?", "Allow", "Don't allow"]
    node = find(device, "permission_allow_button")
    assert node.get("resource-id") == "com.android.permissioncontroller:id/permission_allow_button"
    assert node.get("package") == "com.android.permissioncontroller"
    tap(device, "Allow")
    assert device.phone.focused_window.startswith(MESSENGER)
    assert granted(sh, POST) == f"{POST}: granted=true, flags=[ USER_SET]"


def test_a_denied_permission_is_asked_for_once_more(sh, device):
    sh(f"pm revoke {MESSENGER} {CONTACTS}; am start -n {MESSENGER}/.MainActivity")
    tap(device, "People")
    assert texts(device)[0] == "Allow Messenger to access your contacts?"
    tap(device, "permission_deny_button")
    assert granted(sh, CONTACTS) == f"{CONTACTS}: granted=false, flags=[ USER_SET]"
    tap(device, "People")
    tap(device, "permission_deny_and_dont_ask_again_button")
    assert granted(sh, CONTACTS) == f"{CONTACTS}: granted=false, flags=[ USER_SET|USER_FIXED]"
    tap(device, "People")
    assert device.phone.focused_window.startswith(MESSENGER), "fixed: nothing is asked any more"
    sh(f"pm clear-permission-flags {MESSENGER} {CONTACTS} user-set user-fixed")
    tap(device, "People")
    assert device.phone.focused_window == DIALOG
    sh("input keyevent BACK")
    assert granted(sh, CONTACTS) == f"{CONTACTS}: granted=false", "BACK decides nothing"


def test_the_question_stays_with_its_app(sh, device):
    sh(f"pm revoke {MESSENGER} {POST}; am start -n {MESSENGER}/.MainActivity; input keyevent HOME")
    assert device.phone.focused_window.startswith("com.waymark.launcher")
    sh(f"am start -n {MESSENGER}/.MainActivity")
    assert device.phone.focused_window == DIALOG
    sh(f"am force-stop {MESSENGER}")
    assert device.phone.focused_window.startswith("com.waymark.launcher")


def test_without_the_permission_nothing_is_posted(sh, device):
    sh(f"pm revoke {MESSENGER} {POST}")
    device.phone.services.notices.post(Notice(MESSENGER, "Ana", "Hello"))
    assert "Hello" not in sh("dumpsys notification")
    sh(f"pm grant {MESSENGER} {POST}")
    device.phone.services.notices.post(Notice(MESSENGER, "Ana", "Hello"))
    assert "Hello" in sh("dumpsys notification")


def test_wrong_permission_flags(status):
    out, err, code = status(f"pm clear-permission-flags {MESSENGER} {POST} nope")
    assert (out, code) == ("", 255)
    assert "java.lang.IllegalArgumentException: Unknown flag: nope" in err
    assert status(f"pm clear-permission-flags {MESSENGER} {POST}")[2] == 255


def test_app_ops(sh, status):
    mock = "appops set com.android.shell android:mock_location"
    assert status(f"{mock} allow") == ("", "", 0)
    assert sh("appops get com.android.shell android:mock_location") == "MOCK_LOCATION: allow\n"
    assert status(f"{mock} deny; appops get com.android.shell MOCK_LOCATION")[0] == (
        "No operations.\nDefault mode: deny\n"
    )
    assert sh(f"appops get {MESSENGER}") == "No operations.\n"
    assert sh(f"appops get {MESSENGER} CAMERA") == "No operations.\nDefault mode: allow\n"
    assert sh(f"appops get {MESSENGER} SYSTEM_ALERT_WINDOW") == "No operations.\nDefault mode: default\n"
    assert status(f"appops set {MESSENGER} CAMERA ignore") == ("", "", 0)
    assert status(f"cmd appops set --user 0 {MESSENGER} android:record_audio deny") == ("", "", 0)
    assert sh(f"cmd appops get {MESSENGER}") == "CAMERA: ignore\nRECORD_AUDIO: deny\n"
    assert sh(f"appops get {MESSENGER} CAMERA") == "CAMERA: ignore\n"
    assert sh(f"appops reset {MESSENGER}") == f"Reset all modes for: user 0, package {MESSENGER}\n"
    assert sh(f"appops get {MESSENGER}") == "No operations.\n"
    assert sh("appops reset") == "Reset all modes for: user 0, all packages\n"


def test_wrong_app_ops(status):
    assert status(f"appops set {MESSENGER} NOPE allow")[1:] == (
        "Error: Unknown operation string: NOPE\n", 255
    )  # fmt: skip
    assert status(f"appops set {MESSENGER} CAMERA nope")[1:] == ("Error: Mode nope is not valid\n", 255)
    assert status("appops get com.nope")[1:] == ("Error: No UID for com.nope in user 0\n", 255)


def test_an_op_keeps_notifications_away(sh, device):
    sh(f"appops set {MESSENGER} POST_NOTIFICATION ignore")
    device.phone.services.notices.post(Notice(MESSENGER, "Ana", "Hello"))
    assert "Hello" not in sh("dumpsys notification")
