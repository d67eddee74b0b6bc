"""The companion app keeps D-GARA's contract: texts, resource ids, log lines and ways to close a dialog."""

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.phone.touch import TouchAction
from collector.virtual.apps.companion.state import PACKAGE, CompanionState
from collector.virtual.apps.companion.update import update
from collector.virtual.system.phone import Phone
from collector.virtual.ui.app import STARTED
from collector.virtual.ui.effects import Change, Component, Intent, Later
from collector.virtual.ui.events import Event
from tests.helpers.virtual import profile

SHOP = "com.waymark.shop"
BUTTONS = {
    (".LocationPermissionActivity", "allow_button"): ("ReactBench_Event", "EVENT:PERMISSION_ALLOWED"),
    (".LocationPermissionActivity", "deny_button"): ("ReactBench_Event", "EVENT:PERMISSION_DENIED"),
    (".LowBatteryActivity", "ok_button"): ("ReactBench_Event", "EVENT:LOW_BATTERY_ACKNOWLEDGED"),
    (".CookieConsentActivity", "accept_all_button"): ("CookieConsentLogger", "EVENT:COOKIE_ACCEPTED_ALL"),
    (".CookieConsentActivity", "reject_all_button"): ("CookieConsentLogger", "EVENT:COOKIE_REJECTED_ALL"),
    (".CookieConsentActivity", "manage_settings_button"): (
        "CookieConsentLogger",
        "EVENT:COOKIE_MANAGE_SETTINGS",
    ),
    (".ProgressActivity", "progress_button"): ("ProgressActivityLogger", "EVENT:PROGRESS_CANCELLED"),
}
DIALOGS = (
    ".LocationPermissionActivity",
    ".LowBatteryActivity",
    ".CookieConsentActivity",
    ".ProgressActivity",
    ".LoginActivity",
    ".MockAdActivity",
)


@pytest.fixture
def phone():
    phone = Phone(profile("shop", "companion"))
    phone.launch(SHOP)
    yield phone
    phone.close()


def start(phone, activity, **extras):
    return phone.start_activity(Intent(component=Component(PACKAGE, PACKAGE + activity), extras=extras))


def nodes(phone):
    """Nodes of the foreground window, by the end of their resource id."""
    tree = parse_tree(phone.hierarchy_xml())
    return {node.resource_id.partition("/")[2]: node for node in tree.nodes if node.resource_id}


def tap(phone, x, y):
    phone.touch(TouchAction.DOWN, 0, x, y)
    phone.touch(TouchAction.UP, 0, x, y)


def press(phone, name):
    center = nodes(phone)[name].bounds.center
    tap(phone, center.x, center.y)


def log(phone, *tags):
    return [(line.priority, line.tag, line.text) for line in phone.logcat.read() if line.tag in tags]


@pytest.mark.parametrize(("activity", "button"), BUTTONS)
def test_every_button_logs_its_own_event_and_finishes(phone, activity, button):
    start(phone, activity)
    press(phone, button)
    tag, text = BUTTONS[activity, button]
    assert log(phone, tag) == [("I", tag, text)]
    assert phone.focused.package == SHOP


def test_tag_event_and_words_are_the_callers(phone):
    start(
        phone,
        ".CookieConsentActivity",
        param_title="T",
        param_message="M",
        param_reject_btn_text="No",
        param_reject_log_event="NO",
        param_log_tag="Mine",
    )
    shown = nodes(phone)
    words = [shown[name].text for name in ("cookie_title", "cookie_message", "reject_all_button")]
    assert words == ["T", "M", "No"]
    press(phone, "reject_all_button")
    assert log(phone, "Mine") == [("I", "Mine", "NO")]


def test_an_extra_of_another_type_counts_as_none(phone):
    start(phone, ".LowBatteryActivity", param_title=7, param_button_text=True)
    shown = nodes(phone)
    assert (shown["low_battery_title"].text, shown["ok_button"].text) == ("Notice", "OK")


@pytest.mark.parametrize("activity", DIALOGS)
@pytest.mark.parametrize("way", ["back", "outside"])
def test_back_and_a_tap_beside_it_dismiss_without_an_event(phone, activity, way):
    start(phone, activity)
    assert phone.focused.package == PACKAGE
    if way == "back":
        phone.key(4)
    else:
        tap(phone, 360, 140)
    assert phone.focused.package == SHOP
    assert not log(phone, "ReactBench_Event", "CookieConsentLogger", "ProgressActivityLogger")


def test_a_tap_on_the_dialog_itself_does_nothing(phone):
    start(phone, ".LowBatteryActivity")
    press(phone, "low_battery_title")
    assert phone.focused.package == PACKAGE


def test_the_window_below_stays_visible_and_only_the_dialog_is_dumped(phone):
    before = phone.capture().rgba
    start(phone, ".LowBatteryActivity")
    kinds = [(package, title) for title, kind, package, _frame in phone.windows() if kind == "activity"]
    assert [package for package, _title in kinds] == [PACKAGE, SHOP]
    root = parse_tree(phone.hierarchy_xml()).nodes[0]
    assert root.bounds.height < 800
    after = phone.capture().rgba
    dimmed = after[300, 40, :3] <= before[300, 40, :3]
    assert dimmed.all()
    assert after[300, 40, :3].any()


def test_started_again_while_it_is_on_top_it_keeps_its_first_words(phone):
    assert start(phone, ".LowBatteryActivity", param_title="first").outcome == "started"
    assert start(phone, ".LowBatteryActivity", param_title="second").outcome == "delivered"
    assert nodes(phone)["low_battery_title"].text == "first"


@pytest.mark.parametrize("close", ["btnClose", "login_button"])
def test_close_and_sign_in_finish_without_an_event(phone, close):
    start(phone, ".MockAdActivity" if close == "btnClose" else ".LoginActivity")
    press(phone, close)
    assert phone.focused.package == SHOP


def test_what_is_typed_to_sign_in_shows_and_is_gone_the_next_time(phone):
    start(phone, ".LoginActivity")
    press(phone, "username_edittext")
    phone.commit_text("小明")
    assert nodes(phone)["username_edittext"].text == "小明"
    phone.key(4)
    phone.key(4)
    start(phone, ".LoginActivity")
    assert nodes(phone)["username_edittext"].text == "User name"


def test_a_redirection_ends_on_a_page_only_the_app_itself_may_open(phone):
    assert start(phone, ".TargetPageActivity").outcome == "not_exported"
    start(phone, ".RedirectActivity")
    assert phone.focused.activity == PACKAGE + ".TargetPageActivity"
    phone.key(4)
    assert phone.focused.package == SHOP


def test_progress_moves_to_its_end_and_then_says_so():
    begun = update(CompanionState(), Event(STARTED, ".ProgressActivity", {"param_duration_seconds": 4}))
    waited, percents = 0.0, []
    while isinstance(begun, Change):
        (later,) = begun.effects
        assert isinstance(later, Later)
        waited += later.seconds
        begun = update(begun.state, later.event)
        percents.append((begun.state if isinstance(begun, Change) else begun).percent)
    assert waited == pytest.approx(4)
    assert percents == [33, 67, 100]
    assert begun.done


def test_progress_of_a_page_that_is_gone_moves_no_other():
    begun = update(CompanionState(), Event(STARTED, ".ProgressActivity", {"param_duration_seconds": 4}))
    (later,) = begun.effects
    left = update(begun.state, Event("back", "1")).state
    assert update(left, later.event) is left


def test_progress_stands_where_it_is_told_to(phone):
    start(phone, ".ProgressActivity", param_progress=140, param_title="T")
    shown = nodes(phone)
    assert shown["progress_title"].text == "T"
    assert "dialog_progress_bar" in shown


def test_buttons_stay_in_sight_under_a_long_message_on_a_phone_that_lies(phone):
    phone.set_rotation(1)
    start(phone, ".LocationPermissionActivity", param_message="line\n" * 60)
    assert nodes(phone)["allow_button"].bounds.height > 80
    press(phone, "allow_button")
    assert log(phone, "ReactBench_Event")


def test_words_of_its_own_follow_the_phones_language(phone):
    phone.settings.put("system", "system_locales", "zh-CN")
    start(phone, ".LocationPermissionActivity")
    assert nodes(phone)["allow_button"].text == "允许"


def test_it_has_no_icon_to_start_it_with(phone):
    assert not phone.launch(PACKAGE)
    (info,) = (package for package in phone.packages if package.package == PACKAGE)
    assert (info.launcher, info.version) == (None, "2.0")


@pytest.mark.parametrize(("scale", "stacked"), [("1.0", False), ("2.0", True)])
def test_buttons_go_below_each_other_when_large_letters_need_the_room(phone, scale, stacked):
    phone.settings.put("system", "font_scale", scale)
    start(phone, ".LocationPermissionActivity", param_allow_btn_text="Update", param_deny_btn_text="Later")
    shown = nodes(phone)
    assert (shown["deny_button"].bounds.top > shown["allow_button"].bounds.top) == stacked


def test_the_test_screen_changes_its_color_as_a_finger_comes_down(phone):
    def middle():
        picture = phone.capture().rgba
        return tuple(int(value) for value in picture[len(picture) // 2, len(picture[0]) // 2][:3])

    start(phone, ".TestScreenActivity")
    assert middle() == (0, 0, 0)
    phone.touch(TouchAction.DOWN, 0, 300, 600)
    assert middle() == (255, 255, 255)
    phone.touch(TouchAction.MOVE, 0, 320, 640)
    phone.touch(TouchAction.UP, 0, 320, 640)
    assert middle() == (255, 255, 255)
    tap(phone, 300, 600)
    assert middle() == (0, 0, 0)
