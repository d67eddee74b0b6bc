"""airtest's commands for Android, and its adb."""

import logging
import os
import tempfile
from pathlib import Path

from check_runner import check, run_checks

logging.disable(logging.ERROR)

from airtest.core import api  # noqa: E402 - after its log is off
from airtest.core.android.adb import ADB  # noqa: E402

SERIAL = os.environ["ANDROID_SERIAL"]
PORT = os.environ["ANDROID_ADB_SERVER_PORT"]
SETTINGS, TODO = "com.android.settings", "com.waymark.todo"
FOLDER = Path(tempfile.mkdtemp())
adb = ADB(SERIAL, adb_path=os.environ.get("CLIENTS_ADB"), server_addr=("127.0.0.1", PORT))
WAYS = "cap_method=ADBCAP&touch_method=ADBTOUCH&ori_method=ADBORI"


@check()
def connect() -> None:
    assert api.connect_device(f"Android://127.0.0.1:{PORT}/{SERIAL}?{WAYS}")
    assert api.device().uuid == SERIAL


@check()
def devices() -> None:
    assert (SERIAL, "device") in [tuple(each) for each in adb.devices()]
    assert adb.get_status() == "device"
    adb.wait_for_device()


@check()
def version_and_shell() -> None:
    assert adb.version()
    assert adb.shell("echo a").strip() == "a"
    assert api.shell("echo b").strip() == "b"


@check()
def a_failing_shell_raises() -> None:
    try:
        adb.shell("ls /nope")
    except Exception as error:
        assert "No such file" in str(error)
        return
    raise AssertionError("nothing was raised")


@check()
def getprop_and_version() -> None:
    assert adb.getprop("ro.product.model") == "Waymark Phone"
    assert adb.sdk_version == 35


@check()
def push_and_pull() -> None:
    (FOLDER / "a.txt").write_bytes(b"abc")
    adb.push(str(FOLDER / "a.txt"), "/sdcard/a.txt")
    adb.pull("/sdcard/a.txt", str(FOLDER / "back.txt"))
    assert (FOLDER / "back.txt").read_bytes() == b"abc"
    assert adb.exists_file("/sdcard/a.txt")
    assert adb.file_size("/sdcard/a.txt") == 3


@check()
def forwards() -> None:
    local, remote = adb.setup_forward("tcp:6100")
    assert any(remote in row for row in adb.get_forwards())
    adb.remove_forward(f"tcp:{local}")
    adb.remove_forward()


@check()
def snapshot() -> None:
    assert adb.snapshot().startswith(b"\x89PNG")
    assert api.G.DEVICE.snapshot().shape == (1600, 720, 3)


@check()
def apps() -> None:
    assert TODO in adb.list_app()
    assert TODO in adb.list_app(third_only=True)
    assert adb.check_app(SETTINGS)
    assert adb.get_package_version(SETTINGS)


@check()
def path_of_an_app() -> None:
    assert adb.path_app(SETTINGS).endswith(".apk")


@check()
def start_and_stop_of_an_app() -> None:
    adb.start_app(SETTINGS)
    assert adb.get_top_activity()[0] == SETTINGS
    adb.start_app(SETTINGS, ".Settings")
    assert adb.start_app_timing(SETTINGS, ".Settings") >= 0
    api.stop_app(SETTINGS)
    api.clear_app(TODO)
    api.start_app(TODO)
    assert adb.get_top_activity()[0] == TODO


@check()
def screen_state() -> None:
    assert adb.is_screenon()
    assert not adb.is_locked()
    adb.unlock()


@check()
def keyboard_state() -> None:
    assert adb.is_keyboard_shown() in (True, False)


@check()
def display_information() -> None:
    told = adb.get_display_info()
    assert (told["width"], told["height"], told["orientation"]) == (720, 1600, 0)
    assert adb.getPhysicalDisplayInfo()["density"]
    assert adb.getDisplayOrientation() == 0
    assert adb.get_display_of_all_screen(told)


@check("reads mRestrictedScreen, which Android no longer prints")
def restricted_screen() -> None:
    assert adb.getRestrictedScreen()


@check()
def greatest_coordinates() -> None:
    assert adb.getMaxXY() == (719, 1599) or adb.getMaxXY()[0] > 0


@check()
def addresses() -> None:
    assert adb.get_ip_address().count(".") == 3
    assert adb.get_gateway_address().count(".") == 3


@check()
def measures() -> None:
    assert adb.get_memory()
    assert adb.get_storage()
    assert adb.get_cpuinfo()
    assert adb.get_cpufreq()
    assert adb.get_cpuabi() == "arm64-v8a"
    assert adb.get_gpu()
    assert adb.get_model() == "Waymark Phone"
    assert adb.get_manufacturer()
    assert adb.get_device_info()["platform"] == "Android"


@check()
def touch_and_swipe() -> None:
    api.home()
    api.touch((360, 800))
    api.swipe((360, 1200), (360, 600))
    api.swipe((0.5, 0.7), vector=(0, -0.3))
    api.double_click((360, 800))
    api.touch((360, 800), duration=0.6)
    api.home()


@check()
def pinch_needs_another_way_to_touch() -> None:
    try:
        api.pinch()
    except Exception:
        return  # ADBTOUCH has one finger
    raise AssertionError("adb's touches have one finger")


@check()
def keys_and_wake() -> None:
    for key in ("BACK", "HOME", "KEYCODE_VOLUME_UP", "26", "26"):
        api.keyevent(key)
    api.wake()


@check()
def text() -> None:
    api.start_app(SETTINGS, ".SearchActivity")
    api.text("abc")


@check()
def text_by_adb() -> None:
    adb.text("abc")


@check("reads through Yosemite")
def clipboard() -> None:
    api.set_clipboard("abc")
    assert api.get_clipboard() == "abc"


@check()
def logcat() -> None:
    for line in adb.logcat(read_timeout=5):
        assert line
        return
    raise AssertionError("no line came")


@check()
def orientation() -> None:
    assert api.device().get_current_resolution() == (720, 1600)
    assert api.device().display_info["rotation"] == 0


@check()
def finding_a_picture() -> None:
    from airtest.aircv import imwrite
    from airtest.core.cv import Template

    api.home()
    screen = api.device().snapshot()
    imwrite(str(FOLDER / "part.png"), screen[200:500, 100:500], 99)
    assert api.exists(Template(str(FOLDER / "part.png"), record_pos=None, resolution=(720, 1600)))


@check("minicap is a program for a real Android")
def minicap() -> None:
    from airtest.core.android.cap_methods.minicap import Minicap

    assert Minicap(adb).get_frame()


@check("javacap runs Java on the phone")
def javacap() -> None:
    from airtest.core.android.cap_methods.javacap import Javacap

    assert Javacap(adb).get_frame()


@check("minitouch is a program for a real Android")
def minitouch() -> None:
    from airtest.core.android.touch_methods.minitouch import Minitouch

    Minitouch(adb).install_and_setup()
    raise AssertionError("nothing answers")


run_checks()
