"""Every app of the phone draws all its screens in both languages, and its state is plain data."""

from __future__ import annotations

from typing import Any

import pytest

from collector.model.resources import asset
from collector.virtual.apps import LAST, app_names, make_apps
from collector.virtual.apps.dates import short_day
from collector.virtual.apps.shop.catalogue import Filters, search
from collector.virtual.system.phone import Phone
from collector.virtual.system.windows.phrases import say
from collector.virtual.ui.app import App, Context
from collector.virtual.ui.drawing.icons import PATHS
from collector.virtual.ui.drawing.pictures import rendered
from collector.virtual.ui.effects import Change
from collector.virtual.ui.events import Event
from collector.virtual.ui.plain import to_plain
from collector.virtual.ui.widgets import Icon, IconButton, Image, Screen
from tests.helpers import libyaml
from tests.helpers.phone_driver import bounds, find
from tests.helpers.virtual import profile

APPS = make_apps()


def state_of(result: Any) -> Any:
    return result.state if isinstance(result, Change) else result


def is_drawn(picture: str) -> bool:
    """Whether an app draws the picture; an unknown one is a grey box."""
    return bytes(rendered(picture, "", 40, 40).tobytes()) != bytes(
        rendered("no picture", "", 40, 40).tobytes()
    )


def everything_in(value: Any) -> list[Any]:
    """A value and all the widgets and windows below it."""
    items, stack = [], [value]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
        elif hasattr(item, "__dataclass_fields__"):
            items.append(item)
            stack.extend(getattr(item, name) for name in item.__dataclass_fields__)
    return items


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
@pytest.mark.parametrize("locale", ["en-US", "zh-CN", "de-DE"])
def test_every_screen_is_drawn_with_known_icons_and_pictures(app: App[Any], locale: str) -> None:
    state = app.initial(7, locale)
    for activity in app.activities:
        screen = app.view(state, Context(activity=activity.name, locale=locale))
        assert isinstance(screen, Screen)
        for item in everything_in(screen):
            if isinstance(item, Image):
                assert is_drawn(item.picture)
            name = item.name if isinstance(item, Icon) else item.icon if isinstance(item, IconButton) else ""
            assert not name or name in PATHS


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_a_state_survives_yaml(app: App[Any]) -> None:
    state = app.initial(7, "zh-CN")
    text = libyaml.safe_dump(app.state_to_plain(state), allow_unicode=True)
    restored = app.state_from_plain(libyaml.safe_load(text))
    assert to_plain(restored) == to_plain(state)


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_an_event_nobody_handles_changes_nothing(app: App[Any]) -> None:
    state = app.initial(7, "en-US")
    assert state_of(app.update(state, Event("no such event"))) == state


def test_a_phone_gets_the_system_apps_and_those_it_asks_for() -> None:
    always = {"launcher", "settings", "store", *(app.name for app in LAST)}
    assert {app.name for app in make_apps(["shop"])} == {*always, "shop"}
    assert {app.name for app in make_apps()} == {*always, *app_names()}


def test_an_app_nobody_knows_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="'chess'"):
        make_apps(["chess"])


def texts_in(value: Any) -> list[dict[str, str]]:
    """The texts by language in a content file, but what people said in one language alone."""
    if isinstance(value, dict) and "en" in value:
        return [value] if value["en"] != value.get("zh") else []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [texts for part in parts for texts in texts_in(part)]


def test_all_that_apps_and_the_system_say_is_there_in_three_languages() -> None:
    for file in sorted(asset("virtual").glob("*.yaml")):
        for texts in texts_in(libyaml.safe_load(file.read_text(encoding="utf-8"))):
            assert {"en", "zh", "de"} <= texts.keys(), f"{file.name}: {texts}"
    for words in ("Allow", "Location off", "Passwords stay on this device"):
        assert len({say(words, language) for language in ("en", "zh", "de")}) == 3


def test_packages_and_labels_are_each_app_s_own() -> None:
    assert len({app.package for app in APPS}) == len(APPS)
    assert len({app.label("zh-CN") for app in APPS}) == len(APPS)


@pytest.mark.parametrize("name", ["shop", "messenger", "calendar", "code", "maps"])
def test_a_seed_decides_the_content_and_always_the_same(name):
    (app,) = (app for app in make_apps([name]) if app.name == name)
    first, repeated, other = (app.initial(seed, "en-US") for seed in (1, 1, 7))
    assert first == repeated
    assert other != first
    assert app.initial(7, "en-US") == other


def test_another_seed_shuffles_what_is_equally_relevant_and_nothing_else():
    usual, shuffled = (search("", "", Filters(), "relevance", seed) for seed in (1, 7))
    assert shuffled != usual
    assert set(shuffled) == set(usual)
    in_stock = search("", "", Filters(in_stock=True), "relevance", 7)
    assert [product for product in shuffled if product in in_stock] == list(in_stock)
    assert search("", "", Filters(), "price_up", 7)[0].price == search("", "", Filters(), "price_up")[0].price


def test_a_day_of_the_week_is_said_in_the_phones_language():
    assert short_day("Thu", "zh-CN") == "周四"
    assert short_day("Thu", "en-US") == "Thu"
    assert short_day("09:21", "zh-CN") == "09:21"


def test_icons_outside_the_dock_leave_those_in_it_where_they_are() -> None:
    """The sample's recordings tap the icons at their places."""
    names = ("Messenger", "Settings", "Shop", "To-do")
    with_all, without = Phone(profile()), Phone(profile("messenger", "shop", "todo"))
    try:
        for rotation in (0, 1):
            places = []
            for phone in (with_all, without):
                phone.set_rotation(rotation)
                places.append([bounds(find(phone, content_desc=name)) for name in names])
            assert places[0] == places[1]
    finally:
        with_all.close()
        without.close()
