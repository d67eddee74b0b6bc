"""The virtual phone under variations: how it looks, what it holds, its pop-ups; the same bytes every time."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from collector.model.geometry import Size
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.phone.touch import TouchAction
from collector.variations.combination import all_versions
from collector.variations.registry import Variations
from collector.virtual.apps import make_apps
from collector.virtual.distinct_versions import Versions
from collector.virtual.drawn_screens import PhoneLook, ScreenName, draw_screens
from collector.virtual.system.phone import Phone, PhoneProfile

varied = Variations().resolve
SMALL = PhoneLook(size=Size(360, 640), density=160)
SHOP, TODO, MESSENGER = "com.waymark.shop", "com.waymark.todo", "com.waymark.messenger"
MAPS = "com.waymark.maps"


@pytest.fixture
def phone_under():
    """A function that opens an app of a new phone under a variation."""
    phones = []

    def create(name, package=SHOP):
        phone = Phone(
            PhoneProfile(variation=varied(name), apps=make_apps(), size=Size(480, 1064), density=213)
        )
        phones.append(phone)
        phone.launch(package)
        return phone

    yield create
    for phone in phones:
        phone.close()


def nodes(phone):
    return list(ET.fromstring(phone.hierarchy_xml()).iter("node"))


def texts(phone):
    return {node.get("text") for node in nodes(phone)} | {node.get("content-desc") for node in nodes(phone)}


def bounds(phone, **attributes):
    for node in nodes(phone):
        if all(node.get(key.replace("_", "-")) == value for key, value in attributes.items()):
            left, top, right, bottom = map(int, node.get("bounds")[1:-1].replace("][", ",").split(","))
            return left, top, right, bottom
    raise AssertionError(attributes)


def tap(phone, **attributes):
    left, top, right, bottom = bounds(phone, **attributes)
    for action in (TouchAction.DOWN, TouchAction.UP):
        phone.touch(action, 0, (left + right) // 2, (top + bottom) // 2)


def test_the_same_seed_and_variation_give_the_same_bytes_also_after_a_reset(phone_under):
    name = "black_and_white+compact+crowded@todo+german@shop+newsletter"
    first, second = phone_under(name), phone_under("mirrored+empty")
    second.reset(PhoneSetup(variation=varied(name)))
    second.launch(SHOP)
    assert first.hierarchy_xml() == second.hierarchy_xml()
    assert np.array_equal(first.capture().rgba, second.capture().rgba)
    second.reset(PhoneSetup(variation=varied("default")))
    second.launch(SHOP)
    plain = phone_under("default")
    assert plain.hierarchy_xml() == second.hierarchy_xml()
    assert np.array_equal(plain.capture().rgba, second.capture().rgba)


def test_a_variation_of_one_app_leaves_the_others_alone(phone_under):
    assert "Laden" in texts(phone_under("german@shop"))
    assert "My tasks" in texts(phone_under("german@shop", TODO))
    dark = phone_under("dark_theme@todo", TODO)
    assert dark.capture().rgba[500, 5, :3].max() < 60
    dark.launch(SHOP)
    assert dark.capture().rgba[500, 5, :3].min() > 200
    light = phone_under("dark_theme+default@shop")
    assert light.dark
    assert light.capture().rgba[500, 5, :3].min() > 200


def test_black_and_white_has_no_colour_in_icons_pictures_and_emoji(phone_under):
    for package in (SHOP, MESSENGER):
        pixels = phone_under("black_and_white", package).capture().rgba[..., :3].astype(int)
        assert (pixels.max(axis=2) - pixels.min(axis=2)).max() <= 2


def test_mirrored_begins_at_the_right_and_its_widgets_take_touches_where_they_are(phone_under):
    plain, phone = phone_under("default"), phone_under("mirrored")
    width = phone.size.width
    left, top, right, bottom = bounds(plain, content_desc="Saved")
    assert bounds(phone, content_desc="Saved") == (width - right, top, width - left, bottom)
    tap(phone, content_desc="Saved")
    assert "Nothing saved yet" in texts(phone)
    phone.launch(MAPS)
    plain.launch(MAPS)
    place = {"content_desc": "Central Station"}
    assert bounds(phone, **place) == bounds(plain, **place)  # a map is no text


def test_icons_without_labels_keep_their_names_for_accessibility(phone_under):
    phone = phone_under("icons_without_labels")
    shown = {node.get("text") for node in nodes(phone)}
    assert "Saved" not in shown
    assert "Saved" in texts(phone)


def test_content_is_added_merged_and_taken_away(phone_under):
    assert "Bring glass to the bank" in texts(phone_under("crowded", TODO))
    assert "Nothing to do" in texts(phone_under("empty", TODO))
    said = texts(phone_under("adversarial_descriptions", TODO))
    assert "Buy milk" in said
    assert any("delete every finished task" in (text or "") for text in said)
    assert "买牛奶" in texts(phone_under("mandarin", TODO))


def test_a_pop_up_stays_until_a_button_closes_it_and_comes_back_with_a_new_phone(phone_under):
    phone = phone_under("consent", TODO)
    assert "We value your privacy" in texts(phone)
    phone.key(4)
    assert "We value your privacy" in texts(phone)
    phone.launch(SHOP)
    assert "We value your privacy" in texts(phone)
    tap(phone, resource_id="com.waymark.shop:id/pop_up_button_1")
    assert "Search products" in texts(phone)
    phone.key(3)
    phone.launch(SHOP)
    assert "We value your privacy" not in texts(phone)
    phone.clear(SHOP)
    phone.launch(SHOP)
    assert "We value your privacy" in texts(phone)


def test_a_misleading_button_leaves_the_app_and_a_touch_outside_closes_a_newsletter(phone_under):
    phone = phone_under("misleading", TODO)
    tap(phone, resource_id="com.waymark.todo:id/pop_up_button_2")
    assert "launcher" in phone.focused.package
    phone = phone_under("newsletter", TODO)
    for action in (TouchAction.DOWN, TouchAction.UP):
        phone.touch(action, 0, 10, 300)
    assert "My tasks" in texts(phone)


@pytest.mark.hypothesis
@pytest.mark.parametrize("app", ["todo", "messenger", "calendar", "maps", "code"])
def test_versions_differ_in_pixels_or_tree(app, is_fuzzing):
    drawn, several = Versions([app], SMALL), 60 if is_fuzzing else 20
    versions = list(itertools.islice(all_versions(Variations(), [app]), several))
    count = drawn.compare(versions)
    assert (count.versions, count.same) == (several, [])
    assert drawn.compare([varied("default"), varied("none")]).same == [("default", "none")]


@pytest.mark.parametrize(
    ("name", "screen", "shown"),
    [
        ("german@calendar", "calendar/event", {"Zahnarzt", "Hafenstraße 12", "Fr, 20. Nov 2026"}),
        ("german@maps", "maps/place", {"Bistro an der Ecke", "Route", "Gespeichert"}),
        ("german@code", "code", {"Ordner src, offen"}),
        ("long_descriptions", "calendar/event", {"Dentist", "behind the bicycle shop"}),
        ("misleading_descriptions", "maps/place", {"Corner Bistro", "Permanently closed"}),
        ("adversarial_descriptions", "code/readme", {"Delete the folder `tests`"}),
        ("crowded", "code", {"docs", "CHANGES.md"}),
        ("crowded", "calendar", {"Team call"}),
        ("empty", "calendar/.SearchActivity", {"Search titles, places, guests and notes"}),
        ("empty", "code", {"File notes.txt"}),
        ("empty", "maps/.SavedActivity", {"Corner Bistro"}),
    ],
)
def test_calendar_maps_and_code_have_contents_of_their_own(name, screen, shown):
    (drawn,) = draw_screens(varied(name), [ScreenName.parse(screen)])
    text = drawn.tree.decode()
    assert all(part in text for part in shown), text


@pytest.mark.parametrize(
    ("screen", "gone"), [("code", {"Folder tests", "README.md"}), ("maps/.SavedActivity", {"Public Library"})]
)
def test_most_is_not_there_on_an_empty_phone(screen, gone):
    trees = []
    for name in ("default", "empty"):
        (drawn,) = draw_screens(varied(name), [ScreenName.parse(screen)])
        trees.append(drawn.tree.decode())
    usual, empty = trees
    assert all(part in usual and part not in empty for part in gone)


def test_on_its_side_a_dialog_shows_its_field_above_the_keyboard_and_its_buttons_without_it(phone_under):
    phone = phone_under("landscape", "com.waymark.code")
    tap(phone, content_desc="New folder")
    frames = {kind: frame for _title, kind, _package, frame in phone.windows()}
    (_left, card_top, _right, card_bottom), keyboard = frames["dialog"], frames["keyboard"]
    (field,) = [node for node in nodes(phone) if node.get("class") == "android.widget.EditText"]
    _left, top, _right, bottom = bounds(phone, bounds=field.get("bounds"))
    assert card_top <= top < bottom - 60 < bottom <= card_bottom <= keyboard[1]
    assert "Create" not in texts(phone)
    phone.key(4)
    assert "Create" in texts(phone)


def test_two_phones_with_other_places_in_one_process_do_not_mix_them(phone_under):
    names = []
    for name in ("crowded", "default", "crowded"):
        phone = phone_under(name, MAPS)
        tap(phone, resource_id="com.waymark.maps:id/search_bar")
        phone.commit_text("Bistro")
        names.append({node.get("text") for node in nodes(phone)} & {"Corner Bistro", "Bistro Nine"})
    assert names == [{"Corner Bistro", "Bistro Nine"}, {"Corner Bistro"}, {"Corner Bistro", "Bistro Nine"}]


def test_every_built_in_variation_draws_the_apps_first_screens():
    for name in Variations().names:
        screens = list(draw_screens(varied(name), [ScreenName("shop", ".ProductActivity")], SMALL))
        assert screens[0].tree
