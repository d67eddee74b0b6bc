"""The phone as a person and a program use it."""

from __future__ import annotations

import threading
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

from collector.model.geometry import Size
from collector.virtual.system.phone import Phone, PhoneProfile, TouchAction
from collector.virtual.system.windows.notice import Notice
from collector.virtual.ui.effects import (
    ACTION_MAIN,
    CATEGORY_LAUNCHER,
    Component,
    Intent,
)
from tests.helpers.phone_apps import DemoApp
from tests.helpers.phone_driver import bounds, drag, find, has, nodes, tap, tap_at, wait_until

PACKAGE = "com.example.demo"
BACK, HOME, ENTER, DEL, A = 4, 3, 66, 67, 29


def component(name: str) -> Component:
    return Component.parse(f"{PACKAGE}/.{name}")


@pytest.fixture
def phone() -> Iterator[Phone]:
    phone = Phone(PhoneProfile(apps=(DemoApp(),), caret_blinks=False))
    yield phone
    phone.close()


@pytest.fixture
def demo(phone: Phone) -> Phone:
    phone.launch(PACKAGE)
    return phone


@pytest.fixture
def form(phone: Phone) -> Phone:
    phone.start_activity(Intent(component=component("FormActivity")))
    return phone


@pytest.fixture
def controls(phone: Phone) -> Phone:
    phone.start_activity(Intent(component=component("ControlsActivity")))
    return phone


def received(phone: Phone) -> list[str]:
    events: list[str] = phone.app_state("demo")["heard"]
    return events


# ---- activities ----------------------------------------------------------------------------------


def test_it_starts_on_a_launcher_that_opens_apps(phone: Phone) -> None:
    assert phone.focused == Component("com.example.home", "com.example.home.HomeActivity")
    tap(phone, content_desc="Demo")
    assert phone.focused == component("MainActivity")


def test_a_frozen_screen_keeps_its_picture_while_the_phone_goes_on(phone: Phone) -> None:
    phone.freeze_screen(True)
    before = phone.capture()
    tap(phone, content_desc="Demo")
    assert phone.focused == component("MainActivity")
    assert (phone.capture().rgba == before.rgba).all()
    assert phone.wait_picture(before.generation, 0.05) is None
    phone.freeze_screen(False)
    shown = phone.wait_picture(before.generation, 5.0)
    assert shown is not None
    assert (shown.rgba != before.rgba).any()


def test_back_uncovers_the_activity_below_and_then_the_launcher(demo: Phone) -> None:
    tap(demo, resource_id="search_bar")
    assert demo.focused == component("FormActivity")
    demo.key(BACK)
    assert demo.input_method.shown is False
    assert demo.focused == component("FormActivity"), "the first BACK only hides the keyboard"
    demo.key(BACK)
    assert demo.focused == component("MainActivity")
    demo.key(BACK)
    assert demo.focused is not None
    assert demo.focused.package == "com.example.home"


def test_the_back_arrow_of_a_bar_goes_back(demo: Phone) -> None:
    tap(demo, resource_id="search_bar")
    demo.key(BACK)
    tap(demo, content_desc="Navigate up")
    assert demo.focused == component("MainActivity")


def test_starting_says_what_came_of_it(phone: Phone) -> None:
    launch = Intent(ACTION_MAIN, component("MainActivity"), categories=(CATEGORY_LAUNCHER,))
    first = phone.start_activity(launch)
    assert (first.outcome, first.launch_state) == ("started", "COLD")
    assert phone.start_activity(launch).outcome == "delivered"
    phone.key(HOME)
    restarted = phone.start_activity(launch)
    assert (restarted.outcome, restarted.launch_state) == ("brought_to_front", "HOT")
    assert phone.start_activity(Intent(component=component("NoActivity"))).outcome == "not_found"


def test_the_launcher_stays_one_and_apps_have_tasks_of_their_own(phone: Phone) -> None:
    for _ in range(3):
        tap(phone, content_desc="Demo")
        phone.key(HOME)
    assert [record.component.package for record in phone.stack()] == ["com.example.home", PACKAGE]


def test_the_icon_of_an_open_app_brings_back_the_screen_it_was_left_on(demo: Phone) -> None:
    tap(demo, resource_id="search_bar")
    demo.key(HOME)
    tap(demo, content_desc="Demo")
    assert demo.focused == component("FormActivity")
    launch = Intent(ACTION_MAIN, component("MainActivity"), categories=(CATEGORY_LAUNCHER,))
    assert demo.start_activity(launch).outcome == "brought_to_front"
    assert len(demo.stack()) == 3


def test_a_tap_at_the_very_bottom_reaches_the_app(controls: Phone) -> None:
    place = bounds(find(controls, content_desc="Saved"))
    tap_at(controls, place.center.x, place.bottom - 5)
    assert received(controls) == ["saved"]


def test_an_action_finds_the_activity_that_answers_it(phone: Phone) -> None:
    assert phone.start_activity(Intent("com.example.demo.FORM")).component == component("FormActivity")


def test_force_stop_ends_the_process_and_clear_the_data(demo: Phone) -> None:
    tap(demo, text="Apps")
    assert demo.pid_of(PACKAGE)
    demo.force_stop(PACKAGE)
    assert demo.pid_of(PACKAGE) is None
    assert demo.focused is not None
    assert demo.focused.package == "com.example.home"
    assert received(demo) == ["Apps"]
    assert demo.clear(PACKAGE) is True
    assert received(demo) == []
    assert demo.clear("com.example.none") is False


def test_the_log_tells_of_starts(demo: Phone) -> None:
    lines = [(line.tag, line.text) for line in demo.logcat.read()]
    assert any(
        tag == "ActivityTaskManager" and "cmp=com.example.demo/.MainActivity" in text for tag, text in lines
    )
    assert any(tag == "ActivityManager" and text.startswith("Start proc ") for tag, text in lines)
    assert ("ActivityTaskManager", "Displayed com.example.demo/.MainActivity for user 0: +412ms") in lines


def test_recents_shows_tasks_and_brings_one_to_the_front(demo: Phone) -> None:
    demo.key(HOME)
    demo.key(187)
    tap(demo, content_desc="Demo")
    assert demo.focused == component("MainActivity")
    demo.key(187)
    tap(demo, content_desc="Close Demo")
    assert has(demo, resource_id="empty")


# ---- fingers -------------------------------------------------------------------------------------


def test_a_tap_reaches_the_widget_under_it_and_a_drag_does_not(demo: Phone) -> None:
    tap(demo, text="Apps")
    assert received(demo) == ["Apps"]
    drag(demo, (300, 900), (300, 600))
    assert received(demo) == ["Apps"]


def test_a_drag_moves_the_list_by_its_length_less_the_slop(demo: Phone) -> None:
    before = bounds(find(demo, text="Display"))
    drag(demo, (300, 1200), (300, 900))
    after = bounds(find(demo, text="Display"))
    assert before.top - after.top == 270
    drag(demo, (300, 400), (300, 1500))
    assert bounds(find(demo, text="Display")) == before, "the list stops at its start"


def test_a_fling_goes_on_by_itself_and_then_rests(demo: Phone) -> None:
    drag(demo, (300, 1300), (300, 700), rest=False)
    start = bounds(nodes(demo)[-3])
    wait_until(demo, lambda: demo.quiet_ms > 500)
    assert bounds(nodes(demo)[-3]) != start


def test_a_wheel_scrolls(demo: Phone) -> None:
    before = bounds(find(demo, text="Display")).top
    demo.scroll(300, 800, 0, -1)
    assert before - bounds(find(demo, text="Display")).top == 128


def test_a_long_press_is_no_tap(demo: Phone) -> None:
    center = bounds(find(demo, text="Network and internet")).center
    demo.touch(TouchAction.DOWN, 0, center.x, center.y)
    generation = demo.capture().generation
    while not has(demo, text="Battery low"):
        picture = demo.wait_picture(generation, 5)
        assert picture is not None
        generation = picture.generation
    demo.touch(TouchAction.UP, 0, center.x, center.y)
    assert received(demo) == []


def test_a_double_tap_selects_the_word_under_it(form: Phone) -> None:
    form.commit_text("poster")
    for _ in range(2):
        tap(form, resource_id="name")
    form.commit_text("print")
    assert form.app_state("demo")["name"] == "print"


def test_pressing_shows_and_says_nothing_to_services(demo: Phone) -> None:
    wait_until(demo, lambda: demo.quiet_ms > 100)
    first = demo.capture()
    center = bounds(find(demo, text="Apps")).center
    demo.touch(TouchAction.DOWN, 0, center.x, center.y)
    second = demo.capture()
    assert second.generation > first.generation
    assert demo.quiet_ms > 100
    demo.touch(TouchAction.CANCEL, 0, center.x, center.y)
    assert (demo.capture().rgba == first.rgba).all()


def test_edge_gestures_go_back_and_home(demo: Phone) -> None:
    tap(demo, resource_id="search_bar")
    demo.key(BACK)
    drag(demo, (4, 700), (300, 700), rest=False)
    assert demo.focused == component("MainActivity")
    drag(demo, (360, 1595), (360, 900), rest=False)
    assert demo.focused is not None
    assert demo.focused.package == "com.example.home"


def test_controls_report_what_was_done(controls: Phone) -> None:
    tap(controls, resource_id="wifi")
    tap(controls, resource_id="agreed")
    place = bounds(find(controls, resource_id="volume"))
    tap_at(controls, place.right - 22, place.center.y)
    state = controls.app_state("demo")
    assert (state["wifi"], state["agreed"]) == (False, True)
    assert state["volume"] > 0.95
    assert find(controls, resource_id="agreed").get("checked") == "true"


def test_what_is_off_takes_the_tap_and_does_nothing(controls: Phone) -> None:
    tap(controls, resource_id="off")
    assert received(controls) == []
    assert find(controls, resource_id="off").get("enabled") == "false"


# ---- text ------------------------------------------------------------------------------------------


def test_any_unicode_is_committed_at_the_caret(form: Phone) -> None:
    assert form.commit_text("héllo 世界 👩‍👩‍👧")
    assert find(form, resource_id="name").get("text") == "héllo 世界 👩‍👩‍👧"
    form.key(DEL)
    assert form.app_state("demo")["name"] == "héllo 世界 "
    form.key(122)
    form.commit_text(">")
    assert form.app_state("demo")["name"].startswith(">h")


def test_without_a_field_text_goes_nowhere(demo: Phone) -> None:
    assert demo.commit_text("lost") is False


def test_the_keyboard_types_and_is_not_in_the_dump(form: Phone) -> None:
    assert form.input_method.shown
    assert form.input_method.target == "name"
    assert not has(form, content_desc="Space")
    for name in ("Shift", "H", "i"):
        dump = next(dump for dump in form.window_dumps() if b"inputmethod" in dump)
        key = next(node for node in ET.fromstring(dump).iter("node") if node.get("content-desc") == name)
        tap_at(form, bounds(key).center.x, bounds(key).center.y)
    assert form.app_state("demo")["name"] == "Hi"
    assert bounds(nodes(form)[0]).height == 1600


def test_the_action_key_goes_to_the_next_field_and_submits(form: Phone) -> None:
    form.key(ENTER)
    assert find(form, resource_id="password").get("focused") == "true"
    form.commit_text("hunter2")
    shown = find(form, resource_id="password")
    assert (shown.get("text"), shown.get("password")) == ("•" * 7, "true")
    assert b"hunter2" not in form.hierarchy_xml()
    form.key(ENTER)
    assert not form.input_method.shown


def test_the_focused_field_is_scrolled_into_sight_above_the_keyboard(form: Phone) -> None:
    form.set_rotation(1)
    for name in ("name", "password"):
        shown = bounds(find(form, resource_id=name))
        assert form.input_method.target == name
        assert shown.height == 112
        assert shown.bottom <= form.input_method.frame[1]
        form.key(ENTER) if name == "name" else None


def test_hardware_keys_select_copy_and_paste(form: Phone) -> None:
    for code in (A, A + 1, A + 2):
        form.key(code)
    form.key(A, meta=0x1000)
    form.key(A + 2, meta=0x1000)
    assert form.clipboard == "abc"
    form.key(123)
    form.paste()
    assert form.app_state("demo")["name"] == "abcabc"


def test_a_password_is_not_copied(form: Phone) -> None:
    tap(form, resource_id="password")
    form.commit_text("hunter2")
    form.key(A, meta=0x1000)
    form.copy()
    assert form.clipboard == ""


def test_an_empty_field_shows_its_hint_as_text(form: Phone) -> None:
    assert find(form, resource_id="name").get("text") == "Name"


# ---- windows -----------------------------------------------------------------------------------------


def test_a_dialog_is_the_window_that_is_dumped(demo: Phone) -> None:
    demo.set_app_state("demo", {"asked": True})
    assert not has(demo, text="Apps")
    assert bounds(nodes(demo)[0]).width < 720
    tap(demo, resource_id="android:id/button1")
    assert received(demo) == ["settings"]
    assert has(demo, text="Apps")


@pytest.mark.parametrize("way", ["outside", "back"])
def test_a_dialog_is_dismissed_by_back_and_by_a_tap_outside(demo: Phone, way: str) -> None:
    demo.set_app_state("demo", {"asked": True})
    tap_at(demo, 360, 200) if way == "outside" else demo.key(BACK)
    assert received(demo) == ["dismissed"]


def test_a_toast_is_seen_and_not_dumped(demo: Phone) -> None:
    before = demo.capture().generation
    demo.toast("Saved")
    assert demo.capture().generation > before
    assert not has(demo, text="Saved")


def test_a_snackbar_is_part_of_the_screen(demo: Phone) -> None:
    tap(demo, resource_id="search_bar")
    demo.key(BACK)
    tap(demo, resource_id="continue")
    assert has(demo, text="Saved")
    tap(demo, resource_id="snackbar_action")
    assert received(demo) == ["undo"]


def test_a_secure_window_is_black_and_its_tree_readable(phone: Phone) -> None:
    phone.start_activity(Intent(component=component("SecretActivity")))
    picture = phone.capture()
    assert picture.secure
    assert not picture.rgba[..., :3].any()
    assert has(phone, text="Nobody may photograph this")
    phone.key(BACK)
    assert not phone.capture().secure


def test_a_dark_screen_is_black_and_takes_no_touches(demo: Phone) -> None:
    place = bounds(find(demo, text="Apps")).center
    demo.key(26)
    assert not demo.awake
    assert not demo.capture().rgba[..., :3].any()
    tap_at(demo, place.x, place.y)
    assert received(demo) == []
    demo.key(224)
    assert demo.capture().rgba[..., :3].any()


def test_the_systems_windows_speak_the_phones_language(demo: Phone) -> None:
    demo.settings.put("system", "system_locales", "zh-CN")
    demo.expand_shade(True)
    assert has(demo, text="没有通知")
    assert has(demo, text="11月20日 星期五")


def test_launching_what_is_not_there_is_false(phone: Phone) -> None:
    assert not phone.launch("com.example.none")
    assert phone.launch(PACKAGE)


def test_the_shade_shows_notifications_and_toggles(demo: Phone) -> None:
    demo.services.notices.post(Notice(PACKAGE, "Dinner?", "See you at 7"))
    drag(demo, (360, 5), (360, 700), rest=False)
    assert demo.focused_window == "NotificationShade"
    tap(demo, content_desc="Wi-Fi, On")
    assert demo.settings.get("global", "wifi_on") == "0"
    tap(demo, text="Dinner?")
    assert demo.focused == component("MainActivity")
    assert demo.focused_window == "com.example.demo/com.example.demo.MainActivity"


# ---- display and settings ------------------------------------------------------------------------------


def test_rotation_lays_out_anew(demo: Phone) -> None:
    demo.set_rotation(1)
    assert demo.size == Size(1600, 720)
    assert demo.capture().rgba.shape == (720, 1600, 4)
    assert b'rotation="1"' in demo.hierarchy_xml()
    assert bounds(nodes(demo)[0]).size == Size(1600, 720)
    demo.settings.put("system", "accelerometer_rotation", "0")
    assert demo.rotation == 0, "a locked rotation is user_rotation's"


def test_sizes_and_densities_can_be_overridden(demo: Phone) -> None:
    demo.override_size(Size(600, 1000))
    demo.override_density(240)
    assert demo.capture().size == Size(600, 1000)
    demo.override_size(None)
    assert demo.capture().size == Size(720, 1600)


@pytest.mark.parametrize(
    ("namespace", "key", "value"),
    [
        ("secure", "ui_night_mode", "2"),
        ("system", "font_scale", "1.5"),
        ("system", "system_locales", "zh-CN"),
        ("global", "wifi_on", "0"),
        ("global", "low_power", "1"),
    ],
)
def test_settings_change_what_is_seen(demo: Phone, namespace: str, key: str, value: str) -> None:
    before = demo.capture().generation
    demo.settings.put(namespace, key, value)
    assert demo.capture().generation > before


def test_a_broken_font_scale_does_not_break_the_phone(demo: Phone) -> None:
    demo.settings.put("system", "font_scale", "huge")
    assert demo.capture().size == Size(720, 1600)


# ---- pictures, states, threads ---------------------------------------------------------------------------


def test_the_same_state_gives_the_same_pixels() -> None:
    pictures = []
    for _ in range(2):
        phone = Phone(PhoneProfile(apps=(DemoApp(),)))
        phone.launch(PACKAGE)
        pictures.append(phone.capture().rgba)
        phone.close()
    assert (pictures[0] == pictures[1]).all()


def test_a_picture_stays_as_it_was_while_it_is_held(demo: Phone) -> None:
    first = demo.capture()
    copy = first.rgba.copy()
    for _ in range(12):
        drag(demo, (300, 1000), (300, 900))
        demo.capture()
    assert (first.rgba == copy).all()
    assert not first.rgba.flags.writeable


def test_waiting_ends_with_the_change_and_not_without_one(demo: Phone) -> None:
    generation = demo.capture().generation
    assert demo.wait_picture(generation, 0.01) is None
    timer = threading.Timer(0.02, lambda: demo.set_app_state("demo", {"asked": True}))
    timer.start()
    picture = demo.wait_picture(generation, 10)
    timer.join()
    assert picture is not None
    assert picture.generation > generation


def test_a_turning_circle_never_lets_the_screen_be_quiet(controls: Phone) -> None:
    controls.set_app_state("demo", {"busy": True})
    assert controls.quiet_ms == 0
    picture = controls.capture()
    assert controls.wait_picture(picture.generation, 5) is not None


def test_states_go_out_and_in_as_plain_data(demo: Phone) -> None:
    state = demo.app_state("demo")
    state["name"] = "Lin"
    demo.set_app_state("demo", state)
    assert demo.app_state("demo") == state
    demo.reset_app_state("demo")
    assert demo.app_state("demo")["name"] == ""
    with pytest.raises(ValueError, match="no field 'nmae'"):
        demo.set_app_state("demo", {"nmae": "Lin"})
    with pytest.raises(KeyError, match="no app 'shop'"):
        demo.app_state("shop")


def test_later_comes_later_and_effects_are_done(controls: Phone) -> None:
    generation = controls.capture().generation
    tap(controls, resource_id="later")
    while "later" not in received(controls):
        picture = controls.wait_picture(generation, 2)
        generation = picture.generation if picture else generation
    tap(controls, resource_id="nameless")
    assert controls.clipboard == "copied"
    assert any(line.tag == "Demo" and line.text == "hello" for line in controls.logcat.read())


def test_many_threads_may_use_it_at_once(demo: Phone) -> None:
    problems: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for i in range(15):
                demo.commit_text("x")
                drag(demo, (300, 1000), (300, 600 + number), rest=bool(i % 2))
                demo.hierarchy_xml(compressed=bool(i % 2))
                demo.capture()
                demo.key(BACK if i % 5 else HOME)
                demo.launch(PACKAGE)
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []


def test_the_compressed_dump_has_fewer_nodes_and_the_same_words(demo: Phone) -> None:
    whole, short = nodes(demo), nodes(demo, compressed=True)
    assert len(short) < len(whole)
    assert [n.get("text") for n in whole if n.get("text")] == [n.get("text") for n in short if n.get("text")]


def test_a_tap_target_without_words_is_marked(controls: Phone) -> None:
    xml = controls.hierarchy_xml().decode()
    assert xml.count('<node NAF="true" index=') == 1
    assert find(controls, resource_id="nameless").get("NAF") == "true"
