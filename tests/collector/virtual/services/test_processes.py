"""Apps that crash, are killed, stop and continue, and the dialogs about them."""

from __future__ import annotations

import re

import pytest

from collector.model.phone.phone_setup import PhoneSetup
from tests.helpers.system_windows import find, tap, texts, wait_for_window

MESSENGER, TODO = "com.waymark.messenger", "com.waymark.todo"
CRASHED, STUCK = f"Application Error: {MESSENGER}", f"Application Not Responding: {MESSENGER}"


def focus(sh) -> str:
    """Title of the focused window in ``dumpsys window``."""
    match = re.search(r"mCurrentFocus=Window\{\w+ u0 (.+)\}", sh("dumpsys window displays"))
    return match[1] if match else ""


@pytest.fixture
def messenger(sh):
    sh(f"am start -n {MESSENGER}/.MainActivity; logcat -c")
    return int(sh(f"pidof {MESSENGER}"))


def test_a_crash_ends_the_process_and_says_so(sh, status, device, messenger):
    assert status(f"am crash {MESSENGER}") == ("", "", 0)
    assert sh(f"pidof {MESSENGER}") == ""
    assert focus(sh) == CRASHED
    assert texts(device)[0] == "Messenger has stopped"
    assert find(device, "Close app").get("package") == "android"
    assert find(device, "aerr_close").get("resource-id") == "android:id/aerr_close"
    lines = sh("logcat -d -b crash -v raw").splitlines()
    assert lines[1:4] == [
        "FATAL EXCEPTION: main",
        f"Process: {MESSENGER}, PID: {messenger}",
        "android.app.RemoteServiceException$CrashedByAdbException: shell-induced crash",
    ]
    assert "E/AndroidRuntime" in sh("logcat -d -v brief"), "without -b the crash buffer is shown too"
    assert "FATAL" not in sh("logcat -d -b main")
    tap(device, "Close app")
    assert focus(sh) == "com.waymark.launcher/com.waymark.launcher.HomeActivity"


def test_a_crash_by_process_id_leads_to_the_apps_page(sh, device, messenger):
    sh(f"am crash {messenger}")
    tap(device, "App info")
    assert focus(sh) == "com.android.settings/com.android.settings.applications.InstalledAppDetails"
    assert find(device, "entity_header_summary").get("text") == MESSENGER


def test_a_second_crash_is_said_otherwise(sh, device, messenger):
    sh(f"am crash {MESSENGER}")
    tap(device, "Close app")
    sh(f"am start -n {MESSENGER}/.MainActivity; am crash {MESSENGER}")
    assert texts(device)[0] == "Messenger keeps stopping"
    device.phone.reset(PhoneSetup())
    sh(f"am start -n {MESSENGER}/.MainActivity; am crash {MESSENGER}")
    assert texts(device)[0] == "Messenger has stopped", "a phone that is as new has seen no crash"


def test_a_forced_stop_takes_the_dialog_of_the_crash_away(sh, messenger):
    sh(f"am crash {MESSENGER}; am force-stop com.waymark.shop")
    assert focus(sh) == CRASHED
    sh(f"am force-stop {MESSENGER}")
    assert focus(sh) != CRASHED


def test_a_first_crash_may_pass_without_a_dialog(sh, messenger):
    sh("settings put secure show_first_crash_dialog_dev_option 0")
    sh(f"am crash {MESSENGER}")
    assert focus(sh) != CRASHED
    sh(f"am start -n {MESSENGER}/.MainActivity; am crash {MESSENGER}")
    assert focus(sh) == CRASHED, "the second in two minutes does not"


def test_no_error_is_shown_where_they_are_hidden(sh, messenger):
    sh(f"settings put global hide_error_dialogs 1; am crash {MESSENGER}")
    assert focus(sh) != CRASHED


def test_what_does_not_run_cannot_crash(sh, status):
    assert status("am crash com.nope") == ("", "", 0)
    assert "nothing for uid=-1 initialPid=-1 packageName=com.nope" in sh("logcat -d")
    assert status("am crash")[2] == 255
    assert status("am crash --nope x")[1:] == ("Error: Unknown option: --nope\n", 255)


def test_a_crash_uncovers_the_screen_below(sh, device, messenger):
    tap(device, "Ana Duarte")
    assert focus(sh).endswith("ChatActivity")
    sh(f"am crash {MESSENGER}")
    tap(device, "Close app")
    assert focus(sh).endswith(f"{MESSENGER}.MainActivity")
    assert int(sh(f"pidof {MESSENGER}")) > messenger, "in a process of its own"


def test_only_what_is_in_the_background_is_killed(sh, messenger):
    sh(f"am kill {MESSENGER}")
    assert int(sh(f"pidof {MESSENGER}")) == messenger
    sh(f"input keyevent HOME; am kill {MESSENGER}")
    assert sh(f"pidof {MESSENGER}") == ""
    out = sh(f"am start -W -n {MESSENGER}/.MainActivity")
    assert "LaunchState: COLD" in out, "its activity was kept, its process was not"
    sh(f"am start -n {TODO}/.MainActivity; am kill-all")
    assert sh(f"pidof {MESSENGER}") == ""
    assert sh(f"pidof {TODO}") != ""


def test_signals_need_the_apps_own_rights(sh, status, messenger):
    denied = f"/system/bin/sh: kill: {messenger}: Operation not permitted\n"
    assert status(f"kill -STOP {messenger}") == ("", denied, 1)
    assert status(f"run-as {TODO} kill -STOP {messenger}") == ("", denied, 1)
    assert status(f"run-as {MESSENGER} kill -9 {messenger}") == ("", "", 0)
    assert sh(f"pidof {MESSENGER}") == ""
    assert focus(sh).startswith("com.waymark.launcher"), "what was in front had not saved its state"


def test_run_as_knows_who_may_be_debugged(sh, status):
    assert status("run-as com.nope id") == ("", "run-as: unknown package: com.nope\n", 1)
    assert status("run-as com.android.settings id") == (
        "", "run-as: package not debuggable: com.android.settings\n", 1
    )  # fmt: skip
    uid = sh(f"run-as {TODO} id -u").strip()
    assert uid in sh(f"dumpsys package {TODO}")
    assert sh(f"run-as {TODO} pwd") == f"/data/user/0/{TODO}\n"
    assert sh("id -u") == "2000\n"


def test_a_stopped_app_is_seen_in_ps_and_proc(sh, messenger):
    line = f"{messenger:>5} {{}}     {MESSENGER}\n"
    assert line.format("S") in sh("ps -A -o PID,STAT,NAME")
    assert sh("ps -A -o PID,STAT,NAME").startswith("  PID STAT  NAME\n    1 S     init\n")
    sh(f"run-as {MESSENGER} kill -STOP {messenger}")
    assert line.format("T") in sh("ps -A -o PID,STAT,NAME")
    assert sh(f"cat /proc/{messenger}/stat").startswith(f"{messenger} (ymark.messenger) T 310 ")
    assert len(sh(f"cat /proc/{messenger}/stat").split()) == 52
    assert "State:\tT (stopped)\n" in sh(f"cat /proc/{messenger}/status")
    sh(f"run-as {MESSENGER} kill -CONT {messenger}")
    assert line.format("S") in sh("ps -A -o PID,STAT,NAME")
    assert "No such file" in sh("cat /proc/99999/stat")


def test_a_stopped_app_stands_still_until_it_goes_on(sh, device, messenger):
    sh(f"run-as {MESSENGER} kill -STOP {messenger}; logcat -c")
    before = device.phone.capture().rgba.tobytes()
    tap(device, "Ana Duarte")
    assert focus(sh).endswith("MainActivity")
    assert device.phone.capture().rgba.tobytes() == before, "not even the ripple of a touch is drawn"
    wait_for_window(device, STUCK)
    assert texts(device)[0] == "Messenger isn't responding"
    assert find(device, "aerr_wait").get("package") == "android"
    log = sh("logcat -d -v brief")
    assert f"E/ActivityManager( 1432): ANR in {MESSENGER} ({MESSENGER}/.MainActivity)\n" in log
    assert "Reason: Input dispatching timed out (Waited 400ms for MotionEvent)" in log
    tap(device, "Wait")
    assert focus(sh).endswith("MainActivity")
    sh(f"run-as {MESSENGER} kill -CONT {messenger}")
    assert focus(sh).endswith("ChatActivity"), "the tap was waiting"


def test_going_on_takes_the_dialog_away(sh, device, messenger):
    sh(f"run-as {MESSENGER} kill -STOP {messenger}; input keyevent BACK")
    wait_for_window(device, STUCK)
    sh(f"run-as {MESSENGER} kill -CONT {messenger}")
    assert focus(sh) == "com.waymark.launcher/com.waymark.launcher.HomeActivity", "BACK was waiting"


def test_an_app_that_does_not_respond_can_be_closed(sh, device, messenger):
    sh(f"run-as {MESSENGER} kill -STOP {messenger}; input tap 300 500")
    wait_for_window(device, STUCK)
    sh("input keyevent BACK")
    assert focus(sh) == STUCK, "BACK is no answer"
    tap(device, "Close app")
    assert sh(f"pidof {MESSENGER}") == ""
    sh(f"am start -n {MESSENGER}/.MainActivity")
    tap(device, "Ana Duarte")
    assert focus(sh).endswith("ChatActivity")


def test_home_and_other_apps_go_on_meanwhile(sh, device, messenger):
    sh(f"run-as {MESSENGER} kill -STOP {messenger}; input keyevent HOME; am start -n {TODO}/.MainActivity")
    tap(device, "Buy milk")
    assert focus(sh).startswith(TODO)
    assert STUCK not in sh("dumpsys window displays")


def test_text_waits_for_a_stopped_app(sh, device, messenger):
    tap(device, "Ana Duarte")
    tap(device, "message")
    sh(f"run-as {MESSENGER} kill -STOP {messenger}; input text hello")
    assert "hello" not in texts(device)
    sh(f"run-as {MESSENGER} kill -CONT {messenger}")
    assert "hello" in texts(device)
