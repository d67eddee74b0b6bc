"""The uiautomator2 package, as released, drives the virtual phone as it drives a real one."""

from __future__ import annotations

import base64
import io
from inspect import signature

import numpy as np
import pytest
from PIL import Image

from collector.model.geometry import Rect
from collector.model.phone.phone_setup import PhoneSetup
from tests.helpers.late_import import late_import_or_skip
from tests.helpers.virtual import adb_server, virtual_device

u2 = late_import_or_skip("uiautomator2", "the fast-tree extra is not installed")

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker", "virtual", "wait_adb_conn")


@pytest.fixture(scope="module")
def phone():
    with virtual_device("todo", "settings") as phone:
        yield phone


@pytest.fixture(scope="module")
def client(phone):
    import adbutils

    with adb_server() as server:
        server.connect(phone.address)
        client = u2.connect(adbutils.AdbClient("127.0.0.1", server.port).device(phone.address))
        client.implicitly_wait(5)
        yield client
        client.stop_uiautomator()


@pytest.fixture
def todo(phone, client):
    phone.phone.reset_app_state("todo")
    client.app_start("com.waymark.todo", stop=True)
    assert client(packageName="com.waymark.todo").wait()
    return client


def test_what_the_phone_is(client, phone):
    info = client.info
    assert (info["displayWidth"], info["displayHeight"]) == (720, 1600)
    assert info["sdkInt"] == phone.phone.profile.sdk
    assert info["screenOn"] is True
    assert client.window_size() == (720, 1600)
    assert client.device_info["model"] == phone.phone.profile.model


def test_the_tree_holds_every_window_and_the_screens_own_elements(todo, phone):
    xml = todo.dump_hierarchy()
    assert xml.startswith("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>")
    assert 'package="com.android.systemui"' in xml
    assert 'package="com.waymark.todo"' in xml
    assert 'visible-to-user="true" bounds="[0,0]' in xml
    assert todo.dump_hierarchy(max_depth=1).count("<node") == xml.count("\n  <node")


def test_the_tree_of_the_window_in_front_is_had_alone(todo):
    if "root_in_active" not in signature(todo.dump_hierarchy).parameters:
        pytest.skip("this client is older than 3.7")
    assert "com.android.systemui" not in todo.dump_hierarchy(root_in_active=True)


def test_the_app_in_front_is_told(todo):
    assert todo.app_current()["package"] == "com.waymark.todo"
    assert "com.waymark.todo" in todo.app_list_running()


def test_a_picture_is_the_screens(todo, phone):
    picture = todo.screenshot()
    assert picture.size == (720, 1600)
    shown = np.asarray(picture, np.int16) - phone.phone.capture().rgba[..., :3]
    assert np.abs(shown).mean() < 2  # a JPEG
    half = Image.open(io.BytesIO(base64.b64decode(todo.jsonrpc.takeScreenshot(0.5, 80))))
    assert (half.format, half.size) == ("JPEG", (360, 800))
    assert todo.info["displayRotation"] == 0


def test_elements_are_found_counted_and_described(todo, phone):
    assert not todo(text="no such words").exists
    assert not todo(text="no such words").wait(timeout=0.1)
    assert todo(clickable=True).count == len(list(todo(clickable=True))) > 1
    info = todo(clickable=True).info
    assert info["packageName"] == "com.waymark.todo"
    bounds = info["bounds"]
    assert Rect(bounds["left"], bounds["top"], bounds["right"], bounds["bottom"]).width > 0
    with pytest.raises(u2.UiObjectNotFoundError):
        _ = todo(text="no such words").info


def test_selectors_compare_as_uiselector_does(client):
    client.press("home")
    assert client(text="Settings").wait()
    assert client(textContains="ETTIN").exists
    assert client(textStartsWith="sett").exists
    assert client(textMatches="Set.*s").exists
    assert client(resourceIdMatches=".*:id/icon", instance=1).exists
    assert client(className="android.widget.TextView", description="Settings").exists
    assert not client(text="settings").exists
    grid = client(resourceId="com.waymark.launcher:id/icon", text="Settings")
    assert grid.sibling(text="To-do").exists


def test_a_tap_on_an_element_opens_what_it_names(client):
    client.press("home")
    client(text="Settings").click()
    assert client(packageName="com.android.settings").wait()
    assert client.app_current()["package"] == "com.android.settings"
    client.press("back")
    assert client(text="To-do").wait()


def test_a_tap_on_a_place_and_a_swipe_move_the_screen(client):
    client.press("home")
    left, top, right, bottom = client(text="Settings").bounds()
    client.click((left + right) / 2, (top + bottom) / 2)
    assert client(packageName="com.android.settings").wait()
    before = client.dump_hierarchy()
    client.swipe(360, 1300, 360, 500, steps=20)
    assert client.dump_hierarchy() != before
    assert client(scrollable=True).scroll.vert.toBeginning(max_swipes=5)


def test_children_are_found_by_what_they_say_and_by_number(client):
    client.press("home")
    client(text="Settings").click()
    pages = client(scrollable=True)
    assert pages.wait()
    row = pages.child_by_text("Display", allow_scroll_search=True, clickable=True)
    assert row.info["clickable"]
    assert row.info["packageName"] == "com.android.settings"
    first = pages.child_by_instance(0, clickable=True)
    assert first.info["bounds"] == pages.child(clickable=True).info["bounds"]
    with pytest.raises(u2.UiObjectNotFoundError):
        pages.child_by_text("no such words", clickable=True)
    row.click()
    assert client(text="Dark theme").wait()


def test_two_fingers_pinch_and_leave_the_app_in_front(client):
    client.press("home")
    client(text="Settings").click()
    pages = client(scrollable=True)
    assert pages.wait()
    assert pages.pinch_in(steps=10)
    assert pages.gesture((100, 400), (500, 400), (250, 400), (350, 400), 10)
    assert client.app_current()["package"] == "com.android.settings"


def test_any_text_is_typed_into_a_field(client):
    client.press("home")
    client(text="Search apps").click()
    field = client(className="android.widget.EditText")
    assert field.wait()
    client.send_keys("héllo 你好")
    assert field.get_text() == "héllo 你好"
    field.set_text("set")
    assert field.get_text() == "set"
    client.clear_text()
    assert field.get_text() != "set"
    client.press("back")


def query_of_the_settings(client):
    client.app_start("com.android.settings", ".SearchActivity", stop=True)
    field = client(className="android.widget.EditText")
    field.click()
    return field


@pytest.mark.expected_log("apkutils is not installed")
def test_its_own_keyboard_is_installed_when_it_is_needed_and_types(client, phone):
    field = query_of_the_settings(client)
    assert not client.is_input_ime_installed()
    usual = client.current_ime()
    client.set_input_ime()
    try:
        assert client.is_input_ime_installed()
        assert client.current_ime() == "com.github.uiautomator/.AdbKeyboard"
        client.send_keys('déjà 你好 😀 "q" $x')
        assert field.get_text() == 'déjà 你好 😀 "q" $x'
        client.send_keys("display", clear=True)
        assert field.get_text() == "display"
        field.click()
        assert phone.phone.input_method.shown
        client.hide_keyboard()
        assert not phone.phone.input_method.shown
        client.clear_text()
        assert field.get_text() == "Search settings"
        for action in ("search", 3, None, "done"):
            field.click()
            assert phone.phone.input_method.shown
            client.send_action(action)
            assert not phone.phone.input_method.shown, "it hides the keyboard"
    finally:
        client.set_input_ime(False)
    assert client.current_ime() == usual
    assert client.app_uninstall("com.github.uiautomator")
    assert not client.is_input_ime_installed()
    client.send_keys("again 再")
    assert field.get_text() == "again 再"


def test_the_last_toast_is_remembered_until_it_is_cleared(client, phone):
    client.clear_toast()
    assert client.last_toast is None
    assert client.toast.get_message(wait_timeout=0, default="none") == "none"
    client.press("home")
    client(resourceIdMatches=".*:id/voice").click()
    assert "Toast" in [window[0] for window in phone.phone.windows()]
    phone.machine.reset(PhoneSetup())
    assert "Toast" not in [window[0] for window in phone.phone.windows()]
    assert client.last_toast == "Voice search is not set up", "of an app, after it is gone"
    client.toast.show("hello 你好", 1.0)
    assert client.toast.get_message() == "hello 你好"
    client.toast.reset()
    assert client.last_toast is None


def test_the_clipboard_and_the_orientation_are_read_and_written(client, phone):
    client.clipboard = "déjà vu"
    assert client.clipboard == "déjà vu"
    client.orientation = "left"
    try:
        assert client.orientation == "left"
        assert client.info["displayWidth"] == 1600
    finally:
        client.orientation = "natural"
    assert client.orientation == "natural"


def test_files_are_put_into_a_folder_behind_a_link(client, phone, tmp_path):
    (tmp_path / "note.txt").write_text("hello")
    client.push(str(tmp_path / "note.txt"), "/sdcard/")
    assert phone.machine.files.read("/sdcard/note.txt") == b"hello"
    client.pull("/sdcard/note.txt", str(tmp_path / "back.txt"))
    assert (tmp_path / "back.txt").read_text() == "hello"


def test_what_the_server_does_not_know_is_an_error_in_its_words(client):
    with pytest.raises(u2.RPCUnknownError, match="method not found"):
        client.jsonrpc.levitate()
    with pytest.raises(u2.RPCUnknownError, match="parameters invalid"):
        client.jsonrpc.swipe(1)


def test_calls_that_the_package_itself_does_not_make_are_answered(client, phone):
    """Other clients of the server call these."""
    client.press("home")
    rpc, target = client.jsonrpc, u2.Selector(text="Settings")
    assert rpc.ping() == "pong"
    assert rpc.isScreenOn() is True
    assert rpc.waitForWindowUpdate("com.other", 100) is False
    name = rpc.getUiObject(target)
    assert rpc.objInfo(name)["text"] == "Settings"
    neighbour = rpc.getFromParent(name, u2.Selector(text="Settings"))
    assert rpc.getUiObjects()[-2:] == [name, neighbour]
    assert rpc.removeUiObject(neighbour) is None
    assert rpc.getUiObjects()[-1] == name
    assert rpc.longClick(target, "br") is True
    client.press("home")
    assert rpc.clickAndWaitForNewWindow(target, 2000) is True
    pages = u2.Selector(scrollable=True)
    before = client.dump_hierarchy()
    assert rpc.swipe(pages, "up", 0.5, 10) is True
    assert client.dump_hierarchy() != before
    assert rpc.swipe(pages, "sideways", 10) is False
    assert rpc.swipe(pages, "down", 5) is True


def test_a_server_that_was_stopped_is_started_again(client, phone):
    client.stop_uiautomator()
    assert not phone.machine.sockets.is_listening("tcp:9008")
    assert client.info["sdkInt"] == phone.phone.profile.sdk
    phone.faults.set("killed-server", server="uiautomator2")
    assert not phone.machine.sockets.is_listening("tcp:9008")
    phone.faults.clear()
    assert client.info["sdkInt"] == phone.phone.profile.sdk


def test_a_server_that_may_not_have_the_automation_says_so(client, phone):
    client.stop_uiautomator()
    phone.faults.set("automation-taken")
    try:
        with pytest.raises(u2.exceptions.AccessibilityServiceAlreadyRegisteredError):
            client.start_uiautomator()
    finally:
        phone.faults.clear()


def test_a_server_whose_jar_is_missing_does_not_start(phone, client):
    client.stop_uiautomator()
    output = client.shell("CLASSPATH=/data/local/tmp/none.jar app_process / com.wetest.uia2.Main")
    assert "ClassNotFoundException: com.wetest.uia2.Main" in output.output


def test_xpath_finds_scrolls_to_taps_and_types(client):
    client.app_start("com.android.settings", stop=True)
    xpath = client.xpath
    assert xpath("Display").wait(2)
    assert xpath("%ispla%").exists
    assert not xpath("no such words").click_exists(timeout=0.1)
    assert (xpath("no such words") | xpath("Display")).get_text() == "Display"
    assert xpath("Display").get().bounds == client(text="Display").bounds()
    assert len(xpath("//android.widget.TextView").all()) > 3
    assert xpath("Display").screenshot().size == xpath("Display").get().rect[2:]
    xpath("Display").click()
    assert xpath("Dark theme").wait(2)
    client.press("back")
    assert xpath.scroll_to("System")
    field = query_of_the_settings(client)
    xpath("//android.widget.EditText").set_text("wi-fi 无线")
    assert field.get_text() == "wi-fi 无线"
    client(resourceIdMatches=".*:id/clear").click()
    client.set_input_ime(False)


def test_watchers_answer_what_appears(client):
    client.app_start("com.android.settings", stop=True)
    assert client(text="Display").wait()
    client.watcher("open").when("Display").click()
    try:
        assert client.watcher.run()
        assert client.xpath("Dark theme").wait(2)
        client.press("home")
        assert not client.watcher.run()
    finally:
        client.watcher.reset()


def test_a_session_ends_with_its_app(client):
    with client.session("com.waymark.todo") as session:
        assert session.running()
        first = session.pid
        session.restart()
        assert session.pid != first
        client.app_stop("com.waymark.todo")
        with pytest.raises(u2.exceptions.SessionBrokenError):
            session.press("home")
    assert client.session("com.android.settings", attach=True).running()


def test_apps_are_told_started_waited_for_and_cleared(todo, phone):
    assert {"com.waymark.todo", "com.android.settings"} <= set(todo.app_list())
    assert todo.app_list("-3") == ["com.waymark.todo"]
    assert todo.app_info("com.waymark.todo") == {"versionName": "2.8.0", "versionCode": 280}
    with pytest.raises(u2.exceptions.AppNotFoundError):
        todo.app_info("com.none")
    assert todo.wait_activity(".MainActivity", timeout=2)
    todo.app_start("com.android.settings", ".Settings", wait=True)
    assert todo.app_wait("com.android.settings", front=True) == phone.phone.pid_of("com.android.settings")
    assert "com.android.settings" in todo.app_stop_all(excludes=["com.waymark.todo"])
    assert phone.phone.pid_of("com.waymark.todo") is not None
    todo.app_auto_grant_permissions("com.waymark.todo")
    todo.app_clear("com.waymark.todo")
    assert phone.phone.pid_of("com.waymark.todo") is None
    assert not todo.app_uninstall("com.android.settings")


def test_gestures_the_shade_and_the_rotation(client, phone):
    client.app_start("com.android.settings", stop=True)
    title = client(text="Network and internet")
    assert title.wait()
    top = title.bounds()
    client.swipe_ext("up", scale=0.8, steps=10)
    assert not title.exists or title.bounds()[1] < top[1]
    client.swipe_ext("down", box=(0, 200, 720, 1500), steps=10)
    client.touch.down(360, 600).move(360, 900).up(360, 900)
    assert title.bounds() == top
    client.drag(0.5, 0.8, 0.5, 0.4, 0.05)
    client.double_click(0.5, 0.02)
    assert client.open_notification()
    assert phone.phone.focused_window == "NotificationShade"
    client.press("back")
    client.freeze_rotation()
    assert phone.phone.settings.get("system", "accelerometer_rotation") == "0"
    client.freeze_rotation(False)
    client.screen_off()
    assert client.info["screenOn"] is False
    client.screen_on()
    assert client.info["screenOn"] is True
    assert client.shell(["echo", "a b", "$HOME"]).output == "a b $HOME\n"
    assert client.shell("false").exit_code == 1
