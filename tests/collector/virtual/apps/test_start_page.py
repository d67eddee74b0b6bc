"""The start page by touch on a phone: tiles that open apps, descriptions, and its variations."""

from __future__ import annotations

import pytest

from collector.model.phone.touch import TouchAction
from collector.variations.registry import Variations
from collector.virtual.apps import make_apps
from collector.virtual.apps.start_page import StartPageApp, tiles_of
from collector.virtual.system.phone import Phone
from collector.virtual.ui.content import VariedContents
from tests.helpers.phone_driver import bounds, find, has, nodes, tap, wait_until
from tests.helpers.virtual import profile

PACKAGE = StartPageApp.package
TILES = ("To-do", "Calendar", "Messenger", "Maps", "Code editor", "Shop")


@pytest.fixture
def start():
    """``start(variation, apps, locale)`` opens the start page on a phone of these."""
    phones = []

    def opened(variation: str = "default", apps: tuple[str, ...] = (), locale: str = "en-US") -> Phone:
        varied = Variations().resolve(variation)
        phone = Phone(profile(apps=make_apps(apps), variation=varied, locale=locale))
        phones.append(phone)
        phone.launch(PACKAGE)
        return phone

    yield opened
    for phone in phones:
        phone.close()


def front(phone: Phone) -> str:
    """The package of the activity in front."""
    assert phone.focused is not None
    return phone.focused.package


def texts(phone: Phone, name: str) -> list[str]:
    """The texts of the nodes with a short id, in order."""
    wanted = f"{PACKAGE}:id/{name}"
    return [node.get("text", "") for node in nodes(phone) if node.get("resource-id") == wanted]


@pytest.mark.parametrize("number", range(len(TILES)))
def test_every_tile_opens_its_app_and_back_returns(start, number: int) -> None:
    phone = start()
    assert tuple(texts(phone, "title")) == TILES
    app = phone.profile.apps[[app.name for app in phone.profile.apps].index(tiles_of(1)[number]["app"])]
    tap(phone, content_desc=TILES[number])
    assert front(phone) == app.package
    phone.key(4)
    assert front(phone) == PACKAGE


def test_a_description_is_read_whole_from_the_sign_or_by_a_long_press(start) -> None:
    phone = start("long_descriptions")
    tap(phone, content_desc="About Shop")
    (whole,) = texts(phone, "whole_text")
    assert whole.endswith("faster if you wish")
    phone.key(4)
    assert not has(phone, resource_id="about_sheet")
    at = bounds(find(phone, content_desc="Shop")).center
    phone.touch(TouchAction.DOWN, 0, at.x, at.y)
    wait_until(phone, lambda: has(phone, text="Open Shop"))
    phone.touch(TouchAction.UP, 0, at.x, at.y)
    tap(phone, text="Open Shop")
    assert front(phone) == "com.waymark.shop"


def test_apps_that_are_missing_are_said_and_cannot_be_opened(start) -> None:
    phone = start(apps=("start_page", "todo"))
    assert find(phone, content_desc="Shop, Not on this phone").get("enabled") == "false"
    tap(phone, content_desc="Shop, Not on this phone")
    assert front(phone) == PACKAGE
    alone = start(apps=("start_page",))
    assert find(alone, resource_id="empty_title").get("text") == "No apps here"


def test_its_variations_change_tiles_and_how_they_open(start) -> None:
    by_logo = start("clickable_logos")
    assert find(by_logo, content_desc="Maps").get("clickable") == "false"
    tap(by_logo, content_desc="Open Maps")
    assert front(by_logo) == "com.waymark.maps"
    broken = start("broken_logos")
    logos = [node.get("content-desc") for node in nodes(broken)]
    assert logos.count("The picture did not load") == len(TILES)
    german = texts(start("german"), "title")
    assert german[0] == "Aufgaben"
    assert texts(start(locale="zh-CN"), "title")[0] == "待办"
    crowded = start("crowded")
    assert "Settings" in texts(crowded, "title")
    assert has(start("consent"), text="We value your privacy")


def test_the_seed_decides_a_mixed_order() -> None:
    with VariedContents(Variations().resolve("mixed_tiles")).in_use():
        orders = [[tile["id"] for tile in tiles_of(seed)] for seed in range(1, 6)]
        assert orders == [[tile["id"] for tile in tiles_of(seed)] for seed in range(1, 6)]
    given = [tile["id"] for tile in tiles_of(1)]
    assert all(sorted(order) == sorted(given) for order in orders)
    assert len({tuple(order) for order in orders}) > 1


def test_tiles_become_a_list_and_tiles_again(start) -> None:
    phone = start()
    tap(phone, content_desc="Show as a list")
    wide = [node for node in nodes(phone) if node.get("resource-id") == f"{PACKAGE}:id/tile"]
    assert len({node.get("bounds", "").split(",")[0] for node in wide}) == 1, "one below the other"
    tap(phone, content_desc="Show as tiles")
    assert has(phone, content_desc="Show as a list")
