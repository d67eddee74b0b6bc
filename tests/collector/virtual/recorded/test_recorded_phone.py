"""A phone that plays recordings: it shows their screens to the pixel and goes where recorded actions went."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PIL import Image

from collector.device.apps.app_control import show_beginning
from collector.device.apps.app_data import AppDataReader
from collector.model.action import (
    DoubleTap,
    Drag,
    Key,
    LongPress,
    OpenApp,
    Pinch,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.resources import asset
from collector.practice.graph_builder import build_graph
from collector.store.trajectory.reader import open_trajectory
from collector.virtual.recorded.off_path import TAG, OffPathKind
from collector.virtual.recorded.recorded_phone import (
    practice_report,
)
from collector.virtual.system.phone import Phone, TouchAction
from collector.virtual.ui.effects import Component, Intent
from tests.helpers.playing_phone import do, playing, swipe
from tests.helpers.recorded_path import LAUNCHER, SHOP, RecordedPath, field, picture, written
from tests.helpers.shell_device import ShellDevice

GO = Tap(80, 70)
UNKNOWN, BACK, HOME, VOLUME_UP = 0, 4, 3, 24


@pytest.fixture
def play(tmp_path) -> Iterator[Callable[..., Phone]]:
    opened = []

    def started(*paths: RecordedPath, off_path: OffPathKind = "count") -> Phone:
        opened.append(playing(build_graph(written(tmp_path, paths)), off_path))
        return opened[-1].__enter__()

    yield started
    for phone in opened:
        phone.__exit__(None, None, None)


def title(phone: Phone) -> str:
    """The name of the screen, in its tree."""
    return phone.hierarchy_xml().decode().split('text="')[2].split('"')[0]


def report(phone: Phone) -> tuple[int, int]:
    found = practice_report(phone)
    assert found is not None
    return found["on_path"], found["off_path"]


def shown(phone: Phone) -> np.ndarray:
    return phone.capture().rgba[..., :3]


def decoded(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


@pytest.mark.parametrize(
    "golden", ["shop-19/shop-19-lin", "messenger-02/messenger-02-sara", "todo-01/todo-01-sara"]
)
def test_a_golden_of_the_sample_plays_from_its_first_screen_to_its_last(golden):
    stored = open_trajectory(asset(f"sample/trajectories/{golden}"))
    with playing(build_graph([stored])) as phone:
        for step in stored.steps:
            screenshot = stored.screenshot(step)
            assert screenshot is not None
            assert np.array_equal(shown(phone), decoded(screenshot)), f"step {step.index}"
            assert phone.hierarchy_xml() == stored.tree(step)
            assert str(phone.focused) == f"{step.state.package}/{step.state.activity}"
            do(phone, step.action)
        found = practice_report(phone)
    assert found is not None
    assert found["off_path"] == 0
    (followed,) = found["recordings"]
    assert followed == {"trajectory": stored.header.id, "followed": followed["of"], "of": followed["of"]}


@pytest.mark.parametrize(
    "action",
    [
        GO, LongPress(80, 70), DoubleTap(80, 70), Swipe(100, 400, 100, 250), Scroll(100, 300, "down"),
        Key("back"),
        Drag(80, 70, 80, 300), Key("volume_up"), Key("recents"), Wait(2000), Key("power", 900),
    ],
    ids=lambda action: action.kind,
)  # fmt: skip
def test_each_kind_of_action_moves_on(play, action):
    phone = play(RecordedPath().on("Start", action).on("Next"))
    do(phone, action)
    assert title(phone) == "Next"
    assert report(phone) == (1, 0)
    assert np.array_equal(shown(phone), decoded(picture(sum(map(ord, "Next")))))


def test_a_key_that_is_held_counts_once_though_it_repeats(play):
    phone = play(
        RecordedPath().on("Start", Key("volume_up", 900)).on("Next", Key("volume_up", 900)).on("End")
    )
    for wanted in ("Next", "End"):
        for _repeat in range(4):
            phone.key(VOLUME_UP, True)
        phone.key(VOLUME_UP, False)
        assert title(phone) == wanted
    phone.key(UNKNOWN, True)  # as an examination of the phone presses
    phone.key(UNKNOWN, False)
    assert report(phone) == (2, 0)


def test_two_fingers_zoom_where_that_was_recorded(play):
    phone = play(RecordedPath().on("Map", Pinch(120, 240, 2.0)).on("Close"))
    for apart in (20, 30, 40):
        action = TouchAction.DOWN if apart == 20 else TouchAction.MOVE
        phone.touch(action, 0, 120 - apart, 240)
        phone.touch(action, 1, 120 + apart, 240)
    assert title(phone) == "Close"


def test_a_swipe_scrolls_anywhere_in_what_scrolls_and_only_as_it_was_recorded(play):
    phone = play(RecordedPath().on("Top", Swipe(100, 400, 100, 300)).on("Below"))
    for start, end in (((100, 300), (100, 420)), ((100, 150), (100, 100)), ((100, 300), (180, 300))):
        swipe(phone, start, end)
        assert title(phone) == "Top"
    swipe(phone, (200, 470), (190, 250))
    assert title(phone) == "Below"
    assert report(phone) == (1, 3)


def test_a_tap_counts_anywhere_on_the_node_and_nowhere_else(play):
    phone = play(RecordedPath().on("Start", GO).on("Next"))
    do(phone, Tap(59, 59))
    assert title(phone) == "Start"
    do(phone, Tap(119, 79))
    assert title(phone) == "Next"


def test_without_a_tree_a_tap_counts_near_its_point(play):
    phone = play(RecordedPath().on("Start", GO, with_tree=False).on("Next", with_tree=False))
    do(phone, Tap(80, 120))
    assert report(phone) == (0, 1)
    assert b'package="com.example.shop"' in phone.hierarchy_xml(), "a window without nodes"
    do(phone, Tap(88, 77))
    assert report(phone) == (1, 1)


@pytest.mark.parametrize(("kind", "counted", "toasts"), [("say", 1, 1), ("count", 1, 0), ("stay", 0, 0)])
def test_what_was_not_recorded_is_answered_as_the_phone_was_started(play, kind, counted, toasts):
    phone = play(RecordedPath().on("Start", GO).on("Next"), off_path=kind)
    said: list[str] = []
    phone.toasted.subscribe(said.append)
    do(phone, Tap(200, 300))
    assert title(phone) == "Start"
    assert report(phone) == (0, counted)
    assert len(said) == toasts
    logged = [line.text for line in phone.logcat.read() if line.tag == TAG]
    assert logged == ["off the path on screen 1: tap at 200,300"] * counted


def test_typed_text_is_shown_and_read_until_it_is_what_was_recorded(play):
    phone = play(
        RecordedPath().on("Find", Type("mug", 3), field("Search")).on("Found", None, field("mug"), shade=3)
    )
    before = shown(phone)
    assert phone.commit_text("mu")
    dump = phone.hierarchy_xml().decode()
    assert 'text="mu"' in dump
    assert 'text="Search"' not in dump
    assert not np.array_equal(shown(phone), before)
    assert np.array_equal(shown(phone)[:170], before[:170]), "the rest is the recorded picture"
    phone.commit_text("x")
    assert title(phone) == "Find"
    phone.key(67)  # delete
    phone.commit_text("g")
    assert title(phone) == "Found"
    assert np.array_equal(shown(phone), decoded(picture(3)))
    assert report(phone) == (1, 0)


def test_a_text_that_begins_another_one_leads_to_both(play):
    short = RecordedPath("short").on("Find", Type("sh", 2), field()).on("Two", None, field("sh"), shade=3)
    long = RecordedPath("long").on("Find", Type("shop", 4), field()).on("Four", None, field("shop"), shade=5)
    phone = play(short, long)
    phone.commit_text("sh")
    assert title(phone) == "Two"
    phone.commit_text("o")
    assert b'text="o"' in phone.hierarchy_xml()
    phone.commit_text("p")
    assert title(phone) == "Four"


def test_a_password_that_was_not_recorded_is_any_text_and_never_readable(play):
    path = (
        RecordedPath()
        .on("Sign in", Type(redacted=True), field(password=True))
        .on("Typed", GO, field(password=True), shade=4)
    )
    phone = play(path.on("In"))
    phone.commit_text("hunter2")
    assert b"hunter2" not in phone.hierarchy_xml()
    assert "•••••••".encode() in phone.hierarchy_xml()
    do(phone, GO)
    assert title(phone) == "In"
    assert report(phone) == (2, 0)


def test_apps_open_each_other_and_come_back_as_recorded(play):
    path = (
        RecordedPath()
        .on("Home", OpenApp(SHOP), package=LAUNCHER)
        .on("Start", GO)
        .on("Detail", Key("back"), activity=".Detail")
    )
    phone = play(path.on("Start", Key("home")).on("Home", package=LAUNCHER))
    assert str(phone.focused) == f"{LAUNCHER}/{LAUNCHER}.Main"
    phone.launch(SHOP)
    do(phone, GO)
    assert str(phone.focused) == f"{SHOP}/{SHOP}.Detail"
    phone.key(BACK)
    assert str(phone.focused) == f"{SHOP}/{SHOP}.Main"
    phone.key(HOME)
    assert title(phone) == "Home"
    found = practice_report(phone)
    assert found is not None
    assert found["recordings"][0]["followed"] == 4


def test_an_app_that_was_left_for_another_comes_back_to_the_screen_that_was_recorded(play):
    path = RecordedPath().on("Start", GO).on("Photos", GO, package="com.example.photos").on("Chosen", GO)
    phone = play(path.on("Sent"))
    for wanted in ("Photos", "Chosen", "Sent"):
        do(phone, GO)
        assert title(phone) == wanted


def test_of_two_ways_that_of_the_recording_that_is_followed_is_taken(play):
    lin = RecordedPath("lin").on("Start", GO).on("Lin", Key("back")).on("Same", GO).on("End of Lin")
    sara = (
        RecordedPath("sara")
        .on("Start", Key("volume_up"))
        .on("Sara", Key("back"))
        .on("Same", GO)
        .on("End of Sara")
    )
    phone = play(lin, sara)
    for action, wanted in ((Key("volume_up"), "Sara"), (Key("back"), "Same"), (GO, "End of Sara")):
        do(phone, action)
        assert title(phone) == wanted


def test_a_golden_that_begins_on_another_screen_counts_from_where_it_joins(play):
    lin = RecordedPath("lin").on("Start", GO).on("List", GO).on("Detail", GO).on("End")
    sara = RecordedPath("sara").on("Start with a badge", GO).on("List", GO).on("Detail", Key("back"))
    phone = play(lin, sara.on("List", GO).on("Detail", Key("volume_up")).on("Louder"))
    for action in (GO, GO, Key("back"), GO, Key("volume_up")):
        do(phone, action)
    found = practice_report(phone)
    assert found is not None
    assert [(each["followed"], each["of"]) for each in found["recordings"]] == [(2, 3), (4, 5)]


def test_an_app_that_several_people_opened_is_opened_by_one_action(play):
    lin = RecordedPath("lin").on("Home", OpenApp(SHOP), package=LAUNCHER).on("Start")
    sara = RecordedPath("sara").on("Desk", OpenApp(SHOP), package=LAUNCHER).on("Start")
    phone = play(lin, sara)
    phone.launch(SHOP)
    assert report(phone) == (1, 0)


def test_who_is_faster_than_a_screen_that_changes_by_itself_is_on_the_path(play):
    phone = play(RecordedPath(step_ms=5000).on("Loading").on("Start", GO).on("Next"))
    do(phone, Tap(10, 300))
    assert (title(phone), report(phone)) == ("Loading", (0, 1)), "what is recorded nowhere waits for nothing"
    do(phone, GO)
    assert (title(phone), report(phone)) == ("Next", (2, 1))


def test_a_screen_on_its_side_turns_the_phone(play):
    wide = (
        RecordedPath().on("Tall", GO).on("Wide", Key("back"), size=RecordedPath().size.transposed).on("Tall")
    )
    phone = play(wide)
    do(phone, GO)
    assert (str(phone.size), phone.rotation) == ("480x240", 1)
    phone.key(BACK)
    assert (str(phone.size), phone.rotation) == ("240x480", 0)


def test_a_dialog_of_an_anomaly_lies_over_the_picture_and_goes(play):
    phone = play(RecordedPath().on("Start", GO).on("Next"))
    before = shown(phone)
    phone.start_activity(
        Intent(component=Component("com.example.adbsmarttest", "com.example.adbsmarttest.LowBatteryActivity"))
    )
    over = phone.hierarchy_xml()
    assert b"com.example.adbsmarttest" in over
    assert not np.array_equal(shown(phone), before)
    phone.key(BACK)
    do(phone, GO)
    assert title(phone) == "Next"


def test_an_episode_and_a_replay_begin_on_the_first_screen_and_not_at_home(play):
    phone = play(RecordedPath().on("Start", Key("home")).on("Home", package=LAUNCHER))
    phone.key(HOME)
    assert title(phone) == "Home"
    device = ShellDevice(phone)
    assert show_beginning(device)
    assert title(phone) == "Start"
    assert report(phone) == (1, 0), "nothing was done on it"


def test_a_reset_begins_anew_and_keeps_the_screen_of_the_recordings(play):
    phone = play(RecordedPath().on("Start", GO).on("Next"))
    do(phone, GO)
    phone.reset(PhoneSetup(seed=4, states={"todo": {}}))
    assert title(phone) == "Start"
    assert report(phone) == (0, 0)
    with pytest.raises(ValueError, match="plays recordings stays 240x480"):
        phone.reset(PhoneSetup.parse(["--size", "720x1600"]))


def test_edge_swipes_that_were_not_recorded_are_back_and_home(play):
    phone = play(RecordedPath().on("Start", Key("back")).on("Left"))
    swipe(phone, (3, 200), (150, 200))
    assert title(phone) == "Left"
    swipe(phone, (120, 475), (120, 100))
    assert report(phone) == (1, 1)
    assert phone.focused is not None
    assert phone.focused.package == "com.waymark.launcher"


def test_a_wheel_scrolls(play):
    path = RecordedPath().on("Top", Swipe(100, 400, 100, 300)).on("Below", Scroll(100, 400, "right"))
    phone = play(path.on("Right"))
    phone.scroll(100, 400, 0, -2)
    assert title(phone) == "Below"
    phone.scroll(100, 400, 2, 0)
    assert title(phone) == "Right"


def test_screens_without_actions_pass_by_themselves_once_each_as_they_were_recorded(play):
    path = RecordedPath(step_ms=0)
    phone = play(path.on("A").on("B").on("A").on("C").on("B"))
    seen = [title(phone)]
    for _second in range(8):
        phone.pass_time(1.0)
        seen.append(title(phone))
    assert "".join(seen) == "ABACBBBBB"
    assert report(phone) == (4, 0)


def test_the_phone_keeps_for_the_person_what_was_recorded_with_the_screen_it_shows():
    run = "variations__by-place__todo-06__s1__r0__a0__2d8b7131"
    stored = open_trajectory(asset(f"sample/trajectories/todo-06/{run}"))
    with playing(build_graph([stored])) as phone, contextlib.closing(ShellDevice(phone)) as device:
        for step in stored.steps:
            assert AppDataReader().read(device) == stored.app_data(step.state)
            do(phone, step.action)


def test_a_phone_of_recordings_that_do_not_say_what_apps_keep_does_not_either(play):
    phone = play(RecordedPath().on("A", GO).on("B"))
    with contextlib.closing(ShellDevice(phone)) as device:
        assert AppDataReader().read(device) is None
