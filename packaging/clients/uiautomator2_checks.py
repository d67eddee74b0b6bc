"""uiautomator2."""

import os
import tempfile
import time
from pathlib import Path

import uiautomator2
from check_runner import check, run_checks

d = uiautomator2.connect(os.environ["ANDROID_SERIAL"])
d.implicitly_wait(5)
SETTINGS, TODO = "com.android.settings", "com.waymark.todo"
FOLDER = Path(tempfile.mkdtemp())


def settings() -> None:
    """Start Settings anew."""
    d.app_start(SETTINGS, stop=True)
    assert d(text="Display").wait(timeout=5)


def search_field() -> uiautomator2.UiObject:
    """The field of Settings' search."""
    d.app_start(SETTINGS, ".SearchActivity", stop=True)
    field = d(className="android.widget.EditText")
    assert field.wait(timeout=5)
    return field


@check()
def info() -> None:
    assert (d.info["displayWidth"], d.info["displayHeight"], d.info["sdkInt"]) == (720, 1600, 35)


@check()
def device_info() -> None:
    assert d.device_info["model"] == "Waymark Phone"
    assert d.serial == os.environ["ANDROID_SERIAL"]


@check()
def wlan_ip() -> None:
    assert d.wlan_ip.count(".") == 3


@check()
def window_size() -> None:
    assert d.window_size() == (720, 1600)


@check()
def shell() -> None:
    assert d.shell("echo a; false").exit_code == 1
    assert d.shell(["echo", "a b"]).output.strip() == "a b"


@check()
def push_and_pull() -> None:
    (FOLDER / "a").write_bytes(b"abc")
    d.push(str(FOLDER / "a"), "/sdcard/a")
    d.pull("/sdcard/a", str(FOLDER / "b"))
    assert (FOLDER / "b").read_bytes() == b"abc"


@check()
def app_start_current_and_stop() -> None:
    settings()
    now = d.app_current()
    assert (now["package"], now["activity"], now["pid"] > 0) == (SETTINGS, ".Settings", True), now
    d.app_stop(SETTINGS)
    assert d.app_current()["package"] != SETTINGS


@check()
def app_wait_and_wait_activity() -> None:
    d.app_start(SETTINGS)
    assert d.app_wait(SETTINGS, front=True, timeout=5)
    assert d.wait_activity(".Settings", timeout=5)
    assert not d.wait_activity(".Nope", timeout=0.5)


@check()
def app_lists() -> None:
    assert {SETTINGS, TODO} <= set(d.app_list())
    assert TODO in d.app_list("-3")
    assert SETTINGS in d.app_list_running()


@check()
def app_info() -> None:
    told = d.app_info(SETTINGS)
    assert told["versionName"]
    assert told["versionCode"]


@check()
def app_clear_and_stop_all() -> None:
    d.app_clear(TODO)
    d.app_stop_all()


@check()
def session() -> None:
    with d.session(SETTINGS) as session:
        assert session.running()
        assert session(text="Display").exists


@check()
def dump_hierarchy() -> None:
    settings()
    assert 'text="Display"' in d.dump_hierarchy()
    assert d.dump_hierarchy(compressed=True, max_depth=2)


@check()
def screenshot() -> None:
    assert d.screenshot().size == (720, 1600)
    d.screenshot(str(FOLDER / "s.jpg"))
    assert d.screenshot(format="opencv").shape[:2] == (1600, 720)


@check()
def selector_by_text() -> None:
    settings()
    for how in (
        {"text": "Display"},
        {"textContains": "ispla"},
        {"textMatches": "Disp.*"},
        {"textStartsWith": "Disp"},
    ):
        assert d(**how).exists, how


@check()
def selector_by_class_and_instance() -> None:
    assert d(className="android.widget.TextView").count > 3
    assert d(className="android.widget.TextView", instance=1).info["className"] == "android.widget.TextView"


@check()
def selector_by_resource() -> None:
    assert d(resourceIdMatches=".*").exists


@check()
def element_info_and_bounds() -> None:
    left, top, right, bottom = d(text="Display").bounds()
    assert left < right
    assert top < bottom
    assert d(text="Display").info["text"] == d(text="Display").get_text() == "Display"
    assert d(text="Display").center()


@check()
def child_and_sibling() -> None:
    assert d(scrollable=True).child(text="Display").exists
    assert d(text="Display").sibling(className="android.widget.TextView").exists


@check()
def child_by_text_with_scroll() -> None:
    settings()
    assert d(scrollable=True).child_by_text("About phone", allow_scroll_search=True).exists


@check()
def neighbours() -> None:
    settings()
    assert d(text="Display").down(clickable=True) is not None
    assert d(text="Display").up(clickable=True) is not None


@check()
def click() -> None:
    settings()
    d(text="Display").click()
    assert d(text="Dark theme").wait(timeout=5)
    d.press("back")


@check()
def click_exists_and_click_gone() -> None:
    settings()
    assert d(text="Nope").click_exists(timeout=0.2) is False
    assert d(text="Display").click_exists(timeout=2) is True
    assert d(text="Network & internet").wait_gone(timeout=5)


@check()
def click_on_a_place() -> None:
    settings()
    d.click(*d(text="Display").center())
    assert d(text="Dark theme").wait(timeout=5)


@check()
def long_click_and_double_click() -> None:
    settings()
    d(text="Display").long_click(0.6)
    d.app_start(SETTINGS, stop=True)
    d.long_click(0.5, 0.5)
    d.double_click(0.5, 0.02)


@check()
def a_missing_element_raises() -> None:
    try:
        d(text="no such words").click(timeout=0.3)
    except uiautomator2.UiObjectNotFoundError:
        return
    raise AssertionError("nothing was raised")


@check()
def scroll() -> None:
    settings()
    assert d(scrollable=True).scroll.toEnd()
    assert d(text="About phone").exists
    assert d(scrollable=True).scroll.toBeginning()
    assert d(scrollable=True).scroll.to(text="About phone")
    assert d(scrollable=True).scroll.vert.backward()


@check()
def fling() -> None:
    settings()
    d(scrollable=True).fling()
    assert d(scrollable=True).fling.toBeginning()


@check()
def swipes() -> None:
    settings()
    d.swipe(360, 1300, 360, 500, 0.1)
    d.swipe(0.5, 0.3, 0.5, 0.8, steps=10)
    d.swipe_ext("up", scale=0.6)
    d.swipe_points([(300, 1200), (300, 900), (300, 600)], 0.1)
    d(scrollable=True).swipe("down", steps=10)


@check()
def drag() -> None:
    settings()
    d.drag(360, 1200, 360, 800, 0.2)
    d(scrollable=True).drag_to(360, 400, duration=0.2)


@check()
def touch_by_its_parts() -> None:
    settings()
    x, y = d(text="Display").center()
    d.touch.down(x, y).sleep(0.05).up(x, y)
    assert d(text="Dark theme").wait(timeout=5)


@check()
def pinch_and_gesture() -> None:
    settings()
    assert d(scrollable=True).pinch_in(percent=50, steps=10)
    assert d(scrollable=True).pinch_out(percent=50, steps=10)
    assert d(scrollable=True).gesture((100, 400), (500, 400), (250, 400), (350, 400), 10)


@check()
def xpath() -> None:
    settings()
    assert d.xpath("Display").exists
    assert d.xpath("//android.widget.TextView[@text='Display']").wait(timeout=3)
    assert d.xpath("//*[@scrollable='true']//*[contains(@text, 'Disp')]").get_text() == "Display"
    assert len(d.xpath("//android.widget.TextView").all()) > 3
    d.xpath("@text=Display").click() if d.xpath("@text=Display").exists else d.xpath("Display").click()
    assert d.xpath("Dark theme").wait(timeout=5)


@check()
def xpath_scroll_to() -> None:
    settings()
    assert d.xpath("//*[@scrollable='true']").get().scroll_to("About phone")


@check()
def xpath_parent_and_attributes() -> None:
    settings()
    element = d.xpath("Display").get()
    assert element.attrib["text"] == "Display"
    assert element.parent() is not None
    assert element.bounds
    assert element.screenshot().size[0] > 0


@check()
def watcher() -> None:
    settings()
    d.watcher("w").when("Display").click()
    d.watcher.run()
    assert d(text="Dark theme").wait(timeout=5)
    d.watcher.remove()


@check()
def watch_context() -> None:
    settings()
    with d.watch_context() as context:
        context.when("Display").click()
        context.wait_stable(seconds=1, timeout=8)
    assert d(text="Dark theme").exists


@check()
def text_of_a_field() -> None:
    field = search_field()
    field.set_text("héllo 你好")
    assert field.get_text() == "héllo 你好"
    field.clear_text()
    assert field.get_text() != "héllo 你好"


@check()
def send_keys() -> None:
    field = search_field()
    field.click()
    d.send_keys("abc 你好 😀")
    assert field.get_text() == "abc 你好 😀"
    d.send_keys("x", clear=True)
    assert field.get_text() == "x"
    d.clear_text()


@check()
def its_input_method() -> None:
    field = search_field()
    field.click()
    d.set_input_ime()
    assert d.current_ime() == "com.github.uiautomator/.AdbKeyboard"
    d.send_keys('q "x" $y')
    assert field.get_text() == 'q "x" $y'
    d.hide_keyboard()
    d.set_input_ime(False)


@check("the client sends the action as text, which its own keyboard does not read on any phone")
def send_action_by_its_name() -> None:
    search_field().click()
    d.set_input_ime()
    try:
        d.send_action("nope")
    finally:
        d.set_input_ime(False)
    raise AssertionError("the virtual phone heeds only names that mean something")


@check()
def keys() -> None:
    settings()
    for key in ("home", "back", "recent", "home", "volume_up", "volume_down", "menu", "back", 3):
        d.press(key)
    d.press(0x07, 0x02)
    assert d.keyevent("home") is None


@check()
def long_press_of_a_key() -> None:
    assert d.long_press("home") is not False


@check()
def screen_on_and_off() -> None:
    d.screen_off()
    assert d.info["screenOn"] is False
    d.screen_on()
    assert d.info["screenOn"] is True
    d.unlock()


@check()
def orientation() -> None:
    d.orientation = "left"
    assert d.orientation == "left"
    assert d.window_size() == (1600, 720)
    d.orientation = "natural"
    d.freeze_rotation()
    d.freeze_rotation(False)


@check()
def clipboard() -> None:
    d.clipboard = "déjà vu"
    assert d.clipboard == "déjà vu"


@check()
def shades() -> None:
    d.open_notification()
    time.sleep(0.3)
    d.open_quick_settings()
    d.press("back")
    d.press("home")


@check()
def open_url() -> None:
    d.open_url("https://example.org")
    assert d.app_current()["package"] == "com.waymark.browser"
    d.press("home")


@check()
def toasts() -> None:
    d.clear_toast()
    assert d.last_toast is None
    d.toast.show("hello", 1.0)
    assert d.toast.get_message(5.0) == "hello"
    d.toast.reset()


@check()
def implicit_wait_and_settings() -> None:
    d.implicitly_wait(1.0)
    assert d.settings["wait_timeout"] == 1.0
    d.implicitly_wait(5.0)
    d.settings["operation_delay"] = (0, 0)


@check()
def exists_and_wait() -> None:
    settings()
    assert d.exists(text="Display")
    assert d(text="Display").exists(timeout=1)
    assert d(text="nope").wait_gone(timeout=1)
    assert not d(text="nope").wait(timeout=0.3)


@check()
def stop_and_start_of_its_service() -> None:
    d.stop_uiautomator()
    d.start_uiautomator()
    assert d.info["screenOn"] in (True, False)


@check()
def set_fastinput_and_reset() -> None:
    d.reset_uiautomator()
    assert d.info["sdkInt"] == 35


@check()
def properties_of_an_element() -> None:
    settings()
    told = d(text="Display").info
    assert set(told) >= {
        "bounds",
        "checkable",
        "checked",
        "enabled",
        "focused",
        "packageName",
        "scrollable",
        "selected",
    }


@check()
def a_picture_of_an_element() -> None:
    settings()
    assert d(text="Display").screenshot().size[0] > 10


run_checks()
