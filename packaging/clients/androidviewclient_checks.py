"""AndroidViewClient, over an adb server."""

import io
import os
import tempfile
from pathlib import Path

from check_runner import check, run_checks
from com.dtmilano.android.adb.adbclient import AdbClient
from com.dtmilano.android.viewclient import ViewClient

SERIAL = os.environ["ANDROID_SERIAL"]
SETTINGS = "com.android.settings"
FOLDER = tempfile.mkdtemp()
device, serialno = ViewClient.connectToDeviceOrExit(serialno=SERIAL, ignoreversioncheck=True)
device.startActivity(f"{SETTINGS}/.Settings")
view_client = ViewClient(device, serialno, useuiautomatorhelper=False, autodump=False)


@check()
def devices() -> None:
    # The answer ends the connection that a client has.
    assert SERIAL in [each.serialno for each in AdbClient(SERIAL, ignoreversioncheck=True).getDevices()]


@check()
def shell() -> None:
    assert device.shell("echo a").strip() == "a"


@check()
def properties() -> None:
    assert device.getProperty("ro.product.model") == "Waymark Phone"
    assert device.getSdkVersion() == 35


@check()
def display() -> None:
    told = device.getDisplayInfo()
    assert (told["width"], told["height"]) == (720, 1600)
    assert device.getPhysicalDisplayInfo()["density"] > 0


@check("reads mRestrictedScreen, which Android no longer prints")
def restricted_screen() -> None:
    assert device.getRestrictedScreen()


@check()
def screen_state() -> None:
    assert device.isScreenOn()
    assert not device.isLocked()
    assert device.isKeyboardShown() in (True, False)


@check()
def dump_and_search() -> None:
    assert len(view_client.dump(window=-1, sleep=0)) > 5
    assert view_client.findViewWithText("Display") is not None
    assert view_client.findViewsWithAttribute("scrollable", "true")
    assert view_client.findViewById("id/no_id/1") is not None
    assert view_client.findViewsContainingPoint((300, 800))


@check()
def traversal() -> None:
    view_client.traverse(transform=ViewClient.TRAVERSE_CIT, stream=io.StringIO())


@check()
def touch_of_a_view() -> None:
    view_client.dump(window=-1, sleep=0)
    view_client.findViewWithTextOrRaise("Display").touch()
    view_client.dump(window=-1, sleep=0.5)
    assert view_client.findViewWithText("Dark theme") is not None


@check()
def windows() -> None:
    assert SETTINGS in " ".join(window.activity for window in device.getWindows().values())


@check("reads mCurrentFocus where Android 10 and later no longer print it")
def focused_window() -> None:
    assert SETTINGS in device.getFocusedWindowName()


@check()
def activities() -> None:
    name, _pid = device.getTopActivityNameAndPid()[0:2]
    assert name.startswith(SETTINGS)
    assert device.getTopActivityName().startswith(SETTINGS)


@check()
def resolve_activity() -> None:
    assert SETTINGS in device.resolveActivity(SETTINGS)


@check()
def keys() -> None:
    device.press("KEYCODE_BACK")
    device.press("HOME")
    device.longPress("KEYCODE_HOME")
    device.wake()


@check()
def touches() -> None:
    device.touch(300, 800)
    device.longTouch(300, 20, 300)
    device.drag((300, 1200), (300, 600), 200, 1)
    device.press("HOME")


@check()
def text() -> None:
    device.startActivity(f"{SETTINGS}/.SearchActivity")
    view_client.dump(window=-1, sleep=0.5)
    field = next(view for view in view_client.views if view.getClass() == "android.widget.EditText")
    field.touch()
    field.type("abc def")
    view_client.dump(window=-1, sleep=0.5)
    assert view_client.findViewWithText("abc def") is not None


@check()
def snapshot() -> None:
    assert device.takeSnapshot(reconnect=True).size == (720, 1600)
    view_client.writeImageToFile(f"{FOLDER}/a.png")
    assert Path(FOLDER, "a.png").stat().st_size > 100


@check()
def force_stop() -> None:
    device.forceStop(SETTINGS)
    assert SETTINGS not in device.shell("ps -A -o NAME")


@check()
def dumpsys() -> None:
    assert device.dumpsys("meminfo", "com.android.systemui").total > 0
    assert device.dumpsys("gfxinfo", SETTINGS)


run_checks()
