"""Noise on the screens of apps: the same for a seed, over after a while, and nothing out of reach."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from collector.model.geometry import Size
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.phone.touch import TouchAction
from collector.model.variation.noise import Noise
from collector.model.variation.phone_variation import PhoneVariation
from collector.variations.registry import Variations
from collector.virtual.apps import make_apps
from collector.virtual.distinct_versions import Versions
from collector.virtual.drawn_screens import PhoneLook, ScreenName, draw_screens, first_screens
from collector.virtual.noise.progress import NoiseProgress, NoisyElement
from collector.virtual.system.phone import Phone, PhoneProfile
from collector.virtual.system.phone_state.phone_time import SimulatedTime

TODO, MESSENGER, SHOP = "com.waymark.todo", "com.waymark.messenger", "com.waymark.shop"
APPS = ["shop", "todo", "messenger", "calendar", "maps", "code"]
NOISE_OF_THE_SHOWN = ["missing", "late", "twice", "covered", "zoomed"]
varied = Variations().resolve
SMALL = PhoneLook(size=Size(360, 640), density=160)


@pytest.fixture
def phone_with():
    """A function that opens an app of a new phone with noise on it."""
    phones = []

    def create(package=TODO, seed=1, time=None, **noise):
        variation = PhoneVariation("noise", noise={"all": Noise.of(noise)})
        look = {"size": Size(480, 1064), "density": 213}
        phone = Phone(PhoneProfile(seed=seed, variation=variation, apps=make_apps(), **look), time)
        phones.append(phone)
        phone.launch(package)
        return phone

    yield create
    for phone in phones:
        phone.close()


def nodes(phone, name):
    found = ET.fromstring(phone.hierarchy_xml()).iter("node")
    return [node for node in found if node.get("resource-id").rpartition("/")[2] == name]


def bounds(node):
    return tuple(map(int, node.get("bounds")[1:-1].replace("][", ",").split(",")))


def tap(phone, node):
    left, top, right, bottom = bounds(node)
    for action in (TouchAction.DOWN, TouchAction.UP):
        phone.touch(action, 0, (left + right) // 2, (top + bottom) // 2)


def press_nothing(phone):
    for action in (TouchAction.DOWN, TouchAction.UP):
        phone.touch(action, 0, 240, 900)


def names_of(drawn):
    """What tells elements apart on a screen: id, text and description."""
    return {
        (node.get("resource-id"), node.get("text"), node.get("content-desc"))
        for node in ET.fromstring(drawn).iter("node") if node.get("clickable") == "true"
    }  # fmt: skip


def test_the_same_seed_has_the_same_noise_whatever_else_varies_and_another_seed_other_noise():
    (first,), (again,) = (list(draw_screens(varied("noisy"), [ScreenName("messenger")])) for _ in range(2))
    assert first.digest == again.digest
    (dark,) = draw_screens(varied("dark_theme+noisy"), [ScreenName("messenger")])
    assert dark.tree == first.tree
    looks = [PhoneLook(seed=seed) for seed in (1, 2, 3)]
    drawn = [next(draw_screens(varied("covered_elements"), [ScreenName("todo")], look)) for look in looks]
    assert len({screen.tree for screen in drawn}) == 3


@pytest.mark.parametrize("name", ["all_kinds", *NOISE_OF_THE_SHOWN])
@pytest.mark.parametrize("app", APPS)
def test_every_kind_of_noise_shows_on_every_app(app, name):
    values = dict.fromkeys(NOISE_OF_THE_SHOWN, 0.2) if name == "all_kinds" else {name: 1.0}
    noisy = PhoneVariation("noise", noise={"all": Noise(**values)})
    (plain,), (disturbed,) = (draw_screens(it, [ScreenName(app)]) for it in (PhoneVariation(), noisy))
    assert disturbed.digest != plain.digest


def test_a_missing_element_comes_back_after_touches_and_stays(phone_with):
    phone = phone_with(missing=1.0, missing_inputs=3)
    assert nodes(phone, "task") == []
    for _ in range(2):
        press_nothing(phone)
        assert nodes(phone, "task") == []
    phone.key(59)  # shift: a key counts, too
    assert len(nodes(phone, "task")) == 6
    phone.key(3)
    phone.launch(TODO)
    assert len(nodes(phone, "task")) == 6
    phone.clear(TODO)
    phone.launch(TODO)
    assert nodes(phone, "task") == []


def test_the_days_of_a_week_keep_their_places(phone_with):
    places = {
        node.get("content-desc"): bounds(node) for node in nodes(phone_with("com.waymark.calendar"), "day")
    }
    for noise in ({"missing": 0.4}, {"twice": 0.6}):
        shown = nodes(phone_with("com.waymark.calendar", **noise), "day")
        assert 0 < len(shown) <= len(places)
        assert all(places[node.get("content-desc")] == bounds(node) for node in shown)


def test_a_late_element_comes_by_itself(phone_with):
    phone = phone_with(late=1.0, late_seconds=0.2)
    number = phone.capture().generation
    while not nodes(phone, "task"):
        shown = phone.wait_picture(number, 20)
        assert shown is not None, "it never came"
        number = shown.generation
    assert len(nodes(phone, "task")) == 6


def test_a_cover_takes_one_touch_and_then_the_element_works(phone_with):
    phone = phone_with(MESSENGER, covered=1.0, only=["chat"])
    covers = nodes(phone, "noise_cover")
    assert len(covers) == 6
    place = bounds(covers[0])
    tap(phone, covers[0])
    assert len(nodes(phone, "noise_cover")) == 5
    assert phone.focused.activity.endswith("MainActivity")
    (uncovered,) = [node for node in nodes(phone, "chat") if bounds(node) == place]
    tap(phone, uncovered)
    assert phone.focused.activity.endswith("ChatActivity")


def test_a_moving_element_moves_under_the_finger_and_then_stays(phone_with):
    phone = phone_with(MESSENGER, moving=1.0)
    chat = nodes(phone, "chat")[0]
    tap(phone, chat)
    moved = nodes(phone, "chat")[0]
    assert phone.focused.activity.endswith("MainActivity")
    assert bounds(moved)[1] > bounds(chat)[1]
    tap(phone, moved)
    assert phone.focused.activity.endswith("ChatActivity")


def test_of_two_alike_both_work(phone_with):
    for number in (0, 1):
        phone = phone_with(MESSENGER, twice=1.0)
        twins = nodes(phone, "chat")[:2]
        assert bounds(twins[0]) != bounds(twins[1])
        tap(phone, twins[number])
        assert phone.focused.activity.endswith("ChatActivity")


@pytest.mark.parametrize("order", ["shuffled", "reversed"])
def test_lists_have_another_order_unless_it_means_something(phone_with, order):
    def rows(package, name, **noise):
        return [node.get("text") or "".join(inner.get("text") for inner in node.iter("node"))
                for node in nodes(phone_with(package, **noise), name)]  # fmt: skip

    plain, other = rows(MESSENGER, "chat"), rows(MESSENGER, "chat", order=order)
    assert sorted(plain) == sorted(other) != other != plain
    assert rows("com.waymark.code", "row") == rows("com.waymark.code", "row", order=order)


@pytest.mark.parametrize("app", APPS)
def test_once_the_noise_is_over_nothing_is_out_of_reach(phone_with, app):
    package = f"com.waymark.{app}"
    (plain,) = draw_screens(PhoneVariation(), [ScreenName(app)])
    # In a simulated time nothing moves between reading the screen and touching it.
    noise = {"missing": 0.5, "late": 0.3, "late_seconds": 0.1, "covered": 0.5, "moving": 0.3}
    phone = phone_with(package, time=SimulatedTime(), **noise)
    for _ in range(3):
        phone.key(59)
    for _round in range(50):
        if covers := nodes(phone, "noise_cover"):
            tap(phone, covers[0])
        elif names_of(plain.tree) <= names_of(phone.hierarchy_xml()):
            return
        else:
            phone.key(59)  # what was drawn after the keys is missing for as many more
        phone.pass_time(1)
    pytest.fail(f"out of reach: {names_of(plain.tree) - names_of(phone.hierarchy_xml())}")


def test_noise_belongs_to_the_phone_and_goes_with_a_reset(phone_with):
    phone = phone_with(SHOP, covered=1.0)
    assert nodes(phone, "noise_cover")
    phone.reset(PhoneSetup(variation=PhoneVariation()))
    phone.launch(SHOP)
    (plain,) = draw_screens(PhoneVariation(), [ScreenName("shop")])
    assert nodes(phone, "noise_cover") == []
    assert names_of(phone.hierarchy_xml()) == names_of(plain.tree)


def test_versions_with_noise_differ_in_pixels_or_tree():
    noises = ["", "missing_elements", "late_elements", "doubled_elements", "covered_elements",
              "zoomed_elements", "shuffled_lists", "noisy"]  # fmt: skip
    looks = ["", "dark_theme", "german", "crowded", "consent"]
    names = ["+".join(filter(None, (look, noise))) or "default" for noise in noises for look in looks]
    count = Versions(["messenger", "todo"], SMALL).compare(map(varied, names))
    assert (count.versions, count.same) == (len(noises) * len(looks), [])
    still = Versions(["todo"], SMALL).compare([varied("default"), varied("moving_elements")])
    assert still.same == [("default", "moving_elements")]


def test_the_home_screen_and_the_systems_apps_have_no_noise():
    everything = PhoneVariation("noise", noise={"all": Noise(missing=1.0, twice=1.0)})
    home = first_screens()[0]
    settings = ScreenName("settings")
    for screen in (home, settings):
        (plain,), (noisy,) = (draw_screens(it, [screen]) for it in (PhoneVariation(), everything))
        assert plain.digest == noisy.digest


def test_a_timer_of_the_phone_before_a_reset_brings_nothing():
    timers = []
    progress = NoiseProgress(lambda _seconds, run: timers.append(run), lambda: None)
    first, other = NoisyElement("shop", ".Main", "add"), NoisyElement("todo", ".Main", "add")
    assert progress.is_late(first, 2)
    assert progress.is_late(other, 2)
    progress.forget("shop")
    assert progress.is_late(first, 2)
    timers[0]()
    assert progress.is_late(first, 2)
    timers[1]()
    timers[2]()
    assert not progress.is_late(first, 2)
    assert not progress.is_late(other, 2)
    assert len(timers) == 3
