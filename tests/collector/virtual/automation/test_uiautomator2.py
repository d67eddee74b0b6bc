"""The uiautomator2 package, as released, drives the virtual phone as it drives a real one."""

from __future__ import annotations

import pytest

from collector.model.geometry import Rect
from tests.helpers.virtual import adb_server, virtual_device

u2 = pytest.importorskip("uiautomator2", reason="the fast-tree extra is not installed")

pytestmark = pytest.mark.shared_threads("adb", "adbd", "virtual", "wait_adb_conn")


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
    only = todo.dump_hierarchy(root_in_active=True)
    assert "com.android.systemui" not in only
    assert todo.dump_hierarchy(max_depth=1).count("<node") == xml.count("\n  <node")


def test_the_app_in_front_is_told(todo):
    assert todo.app_current()["package"] == "com.waymark.todo"
    assert "com.waymark.todo" in todo.app_list_running()


def test_a_picture_is_the_screens(todo, phone):
    picture = todo.screenshot()
    assert picture.size == (720, 1600)
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


def test_what_the_server_does_not_know_is_an_error_in_its_words(client):
    with pytest.raises(u2.RPCUnknownError, match="method not found"):
        client.jsonrpc.levitate()
    with pytest.raises(u2.RPCUnknownError, match="parameters invalid"):
        client.jsonrpc.swipe(1)


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
